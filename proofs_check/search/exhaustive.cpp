// The exhaustive engine: head tuples eight at a time through certified doubles; what these leave open is
// judged exactly. The inner loop allocates nothing.
#include <fmt/format.h>

#include <algorithm>
#include <crosshead/proofs_check/search/search.hpp>
#include <stdexcept>

namespace crosshead {
namespace {

constexpr std::uint64_t groups_between_progress = 512;
/// Heads of one size whose normalised entries are kept; beyond that they are made when needed.
constexpr std::size_t prepared_heads = 200'000;

class Sweep {
  public:
    Sweep(const Domain& domain, const std::vector<Instance>& instances, const MeasureOptions& options,
          const ExhaustiveOptions& exhaustive, const SearchLimits& limits)
        : domain_(domain),
          instances_(instances),
          options_(options),
          exhaustive_(exhaustive),
          limits_(limits),
          source_(options.convention),
          results_(instances.size()),
          open_(instances.size(), true) {
        for (const auto& instance : instances)
            evaluators_.emplace_back(instance.conjecture(), source_, &instance.constants());
        total_ = closed_form_systems(domain);
    }

    std::vector<InstanceResult> run() {
        bool whole = true;
        for (int n = domain_.nodes_from; n <= domain_.nodes_to && whole; ++n)
            for (int h = domain_.heads_from; h <= domain_.heads_to && whole; ++h) whole = sweep_size(n, h);
        for (std::size_t k = 0; k < results_.size(); ++k) results_[k].whole_domain = whole && open_[k];
        return std::move(results_);
    }

  private:
    bool any_open() const { return std::find(open_.begin(), open_.end(), true) != open_.end(); }

    /// All systems of n nodes and H heads. False where the search ended before its end.
    bool sweep_size(int nodes, int heads) {
        if (!any_open()) return false;
        nodes_ = nodes;
        heads_ = heads;
        pool_ = enumerate_heads(domain_, nodes);
        memo_.reset(pool_.size());
        prepared_.clear();
        if (pool_.size() <= prepared_heads)
            for (const auto& head : pool_) prepared_.emplace_back(head, nodes);
        lane_prepared_.resize(static_cast<std::size_t>(heads) * FastSource::lanes);
        reached_.clear();
        for (const auto& head : pool_) reached_.push_back(leaving_nodes(head));
        std::uint64_t tuples = 0;
        for (const auto& scores : enumerate_head_scores(domain_, heads)) {
            scores_ = scores;
            const auto weights = [](const std::vector<std::uint32_t>& units) {
                return ConvexWeights::from_scores({units.begin(), units.end()}, "head weights").values();
            };
            source_.configure(nodes, weights(scores.walk), weights(scores.diffusion));
            tuples_ = 0;
            indices_.assign(static_cast<std::size_t>(heads), 0);
            if (!choose(0, 0) || !flush()) return false;
            tuples = tuples_;
        }
        if (const auto expected = closed_form_tuples(domain_, nodes, heads); expected && *expected != tuples)
            throw std::logic_error(
                fmt::format("{} head tuples were enumerated on {} nodes with {} heads, not the {} "
                            "of the closed form",
                            tuples, nodes, heads, expected->str()));
        close_found();
        return true;
    }

    /// Bit j: an edge leaves node j; the sink counts as leaving.
    unsigned leaving_nodes(const SmallHead& head) const {
        unsigned leaving = 1u << (nodes_ - 1);
        for (int j = 0; j + 1 < nodes_; ++j)
            for (int i = j + 1; i < nodes_; ++i)
                if (head.at(i, j) != 0) leaving |= 1u << j;
        return leaving;
    }

    /// Chooses the heads from `position` on; `leaving` are the nodes that an earlier head leaves.
    bool choose(std::size_t position, unsigned leaving) {
        const bool ordered = domain_.tuples == Tuples::ordered;
        std::size_t first = 0;
        if (position > 0 && !ordered)
            first = indices_[position - 1] + (domain_.tuples == Tuples::distinct && !domain_.family ? 1 : 0);
        for (std::size_t k = first; k < pool_.size(); ++k) {
            indices_[position] = k;
            const unsigned now = leaving | reached_[k];
            if (position + 1 < indices_.size()) {
                if (!choose(position + 1, now)) return false;
            } else {
                if (domain_.reach == SinkReach::united && now != (1u << nodes_) - 1) continue;
                ++tuples_;
                if (!add_lane()) return false;
            }
        }
        return true;
    }

    bool add_lane() {
        lane_indices_[filled_] = indices_;
        ++filled_;
        return filled_ < FastSource::lanes || flush();
    }

    /// Judges the lanes that are filled. False where the search is over.
    bool flush() {
        if (filled_ == 0) return true;
        const std::size_t filled = std::exchange(filled_, 0);
        if (domain_.self_loops) load(filled);
        for (std::size_t lane = 0; lane < filled; ++lane) {
            judge_lane(lane);
        }
        judged_ += filled;
        if (++groups_ % groups_between_progress == 0) {
            if (limits_.stopped()) return false;
            if (limits_.progress)
                limits_.progress(static_cast<double>(judged_), total_ ? total_->convert_to<double>() : 0.0,
                                 fmt::format("{} nodes, {} heads", nodes_, heads_));
        }
        return any_open();
    }

