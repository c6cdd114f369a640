// SPDX-License-Identifier: Apache-2.0
//
// What is seen of a running program. `cupilot capture` writes a Watch into a folder before it starts the
// program; the watcher, a library inside of the program, adds one SeenLaunch a line for each launch that it
// looked at, and keeps count of all of them. Plain data.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::capture {

/// A kernel as the watcher needs it.
struct WatchedKernel {
  std::string name;    ///< KernelSpec::name
  std::string symbol;  ///< mangled
  std::vector<spec::Parameter> parameters;
};

struct Watch {
  std::vector<WatchedKernel> kernels;
  bool others = false;                 ///< kernels that are not among these are watched, too: by their names
  std::uint64_t skip = 0;              ///< launches of each shape that are not looked at
  std::uint64_t take = 2;              ///< launches of each shape that are, after these
  std::uint64_t most_bytes = 1 << 30;  ///< of one buffer's content that are read; its first ones
};

/// What the elements of a buffer are like. Of class types nothing is known.
struct Contents {
  std::uint64_t count = 0;  ///< elements that were read
  std::uint64_t zeros = 0, nans = 0, infinities = 0;
  double least = 0, greatest = 0;  ///< of the finite ones
  double mean = 0, deviation = 0;  ///< of the finite ones
  bool whole = false;              ///< all are whole numbers
  bool ascending = false;          ///< none is smaller than the one before
  bool counts_up = false;          ///< each is the one before plus 1
  bool permutation = false;        ///< 0 to count - 1, each once
};

/// What a pointer parameter pointed to.
struct SeenBuffer {
  std::string parameter;
  bool null = false;
  std::uint64_t bytes = 0;  ///< from the pointer to the end of its allocation; 0: it is in none
  Contents contents;        ///< before the launch
  /// Seen where the device tells each access: the end of what was read and written, in bytes from the
  /// pointer, and whether anything was read that the launch had not written.
  std::optional<std::uint64_t> read_end, written_end;
  bool reads_input = false;
};

struct SeenScalar {
  std::string parameter;
  std::string value;  ///< C++ literal; empty: the type is no number
  bool whole = false;
};

struct SeenLaunch {
  std::string kernel;
  std::uint64_t shape = 0;  ///< launches of one process with equal sizes have the same number
  std::int64_t process = 0;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::vector<SeenScalar> scalars;
  std::vector<SeenBuffer> buffers;
  double work = 0;  ///< microseconds on a GPU; executed instructions of warps on the CPU
};

}  // namespace cupilot::capture
