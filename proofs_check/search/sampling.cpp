#include <algorithm>
#include <crosshead/proofs_check/search/sampling.hpp>

namespace crosshead {
namespace {

std::uint32_t& entry(std::vector<std::uint32_t>& head, int i, int j) {
    return head[static_cast<std::size_t>(triangle_index(i, j))];
}
std::uint32_t entry(const std::vector<std::uint32_t>& head, int i, int j) {
    return head[static_cast<std::size_t>(triangle_index(i, j))];
}

bool leaves(const std::vector<std::uint32_t>& head, int nodes, int j) {
    for (int i = j + 1; i < nodes; ++i)
        if (entry(head, i, j) != 0) return true;
    return false;
}

std::vector<std::uint32_t> draw_scores(const HeadWeightChoice& choice, std::size_t heads) {
    std::vector<std::uint32_t> scores(heads, 1);
    if (choice.grid == 0) return scores;
    for (auto left = static_cast<std::size_t>(choice.grid) - heads; left > 0; --left)
        ++scores[*rc::gen::inRange<std::size_t>(0, heads)];
    return scores;
}

IntegerSystem draw(const Domain& domain) {
    IntegerSystem system;
    system.nodes = *rc::gen::inRange(domain.nodes_from, domain.nodes_to + 1);
    const auto heads = static_cast<std::size_t>(*rc::gen::inRange(domain.heads_from, domain.heads_to + 1));
    const int n = system.nodes, most = domain.max_edge_weight;
    system.heads.assign(heads, std::vector<std::uint32_t>(static_cast<std::size_t>(triangle_index(n, 0)), 0));
    const auto weight = [&] { return static_cast<std::uint32_t>(*rc::gen::inRange(1, most + 1)); };
    for (auto& head : system.heads) {
        const int one_in = *rc::gen::inRange(1, 6);  // sparse and dense heads alike
        for (int j = 0; j < n; ++j) {
            const bool ends = j == 0 || j + 1 == n;
            if (domain.self_loops || ends || *rc::gen::inRange(0, 2) == 1) entry(head, j, j) = weight();
            for (int i = j + 1; i < n; ++i)
                if (*rc::gen::inRange(0, one_in) == 0) entry(head, i, j) = weight();
        }
    }
    // What the conditions need and chance left out.
    for (int j = 0; j + 1 < n && domain.reach != SinkReach::any; ++j) {
        const auto left = [&](const auto& head) { return leaves(head, n, j); };
        if (domain.reach == SinkReach::united && std::any_of(system.heads.begin(), system.heads.end(), left))
            continue;
        const std::size_t only =
            domain.reach == SinkReach::united ? *rc::gen::inRange<std::size_t>(0, heads) : heads;
        for (std::size_t h = 0; h < heads; ++h)
            if ((only == heads || only == h) && !left(system.heads[h]))
                entry(system.heads[h], *rc::gen::inRange(j + 1, n), j) = weight();
    }
    for (auto& head : system.heads)
        for (int i = 0; i < n; ++i) {
            bool entered = false, left = leaves(head, n, i);
            for (int j = 0; j <= i; ++j) entered = entered || entry(head, i, j) != 0;
            if ((!entered || !left) && entry(head, i, i) == 0) entry(head, i, i) = weight();
        }
    system.walk_scores = draw_scores(domain.walk_weights, heads);
    system.diffusion_scores =
        domain.tied_weights ? system.walk_scores : draw_scores(domain.diffusion_weights, heads);
    return system;
}

/// Judges systems for all instances and keeps what they give.
class Collector {
  public:
    Collector(const std::vector<Instance>& instances, const MeasureOptions& options,
              const SamplingOptions& sampling, const SearchLimits& limits)
        : instances_(instances),
          options_(options),
          sampling_(sampling),
          limits_(limits),
          judge_(options),
          results_(instances.size()) {}

    bool is_open(std::size_t k) const { return sampling_.count || !results_[k].witness; }
    bool any_open() const {
        for (std::size_t k = 0; k < results_.size(); ++k)
            if (is_open(k)) return true;
        return false;
    }
    bool is_witness(std::size_t k, const Statement& statement) const {
        return statement.outcome == (instances_[k].existential() ? Outcome::holds : Outcome::fails);
    }
    SystemJudge& judge() { return judge_; }
    std::vector<InstanceResult>& results() { return results_; }