    void load(std::size_t filled) {
        for (std::size_t lane = 0; lane < FastSource::lanes; ++lane) {
            const auto& indices = lane_indices_[std::min(lane, filled - 1)];
            for (std::size_t position = 0; position < indices.size(); ++position) {
                const std::size_t k = indices[position];
                const PreparedHead* prepared = prepared_.empty() ? nullptr : &prepared_[k];
                if (prepared == nullptr) {
                    auto& mine = lane_prepared_[position * FastSource::lanes + lane];
                    mine = PreparedHead(pool_[k], nodes_);
                    prepared = &mine;
                }
                source_.load(static_cast<int>(lane), static_cast<int>(position), pool_[k], *prepared, k);
            }
        }
        source_.start(memo_);
    }

    void judge_lane(std::size_t lane) {
        exact_system_.reset();
        exact_source_.reset();
        for (std::size_t k = 0; k < instances_.size(); ++k) {
            if (!open_[k]) continue;
            Statement statement{Outcome::undecided};
            source_.choose(static_cast<int>(lane));
            if (domain_.self_loops) statement = evaluators_[k].statement(instances_[k].conjecture().root);
            if (statement.outcome == Outcome::undecided || statement.undefined || source_.was_loose())
                statement = judge_exactly(lane, k);
            take(lane, k, statement);
        }
    }

    Statement judge_exactly(std::size_t lane, std::size_t instance) {
        if (!exact_source_) {
            exact_system_ = std::make_unique<HeadSystem>(system_at(lane));
            exact_source_ = std::make_unique<MeasuredSource>(*exact_system_, options_);
        }
        return instances_[instance].judge(*exact_source_);
    }

    HeadSystem system_at(std::size_t lane) const {
        IntegerSystem system{nodes_, {}, scores_.walk, scores_.diffusion};
        for (const std::size_t k : lane_indices_[lane])
            system.heads.push_back(IntegerSystem::weights_of(pool_[k], nodes_));
        return system.system();
    }

    void take(std::size_t lane, std::size_t k, const Statement& statement) {
        InstanceResult& result = results_[k];
        const bool existential = instances_[k].existential();
        const Outcome telling = existential ? Outcome::holds : Outcome::fails;
        result.add(statement, existential, [&] { return system_at(lane); });
        if (statement.outcome != telling) return;
        const int edges = edges_at(lane);
        const bool better =
            witness_edges_[k] < 0 || (exhaustive_.minimal && witness_nodes_[k] == nodes_ &&
                                      witness_heads_[k] == heads_ && edges < witness_edges_[k]);
        if (!better) return;
        if (judge_exactly(lane, k).outcome != telling)
            throw std::logic_error(
                "a witness found in certified doubles does not stand up to exact arithmetic");
        result.witness = system_at(lane);
        if (witness_edges_[k] < 0 && limits_.found) limits_.found(k, *result.witness);
        witness_edges_[k] = edges;
        witness_nodes_[k] = nodes_;
        witness_heads_[k] = heads_;
        if (!exhaustive_.count && !exhaustive_.minimal) open_[k] = false;
    }

    int edges_at(std::size_t lane) const {
        int edges = 0;
        for (const std::size_t k : lane_indices_[lane]) edges += edge_count(pool_[k], nodes_);
        return edges;
    }

    /// At the end of a size: a witness with the fewest edges of it is minimal, as all smaller sizes had none.
    void close_found() {
        for (std::size_t k = 0; k < results_.size(); ++k) {
            if (witness_edges_[k] < 0 || !exhaustive_.minimal) continue;
            results_[k].minimality = Minimality::proved;
            if (!exhaustive_.count) open_[k] = false;
        }
    }

    const Domain& domain_;
    const std::vector<Instance>& instances_;
    const MeasureOptions& options_;
    const ExhaustiveOptions& exhaustive_;
    const SearchLimits& limits_;
    FastSource source_;
    std::vector<Evaluator<FastSource>> evaluators_;
    std::vector<InstanceResult> results_;
    std::vector<bool> open_;
    std::vector<int> witness_edges_ = std::vector<int>(instances_.size(), -1),
                     witness_nodes_ = std::vector<int>(instances_.size(), 0),
                     witness_heads_ = std::vector<int>(instances_.size(), 0);
    std::optional<Integer> total_;

    int nodes_ = 0, heads_ = 0;
    std::vector<SmallHead> pool_;
    std::vector<unsigned> reached_;
    std::vector<PreparedHead> prepared_, lane_prepared_;
    HeadMemo memo_;
    HeadScores scores_;
    std::vector<std::size_t> indices_;
    std::array<std::vector<std::size_t>, FastSource::lanes> lane_indices_;
    std::size_t filled_ = 0;
    std::uint64_t tuples_ = 0, judged_ = 0, groups_ = 0;
    std::unique_ptr<HeadSystem> exact_system_;
    std::unique_ptr<MeasuredSource> exact_source_;
};

}  // namespace

void InstanceResult::add(const Statement& statement, bool existential,
                         const std::function<HeadSystem()>& system) {
    ++systems;
    if (statement.outcome == Outcome::vacuous) {
        if (statement.undefined) ++undefined;
        return;
    }
    ++met;
    if (statement.outcome == Outcome::undecided) {
        ++undecided;
        return;
    }
    if (statement.outcome == (existential ? Outcome::holds : Outcome::fails)) ++violations;
    const bool closer =
        !closest || (existential ? statement.margin > closest->margin : statement.margin < closest->margin);
    if (closer) closest = Extreme{statement.margin, system()};
}

std::vector<InstanceResult> search_exhaustively(const Domain& domain, const std::vector<Instance>& instances,
                                                const MeasureOptions& options,
                                                const ExhaustiveOptions& exhaustive,
                                                const SearchLimits& limits) {
    domain.validate();
    return Sweep(domain, instances, options, exhaustive, limits).run();
}

}  // namespace crosshead
