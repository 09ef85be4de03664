#include <cmath>
#include <crosshead/numeric/long_chain.hpp>

namespace crosshead {
namespace {

/// Survivors at a time that is a sum of powers of two, with the roundings behind them.
class Survivors {
  public:
    Survivors(PowerLadder& ladder, SurvivorSide side)
        : ladder_(&ladder), side_(side), values_(static_cast<std::size_t>(ladder.nodes()), ladder.bits()) {
        for (std::size_t i = 0; i < values_.size(); ++i)
            mpfr_set_ui(values_[i], i == absorbing() ? 0 : 1, MPFR_RNDN);
    }
    Survivors after(std::size_t k) const {
        Survivors later(*this);
        if (side_ == SurvivorSide::row)
            ladder_->advance(values_, k, later.values_);
        else
            ladder_->advance_column(values_, k, later.values_);
        // The absorbing node holds no survivors: its row (or column) of every power is zero elsewhere.
        later.roundings_ += ladder_->roundings(k) + ladder_->nodes();
        later.steps_ += Integer(1) << k;
        return later;
    }
    const Integer& steps() const { return steps_; }

    /// Is d(steps) below ε? The aggregate carries roundings_ + n roundings of 2^−bits each.
    Decision passes(const Rational& epsilon, const Convention& convention) const {
        const bool mean = convention.start == Start::mean;
        FloatArray work(3, ladder_->bits());
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (mean)
                mpfr_add(work[0], work[0], values_[i], MPFR_RNDN);
            else
                mpfr_max(work[0], work[0], values_[i], MPFR_RNDN);
        }
        // Errors below 2^−1074 are as real as others: long double holds them.
        const long double error = 1.01L * (static_cast<long double>(roundings_) + ladder_->nodes() + 4) *
                                  std::ldexp(1.0L, -static_cast<int>(ladder_->bits()));
        if (!(error < 0x1p-20)) return Decision::undecided;
        const Rational threshold = epsilon * (mean ? ladder_->nodes() : 1) / distance_factor(convention.norm);
        return compare(work, error, threshold, convention.strict);
    }

  private:
    std::size_t absorbing() const { return side_ == SurvivorSide::row ? values_.size() - 1 : 0; }

    /// work[0] is the aggregate, within a relative `error`; work[1], work[2] are free.
    static Decision compare(FloatArray& work, long double error, const Rational& threshold, bool strict) {
        mpfr_set_ld(work[2], error, MPFR_RNDU);
        mpfr_add_ui(work[2], work[2], 1, MPFR_RNDU);
        mpfr_mul(work[1], work[0], work[2], MPFR_RNDU);  // upper end
        if (const int order = mpfr_cmp_q(work[1], threshold.backend().data());
            order < 0 || (!strict && order == 0))
            return Decision::yes;
        mpfr_set_ld(work[2], error, MPFR_RNDU);
        mpfr_ui_sub(work[2], 1, work[2], MPFR_RNDD);
        mpfr_mul(work[1], work[0], work[2], MPFR_RNDD);  // lower end
        const int order = mpfr_cmp_q(work[1], threshold.backend().data());
        return order > 0 || (strict && order == 0) ? Decision::no : Decision::undecided;
    }

    PowerLadder* ladder_;
    SurvivorSide side_;
    FloatArray values_;
    Integer steps_ = 0;
    double roundings_ = 0;
};

/// The largest t below 2^(top+1) for which `stays(survivors at t)` holds, found bit by bit; stays(t = 0)
/// holds.
template <class Stays>
Integer last_step(PowerLadder& ladder, SurvivorSide side, std::size_t top, const Stays& stays) {
    Survivors now(ladder, side);
    for (std::size_t k = top + 1; k-- > 0;) {
        Survivors later = now.after(k);
        if (stays(later)) now = std::move(later);
    }
    return now.steps();
}

}  // namespace

std::vector<MixingTime> long_mixing_times(PowerLadder& ladder, SurvivorSide side,
                                          const std::vector<Rational>& epsilons, const Convention& convention,
                                          std::size_t max_doublings) {
    std::vector<MixingTime> times;
    for (const auto& epsilon : epsilons) {
        MixingTime time;
        if (Survivors(ladder, side).passes(epsilon, convention) == Decision::yes) {
            times.push_back(MixingTime::exactly(0));
            continue;
        }
        std::size_t top = 0;
        const auto passes_at = [&](std::size_t k) {
            return Survivors(ladder, side).after(k).passes(epsilon, convention);
        };
        while (top < max_doublings && passes_at(top) != Decision::yes) ++top;
        time.lower = 1 + last_step(ladder, side, top, [&](const Survivors& s) {
                         return s.passes(epsilon, convention) == Decision::no;
                     });
        if (top < max_doublings)
            time.upper = 1 + last_step(ladder, side, top, [&](const Survivors& s) {
                             return s.passes(epsilon, convention) != Decision::yes;
                         });
        times.push_back(time);
    }
    return times;
}

}  // namespace crosshead
