#include <algorithm>
#include <crosshead/proofs_check/search/fast_source.hpp>
#include <limits>

namespace crosshead {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double one_head[] = {1};

}  // namespace

void HeadMemo::reset(std::size_t heads) {
    records_.assign(heads, Record{});
}

void FastSource::configure(int nodes, const std::vector<Rational>& alpha, const std::vector<Rational>& beta) {
    nodes_ = nodes;
    heads_ = static_cast<int>(alpha.size());
    for (std::size_t h = 0; h < alpha.size(); ++h) {
        alpha_[h] = FastNumber::of(alpha[h]);
        beta_[h] = FastNumber::of(beta[h]);
        alpha_double_[h] = approximate(alpha[h]);
        beta_double_[h] = approximate(beta[h]);
    }
}

void FastSource::load(int lane, int position, const SmallHead& head, const PreparedHead& prepared,
                      std::size_t pool_index) {
    loaded_[idx(position)][idx(lane)] = {&head, pool_index};
    prepared_[idx(position * lanes + lane)] = &prepared;
}

void FastSource::start(HeadMemo& memo) {
    memo_ = &memo;
    filled_.fill(false);
}

OperatorBatch& FastSource::batch(int head) {
    OperatorBatch& result = batches_[idx(head + 1)];
    if (filled_[idx(head + 1)]) return result;
    if (head < 0)
        result.load(nodes_, heads_, prepared_.data(), alpha_double_.data(), beta_double_.data());
    else
        result.load(nodes_, 1, prepared_.data() + head * lanes, one_head, one_head);
    filled_[idx(head + 1)] = true;
    return result;
}

OperatorBatch& FastSource::alone(int head) {
    OperatorBatch& scratch = memo_->scratch();
    std::array<const PreparedHead*, lanes> copies{};
    copies.fill(prepared_[idx(head * lanes + lane_)]);
    scratch.load(nodes_, 1, copies.data(), one_head, one_head);
    return scratch;
}

HeadMemo::Record& FastSource::record(int head) {
    const LoadedHead& one = loaded(head);
    HeadMemo::Record& record = memo_->at(one.pool_index);
    if (record.measured) return record;
    OperatorBatch& scratch = alone(head);
    record.forward_probability = least_leak(head);
    record.fidelity = scratch.minimax_fidelity(0, nodes_);
    record.fidelity_without_sink = scratch.minimax_fidelity(0, nodes_ - 1);
    record.absorption_mean = mean_absorption(scratch, 0);
    record.absorption_worst = worst_absorption(scratch, 0);
    record.measured = true;
    return record;
}

FastNumber FastSource::number(QuantityId id, int head, const FastNumber& epsilon, const Indices& indices) {
    constexpr double wide = 1e-9;
    const FastNumber result = quantity(id, head, epsilon, indices);
    const bool tight =
        result.is_point() || result.upper - result.lower <= wide * std::min(result.upper, 1e300);
    if (!tight) was_loose_ = true;
    return result;
}

FastNumber FastSource::quantity(QuantityId id, int head, const FastNumber& epsilon, const Indices& indices) {
    using Id = QuantityId;
    switch (id) {
        case Id::nodes:
            return FastNumber::point(nodes_);
        case Id::path_length:
            return FastNumber::point(nodes_ - 1);
        case Id::heads:
            return FastNumber::point(heads_);
        case Id::walk_weight:
            return alpha_[idx(head)];
        case Id::diffusion_weight:
            return beta_[idx(head)];
        case Id::forward_probability: {
            if (head >= 0) return record(head).forward_probability;
            FastNumber sum = FastNumber::point(0);
            for (int h = 0; h < heads_; ++h)
                sum =
                    arithmetic_.add(sum, arithmetic_.multiply(alpha_[idx(h)], record(h).forward_probability));
            return sum;
        }
        case Id::mixture_forward_probability:
            return least_leak(-1);
        case Id::mixing_time:
            return mixing_time(head, epsilon, convention_);
        case Id::mixing_time_tv:
            return mixing_time(head, epsilon, {Norm::total_variation, true, Start::worst});
        case Id::reverse_mixing_time:
            return reverse_mixing_time(head, epsilon, convention_);
        case Id::reverse_mixing_time_tv:
            return reverse_mixing_time(head, epsilon, {Norm::total_variation, true, Start::worst});
        case Id::distance:
            return distance(batch(head), lane_, indices.step, Convention{});
        case Id::survivors:
            return batch(head).survivors(lane_, indices.step, indices.node);
        case Id::signal:
            return batch(head).signal(lane_, indices.step, indices.node);
        case Id::word_sum:
            return word_sum(indices.step, indices.node);
        case Id::cross_signal:
            return cross_signal(indices.step, indices.node);
        case Id::mass:
            return batch(head).mass(lane_, indices.step, indices.node);
        case Id::absorption_mean:
            return head >= 0 ? record(head).absorption_mean : mean_absorption(batch(head), lane_);
        case Id::absorption_worst:
            return head >= 0 ? record(head).absorption_worst : worst_absorption(batch(head), lane_);
        case Id::absorption:
            return batch(head).absorption(lane_, indices.node);
        case Id::fidelity:
            return head >= 0 ? record(head).fidelity : batch(head).minimax_fidelity(lane_, nodes_);
        case Id::fidelity_without_sink:
            return head >= 0 ? record(head).fidelity_without_sink
                             : batch(head).minimax_fidelity(lane_, nodes_ - 1);
        case Id::node_fidelity:
            return batch(head).fidelity(lane_, indices.node);
        case Id::peak:
            return batch(head).peak(lane_, indices.node);
        default:
            return degree_quantity(id, head, indices.node);
    }
}

