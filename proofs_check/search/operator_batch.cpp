// Over 400 lines: the vector kernels stand beside the one class that calls them, with the layout they share.
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

constexpr int lanes = OperatorBatch::lanes;

/// The certificate that ends the search for φ_j is looked at every so many steps.
constexpr int steps_between_closings = 4;

/// Four lanes, what an AVX2 register holds; two of them are the eight lanes of a number. Kernels work on one
/// half of the lanes: arrays of numbers have stride `halves` for them.
using Quad [[gnu::vector_size(4 * sizeof(double)), gnu::may_alias]] = double;
constexpr int halves = lanes / 4;

/// next[j] = Σ_{i ≥ j} row[i]·matrix[i][j] over the first `nodes` nodes.
CROSSHEAD_VECTOR_CLONES
void step_row(const Quad* matrix, int nodes, const Quad* row, Quad* next) {
    for (int half = 0; half < halves; ++half)
        for (int j = 0; j < nodes; ++j) {
            Quad sum = row[j * halves + half] * matrix[triangle_index(j, j) * halves + half];
            for (int i = j + 1; i < nodes; ++i)
                sum += row[i * halves + half] * matrix[triangle_index(i, j) * halves + half];
            next[j * halves + half] = sum;
        }
}

/// next[i] = Σ_{0 < j ≤ i} matrix[i][j]·column[j]: node 0 absorbs.
CROSSHEAD_VECTOR_CLONES
void step_column(const Quad* matrix, int nodes, const Quad* column, Quad* next) {
    for (int half = 0; half < halves; ++half) {
        next[half] = Quad{};
        for (int i = 1; i < nodes; ++i) {
            Quad sum{};
            for (int j = 1; j <= i; ++j)
                sum += matrix[triangle_index(i, j) * halves + half] * column[j * halves + half];
            next[i * halves + half] = sum;
        }
    }
}

/// largest = max over nodes.
CROSSHEAD_VECTOR_CLONES
void take_largest(const Quad* row, int nodes, Quad* largest) {
    for (int half = 0; half < halves; ++half) {
        Quad most = row[half];
        for (int j = 1; j < nodes; ++j) {
            const Quad other = row[j * halves + half];
            most = other > most ? other : most;
        }
        largest[half] = most;
    }
}

/// best[j] = max(best[j], row[j]).
CROSSHEAD_VECTOR_CLONES
void raise_to(const Quad* row, int nodes, Quad* best) {
    for (int k = 0; k < nodes * halves; ++k) {
        const Quad now = row[k], before = best[k];
        best[k] = now > before ? now : before;
    }
}

/// Counts the nodes j with waited_for 1 (rather than 0) for which the nodes j..n−1 with waited_for 1 hold,
/// times `slack`, more than the best of node j: 0 in a lane says that no later value can matter there.
CROSSHEAD_VECTOR_CLONES
void excess_of_later_nodes(const Quad* row, const Quad* best, const Quad* waited_for, int nodes, double slack,
                           Quad* excess) {
    for (int half = 0; half < halves; ++half) {
        Quad mass{}, sum{};
        for (int j = nodes - 1; j >= 0; --j) {
            const int k = j * halves + half;
            mass += row[k] * waited_for[k];
            const Quad held = mass * slack, so_far = best[k];
            sum += held > so_far ? waited_for[k] : Quad{};
        }
        excess[half] = sum;
    }
}

/// limit[k]: absorption probability at k of the walk down from τ, if only its self-loop entered k. Expected
/// visits, down from τ (exact/absorption.hpp has the formula); leaks are sums of the other entries of a row.
CROSSHEAD_VECTOR_CLONES
void find_limits(const Quad* diffusion, int nodes, Quad* limit) {
    for (int half = 0; half < halves; ++half) {
        Quad inflow[max_small_nodes] = {};
        inflow[nodes - 1] += 1.0;
        for (int k = nodes - 1; k >= 0; --k) {
            limit[k * halves + half] = inflow[k];
            Quad leak{};
            for (int j = 0; j < k; ++j) leak += diffusion[triangle_index(k, j) * halves + half];
            const Quad visits = leak > 0 ? inflow[k] / leak : Quad{};
            for (int j = 0; j < k; ++j) inflow[j] += visits * diffusion[triangle_index(k, j) * halves + half];
        }
    }
}

