// bench/search: what judging small systems costs. All unordered pairs of distinct heads on five nodes in
// which every head reaches the sink: minimax fidelity and T_mix(1/4) of each mixture.
//     search [--json] [--benchmark_filter=REGEX] [--benchmark_repetitions=N]
//
// Baseline (what a careful exact program does): 128-bit integers over a common denominator, fidelity over
// t ≤ 20 (as far as 128 bits reach: 18 steps or more) and T_mix, 3.2 million pairs a second on one core of a
// machine like CI's.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <crosshead/proofs_check/conjecture/parser.hpp>
#include <crosshead/proofs_check/search/search.hpp>
#include <numeric>

#include "suite.hpp"

namespace crosshead::bench {
namespace {

constexpr int nodes = 5;
constexpr double pairs = 49'455;
constexpr double goal_pair = 1 / 3.2e6;  // seconds
__extension__ using Wide = unsigned __int128;

struct Answer {
    double fidelity = 0;  // minimax, over t ≤ 20
    std::array<double, nodes> node_fidelity{};
    int mixing_time = 0;
};

/// Entries of the mixture times their least common denominator.
struct IntegerMixture {
    std::array<std::uint64_t, 15> walk{}, diffusion{};
    std::uint64_t walk_denominator = 1, diffusion_denominator = 1;

    IntegerMixture(const SmallHead& a, const SmallHead& b) {
        std::array<std::array<std::uint64_t, nodes>, 2> column{}, row{};
        const SmallHead* heads[] = {&a, &b};
        for (std::size_t h = 0; h < 2; ++h)
            for (int i = 0; i < nodes; ++i)
                for (int j = 0; j <= i; ++j) {
                    column[h][static_cast<std::size_t>(j)] += heads[h]->at(i, j);
                    row[h][static_cast<std::size_t>(i)] += heads[h]->at(i, j);
                }
        for (std::size_t h = 0; h < 2; ++h)
            for (std::size_t j = 0; j < nodes; ++j) {
                walk_denominator = std::lcm(walk_denominator, 2 * column[h][j]);
                diffusion_denominator = std::lcm(diffusion_denominator, 2 * row[h][j]);
            }
        for (std::size_t h = 0; h < 2; ++h)
            for (int i = 0; i < nodes; ++i)
                for (int j = 0; j <= i; ++j) {
                    if (heads[h]->at(i, j) == 0) continue;
                    const auto e = static_cast<std::size_t>(triangle_index(i, j));
                    walk[e] += walk_denominator / (2 * column[h][static_cast<std::size_t>(j)]);
                    diffusion[e] += diffusion_denominator / (2 * row[h][static_cast<std::size_t>(i)]);
                }
    }
};

/// Steps until base^t leaves `bits` bits.
int steps_within(std::uint64_t base, int bits, int most) {
    Wide power = 1;
    int t = 0;
    while (t < most && power < (Wide(1) << bits) / base) {
        power *= base;
        ++t;
    }
    return t;
}

Answer in_integers(const SmallHead& a, const SmallHead& b) {
    const IntegerMixture mixture(a, b);
    std::array<Wide, nodes> x{}, next{}, best{};
    x[nodes - 1] = 1;
    Wide scale = 1;
    const int horizon = steps_within(mixture.diffusion_denominator, 126, 20);
    for (int t = 1; t <= horizon; ++t) {
        for (int j = 0; j < nodes; ++j) {
            Wide sum = 0;
            for (int i = j; i < nodes; ++i)
                sum += x[static_cast<std::size_t>(i)] *
                       mixture.diffusion[static_cast<std::size_t>(triangle_index(i, j))];
            next[static_cast<std::size_t>(j)] = sum;
        }
        x = next;
        scale *= mixture.diffusion_denominator;
        for (std::size_t j = 0; j < nodes; ++j)
            best[j] = std::max(best[j] * mixture.diffusion_denominator, x[j]);
    }
    Answer answer;
    for (std::size_t j = 0; j < nodes; ++j)
        answer.node_fidelity[j] = static_cast<double>(best[j]) / static_cast<double>(scale);
    answer.fidelity = *std::min_element(answer.node_fidelity.begin(), answer.node_fidelity.end());
    std::array<Wide, nodes> s{};
    s.fill(1);
    s[nodes - 1] = 0;
    Wide power = 1;
    while (8 * *std::max_element(s.begin(), s.end()) >= power) {  // 2 max s / power >= 1/4
        for (int j = 0; j + 1 < nodes; ++j) {
            Wide sum = 0;
            for (int i = j; i + 1 < nodes; ++i)
                sum += s[static_cast<std::size_t>(i)] *
                       mixture.walk[static_cast<std::size_t>(triangle_index(i, j))];
            next[static_cast<std::size_t>(j)] = sum;
        }
        next[nodes - 1] = 0;
        s = next;
        power *= mixture.walk_denominator;
        ++answer.mixing_time;
    }
    return answer;
}

/// Calls use(a, b) for every pair a < b.
template <class Use>
void each_pair(const std::vector<SmallHead>& heads, const Use& use) {
    for (std::size_t a = 0; a < heads.size(); ++a)
        for (std::size_t b = a + 1; b < heads.size(); ++b) use(a, b);
}

/// The same through the inner loop of the searches; returns how many pairs certified doubles left open.
class InDoubles {
  public:
    explicit InDoubles(const std::vector<SmallHead>& heads) : heads_(heads), source_(Convention{}) {
        for (const auto& head : heads) prepared_.emplace_back(head, nodes);
        memo_.reset(heads.size());
        source_.configure(nodes, {Rational(1, 2), Rational(1, 2)}, {Rational(1, 2), Rational(1, 2)});
    }

