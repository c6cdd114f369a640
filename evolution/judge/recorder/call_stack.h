// SPDX-License-Identifier: Apache-2.0
//
// A small stack for calls of a library. What lies around a frame tells nothing and keeps nothing: it stands
// between pages without access, is filled with random bytes, and a call begins somewhere near its top.

#pragma once

#include <cstddef>

#include "evolution/judge/recorder/chance.h"

namespace cupilot::judge::recorder {

class CallStack {
public:
  /// Where it lies: among the libraries like a thread's, at the upper end of memory like that of a main
  /// thread, or below the libraries. Where there is no room, among the libraries.
  enum class Place { mapped, top, low };

  /// False: there is no memory.
  bool make(Place place, Chance &chance);
  bool made() const { return bottom_ != nullptr; }
  /// False: it could not be entered. `fresh`: the stack is filled anew first.
  bool run(void (*function)(), Chance &chance, bool fresh);
  /// Whether the call of the last fresh run() wrote far below all of its frames.
  bool strayed() const;

private:
  std::byte *bottom_ = nullptr;
  std::byte *began_ = nullptr;  ///< where the frames of the last call begin
  Chance content_;              ///< gives the bytes of the last filling once more
};

}  // namespace cupilot::judge::recorder
