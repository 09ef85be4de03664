#include <algorithm>
#include <cmath>
#include <crosshead/proofs_check/search/operator_batch.hpp>
#include <limits>

// The same code for the vector unit that the machine has; all give the same bits (one rounding an operation).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define CROSSHEAD_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CROSSHEAD_VECTOR_CLONES
#endif

namespace crosshead {
namespace {

using Lanes = OperatorBatch::Lanes;
constexpr int lanes = OperatorBatch::lanes;

/// Below this, a rounding error may be as large as the value.
constexpr double smallest = 1e-250;
/// A product of positive entries above 2 to this does not underflow.
constexpr double smallest_exponent = -1000;
/// The certificate that ends the search for φ_j is looked at every so many steps.
constexpr int steps_between_closings = 4;

/// next[j] = Σ_{i ≥ j} row[i]·matrix[i][j] over the first `nodes` nodes.
CROSSHEAD_VECTOR_CLONES
void step_row(const Lanes* matrix, int nodes, const Lanes* row, Lanes* next) {
    for (int j = 0; j < nodes; ++j) next[j] = row[j] * matrix[triangle_index(j, j)];
    for (int i = 1; i < nodes; ++i)
        for (int j = 0; j < i; ++j) next[j] += row[i] * matrix[triangle_index(i, j)];
}

/// next[i] = Σ_{0 < j ≤ i} matrix[i][j]·column[j]: node 0 absorbs.
CROSSHEAD_VECTOR_CLONES
void step_column(const Lanes* matrix, int nodes, const Lanes* column, Lanes* next) {
    next[0] = Lanes{};
    for (int i = 1; i < nodes; ++i) {
        next[i] = matrix[triangle_index(i, i)] * column[i];
        for (int j = 1; j < i; ++j) next[i] += matrix[triangle_index(i, j)] * column[j];
    }
}

CROSSHEAD_VECTOR_CLONES
void take_largest(const Lanes* row, int nodes, int step, Lanes* best, Lanes* best_step) {
    for (int j = 0; j < nodes; ++j) {
        const auto later = row[j] > best[j];
        best[j] = later ? row[j] : best[j];
        best_step[j] = later ? Lanes{} + static_cast<double>(step) : best_step[j];
    }
}

}  // namespace

struct OperatorBatch::Storage {
    alignas(64) Lanes walk[small_entries], diffusion[small_entries];
    Lanes survivors[max_steps + 1][max_small_nodes], signals[max_steps + 1][max_small_nodes];
    Lanes reverse[max_steps + 1][max_small_nodes];
    Lanes best[max_small_nodes], best_step[max_small_nodes];
    Lanes absorption[max_small_nodes], limit[max_small_nodes];
};

PreparedHead::PreparedHead(const SmallHead& head, int nodes) {
    const auto entry = [&](std::uint16_t weight, unsigned sum) {
        const double value = static_cast<double>(weight) / sum;
        if (weight != 0) least_entry = std::min(least_entry, value);
        return value;
    };
    for (int j = 0; j < nodes; ++j) {
        unsigned column = 0, row = 0;
        for (int i = j; i < nodes; ++i) {
            column += head.at(i, j);
            if (i > j && head.at(i, j) != 0)
                out[static_cast<std::size_t>(j)] |= static_cast<std::uint8_t>(1u << i);
        }
        for (int i = 0; i <= j; ++i) row += head.at(j, i);
        for (int i = j; i < nodes; ++i)
            walk[static_cast<std::size_t>(triangle_index(i, j))] = entry(head.at(i, j), column);
        for (int i = 0; i <= j; ++i)
            diffusion[static_cast<std::size_t>(triangle_index(j, i))] = entry(head.at(j, i), row);
    }
}

OperatorBatch::OperatorBatch() : storage_(std::make_unique<Storage>()) {}
OperatorBatch::~OperatorBatch() = default;

void OperatorBatch::clear(int nodes, int heads) {
    nodes_ = nodes;
    heads_ = heads;
    survivor_steps_ = reverse_steps_ = signal_steps_ = 0;
    graphs_known_ = fidelities_known_ = absorption_known_ = false;
    least_entry_ = 1;
    const auto entries = idx(triangle_index(nodes, 0));
    std::fill_n(storage_->walk, entries, Lanes{});
    std::fill_n(storage_->diffusion, entries, Lanes{});
    for (auto& node : out_) node.fill(0);
    for (int j = 0; j < nodes; ++j) {
        storage_->survivors[0][j] = Lanes{} + (j + 1 < nodes ? 1.0 : 0.0);
        storage_->reverse[0][j] = Lanes{} + (j > 0 ? 1.0 : 0.0);
        storage_->signals[0][j] = Lanes{} + (j + 1 < nodes ? 0.0 : 1.0);
    }
}

void OperatorBatch::add(int lane, const PreparedHead& head, double alpha, double beta) {
    const int entries = triangle_index(nodes_, 0);
    for (int e = 0; e < entries; ++e) {
        storage_->walk[e][lane] += alpha * head.walk[idx(e)];
        storage_->diffusion[e][lane] += beta * head.diffusion[idx(e)];
    }
    least_entry_ = std::min({least_entry_, alpha * head.least_entry, beta * head.least_entry});
    for (int j = 0; j < nodes_; ++j) out_[idx(j)][idx(lane)] |= head.out[idx(j)];
}

void OperatorBatch::close_graphs() {
    if (graphs_known_) return;
    for (int lane = 0; lane < lanes; ++lane) {
        for (int j = 0; j < nodes_; ++j) in_degree_[idx(j)][idx(lane)] = 1;  // the self-loop
        bool all = true;
        for (int j = nodes_ - 1; j >= 0; --j) {
            const unsigned out = out_[idx(j)][idx(lane)];
            unsigned reached = 1u << j;
            for (int i = j + 1; i < nodes_; ++i)
                if ((out >> i & 1u) != 0) {
                    reached |= reach_[idx(i)][idx(lane)];
                    ++in_degree_[idx(i)][idx(lane)];
                }
            reach_[idx(j)][idx(lane)] = static_cast<std::uint8_t>(reached);
            all = all && (reached >> (nodes_ - 1) & 1u) != 0;
        }
        all_reach_[idx(lane)] = all;
    }
    graphs_known_ = true;
}

double OperatorBatch::relative_error(int steps) const {
    return steps * (nodes_ + heads_ + 3) * 0x1p-53 * (1 + 0x1p-20);
}

FastNumber OperatorBatch::enclosed(double value, int steps) const {
    if (steps == 0) return FastNumber::point(value);
    if (value == 0 && std::log2(least_entry_) * steps > smallest_exponent) return FastNumber::point(0);
    if (value < smallest) return {0, 2 * smallest, nullptr};
    const double error = relative_error(steps) + 0x1p-51;  // and the two roundings here
    return {value * (1 - error), value * (1 + error), nullptr};
}

FastNumber OperatorBatch::probability(double value, int steps) const {
    FastNumber result = enclosed(value, steps);
    result.upper = std::min(result.upper, 1.0);
    return result;
}

void OperatorBatch::survivors_to(int step) {
    for (; survivor_steps_ < step; ++survivor_steps_)
        step_row(storage_->walk, nodes_ - 1, storage_->survivors[survivor_steps_],
                 storage_->survivors[survivor_steps_ + 1]);
}

void OperatorBatch::reverse_survivors_to(int step) {
    for (; reverse_steps_ < step; ++reverse_steps_)
        step_column(storage_->diffusion, nodes_, storage_->reverse[reverse_steps_],
                    storage_->reverse[reverse_steps_ + 1]);
}

void OperatorBatch::signals_to(int step) {
    for (; signal_steps_ < step; ++signal_steps_)
        step_row(storage_->diffusion, nodes_, storage_->signals[signal_steps_],
                 storage_->signals[signal_steps_ + 1]);
}

FastNumber OperatorBatch::survivors(int lane, int step, int node) {
    if (node == nodes_ - 1) return FastNumber::point(0);
    if (step > max_steps) return FastNumber::unknown();
    survivors_to(step);
    return probability(storage_->survivors[step][node][lane], step);
}

FastNumber OperatorBatch::signal(int lane, int step, int node) {
    if (step > max_steps) return FastNumber::unknown();
    signals_to(step);
    return probability(storage_->signals[step][node][lane], step);
}

FastNumber OperatorBatch::largest_survivors(int lane, int step) {
    if (step > max_steps) return FastNumber::unknown();
    survivors_to(step);
    double largest = 0;
    for (int j = 0; j + 1 < nodes_; ++j) largest = std::max(largest, storage_->survivors[step][j][lane]);
    return probability(largest, step);
}

FastNumber OperatorBatch::largest_reverse_survivors(int lane, int step) {
    if (step > max_steps) return FastNumber::unknown();
    reverse_survivors_to(step);
    double largest = 0;
    for (int i = 1; i < nodes_; ++i) largest = std::max(largest, storage_->reverse[step][i][lane]);
    return probability(largest, step);
}

bool OperatorBatch::unique_source(int lane) const {
    for (int j = 1; j < nodes_; ++j)
        if (in_degree_[idx(j)][idx(lane)] == 1) return false;
    return true;
}

FastNumber OperatorBatch::sum_of_survivors(int lane, int step) {
    if (step > max_steps) return FastNumber::unknown();
    survivors_to(step);
    double sum = 0;
    for (int j = 0; j + 1 < nodes_; ++j) sum += storage_->survivors[step][j][lane];
    return step == 0 ? FastNumber::point(sum) : enclosed(sum, step + 1);
}

FastNumber OperatorBatch::mass(int lane, int step, int node) {
    if (step > max_steps) return FastNumber::unknown();
    close_graphs();
    signals_to(step);
    double sum = 0;
    const unsigned reached = reach_[idx(node)][idx(lane)];
    for (int k = 0; k < nodes_; ++k)
        if ((reached >> k & 1u) != 0) sum += storage_->signals[step][k][lane];
    return step == 0 ? FastNumber::point(sum) : probability(sum, step + 1);
}

void OperatorBatch::find_limits() {
    // Expected visits of the walk down from τ; its absorption probability at a node that only its self-loop
    // enters (exact/absorption.hpp has the formula). Leaks are sums of the other entries of a row.
    Lanes inflow[max_small_nodes] = {};
    inflow[nodes_ - 1] += 1.0;
    for (int k = nodes_ - 1; k >= 0; --k) {
        storage_->limit[k] = inflow[k];
        Lanes leak{};
        for (int j = 0; j < k; ++j) leak += storage_->diffusion[triangle_index(k, j)];
        const Lanes visits = leak > 0 ? inflow[k] / leak : Lanes{};
        for (int j = 0; j < k; ++j) inflow[j] += visits * storage_->diffusion[triangle_index(k, j)];
    }
}

void OperatorBatch::find_fidelities() {
    if (fidelities_known_) return;
    close_graphs();
    find_limits();
    Lanes reach_mask[max_small_nodes][max_small_nodes] = {};
    for (int j = 0; j < nodes_; ++j)
        for (int k = j; k < nodes_; ++k)
            for (int lane = 0; lane < lanes; ++lane)
                reach_mask[j][k][lane] = (reach_[idx(j)][idx(lane)] >> k & 1u) != 0 ? 1.0 : 0.0;
    // A node that only its self-loop enters has its limit; the search does not wait for it.
    Lanes waited_for[max_small_nodes] = {};
    for (int j = 0; j < nodes_; ++j)
        for (int lane = 0; lane < lanes; ++lane) waited_for[j][lane] = attained(lane, j) ? 1.0 : 0.0;
    for (int j = 0; j < nodes_; ++j) storage_->best[j] = storage_->best_step[j] = Lanes{} - 1.0;
    closed_.fill(false);
    for (closed_step_ = 0; closed_step_ < max_steps;) {
        ++closed_step_;
        signals_to(closed_step_);
        const Lanes* row = storage_->signals[closed_step_];
        take_largest(row, nodes_, closed_step_, storage_->best, storage_->best_step);
        if (closed_step_ < nodes_ || closed_step_ % steps_between_closings != 0) continue;
        // Twice the error of a mass, for the mass and for the maximum.
        const double slack = 1 + 2 * (relative_error(closed_step_ + 1) + 0x1p-50);
        Lanes open{};
        for (int j = 0; j < nodes_; ++j) {
            Lanes mass{};
            for (int k = j; k < nodes_; ++k) mass += reach_mask[j][k] * row[k];
            const Lanes excess = mass * slack > storage_->best[j] ? waited_for[j] : Lanes{};
            open += excess;
        }
        bool any_open = false;
        for (int lane = 0; lane < lanes; ++lane) any_open = any_open || open[lane] != 0;
        if (!any_open) {
            closed_.fill(true);
            break;
        }
        if (closed_step_ + steps_between_closings > max_steps)
            for (int lane = 0; lane < lanes; ++lane) closed_[idx(lane)] = open[lane] == 0;
    }
    fidelities_known_ = true;
}

FastNumber OperatorBatch::fidelity(int lane, int node) {
    find_fidelities();
    if (!attained(lane, node)) {
        // At most n divisions and sums of n terms stand between the entries and the limit.
        return probability(storage_->limit[node][lane], 2 * nodes_);
    }
    if (!closed_[idx(lane)]) return FastNumber::unknown();
    return probability(storage_->best[node][lane], closed_step_);
}

FastNumber OperatorBatch::peak(int lane, int node) {
    find_fidelities();
    if (!attained(lane, node)) {
        if ((reach_[idx(node)][idx(lane)] >> (nodes_ - 1) & 1u) == 0) return FastNumber::point(1);
        return node == nodes_ - 1 ? FastNumber::point(1)
                                  : FastNumber::point(std::numeric_limits<double>::infinity());
    }
    if (!closed_[idx(lane)]) return FastNumber::unknown();
    return {1, static_cast<double>(closed_step_), nullptr};
}

FastNumber OperatorBatch::minimax_fidelity(int lane, int count) {
    const FastArithmetic arithmetic;
    FastNumber least = fidelity(lane, 0);
    for (int j = 1; j < count; ++j) least = arithmetic.smaller(least, fidelity(lane, j));
    return least;
}

void OperatorBatch::find_absorption() {
    if (absorption_known_) return;
    storage_->absorption[nodes_ - 1] = Lanes{};
    for (int j = nodes_ - 2; j >= 0; --j) {
        Lanes leak{}, expected = Lanes{} + 1.0;
        for (int k = j + 1; k < nodes_; ++k) {
            const Lanes entry = storage_->walk[triangle_index(k, j)];
            leak += entry;
            // 0 · ∞ must not arise: an entry of 0 adds nothing.
            expected += entry > 0 ? entry * storage_->absorption[k] : Lanes{};
        }
        storage_->absorption[j] = expected / leak;
    }
    absorption_known_ = true;
}

FastNumber OperatorBatch::absorption(int lane, int node) {
    find_absorption();
    const double value = storage_->absorption[node][lane];
    if (std::isinf(value)) return FastNumber::point(value);
    return enclosed(value, 2 * nodes_);
}

int OperatorBatch::longest_path(int lane, int node) const {
    std::array<int, max_small_nodes> longest{};
    longest.fill(-1);
    longest[idx(nodes_ - 1)] = 0;
    for (int j = nodes_ - 2; j >= node; --j)
        for (int i = j + 1; i < nodes_; ++i)
            if ((out_[idx(j)][idx(lane)] >> i & 1u) != 0 && longest[idx(i)] >= 0)
                longest[idx(j)] = std::max(longest[idx(j)], longest[idx(i)] + 1);
    return longest[idx(node)];
}

double OperatorBatch::diffusion_entry(int lane, int i, int j) const {
    return storage_->diffusion[triangle_index(i, j)][lane];
}

}  // namespace crosshead
