// Every quantity of the conjecture language by its definition (docs/conjectures.md, design §1), from the
// dense rational matrices of ../exact/naive.hpp. Nothing here shares code with the sources under test.
#pragma once

#include <algorithm>
#include <crosshead/exact/convention.hpp>
#include <crosshead/proofs_check/conjecture/quantities.hpp>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "../exact/naive.hpp"

namespace crosshead::testing {

/// A number, infinity, or no value at all.
struct NaiveValue {
    enum class Kind { finite, infinite, undefined } kind = Kind::finite;
    Rational value = 0;

    static NaiveValue of(const Rational& value) { return {Kind::finite, value}; }
    static NaiveValue infinity() { return {Kind::infinite, 0}; }
    static NaiveValue undefined() { return {Kind::undefined, 0}; }
    bool finite() const { return kind == Kind::finite; }
};

/// One walk and one diffusion matrix.
class NaiveOperator {
  public:
    explicit NaiveOperator(const HeadSystem& system)
        : walk_(naive::walk(system)), diffusion_(naive::diffusion(system)), n_(walk_.size()) {
        Row row(n_, 0);
        row[n_ - 1] = 1;
        signals_ = {row};
        Row alive(n_, 1);
        alive[n_ - 1] = 0;
        survivors_ = {alive};
        Row away(n_, 1);
        away[0] = 0;
        reverse_ = {away};
    }
    std::size_t nodes() const { return n_; }
    const naive::Matrix& walk() const { return walk_; }
    const naive::Matrix& diffusion() const { return diffusion_; }

    bool edge(std::size_t from, std::size_t to) const { return walk_[to][from] != 0; }
    bool reaches(std::size_t from, std::size_t to) const {
        if (from == to) return true;
        for (std::size_t i = from + 1; i < n_; ++i)
            if (edge(from, i) && reaches(i, to)) return true;
        return false;
    }
    bool all_reach_sink() const {
        for (std::size_t j = 0; j < n_; ++j)
            if (!reaches(j, n_ - 1)) return false;
        return true;
    }
    bool has_other_in_edge(std::size_t j) const {
        for (std::size_t k = 0; k < j; ++k)
            if (diffusion_[j][k] != 0) return true;
        return false;
    }
    bool unique_source() const {
        for (std::size_t j = 1; j < n_; ++j)
            if (!has_other_in_edge(j)) return false;
        return true;
    }
    /// −1 where there is no path.
    int longest_path(std::size_t from) const {
        if (from + 1 == n_) return 0;
        int longest = -1;
        for (std::size_t i = from + 1; i < n_; ++i)
            if (edge(from, i))
                if (const int rest = longest_path(i); rest >= 0) longest = std::max(longest, rest + 1);
        return longest;
    }

