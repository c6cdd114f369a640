// SPDX-License-Identifier: Apache-2.0
//
// The values of a record's assumptions: integers or doubles, with the arithmetic of the directives'
// expressions. An overflow, a division by zero or an argument of another type makes a value invalid. An
// invalid condition does not hold, so the original kernel runs.

#pragma once

#include <cmath>
#include <type_traits>

#include "checked.cuh"

namespace cupilot {
namespace detail {

class Number {
public:
  static Number whole(Checked value) { return {value, 0, false, true}; }
  static Number real(double value, bool valid = true) {
    return {Checked(0), value, true, valid && std::isfinite(value)};
  }
  static Number invalid() { return {Checked(0), 0, true, false}; }

  bool valid() const { return real_ ? valid_ : whole_.valid(); }
  bool truth() const { return real_ ? value_ != 0 : whole_.value() != 0; }
  bool holds() const { return valid() && truth(); }
  explicit operator bool() const { return holds(); }

  friend Number operator+(Number a, Number b) {
    return mixed(a, b) ? real(a.value() + b.value(), known(a, b)) : whole(a.whole_ + b.whole_);
  }
  friend Number operator-(Number a, Number b) {
    return mixed(a, b) ? real(a.value() - b.value(), known(a, b)) : whole(a.whole_ - b.whole_);
  }
  friend Number operator*(Number a, Number b) {
    return mixed(a, b) ? real(a.value() * b.value(), known(a, b)) : whole(a.whole_ * b.whole_);
  }
  friend Number operator/(Number a, Number b) {
    return mixed(a, b) ? real(a.value() / b.value(), known(a, b)) : whole(a.whole_ / b.whole_);
  }
  friend Number operator%(Number a, Number b) { return mixed(a, b) ? invalid() : whole(a.whole_ % b.whole_); }
  friend Number operator<<(Number a, Number b) {
    return mixed(a, b) ? invalid() : whole(a.whole_ << b.whole_);
  }
  friend Number operator>>(Number a, Number b) {
    return mixed(a, b) ? invalid() : whole(a.whole_ >> b.whole_);
  }
  friend Number operator&(Number a, Number b) { return mixed(a, b) ? invalid() : whole(a.whole_ & b.whole_); }
  friend Number operator|(Number a, Number b) { return mixed(a, b) ? invalid() : whole(a.whole_ | b.whole_); }
  friend Number operator^(Number a, Number b) { return mixed(a, b) ? invalid() : whole(a.whole_ ^ b.whole_); }

  friend Number operator==(Number a, Number b) {
    return mixed(a, b) ? answer(a.value() == b.value(), a, b) : whole(a.whole_ == b.whole_);
  }
  friend Number operator<(Number a, Number b) {
    return mixed(a, b) ? answer(a.value() < b.value(), a, b) : whole(a.whole_ < b.whole_);
  }
  friend Number operator!=(Number a, Number b) { return !(a == b); }
  friend Number operator>(Number a, Number b) { return b < a; }
  friend Number operator<=(Number a, Number b) { return !(b < a); }
  friend Number operator>=(Number a, Number b) { return !(a < b); }

  // Both sides are evaluated, which has no side effects; a side that C++ would not evaluate is ignored.
  friend Number operator&&(Number a, Number b) {
    return !a.valid() ? invalid() : !a.truth() ? whole(0) : b.valid() ? whole(b.truth()) : invalid();
  }
  friend Number operator||(Number a, Number b) {
    return !a.valid() ? invalid() : a.truth() ? whole(1) : b.valid() ? whole(b.truth()) : invalid();
  }
  Number operator!() const { return valid() ? whole(!truth()) : invalid(); }
  Number operator-() const { return real_ ? real(-value_, valid_) : whole(-whole_); }
  Number operator+() const { return *this; }
  Number operator~() const { return real_ ? invalid() : whole(~whole_); }

private:
  Number(Checked whole, double value, bool is_real, bool valid)
      : whole_(whole), value_(value), real_(is_real), valid_(valid) {}
  double value() const { return real_ ? value_ : static_cast<double>(whole_.value()); }
  static bool mixed(const Number &a, const Number &b) { return a.real_ || b.real_; }
  static bool known(const Number &a, const Number &b) { return a.valid() && b.valid(); }
  static Number answer(bool yes, const Number &a, const Number &b) {
    return known(a, b) ? whole(yes) : invalid();
  }

  Checked whole_;
  double value_;
  bool real_, valid_;
};

template <class T>
struct is_whole : std::integral_constant<bool, std::is_integral<T>::value || std::is_enum<T>::value> {};

template <class T>
typename std::enable_if<is_whole<T>::value, Number>::type number_of(T value) {
  return Number::whole(value);
}
template <class T>
typename std::enable_if<std::is_floating_point<T>::value, Number>::type number_of(T value) {
  return Number::real(static_cast<double>(value));
}
/// Assumptions about other types never hold.
template <class T>
typename std::enable_if<!is_whole<T>::value && !std::is_floating_point<T>::value, Number>::type number_of(
    const T &) {
  return Number::invalid();
}

inline Number least(Number a) {
  return a;
}
inline Number greatest(Number a) {
  return a;
}
template <class... Rest>
Number least(Number a, Number b, Rest... rest) {
  const Number less = b < a;
  return least(less.valid() ? (less.truth() ? b : a) : Number::invalid(), rest...);
}
template <class... Rest>
Number greatest(Number a, Number b, Rest... rest) {
  const Number less = a < b;
  return greatest(less.valid() ? (less.truth() ? b : a) : Number::invalid(), rest...);
}

}  // namespace detail
}  // namespace cupilot
