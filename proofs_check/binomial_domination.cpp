// Survivors of a feedforward walk are dominated by a binomial tail (proof of Theorem 2.9 of arXiv
// 2507.02944):
//     1 − (W̄^t)[τ][j] ≤ P(Bin(t, p) < N)   for every t and j,
// and, sharper, with L_j, the longest path from j to τ, in place of N. Both are tested for t = 1..h: to the
// longest mixing time asked for, as far as the work stays bounded. For t < L_j the tail is 1 and nothing is
// tested.
#include <fmt/format.h>

#include <algorithm>
#include <crosshead/graphs/reachability.hpp>
#include <crosshead/numeric/exact_plan.hpp>
#include <crosshead/numeric/float_matrix.hpp>
#include <crosshead/proofs_check/leak_comparison.hpp>
#include <crosshead/proofs_check/sides.hpp>

namespace crosshead {
namespace {

/// Multiply-adds that the scan over t may take.
constexpr double scan_work = 1e7;
/// Bits that exact survivors may reach.
constexpr double max_exact_growth = 200'000;

Decision at_most(const Rational& a, const Rational& b) {
    return a <= b ? Decision::yes : Decision::no;
}
Decision at_most(const Enclosure& a, const Enclosure& b) {
    return less_equal(a, b);
}
double as_double(const Rational& value) {
    return approximate(value);
}
double as_double(const Enclosure& value) {
    return value.middle();
}

/// What the scan found: the first place where the claim fails, or is undecided, and the least relative
/// margin.
struct Found {
    Decision holds = Decision::yes;
    std::size_t step = 0;
    Node start = 0;
    double margin = 1;

    void add(Decision decision, std::size_t t, Node j, double one_margin) {
        margin = std::min(margin, one_margin);
        if (decision == Decision::yes || holds == Decision::no ||
            (holds == Decision::undecided && decision == Decision::undecided))
            return;
        holds = decision;
        step = t;
        start = j;
    }
};

/// Survivors s_t[j] against P(Bin(t,p) < k_j) for t = 1..horizon, k = `successes`, skipping starts in
/// `settled`.
template <class Scalar>
Found scan(const TransitionMatrix<Scalar>& walk, const Scalar& p, const Scalar& one_minus_p,
           const std::vector<int>& successes, const std::vector<bool>& settled, std::size_t horizon) {
    const auto n = static_cast<std::size_t>(walk.nodes);
    RowPropagation<Scalar> survivors(walk, initial_survivors<Scalar>(walk.nodes, walk.nodes - 1));
    std::vector<Scalar> tail(n, Scalar(1));  // tail[k] = P(Bin(t,p) < k)
    tail[0] = Scalar(0);
    Found found;
    for (std::size_t t = 1; t <= horizon; ++t) {
        survivors.step();
        for (std::size_t k = n - 1; k > 0; --k) tail[k] = one_minus_p * tail[k] + p * tail[k - 1];
        for (std::size_t j = 0; j + 1 < n; ++j) {
            const auto k = static_cast<std::size_t>(successes[j]);
            if (settled[j] || t < k) continue;
            const Scalar& left = survivors.row()[j];
            found.add(at_most(left, tail[k]), t, static_cast<Node>(j),
                      1 - as_double(left) / as_double(tail[k]));
        }
    }
    return found;
}

std::size_t horizon_of(const MeasuredSystem& measured, std::size_t edges) {
    const double most = std::max(16.0, scan_work / static_cast<double>(edges));
    double longest = 1;
    for (const auto& time : measured.measure.mixture.walk->mixing_times)
        longest = std::max(longest, time.never || !time.upper ? most : time.upper->convert_to<double>());
    return static_cast<std::size_t>(std::min(longest, most));
}

class Domination {
  public:
    explicit Domination(const MeasuredSystem& measured)
        : measured_(measured),
          matrix_(float_matrix(measured.system, Operator::walk, entry_bits)),
          horizon_(horizon_of(measured, matrix_.entry.size())),
          leaks_(measured.system) {}

    Judgement judge(const std::string& name, const std::vector<int>& successes) {
        // With one edge left, s_t[j] = (1 − leak)^t against (1 − p)^t: the leaks decide for every t at once.
        std::vector<bool> settled(successes.size(), false);
        for (Node j = 0; j + 1 < measured_.system.nodes(); ++j)
            settled[static_cast<std::size_t>(j)] =
                successes[static_cast<std::size_t>(j)] == 1 && leaks_.reaches_bound(j);
        const Quantity& bound = *measured_.measure.forward_probability_bound;
        const Enclosure& p = bound.enclosure;
        const Enclosure one_minus_p = {p.upper() >= 1 ? 0 : next_down(1 - p.upper()), next_up(1 - p.lower())};
        Found found = scan(enclosure_matrix(matrix_), p, one_minus_p, successes, settled, horizon_);
        if (found.holds == Decision::undecided && bound.exact && exact_is_small())
            found = scan(walk_matrix(measured_.system), *bound.exact, Rational(1 - *bound.exact), successes,
                         settled, horizon_);
        Judgement judgement;
        judgement.parameter = fmt::format("{}, t <= {}", name, horizon_);
        judgement.outcome = outcome_of(found.holds);
        judgement.left = "1 - (W^t)[sink][j]";
        judgement.right = fmt::format("P(Bin(t, p) < {})", name == "N" ? "N" : "longest path from j");
        if (found.holds != Decision::yes)
            judgement.note = fmt::format("{} at t = {}, j = {}",
                                         found.holds == Decision::no ? "fails" : "too close to decide",
                                         found.step, found.start);
        judgement.margin = found.margin;
        return judgement;
    }

  private:
    bool exact_is_small() const {
        return denominator_bits(measured_.system, Operator::walk) * static_cast<double>(horizon_) *
                   measured_.system.nodes() <=
               max_exact_growth;
    }

    const MeasuredSystem& measured_;
    FloatMatrix matrix_;
    std::size_t horizon_;
    LeakComparison leaks_;
};

}  // namespace

std::vector<Judgement> judge_binomial_domination(const MeasuredSystem& measured) {
    const int n = measured.system.nodes();
    std::string obstacle = walk_obstacle(measured.measure);
    if (obstacle.empty() && n == 1) obstacle = "one node: there are no survivors";
    if (obstacle.empty() && measured.measure.forward_probability_bound->enclosure.upper() == 0)
        obstacle = "p = 0: the tail is 1";
    if (!obstacle.empty()) return {{"", Outcome::vacuous, "", "", obstacle, std::nullopt}};
    const Reachability reach(measured.system, measured.system.walk_weights());
    std::vector<int> by_nodes(static_cast<std::size_t>(n), n - 1), by_path = by_nodes;
    for (Node j = 0; j + 1 < n; ++j)
        if (reach.reaches_sink(j)) by_path[static_cast<std::size_t>(j)] = reach.longest_path_to_sink(j);
    Domination domination(measured);
    return {domination.judge("N", by_nodes), domination.judge("longest path", by_path)};
}

}  // namespace crosshead
