#include <algorithm>
#include <crosshead/graphs/error.hpp>
#include <crosshead/graphs/reachability.hpp>
#include <crosshead/proofs_check/search/shrink.hpp>

namespace crosshead {
namespace {

/// A head system that can be changed: lower triangular weights, and head weights as scores.
struct Draft {
    int nodes = 0;
    std::vector<std::vector<Rational>> heads;
    std::vector<Rational> alpha, beta;

    explicit Draft(const HeadSystem& system) : nodes(system.nodes()) {
        for (std::size_t h = 0; h < system.head_count(); ++h) {
            const HeadDag& dag = system.head(h);
            std::vector<Rational> weights(static_cast<std::size_t>(triangle_index(nodes, 0)), Rational(0));
            for (std::size_t e = 0; e < dag.edge_count(); ++e)
                weights[static_cast<std::size_t>(triangle_index(dag.destinations()[e], dag.sources()[e]))] =
                    dag.weight(e);
            heads.push_back(std::move(weights));
            alpha.push_back(system.walk_weights()[h]);
            beta.push_back(system.diffusion_weights()[h]);
        }
    }
    Rational& at(std::size_t h, int i, int j) {
        return heads[h][static_cast<std::size_t>(triangle_index(i, j))];
    }
    const Rational& at(std::size_t h, int i, int j) const {
        return heads[h][static_cast<std::size_t>(triangle_index(i, j))];
    }

    /// Throws InputError where it is no head system.
    HeadSystem system() const {
        std::vector<HeadDag> dags;
        for (std::size_t h = 0; h < heads.size(); ++h) {
            std::vector<WeightedEdge> edges;
            for (int j = 0; j < nodes; ++j)
                for (int i = j; i < nodes; ++i)
                    if (at(h, i, j) != 0) edges.push_back({j, i, at(h, i, j)});
            dags.emplace_back(nodes, std::move(edges));
        }
        return HeadSystem(std::move(dags), ConvexWeights::from_scores(alpha, "walk weights"),
                          ConvexWeights::from_scores(beta, "diffusion weights"));
    }

    Draft without_node(int gone) const {
        Draft smaller = *this;
        smaller.nodes = nodes - 1;
        for (std::size_t h = 0; h < heads.size(); ++h) {
            smaller.heads[h].clear();
            for (int i = 0; i < nodes; ++i)
                for (int j = 0; j <= i; ++j)
                    if (i != gone && j != gone) smaller.heads[h].push_back(at(h, i, j));
        }
        return smaller;
    }
    Draft without_head(std::size_t gone) const {
        Draft smaller = *this;
        const auto offset = static_cast<std::ptrdiff_t>(gone);
        smaller.heads.erase(smaller.heads.begin() + offset);
        smaller.alpha.erase(smaller.alpha.begin() + offset);
        smaller.beta.erase(smaller.beta.begin() + offset);
        return smaller;
    }
};

/// Rationals simpler than x, simplest first: 1, then those on the way down its continued fraction.
std::vector<Rational> simpler(const Rational& x) {
    std::vector<Rational> result;
    const auto add = [&](const Rational& value) {
        const bool is_simpler = numerator(value) + denominator(value) < numerator(x) + denominator(x);
        if (value > 0 && is_simpler && std::find(result.begin(), result.end(), value) == result.end())
            result.push_back(value);
    };
    add(1);
    Integer p0 = 0, q0 = 1, p1 = 1, q1 = 0;
    Rational rest = x;
    while (true) {
        const Integer whole = numerator(rest) / denominator(rest);
        const Integer p2 = whole * p1 + p0, q2 = whole * q1 + q0;
        if (q2 != 0) add(Rational(p2, q2));
        if (denominator(rest) == 1) break;
        rest = 1 / (rest - whole);
        p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    }
    const Integer above = numerator(x), below = denominator(x);
    add(Rational(Integer(above + 1) / 2, below));
    if (below > 1) add(Rational(above, Integer(below + 1) / 2));
    if (above > 1) add(Rational(above - 1, below));
    return result;
}

class Shrinker {
  public:
    Shrinker(const Domain& domain, const Instance& instance, const MeasureOptions& options,
             const HeadSystem& system, const SearchLimits& limits)
        : domain_(domain), instance_(instance), judge_(options), limits_(limits), best_(system) {}

    HeadSystem run() {
        while (fewer_nodes() || fewer_heads() || fewer_edges() || simpler_weights()) {
        }
        return best_.system();
    }

  private:
    bool try_draft(const Draft& draft) {
        if (limits_.stopped()) return false;
        try {
            const HeadSystem system = draft.system();
            if (!meets_conditions(domain_, system)) return false;
            const Outcome telling = instance_.existential() ? Outcome::holds : Outcome::fails;
            if (judge_.judge_exactly(instance_, system).outcome != telling) return false;
        } catch (const InputError&) {  // no head system any more: a node without an in-weight
            return false;
        }
        best_ = draft;
        return true;
    }

