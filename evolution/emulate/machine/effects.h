// SPDX-License-Identifier: Apache-2.0
//
// Decides whether any code after a step has effects that other threads can see. Private to machine/.

#pragma once

#include <cstdint>
#include <unordered_map>

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::machine {

class Effects {
public:
  explicit Effects(const program::Program &program) : program_(program) {}
  /// True when a store, an atomic operation or a call is reachable after this step.
  bool after(std::uint32_t pc);

private:
  bool search(std::uint32_t pc) const;
  const program::Program &program_;
  std::unordered_map<std::uint32_t, bool> known_;
};

}  // namespace cupilot::emulate::machine
