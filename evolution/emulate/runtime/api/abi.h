// SPDX-License-Identifier: Apache-2.0
//
// Constants and data layouts of the CUDA 12 and 13 runtime on 64-bit Linux. They are repeated here because
// this part is built without CUDA's headers; tests/emulate/runtime compares them with the real headers where
// those are installed. Handles are pointers to types of ours.

#pragma once

#include <cstddef>
#include <cstdint>

namespace cupilot::emulate::runtime::abi {

enum ErrorCode : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kMemoryAllocation = 2,
  kInitializationError = 3,
  kInvalidConfiguration = 9,
  kInvalidPitchValue = 12,
  kInvalidSymbol = 13,
  kInvalidMemcpyDirection = 21,
  kMissingConfiguration = 52,
  kInvalidDeviceFunction = 98,
  kInvalidDevice = 101,
  kInvalidKernelImage = 200,
  kNoKernelImageForDevice = 209,
  kUnsupportedLimit = 215,
  kInvalidPtx = 218,
  kInvalidResourceHandle = 400,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kPeerAccessNotEnabled = 705,
  kAssert = 710,
  kHostMemoryAlreadyRegistered = 712,
  kHostMemoryNotRegistered = 713,
  kMisalignedAddress = 716,
  kLaunchFailure = 719,
  kCooperativeLaunchTooLarge = 720,
  kNotSupported = 801,
  kStreamCaptureUnsupported = 900,
  kStreamCaptureInvalidated = 901,
  kStreamCaptureUnmatched = 903,
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};
struct Extent {
  std::size_t width = 0, height = 0, depth = 0;
};
struct Position {
  std::size_t x = 0, y = 0, z = 0;
};
struct PitchedPointer {
  void *pointer = nullptr;
  std::size_t pitch = 0, xsize = 0, ysize = 0;
};

enum CopyKind : int {
  kHostToHost = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kDefaultKind = 4
};

struct Copy3D {
  void *source_array = nullptr;
  Position source_position;
  PitchedPointer source;
  void *destination_array = nullptr;
  Position destination_position;
  PitchedPointer destination;
  Extent extent;
  int kind = 0;
};
struct Copy3DPeer {
  void *source_array = nullptr;
  Position source_position;
  PitchedPointer source;
  int source_device = 0;
  void *destination_array = nullptr;
  Position destination_position;
  PitchedPointer destination;
  int destination_device = 0;
  Extent extent;
};

/// 13.0 named the three members after clusterDimMustBeSet differently, at the same places.
struct FunctionAttributes {
  std::size_t shared_bytes = 0, constant_bytes = 0, local_bytes = 0;
  int threads_most = 0, registers = 0, ptx_version = 0, binary_version = 0, cache_mode = 0;
  int dynamic_shared_most = 0, carveout = 0;
  int cluster_must_be_set = 0, cluster_width = 0, cluster_height = 0, cluster_depth = 0;
  int cluster_policy = 0, non_portable_cluster = 0;
  int reserved[16] = {};
};

enum MemoryKind : int { kUnregistered = 0, kHostMemory = 1, kDeviceMemory = 2, kManagedMemory = 3 };
inline constexpr int kInvalidDeviceId = -2;
/// CUDA 12 programs have the first four members only.
struct PointerAttributes {
  int type = kUnregistered;
  int device = 0;
  void *device_pointer = nullptr, *host_pointer = nullptr;
};

enum LaunchAttributeId : std::uint32_t {
  kAttributeIgnore = 0,
  kAttributeCooperative = 2,
  kAttributeClusterDimension = 4,
  kAttributeClusterPolicy = 5,
  kAttributeProgrammaticSerialization = 6,
  kAttributeCarveout = 14,
};
struct LaunchAttribute {
  std::uint32_t id = 0;
  std::uint32_t padding = 0;
  union {
    char bytes[64];
    int cooperative;
    Dim3 cluster;
  } value = {};
};
struct LaunchConfiguration {
  Dim3 grid, block;
  std::size_t shared_bytes = 0;
  void *stream = nullptr;
  const LaunchAttribute *attributes = nullptr;
  unsigned attribute_count = 0;
};

struct KernelNode {
  const void *function = nullptr;
  Dim3 grid, block;
  unsigned shared_bytes = 0;
  void **parameters = nullptr;
  void **extra = nullptr;
};
struct MemsetNode {
  void *destination = nullptr;
  std::size_t pitch = 0;
  unsigned value = 0, element_bytes = 0;
  std::size_t width = 0, height = 0;
};
using HostFunction = void (*)(void *);
struct HostNode {
  HostFunction function = nullptr;
  void *data = nullptr;
};

/// The structure that a program's constructor passes to __cudaRegisterFatBinary. `version` 2: `names` is a
/// list of further containers, those of the separately compiled objects, ended by nullptr.
struct FatWrapper {
  std::uint32_t magic = 0, version = 0;
  const void *container = nullptr;
  const void *const *names = nullptr;
};

}  // namespace cupilot::emulate::runtime::abi