    Rational least_leak() const {
        Rational least = 1;
        for (std::size_t j = 0; j + 1 < n_; ++j) least = std::min(least, Rational(1 - walk_[j][j]));
        return least;
    }
    /// 1 − (W^t)[τ][j], (Δ^t)[τ][j], and the walk down from i that is not in node 0 after t steps.
    const Rational& survivors(std::size_t t, std::size_t j) {
        grow(survivors_, t, [&](const Row& now, std::size_t to) {
            Rational sum = 0;
            for (std::size_t i = 0; i + 1 < n_; ++i) sum += now[i] * walk_[i][to];
            return to + 1 == n_ ? Rational(0) : sum;
        });
        return survivors_[t][j];
    }
    const Rational& signal(std::size_t t, std::size_t j) {
        grow(signals_, t, [&](const Row& now, std::size_t to) {
            Rational sum = 0;
            for (std::size_t i = 0; i < n_; ++i) sum += now[i] * diffusion_[i][to];
            return sum;
        });
        return signals_[t][j];
    }
    const Rational& reverse_survivors(std::size_t t, std::size_t i) {
        grow(reverse_, t, [&](const Row& now, std::size_t from) {
            Rational sum = 0;
            for (std::size_t k = 1; k < n_; ++k) sum += diffusion_[from][k] * now[k];
            return from == 0 ? Rational(0) : sum;
        });
        return reverse_[t][i];
    }
    Rational mass(std::size_t t, std::size_t j) {
        Rational sum = 0;
        for (std::size_t k = 0; k < n_; ++k)
            if (reaches(j, k)) sum += signal(t, k);
        return sum;
    }
    Rational distance(std::size_t t, bool reverse = false, const Convention& convention = {}) {
        Rational largest = 0, total = 0;
        for (std::size_t j = 0; j < n_; ++j) {
            const Rational one = reverse ? reverse_survivors(t, j) : survivors(t, j);
            largest = std::max(largest, one);
            total += one;
        }
        const Rational n(static_cast<unsigned>(n_));
        return (convention.norm == Norm::l1 ? 2 : 1) *
               (convention.start == Start::worst ? largest : Rational(total / n));
    }
    /// Infinity where 400 steps do not suffice: for `epsilon` and systems for which that is certain.
    NaiveValue mixing_time(const Rational& epsilon, bool reverse = false, const Convention& convention = {}) {
        for (std::size_t t = 0; t <= 400; ++t) {
            const Rational now = distance(t, reverse, convention);
            if (convention.strict ? now < epsilon : now <= epsilon)
                return NaiveValue::of(static_cast<unsigned>(t));
            if (t > 2 * n_ && now == distance(t - 1, reverse, convention)) return NaiveValue::infinity();
            if (t >= 40 && !(reverse ? unique_source() : all_reach_sink())) return NaiveValue::infinity();
        }
        throw std::logic_error("400 steps do not tell whether it mixes");
    }
    /// Expected steps to the sink: 1 + Σ over the next node, by first-step analysis.
    NaiveValue absorption(std::size_t j) const {
        if (j + 1 == n_) return NaiveValue::of(0);
        if (walk_[j][j] == 1) return NaiveValue::infinity();
        Rational sum = 1;
        for (std::size_t i = j + 1; i < n_; ++i) {
            if (!edge(j, i)) continue;
            const NaiveValue later = absorption(i);
            if (!later.finite()) return later;
            sum += walk_[i][j] * later.value;
        }
        return NaiveValue::of(sum / (1 - walk_[j][j]));
    }

    struct Fidelity {
        Rational value;
        std::optional<std::size_t> attained_at;  // the first t ≥ 1; nothing where it is a limit
    };
    const Fidelity& fidelity(std::size_t j) {
        if (fidelities_.empty())
            for (std::size_t k = 0; k < n_; ++k) fidelities_.push_back(find_fidelity(k));
        return fidelities_[j];
    }

  private:
    using Row = std::vector<Rational>;

    void grow(std::vector<Row>& rows, std::size_t t,
              const std::function<Rational(const Row&, std::size_t)>& entry) {
        while (rows.size() <= t) {
            Row next(n_);
            for (std::size_t k = 0; k < n_; ++k) next[k] = entry(rows.back(), k);
            rows.push_back(std::move(next));
        }
    }
    Fidelity find_fidelity(std::size_t j) {
        if (!reaches(j, n_ - 1)) return {0, 1};
        if (!has_other_in_edge(j) && j + 1 < n_) return {chance_of_ending_at(j, n_ - 1), std::nullopt};
        // No later signal exceeds mass(t, j), which never grows.
        Fidelity best{-1, std::nullopt};
        for (std::size_t t = 1; t <= 1000; ++t) {
            if (signal(t, j) > best.value) best = {signal(t, j), t};
            if (mass(t, j) <= best.value) return best;
        }
        throw std::logic_error("1000 steps do not tell the fidelity");
    }
    /// The walk down from `from` ends in the source j, which it never leaves.
    Rational chance_of_ending_at(std::size_t j, std::size_t from) const {
        if (from == j) return 1;
        if (from < j || diffusion_[from][from] == 1) return 0;
        Rational sum = 0;
        for (std::size_t k = j; k < from; ++k)
            if (diffusion_[from][k] != 0) sum += diffusion_[from][k] * chance_of_ending_at(j, k);
        return sum / (1 - diffusion_[from][from]);
    }

