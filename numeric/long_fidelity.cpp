// Suprema over astronomically many steps, by branch and bound over time.
//
// Write x_t = e_τ Δ̄^t, y_t = x_{t+1} − x_t = x_t(Δ̄ − I), z_t = y_{t+1} − y_t = y_t(Δ̄ − I), l_j = 1 − Δ̄[j][j].
// For a vector v ≥ 0 let U_j(v, w) bound (v Δ̄^s)[j] for all 0 ≤ s ≤ w: going down from τ with the inflow
//     I_j = Σ_{k>j} U_k Δ̄[k][j],    U_j = min( max(v_j, I_j / l_j),  v_j + w·I_j );
// the first because u ← u(1 − l_j) + I_j stays below any bound that is at least v_j and I_j/l_j, the second
// because inflow adds at most I_j a step. Since |z_{a+s}| ≤ |z_a| Δ̄^s entrywise, Z_j = U_j(|z_a|, w) bounds
// the second difference on [a, a + w], and for 0 ≤ s ≤ w
//     y_a − w·Z ≤ y_{a+s} ≤ y_a + w·Z,    x_{a+s} ≤ x_a + w·max(0, y_a) + w²/2·Z    (entry j of each).
// So an interval on which y keeps its sign has its maximum at an end, which is computed; and one whose bound
// is not above the best value found cannot matter. The rest is halved.
#include <algorithm>
#include <cmath>
#include <crosshead/numeric/long_chain.hpp>
#include <limits>
#include <utility>

namespace crosshead {
namespace {

/// How far above the best value found a bound may lie and be left: relative 2^−33, about 10^−10.
constexpr double relative_slack = 0x1p-33;

/// Intervals that are halved at the most; past it their bounds are kept as they are (true, only wider).
constexpr std::size_t max_intervals = 20'000;

/// One step of Δ̄ twice over: in full precision for x, y and z, where sums cancel; in double, rounded up, for
/// the bounds on their errors, where nothing does.
class DifferenceBounds {
  public:
    explicit DifferenceBounds(PowerLadder& ladder)
        : matrix_(ladder.power(0)),
          n_(static_cast<std::size_t>(ladder.nodes())),
          bits_(ladder.bits()),
          leak_(n_, bits_),
          y_(n_, bits_),
          z_value_(n_, bits_),
          y_error_(n_),
          z_(n_),
          coarse_(matrix_.size()),
          leak_below_(n_),
          leak_above_(n_),
          fresh_error_(1.01 * (2.0 * ladder.nodes() + ladder.roundings(0) + 16) *
                       std::ldexp(1.0, -static_cast<int>(bits_))),
          inflation_(1 + (2.0 * ladder.nodes() + 64) * 0x1p-52) {
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t j = 0; j < i; ++j)
                mpfr_add(leak_[i], leak_[i], matrix_[packed(i, j)], MPFR_RNDN);
            leak_below_[i] = next_down(next_down(mpfr_get_d(leak_[i], MPFR_RNDD)));
            leak_above_[i] = next_up(next_up(mpfr_get_d(leak_[i], MPFR_RNDU)));
        }
        for (std::size_t e = 0; e < coarse_.size(); ++e)
            coarse_[e] = mpfr_zero_p(matrix_[e]) ? 0 : next_up(mpfr_get_d(matrix_[e], MPFR_RNDU));
    }

    /// y and its error at a time where x is known within a relative `error`; then Z over `width` steps.
    /// y and z are differences of non-negative sums, so their errors are relative errors of those sums.
    void at(const FloatArray& x, double error, double width) {
        difference(x, y_);
        std::vector<double> magnitude(n_), passed(n_), fresh(n_);
        for (std::size_t j = 0; j < n_; ++j) magnitude[j] = mpfr_get_d(x[j], MPFR_RNDU);
        sums(magnitude, y_error_);
        for (std::size_t j = 0; j < n_; ++j) {
            y_error_[j] = up(y_error_[j] * error);
            magnitude[j] = up(std::abs(mpfr_get_d(y_[j], MPFR_RNDA)) + y_error_[j]);
        }
        // z = y(Δ̄ − I): the error of y passes through the same sums, new roundings add to it.
        difference(y_, z_value_);
        sums(magnitude, fresh);
        sums(y_error_, passed);
        for (std::size_t j = 0; j < n_; ++j)
            z_[j] = up(std::abs(mpfr_get_d(z_value_[j], MPFR_RNDA)) + fresh[j] * fresh_error_ + passed[j]);
        bound_over(width);
    }
    mpfr_srcptr y(std::size_t j) const { return y_[j]; }
    double y_error(std::size_t j) const { return y_error_[j]; }
    double z(std::size_t j) const { return z_[j]; }

  private:
    /// Covers at most 2n + 60 roundings of a sum of non-negative doubles, underflow included.
    double up(double value) const {
        return value * inflation_ +
               (2.0 * static_cast<double>(n_) + 64) * std::numeric_limits<double>::denorm_min();
    }

