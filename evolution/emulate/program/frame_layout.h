// SPDX-License-Identifier: Apache-2.0
//
// Lays out the frames of functions. A frame has a member for each register, constant and special register,
// and areas for the parameters of functions and calls, lane by lane. The parameters of an entry lie in one
// buffer, as cudaLaunchKernel fills it. Private to program/.

#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::program {

/// Bytes of a member with that many bits per lane; 0: there is no such member.
constexpr std::uint32_t member_bytes(unsigned bits) {
  switch (bits) {
    case 1:
      return 4;
    case 8:
      return 32;
    case 16:
      return 64;
    case 32:
      return 128;
    case 64:
      return 256;
    case 128:
      return 512;
    default:
      return 0;
  }
}

class FrameLayout {
public:
  explicit FrameLayout(FunctionCode &code) : code_(code) {}
  Offset member(unsigned bits);
  Offset area(std::uint64_t bytes);
  Offset constant(ConstantUse use);
  Offset special(std::string_view name, unsigned bits);
  /// Size of the frame. If it exceeds the range of Offset, the offsets are invalid.
  std::uint64_t bytes() const { return end_; }

private:
  using ConstantKey =
      std::tuple<std::uint8_t, std::uint64_t, std::int32_t, std::int32_t, std::int32_t, bool, bool>;
  FunctionCode &code_;
  std::uint64_t end_ = 0;
  Offset predicates_ = 0;  ///< next free place in the current 64 bytes; 0 modulo 64: none left
  std::map<ConstantKey, Offset> constants_;
  std::map<std::pair<std::string_view, unsigned>, Offset> specials_;
};

/// Fills FunctionCode::parameters and parameter_bytes of an entry: declared order, each aligned as declared.
void place_entry_parameters(const ptx::Function &function, FunctionCode &code);

}  // namespace cupilot::emulate::program