    naive::Matrix walk_, diffusion_;
    std::size_t n_;
    std::vector<Row> survivors_, signals_, reverse_;
    std::vector<Fidelity> fidelities_;
};

/// All quantities of a system whose heads have all their self-loops and positive head weights.
class NaiveQuantities {
  public:
    explicit NaiveQuantities(const HeadSystem& system, const Convention& convention = {})
        : system_(system), convention_(convention) {
        operators_.emplace_back(system);
        for (std::size_t h = 0; h < system.head_count(); ++h) operators_.emplace_back(system.single_head(h));
    }
    NaiveOperator& at(int head) { return operators_[static_cast<std::size_t>(head + 1)]; }

    NaiveValue number(QuantityId id, int head, const Rational& epsilon, int step, int node) {
        using Id = QuantityId;
        NaiveOperator& one = at(head);
        const auto t = static_cast<std::size_t>(step), j = static_cast<std::size_t>(node);
        const std::size_t n = one.nodes();
        const auto number = [](const Rational& value) { return NaiveValue::of(value); };
        const auto count = [](std::size_t value) { return NaiveValue::of(static_cast<unsigned>(value)); };
        switch (id) {
            case Id::nodes:
                return count(n);
            case Id::path_length:
                return count(n - 1);
            case Id::heads:
                return count(system_.head_count());
            case Id::walk_weight:
                return number(system_.walk_weights()[static_cast<std::size_t>(head)]);
            case Id::diffusion_weight:
                return number(system_.diffusion_weights()[static_cast<std::size_t>(head)]);
            case Id::forward_probability: {
                if (head >= 0) return number(one.least_leak());
                Rational sum = 0;
                for (std::size_t h = 0; h < system_.head_count(); ++h)
                    sum += system_.walk_weights()[h] * operators_[h + 1].least_leak();
                return number(sum);
            }
            case Id::mixture_forward_probability:
                return number(at(-1).least_leak());
            case Id::mixing_time:
                return one.mixing_time(epsilon, false, convention_);
            case Id::mixing_time_tv:
                return one.mixing_time(epsilon, false, {Norm::total_variation, true, Start::worst});
            case Id::reverse_mixing_time:
                return one.mixing_time(epsilon, true, convention_);
            case Id::reverse_mixing_time_tv:
                return one.mixing_time(epsilon, true, {Norm::total_variation, true, Start::worst});
            case Id::distance:
                return number(one.distance(t));
            case Id::survivors:
                return number(one.survivors(t, j));
            case Id::absorption_mean:
            case Id::absorption_worst: {
                Rational sum = 0, worst = 0;
                for (std::size_t k = 0; k < n; ++k) {
                    const NaiveValue time = one.absorption(k);
                    if (!time.finite()) return time;
                    sum += time.value;
                    worst = std::max(worst, time.value);
                }
                return number(
                    id == Id::absorption_worst ? worst : Rational(sum / Rational(static_cast<unsigned>(n))));
            }
            case Id::absorption:
                return one.absorption(j);
            case Id::fidelity:
            case Id::fidelity_without_sink: {
                Rational least = 1;
                for (std::size_t k = 0; k < (id == Id::fidelity ? n : n - 1); ++k)
                    least = std::min(least, one.fidelity(k).value);
                return number(least);
            }
            case Id::node_fidelity:
                return number(one.fidelity(j).value);
            case Id::peak:
                return one.fidelity(j).attained_at ? count(*one.fidelity(j).attained_at)
                                                   : NaiveValue::infinity();
            case Id::signal:
                return number(one.signal(t, j));
            case Id::word_sum:
                return number(words(t).all[j]);
            case Id::cross_signal:
                return number(words(t).of_two_heads[j]);
            case Id::mass:
                return number(one.mass(t, j));
            case Id::longest_path:
            case Id::longest_path_from: {
                int longest = one.longest_path(j);
                for (std::size_t k = 0; k < n && id == Id::longest_path; ++k)
                    longest = std::max(longest, one.longest_path(k));
                return longest < 0 ? NaiveValue::undefined() : number(longest);
            }
            default:
                return number(degree(id, one, j));
        }
    }
    bool truth(QuantityId id, int head, int node, int second) {
        NaiveOperator& one = at(head);
        const auto i = static_cast<std::size_t>(node), j = static_cast<std::size_t>(second);
        switch (id) {
            case QuantityId::attained:
                return one.fidelity(i).attained_at.has_value();
            case QuantityId::edge:
                return i <= j && one.edge(i, j);
            case QuantityId::reaches_sink:
                return one.all_reach_sink();
            case QuantityId::unique_source:
                return one.unique_source();
            default:
                for (std::size_t g = 1; g < operators_.size(); ++g)
                    for (std::size_t h = 1; h < g; ++h)
                        if (naive::product(operators_[g].diffusion(), operators_[h].diffusion()) !=
                            naive::product(operators_[h].diffusion(), operators_[g].diffusion()))
                            return false;
                return true;
        }
    }