/// times[j] = (1 + Σ_{k>j} walk[k][j]·times[k]) / Σ_{k>j} walk[k][j]: expected steps to τ, ∞ where it may not
/// be reached.
CROSSHEAD_VECTOR_CLONES
void find_absorption_times(const Quad* walk, int nodes, Quad* times) {
    for (int half = 0; half < halves; ++half) {
        times[(nodes - 1) * halves + half] = Quad{};
        for (int j = nodes - 2; j >= 0; --j) {
            Quad leak{}, expected = Quad{} + 1.0;
            for (int k = j + 1; k < nodes; ++k) {
                const Quad entry = walk[triangle_index(k, j) * halves + half];
                leak += entry;
                // 0 · ∞ must not arise: an entry of 0 adds nothing.
                const Quad later = times[k * halves + half];
                expected += entry > 0 ? entry * later : Quad{};
            }
            times[j * halves + half] = expected / leak;
        }
    }
}

/// matrix[e] = Σ_h scale[h]·entries[h][lane][e] for eight lanes, each a triangle of its own.
CROSSHEAD_VECTOR_CLONES
void gather(const double* const* entries, const double* scale, int heads, int count, double* matrix) {
    for (int e = 0; e < count; ++e)
        for (int lane = 0; lane < lanes; ++lane) matrix[e * lanes + lane] = scale[0] * entries[lane][e];
    for (int h = 1; h < heads; ++h)
        for (int e = 0; e < count; ++e)
            for (int lane = 0; lane < lanes; ++lane)
                matrix[e * lanes + lane] += scale[h] * entries[h * lanes + lane][e];
}

}  // namespace

struct OperatorBatch::Storage {
    using Lanes = std::array<double, lanes>;
    using Nodes = std::array<Lanes, max_small_nodes>;
    alignas(64) std::array<Lanes, small_entries> walk{}, diffusion{};
    alignas(64) std::array<Nodes, max_steps + 1> survivors{}, reverse{}, signals{};
    alignas(64) std::array<Lanes, max_steps + 1> largest_survivors{};
    alignas(64) Nodes best{}, absorption{}, limit{}, waited_for{};
    alignas(64) Lanes open{};