/// 1 − W[j][j], summed from what leaves; the sum of integers is exact, the quotient rounded once.
FastNumber FastSource::leak(int head, int node) const {
    const SmallHead& weights = *loaded(head).head;
    int leaving = 0;
    for (int i = node + 1; i < nodes_; ++i) leaving += weights.at(i, node);
    return arithmetic_.divide(FastNumber::point(leaving),
                              FastNumber::point(leaving + weights.at(node, node)));
}

FastNumber FastSource::least_leak(int head) const {
    FastNumber least = FastNumber::point(1);
    for (int j = 0; j + 1 < nodes_; ++j) {
        FastNumber one = FastNumber::point(0);
        if (head >= 0)
            one = leak(head, j);
        else
            for (int h = 0; h < heads_; ++h)
                one = arithmetic_.add(one, arithmetic_.multiply(alpha_[idx(h)], leak(h, j)));
        least = arithmetic_.smaller(least, one);
    }
    return least;
}

FastNumber FastSource::distance_of(const FastNumber& survivors, const Convention& convention) const {
    const double factor = distance_factor(convention.norm);  // 1 or 2: exact
    const FastNumber distance = {factor * survivors.lower, factor * survivors.upper, nullptr};
    return convention.start == Start::worst ? distance
                                            : arithmetic_.divide(distance, FastNumber::point(nodes_));
}

FastNumber FastSource::distance(OperatorBatch& batch, int lane, int step,
                                const Convention& convention) const {
    return distance_of(convention.start == Start::worst ? batch.largest_survivors(lane, step)
                                                        : batch.sum_of_survivors(lane, step),
                       convention);
}

template <class Distance>
FastNumber FastSource::scan(const FastNumber& epsilon, const Convention& convention, double always,
                            const Distance& distance) const {
    if (convention.strict ? epsilon.upper <= always : epsilon.upper < always)
        return FastNumber::point(infinite);
    if (always > 0) return FastNumber::unknown();
    const auto passes = [&](int t) {
        const FastNumber now = distance(t);
        return convention.strict ? arithmetic_.less(now, epsilon) : arithmetic_.less_equal(now, epsilon);
    };
    // Distances never grow, so one may start anywhere: where the last search ended, as neighbours are alike.
    int first = last_time_;  // in the end the first t that passes for certain
    while (first <= OperatorBatch::max_steps && passes(first) != Decision::yes) ++first;
    if (first > OperatorBatch::max_steps) {
        last_time_ = 0;
        return FastNumber{0, infinite, nullptr};
    }
    while (first > 0 && passes(first - 1) == Decision::yes) --first;
    int open = first;  // the first t that may pass
    while (open > 0 && passes(open - 1) != Decision::no) --open;
    last_time_ = first;
    return FastNumber{static_cast<double>(open), static_cast<double>(first), nullptr};
}

double FastSource::kept_distance(bool arrives, const Convention& convention) {
    if (arrives) return 0;
    return convention.start == Start::worst ? distance_factor(convention.norm)
                                            : distance_factor(convention.norm) / (2.0 * max_small_nodes);
}

FastNumber FastSource::forward_scan(OperatorBatch& batch, int lane, const FastNumber& epsilon,
                                    const Convention& convention) const {
    return scan(epsilon, convention, kept_distance(batch.reaches_sink(lane), convention),
                [&](int t) { return distance(batch, lane, t, convention); });
}

FastNumber FastSource::reverse_mixing_time(int head, const FastNumber& epsilon,
                                           const Convention& convention) {
    OperatorBatch& one = batch(head);
    return scan(epsilon, convention, kept_distance(one.unique_source(lane_), convention), [&](int t) {
        return distance_of(convention.start == Start::worst ? one.largest_reverse_survivors(lane_, t)
                                                            : one.sum_of_reverse_survivors(lane_, t),
                           convention);
    });
}

FastNumber FastSource::mixing_time(int head, const FastNumber& epsilon, const Convention& convention) {
    if (head < 0 || !(convention == convention_))
        return forward_scan(batch(head), lane_, epsilon, convention);
    for (auto& time : record(head).times) {
        if (time.epsilon_lower == epsilon.lower && time.epsilon_upper == epsilon.upper) return time.steps;
        if (time.epsilon_upper != 0) continue;
        OperatorBatch& scratch = alone(head);
        time = {epsilon.lower, epsilon.upper, forward_scan(scratch, 0, epsilon, convention)};
        return time.steps;
    }
    return forward_scan(batch(head), lane_, epsilon, convention);
}

