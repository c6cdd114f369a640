// SPDX-License-Identifier: Apache-2.0
//
// The values of cudaDeviceAttr and cudaFuncAttribute that our runtimes support; all others read as 0. The
// names are CUDA's own (cudaDevAttrWarpSize is kDevAttrWarpSize). tests/emulate/runtime compares them with
// CUDA's headers.

#pragma once

namespace cupilot::emulate::runtime::abi {

enum DeviceAttribute : int {
  kDevAttrMaxThreadsPerBlock = 1,
  kDevAttrMaxBlockDimX = 2,
  kDevAttrMaxBlockDimY = 3,
  kDevAttrMaxBlockDimZ = 4,
  kDevAttrMaxGridDimX = 5,
  kDevAttrMaxGridDimY = 6,
  kDevAttrMaxGridDimZ = 7,
  kDevAttrMaxSharedMemoryPerBlock = 8,
  kDevAttrTotalConstantMemory = 9,
  kDevAttrWarpSize = 10,
  kDevAttrMaxPitch = 11,
  kDevAttrMaxRegistersPerBlock = 12,
  kDevAttrClockRate = 13,
  kDevAttrTextureAlignment = 14,
  kDevAttrGpuOverlap = 15,
  kDevAttrMultiProcessorCount = 16,
  kDevAttrCanMapHostMemory = 19,
  kDevAttrMaxTexture1DWidth = 21,
  kDevAttrMaxTexture2DWidth = 22,
  kDevAttrMaxTexture2DHeight = 23,
  kDevAttrMaxTexture3DWidth = 24,
  kDevAttrMaxTexture3DHeight = 25,
  kDevAttrMaxTexture3DDepth = 26,
  kDevAttrSurfaceAlignment = 30,
  kDevAttrConcurrentKernels = 31,
  kDevAttrMemoryClockRate = 36,
  kDevAttrGlobalMemoryBusWidth = 37,
  kDevAttrL2CacheSize = 38,
  kDevAttrMaxThreadsPerMultiProcessor = 39,
  kDevAttrAsyncEngineCount = 40,
  kDevAttrUnifiedAddressing = 41,
  kDevAttrTexturePitchAlignment = 51,
  kDevAttrComputeCapabilityMajor = 75,
  kDevAttrComputeCapabilityMinor = 76,
  kDevAttrStreamPrioritiesSupported = 78,
  kDevAttrGlobalL1CacheSupported = 79,
  kDevAttrLocalL1CacheSupported = 80,
  kDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  kDevAttrMaxRegistersPerMultiprocessor = 82,
  kDevAttrManagedMemory = 83,
  kDevAttrHostNativeAtomicSupported = 86,
  kDevAttrSingleToDoublePrecisionPerfRatio = 87,
  kDevAttrConcurrentManagedAccess = 89,
  kDevAttrCooperativeLaunch = 95,
  kDevAttrMaxSharedMemoryPerBlockOptin = 97,
  kDevAttrHostRegisterSupported = 99,
  kDevAttrDirectManagedMemAccessFromHost = 101,
  kDevAttrMaxBlocksPerMultiprocessor = 106,
  kDevAttrReservedSharedMemoryPerBlock = 111,
  kDevAttrMemoryPoolsSupported = 115,
  kDevAttrMemSyncDomainCount = 126,
  kDevAttrNumaId = 131,
  kDevAttrHostNumaId = 134,
};
/// The largest attribute number that is accepted. It is well above CUDA's own, because programs built with a
/// later version may ask for more attributes.
inline constexpr int kLastDeviceAttribute = 199;

enum FunctionAttribute : int {
  kFuncAttributeMaxDynamicSharedMemorySize = 8,
  kFuncAttributePreferredSharedMemoryCarveout = 9,
};

}  // namespace cupilot::emulate::runtime::abi
