// SPDX-License-Identifier: Apache-2.0
//
// What one call of an entry queues, as data. The candidate's host code runs in a process that has no device
// (cupilot-launches): it is asked, for the arguments of one case, which launches it would make, and answers
// with this list. The process that has the device loads the kernels from the built library itself and makes
// the launches. So nothing of a candidate but its kernels ever runs where results are read and times are
// taken: no stream of its own, no host thread, no state between launches, no forged answer.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

/// One thing on the stream, in order.
struct QueuedWork {
  enum class Kind : std::uint8_t { launch, memset };
  Kind kind = Kind::launch;
  std::string kernel;  ///< launch: symbol in the module
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::vector<std::vector<std::byte>> arguments;  ///< one per kernel parameter, of its size
  std::array<std::uint32_t, 3> cluster{0, 0, 0};  ///< 0: none
  bool cooperative = false;
  bool programmatic =
      false;  ///< may begin before the work in front of it has ended (programmatic stream serialization)
  std::uint64_t address = 0, bytes = 0;  ///< memset
  std::uint8_t value = 0;
  bool operator==(const QueuedWork &) const = default;
};

struct LaunchList {
  bool declined = false;  ///< launch() said no
  int error = 0;          ///< a cudaError_t that the entry returned
  /// What it did that no launch may: "uses another stream than l.stream". Empty: nothing.
  std::string complaint;
  /// Bytes of each piece of scratch memory asked for, in order; the device gives each one a place.
  std::vector<std::uint64_t> scratch;
  std::uint64_t scratch_bytes() const { return std::accumulate(scratch.begin(), scratch.end(), 0ull); }
  /// What cudaFuncSetAttribute asked for: kernel symbol, attribute, value.
  struct FunctionAttribute {
    std::string kernel;
    int attribute = 0, value = 0;
    bool operator==(const FunctionAttribute &) const = default;
  };
  std::vector<FunctionAttribute> attributes;
  std::vector<QueuedWork> work;
  bool operator==(const LaunchList &) const = default;
};

/// What the device side says of a loaded kernel; the host code may ask for these (cudaFuncGetAttributes,
/// occupancy).
struct LoadedKernel {
  std::string symbol;
  std::vector<std::uint32_t> parameter_bytes;
  int registers = 0, static_shared_bytes = 0, local_bytes = 0, constant_bytes = 0, most_threads = 1024;
};
/// Of the device: answers cudaDeviceGetAttribute and occupancy questions. Attribute numbers are
/// cudaDeviceAttr's.
struct DeviceFacts {
  std::vector<std::pair<int, int>> attributes;
};

/// The two processes' format, with a checksum. Reading is strict: whatever does not add up is an error, for
/// what is read may come from a hostile process.
std::vector<std::byte> to_bytes(const LaunchList &list);
Result<LaunchList> launch_list_from(std::span<const std::byte> bytes);

}  // namespace cupilot
