// SPDX-License-Identifier: Apache-2.0
//
// The recording runtime's queries of the device and of kernels: attributes and occupancy.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "evolution/emulate/runtime/api/abi.h"
#include "evolution/emulate/runtime/api/attributes.h"
#include "evolution/judge/recorder/recording.h"

namespace {

using cupilot::judge::launches::LoadedKernel;
using cupilot::judge::recorder::recording;
namespace abi = cupilot::emulate::runtime::abi;

constexpr int kSharedWithoutAsking = 48 << 10;
constexpr int kPortableCluster = 8;
constexpr int kWarp = 32, kRegisterUnit = 256, kParts = 4;
constexpr std::uint64_t kSharedUnit = 128;

struct ProcessorLimits {
  int threads = 2048, blocks = 32, registers = 65536, threads_per_block = 1024;
  std::uint64_t shared_bytes = 228 << 10, reserved_shared_bytes = 1 << 10;
};

struct BlockNeeds {
  int threads = 1, registers = 32;
  std::uint64_t shared_bytes = 0;  ///< static and dynamic
};

template <class T>
T round_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

/// Calculates how many blocks of a kernel are resident on one multiprocessor at a time; 0 if not even one
/// fits. The rules are those of the CUDA programming guide ("Compute Capabilities"): registers are allocated
/// to warps in units of 256 and are split over the multiprocessor's four partitions; shared memory is
/// allocated to blocks in units of 128 bytes.
int resident_blocks(const ProcessorLimits &limits, const BlockNeeds &block) {
  if (block.threads < 1 || block.threads > limits.threads_per_block) return 0;
  const int warps = (block.threads + kWarp - 1) / kWarp;
  const int warp_registers = round_up(std::max(block.registers, 1) * kWarp, kRegisterUnit);
  const int by_registers = limits.registers / warp_registers / kParts * kParts / warps;
  const auto shared = round_up<std::uint64_t>(block.shared_bytes + limits.reserved_shared_bytes, kSharedUnit);
  const auto by_shared = static_cast<int>(limits.shared_bytes / shared);
  return std::min({limits.blocks, limits.threads / kWarp / warps, by_registers, by_shared});
}

ProcessorLimits limits() {
  ProcessorLimits some;
  const auto &known = recording();
  some.threads = known.device_attribute(abi::kDevAttrMaxThreadsPerMultiProcessor).value_or(some.threads);
  some.blocks = known.device_attribute(abi::kDevAttrMaxBlocksPerMultiprocessor).value_or(some.blocks);
  some.registers =
      known.device_attribute(abi::kDevAttrMaxRegistersPerMultiprocessor).value_or(some.registers);
  some.threads_per_block =
      known.device_attribute(abi::kDevAttrMaxThreadsPerBlock).value_or(some.threads_per_block);
  if (const auto bytes = known.device_attribute(abi::kDevAttrMaxSharedMemoryPerMultiprocessor))
    some.shared_bytes = static_cast<std::uint64_t>(*bytes);
  if (const auto bytes = known.device_attribute(abi::kDevAttrReservedSharedMemoryPerBlock))
    some.reserved_shared_bytes = static_cast<std::uint64_t>(*bytes);
  return some;
}

/// What cudaFuncSetAttribute has allowed, or else what every kernel has.
int most_dynamic_shared(const void *function, const LoadedKernel &kernel) {
  return recording()
      .function_attribute(function, abi::kFuncAttributeMaxDynamicSharedMemorySize)
      .value_or(kSharedWithoutAsking - kernel.static_shared_bytes);
}

int blocks_of(const void *function, const LoadedKernel &kernel, int threads, std::size_t dynamic_shared) {
  if (threads > kernel.most_threads ||
      static_cast<std::int64_t>(dynamic_shared) > most_dynamic_shared(function, kernel))
    return 0;
  return resident_blocks(limits(), {threads, kernel.registers,
                                    static_cast<std::uint64_t>(kernel.static_shared_bytes) + dynamic_shared});
}

/// Widths of layered and linear textures, cubemaps and surfaces: devices differ, and the emulated one has
/// none.
bool is_of_textures(int attribute) {
  return (attribute >= 27 && attribute <= 29) || (attribute >= 42 && attribute <= 49) ||
         (attribute >= 52 && attribute <= 74);
}

/// Calls `use` with what is known about the kernel and returns its code.
template <class Use>
int with_kernel(const void *function, Use use) {
  const LoadedKernel *kernel = recording().facts(function);
  return recording().remember(kernel ? use(*kernel) : int{abi::kInvalidDeviceFunction});
}

}  // namespace

