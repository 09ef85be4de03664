// Exact propagation: words over a common denominator, against FLINT's integer matrices, the sparse integers
// of exact/, and reduced fractions.
#include <fmt/format.h>

#include <crosshead/exact/limb_propagation.hpp>
#include <crosshead/exact/transition_matrix.hpp>
#include <memory>
#include <random>

#include "suite.hpp"

#if CROSSHEAD_FLINT
#include <flint/fmpz_mat.h>
#endif

namespace crosshead::bench {
namespace {

constexpr int nodes = 100;
constexpr std::size_t steps = 100;
constexpr std::size_t reduced_steps = 20;  // all 100 take many seconds
constexpr double goal_exact = 15.6e-3;     // n = t = 100, limbs and row scaling, written by hand

struct Diffusion {
    std::vector<IntegerRow> rows;
    std::vector<Integer> denominators;
};

enum class Entries { full, half, weighted };

/// Integers over their row sums: all ones; a random half of them; weights 1..100.
Diffusion random_diffusion(Entries entries) {
    std::mt19937_64 random(1);
    Diffusion diffusion;
    for (int i = 0; i < nodes; ++i) {
        IntegerRow row;
        Integer sum = 0;
        for (int j = 0; j <= i; ++j) {
            if (entries == Entries::half && j < i && random() % 2 == 0) continue;
            row.sources.push_back(j);
            row.numerators.push_back(entries == Entries::weighted ? 1 + random() % 100 : 1);
            sum += row.numerators.back();
        }
        diffusion.rows.push_back(row);
        diffusion.denominators.push_back(sum);
    }
    return diffusion;
}

ExactRowPropagation after(const Diffusion& diffusion, std::size_t count) {
    ExactRowPropagation propagation(nodes, diffusion.rows, diffusion.denominators, DenominatorsOf::rows);
    for (std::size_t t = 0; t < count; ++t) propagation.step();
    return propagation;
}

/// x_t in lowest terms, one gcd an operation: what a naive program does.
std::vector<Rational> reduced_fractions(const Diffusion& diffusion, std::size_t count) {
    std::vector<Rational> x(nodes), next;
    x.back() = 1;
    for (std::size_t t = 0; t < count; ++t) {
        next.assign(nodes, 0);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const IntegerRow& row = diffusion.rows[i];
            for (std::size_t e = 0; e < row.sources.size(); ++e)
                next[static_cast<std::size_t>(row.sources[e])] +=
                    x[i] * Rational(Integer(row.numerators[e]), diffusion.denominators[i]);
        }
        std::swap(x, next);
    }
    return x;
}

/// The same numbers through exact/'s sparse matrix over GMP integers.
std::vector<Integer> sparse_integers(const Diffusion& diffusion, std::size_t count) {
    TransitionMatrix<Integer> matrix;
    matrix.nodes = nodes;
    matrix.row_begin = {0};
    for (const Integer& denominator : diffusion.denominators)
        matrix.step_denominator = lcm(matrix.step_denominator, denominator);
    for (std::size_t i = 0; i < diffusion.rows.size(); ++i) {
        const IntegerRow& row = diffusion.rows[i];
        matrix.column.insert(matrix.column.end(), row.sources.begin(), row.sources.end());
        matrix.entry.insert(matrix.entry.end(), row.numerators.begin(), row.numerators.end());
        matrix.row_begin.push_back(matrix.column.size());
        matrix.row_scale.push_back(matrix.step_denominator / diffusion.denominators[i]);
    }
    std::vector<Integer> start(nodes);
    start.back() = 1;
    RowPropagation<Integer> propagation(matrix, start);
    for (std::size_t t = 0; t < count; ++t) propagation.step();
    return propagation.row();
}

#if CROSSHEAD_FLINT
/// Row vector times integer matrix, all entries over one common denominator.
std::vector<Integer> flint_matrices(const Diffusion& diffusion, std::size_t count) {
    const Integer lcm = after(diffusion, 0).denominator_per_step();
    fmpz_mat_t matrix, x, next;
    fmpz_mat_init(matrix, nodes, nodes);
    fmpz_mat_init(x, 1, nodes);
    fmpz_mat_init(next, 1, nodes);
    for (int i = 0; i < nodes; ++i) {
        const IntegerRow& row = diffusion.rows[static_cast<std::size_t>(i)];
        const Integer scale = lcm / diffusion.denominators[static_cast<std::size_t>(i)];
        for (std::size_t e = 0; e < row.sources.size(); ++e) {
            const Integer entry = scale * row.numerators[e];
            fmpz_set_mpz(fmpz_mat_entry(matrix, i, row.sources[e]), entry.backend().data());
        }
    }
    fmpz_one(fmpz_mat_entry(x, 0, nodes - 1));
    for (std::size_t t = 0; t < count; ++t) {
        fmpz_mat_mul(next, x, matrix);
        fmpz_mat_swap(x, next);
    }
    std::vector<Integer> result(nodes);
    for (int j = 0; j < nodes; ++j)
        fmpz_get_mpz(result[static_cast<std::size_t>(j)].backend().data(), fmpz_mat_entry(x, 0, j));
    fmpz_mat_clear(matrix);
    fmpz_mat_clear(x);
    fmpz_mat_clear(next);
    return result;
}
#endif

bool same(const ExactRowPropagation& propagation, const std::vector<Integer>& numerators) {
    for (int j = 0; j < nodes; ++j)
        if (propagation.numerator(j) != numerators[static_cast<std::size_t>(j)]) return false;
    return true;
}

Row exact_row(const std::string& what, std::function<void()> call, std::vector<std::string> against = {}) {
    return {.group = "Exact, n = 100, t = 100, full causal unless said otherwise",
            .what = what,
            .call = std::move(call),
            .against = std::move(against),
            .least_seconds = 0.02};
}

}  // namespace

