// SPDX-License-Identifier: Apache-2.0
//
// What can be said of a function's registers before any launch: between which bounds their values lie, for
// each thread number that a block may have. A compiler unrolls loops without looking whether there are ever
// as many rounds (`for (e = threadIdx.x; e < 128; e += 64)` has two, its copy for four is dead): such code is
// found here. Arguments, memory and block numbers may have any value. Pure.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::session {

class ThreadValues {
public:
  /// The one instruction that writes a register; null: there are several, or none.
  using Writer = std::function<const ptx::Instruction *(std::uint32_t reg)>;

  ThreadValues(const ptx::Function &function, Writer writer);

  /// The value of a predicate, when all threads of all launches have the same one.
  std::optional<bool> always(std::uint32_t predicate);

private:
  /// From `least` to `most`, as signed numbers of the register's width.
  struct Bounds {
    std::int64_t least = 0, most = 0;
    bool one() const { return least == most; }
  };
  /// By threadIdx.x; one element: the same for every thread.
  using Values = std::vector<Bounds>;

  const Values &of(std::uint32_t reg, int depth);
  Values computed(const ptx::Instruction &instruction, int bits, int depth);
  Values of(const ptx::Operand &operand, int bits, int depth);
  Values special(std::string_view name) const;

  /// One thread's result; nullopt: any.
  static std::optional<Bounds> result(const ptx::Instruction &instruction, const std::vector<Bounds> &given);
  static std::optional<Bounds> compared(std::string_view how, bool is_unsigned, const Bounds &a,
                                        const Bounds &b);

  const ptx::Function &function_;
  const Writer writer_;
  std::int64_t most_threads_ = 0;
  std::map<std::uint32_t, Values> known_;
};

}  // namespace cupilot::emulate::session