extern "C" {

int cudaGetDevice(int *device) {
  *device = recording().device();
  return abi::kSuccess;
}

int cudaDeviceGetAttribute(int *value, int attribute, int device) {
  if (device < 0 || device > recording().device()) return recording().remember(abi::kInvalidDevice);
  const auto known = recording().device_attribute(attribute);
  if (!known || is_of_textures(attribute)) {
    recording().complain(fmt::format(
        "asks for device attribute {}, of which the judge does not know what a device answers", attribute));
    return recording().remember(abi::kInvalidValue);
  }
  *value = *known;
  return abi::kSuccess;
}

int cudaFuncGetAttributes(abi::FunctionAttributes *to, const void *function) {
  return with_kernel(function, [&](const LoadedKernel &kernel) {
    *to = {};
    to->shared_bytes = static_cast<std::size_t>(kernel.static_shared_bytes);
    to->constant_bytes = static_cast<std::size_t>(kernel.constant_bytes);
    to->local_bytes = static_cast<std::size_t>(kernel.local_bytes);
    to->threads_most = kernel.most_threads;
    to->registers = kernel.registers;
    to->ptx_version = to->binary_version =
        10 * recording().device_attribute(abi::kDevAttrComputeCapabilityMajor).value_or(0) +
        recording().device_attribute(abi::kDevAttrComputeCapabilityMinor).value_or(0);
    to->dynamic_shared_most = most_dynamic_shared(function, kernel);
    to->carveout = recording()
                       .function_attribute(function, abi::kFuncAttributePreferredSharedMemoryCarveout)
                       .value_or(-1);
    return int{abi::kSuccess};
  });
}

int cudaFuncSetAttribute(const void *function, int attribute, int value) {
  return recording().remember(recording().set_attribute(function, attribute, value));
}

/// Accepted and ignored: a cache preference does not change results, and it is not part of what is timed.
int cudaFuncSetCacheConfig(const void *function, int) {
  return with_kernel(function, [](const LoadedKernel &) { return int{abi::kSuccess}; });
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                           std::size_t dynamic_shared, unsigned) {
  return with_kernel(function, [&](const LoadedKernel &kernel) {
    if (threads < 1) return int{abi::kInvalidValue};
    *blocks = blocks_of(function, kernel, threads, dynamic_shared);
    return int{abi::kSuccess};
  });
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                  std::size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_shared, 0);
}

int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t *bytes, const void *function, int blocks,
                                              int threads) {
  return with_kernel(function, [&](const LoadedKernel &kernel) {
    if (blocks < 1 || blocks > blocks_of(function, kernel, threads, 0)) return int{abi::kInvalidValue};
    const ProcessorLimits known = limits();
    const auto share = known.shared_bytes / static_cast<unsigned>(blocks) / kSharedUnit * kSharedUnit;
    *bytes = share - known.reserved_shared_bytes - static_cast<std::uint64_t>(kernel.static_shared_bytes);
    return int{abi::kSuccess};
  });
}

/// Answers the cluster size that every device with clusters supports. How many clusters fit is calculated
/// from their blocks.
int cudaOccupancyMaxPotentialClusterSize(int *size, const void *function, const abi::LaunchConfiguration *) {
  return with_kernel(function, [&](const LoadedKernel &) {
    *size = kPortableCluster;
    return int{abi::kSuccess};
  });
}
int cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                   const abi::LaunchConfiguration *configuration) {
  return with_kernel(function, [&](const LoadedKernel &kernel) {
    std::uint64_t size = 1;
    for (unsigned i = 0; i < configuration->attribute_count; ++i) {
      const auto &attribute = configuration->attributes[i];
      const abi::Dim3 &cluster = attribute.value.cluster;
      if (attribute.id == abi::kAttributeClusterDimension)
        size = std::max<std::uint64_t>(1, std::uint64_t{cluster.x} * cluster.y * cluster.z);
    }
    const abi::Dim3 &block = configuration->block;
    const auto threads =
        static_cast<int>(std::min<std::uint64_t>(std::uint64_t{block.x} * block.y * block.z, 4096));
    const int blocks = blocks_of(function, kernel, threads, configuration->shared_bytes) *
                       recording().device_attribute(abi::kDevAttrMultiProcessorCount).value_or(1);
    *clusters = blocks / static_cast<int>(std::min<std::uint64_t>(size, 1024));
    return int{abi::kSuccess};
  });
}

}  // extern "C"