    /// out_j = Σ_{k>j} v_k Δ̄[k][j] + l_j v_j for v ≥ 0, from above.
    void sums(const std::vector<double>& v, std::vector<double>& out) const {
        for (std::size_t j = 0; j < n_; ++j) out[j] = v[j] * leak_above_[j];
        for (std::size_t k = 0; k < n_; ++k)
            for (std::size_t j = 0; j < k; ++j) out[j] += v[k] * coarse_[packed(k, j)];
        for (auto& sum : out) sum = up(sum);
    }
    /// out = v(Δ̄ − I).
    void difference(const FloatArray& v, FloatArray& out) const {
        FloatArray product(1, bits_);
        for (std::size_t j = 0; j < n_; ++j) {
            mpfr_mul(out[j], v[j], leak_[j], MPFR_RNDN);
            mpfr_neg(out[j], out[j], MPFR_RNDN);
        }
        for (std::size_t k = 0; k < n_; ++k) {
            if (mpfr_zero_p(v[k])) continue;
            for (std::size_t j = 0; j < k; ++j) {
                mpfr_mul(product[0], v[k], matrix_[packed(k, j)], MPFR_RNDN);
                mpfr_add(out[j], out[j], product[0], MPFR_RNDN);
            }
        }
    }
    /// z_ ← U(z_, width).
    void bound_over(double width) {
        std::vector<double> inflow(n_, 0.0);
        for (std::size_t j = n_; j-- > 0;) {
            const double in = up(inflow[j]);
            const double growing = up(in * width + z_[j]);
            const double steady = leak_below_[j] > 0 ? std::max(up(in / leak_below_[j]), z_[j])
                                                     : std::numeric_limits<double>::infinity();
            z_[j] = std::min(steady, growing);
            for (std::size_t i = 0; i < j; ++i) inflow[i] += z_[j] * coarse_[packed(j, i)];
        }
    }

    const FloatArray& matrix_;
    std::size_t n_;
    mpfr_prec_t bits_;
    FloatArray leak_, y_, z_value_;
    std::vector<double> y_error_, z_;
    std::vector<double> coarse_, leak_below_, leak_above_;  // Δ̄ from above, packed; l_j from both sides
    double
        fresh_error_;  // relative, of one sum over the matrix: entries, leaks, at most 2n further roundings
    double inflation_;
};

/// A stretch of time that could hold the maximum of one node, and the bound that says so.
struct Candidate {
    Integer from, to;
    double upper;
};

class TimeSearch {
  public:
    TimeSearch(PowerLadder& ladder, const Reachability& reach, std::vector<CertifiedFidelity>& fidelities)
        : ladder_(ladder),
          reach_(reach),
          fidelities_(fidelities),
          bounds_(ladder),
          candidates_(fidelities.size()),
          n_(static_cast<std::size_t>(ladder.nodes())) {
        for (std::size_t j = 0; j < n_; ++j) {
            if (fidelities[j].final) continue;
            open_.push_back(j);
            // What the scan saw: its maximum is at least `lower`, its own upper end was widened by the mass.
            candidates_[j].push_back(
                {fidelities[j].attained_from, fidelities[j].attained_to, fidelities[j].scanned_upper});
        }
    }

    void run(std::size_t first_doubling, std::size_t max_doublings) {
        State now = start(first_doubling);
        for (std::size_t k = first_doubling; !open_.empty() && k < max_doublings; ++k) {
            State later = advanced(now, k);
            cover(now, k, later, open_);
            now = std::move(later);
            std::erase_if(open_, [&](std::size_t j) { return closed_by_mass(now, j); });
        }
        for (std::size_t j = 0; j < n_; ++j)
            if (!fidelities_[j].final) settle(j, std::find(open_.begin(), open_.end(), j) == open_.end());
    }

  private:
    struct State {
        Integer time;
        FloatArray x;
        double roundings;
    };

    double error_of(const State& state) const {
        return 1.01 * (state.roundings + 2.0 * ladder_.nodes() + ladder_.roundings(0) + 16) *
               std::ldexp(1.0, -static_cast<int>(ladder_.bits()));
    }
    State start(std::size_t k) {
        FloatArray unit(n_, ladder_.bits()), x(n_, ladder_.bits());
        mpfr_set_ui(unit[n_ - 1], 1, MPFR_RNDN);
        ladder_.advance(unit, k, x);
        return {Integer(1) << k, std::move(x), ladder_.roundings(k) + ladder_.nodes()};
    }
    State advanced(const State& from, std::size_t k) {
        FloatArray x(n_, ladder_.bits());
        ladder_.advance(from.x, k, x);
        return {from.time + (Integer(1) << k), std::move(x),
                from.roundings + ladder_.roundings(k) + ladder_.nodes()};
    }
    double upper(mpfr_srcptr value, double error) const {
        return next_up(mpfr_get_d(value, MPFR_RNDU) * next_up(1 + 2 * error));
    }
    double lower(mpfr_srcptr value, double error) const {
        return error >= 0.25 ? 0 : next_down(mpfr_get_d(value, MPFR_RNDD) * next_down(1 - 2 * error));
    }

