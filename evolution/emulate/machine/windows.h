// SPDX-License-Identifier: Apache-2.0
//
// Where a launch has the windows of shared and local memory: the generic addresses behind which each block
// and thread sees its own. A driver reserves them among the addresses of the process, so they lie elsewhere
// in each program. Private to machine/.

#pragma once

#include <cstdint>

#include "evolution/emulate/memory/memory.h"

namespace cupilot::emulate::machine {

class Windows {
public:
  /// Reserves windows that the seed chooses, so that nothing else of this process lies there; 0, or no room:
  /// they are at addresses that no process has.
  explicit Windows(std::uint64_t seed);
  ~Windows();
  Windows(const Windows &) = delete;
  Windows &operator=(const Windows &) = delete;

  std::uint64_t shared() const { return shared_; }
  std::uint64_t local() const { return local_; }

private:
  void *reserved_ = nullptr;
  std::uint64_t shared_ = memory::kSharedWindow, local_ = memory::kLocalWindow;
};

}  // namespace cupilot::emulate::machine
