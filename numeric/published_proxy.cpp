#include <algorithm>
#include <crosshead/numeric/published_proxy.hpp>
#include <numeric>

namespace crosshead {

double published_mixing_proxy(const TransitionMatrix<double>& attention) {
    const auto n = static_cast<std::size_t>(attention.nodes);
    auto cut = transposed(attention);  // row j: the destinations of j, ascending
    for (std::size_t j = 0; j < n; ++j) {
        double room = 1;
        for (std::size_t e = cut.row_begin[j]; e < cut.row_begin[j + 1]; ++e) {
            cut.entry[e] = std::min(cut.entry[e], room);
            room -= cut.entry[e];
        }
    }
    std::vector<double> alive(n, 1.0), next(n);
    alive[n - 1] = 0;
    double steps = 0;
    for (int t = 0; t < published_step_cap; ++t) {
        steps += std::accumulate(alive.begin(), alive.end(), 0.0);
        for (std::size_t j = 0; j < n; ++j) {
            next[j] = 0;
            if (j + 1 == n) continue;
            for (std::size_t e = cut.row_begin[j]; e < cut.row_begin[j + 1]; ++e)
                next[j] += cut.entry[e] * alive[static_cast<std::size_t>(cut.column[e])];
        }
        std::swap(alive, next);
    }
    return steps / static_cast<double>(n);
}

}  // namespace crosshead
