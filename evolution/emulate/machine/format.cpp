// SPDX-License-Identifier: Apache-2.0
// Device printf: formats one conversion at a time with the host's printf and the same flags.

#include <cstdio>
#include <cstring>

#include "evolution/emulate/machine/builtin.h"

namespace cupilot::emulate::machine {
namespace {

struct Conversion {
  std::string flags;  ///< with width and precision, "*" replaced
  int longs = 0;      ///< l: 1, ll j: 2, z t: 2; h: -1, hh: -2
  char kind = 0;
};

/// Limits width and precision, so that a hostile format cannot produce a gigabyte of spaces.
constexpr int kMostWidth = 4096;

std::string clamped(const std::string &digits) {
  long value = 0;
  for (const char c : digits) value = value > kMostWidth ? value : value * 10 + (c - '0');
  return std::to_string(value > kMostWidth ? kMostWidth : value);
}

class Formatter {
public:
  Formatter(const std::string &format, FormatArguments &arguments, std::string &out)
      : format_(format), arguments_(arguments), out_(out) {}

  int run() {
    while (at_ < format_.size()) {
      const char c = format_[at_++];
      if (c != '%')
        out_ += c;
      else if (at_ < format_.size() && format_[at_] == '%')
        out_ += format_[at_++];
      else
        convert();
    }
    return used_;
  }

private:
  void number(Conversion &conversion) {
    if (at_ < format_.size() && format_[at_] == '*') {
      ++at_;
      std::int32_t value = 0;
      take(value);
      if (value < 0) conversion.flags += '-';
      const std::int64_t positive = value < 0 ? -std::int64_t{value} : value;
      conversion.flags += clamped(std::to_string(positive));
      return;
    }
    std::string digits;
    while (at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9') digits += format_[at_++];
    if (!digits.empty()) conversion.flags += clamped(digits);
  }

  void convert() {
    const std::size_t start = at_ - 1;
    Conversion conversion;
    while (at_ < format_.size() && std::strchr("-+ #0", format_[at_])) conversion.flags += format_[at_++];
    number(conversion);
    if (at_ < format_.size() && format_[at_] == '.') {
      conversion.flags += format_[at_++];
      number(conversion);
    }
    for (; at_ < format_.size(); ++at_) {
      const char c = format_[at_];
      if (c == 'l')
        ++conversion.longs;
      else if (c == 'j' || c == 'z' || c == 't')
        conversion.longs = 2;
      else if (c == 'h')
        --conversion.longs;
      else if (c != 'L')
        break;
    }
    conversion.kind = at_ < format_.size() ? format_[at_++] : '\0';
    if (!print(conversion)) out_.append(format_, start, at_ - start);
  }

  template <typename T>
  void take(T &value) {
    if (arguments_.next(&value, sizeof value)) ++used_;
  }

  template <typename T>
  void put(const Conversion &conversion, const char *size, T value) {
    const std::string one = "%" + conversion.flags + size + conversion.kind;
    std::string text(2 * kMostWidth + 512, '\0');
    const int length = std::snprintf(text.data(), text.size(), one.c_str(), value);
    if (length > 0) out_.append(text, 0, std::min(static_cast<std::size_t>(length), text.size() - 1));
  }

  bool print(const Conversion &conversion) {
    switch (conversion.kind) {
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        integer(conversion);
        return true;
      case 'c': {
        std::int32_t value = 0;
        take(value);
        put(conversion, "", value);
        return true;
      }
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        double value = 0;
        take(value);
        put(conversion, "", value);
        return true;
      }
      case 'p': {
        std::uint64_t value = 0;
        take(value);
        put(conversion, "", reinterpret_cast<void *>(value));
        return true;
      }
      case 's': {
        std::uint64_t address = 0;
        take(address);
        std::string text;
        if (!address || !arguments_.text(address, text)) text = "(null)";
        put(conversion, "", text.c_str());
        return true;
      }
      default:
        return false;
    }
  }

  void integer(const Conversion &conversion) {
    const char *const sizes[] = {"hh", "h", "", "ll", "ll"};
    const int longs = conversion.longs < -2 ? -2 : conversion.longs > 2 ? 2 : conversion.longs;
    if (longs > 0) {
      // long has 64 bits on the device as on the host.
      std::int64_t value = 0;
      take(value);
      put(conversion, sizes[longs + 2], static_cast<long long>(value));
    } else {
      std::int32_t value = 0;
      take(value);
      put(conversion, sizes[longs + 2], value);
    }
  }

  const std::string &format_;
  FormatArguments &arguments_;
  std::string &out_;
  std::size_t at_ = 0;
  int used_ = 0;
};

}  // namespace

int format_text(const std::string &format, FormatArguments &arguments, std::string &out) {
  return Formatter(format, arguments, out).run();
}

}  // namespace cupilot::emulate::machine