    /// x at one time as a candidate: it raises the maximum, or may equal it.
    void take_point(const State& at, std::size_t j) {
        const double error = error_of(at);
        auto& best = best_lower(j);
        best = std::max(best, lower(at.x[j], error));
        if (const double bound = upper(at.x[j], error); bound >= best)
            candidates_[j].push_back({at.time, at.time, bound});
    }
    double& best_lower(std::size_t j) {
        if (best_.empty()) {
            best_.resize(n_);
            for (std::size_t i = 0; i < n_; ++i) best_[i] = fidelities_[i].value.lower();
        }
        return best_[j];
    }

    /// Bounds x_t[j] on [from, from + 2^k] for every node listed; both end states are known.
    void cover(const State& from, std::size_t k, const State& to, const std::vector<std::size_t>& nodes) {
        ++intervals_;
        for (const std::size_t j : nodes) {
            take_point(from, j);
            take_point(to, j);
        }
        if (k == 0) return;
        const double width = std::ldexp(1.0, static_cast<int>(k));
        const double error = error_of(from);
        bounds_.at(from.x, error, width);
        std::vector<std::size_t> undecided;
        for (const std::size_t j : nodes)
            if (!interval_settled(from, k, j, error)) undecided.push_back(j);
        if (undecided.empty()) return;
        const State middle = advanced(from, k - 1);
        cover(from, k - 1, middle, undecided);
        cover(middle, k - 1, to, undecided);
    }

    bool interval_settled(const State& from, std::size_t k, std::size_t j, double error) {
        const double width = std::ldexp(1.0, static_cast<int>(k));
        const double reach_of_y = next_up(next_up(bounds_.z(j) * width) + bounds_.y_error(j));
        const double y_below = next_down(std::abs(mpfr_get_d(bounds_.y(j), MPFR_RNDZ)));
        if (y_below >= reach_of_y) return true;  // y keeps its sign: the maximum is at an end
        // x_a + w·max(0, y_a + error) + w²/2·Z.
        const double slope = next_up(std::max(0.0, mpfr_get_d(bounds_.y(j), MPFR_RNDU)) + bounds_.y_error(j));
        const double rise =
            next_up(next_up(slope * width) + next_up(next_up(width * width / 2) * bounds_.z(j)));
        const double bound = next_up(upper(from.x[j], error) + rise);
        const double best = best_lower(j);
        // A time as coarse as the enclosures themselves cannot be resolved by halving further.
        const double resolution = std::max(relative_slack, 16 * error);
        if (bound > next_up(best * (1 + resolution)) && intervals_ < max_intervals) return false;
        if (bound >= best) {
            candidates_[j].push_back({from.time, from.time + (Integer(1) << k), bound});
        }
        return true;
    }

    /// All mass that could still pass through j is no more than the best value: later steps cannot matter.
    bool closed_by_mass(const State& at, std::size_t j) {
        FloatArray mass(1, ladder_.bits());
        const auto& reached = reach_.reached_from(static_cast<Node>(j));
        for (auto k = reached.find_first(); k != boost::dynamic_bitset<>::npos; k = reached.find_next(k))
            mpfr_add(mass[0], mass[0], at.x[k], MPFR_RNDU);
        return upper(mass[0], error_of(at)) <= best_lower(j);
    }

    void settle(std::size_t j, bool closed) {
        auto& fidelity = fidelities_[j];
        const double best = best_lower(j);
        double bound = best;
        bool any = false;
        for (const auto& candidate : candidates_[j]) {
            if (candidate.upper < best) continue;
            bound = std::max(bound, candidate.upper);
            if (!any || candidate.from < fidelity.attained_from) fidelity.attained_from = candidate.from;
            if (!any || candidate.to > fidelity.attained_to) fidelity.attained_to = candidate.to;
            any = true;
        }
        fidelity.final = closed;
        // The scan's own upper end, the mass it left, stays a bound on every step.
        const double mass = fidelity.value.upper();
        fidelity.value = {best, std::max(best, closed ? std::min(bound, mass) : mass)};
    }

    PowerLadder& ladder_;
    const Reachability& reach_;
    std::vector<CertifiedFidelity>& fidelities_;
    DifferenceBounds bounds_;
    std::vector<std::vector<Candidate>> candidates_;
    std::vector<double> best_;
    std::vector<std::size_t> open_;
    std::size_t n_;
    std::size_t intervals_ = 0;
};

}  // namespace

void refine_long_fidelities(PowerLadder& ladder, const Reachability& reach, std::size_t scanned_doublings,
                            std::size_t max_doublings, std::vector<CertifiedFidelity>& fidelities) {
    TimeSearch(ladder, reach, fidelities).run(scanned_doublings, max_doublings);
}

}  // namespace crosshead
