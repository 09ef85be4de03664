// Every quantity of the language: MeasuredSource against the naive definitions, and FastSource, in certified
// doubles, against MeasuredSource.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/proofs_check/conjecture/measured_source.hpp>
#include <crosshead/proofs_check/search/fast_source.hpp>
#include <crosshead/proofs_check/search/sampling.hpp>
#include <functional>

#include "../exact/systems.hpp"
#include "naive_quantities.hpp"

namespace crosshead {
namespace {

using testing::NaiveQuantities;
using testing::NaiveValue;

struct Question {
    const QuantityInfo* info;
    int head;
    Rational epsilon;
    Indices indices;

    std::string text() const {
        return std::string(info->name) + "[" + std::to_string(head) + "] eps " + to_string(epsilon) +
               " step " + std::to_string(indices.step) + " node " + std::to_string(indices.node) + ", " +
               std::to_string(indices.second_node);
    }
};

/// Every quantity with every head and node, and some ε and steps.
void ask_everything(int nodes, int heads, const std::vector<int>& steps,
                    const std::vector<Rational>& epsilons, const std::function<void(const Question&)>& ask) {
    for (const auto& info : quantities()) {
        bool by_epsilon = false, by_step = false;
        int by_node = 0;
        for (const auto kind : info.arguments) {
            by_epsilon = by_epsilon || kind == ArgumentKind::epsilon;
            by_step = by_step || kind == ArgumentKind::step;
            by_node += kind == ArgumentKind::node ? 1 : 0;
        }
        const int first = info.per_head == PerHead::required ? 0 : -1;
        const int end = info.per_head == PerHead::no ? 0 : heads;
        for (int head = first; head < end; ++head)
            for (const auto& epsilon : by_epsilon ? epsilons : std::vector<Rational>{1})
                for (const int step : by_step ? steps : std::vector<int>{0})
                    for (int node = 0; node < (by_node > 0 ? nodes : 1); ++node)
                        for (int second = 0; second < (by_node > 1 ? nodes : 1); ++second)
                            ask({&info, head, epsilon, {step, node, second}});
    }
}

/// "" where they agree.
std::string disagreement(const Real& found, const NaiveValue& expected) {
    if (expected.kind == NaiveValue::Kind::undefined)
        return found.undefined_because() ? "" : to_text(found) + ", not undefined";
    if (expected.kind == NaiveValue::Kind::infinite)
        return found.infinite() && found.infinite()->positive ? "" : to_text(found) + ", not infinite";
    if (found.exact() && *found.exact() == expected.value) return "";
    return to_text(found) + ", not " + to_string(expected.value);
}

std::string disagreement(MeasuredSource& measured, NaiveQuantities& naive, const Question& q) {
    if (q.info->type == Type::boolean) {
        const auto expected = naive.truth(q.info->id, q.head, q.indices.node, q.indices.second_node)
                                  ? Decision::yes
                                  : Decision::no;
        return measured.truth(q.info->id, q.head, q.indices) == expected ? "" : "the wrong truth";
    }
    return disagreement(measured.number(q.info->id, q.head, q.epsilon, q.indices),
                        naive.number(q.info->id, q.head, q.epsilon, q.indices.step, q.indices.node));
}

const std::vector<Rational> some_epsilons = {{1, 2}, {1, 4}, {1, 100}, {7, 3}};

void expect_measured_is_naive(const HeadSystem& system, const Convention& convention = {},
                              const std::vector<Rational>& epsilons = some_epsilons) {
    MeasureOptions options;
    options.convention = convention;
    MeasuredSource measured(system, options);
    NaiveQuantities naive(system, convention);
    ask_everything(system.nodes(), static_cast<int>(system.head_count()), {0, 1, 2, 3, 6}, epsilons,
                   [&](const Question& q) {
                       EXPECT_EQ(disagreement(measured, naive, q), "")
                           << q.text() << " on " << system.nodes() << " nodes";
                   });
}

TEST(MeasuredSource, EveryQuantityOfEverySystemOnTwoOrThreeNodesIsItsDefinition) {
    for (int n = 2; n <= 3; ++n) {
        const auto heads = testing::all_heads(n);
        for (std::size_t a = 0; a < heads.size(); ++a) {
            expect_measured_is_naive(HeadSystem({heads[a]}));
            for (std::size_t b = a; b < heads.size(); ++b)
                expect_measured_is_naive(HeadSystem({heads[a], heads[b]}));
        }
    }
}

TEST(MeasuredSource, MixingTimesUnderEveryConvention) {
    const auto heads = testing::all_heads(3);
    for (const auto norm : {Norm::l1, Norm::total_variation})
        for (const bool strict : {true, false})
            for (const auto start : {Start::worst, Start::mean})
                for (std::size_t a = 0; a < heads.size(); ++a)
                    expect_measured_is_naive(HeadSystem({heads[a], heads[(3 * a + 5) % 8]}),
                                             {norm, strict, start}, {{5, 11}, {1, 13}, {1, 100}});
}

TEST(MeasuredSource, AHeadOfWeightZeroHasNoEdgesInTheMixture) {
    const HeadSystem both({testing::uniform_head(3, {{0, 1}, {1, 2}}), testing::uniform_head(3, {{0, 2}})});
    const auto only = [](int first, int second) {
        return ConvexWeights::from_scores({Rational(first), Rational(second)}, "weights");
    };
    const HeadSystem system = both.with_weights(only(0, 1), only(1, 0));
    const MeasureOptions options;
    MeasuredSource source(system, options);
    EXPECT_EQ(to_text(source.number(QuantityId::longest_path, -1, Real(), {})), "1");
    EXPECT_EQ(source.truth(QuantityId::reaches_sink, -1, {}), Decision::no);  // walks take head 1: 1 is stuck
    EXPECT_EQ(source.truth(QuantityId::unique_source, -1, {}), Decision::yes);  // diffusion takes head 0
    EXPECT_EQ(to_text(source.number(QuantityId::signal, -1, Real(), {2, 0, 0})), "1/4");
    EXPECT_EQ(to_text(source.number(QuantityId::forward_probability, -1, Real(), {})), "0");
}

TEST(MeasuredSource, AWalkWithoutAWayOutOfANodeIsUndefinedAndDiffusionIsNot) {
    // Node 1 hears node 0 and nobody hears it, not even itself.
    const HeadDag dag(3, {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {2, 2, 1}});
    const HeadSystem system({dag});
    const MeasureOptions options;
    MeasuredSource source(system, options);
    for (const auto id :
         {QuantityId::forward_probability, QuantityId::mixture_forward_probability, QuantityId::mixing_time,
          QuantityId::mixing_time_tv, QuantityId::distance, QuantityId::survivors,
          QuantityId::absorption_mean, QuantityId::absorption_worst, QuantityId::absorption})
        EXPECT_NE(source.number(id, -1, Rational(1, 2), {}).undefined_because(), nullptr)
            << quantity_info(id).name;
    EXPECT_EQ(to_text(source.number(QuantityId::signal, -1, Real(), {1, 0, 0})), "1/2");
    EXPECT_EQ(to_text(source.number(QuantityId::node_fidelity, -1, Real(), {0, 1, 0})), "0");
}

TEST(MeasuredSource, WhatWasMeasuredBeforeIsUsedAndIsTheSame) {
    const HeadSystem system({testing::uniform_head(4, {{0, 1}, {1, 2}, {2, 3}}),
                             testing::uniform_head(4, {{0, 2}, {1, 2}, {1, 3}, {2, 3}})});
    const MeasureOptions options;
    const auto known = measure_system(system, options);
    MeasuredSource source(system, options, &known);
    NaiveQuantities naive(system);
    ask_everything(4, 2, {0, 1, 5}, {{1, 4}, {1, 3}},
                   [&](const Question& q) { EXPECT_EQ(disagreement(source, naive, q), "") << q.text(); });
}

RC_GTEST_PROP(MeasuredSource, EveryQuantityOfWeightedSystemsIsItsDefinition, ()) {
    const HeadSystem system = *testing::weighted_systems(4, 2);
    const MeasureOptions options;
    MeasuredSource measured(system, options);
    NaiveQuantities naive(system);
    std::string wrong;
    ask_everything(system.nodes(), static_cast<int>(system.head_count()), {0, 2, 9}, {{1, 4}, {1, 10}},
                   [&](const Question& q) {
                       if (const auto text = disagreement(measured, naive, q); !text.empty())
                           wrong += q.text() + ": " + text + "\n";
                   });
    RC_ASSERT(wrong == std::string());
}

/// Up to eight systems of the same size and head weights in the lanes of a FastSource.
class LoadedLanes {
  public:
    LoadedLanes(std::vector<IntegerSystem> systems, const Convention& convention)
        : systems_(std::move(systems)), fast_(convention) {
        const auto& first = systems_.front();
        const std::size_t heads = first.heads.size();
        memo_.reset(systems_.size() * heads);
        const auto weights = [](const std::vector<std::uint32_t>& scores) {
            return ConvexWeights::from_scores({scores.begin(), scores.end()}, "head weights").values();
        };
        fast_.configure(first.nodes, weights(first.walk_scores), weights(first.diffusion_scores));
        small_.reserve(systems_.size() * heads);
        prepared_.reserve(systems_.size() * heads);
        for (const auto& system : systems_)
            for (std::size_t h = 0; h < heads; ++h) {
                small_.push_back(system.small_head(h));
                prepared_.emplace_back(small_.back(), system.nodes);
            }
        for (std::size_t lane = 0; lane < FastSource::lanes; ++lane)
            for (std::size_t h = 0; h < heads; ++h) {
                const std::size_t k = std::min(lane, systems_.size() - 1) * heads + h;
                fast_.load(static_cast<int>(lane), static_cast<int>(h), small_[k], prepared_[k], k);
            }
        fast_.start(memo_);
    }
    FastSource& lane(std::size_t k) {
        fast_.choose(static_cast<int>(k));
        return fast_;
    }
    const std::vector<IntegerSystem>& systems() const { return systems_; }