    /// The numbers as the kernels take them.
    template <class Array>
    static Quad* quads(Array& array) {
        return reinterpret_cast<Quad*>(&array);
    }
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

void OperatorBatch::load(int nodes, int heads, const PreparedHead* const* prepared, const double* alpha,
                         const double* beta) {
    nodes_ = nodes;
    heads_ = heads;
    survivor_steps_ = reverse_steps_ = signal_steps_ = 0;
    fidelities_known_ = absorption_known_ = false;
    const int entries = triangle_index(nodes, 0);
    std::array<const double*, max_heads * lanes> walk{}, diffusion{};
    least_entry_ = 1;
    for (auto& node : out_) node = 0;
    for (int h = 0; h < heads; ++h)
        for (int lane = 0; lane < lanes; ++lane) {
            const PreparedHead& head = *prepared[h * lanes + lane];
            walk[idx(h * lanes + lane)] = head.walk.data();
            diffusion[idx(h * lanes + lane)] = head.diffusion.data();
            least_entry_ = std::min(least_entry_, std::min(alpha[h], beta[h]) * head.least_entry);
            for (int j = 0; j < nodes; ++j)
                out_[idx(j)] |= static_cast<LaneBytes>(head.out[idx(j)]) << (8 * lane);
        }
    gather(walk.data(), alpha, heads, entries, storage_->walk.front().data());
    gather(diffusion.data(), beta, heads, entries, storage_->diffusion.front().data());
    for (int j = 0; j < nodes; ++j) {
        storage_->survivors[0][idx(j)].fill(j + 1 < nodes ? 1.0 : 0.0);
        storage_->reverse[0][idx(j)].fill(j > 0 ? 1.0 : 0.0);
        storage_->signals[0][idx(j)].fill(j + 1 < nodes ? 0.0 : 1.0);
    }
    error_per_step_ = (nodes + heads + 3) * 0x1p-53 * (1 + 0x1p-20);
    storage_->largest_survivors[0].fill(nodes > 1 ? 1.0 : 0.0);
    close_graphs();
}

void OperatorBatch::close_graphs() {
    constexpr LaneBytes ones = 0x0101010101010101u;
    for (int j = 0; j < nodes_; ++j) in_degree_[idx(j)] = ones;  // the self-loop
    all_reach_ = ones;
    for (int j = nodes_ - 1; j >= 0; --j) {
        reach_[idx(j)] = ones << j;
        for (int i = j + 1; i < nodes_; ++i) {
            const LaneBytes edge = out_[idx(j)] >> i & ones;  // 1 in the byte of each lane that has j → i
            reach_[idx(j)] |= reach_[idx(i)] & edge * 0xff;
            in_degree_[idx(i)] += edge;
        }
        all_reach_ &= reach_[idx(j)] >> (nodes_ - 1);
    }
}

void OperatorBatch::survivors_to(int step) {
    auto& all = storage_->survivors;
    for (; survivor_steps_ < step; ++survivor_steps_) {
        Quad* next = Storage::quads(all[idx(survivor_steps_ + 1)]);
        step_row(Storage::quads(storage_->walk), nodes_ - 1, Storage::quads(all[idx(survivor_steps_)]), next);
        take_largest(next, nodes_ - 1, Storage::quads(storage_->largest_survivors[idx(survivor_steps_ + 1)]));
    }
}

void OperatorBatch::reverse_survivors_to(int step) {
    auto& all = storage_->reverse;
    for (; reverse_steps_ < step; ++reverse_steps_)
        step_column(Storage::quads(storage_->diffusion), nodes_, Storage::quads(all[idx(reverse_steps_)]),
                    Storage::quads(all[idx(reverse_steps_ + 1)]));
}

void OperatorBatch::signals_to(int step) {
    auto& all = storage_->signals;
    for (; signal_steps_ < step; ++signal_steps_)
        step_row(Storage::quads(storage_->diffusion), nodes_, Storage::quads(all[idx(signal_steps_)]),
                 Storage::quads(all[idx(signal_steps_ + 1)]));
}

FastNumber OperatorBatch::survivors(int lane, int step, int node) {
    if (node == nodes_ - 1) return FastNumber::point(0);
    if (step > max_steps) return FastNumber::unknown();
    survivors_to(step);
    return probability(storage_->survivors[idx(step)][idx(node)][idx(lane)], step);
}

FastNumber OperatorBatch::signal(int lane, int step, int node) {
    if (step > max_steps) return FastNumber::unknown();
    signals_to(step);
    return probability(storage_->signals[idx(step)][idx(node)][idx(lane)], step);
}

FastNumber OperatorBatch::largest_survivors(int lane, int step) {
    if (step > max_steps) return FastNumber::unknown();
    survivors_to(step);
    return probability(storage_->largest_survivors[idx(step)][idx(lane)], step);
}

FastNumber OperatorBatch::largest_reverse_survivors(int lane, int step) {
    if (step > max_steps) return FastNumber::unknown();
    reverse_survivors_to(step);
    double largest = 0;
    for (int i = 1; i < nodes_; ++i)
        largest = std::max(largest, storage_->reverse[idx(step)][idx(i)][idx(lane)]);
    return probability(largest, step);
}

FastNumber OperatorBatch::sum_of_reverse_survivors(int lane, int step) {
    if (step > max_steps) return FastNumber::unknown();
    reverse_survivors_to(step);
    double sum = 0;
    for (int i = 1; i < nodes_; ++i) sum += storage_->reverse[idx(step)][idx(i)][idx(lane)];
    return step == 0 ? FastNumber::point(sum) : enclosed(sum, step + 1);
}

bool OperatorBatch::unique_source(int lane) const {
    for (int j = 1; j < nodes_; ++j)
        if (in_degree(lane, j) == 1) return false;
    return true;
}

FastNumber OperatorBatch::sum_of_survivors(int lane, int step) {
    if (step > max_steps) return FastNumber::unknown();
    survivors_to(step);
    double sum = 0;
    for (int j = 0; j + 1 < nodes_; ++j) sum += storage_->survivors[idx(step)][idx(j)][idx(lane)];
    return step == 0 ? FastNumber::point(sum) : enclosed(sum, step + 1);
}

FastNumber OperatorBatch::mass(int lane, int step, int node) {
    if (step > max_steps) return FastNumber::unknown();
    signals_to(step);
    double sum = 0;
    const unsigned reached = this->reached(lane, node);
    for (int k = 0; k < nodes_; ++k)
        if ((reached >> k & 1u) != 0) sum += storage_->signals[idx(step)][idx(k)][idx(lane)];
    return step == 0 ? FastNumber::point(sum) : probability(sum, step + 1);
}

void OperatorBatch::find_fidelities() {
    if (fidelities_known_) return;
    find_limits(Storage::quads(storage_->diffusion), nodes_, Storage::quads(storage_->limit));
    // A node that only its self-loop enters has its limit; the search does not wait for it. No node reaches
    // such a node, so the nodes j..n−1 without these include D_j, and what they hold bounds all that j gets.
    for (int j = 0; j < nodes_; ++j) {
        storage_->best[idx(j)].fill(-1);
        for (int lane = 0; lane < lanes; ++lane) {
            const bool reaches = (reached(lane, j) >> (nodes_ - 1) & 1u) != 0;  // else it holds nothing, ever
            storage_->waited_for[idx(j)][idx(lane)] = reaches && attained(lane, j) ? 1.0 : 0.0;
        }
    }
    static_assert(max_steps % steps_between_closings == 0,
                  "the last step is one that looks at the certificate");
    for (closed_step_ = 0; closed_step_ < max_steps;) {
        ++closed_step_;
        signals_to(closed_step_);
        const Quad* row = Storage::quads(storage_->signals[idx(closed_step_)]);
        raise_to(row, nodes_, Storage::quads(storage_->best));
        if (closed_step_ < nodes_ || closed_step_ % steps_between_closings != 0) continue;
        // Twice the error of a mass: for the mass, and for the maximum.
        const double slack = 1 + 2 * (relative_error(closed_step_ + 1) + 0x1p-50);
        excess_of_later_nodes(row, Storage::quads(storage_->best), Storage::quads(storage_->waited_for),
                              nodes_, slack, Storage::quads(storage_->open));
        if (std::all_of(storage_->open.begin(), storage_->open.end(), [](double open) { return open == 0; }))
            break;
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) closed_[lane] = storage_->open[lane] == 0;
    fidelities_known_ = true;
}

FastNumber OperatorBatch::fidelity(int lane, int node) {
    find_fidelities();
    if (!attained(lane, node)) {
        // At most n divisions and sums of n terms stand between the entries and the limit.
        return probability(storage_->limit[idx(node)][idx(lane)], 2 * nodes_);
    }
    if (!closed_[idx(lane)]) return FastNumber::unknown();
    return probability(storage_->best[idx(node)][idx(lane)], closed_step_);
}

FastNumber OperatorBatch::peak(int lane, int node) {
    find_fidelities();
    if (!attained(lane, node)) {
        if ((reached(lane, node) >> (nodes_ - 1) & 1u) == 0) return FastNumber::point(1);
        return node == nodes_ - 1 ? FastNumber::point(1)
                                  : FastNumber::point(std::numeric_limits<double>::infinity());
    }
    if (!closed_[idx(lane)]) return FastNumber::unknown();
    return {1, static_cast<double>(closed_step_), nullptr};
}

FastNumber OperatorBatch::minimax_fidelity(int lane, int count) {
    find_fidelities();
    double least = 1;
    for (int j = 0; j < count; ++j) {
        const bool is_attained = attained(lane, j);
        if (is_attained && !closed_[idx(lane)]) return FastNumber::unknown();
        const auto& values = is_attained ? storage_->best : storage_->limit;
        least = std::min(least, values[idx(j)][idx(lane)]);
    }
    return probability(least, std::max(closed_step_, 2 * nodes_));
}

void OperatorBatch::find_absorption() {
    if (absorption_known_) return;
    find_absorption_times(Storage::quads(storage_->walk), nodes_, Storage::quads(storage_->absorption));
    absorption_known_ = true;
}

FastNumber OperatorBatch::absorption(int lane, int node) {
    find_absorption();
    const double value = storage_->absorption[idx(node)][idx(lane)];
    if (std::isinf(value)) return FastNumber::point(value);
    return enclosed(value, 2 * nodes_);
}

int OperatorBatch::longest_path(int lane, int node) const {
    std::array<int, max_small_nodes> longest{};
    longest.fill(-1);
    longest[idx(nodes_ - 1)] = 0;
    for (int j = nodes_ - 2; j >= node; --j)
        for (int i = j + 1; i < nodes_; ++i)
            if ((out_edges(lane, j) >> i & 1u) != 0 && longest[idx(i)] >= 0)
                longest[idx(j)] = std::max(longest[idx(j)], longest[idx(i)] + 1);
    return longest[idx(node)];
}

double OperatorBatch::diffusion_entry(int lane, int i, int j) const {
    return storage_->diffusion[idx(triangle_index(i, j))][idx(lane)];
}

}  // namespace crosshead
