// SPDX-License-Identifier: Apache-2.0
//
// The frames of one warp. A frame holds the registers of one function call (program/step.h). It is made once,
// filled with constants and special registers, and reused by later calls and blocks. Private to machine/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "evolution/emulate/machine/launch_state.h"
#include "evolution/emulate/machine/warp.h"

namespace cupilot::emulate::machine {

struct Frame {
  std::byte *data = nullptr;
  std::uint32_t function = 0;
  Frame *caller = nullptr;
  std::uint32_t call = 0;        ///< pc of the call instruction
  program::Mask lanes = 0;       ///< lanes that have not returned
  std::uint32_t local_base = 0;  ///< offset of its variables in a lane's local memory
  std::uint64_t block = kNoBlockYet;

  static constexpr std::uint64_t kNoBlockYet = ~std::uint64_t{0};

private:
  friend class Frames;
  std::unique_ptr<std::byte[]> storage;
};

class Frames {
public:
  explicit Frames(Warp &warp) : warp_(warp) {}
  /// A free frame of the function; nullptr when this warp's calls need more memory than allowed.
  Frame *take(std::uint32_t function, std::uint32_t local_base);
  void give_back(Frame *frame);
  /// Prepares the same frame for the next block.
  Frame *renew(Frame *frame) const;

private:
  Frame *make(std::uint32_t function);
  void fill(Frame &frame, const FrameTemplate &contents) const;
  void fill_local(Frame &frame, const FrameTemplate &contents) const;

  Warp &warp_;
  std::vector<std::unique_ptr<Frame>> all_;
  std::vector<std::vector<Frame *>> free_;  ///< by function
  std::size_t bytes_ = 0;
};

/// The initial contents of the frames of the launched kernel and of all functions that it calls.
std::vector<FrameTemplate> make_templates(const LaunchState &launch);

/// Addresses of functions do not point to memory; indirect calls look them up.
inline constexpr std::uint64_t kFunctionWindow = 0x0000'1002'0000'0000, kFunctionStep = 16;

}  // namespace cupilot::emulate::machine