    Statement take(std::size_t k, const IntegerSystem& system) {
        const Statement statement = judge_.judge(instances_[k], system);
        record(k, statement, [&] { return system.system(); });
        return statement;
    }
    void replay() {
        for (const auto& system : sampling_.replay_first)
            for (std::size_t k = 0; k < instances_.size(); ++k)
                if (is_open(k))
                    record(k, judge_.judge_exactly(instances_[k], system), [&] { return system; });
    }
    void set_witness(std::size_t k, const HeadSystem& system) { results_[k].witness = system; }

  private:
    void record(std::size_t k, const Statement& statement, const std::function<HeadSystem()>& system) {
        results_[k].add(statement, instances_[k].existential(), system);
        if (!is_witness(k, statement) || results_[k].witness) return;
        results_[k].witness = system();
        if (limits_.found) limits_.found(k, *results_[k].witness);
    }

    const std::vector<Instance>& instances_;
    const MeasureOptions& options_;
    const SamplingOptions& sampling_;
    const SearchLimits& limits_;
    SystemJudge judge_;
    std::vector<InstanceResult> results_;
};

/// Follows RapidCheck's shrinks as long as the instance keeps failing.
IntegerSystem rapidcheck_shrunk(rc::Shrinkable<IntegerSystem> found, const Domain& domain, SystemJudge& judge,
                                const Instance& instance) {
    constexpr int most_judged = 2'000;
    const Outcome telling = instance.existential() ? Outcome::holds : Outcome::fails;
    int judged = 0;
    for (bool smaller = true; smaller && judged < most_judged;) {
        smaller = false;
        auto shrinks = found.shrinks();
        while (judged < most_judged) {
            auto next = shrinks.next();
            if (!next) break;
            ++judged;
            const IntegerSystem system = next->value();
            if (!meets_conditions(domain, system) || judge.judge(instance, system).outcome != telling)
                continue;
            found = *next;
            smaller = true;
            break;
        }
    }
    return found.value();
}

/// One random change; what breaks a condition is left to the caller to refuse.
IntegerSystem changed(const Domain& domain, const IntegerSystem& system, RandomSource& random) {
    IntegerSystem next = system;
    const auto heads = next.heads.size();
    const bool can_weigh = domain.max_edge_weight > 1;
    const bool can_mix = heads > 1 && (domain.walk_weights.grid != 0 || domain.diffusion_weights.grid != 0);
    const auto kind = random.below(can_mix ? 4 : 3);
    if (kind == 3) {
        // One unit moves from one head to another.
        const bool walk =
            domain.walk_weights.grid != 0 && (domain.diffusion_weights.grid == 0 || random.below(2) == 0);
        auto& scores = walk ? next.walk_scores : next.diffusion_scores;
        const std::size_t from = random.below(heads), to = random.below(heads);
        const auto units = static_cast<std::uint32_t>(1 + random.below(1 + scores[from] / 4));
        if (from != to && scores[from] > units) {
            scores[from] -= units;
            scores[to] += units;
        }
        if (domain.tied_weights) next.diffusion_scores = next.walk_scores;
        return next;
    }
    auto& head = next.heads[random.below(heads)];
    auto& weight = head[random.below(head.size())];
    const auto most = static_cast<std::uint64_t>(domain.max_edge_weight);
    if (kind == 0 || !can_weigh)
        weight = weight == 0 ? static_cast<std::uint32_t>(1 + random.below(most)) : 0;
    else if (kind == 1)
        weight = static_cast<std::uint32_t>(1 + random.below(most));
    else
        weight = static_cast<std::uint32_t>(
            std::clamp<std::int64_t>(static_cast<std::int64_t>(weight) + (random.below(2) == 0 ? 1 : -1), 1,
                                     static_cast<std::int64_t>(most)));
    return next;
}

rc::Random seeded(std::uint64_t seed) {
    return rc::Random(seed);
}

constexpr int generator_size = 100;

/// Draws that give up on a domain in which hardly any tuple has distinct heads.
std::uint64_t most_draws(std::uint64_t trials) {
    constexpr std::uint64_t each = 50;
    return trials > std::numeric_limits<std::uint64_t>::max() / each ? trials : each * trials;
}

}  // namespace

bool meets_conditions(const Domain& domain, const IntegerSystem& system) {
    const int n = system.nodes;
    for (const auto& head : system.heads)
        for (int i = 0; i < n; ++i) {
            const bool ends = i == 0 || i + 1 == n;
            if ((domain.self_loops || ends) && entry(head, i, i) == 0) return false;
            bool entered = false;
            for (int j = 0; j <= i; ++j) entered = entered || entry(head, i, j) != 0;
            if (!entered) return false;
        }
    for (int j = 0; j + 1 < n && domain.reach != SinkReach::any; ++j) {
        const auto left = [&](const auto& head) { return leaves(head, n, j); };
        const bool enough = domain.reach == SinkReach::every
                                ? std::all_of(system.heads.begin(), system.heads.end(), left)
                                : std::any_of(system.heads.begin(), system.heads.end(), left);
        if (!enough) return false;
    }
    if (domain.tuples == Tuples::distinct)
        for (std::size_t g = 0; g < system.heads.size(); ++g)
            for (std::size_t h = g + 1; h < system.heads.size(); ++h)
                if (system.heads[g] == system.heads[h]) return false;
    return true;
}

rc::Gen<IntegerSystem> systems_of(const Domain& domain) {
    return rc::gen::exec([domain] { return draw(domain); });
}

std::vector<InstanceResult> search_randomly(const Domain& domain, const std::vector<Instance>& instances,
                                            const MeasureOptions& options, const SamplingOptions& sampling,
                                            const SearchLimits& limits) {
    Collector collector(instances, options, sampling, limits);
    collector.replay();
    const auto generator = systems_of(domain);
    rc::Random random = seeded(sampling.seed);
    std::uint64_t judged = 0;
    for (std::uint64_t draws = 0; judged < sampling.trials && draws < most_draws(sampling.trials) &&
                                  collector.any_open() && !limits.stopped();
         ++draws) {
        const auto drawn = generator(random.split(), generator_size);
        const IntegerSystem system = drawn.value();
        if (!meets_conditions(domain, system)) continue;  // two heads came out equal
        ++judged;
        for (std::size_t k = 0; k < instances.size(); ++k) {
            if (!collector.is_open(k)) continue;
            const bool had_witness = collector.results()[k].witness.has_value();
            if (!collector.is_witness(k, collector.take(k, system)) || had_witness) continue;
            collector.set_witness(k,
                                  rapidcheck_shrunk(drawn, domain, collector.judge(), instances[k]).system());
        }
        if (limits.progress && judged % 256 == 0)
            limits.progress(static_cast<double>(judged), static_cast<double>(sampling.trials),
                            "random systems");
    }
    return std::move(collector.results());
}

std::vector<InstanceResult> search_by_climbing(const Domain& domain, const std::vector<Instance>& instances,
                                               const MeasureOptions& options, const SamplingOptions& sampling,
                                               const SearchLimits& limits) {
    Collector collector(instances, options, sampling, limits);
    collector.replay();
    const auto generator = systems_of(domain);
    rc::Random starts = seeded(sampling.seed);
    RandomSource random(sampling.seed);
    // Each instance climbs on its own: their margins pull in different directions.
    for (std::size_t k = 0; k < instances.size(); ++k) {
        const double sign = instances[k].existential() ? -1 : 1;
        const auto height = [&](const Statement& statement) {
            const bool counts = statement.outcome != Outcome::vacuous;
            return counts ? sign * statement.margin : std::numeric_limits<double>::infinity();
        };
        std::optional<IntegerSystem> here;
        double current = 0;
        int without_progress = 0;
        std::uint64_t judged = 0;
        for (std::uint64_t draws = 0; judged < sampling.trials && draws < most_draws(sampling.trials) &&
                                      collector.is_open(k) && !limits.stopped();
             ++draws) {
            if (limits.progress && draws % 256 == 0)
                limits.progress(static_cast<double>(k * sampling.trials + judged),
                                static_cast<double>(instances.size() * sampling.trials), "climbing");
            const bool fresh = !here || without_progress > climb_patience;
            const IntegerSystem next =
                fresh ? generator(starts.split(), generator_size).value() : changed(domain, *here, random);
            if (!meets_conditions(domain, next)) {
                ++without_progress;
                continue;
            }
            ++judged;
            const double now = height(collector.take(k, next));
            const bool progress = fresh || now < current;
            if (progress || now == current) {
                here = next;
                current = now;
            }
            without_progress = progress ? 0 : without_progress + 1;
        }
    }
    return std::move(collector.results());
}

}  // namespace crosshead