  private:
    /// Row τ of the sum over words of t letters: of every word, and of those with two different letters.
    struct WordSums {
        std::vector<Rational> all, of_two_heads;
    };
    /// Each word by itself: its number, written in base H, gives its letters; h_1 is the lowest digit.
    const WordSums& words(std::size_t t) {
        if (const auto known = words_.find(t); known != words_.end()) return known->second;
        const std::size_t n = operators_[0].nodes(), heads = system_.head_count();
        std::size_t count = 1;
        for (std::size_t k = 0; k < t; ++k) count *= heads;
        WordSums sums{std::vector<Rational>(n, 0), std::vector<Rational>(n, 0)};
        for (std::size_t word = 0; word < count; ++word) {
            std::vector<std::size_t> letters;
            for (std::size_t k = 0, rest = word; k < t; ++k, rest /= heads) letters.push_back(rest % heads);
            std::vector<Rational> row(n, 0);
            row[n - 1] = 1;
            for (auto h = letters.rbegin(); h != letters.rend(); ++h) {
                std::vector<Rational> next(n, 0);
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t j = 0; j <= i; ++j)
                        next[j] += row[i] * operators_[*h + 1].diffusion()[i][j];
                for (auto& entry : next) entry *= system_.diffusion_weights()[*h];
                row = std::move(next);
            }
            const bool mixed = std::any_of(letters.begin(), letters.end(),
                                           [&](std::size_t h) { return h != letters.front(); });
            for (std::size_t j = 0; j < n; ++j) {
                sums.all[j] += row[j];
                if (mixed) sums.of_two_heads[j] += row[j];
            }
        }
        return words_.emplace(t, std::move(sums)).first->second;
    }
    static Rational degree(QuantityId id, const NaiveOperator& one, std::size_t node) {
        const std::size_t n = one.nodes();
        std::vector<int> out(n, 0), in(n, 0);
        int edges = 0;
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = j; i < n; ++i) {
                if (!one.edge(j, i)) continue;
                ++out[j];
                ++in[i];
                if (i != j) ++edges;
            }
        switch (id) {
            case QuantityId::out_degree:
                return out[node];
            case QuantityId::in_degree:
                return in[node];
            case QuantityId::out_degree_min:
                return *std::min_element(out.begin(), out.end() - 1);
            case QuantityId::out_degree_max:
                return *std::max_element(out.begin(), out.end());
            case QuantityId::in_degree_min:
                return *std::min_element(in.begin(), in.end());
            case QuantityId::in_degree_max:
                return *std::max_element(in.begin(), in.end());
            default:
                return edges;
        }
    }

    const HeadSystem& system_;
    Convention convention_;
    std::vector<NaiveOperator> operators_;
    std::map<std::size_t, WordSums> words_;
};

}  // namespace crosshead::testing
