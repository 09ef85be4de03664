// The quantities of small systems for the evaluator, in certified doubles, eight systems at a time.
#pragma once

#include <array>
#include <crosshead/exact/convention.hpp>
#include <crosshead/proofs_check/conjecture/evaluator.hpp>
#include <crosshead/proofs_check/conjecture/fast_arithmetic.hpp>
#include <crosshead/proofs_check/search/operator_batch.hpp>
#include <vector>

namespace crosshead {

/// What is known of the heads of a pool, by index: each is measured once, however many systems it is part of.
class HeadMemo {
  public:
    /// Forgets everything, for a pool of `heads` heads.
    void reset(std::size_t heads);

    struct Time {
        double epsilon_lower = 0, epsilon_upper = 0;  // 0: unused
        FastNumber steps;
    };
    struct Record {
        bool measured = false;
        FastNumber forward_probability, fidelity, fidelity_without_sink, absorption_mean, absorption_worst;
        std::array<Time, 6> times;
    };
    Record& at(std::size_t head) { return records_[head]; }
    OperatorBatch& scratch() { return scratch_; }

  private:
    std::vector<Record> records_;
    OperatorBatch scratch_;  // for measuring one head
};

/// A Source (evaluator.hpp). Load up to eight systems, choose a lane, evaluate. Nothing is allocated after
/// the first load. Values that doubles cannot settle are unknown(), never wrong.
class FastSource {
  public:
    using Arithmetic = FastArithmetic;
    static constexpr int lanes = OperatorBatch::lanes;
    static constexpr int max_heads = OperatorBatch::max_heads;

    explicit FastSource(const Convention& convention) : convention_(convention) {}

    /// Every system that follows has `nodes` nodes, `heads` heads and these weights.
    void configure(int nodes, const std::vector<Rational>& alpha, const std::vector<Rational>& beta);
    /// Head `position` of the system in `lane`; `pool_index` is its index in `memo`. Heads must have all
    /// self-loops. Pointers must stay valid while the lane is asked. Every lane needs heads (copies do).
    void load(int lane, int position, const SmallHead& head, const PreparedHead& prepared,
              std::size_t pool_index);
    /// After the last load() of a group.
    void start(HeadMemo& memo);
    void choose(int lane) {
        lane_ = lane;
        was_loose_ = false;
    }
    /// Since choose(), some quantity was no better than a wide interval (a tie, or out of reach): what was
    /// decided is right, but a margin computed from it is not worth showing.
    bool was_loose() const { return was_loose_; }

    const FastArithmetic& arithmetic() const { return arithmetic_; }
    int nodes() const { return nodes_; }
    int heads() const { return heads_; }
    FastNumber number(QuantityId id, int head, const FastNumber& epsilon, const Indices& indices);
    Decision truth(QuantityId id, int head, const Indices& indices);

  private:
    FastNumber quantity(QuantityId id, int head, const FastNumber& epsilon, const Indices& indices);
    struct LoadedHead {
        const SmallHead* head = nullptr;
        std::size_t pool_index = 0;
    };
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }
    const LoadedHead& loaded(int head) const { return loaded_[idx(head)][idx(lane_)]; }
    /// The batch in which `head` (−1: the mixture) stands, filled when it is first asked for.
    OperatorBatch& batch(int head);
    /// The head of the chosen lane alone, in scratch space that the next call takes.
    OperatorBatch& alone(int head);
    HeadMemo::Record& record(int head);
    FastNumber leak(int head, int node) const;
    FastNumber least_leak(int head) const;
    FastNumber mixing_time(int head, const FastNumber& epsilon, const Convention& convention);
    FastNumber reverse_mixing_time(int head, const FastNumber& epsilon, const Convention& convention);
    FastNumber forward_scan(OperatorBatch& batch, int lane, const FastNumber& epsilon,
                            const Convention& convention) const;
    /// The first t at which distance(t) is below ε; `always` is a lower bound on it at every t.
    template <class Distance>
    FastNumber scan(const FastNumber& epsilon, const Convention& convention, double always,
                    const Distance& distance) const;
    FastNumber distance_of(const FastNumber& survivors, const Convention& convention) const;
    /// A lower bound on d(t) for every t: a start that never arrives keeps the worst distance where it was,
    /// and the mean above 1/n of it.
    static double kept_distance(bool arrives, const Convention& convention);
    FastNumber distance(OperatorBatch& batch, int lane, int step, const Convention& convention) const;
    FastNumber mean_absorption(OperatorBatch& batch, int lane) const;
    FastNumber worst_absorption(OperatorBatch& batch, int lane) const;
    FastNumber degree_quantity(QuantityId id, int head, int node);
    Decision heads_commute() const;
    const PreparedHead& prepared(int head) const { return *prepared_[idx(head * lanes + lane_)]; }
    /// word_sum and cross_signal (fast_words.cpp).
    FastNumber word_sum(int step, int node);
    FastNumber cross_signal(int step, int node);

    FastArithmetic arithmetic_;
    Convention convention_;
    int nodes_ = 0, heads_ = 0, lane_ = 0;
    std::array<FastNumber, max_heads> alpha_, beta_;
    std::array<double, max_heads> alpha_double_{}, beta_double_{};
    std::array<std::array<LoadedHead, lanes>, max_heads> loaded_;
    std::array<const PreparedHead*, max_heads * lanes> prepared_{};  // [position·lanes + lane]
    std::array<OperatorBatch, max_heads + 1> batches_;               // the mixture first
    std::array<bool, max_heads + 1> filled_{};
    mutable int last_time_ = 0;
    bool was_loose_ = false;
    HeadMemo* memo_ = nullptr;
};

}  // namespace crosshead