    bool fewer_nodes() {
        if (best_.nodes <= std::max(2, domain_.nodes_from)) return false;
        for (int gone = 0; gone < best_.nodes; ++gone)
            if (try_draft(best_.without_node(gone))) return true;
        return false;
    }
    bool fewer_heads() {
        if (best_.heads.size() <= static_cast<std::size_t>(std::max(1, domain_.heads_from))) return false;
        for (std::size_t gone = 0; gone < best_.heads.size(); ++gone)
            if (try_draft(best_.without_head(gone))) return true;
        return false;
    }
    bool fewer_edges() {
        for (std::size_t h = 0; h < best_.heads.size(); ++h)
            for (int i = 0; i < best_.nodes; ++i)
                for (int j = 0; j < i; ++j) {
                    if (best_.at(h, i, j) == 0) continue;
                    Draft draft = best_;
                    draft.at(h, i, j) = 0;
                    if (try_draft(draft)) return true;
                }
        return false;
    }
    bool simpler_weights() {
        Draft all = best_;
        bool uniform = true;
        for (auto& head : all.heads)
            for (auto& weight : head)
                if (weight != 0 && weight != 1) {
                    weight = 1;
                    uniform = false;
                }
        if (!uniform && try_draft(all)) return true;
        for (const auto scores : {&Draft::alpha, &Draft::beta}) {
            Draft even = best_;
            if (std::all_of((even.*scores).begin(), (even.*scores).end(),
                            [&](const Rational& score) { return score == (even.*scores).front(); }))
                continue;
            std::fill((even.*scores).begin(), (even.*scores).end(), Rational(1));
            if (try_draft(even)) return true;
        }
        for (std::size_t h = 0; h < best_.heads.size(); ++h)
            for (std::size_t e = 0; e < best_.heads[h].size(); ++e)
                for (const auto& value : simpler(best_.heads[h][e])) {
                    Draft draft = best_;
                    draft.heads[h][e] = value;
                    if (try_draft(draft)) return true;
                }
        return simpler_head_weights();
    }
    bool simpler_head_weights() {
        for (const auto scores : {&Draft::alpha, &Draft::beta})
            for (std::size_t h = 0; h < best_.heads.size(); ++h) {
                // Against the last head, whose score is made 1.
                Draft draft = best_;
                const Rational last = (draft.*scores).back();
                if (last == 0) continue;
                for (auto& score : draft.*scores) score /= last;
                const Rational mine = (draft.*scores)[h];
                if (mine == 0) continue;
                for (const auto& value : simpler(mine)) {
                    (draft.*scores)[h] = value;
                    if (try_draft(draft)) return true;
                }
            }
        return false;
    }

    const Domain& domain_;
    const Instance& instance_;
    SystemJudge judge_;
    const SearchLimits& limits_;
    Draft best_;
};

bool same_heads(const HeadDag& a, const HeadDag& b) {
    if (a.edge_count() != b.edge_count()) return false;
    for (std::size_t e = 0; e < a.edge_count(); ++e)
        if (a.sources()[e] != b.sources()[e] || a.destinations()[e] != b.destinations()[e] ||
            a.weight(e) != b.weight(e))
            return false;
    return true;
}

}  // namespace

bool meets_conditions(const Domain& domain, const HeadSystem& system) {
    if (domain.reach == SinkReach::united &&
        !Reachability(system, ConvexWeights::uniform(system.head_count())).all_reach_sink())
        return false;
    for (std::size_t h = 0; h < system.head_count(); ++h) {
        const HeadSystem head = system.single_head(h);
        const Reachability reach(head, ConvexWeights::uniform(1));
        if (domain.reach == SinkReach::every && !reach.all_reach_sink()) return false;
        for (Node j = 0; j < system.nodes(); ++j) {
            const bool needs_loop = domain.self_loops || j == 0 || j == system.sink();
            if (needs_loop && !reach.has_self_loop(j)) return false;
        }
        for (std::size_t g = 0; g < h && domain.tuples == Tuples::distinct; ++g)
            if (same_heads(system.head(g), system.head(h))) return false;
    }
    return true;
}

HeadSystem shrink_witness(const Domain& domain, const Instance& instance, const MeasureOptions& options,
                          const HeadSystem& system, const SearchLimits& limits) {
    return Shrinker(domain, instance, options, system, limits).run();
}

std::optional<Rational> largest_failing_epsilon(const Instance& instance, std::size_t parameter,
                                                const MeasureOptions& options, const HeadSystem& system) {
    constexpr int most_steps = 200;
    const Rational given = instance.values()[parameter];
    const SystemJudge judge(options);
    MeasuredSource source(system, options);
    const Outcome telling = instance.existential() ? Outcome::holds : Outcome::fails;
    std::optional<Rational> last;
    // d(0) is the largest; go down until the statement fails there.
    for (int t = 0; t <= most_steps; ++t) {
        const Real distance = source.number(QuantityId::distance, -1, Real(), {t, 0, 0});
        if (!distance.exact() || *distance.exact() <= 0) return std::nullopt;
        if (last && *last == *distance.exact()) continue;
        last = *distance.exact();
        if (judge.judge_exactly(instance.with_value(parameter, *last), system).outcome == telling)
            return last;
        if (*last < given) return std::nullopt;  // it fails at `given`, but at no distance above
    }
    return std::nullopt;
}

}  // namespace crosshead