  private:
    std::vector<IntegerSystem> systems_;
    FastSource fast_;
    HeadMemo memo_;
    std::vector<SmallHead> small_;
    std::vector<PreparedHead> prepared_;
};

bool is_a_time(QuantityId id) {
    return id == QuantityId::mixing_time || id == QuantityId::mixing_time_tv ||
           id == QuantityId::reverse_mixing_time || id == QuantityId::reverse_mixing_time_tv;
}

/// Whether the fast number holds the measured one, and tells something of it. "" where both are so.
std::string complaint(const Question& q, const FastNumber& fast, const Real& truth) {
    const std::string seen =
        "[" + std::to_string(fast.lower) + ", " + std::to_string(fast.upper) + "] for " + to_text(truth);
    if (truth.undefined_because() || fast.undefined != nullptr)
        return truth.undefined_because() && fast.undefined != nullptr ? "" : "undefined on one side: " + seen;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (truth.infinite()) {
        if (fast.upper != infinite) return seen;
        return fast.lower == infinite || is_a_time(q.info->id) ? "" : "says nothing: " + seen;
    }
    // Fractions too long to be measured exactly: both are enclosures of one number.
    if (const Interval* measured = truth.interval())
        return fast.lower <= measured->upper() && measured->lower() <= fast.upper ? "" : seen;
    if (!std::isfinite(fast.lower)) return seen;
    const Rational lower = rational_from_dyadic(fast.lower);
    if (lower > *truth.exact()) return seen;
    if (std::isfinite(fast.upper) && rational_from_dyadic(fast.upper) < *truth.exact()) return seen;
    // Bounds on a peak are wide, and a tie leaves a time open; all else is known to twelve digits.
    if (q.info->id == QuantityId::peak || is_a_time(q.info->id)) return "";
    if (*truth.exact() == 0) return fast.upper <= 1e-240 ? "" : "zero is not zero: " + seen;
    return fast.upper - fast.lower <= 1e-12 * fast.upper ? "" : "wide: " + seen;
}

/// An open time must be a tie: the distance at its lower end is ε itself.
bool is_a_tie(const Question& q, const FastNumber& fast, const HeadSystem& system,
              const Convention& convention) {
    testing::NaiveOperator one(q.head < 0 ? system : system.single_head(static_cast<std::size_t>(q.head)));
    const bool tv =
        q.info->id == QuantityId::mixing_time_tv || q.info->id == QuantityId::reverse_mixing_time_tv;
    const bool reverse =
        q.info->id == QuantityId::reverse_mixing_time || q.info->id == QuantityId::reverse_mixing_time_tv;
    const Convention used = tv ? Convention{Norm::total_variation, true, Start::worst} : convention;
    return one.distance(static_cast<std::size_t>(fast.lower), reverse, used) == q.epsilon;
}

bool has_heavy_edges(const IntegerSystem& system) {
    std::uint32_t heaviest = 0;
    for (const auto& head : system.heads)
        for (const auto weight : head) heaviest = std::max(heaviest, weight);
    return heaviest > 9;
}

/// What doubles may leave to exact arithmetic altogether: means that pass ε though some start never arrives,
/// sums over too many words, which exact arithmetic does not know either, and fidelities where a node does
/// not reach the sink or 128 steps are too few.
bool may_be_unknown(const Question& q, MeasuredSource& measured, const Convention& convention,
                    bool heavy_edges) {
    const bool all_reach = measured.truth(QuantityId::reaches_sink, q.head, {}) == Decision::yes;
    const bool one_source = measured.truth(QuantityId::unique_source, q.head, {}) == Decision::yes;
    if (is_a_time(q.info->id)) return convention.start == Start::mean && !(all_reach && one_source);
    if (q.info->id == QuantityId::word_sum) return measured.heads() > 1 && q.indices.step > 16;
    const bool fidelity = q.info->id == QuantityId::fidelity || q.info->id == QuantityId::peak ||
                          q.info->id == QuantityId::fidelity_without_sink ||
                          q.info->id == QuantityId::node_fidelity;
    return fidelity && heavy_edges;
}

/// `heads`: how many heads are asked for on their own, beside the mixture.
std::string complaints(LoadedLanes& lanes, int heads, const std::vector<int>& steps,
                       const std::vector<Rational>& epsilons, const Convention& convention = {}) {
    std::string wrong;
    MeasureOptions options;
    options.convention = convention;
    for (std::size_t k = 0; k < lanes.systems().size(); ++k) {
        const HeadSystem system = lanes.systems()[k].system();
        MeasuredSource measured(system, options);
        FastSource& fast = lanes.lane(k);
        const auto ask = [&](const Question& q) {
            std::string text;
            if (q.info->type == Type::boolean) {
                const Decision expected = measured.truth(q.info->id, q.head, q.indices),
                               found = fast.truth(q.info->id, q.head, q.indices);
                const bool open = found == Decision::undecided && q.info->id == QuantityId::heads_commute &&
                                  expected == Decision::yes;
                if (found != expected && !open) text = "the wrong truth";
            } else {
                const FastNumber found =
                    fast.number(q.info->id, q.head, FastNumber::of(q.epsilon), q.indices);
                const Real truth = measured.number(q.info->id, q.head, q.epsilon, q.indices);
                const bool unknown = std::isinf(found.lower) && std::isinf(found.upper) && !found.is_point();
                if (!unknown || !may_be_unknown(q, measured, convention, has_heavy_edges(lanes.systems()[k])))
                    text = complaint(q, found, truth);
                if (!has_heavy_edges(lanes.systems()[k]) && text.empty() && is_a_time(q.info->id) &&
                    !found.is_point() && convention.start == Start::worst &&
                    found.lower <= OperatorBatch::max_steps && !is_a_tie(q, found, system, convention))
                    text = "an open time without a tie";
            }
            if (!text.empty()) wrong += "lane " + std::to_string(k) + " " + q.text() + ": " + text + "\n";
        };
        ask_everything(system.nodes(), heads, steps, epsilons, ask);
        if (!wrong.empty()) break;
    }
    return wrong;
}

IntegerSystem uniform_system(int nodes, const std::vector<unsigned>& masks) {
    IntegerSystem system{
        nodes, {}, std::vector<std::uint32_t>(masks.size(), 1), std::vector<std::uint32_t>(masks.size(), 1)};
    for (const unsigned mask : masks) {
        std::vector<std::uint32_t> head;
        unsigned bit = 0;
        for (int i = 0; i < nodes; ++i)
            for (int j = 0; j <= i; ++j) head.push_back(i == j ? 1 : mask >> bit++ & 1);
        system.heads.push_back(head);
    }
    return system;
}

/// Every pair of heads on n nodes, the sink reached or not, in groups of eight; of equal heads each alone
/// too.
void expect_fast_holds_measured_on_pairs(int nodes, const Convention& convention) {
    const unsigned heads = 1u << (nodes * (nodes - 1) / 2);
    bool equal = true;
    std::vector<IntegerSystem> group;
    const auto flush = [&] {
        if (group.empty()) return;
        LoadedLanes lanes(std::move(group), convention);
        ASSERT_EQ(complaints(lanes, equal ? 1 : 0, {0, 1, 2, 7}, {{1, 2}, {1, 4}, {1, 100}}, convention), "");
        group.clear();
    };
    const auto add = [&](unsigned a, unsigned b) {
        group.push_back(uniform_system(nodes, {a, b}));
        if (group.size() == FastSource::lanes) flush();
    };
    for (unsigned a = 0; a < heads; ++a) add(a, a);
    flush();
    equal = false;
    for (unsigned a = 0; a < heads && !::testing::Test::HasFatalFailure(); ++a)
        for (unsigned b = a + 1; b < heads; ++b) add(a, b);
    flush();
}

TEST(FastSource, HoldsTheMeasuredValuesOfEveryPairOnTwoToFourNodes) {
    for (int n = 2; n <= 4; ++n) ASSERT_NO_FATAL_FAILURE(expect_fast_holds_measured_on_pairs(n, {}));
}

TEST(FastSource, HoldsTheMeasuredValuesUnderEveryConvention) {
    for (const auto norm : {Norm::l1, Norm::total_variation})
        for (const bool strict : {true, false})
            for (const auto start : {Start::worst, Start::mean})
                ASSERT_NO_FATAL_FAILURE(expect_fast_holds_measured_on_pairs(3, {norm, strict, start}));
}

RC_GTEST_PROP(FastSource, HoldsTheMeasuredValuesOfWeightedSystems, ()) {
    Domain domain;
    domain.nodes_from = domain.nodes_to = *rc::gen::inRange(2, 7);
    domain.heads_from = domain.heads_to = *rc::gen::inRange(1, 4);
    domain.max_edge_weight = *rc::gen::element(1, 3, 1000);
    domain.reach = *rc::gen::element(SinkReach::every, SinkReach::united, SinkReach::any);
    domain.walk_weights.grid = *rc::gen::inRange(3, 9);
    domain.diffusion_weights.grid = *rc::gen::inRange(3, 9);
    std::vector<IntegerSystem> systems(3, *systems_of(domain));
    for (auto& system : systems) {
        const auto other = *systems_of(domain);
        system.heads = other.heads;
    }
    LoadedLanes lanes(systems, {});
    RC_ASSERT(complaints(lanes, domain.heads_from, {0, 1, 5, 40}, {{1, 4}, {1, 10}}) == std::string());
}

TEST(FastSource, BeyondItsLastStepNothingIsKnown) {
    LoadedLanes lanes({uniform_system(3, {0b111, 0b101})}, {});
    auto& fast = lanes.lane(0);
    for (const auto id : {QuantityId::distance, QuantityId::survivors, QuantityId::signal,
                          QuantityId::cross_signal, QuantityId::mass}) {
        const auto last = fast.number(id, -1, {}, {OperatorBatch::max_steps, 0, 0}),
                   beyond = fast.number(id, -1, {}, {OperatorBatch::max_steps + 1, 0, 0});
        EXPECT_GT(last.lower, 0) << quantity_info(id).name;
        EXPECT_TRUE(std::isinf(beyond.lower) && std::isinf(beyond.upper)) << quantity_info(id).name;
    }
}

}  // namespace
}  // namespace crosshead
