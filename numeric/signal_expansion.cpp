#include <fmt/format.h>

#include <crosshead/exact/signal_shares.hpp>
#include <crosshead/exact/strongest_paths.hpp>
#include <crosshead/exact/words.hpp>
#include <crosshead/numeric/certified_scan.hpp>
#include <crosshead/numeric/enclosure_operators.hpp>
#include <crosshead/numeric/enclosure_shares.hpp>
#include <crosshead/numeric/float_matrix.hpp>
#include <crosshead/numeric/signal_expansion.hpp>
#include <limits>
#include <stdexcept>

namespace crosshead {
namespace {

/// Numerators over one denominator, as quantities; Scalar is Integer or a machine word that holds them all.
template <class Scalar>
struct ExactShares {
    Integer denominator;

    Quantity operator()(const Scalar& numerator) const {
        return Quantity::of(numerator == 0 ? Rational(0) : Rational(Integer(numerator), denominator));
    }
    /// a − b for a sum and a part of it.
    static Scalar rest(const Scalar& whole, const Scalar& part) { return whole - part; }
    static bool agree(const Scalar& a, const Scalar& b) { return a == b; }
    static bool surely_ordered(const Scalar&, const Scalar&) { return true; }
};

struct EnclosedShares {
    Quantity operator()(const Enclosure& share) const { return Quantity::within(share); }
    static Enclosure rest(const Enclosure& whole, const Enclosure& part) {
        const double lower = whole.lower() - part.upper(), upper = whole.upper() - part.lower();
        return {lower > 0 ? next_down(lower) : 0, upper > 0 ? next_up(upper) : 0};
    }
    static bool agree(const Enclosure& a, const Enclosure& b) {
        return a.lower() <= b.upper() && b.lower() <= a.upper();
    }
    static bool surely_ordered(const Enclosure& larger, const Enclosure& smaller) {
        return larger.lower() >= smaller.upper();
    }
};

template <class Scalar>
Scalar sum_of(const std::vector<Scalar>& parts) {
    Scalar sum(0);
    for (const auto& part : parts) sum += part;
    return sum;
}

/// The distributions that take O(t²) work: exact scalars go through the templates as they are.
template <class Scalar>
std::vector<Scalar> switches_of(const HeadOperators<Scalar>& operators, Node source, std::size_t steps) {
    return by_switches(operators, source, steps);
}
template <class Scalar>
std::vector<Scalar> uses_of(const HeadOperators<Scalar>& operators, std::size_t head, Node source,
                            std::size_t steps) {
    return by_uses_of(operators, head, source, steps);
}

/// Whether there is anything at all: the graphs alone, no numbers, so that a zero is never an underflow.
struct Presence {
    bool present = false;
    explicit Presence(int value) : present(value != 0) {}
    explicit Presence(bool value = false) : present(value) {}
    Presence& operator+=(Presence other) {
        present = present || other.present;
        return *this;
    }
    friend Presence operator*(Presence a, Presence b) { return Presence(a.present && b.present); }
    friend Presence operator+(Presence a, Presence b) { return Presence(a.present || b.present); }
    friend bool operator==(Presence a, int zero) { return zero == 0 && !a.present; }
};

/// Enclosures go through plain double with a bound derived beforehand (certified_scan.hpp): a step passes a
/// product through n additions at most, through H + 1 more where heads are summed, and its entry is the
/// middle of an enclosure a few units in the last place wide; 16 covers both, and the sums at the end count
/// as one more step. Nothing cancels.
template <class Distribution>
std::vector<Enclosure> in_double(const HeadOperators<Enclosure>& operators, std::size_t steps,
                                 const Distribution& distribution) {
    const auto shares =
        distribution(converted<double>(operators, [](const Enclosure& entry) { return entry.middle(); }));
    const auto error = PropagationError::after(
        operators.nodes() + static_cast<int>(operators.head_count()) + 16, static_cast<double>(steps) + 1);
    std::vector<Enclosure> result;
    for (const double share : shares) result.push_back(error.around(share));
    if (std::find(shares.begin(), shares.end(), 0.0) == shares.end()) return result;
    const auto present = distribution(
        converted<Presence>(operators, [](const Enclosure& entry) { return Presence(entry.upper() > 0); }));
    for (std::size_t k = 0; k < result.size(); ++k)
        if (present[k] == 0) result[k] = Enclosure();
    return result;
}
std::vector<Enclosure> switches_of(const HeadOperators<Enclosure>& operators, Node source,
                                   std::size_t steps) {
    return in_double(operators, steps,
                     [&](const auto& rounded) { return by_switches(rounded, source, steps); });
}
std::vector<Enclosure> uses_of(const HeadOperators<Enclosure>& operators, std::size_t head, Node source,
                               std::size_t steps) {
    return in_double(operators, steps,
                     [&](const auto& rounded) { return by_uses_of(rounded, head, source, steps); });
}

template <class Scalar, class Shares>
void require_sum(const char* what, const Scalar& sum, const Scalar& total) {
    if (!Shares::agree(sum, total))
        throw std::logic_error(fmt::format("the parts by {} do not sum to the signal", what));
}

template <class Scalar, class Shares>
WordsMeasure measure_words(const HeadOperators<Scalar>& operators, const ExpansionOptions& options,
                           const Scalar& total, const Shares& quantity) {
    WordsMeasure result;
    std::vector<WordShare<Scalar>> found;
    LargestWords<Scalar> largest(options.top + 1);
    Scalar sum(0), others(0);
    constexpr std::size_t most_supports = 4096;
    result.count = count_words(operators, options.source, options.steps, most_supports);
    std::uint64_t visited = 0;
    if (!result.count || *result.count <= options.budget)
        result.enumerated =
            for_each_word(operators, options.source, options.steps,
                          result.count ? std::numeric_limits<std::uint64_t>::max() : options.budget,
                          [&](const Word& word, const Scalar& share) {
                              largest.offer(word, share);
                              sum += share;
                              ++visited;
                          });
    if (result.enumerated) {
        require_sum<Scalar, Shares>("words", sum, total);
        if (result.count && *result.count != visited)
            throw std::logic_error(fmt::format("{} words carry something, but the graphs have {}", visited,
                                               result.count->str()));
        result.count = visited;
        found = largest.words();
        if (found.size() > options.top) {
            others = found.back().share;
            found.pop_back();
        }
    } else {
        const std::size_t kept = static_cast<std::size_t>(std::min<std::uint64_t>(
            options.budget, (std::uint64_t{1} << 23) / static_cast<std::uint64_t>(operators.nodes())));
        auto best = best_words(operators, options.source, options.steps, options.top, kept);
        found = std::move(best.words);
        others = best.others_at_most;
        result.top_complete = best.complete;
    }
    Scalar listed(0);
    for (std::size_t k = 0; k < found.size(); ++k) {
        const Scalar& next = k + 1 < found.size() ? found[k + 1].share : others;
        result.order_certain = result.order_certain && Shares::surely_ordered(found[k].share, next);
        listed += found[k].share;
        result.top.push_back({found[k].word, quantity(found[k].share)});
    }
    result.listed = quantity(listed);
    result.not_listed = quantity(Shares::rest(total, listed));
    result.others_at_most = quantity(others);
    return result;
}

/// The head with the largest entry of row `to`, column `from`.
template <class Scalar>
std::size_t leading_head(const HeadOperators<Scalar>& operators, Node from, Node to) {
    std::size_t leader = 0;
    Scalar most(0);
    for (std::size_t h = 0; h < operators.head_count(); ++h) {
        const auto& head = operators.heads[h];
        for (std::size_t e = head.row_begin[static_cast<std::size_t>(to)];
             e < head.row_begin[static_cast<std::size_t>(to) + 1]; ++e)
            if (head.column[e] == from && larger_share(head.entry[e], most)) {
                most = head.entry[e];
                leader = h;
            }
    }
    return leader;
}

template <class Scalar, class Shares>
void expand(const HeadOperators<Scalar>& operators, const Shares& quantity, SignalExpansion& result) {
    const Node source = result.options.source;
    const std::size_t steps = result.options.steps;
    const auto quantities_of = [&](const std::vector<Scalar>& shares) {
        std::vector<Quantity> list;
        for (const auto& share : shares) list.push_back(quantity(share));
        return list;
    };
    const Scalar total = total_share(operators, source, steps);
    result.total = quantity(total);

    const auto switches = switches_of(operators, source, steps);
    require_sum<Scalar, Shares>("head switches", sum_of(switches), total);
    result.switches = quantities_of(switches);
    Scalar cross(0), alone(0);
    for (std::size_t s = 1; s < switches.size(); ++s) cross += switches[s];
    result.cross_head = quantity(cross);

    std::vector<Scalar> first_last;
    for (const auto& row : by_first_and_last(operators, source, steps)) {
        result.first_last.push_back(quantities_of(row));
        first_last.insert(first_last.end(), row.begin(), row.end());
    }
    require_sum<Scalar, Shares>("first and last head", sum_of(first_last), total);

    for (std::size_t h = 0; h < operators.head_count(); ++h) {
        const auto uses = uses_of(operators, h, source, steps);
        require_sum<Scalar, Shares>("uses of a head", sum_of(uses), total);
        result.uses.push_back(quantities_of(uses));
        const Scalar pure = pure_share(operators, h, source, steps);
        alone += pure;
        result.pure.push_back(quantity(pure));
    }
    require_sum<Scalar, Shares>("words of a single head", alone, switches.front());

    result.words = measure_words(operators, result.options, total, quantity);
    for (const auto& path : strongest_paths(sum_of_heads(operators), source, steps, result.options.top)) {
        PathQuantity one{path.nodes, quantity(path.share), {}};
        for (std::size_t k = 0; k < steps; ++k)
            one.leading_head.push_back(leading_head(operators, path.nodes[k], path.nodes[k + 1]));
        result.strongest_paths.push_back(std::move(one));
    }
}

/// Every number that comes up is at most 1, so at most the denominator: where that fits a machine word, all
/// do.
void expand_exactly(const HeadOperators<Integer>& operators, SignalExpansion& result) {
    result.exact = true;
    const Integer denominator = pow(operators.step_denominator, static_cast<unsigned>(result.options.steps));
    if (denominator <= std::numeric_limits<std::uint64_t>::max())
        expand(converted<std::uint64_t>(
                   operators, [](const Integer& entry) { return entry.convert_to<std::uint64_t>(); }),
               ExactShares<std::uint64_t>{denominator}, result);
    else
        expand(operators, ExactShares<Integer>{denominator}, result);
}

}  // namespace

double distribution_work(const HeadSystem& system, std::size_t steps) {
    double edges = 0;
    for (const auto& head : system.heads()) edges += static_cast<double>(head.edge_count());
    return 1.5 * static_cast<double>(steps) * static_cast<double>(steps) * edges;
}

SignalExpansion expand_signal(const HeadSystem& system, const ExpansionOptions& options) {
    if (options.steps < 1 || options.source < 0 || options.source >= system.nodes())
        throw std::invalid_argument("expand_signal: needs t >= 1 and a source among the nodes");
    SignalExpansion result;
    result.options = options;
    // The bits at which the numbers take as long as the work allows: eight words cost little more than one.
    const double affordable_bits = options.exact_work / distribution_work(system, options.steps) * 512;
    const double step_bits =
        std::min(options.exact_bits, affordable_bits) / static_cast<double>(options.steps);
    if (const auto exact = exact_operators(system, options.kind, HeadWeights::applied, step_bits))
        expand_exactly(*exact, result);
    else
        expand(enclosure_operators(system, options.kind, HeadWeights::applied), EnclosedShares{}, result);
    const auto& weights = head_weights(system, options.kind);
    result.paths = count_paths(system, weights, options.source, options.steps, SelfLoops::counted);
    result.paths_without_self_loops =
        count_paths(system, weights, options.source, options.steps, SelfLoops::left_out);
    return result;
}

std::optional<Quantity> fraction_of(const Quantity& part, const Quantity& total) {
    auto fraction = ratio(part, total);
    if (fraction && !fraction->exact && fraction->enclosure.upper() > 1)
        fraction = Quantity::within({std::min(1.0, fraction->enclosure.lower()), 1});  // a part of a whole
    return fraction;
}

std::optional<Quantity> mean_of(const std::vector<Quantity>& distribution, const Quantity& total) {
    Rational exact = 0;
    Enclosure sum;
    bool all_exact = true;
    for (std::size_t c = 1; c < distribution.size(); ++c) {
        all_exact = all_exact && distribution[c].exact;
        if (all_exact) exact += Rational(c) * *distribution[c].exact;
        sum += Enclosure(static_cast<double>(c)) * distribution[c].enclosure;
    }
    return ratio(all_exact ? Quantity::of(exact) : Quantity::within(sum), total);
}

std::vector<Quantity> signals_at(const HeadSystem& system, Operator kind, std::size_t steps) {
    const auto matrix = enclosure_matrix(float_matrix(system, kind, entry_bits));
    RowPropagation<Enclosure> row(matrix, unit_vector<Enclosure>(system.nodes(), system.sink()));
    for (std::size_t t = 0; t < steps; ++t) row.step();
    std::vector<Quantity> result;
    for (const auto& value : row.row()) result.push_back(Quantity::within(value));
    return result;
}

}  // namespace crosshead
