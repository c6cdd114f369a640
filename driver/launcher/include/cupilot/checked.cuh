// SPDX-License-Identifier: Apache-2.0
//
// Integers of 64 bits for a record's guard. An overflow, a division by zero or a shift by too many bits makes
// a value invalid instead of undefined. An invalid value equals no other, so the original kernel runs.

#pragma once

#include <type_traits>

namespace cupilot {
namespace detail {

class Checked {
public:
  template <class Integer, class = typename std::enable_if<std::is_integral<Integer>::value ||
                                                           std::is_enum<Integer>::value>::type>
  Checked(Integer value)
      : value_(static_cast<long long>(value)), valid_(value_ >= 0 || static_cast<Integer>(-1) < Integer()) {}
  bool is(long long other) const { return valid_ && value_ == other; }
  bool between(long long least, long long greatest) const {
    return valid_ && least <= value_ && value_ <= greatest;
  }
  bool valid() const { return valid_; }
  long long value() const { return value_; }
  explicit operator bool() const { return valid_ && value_ != 0; }

  friend Checked operator+(Checked a, Checked b) {
    long long result = 0;
    const bool fits = !__builtin_add_overflow(a.value_, b.value_, &result);
    return {result, a.valid_ && b.valid_ && fits};
  }
  friend Checked operator-(Checked a, Checked b) {
    long long result = 0;
    const bool fits = !__builtin_sub_overflow(a.value_, b.value_, &result);
    return {result, a.valid_ && b.valid_ && fits};
  }
  friend Checked operator*(Checked a, Checked b) {
    long long result = 0;
    const bool fits = !__builtin_mul_overflow(a.value_, b.value_, &result);
    return {result, a.valid_ && b.valid_ && fits};
  }
  friend Checked operator/(Checked a, Checked b) {
    return divides(a, b) ? Checked(a.value_ / b.value_, true) : Checked(0, false);
  }
  friend Checked operator%(Checked a, Checked b) {
    return divides(a, b) ? Checked(a.value_ % b.value_, true) : Checked(0, false);
  }
  friend Checked operator<<(Checked a, Checked b) {
    if (!b.between(0, 62)) return {0, false};
    return a * Checked(1LL << b.value_, true);
  }
  friend Checked operator>>(Checked a, Checked b) {
    return b.between(0, 63) ? Checked(a.value_ >> b.value_, a.valid_) : Checked(0, false);
  }
  friend Checked operator&(Checked a, Checked b) { return {a.value_ & b.value_, a.valid_ && b.valid_}; }
  friend Checked operator|(Checked a, Checked b) { return {a.value_ | b.value_, a.valid_ && b.valid_}; }
  friend Checked operator^(Checked a, Checked b) { return {a.value_ ^ b.value_, a.valid_ && b.valid_}; }
  friend Checked operator==(Checked a, Checked b) { return {a.value_ == b.value_, a.valid_ && b.valid_}; }
  friend Checked operator!=(Checked a, Checked b) { return {a.value_ != b.value_, a.valid_ && b.valid_}; }
  friend Checked operator<(Checked a, Checked b) { return {a.value_ < b.value_, a.valid_ && b.valid_}; }
  friend Checked operator<=(Checked a, Checked b) { return {a.value_ <= b.value_, a.valid_ && b.valid_}; }
  friend Checked operator>(Checked a, Checked b) { return {a.value_ > b.value_, a.valid_ && b.valid_}; }
  friend Checked operator>=(Checked a, Checked b) { return {a.value_ >= b.value_, a.valid_ && b.valid_}; }
  friend Checked min(Checked a, Checked b) {
    return {a.value_ < b.value_ ? a.value_ : b.value_, a.valid_ && b.valid_};
  }
  friend Checked max(Checked a, Checked b) {
    return {a.value_ > b.value_ ? a.value_ : b.value_, a.valid_ && b.valid_};
  }
  Checked operator-() const { return Checked(0, true) - *this; }
  Checked operator+() const { return *this; }
  Checked operator~() const { return {~value_, valid_}; }

private:
  Checked(long long value, bool valid) : value_(value), valid_(valid) {}
  static bool divides(Checked a, Checked b) {
    return a.valid_ && b.valid_ && b.value_ != 0 && !(b.value_ == -1 && a.value_ == -a.kGreatest - 1);
  }
  static constexpr long long kGreatest = 0x7fffffffffffffffLL;

  long long value_;
  bool valid_;
};

}  // namespace detail
}  // namespace cupilot