    template <class Use>
    void run(const Use& use) {
        std::array<std::pair<std::size_t, std::size_t>, FastSource::lanes> group;
        std::size_t filled = 0;
        const auto flush = [&] {
            for (std::size_t lane = 0; lane < FastSource::lanes; ++lane) {
                const auto& [a, b] = group[std::min(lane, filled - 1)];
                source_.load(static_cast<int>(lane), 0, heads_[a], prepared_[a], a);
                source_.load(static_cast<int>(lane), 1, heads_[b], prepared_[b], b);
            }
            source_.start(memo_);
            for (std::size_t lane = 0; lane < filled; ++lane) {
                source_.choose(static_cast<int>(lane));
                const FastNumber fidelity = source_.number(QuantityId::fidelity, -1, {}, {});
                const FastNumber time =
                    source_.number(QuantityId::mixing_time, -1, FastNumber::point(0.25), {});
                use(source_, fidelity, time);
            }
            filled = 0;
        };
        each_pair(heads_, [&](std::size_t a, std::size_t b) {
            group[filled++] = {a, b};
            if (filled == FastSource::lanes) flush();
        });
        if (filled > 0) flush();
    }

  private:
    const std::vector<SmallHead>& heads_;
    std::vector<PreparedHead> prepared_;
    HeadMemo memo_;
    FastSource source_;
};

Domain five_nodes() {
    Domain domain;
    domain.nodes_from = domain.nodes_to = nodes;
    return domain;
}

void add_pairs(Suite& suite) {
    static const std::vector<SmallHead> heads = enumerate_heads(five_nodes(), nodes);
    static InDoubles doubles(heads);
    std::vector<Answer> exact;
    each_pair(heads, [&](std::size_t a, std::size_t b) { exact.push_back(in_integers(heads[a], heads[b])); });
    std::size_t k = 0, open = 0, wrong = 0;
    doubles.run([&](FastSource& source, const FastNumber&, const FastNumber& time) {
        const Answer& answer = exact[k++];
        if (!time.is_point()) ++open;
        bool same = time.lower <= answer.mixing_time && answer.mixing_time <= time.upper;
        for (int j = 0; j < nodes; ++j) {
            // A limit is above what 20 steps reach; everything else was reached by then.
            const FastNumber ours = source.number(QuantityId::node_fidelity, -1, {}, {0, j, 0});
            const double theirs = answer.node_fidelity[static_cast<std::size_t>(j)];
            const bool limit = source.truth(QuantityId::attained, -1, {0, j, 0}) == Decision::no;
            same =
                same && theirs <= ours.upper * (1 + 1e-15) && (limit || ours.lower <= theirs * (1 + 1e-15));
        }
        if (!same) ++wrong;
    });
    suite.check(fmt::format("all {} pairs agree with 128-bit integers", k), wrong == 0 && k == exact.size());
    suite.note(fmt::format("{} of {} pairs have a T_mix(1/4) that doubles leave open (d(t) = 1/4 exactly)",
                           open, k));
    Row baseline{"pairs of heads on 5 nodes", "128-bit integers", [] {
                     each_pair(heads, [](std::size_t a, std::size_t b) {
                         benchmark::DoNotOptimize(in_integers(heads[a], heads[b]));
                     });
                 }};
    baseline.parts = pairs;
    baseline.goal = goal_pair;
    suite.add(baseline);
    Row ours{"pairs of heads on 5 nodes", "certified doubles, 8 lanes", [] {
                 doubles.run([](FastSource&, const FastNumber& fidelity, const FastNumber& time) {
                     benchmark::DoNotOptimize(fidelity.lower + time.lower);
                 });
             }};
    ours.parts = pairs;
    ours.goal = goal_pair;
    ours.against = {"128-bit integers"};
    suite.add(ours);
}

void add_check(Suite& suite, const std::string& name, const std::string& statement) {
    const auto conjecture = std::make_shared<const Conjecture>(parse_conjecture(statement, name));
    const auto instances = std::make_shared<std::vector<Instance>>(instances_of(conjecture, false));
    Row row{"whole searches, pairs on 5 nodes", name, [instances] {
                MeasureOptions options;
                options.epsilons = epsilons_of(*instances);
                benchmark::DoNotOptimize(
                    search_exhaustively(five_nodes(), *instances, options, {true, true}, {}));
            }};
    row.parts = pairs;
    row.least_seconds = 0.2;
    suite.add(row);
}

}  // namespace
}  // namespace crosshead::bench

int main(int argc, char** argv) {
    using namespace crosshead::bench;
    Suite suite;
    add_pairs(suite);
    add_check(suite, "mixing-literal, four eps", "p > 0 => tmix(eps) <= 2*N/p");
    add_check(suite, "mixing-every-epsilon, four eps", "p > 0 => tmix(eps) <= ceil(2*(N + ln(2/eps))/p)");
    add_check(suite, "mixture-no-faster, four eps", "tmix(eps) >= tmix[best](eps)");
    add_check(suite, "amplification", "phi <= phi[best]");
    return suite.run(argc, argv);
}
