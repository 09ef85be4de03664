#include <algorithm>
#include <crosshead/exact/exact_process.hpp>
#include <crosshead/exact/mixing_time.hpp>
#include <numeric>

namespace crosshead {

std::vector<MixingTime> exact_mixing_times(const TransitionMatrix<Integer>& matrix, Node absorbing,
                                           const std::vector<Rational>& epsilons,
                                           const Convention& convention, std::size_t step_limit) {
    // d(t) < ε  ⟺  factor · aggregate · den(ε) < num(ε) · Q_t · (n for the mean, 1 for the worst)
    const bool mean = convention.start == Start::mean;
    Integer aggregate;
    std::size_t aggregated_at = static_cast<std::size_t>(-1);
    const auto passes = [&](const auto& survivors, std::size_t k) {
        if (aggregated_at != survivors.steps()) {
            const auto& row = survivors.row();
            aggregate = mean ? std::accumulate(row.begin(), row.end(), Integer(0))
                             : *std::max_element(row.begin(), row.end());
            aggregated_at = survivors.steps();
        }
        const Integer left = aggregate * distance_factor(convention.norm) * denominator(epsilons[k]);
        const Integer right = numerator(epsilons[k]) * survivors.denominator() * (mean ? matrix.nodes : 1);
        return left < right || (!convention.strict && left == right) ? Decision::yes : Decision::no;
    };
    return with_process(matrix, initial_survivors<Integer>(matrix.nodes, absorbing), [&](auto& process) {
        return scan_mixing_times(process, epsilons.size(), step_limit, passes);
    });
}

}  // namespace crosshead
