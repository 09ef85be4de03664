#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/exact/limb_propagation.hpp>
#include <crosshead/graphs/error.hpp>
#include <random>
#include <stdexcept>

namespace crosshead {
namespace {

/// A matrix over row or column denominators, as the class takes it.
struct Numbers {
    std::vector<IntegerRow> rows;
    std::vector<Integer> denominators;
    int nodes() const { return static_cast<int>(rows.size()); }
};

/// What the entries look like; each leads to other ways of summing.
enum class Entries { causal_ones, random_ones, small, long_words };

Numbers random_numbers(int nodes, Entries entries, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Numbers numbers;
    for (int i = 0; i < nodes; ++i) {
        IntegerRow row;
        for (int j = 0; j <= i; ++j) {
            if (entries != Entries::causal_ones && random() % 3 == 0 && j < i) continue;
            row.sources.push_back(j);
            row.numerators.push_back(entries == Entries::small        ? 1 + random() % 1000
                                     : entries == Entries::long_words ? random() | 1
                                                                      : 1);
        }
        numbers.rows.push_back(row);
        Integer denominator = 1 + random() % 60;
        if (entries == Entries::long_words) denominator = denominator * random() + (Integer(1) << 90);
        numbers.denominators.push_back(denominator);
    }
    return numbers;
}

using ExactVector = std::vector<Rational>;

ExactVector naive_step(const Numbers& numbers, DenominatorsOf of, const ExactVector& x) {
    ExactVector out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t e = 0; e < numbers.rows[i].sources.size(); ++e) {
            const auto j = static_cast<std::size_t>(numbers.rows[i].sources[e]);
            const Integer& denominator = numbers.denominators[of == DenominatorsOf::rows ? i : j];
            out[j] += x[i] * Rational(Integer(numbers.rows[i].numerators[e]), denominator);
        }
    return out;
}

bool equals(const ExactRowPropagation& propagation, const ExactVector& x) {
    for (int j = 0; j < propagation.nodes(); ++j)
        if (propagation.value(j) != x[static_cast<std::size_t>(j)]) return false;
    return true;
}

void expect_exact(const Numbers& numbers, DenominatorsOf of, LimbPath path, ExactVector x, int steps,
                  ExactRowPropagation& propagation) {
    ASSERT_TRUE(equals(propagation, x));
    for (int t = 1; t <= steps; ++t) {
        x = naive_step(numbers, of, x);
        propagation.step();
        ASSERT_TRUE(equals(propagation, x)) << "n = " << numbers.nodes() << ", t = " << t << ", "
                                            << (path == LimbPath::portable ? "portable" : "automatic");
        ASSERT_EQ(propagation.steps(), static_cast<std::size_t>(t));
    }
}

constexpr Entries all_entries[] = {Entries::causal_ones, Entries::random_ones, Entries::small,
                                   Entries::long_words};

TEST(ExactRowPropagation, EqualsRationalArithmetic) {
    for (const int nodes : {1, 2, 3, 7, 8, 9, 30})
        for (const Entries entries : all_entries)
            for (const auto of : {DenominatorsOf::rows, DenominatorsOf::columns})
                for (const auto path : {LimbPath::automatic, LimbPath::portable}) {
                    const Numbers numbers = random_numbers(nodes, entries, 7);
                    ExactRowPropagation propagation(nodes, numbers.rows, numbers.denominators, of, path);
                    ExactVector x(static_cast<std::size_t>(nodes));
                    x.back() = 1;  // e_τ is the start
                    expect_exact(numbers, of, path, x, 12, propagation);
                }
}

RC_GTEST_PROP(ExactRowPropagation, EqualsRationalArithmeticFromAnyStart, ()) {
    const int nodes = *rc::gen::inRange(1, 14);
    const auto entries =
        *rc::gen::elementOf(std::vector<Entries>(std::begin(all_entries), std::end(all_entries)));
    const auto of = *rc::gen::element(DenominatorsOf::rows, DenominatorsOf::columns);
    const auto path = *rc::gen::element(LimbPath::automatic, LimbPath::portable);
    const Numbers numbers = random_numbers(nodes, entries, *rc::gen::arbitrary<std::uint64_t>());
    std::vector<Integer> start;
    const int shift = *rc::gen::inRange(0, 200);
    for (int k = 0; k < nodes; ++k) start.push_back(Integer(*rc::gen::inRange(0, 100)) << shift);
    const Integer denominator = Integer(*rc::gen::inRange(1, 100));
    ExactRowPropagation propagation(nodes, numbers.rows, numbers.denominators, of, path);
    propagation.step();  // what an earlier run left must not matter
    propagation.start(start, denominator);
    ExactVector x;
    for (const Integer& numerator : start) x.emplace_back(numerator, denominator);
    expect_exact(numbers, of, path, x, 5, propagation);
    RC_ASSERT(!::testing::Test::HasFailure());
}

TEST(ExactRowPropagation, KeepsItsMassOverAHundredSteps) {
    // Full causal graph, n = 100: rows of Δ and columns of W sum to 1.
    const int nodes = 100;
    Numbers numbers = random_numbers(nodes, Entries::causal_ones, 1);
    for (int k = 0; k < nodes; ++k) numbers.denominators[static_cast<std::size_t>(k)] = k + 1;
    ExactRowPropagation diffusion(nodes, numbers.rows, numbers.denominators, DenominatorsOf::rows);
    for (int k = 0; k < nodes; ++k) numbers.denominators[static_cast<std::size_t>(k)] = nodes - k;
    ExactRowPropagation walk(nodes, numbers.rows, numbers.denominators, DenominatorsOf::columns);
    walk.start(std::vector<Integer>(nodes, 1), 1);
    for (int t = 0; t < 100; ++t) {
        diffusion.step();
        walk.step();
    }
    Integer mass = 0;
    for (int k = 0; k < nodes; ++k) mass += diffusion.numerator(k);
    EXPECT_EQ(mass, diffusion.denominator());
    for (int k = 0; k < nodes; ++k) EXPECT_EQ(walk.numerator(k), walk.denominator());
    // (Δ^t)[τ][τ] = n^-t.
    EXPECT_EQ(diffusion.value(nodes - 1), Rational(1, pow(Integer(100), 100)));
}

TEST(ExactRowPropagation, PathsGiveTheSameWords) {
    for (const int nodes : {63, 64, 65, 100})
        for (const Entries entries : {Entries::random_ones, Entries::small}) {
            const Numbers numbers = random_numbers(nodes, entries, 11);
            ExactRowPropagation fast(nodes, numbers.rows, numbers.denominators, DenominatorsOf::rows);
            ExactRowPropagation portable(nodes, numbers.rows, numbers.denominators, DenominatorsOf::rows,
                                         LimbPath::portable);
            for (int t = 0; t < 20; ++t) {
                fast.step();
                portable.step();
            }
            EXPECT_EQ(fast.denominator(), portable.denominator());
            for (int k = 0; k < nodes; ++k)
                ASSERT_TRUE(std::equal(fast.words(k).begin(), fast.words(k).end(), portable.words(k).begin(),
                                       portable.words(k).end()));
        }
}

TEST(ExactRowPropagation, NumbersMayVanishAndGrowAgain) {
    // Node 1 has no in-edges and the start has nothing at node 0: all mass leaves in one step.
    const std::vector<IntegerRow> rows = {{{0}, {1}}, {{}, {}}};
    ExactRowPropagation propagation(2, rows, std::vector<Integer>{1, 1}, DenominatorsOf::rows);
    propagation.start(std::vector<Integer>{0, Integer(1) << 300}, 1);
    propagation.step();
    EXPECT_TRUE(propagation.words(0).empty());
    EXPECT_TRUE(propagation.words(1).empty());
    propagation.start(std::vector<Integer>{5, 0}, 7);
    propagation.step();
    EXPECT_EQ(propagation.value(0), Rational(5, 7));
}

std::string refusal(int nodes, const std::vector<IntegerRow>& rows,
                    const std::vector<Integer>& denominators) {
    try {
        ExactRowPropagation(nodes, rows, denominators, DenominatorsOf::rows);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(ExactRowPropagation, RefusesWhatIsNotATriangleOfPositiveEntries) {
    const IntegerRow first = {{0}, {1}};
    const auto says = [](const std::string& message, const char* text) {
        return message.find(text) != std::string::npos;
    };
    EXPECT_EQ(refusal(2, {first, {{0, 1}, {1, 1}}}, {1, 2}), "accepted");
    EXPECT_TRUE(says(refusal(0, {}, {}), "0 nodes"));
    EXPECT_TRUE(says(refusal(2, {first}, {1, 2}), "1 rows"));
    EXPECT_TRUE(says(refusal(2, {{{1}, {1}}, first}, {1, 2}), "row 0 has source 1"));
    EXPECT_TRUE(says(refusal(2, {first, {{-1}, {1}}}, {1, 2}), "row 1 has source -1"));
    EXPECT_TRUE(says(refusal(2, {first, {{0, 0}, {1, 1}}}, {1, 2}), "row 1 names source 0 twice"));
    EXPECT_TRUE(says(refusal(2, {first, {{0}, {0}}}, {1, 2}), "row 1 has a numerator 0"));
    EXPECT_TRUE(says(refusal(2, {first, {{0, 1}, {1}}}, {1, 2}), "2 sources and 1 numerators"));
    EXPECT_TRUE(says(refusal(2, {first, first}, {1, 0}), "denominator 0 of node 1"));
    ExactRowPropagation one(1, std::vector<IntegerRow>{first}, std::vector<Integer>{1}, DenominatorsOf::rows);
    EXPECT_THROW(one.start_at(1), std::invalid_argument);
    EXPECT_THROW(one.start(std::vector<Integer>{-1}, 1), std::invalid_argument);
    EXPECT_THROW(one.start(std::vector<Integer>{1}, 0), std::invalid_argument);
    EXPECT_THROW(one.start(std::vector<Integer>{1, 1}, 1), std::invalid_argument);
}

TEST(LimbSums, LargestCoefficientsDoNotOverflow) {
    // Words of ones under coefficients that sum to the largest sum allowed, twice: as one and as many terms.
    const std::vector<mp_limb_t> ones(3 * limbs::chunk_words, ~mp_limb_t{0});
    const std::uint64_t limit = limbs::coefficient_limit - 1;
    const std::vector<limbs::Term> terms = {{0, limit - 70'000}, {1, 69'999}, {2, 1}};
    for (const auto sum_halves : {limbs::sum_halves_portable, limbs::best_sum_halves()}) {
        std::uint64_t low[limbs::chunk_words], high[limbs::chunk_words];
        sum_halves(ones.data(), limbs::chunk_words, terms.data(), terms.size(), false, low, high);
        mp_limb_t joined[limbs::chunk_words], expected[limbs::chunk_words];
        const std::uint64_t carry = limbs::join_halves(low, high, 0, joined);
        const mp_limb_t expected_carry = mpn_mul_1(expected, ones.data(), limbs::chunk_words, limit);
        EXPECT_EQ(carry, expected_carry);
        EXPECT_TRUE(std::equal(joined, joined + limbs::chunk_words, expected));
    }
}

}  // namespace
}  // namespace crosshead