void add_exact(Suite& suite) {
    const auto full = std::make_shared<Diffusion>(random_diffusion(Entries::full));
    const auto half = std::make_shared<Diffusion>(random_diffusion(Entries::half));
    const auto weighted = std::make_shared<Diffusion>(random_diffusion(Entries::weighted));
    const auto hundred = after(*full, steps);
    suite.check("exact: sparse integers give the same numerators at t = 100",
                same(hundred, sparse_integers(*full, steps)));
    const auto reduced = reduced_fractions(*full, reduced_steps);
    const auto early = after(*full, reduced_steps);
    bool equal = true;
    for (int j = 0; j < nodes; ++j) equal = equal && early.value(j) == reduced[static_cast<std::size_t>(j)];
    suite.check(fmt::format("exact: reduced fractions have the same values at t = {}", reduced_steps), equal);

    std::vector<std::string> baselines = {"sparse GMP integers"};
    suite.add(exact_row(baselines[0], [full] { sparse_integers(*full, steps); }));
#if CROSSHEAD_FLINT
    baselines.push_back("FLINT integer matrices");
    suite.check("exact: FLINT gives the same numerators at t = 100",
                same(hundred, flint_matrices(*full, steps)));
    suite.add(exact_row(baselines[1], [full] { flint_matrices(*full, steps); }));
#else
    suite.note("FLINT was not found when this was built: no comparison with it (Debian: libflint-dev).");
#endif
    const auto words = [](std::shared_ptr<Diffusion> diffusion, std::size_t count) {
        return [diffusion, count] { after(*diffusion, count); };
    };
    Row all = exact_row("words", words(full, steps), baselines);
    all.goal = goal_exact;
    suite.add(all);
    suite.add(exact_row("words, a random half of the edges", words(half, steps)));
    const Integer lcm = after(*weighted, 0).denominator_per_step();
    suite.add(exact_row(fmt::format("words, weights 1..100 ({} bits a step)", msb(lcm) + 1),
                        words(weighted, steps)));
    const std::string fractions = fmt::format("reduced fractions, t = {}", reduced_steps);
    suite.add(exact_row(fractions, [full] { reduced_fractions(*full, reduced_steps); }));
    suite.add(
        exact_row(fmt::format("words, t = {}", reduced_steps), words(full, reduced_steps), {fractions}));
    suite.note(fmt::format(
        "Reduced fractions stop at t = {}: their cost grows with the square of t and more.", reduced_steps));
}

}  // namespace crosshead::bench
