// Arrays of MPFR numbers with one precision, limbs in one block: the scalar of long chains.
#pragma once

#include <mpfr.h>

#include <cstddef>
#include <vector>

namespace crosshead {

/// `size` MPFR numbers of `bits` bits each, all zero at first. Movable; operator[] gives what mpfr_* takes.
class FloatArray {
  public:
    FloatArray() = default;
    FloatArray(std::size_t size, mpfr_prec_t bits)
        : limbs_each_(mpfr_custom_get_size(bits) / sizeof(mp_limb_t)),
          bits_(bits),
          limbs_(size * limbs_each_),
          numbers_(size) {
        for (std::size_t i = 0; i < size; ++i) {
            void* limbs = &limbs_[i * limbs_each_];
            mpfr_custom_init(limbs, bits);
            mpfr_custom_init_set(&numbers_[i], MPFR_ZERO_KIND, 0, bits, limbs);
        }
    }
    FloatArray(const FloatArray& other) : FloatArray(other.size(), other.bits_) {
        for (std::size_t i = 0; i < size(); ++i) mpfr_set((*this)[i], other[i], MPFR_RNDN);
    }
    FloatArray& operator=(const FloatArray& other) {
        FloatArray copy(other);
        return *this = std::move(copy);
    }
    // Vectors keep their storage when moved, so the pointers inside numbers_ stay right.
    FloatArray(FloatArray&&) noexcept = default;
    FloatArray& operator=(FloatArray&&) noexcept = default;
    ~FloatArray() = default;

    std::size_t size() const { return numbers_.size(); }
    mpfr_prec_t bits() const { return bits_; }
    mpfr_ptr operator[](std::size_t i) { return &numbers_[i]; }
    mpfr_srcptr operator[](std::size_t i) const { return &numbers_[i]; }
    void set_zero() {
        for (auto& number : numbers_) mpfr_set_zero(&number, 1);
    }

  private:
    std::size_t limbs_each_ = 0;
    mpfr_prec_t bits_ = MPFR_PREC_MIN;
    std::vector<mp_limb_t> limbs_;
    std::vector<__mpfr_struct> numbers_;
};

}  // namespace crosshead
