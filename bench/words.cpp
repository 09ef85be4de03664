// bench/words: what taking a signal apart costs.
//     words [--json] [--benchmark_filter=REGEX] [--benchmark_repetitions=N]
//
// Baselines, in the same run: every word as a product of its own; polynomials over rationals; the
// distribution by switches in certified enclosures. Goals: ten million words a second on small graphs; a
// polynomial of four weights, degree 20, on 20 nodes within a second; the distribution by switches of 16
// heads on 100 nodes after 100 steps within a second.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <crosshead/exact/head_weight_polynomial.hpp>
#include <crosshead/exact/homogeneous_row.hpp>
#include <crosshead/exact/signal_shares.hpp>
#include <crosshead/exact/words.hpp>
#include <crosshead/graphs/families.hpp>
#include <crosshead/numeric/enclosure_operators.hpp>
#include <crosshead/numeric/enclosure_shares.hpp>
#include <limits>

#include "suite.hpp"

namespace crosshead::bench {
namespace {

HeadSystem random_heads(int nodes, int heads) {
    FamilySpec spec;
    spec.family = Family::random_weighted;
    spec.nodes = nodes;
    spec.heads = heads;
    spec.probability = 1;
    spec.seed = 7;
    return generate_system(spec);
}

/// Four nodes, two heads: the paper's second example.
HeadSystem small_system() {
    const auto head = [](std::vector<WeightedEdge> edges) {
        for (Node j = 0; j < 4; ++j) edges.push_back({j, j, 1});
        return HeadDag(4, std::move(edges));
    };
    return HeadSystem(
        {head({{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}), head({{0, 2, 1}, {1, 2, 1}, {1, 3, 1}, {2, 3, 1}})});
}

template <class Scalar>
std::uint64_t sum_enumerated(const HeadOperators<Scalar>& operators, Node source, std::size_t steps,
                             Scalar& sum) {
    std::uint64_t words = 0;
    for_each_word(operators, source, steps, std::numeric_limits<std::uint64_t>::max(),
                  [&](const Word&, const Scalar& share) {
                      sum += share;
                      ++words;
                  });
    return words;
}

/// Every word from its first letter on, as the definition has it.
template <class Scalar>
Scalar sum_one_by_one(const HeadOperators<Scalar>& operators, Node source, std::size_t steps) {
    const std::vector<char> everywhere(static_cast<std::size_t>(operators.nodes()), 1);
    Scalar sum(0);
    Word word(steps, 0);
    auto column = unit_vector<Scalar>(operators.nodes(), source), next = column;
    while (true) {
        column = unit_vector<Scalar>(operators.nodes(), source);
        for (const auto h : word) {
            apply_letter(operators.heads[h], column, everywhere, next);
            std::swap(column, next);
        }
        sum += column.back();
        std::size_t k = steps;
        while (k > 0 && word[k - 1] + 1u == operators.head_count()) word[--k] = 0;
        if (k == 0) return sum;
        ++word[k - 1];
    }
}

void add_words(Suite& suite) {
    constexpr std::size_t steps = 16;
    constexpr Node source = 1;
    static const auto exact =
        over_common_denominator(head_operators(small_system(), Operator::diffusion, HeadWeights::applied));
    static const auto words64 = converted<std::uint64_t>(
        exact, [](const Integer& entry) { return entry.convert_to<std::uint64_t>(); });
    std::uint64_t sum = 0;
    const auto words = sum_enumerated(words64, source, steps, sum);
    suite.check(fmt::format("{} words of {} letters sum to the power", words, steps),
                sum == total_share(words64, source, steps) && sum == sum_one_by_one(words64, source, steps));
    const std::string group = fmt::format("words of {} letters, 2 heads, 4 nodes (one word)", steps);
    Row alone{group, "one word at a time",
              [] { benchmark::DoNotOptimize(sum_one_by_one(words64, source, steps)); }};
    Row integers{group, "shared prefixes, GMP integers", [] {
                     Integer total = 0;
                     benchmark::DoNotOptimize(sum_enumerated(exact, source, steps, total));
                 }};
    Row machine{group, "shared prefixes, machine words", [] {
                    std::uint64_t total = 0;
                    benchmark::DoNotOptimize(sum_enumerated(words64, source, steps, total));
                }};
    for (Row* row : {&alone, &integers, &machine}) {
        row->parts = static_cast<double>(words);
        row->goal = 1e-7;
        if (row != &alone) row->against = {"one word at a time"};
        suite.add(*row);
    }
}

template <class Scalar>
void build_row(const HeadOperators<Scalar>& operators, std::size_t steps) {
    HomogeneousRow<Scalar> row(operators.heads,
                               unit_vector<Scalar>(operators.nodes(), operators.nodes() - 1));
    for (std::size_t t = 0; t < steps; ++t) row.step();
    benchmark::DoNotOptimize(row.coefficients(0).data());
}

void add_polynomials(Suite& suite) {
    static const HeadSystem system = random_heads(20, 4);
    static const auto rationals = head_operators(system, Operator::diffusion, HeadWeights::left_out);
    static const auto integers = over_common_denominator(rationals);
    const std::string group = "polynomials of all nodes, 4 heads, 20 nodes";
    Row naive{group, "degree 8, over rationals", [] { build_row(rationals, 8); }};
    Row small{group, "degree 8, over integers", [] { build_row(integers, 8); }};
    small.against = {naive.what};
    Row full{group, "degree 20, over integers", [] { build_row(integers, 20); }};
    full.goal = 1;
    for (const Row& row : {naive, small, full}) suite.add(row);
}

void add_switches(Suite& suite) {
    static const auto enclosures =
        enclosure_operators(random_heads(100, 16), Operator::diffusion, HeadWeights::applied);
    static const auto doubles =
        converted<double>(enclosures, [](const Enclosure& entry) { return entry.middle(); });
    constexpr std::size_t steps = 100;
    const std::string group = "signal by head switches, 16 heads, 100 nodes, 100 steps";
    Row naive{group, "enclosures", [] { benchmark::DoNotOptimize(by_switches(enclosures, 50, steps)); }};
    Row ours{group, "double, bound derived beforehand",
             [] { benchmark::DoNotOptimize(by_switches(doubles, 50, steps)); }};
    ours.against = {naive.what};
    for (Row* row : {&naive, &ours}) {
        row->goal = 1;
        suite.add(*row);
    }
}

}  // namespace
}  // namespace crosshead::bench

int main(int argc, char** argv) {
    using namespace crosshead::bench;
    Suite suite;
    add_words(suite);
    add_polynomials(suite);
    add_switches(suite);
    return suite.run(argc, argv);
}