FastNumber FastSource::mean_absorption(OperatorBatch& batch, int lane) const {
    FastNumber sum = FastNumber::point(0);
    if (!batch.reaches_sink(lane)) return FastNumber::point(infinite);
    for (int j = 0; j + 1 < nodes_; ++j) sum = arithmetic_.add(sum, batch.absorption(lane, j));
    return arithmetic_.divide(sum, FastNumber::point(nodes_));
}

FastNumber FastSource::worst_absorption(OperatorBatch& batch, int lane) const {
    if (!batch.reaches_sink(lane)) return FastNumber::point(infinite);
    FastNumber worst = FastNumber::point(0);
    for (int j = 0; j + 1 < nodes_; ++j) worst = arithmetic_.larger(worst, batch.absorption(lane, j));
    return worst;
}

FastNumber FastSource::degree_quantity(QuantityId id, int head, int node) {
    using Id = QuantityId;
    OperatorBatch& one = batch(head);
    if (id == Id::longest_path || id == Id::longest_path_from) {
        int longest = one.longest_path(lane_, node);
        if (id == Id::longest_path)
            for (int j = 0; j < nodes_; ++j) longest = std::max(longest, one.longest_path(lane_, j));
        return longest < 0 ? arithmetic_.undefined("no path to the sink") : FastNumber::point(longest);
    }
    const auto out = [&](int j) { return std::popcount(one.out_edges(lane_, j)) + 1; };
    if (id == Id::out_degree) return FastNumber::point(out(node));
    if (id == Id::in_degree) return FastNumber::point(one.in_degree(lane_, node));
    int edges = 0, least_out = nodes_, most_out = 1, least_in = nodes_, most_in = 1;
    for (int j = 0; j < nodes_; ++j) {
        edges += out(j) - 1;
        if (j + 1 < nodes_ || nodes_ == 1) least_out = std::min(least_out, out(j));
        most_out = std::max(most_out, out(j));
        least_in = std::min(least_in, one.in_degree(lane_, j));
        most_in = std::max(most_in, one.in_degree(lane_, j));
    }
    switch (id) {
        case Id::out_degree_min:
            return FastNumber::point(least_out);
        case Id::out_degree_max:
            return FastNumber::point(most_out);
        case Id::in_degree_min:
            return FastNumber::point(least_in);
        case Id::in_degree_max:
            return FastNumber::point(most_in);
        default:
            return FastNumber::point(edges);
    }
}

Decision FastSource::truth(QuantityId id, int head, const Indices& indices) {
    const auto yes_if = [](bool value) { return value ? Decision::yes : Decision::no; };
    OperatorBatch& one = batch(head);
    switch (id) {
        case QuantityId::attained:
            // Self-loops everywhere: a node that others feed attains its maximum; so does the sink, and a
            // node that does not reach the sink attains its 0.
            return yes_if(one.attained(lane_, indices.node) || indices.node == nodes_ - 1 ||
                          (one.reached(lane_, indices.node) >> (nodes_ - 1) & 1u) == 0);
        case QuantityId::edge: {
            if (indices.node == indices.second_node) return Decision::yes;
            return yes_if((one.out_edges(lane_, indices.node) >> indices.second_node & 1u) != 0);
        }
        case QuantityId::reaches_sink:
            return yes_if(one.reaches_sink(lane_));
        case QuantityId::unique_source:
            return yes_if(one.unique_source(lane_));
        default:
            return heads_commute();
    }
}

/// No where some entry of a commutator is certainly not 0; only exact arithmetic can say yes.
Decision FastSource::heads_commute() const {
    const auto entry = [&](const PreparedHead& a, const PreparedHead& b, int i, int j) {
        double sum = 0;
        for (int k = j; k <= i; ++k)
            sum += a.diffusion[idx(triangle_index(i, k))] * b.diffusion[idx(triangle_index(k, j))];
        return sum;
    };
    if (heads_ == 1) return Decision::yes;
    const auto of = [&](int h) -> const PreparedHead& { return *prepared_[idx(h * lanes + lane_)]; };
    constexpr double error =
        (max_small_nodes + 4) * 0x1p-53;  // relative, of a sum of products of rounded entries
    for (int g = 0; g < heads_; ++g)
        for (int h = g + 1; h < heads_; ++h)
            for (int i = 0; i < nodes_; ++i)
                for (int j = 0; j <= i; ++j) {
                    const double one = entry(of(g), of(h), i, j), other = entry(of(h), of(g), i, j);
                    if (std::abs(one - other) > 2 * error * std::max(one, other)) return Decision::no;
                }
    return Decision::undecided;
}

}  // namespace crosshead
