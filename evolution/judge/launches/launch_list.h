// SPDX-License-Identifier: Apache-2.0
//
// The work that one call of an entry queues, as data. The candidate's host code runs in a process without a
// device (cupilot-launches). Given the arguments of one case, it answers with the list of launches it would
// make. The process that owns the device loads the kernels from the built library itself and makes these
// launches. So only the candidate's kernels run where results are read and times are taken; its host code
// cannot use streams of its own, threads, or state between launches, and cannot forge answers.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::judge::launches {

/// One operation on the stream; the list is in stream order.
struct QueuedWork {
  enum class Kind : std::uint8_t { launch, memset };
  Kind kind = Kind::launch;
  std::string kernel;  ///< launch: symbol in the module
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::vector<std::vector<std::byte>> arguments;  ///< one per kernel parameter, of its size
  std::array<std::uint32_t, 3> cluster{0, 0, 0};  ///< 0: none
  bool cooperative = false;
  /// The launch may begin before the preceding work has ended (programmatic stream serialization).
  bool programmatic = false;
  std::uint64_t address = 0, bytes = 0;  ///< memset
  std::uint8_t value = 0;
  bool operator==(const QueuedWork &) const = default;
};

struct LaunchList {
  bool declined = false;  ///< launch() declined the call
  int error = 0;          ///< a cudaError_t that the entry returned
  /// A forbidden action of the host code: "uses another stream than l.stream". Empty: none.
  std::string complaint;
  /// Bytes of each piece of scratch memory that was requested, in order. The device side assigns an address
  /// to each.
  std::vector<std::uint64_t> scratch;
  std::uint64_t scratch_bytes() const { return std::accumulate(scratch.begin(), scratch.end(), 0ull); }
  /// One call of cudaFuncSetAttribute: kernel symbol, attribute, value.
  struct FunctionAttribute {
    std::string kernel;
    int attribute = 0, value = 0;
    bool operator==(const FunctionAttribute &) const = default;
  };
  std::vector<FunctionAttribute> attributes;
  std::vector<QueuedWork> work;
  bool operator==(const LaunchList &) const = default;
};

/// Whether two lists are the same but for the bytes of arguments, of which a program may leave some open
/// (padding).
bool same_shape(const LaunchList &a, const LaunchList &b);

/// Whether two lists are the same but for floating numbers in arguments that differ by a few roundings. What
/// may be a whole number, an address or a subnormal number counts as none.
bool same_but_for_rounding(const LaunchList &a, const LaunchList &b);

/// Properties of a loaded kernel as the device side reports them. The host code may query them
/// (cudaFuncGetAttributes, occupancy).
struct LoadedKernel {
  std::string symbol;
  std::vector<std::uint32_t> parameter_bytes;
  int registers = 0, static_shared_bytes = 0, local_bytes = 0, constant_bytes = 0, most_threads = 1024;
};
/// Properties of the device, used to answer cudaDeviceGetAttribute and occupancy queries. The attribute
/// numbers are those of cudaDeviceAttr.
struct DeviceFacts {
  std::vector<std::pair<int, int>> attributes;
};

/// The format the two processes exchange, with a checksum. Reading is strict, since the bytes may come from a
/// hostile process: anything inconsistent is an error.
std::vector<std::byte> to_bytes(const LaunchList &list);
Result<LaunchList> launch_list_from(std::span<const std::byte> bytes);

}  // namespace cupilot::judge::launches
