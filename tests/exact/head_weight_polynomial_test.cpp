// Polynomials in the head weights against grouped words, direct powers and text written by hand.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <crosshead/exact/head_operators.hpp>
#include <crosshead/exact/head_weight_polynomial.hpp>
#include <crosshead/exact/homogeneous_row.hpp>
#include <crosshead/exact/mixture.hpp>
#include <crosshead/exact/signal_shares.hpp>
#include <crosshead/graphs/error.hpp>
#include <limits>
#include <stdexcept>

#include "naive_words.hpp"

namespace crosshead {
namespace {

using testing::full_size;
using testing::sparse_systems;
using testing::uniform_head;
using testing::weighted_systems;

std::vector<std::uint32_t> exponents(const Monomials& monomials, std::size_t m) {
    const auto span = monomials.exponents(m);
    return {span.begin(), span.end()};
}

/// Σ_h weight_h·M^(h), by hand.
naive::Matrix mixed(const std::vector<naive::Matrix>& heads, const std::vector<Rational>& weights) {
    naive::Matrix result = naive::zeros(heads.front().size());
    for (std::size_t h = 0; h < heads.size(); ++h)
        for (std::size_t i = 0; i < result.size(); ++i)
            for (std::size_t j = 0; j < result.size(); ++j) result[i][j] += weights[h] * heads[h][i][j];
    return result;
}

TEST(HeadWeightPolynomial, EveryPairOfSmallGraphs) {
    // Words, polynomial and direct powers, three ways; over 12^t, which clears rows and columns of 1..4.
    for (int n = 1; n <= 4; ++n) {
        const auto dags = testing::all_heads(n);
        for (std::size_t a = 0; a < dags.size(); ++a)
            for (std::size_t b = a; b < dags.size(); ++b) {
                const HeadSystem system({dags[a], dags[b]});
                for (const auto kind : {Operator::walk, Operator::diffusion}) {
                    const auto heads = naive::scaled(naive::head_matrices(system, kind), 12);
                    const auto mixture = naive::sum(heads);
                    for (std::size_t t = 1; t <= 6; ++t) {
                        SCOPED_TRACE(::testing::Message()
                                     << n << " nodes, heads " << a << " and " << b << ", " << t << " steps");
                        const auto polynomials = head_weight_polynomials(system, kind, t);
                        ASSERT_EQ(polynomials.size(), static_cast<std::size_t>(n));
                        const auto words = naive::all_words(heads, t);
                        const auto power = naive::power(mixture, t);
                        const Rational over = pow(Integer(12), static_cast<unsigned>(t));
                        for (Node j = 0; j < n; ++j) {
                            const auto& polynomial = polynomials[static_cast<std::size_t>(j)];
                            const auto groups = naive::grouped(words, 2, j);
                            ASSERT_EQ(polynomial.coefficients().size(), groups.size());
                            // At β = (1, 1): all words, each without its weight.
                            Rational direct = Rational(power.back()[static_cast<std::size_t>(j)]) / over;
                            const Rational binary = pow(Integer(2), static_cast<unsigned>(t));
                            if (kind == Operator::walk) direct = binary - direct;
                            const Rational half[] = {Rational(1, 2), Rational(1, 2)};
                            ASSERT_EQ(polynomial.at(half) * binary, direct);
                            for (std::size_t m = 0; m < groups.size(); ++m) {
                                const auto powers = exponents(polynomial.monomials(), m);
                                Rational expected = Rational(groups.at(powers)) / over;
                                if (kind == Operator::walk) {
                                    Integer repeats = 1;  // C(t, powers[0])
                                    for (std::uint32_t k = 1; k <= powers[0]; ++k)
                                        repeats = repeats * (static_cast<std::uint32_t>(t) - k + 1) / k;
                                    expected = Rational(repeats) - expected;
                                }
                                ASSERT_EQ(polynomial.coefficients()[m], expected);
                            }
                        }
                    }
                }
            }
    }
}

/// The polynomials of random systems against grouped words and against powers at random rationals, which need
/// be no convex weights; and the Bernstein bounds on the simplex.
void expect_naive(const HeadSystem& system, Operator kind, std::size_t steps) {
    const std::size_t heads = system.head_count();
    const auto matrices = naive::head_matrices(system, kind);
    const auto words = naive::all_words(matrices, steps);
    const auto polynomials = head_weight_polynomials(system, kind, steps);
    const auto weights = *full_size(rc::gen::container<std::vector<int>>(heads, rc::gen::inRange(-4, 7)));
    std::vector<Rational> anywhere, scores;
    for (std::size_t h = 0; h < heads; ++h) {
        anywhere.emplace_back(weights[h], 3);
        scores.emplace_back(std::abs(weights[h]) + (h == 0 ? 1 : 0));
    }
    const auto convex = ConvexWeights::from_scores(scores, "scores").values();
    const auto& own = kind == Operator::walk ? system.walk_weights() : system.diffusion_weights();
    for (const auto& point : {anywhere, convex, own.values()}) {
        const auto power = naive::power(mixed(matrices, point), steps);
        Rational columns = 1, whole = 0;  // (Σ_h x_h)^t, the column sums of the walk's power
        for (const auto& weight : point) whole += weight;
        for (std::size_t k = 0; k < steps; ++k) columns *= whole;
        for (std::size_t j = 0; j < polynomials.size(); ++j) {
            const Rational value = polynomials[j].at(point);
            ASSERT_EQ(value, kind == Operator::walk ? Rational(columns - power.back()[j]) : power.back()[j]);
            if (point == anywhere) continue;
            const auto bounds = polynomials[j].bernstein_bounds();
            ASSERT_LE(bounds.lower, value);
            ASSERT_GE(bounds.upper, value);
        }
    }
    const auto own_power =
        naive::power(kind == Operator::walk ? naive::walk(system) : naive::diffusion(system), steps);
    for (Node j = 0; j < system.nodes(); ++j) {
        const auto& polynomial = polynomials[static_cast<std::size_t>(j)];
        const Rational& arrived = own_power.back()[static_cast<std::size_t>(j)];
        ASSERT_EQ(polynomial.at(own.values()), kind == Operator::walk ? Rational(1 - arrived) : arrived);
        if (kind == Operator::walk) continue;
        const auto groups = naive::grouped(words, heads, j);
        ASSERT_EQ(groups.size(), polynomial.coefficients().size());
        for (std::size_t m = 0; m < groups.size(); ++m)
            ASSERT_EQ(polynomial.coefficients()[m], groups.at(exponents(polynomial.monomials(), m)));
        // Bernstein coefficients are means over the words of one group, so the bounds are the extreme means.
        std::map<std::vector<std::uint32_t>, Integer> sizes;
        for (const auto& word : words) {
            std::vector<std::uint32_t> counts;
            for (std::size_t h = 0; h < heads; ++h)
                counts.push_back(static_cast<std::uint32_t>(naive::uses(word.word, h)));
            ++sizes[counts];
        }
        Rational least = 2, largest = -1;
        for (const auto& [counts, sum] : groups) {
            least = std::min(least, Rational(sum / Rational(sizes.at(counts))));
            largest = std::max(largest, Rational(sum / Rational(sizes.at(counts))));
        }
        ASSERT_EQ(polynomial.bernstein_bounds().lower, least);
        ASSERT_EQ(polynomial.bernstein_bounds().upper, largest);
    }
}

RC_GTEST_PROP(HeadWeightPolynomial, RandomWeightedSystems, ()) {
    const HeadSystem system = *full_size(weighted_systems(5, 4));
    const auto steps = *full_size(rc::gen::inRange<std::size_t>(0, system.head_count() > 2 ? 5 : 7));
    expect_naive(system, *rc::gen::element(Operator::walk, Operator::diffusion), steps);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
}

RC_GTEST_PROP(HeadWeightPolynomial, RandomSparseSystems, ()) {
    const HeadSystem system = *full_size(sparse_systems(5, 4));
    const auto steps = *full_size(rc::gen::inRange<std::size_t>(0, system.head_count() > 2 ? 5 : 7));
    expect_naive(system, *rc::gen::element(Operator::walk, Operator::diffusion), steps);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
}

TEST(HeadWeightPolynomial, TwoStepExample) {
    // u→v in head 1, v→τ in head 2.
    const HeadSystem system({uniform_head(3, {{0, 1}}), uniform_head(3, {{1, 2}})});
    const auto diffusion = head_weight_polynomials(system, Operator::diffusion, 2);
    EXPECT_EQ(diffusion[0].text(), "β₁β₂/4");
    EXPECT_EQ(diffusion[0].latex(), "\\frac{1}{4}\\beta_{1}\\beta_{2}");
    EXPECT_EQ(diffusion[0].text("α"), "α₁α₂/4");
    EXPECT_EQ(diffusion[0].latex("\\alpha"), "\\frac{1}{4}\\alpha_{1}\\alpha_{2}");
    EXPECT_EQ(diffusion[2].text(), "β₁² + β₁β₂ + β₂²/4");
    // Walk from v: it stays in head 1, and half stays in head 2; the sink survives nowhere.
    const auto walk = head_weight_polynomials(system, Operator::walk, 1);
    EXPECT_EQ(walk[1].text(), "β₁ + β₂/2");
    EXPECT_EQ(walk[2].text(), "0");
    EXPECT_EQ(diffusion[0].degree(), 2u);
    EXPECT_EQ(diffusion[0].heads(), 2u);
}

TEST(HeadWeightPolynomial, DegreeZeroIsTheStart) {
    const HeadSystem system({uniform_head(2, {{0, 1}}), uniform_head(2, {})});
    const auto diffusion = head_weight_polynomials(system, Operator::diffusion, 0);
    EXPECT_EQ(diffusion[0].text(), "0");
    EXPECT_EQ(diffusion[1].text(), "1");
    const auto walk = head_weight_polynomials(system, Operator::walk, 0);
    EXPECT_EQ(walk[0].text(), "1");
    EXPECT_EQ(walk[1].text(), "0");
}

TEST(HeadWeightPolynomial, UndefinedWalksAreRefused) {
    const HeadDag no_way_out(3, {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {2, 2, 1}});
    const HeadSystem system({no_way_out, uniform_head(3, {{0, 1}, {1, 2}})});
    EXPECT_THROW(head_weight_polynomials(system, Operator::walk, 2), UndefinedQuantity);
    EXPECT_EQ(head_weight_polynomials(system, Operator::diffusion, 1)[1].text(), "β₂/2");
}

TEST(HeadWeightPolynomial, TooManyMonomialsAreRefused) {
    const HeadSystem system({uniform_head(2, {{0, 1}}), uniform_head(2, {})});
    EXPECT_NO_THROW(head_weight_polynomials(system, Operator::diffusion, 4, 5));
    EXPECT_THROW(head_weight_polynomials(system, Operator::diffusion, 5, 5), InputError);
}

HeadWeightPolynomial polynomial(std::size_t heads, std::size_t degree, std::vector<Rational> coefficients) {
    return HeadWeightPolynomial(heads, degree, std::move(coefficients));
}

TEST(HeadWeightPolynomial, Text) {
    const auto both = [](const HeadWeightPolynomial& p) { return p.text() + " | " + p.latex(); };
    EXPECT_EQ(both(polynomial(2, 0, {0})), "0 | 0");
    EXPECT_EQ(both(polynomial(2, 0, {1})), "1 | 1");
    EXPECT_EQ(both(polynomial(2, 0, {-1})), "-1 | -1");
    EXPECT_EQ(both(polynomial(2, 0, {Rational(3, 4)})), "3/4 | \\frac{3}{4}");
    EXPECT_EQ(both(polynomial(2, 0, {Rational(-1, 4)})), "-1/4 | -\\frac{1}{4}");
    EXPECT_EQ(both(polynomial(2, 1, {0, 0})), "0 | 0");
    EXPECT_EQ(both(polynomial(2, 1, {1, 1})), "β₁ + β₂ | \\beta_{1} + \\beta_{2}");
    EXPECT_EQ(both(polynomial(2, 1, {-1, -1})), "-β₁ - β₂ | -\\beta_{1} - \\beta_{2}");
    EXPECT_EQ(both(polynomial(2, 1, {0, 12})), "12β₂ | 12\\beta_{2}");
    EXPECT_EQ(both(polynomial(2, 1, {Rational(5, 2), Rational(-7, 3)})),
              "5β₁/2 - 7β₂/3 | \\frac{5}{2}\\beta_{1} - \\frac{7}{3}\\beta_{2}");
    EXPECT_EQ(both(polynomial(2, 2, {Rational(3, 8), Rational(1, 4), -2})),
              "3β₁²/8 + β₁β₂/4 - 2β₂² | "
              "\\frac{3}{8}\\beta_{1}^{2} + \\frac{1}{4}\\beta_{1}\\beta_{2} - 2\\beta_{2}^{2}");
    EXPECT_EQ(both(polynomial(1, 10, {1})), "β₁¹⁰ | \\beta_{1}^{10}");
    EXPECT_EQ(both(polynomial(1, 203, {2})), "2β₁²⁰³ | 2\\beta_{1}^{203}");
    EXPECT_EQ(polynomial(1, 4567, {1}).text(), "β₁⁴⁵⁶⁷");
    EXPECT_EQ(polynomial(1, 89, {1}).text(), "β₁⁸⁹");
    std::vector<Rational> last(12, 0);
    last[9] = 1, last[11] = Rational(1, 2);
    EXPECT_EQ(both(polynomial(12, 1, last)), "β₁₀ + β₁₂/2 | \\beta_{10} + \\frac{1}{2}\\beta_{12}");
    EXPECT_EQ(polynomial(2, 1, {1, -1}).text("x"), "x₁ - x₂");
}

TEST(HeadWeightPolynomial, WrongSizesAreRefused) {
    EXPECT_THROW(polynomial(2, 2, {1, 2}), std::invalid_argument);
    EXPECT_THROW(polynomial(2, 1, {1, 2, 3}), std::invalid_argument);
    const std::vector<Rational> three{1, 2, 3};
    EXPECT_THROW(polynomial(2, 1, {1, 2}).at(three), std::invalid_argument);
    EXPECT_EQ(polynomial(3, 1, {1, 2, 3}).at(three), 14);
    EXPECT_EQ(polynomial(2, 0, {5}).at(std::vector<Rational>{0, 0}), 5);
}

TEST(HeadWeightPolynomial, BernsteinBoundsDivideByMultinomials) {
    // β₁² + 2β₁β₂ + β₂² = 1 on the simplex.
    const auto square = polynomial(2, 2, {1, 2, 1}).bernstein_bounds();
    EXPECT_EQ(square.lower, 1);
    EXPECT_EQ(square.upper, 1);
    const auto signs = polynomial(2, 2, {0, -3, 1}).bernstein_bounds();
    EXPECT_EQ(signs.lower, Rational(-3, 2));
    EXPECT_EQ(signs.upper, 1);
    std::vector<Rational> one_term(15, 0);  // x²yz of degree 4 in three variables: 12 orders
    const Monomials quartic(3, 4);
    one_term[quartic.number_of(std::vector<std::uint32_t>{2, 1, 1})] = 6;
    EXPECT_EQ(polynomial(3, 4, one_term).bernstein_bounds().upper, Rational(1, 2));
    EXPECT_EQ(polynomial(3, 4, one_term).bernstein_bounds().lower, 0);
}

TEST(Monomials, OrderNumbersAndCount) {
    for (std::size_t variables = 1; variables <= 5; ++variables)
        for (std::size_t degree = 0; degree <= 6; ++degree) {
            SCOPED_TRACE(::testing::Message() << variables << " variables, degree " << degree);
            // Every tuple of digits 0..degree, from the largest down, that sums to the degree.
            std::vector<std::vector<std::uint32_t>> expected;
            std::size_t tuples = 1;
            for (std::size_t v = 0; v < variables; ++v) tuples *= degree + 1;
            for (std::size_t number = tuples; number-- > 0;) {
                std::vector<std::uint32_t> digits(variables);
                std::size_t left = number, sum = 0;
                for (std::size_t v = variables; v-- > 0; left /= degree + 1) {
                    digits[v] = static_cast<std::uint32_t>(left % (degree + 1));
                    sum += digits[v];
                }
                if (sum == degree) expected.push_back(std::move(digits));
            }
            const Monomials monomials(variables, degree), next(variables, degree + 1);
            ASSERT_EQ(monomials.variables(), variables);
            ASSERT_EQ(monomials.degree(), degree);
            ASSERT_EQ(monomials.size(), expected.size());
            ASSERT_EQ(Monomials::count(variables, degree), expected.size());
            for (std::size_t m = 0; m < expected.size(); ++m) {
                ASSERT_EQ(exponents(monomials, m), expected[m]);
                ASSERT_EQ(monomials.number_of(expected[m]), m);
            }
            for (std::size_t v = 0; v < variables; ++v) {
                const auto raised = monomials.raised(v);
                ASSERT_EQ(raised.size(), expected.size());
                for (std::size_t m = 0; m < raised.size(); ++m) {
                    auto product = expected[m];
                    ++product[v];
                    ASSERT_LT(raised[m], next.size());
                    ASSERT_EQ(exponents(next, raised[m]), product);
                }
            }
        }
}

TEST(Monomials, Limits) {
    EXPECT_EQ(Monomials::count(1, 1'000'000), 1u);
    EXPECT_EQ(Monomials::count(2, 1'000'000), 1'000'001u);
    EXPECT_EQ(Monomials::count(8, 8), 6435u);
    EXPECT_EQ(Monomials::count(200, 1000), std::numeric_limits<std::size_t>::max());
    EXPECT_EQ(Monomials(1, 7).size(), 1u);
    EXPECT_EQ(exponents(Monomials(1, 7), 0), (std::vector<std::uint32_t>{7}));
    EXPECT_THROW(Monomials(200, 1000), std::length_error);
    EXPECT_THROW(Monomials(2, Monomials::most), std::length_error);
}

TEST(HomogeneousRow, EveryNodeAndStartOfARowVector) {
    // x_t for a start that is no unit vector, at β = (1, 1), against the naive row times matrix.
    const HeadSystem system({uniform_head(3, {{0, 1}, {0, 2}}), uniform_head(3, {{0, 1}, {1, 2}})});
    const auto operators = head_operators(system, Operator::walk, HeadWeights::left_out);
    const auto sum = naive::sum(naive::head_matrices(system, Operator::walk));
    std::vector<Rational> expected{2, -1, Rational(1, 3)};
    HomogeneousRow<Rational> row(operators.heads, expected);
    for (std::size_t t = 0; t <= 5; ++t) {
        ASSERT_EQ(row.steps(), t);
        ASSERT_EQ(row.monomials().size(), t + 1);
        for (Node j = 0; j < 3; ++j) {
            Rational value = 0;
            for (const auto& coefficient : row.coefficients(j)) value += coefficient;
            ASSERT_EQ(value, expected[static_cast<std::size_t>(j)]);
        }
        row.step();
        std::vector<Rational> next(3, Rational(0));
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) next[j] += expected[i] * sum[i][j];
        expected = next;
    }
}

}  // namespace
}  // namespace crosshead
