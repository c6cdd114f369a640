// SPDX-License-Identifier: Apache-2.0
//
// Our numbers and layouts against CUDA's own headers (12 or 13, whichever this is compiled with).

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <string>

#include "evolution/emulate/runtime/api/abi.h"
#include "evolution/emulate/runtime/api/attributes.h"
#include "evolution/emulate/runtime/api/properties/properties.h"

namespace cupilot::emulate {
namespace {

#define SAME_PLACE(ours, our_member, theirs, their_member) \
  static_assert(offsetof(ours, our_member) == offsetof(theirs, their_member))
#define SAME_NUMBER(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))

SAME_NUMBER(abi::kInvalidValue, cudaErrorInvalidValue);
SAME_NUMBER(abi::kMemoryAllocation, cudaErrorMemoryAllocation);
SAME_NUMBER(abi::kInitializationError, cudaErrorInitializationError);
SAME_NUMBER(abi::kInvalidConfiguration, cudaErrorInvalidConfiguration);
SAME_NUMBER(abi::kInvalidPitchValue, cudaErrorInvalidPitchValue);
SAME_NUMBER(abi::kInvalidSymbol, cudaErrorInvalidSymbol);
SAME_NUMBER(abi::kInvalidMemcpyDirection, cudaErrorInvalidMemcpyDirection);
SAME_NUMBER(abi::kMissingConfiguration, cudaErrorMissingConfiguration);
SAME_NUMBER(abi::kInvalidDeviceFunction, cudaErrorInvalidDeviceFunction);
SAME_NUMBER(abi::kInvalidDevice, cudaErrorInvalidDevice);
SAME_NUMBER(abi::kInvalidKernelImage, cudaErrorInvalidKernelImage);
SAME_NUMBER(abi::kNoKernelImageForDevice, cudaErrorNoKernelImageForDevice);
SAME_NUMBER(abi::kUnsupportedLimit, cudaErrorUnsupportedLimit);
SAME_NUMBER(abi::kInvalidPtx, cudaErrorInvalidPtx);
SAME_NUMBER(abi::kInvalidResourceHandle, cudaErrorInvalidResourceHandle);
SAME_NUMBER(abi::kNotReady, cudaErrorNotReady);
SAME_NUMBER(abi::kIllegalAddress, cudaErrorIllegalAddress);
SAME_NUMBER(abi::kLaunchTimeout, cudaErrorLaunchTimeout);
SAME_NUMBER(abi::kPeerAccessNotEnabled, cudaErrorPeerAccessNotEnabled);
SAME_NUMBER(abi::kAssert, cudaErrorAssert);
SAME_NUMBER(abi::kHostMemoryAlreadyRegistered, cudaErrorHostMemoryAlreadyRegistered);
SAME_NUMBER(abi::kHostMemoryNotRegistered, cudaErrorHostMemoryNotRegistered);
SAME_NUMBER(abi::kMisalignedAddress, cudaErrorMisalignedAddress);
SAME_NUMBER(abi::kLaunchFailure, cudaErrorLaunchFailure);
SAME_NUMBER(abi::kCooperativeLaunchTooLarge, cudaErrorCooperativeLaunchTooLarge);
SAME_NUMBER(abi::kNotSupported, cudaErrorNotSupported);
SAME_NUMBER(abi::kStreamCaptureUnsupported, cudaErrorStreamCaptureUnsupported);
SAME_NUMBER(abi::kStreamCaptureInvalidated, cudaErrorStreamCaptureInvalidated);
SAME_NUMBER(abi::kStreamCaptureUnmatched, cudaErrorStreamCaptureUnmatched);
SAME_NUMBER(abi::kHostToDevice, cudaMemcpyHostToDevice);
SAME_NUMBER(abi::kDeviceToHost, cudaMemcpyDeviceToHost);
SAME_NUMBER(abi::kDeviceToDevice, cudaMemcpyDeviceToDevice);
SAME_NUMBER(abi::kDefaultKind, cudaMemcpyDefault);
SAME_NUMBER(abi::kHostMemory, cudaMemoryTypeHost);
SAME_NUMBER(abi::kDeviceMemory, cudaMemoryTypeDevice);
SAME_NUMBER(abi::kManagedMemory, cudaMemoryTypeManaged);
SAME_NUMBER(abi::kAttributeCooperative, cudaLaunchAttributeCooperative);
SAME_NUMBER(abi::kAttributeClusterDimension, cudaLaunchAttributeClusterDimension);
SAME_NUMBER(abi::kAttributeIgnore, cudaLaunchAttributeIgnore);
SAME_NUMBER(abi::kAttributeClusterPolicy, cudaLaunchAttributeClusterSchedulingPolicyPreference);
SAME_NUMBER(abi::kAttributeProgrammaticSerialization, cudaLaunchAttributeProgrammaticStreamSerialization);

SAME_NUMBER(abi::kDevAttrMaxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
SAME_NUMBER(abi::kDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimX);
SAME_NUMBER(abi::kDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimY);
SAME_NUMBER(abi::kDevAttrMaxBlockDimZ, cudaDevAttrMaxBlockDimZ);
SAME_NUMBER(abi::kDevAttrMaxGridDimX, cudaDevAttrMaxGridDimX);
SAME_NUMBER(abi::kDevAttrMaxGridDimY, cudaDevAttrMaxGridDimY);
SAME_NUMBER(abi::kDevAttrMaxGridDimZ, cudaDevAttrMaxGridDimZ);
SAME_NUMBER(abi::kDevAttrMaxSharedMemoryPerBlock, cudaDevAttrMaxSharedMemoryPerBlock);
SAME_NUMBER(abi::kDevAttrTotalConstantMemory, cudaDevAttrTotalConstantMemory);
SAME_NUMBER(abi::kDevAttrWarpSize, cudaDevAttrWarpSize);
SAME_NUMBER(abi::kDevAttrMaxPitch, cudaDevAttrMaxPitch);
SAME_NUMBER(abi::kDevAttrMaxRegistersPerBlock, cudaDevAttrMaxRegistersPerBlock);
SAME_NUMBER(abi::kDevAttrClockRate, cudaDevAttrClockRate);
SAME_NUMBER(abi::kDevAttrTextureAlignment, cudaDevAttrTextureAlignment);
SAME_NUMBER(abi::kDevAttrGpuOverlap, cudaDevAttrGpuOverlap);
SAME_NUMBER(abi::kDevAttrMultiProcessorCount, cudaDevAttrMultiProcessorCount);
SAME_NUMBER(abi::kDevAttrCanMapHostMemory, cudaDevAttrCanMapHostMemory);
SAME_NUMBER(abi::kDevAttrMaxTexture1DWidth, cudaDevAttrMaxTexture1DWidth);
SAME_NUMBER(abi::kDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DWidth);
SAME_NUMBER(abi::kDevAttrMaxTexture2DHeight, cudaDevAttrMaxTexture2DHeight);
SAME_NUMBER(abi::kDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DWidth);
SAME_NUMBER(abi::kDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DHeight);
SAME_NUMBER(abi::kDevAttrMaxTexture3DDepth, cudaDevAttrMaxTexture3DDepth);
SAME_NUMBER(abi::kDevAttrSurfaceAlignment, cudaDevAttrSurfaceAlignment);
SAME_NUMBER(abi::kDevAttrConcurrentKernels, cudaDevAttrConcurrentKernels);
SAME_NUMBER(abi::kDevAttrMemoryClockRate, cudaDevAttrMemoryClockRate);
SAME_NUMBER(abi::kDevAttrGlobalMemoryBusWidth, cudaDevAttrGlobalMemoryBusWidth);
SAME_NUMBER(abi::kDevAttrL2CacheSize, cudaDevAttrL2CacheSize);
SAME_NUMBER(abi::kDevAttrMaxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
SAME_NUMBER(abi::kDevAttrAsyncEngineCount, cudaDevAttrAsyncEngineCount);
SAME_NUMBER(abi::kDevAttrUnifiedAddressing, cudaDevAttrUnifiedAddressing);
SAME_NUMBER(abi::kDevAttrTexturePitchAlignment, cudaDevAttrTexturePitchAlignment);
SAME_NUMBER(abi::kDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMajor);
SAME_NUMBER(abi::kDevAttrComputeCapabilityMinor, cudaDevAttrComputeCapabilityMinor);
SAME_NUMBER(abi::kDevAttrStreamPrioritiesSupported, cudaDevAttrStreamPrioritiesSupported);
SAME_NUMBER(abi::kDevAttrGlobalL1CacheSupported, cudaDevAttrGlobalL1CacheSupported);
SAME_NUMBER(abi::kDevAttrLocalL1CacheSupported, cudaDevAttrLocalL1CacheSupported);
SAME_NUMBER(abi::kDevAttrMaxSharedMemoryPerMultiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
SAME_NUMBER(abi::kDevAttrMaxRegistersPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor);
SAME_NUMBER(abi::kDevAttrManagedMemory, cudaDevAttrManagedMemory);
SAME_NUMBER(abi::kDevAttrHostNativeAtomicSupported, cudaDevAttrHostNativeAtomicSupported);
SAME_NUMBER(abi::kDevAttrSingleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio);
SAME_NUMBER(abi::kDevAttrConcurrentManagedAccess, cudaDevAttrConcurrentManagedAccess);
SAME_NUMBER(abi::kDevAttrCooperativeLaunch, cudaDevAttrCooperativeLaunch);
SAME_NUMBER(abi::kDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrMaxSharedMemoryPerBlockOptin);
SAME_NUMBER(abi::kDevAttrHostRegisterSupported, cudaDevAttrHostRegisterSupported);
SAME_NUMBER(abi::kDevAttrDirectManagedMemAccessFromHost, cudaDevAttrDirectManagedMemAccessFromHost);
SAME_NUMBER(abi::kDevAttrMaxBlocksPerMultiprocessor, cudaDevAttrMaxBlocksPerMultiprocessor);
SAME_NUMBER(abi::kDevAttrReservedSharedMemoryPerBlock, cudaDevAttrReservedSharedMemoryPerBlock);
SAME_NUMBER(abi::kDevAttrMemoryPoolsSupported, cudaDevAttrMemoryPoolsSupported);
#if CUDART_VERSION >= 12020
SAME_NUMBER(abi::kAttributeCarveout, cudaLaunchAttributePreferredSharedMemoryCarveout);
SAME_NUMBER(abi::kDevAttrMemSyncDomainCount, cudaDevAttrMemSyncDomainCount);
SAME_NUMBER(abi::kDevAttrNumaId, cudaDevAttrNumaId);
SAME_NUMBER(abi::kDevAttrHostNumaId, cudaDevAttrHostNumaId);
#endif
SAME_NUMBER(abi::kInvalidDeviceId, cudaInvalidDeviceId);
SAME_NUMBER(abi::kFuncAttributeMaxDynamicSharedMemorySize, cudaFuncAttributeMaxDynamicSharedMemorySize);
SAME_NUMBER(abi::kFuncAttributePreferredSharedMemoryCarveout, cudaFuncAttributePreferredSharedMemoryCarveout);

static_assert(sizeof(abi::Dim3) == sizeof(dim3) && sizeof(abi::Extent) == sizeof(cudaExtent));
static_assert(sizeof(abi::Position) == sizeof(cudaPos) &&
              sizeof(abi::PitchedPointer) == sizeof(cudaPitchedPtr));
SAME_PLACE(abi::PitchedPointer, pitch, cudaPitchedPtr, pitch);
SAME_PLACE(abi::PitchedPointer, ysize, cudaPitchedPtr, ysize);

static_assert(sizeof(abi::Copy3D) == sizeof(cudaMemcpy3DParms));
SAME_PLACE(abi::Copy3D, source, cudaMemcpy3DParms, srcPtr);
SAME_PLACE(abi::Copy3D, destination_array, cudaMemcpy3DParms, dstArray);
SAME_PLACE(abi::Copy3D, destination, cudaMemcpy3DParms, dstPtr);
SAME_PLACE(abi::Copy3D, extent, cudaMemcpy3DParms, extent);
SAME_PLACE(abi::Copy3D, kind, cudaMemcpy3DParms, kind);
static_assert(sizeof(abi::Copy3DPeer) == sizeof(cudaMemcpy3DPeerParms));
SAME_PLACE(abi::Copy3DPeer, destination, cudaMemcpy3DPeerParms, dstPtr);
SAME_PLACE(abi::Copy3DPeer, extent, cudaMemcpy3DPeerParms, extent);

static_assert(sizeof(abi::FunctionAttributes) == sizeof(cudaFuncAttributes));
SAME_PLACE(abi::FunctionAttributes, threads_most, cudaFuncAttributes, maxThreadsPerBlock);
SAME_PLACE(abi::FunctionAttributes, registers, cudaFuncAttributes, numRegs);
SAME_PLACE(abi::FunctionAttributes, binary_version, cudaFuncAttributes, binaryVersion);
SAME_PLACE(abi::FunctionAttributes, dynamic_shared_most, cudaFuncAttributes, maxDynamicSharedSizeBytes);
SAME_PLACE(abi::FunctionAttributes, carveout, cudaFuncAttributes, preferredShmemCarveout);

static_assert(sizeof(abi::PointerAttributes) <= sizeof(cudaPointerAttributes));
SAME_PLACE(abi::PointerAttributes, device, cudaPointerAttributes, device);
SAME_PLACE(abi::PointerAttributes, device_pointer, cudaPointerAttributes, devicePointer);
SAME_PLACE(abi::PointerAttributes, host_pointer, cudaPointerAttributes, hostPointer);

static_assert(sizeof(abi::LaunchAttribute) == sizeof(cudaLaunchAttribute));
SAME_PLACE(abi::LaunchAttribute, value, cudaLaunchAttribute, val);
static_assert(sizeof(abi::LaunchConfiguration) == sizeof(cudaLaunchConfig_t));
SAME_PLACE(abi::LaunchConfiguration, shared_bytes, cudaLaunchConfig_t, dynamicSmemBytes);
SAME_PLACE(abi::LaunchConfiguration, attributes, cudaLaunchConfig_t, attrs);
SAME_PLACE(abi::LaunchConfiguration, attribute_count, cudaLaunchConfig_t, numAttrs);

static_assert(sizeof(abi::KernelNode) == sizeof(cudaKernelNodeParams));
SAME_PLACE(abi::KernelNode, shared_bytes, cudaKernelNodeParams, sharedMemBytes);
SAME_PLACE(abi::KernelNode, parameters, cudaKernelNodeParams, kernelParams);
static_assert(sizeof(abi::MemsetNode) == sizeof(cudaMemsetParams));
SAME_PLACE(abi::MemsetNode, element_bytes, cudaMemsetParams, elementSize);
SAME_PLACE(abi::MemsetNode, height, cudaMemsetParams, height);
static_assert(sizeof(abi::HostNode) == sizeof(cudaHostNodeParams));

#define PLACE(member) {#member, offsetof(cudaDeviceProp, member)}
const std::map<std::string, std::size_t> kPlaces{
    PLACE(sharedMemPerBlock),
    PLACE(regsPerBlock),
    PLACE(warpSize),
    PLACE(memPitch),
    PLACE(maxThreadsPerBlock),
    PLACE(maxThreadsDim[0]),
    PLACE(maxThreadsDim[1]),
    PLACE(maxThreadsDim[2]),
    PLACE(maxGridSize[0]),
    PLACE(maxGridSize[1]),
    PLACE(maxGridSize[2]),
    PLACE(totalConstMem),
    PLACE(major),
    PLACE(minor),
    PLACE(textureAlignment),
    PLACE(texturePitchAlignment),
    PLACE(multiProcessorCount),
    PLACE(canMapHostMemory),
    PLACE(maxTexture1D),
    PLACE(maxTexture2D[0]),
    PLACE(maxTexture2D[1]),
    PLACE(maxTexture3D[0]),
    PLACE(maxTexture3D[1]),
    PLACE(maxTexture3D[2]),
    PLACE(surfaceAlignment),
    PLACE(concurrentKernels),
    PLACE(asyncEngineCount),
    PLACE(unifiedAddressing),
    PLACE(memoryBusWidth),
    PLACE(l2CacheSize),
    PLACE(maxThreadsPerMultiProcessor),
    PLACE(streamPrioritiesSupported),
    PLACE(globalL1CacheSupported),
    PLACE(localL1CacheSupported),
    PLACE(sharedMemPerMultiprocessor),
    PLACE(regsPerMultiprocessor),
    PLACE(managedMemory),
    PLACE(hostNativeAtomicSupported),
    PLACE(concurrentManagedAccess),
    PLACE(cooperativeLaunch),
    PLACE(sharedMemPerBlockOptin),
    PLACE(directManagedMemAccessFromHost),
    PLACE(maxBlocksPerMultiProcessor),
    PLACE(reservedSharedMemPerBlock),
    PLACE(hostRegisterSupported),
    PLACE(memoryPoolsSupported),
#if CUDART_VERSION < 13000
    PLACE(clockRate),
    PLACE(deviceOverlap),
    PLACE(memoryClockRate),
    PLACE(singleToDoublePrecisionPerfRatio),
#endif
};

TEST(Abi, DevicePropertiesStandWhereTheHeaderHasThem) {
  const bool is_12 = CUDART_VERSION < 13000;
  EXPECT_EQ(sizeof(cudaDeviceProp), is_12 ? runtime::kProperties12 : runtime::kProperties13);
  std::size_t compared = 0;
  for (const auto &property : runtime::properties()) {
    const int at = is_12 ? property.at_12 : property.at_13;
    if (at < 0) continue;
    ASSERT_TRUE(kPlaces.contains(property.name)) << property.name;
    EXPECT_EQ(kPlaces.at(property.name), static_cast<std::size_t>(at)) << property.name;
    ++compared;
  }
  EXPECT_EQ(compared, kPlaces.size());
  EXPECT_EQ(offsetof(cudaDeviceProp, totalGlobalMem), 288u);
}

TEST(Abi, PropertiesReadAsThatStructure) {
  const auto model = *device_model("sm_80");
  cudaDeviceProp properties;
  runtime::write_properties(
      model, 1 << 30,
      CUDART_VERSION < 13000 ? runtime::PropertiesLayout::cuda_12 : runtime::PropertiesLayout::cuda_13,
      reinterpret_cast<std::byte *>(&properties));
  EXPECT_TRUE(std::strstr(properties.name, "emulated"));
  EXPECT_EQ(properties.major, 8);
  EXPECT_EQ(properties.multiProcessorCount, 108);
  EXPECT_EQ(properties.totalGlobalMem, 1u << 30);
  EXPECT_EQ(properties.sharedMemPerBlockOptin, 163u << 10);
  EXPECT_EQ(properties.maxThreadsDim[2], 64);
}

}  // namespace
}  // namespace cupilot::emulate
