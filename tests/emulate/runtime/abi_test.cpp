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
using namespace cupilot::emulate::runtime;
namespace {

#define SAME_PLACE(ours, our_member, theirs, their_member) \
  static_assert(offsetof(ours, our_member) == offsetof(theirs, their_member))
#define SAME_NUMBER(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))

SAME_NUMBER(runtime::abi::kInvalidValue, cudaErrorInvalidValue);
SAME_NUMBER(runtime::abi::kMemoryAllocation, cudaErrorMemoryAllocation);
SAME_NUMBER(runtime::abi::kInitializationError, cudaErrorInitializationError);
SAME_NUMBER(runtime::abi::kInvalidConfiguration, cudaErrorInvalidConfiguration);
SAME_NUMBER(runtime::abi::kInvalidPitchValue, cudaErrorInvalidPitchValue);
SAME_NUMBER(runtime::abi::kInvalidSymbol, cudaErrorInvalidSymbol);
SAME_NUMBER(runtime::abi::kInvalidMemcpyDirection, cudaErrorInvalidMemcpyDirection);
SAME_NUMBER(runtime::abi::kMissingConfiguration, cudaErrorMissingConfiguration);
SAME_NUMBER(runtime::abi::kInvalidDeviceFunction, cudaErrorInvalidDeviceFunction);
SAME_NUMBER(runtime::abi::kInvalidDevice, cudaErrorInvalidDevice);
SAME_NUMBER(runtime::abi::kInvalidKernelImage, cudaErrorInvalidKernelImage);
SAME_NUMBER(runtime::abi::kNoKernelImageForDevice, cudaErrorNoKernelImageForDevice);
SAME_NUMBER(runtime::abi::kUnsupportedLimit, cudaErrorUnsupportedLimit);
SAME_NUMBER(runtime::abi::kInvalidPtx, cudaErrorInvalidPtx);
SAME_NUMBER(runtime::abi::kInvalidResourceHandle, cudaErrorInvalidResourceHandle);
SAME_NUMBER(runtime::abi::kNotReady, cudaErrorNotReady);
SAME_NUMBER(runtime::abi::kIllegalAddress, cudaErrorIllegalAddress);
SAME_NUMBER(runtime::abi::kLaunchTimeout, cudaErrorLaunchTimeout);
SAME_NUMBER(runtime::abi::kPeerAccessNotEnabled, cudaErrorPeerAccessNotEnabled);
SAME_NUMBER(runtime::abi::kAssert, cudaErrorAssert);
SAME_NUMBER(runtime::abi::kHostMemoryAlreadyRegistered, cudaErrorHostMemoryAlreadyRegistered);
SAME_NUMBER(runtime::abi::kHostMemoryNotRegistered, cudaErrorHostMemoryNotRegistered);
SAME_NUMBER(runtime::abi::kMisalignedAddress, cudaErrorMisalignedAddress);
SAME_NUMBER(runtime::abi::kLaunchFailure, cudaErrorLaunchFailure);
SAME_NUMBER(runtime::abi::kCooperativeLaunchTooLarge, cudaErrorCooperativeLaunchTooLarge);
SAME_NUMBER(runtime::abi::kNotSupported, cudaErrorNotSupported);
SAME_NUMBER(runtime::abi::kStreamCaptureUnsupported, cudaErrorStreamCaptureUnsupported);
SAME_NUMBER(runtime::abi::kStreamCaptureInvalidated, cudaErrorStreamCaptureInvalidated);
SAME_NUMBER(runtime::abi::kStreamCaptureUnmatched, cudaErrorStreamCaptureUnmatched);
SAME_NUMBER(runtime::abi::kHostToDevice, cudaMemcpyHostToDevice);
SAME_NUMBER(runtime::abi::kDeviceToHost, cudaMemcpyDeviceToHost);
SAME_NUMBER(runtime::abi::kDeviceToDevice, cudaMemcpyDeviceToDevice);
SAME_NUMBER(runtime::abi::kDefaultKind, cudaMemcpyDefault);
SAME_NUMBER(runtime::abi::kHostMemory, cudaMemoryTypeHost);
SAME_NUMBER(runtime::abi::kDeviceMemory, cudaMemoryTypeDevice);
SAME_NUMBER(runtime::abi::kManagedMemory, cudaMemoryTypeManaged);
SAME_NUMBER(runtime::abi::kAttributeCooperative, cudaLaunchAttributeCooperative);
SAME_NUMBER(runtime::abi::kAttributeClusterDimension, cudaLaunchAttributeClusterDimension);
SAME_NUMBER(runtime::abi::kAttributeIgnore, cudaLaunchAttributeIgnore);
SAME_NUMBER(runtime::abi::kAttributeClusterPolicy, cudaLaunchAttributeClusterSchedulingPolicyPreference);
SAME_NUMBER(runtime::abi::kAttributeProgrammaticSerialization,
            cudaLaunchAttributeProgrammaticStreamSerialization);

SAME_NUMBER(runtime::abi::kDevAttrMaxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
SAME_NUMBER(runtime::abi::kDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimX);
SAME_NUMBER(runtime::abi::kDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimY);
SAME_NUMBER(runtime::abi::kDevAttrMaxBlockDimZ, cudaDevAttrMaxBlockDimZ);
SAME_NUMBER(runtime::abi::kDevAttrMaxGridDimX, cudaDevAttrMaxGridDimX);
SAME_NUMBER(runtime::abi::kDevAttrMaxGridDimY, cudaDevAttrMaxGridDimY);
SAME_NUMBER(runtime::abi::kDevAttrMaxGridDimZ, cudaDevAttrMaxGridDimZ);
SAME_NUMBER(runtime::abi::kDevAttrMaxSharedMemoryPerBlock, cudaDevAttrMaxSharedMemoryPerBlock);
SAME_NUMBER(runtime::abi::kDevAttrTotalConstantMemory, cudaDevAttrTotalConstantMemory);
SAME_NUMBER(runtime::abi::kDevAttrWarpSize, cudaDevAttrWarpSize);
SAME_NUMBER(runtime::abi::kDevAttrMaxPitch, cudaDevAttrMaxPitch);
SAME_NUMBER(runtime::abi::kDevAttrMaxRegistersPerBlock, cudaDevAttrMaxRegistersPerBlock);
SAME_NUMBER(runtime::abi::kDevAttrClockRate, cudaDevAttrClockRate);
SAME_NUMBER(runtime::abi::kDevAttrTextureAlignment, cudaDevAttrTextureAlignment);
SAME_NUMBER(runtime::abi::kDevAttrGpuOverlap, cudaDevAttrGpuOverlap);
SAME_NUMBER(runtime::abi::kDevAttrMultiProcessorCount, cudaDevAttrMultiProcessorCount);
SAME_NUMBER(runtime::abi::kDevAttrCanMapHostMemory, cudaDevAttrCanMapHostMemory);
SAME_NUMBER(runtime::abi::kDevAttrMaxTexture1DWidth, cudaDevAttrMaxTexture1DWidth);
SAME_NUMBER(runtime::abi::kDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DWidth);
SAME_NUMBER(runtime::abi::kDevAttrMaxTexture2DHeight, cudaDevAttrMaxTexture2DHeight);
SAME_NUMBER(runtime::abi::kDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DWidth);
SAME_NUMBER(runtime::abi::kDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DHeight);
SAME_NUMBER(runtime::abi::kDevAttrMaxTexture3DDepth, cudaDevAttrMaxTexture3DDepth);
SAME_NUMBER(runtime::abi::kDevAttrSurfaceAlignment, cudaDevAttrSurfaceAlignment);
SAME_NUMBER(runtime::abi::kDevAttrConcurrentKernels, cudaDevAttrConcurrentKernels);
SAME_NUMBER(runtime::abi::kDevAttrMemoryClockRate, cudaDevAttrMemoryClockRate);
SAME_NUMBER(runtime::abi::kDevAttrGlobalMemoryBusWidth, cudaDevAttrGlobalMemoryBusWidth);
SAME_NUMBER(runtime::abi::kDevAttrL2CacheSize, cudaDevAttrL2CacheSize);
SAME_NUMBER(runtime::abi::kDevAttrMaxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
SAME_NUMBER(runtime::abi::kDevAttrAsyncEngineCount, cudaDevAttrAsyncEngineCount);
SAME_NUMBER(runtime::abi::kDevAttrUnifiedAddressing, cudaDevAttrUnifiedAddressing);
SAME_NUMBER(runtime::abi::kDevAttrTexturePitchAlignment, cudaDevAttrTexturePitchAlignment);
SAME_NUMBER(runtime::abi::kDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMajor);
SAME_NUMBER(runtime::abi::kDevAttrComputeCapabilityMinor, cudaDevAttrComputeCapabilityMinor);
SAME_NUMBER(runtime::abi::kDevAttrStreamPrioritiesSupported, cudaDevAttrStreamPrioritiesSupported);
SAME_NUMBER(runtime::abi::kDevAttrGlobalL1CacheSupported, cudaDevAttrGlobalL1CacheSupported);
SAME_NUMBER(runtime::abi::kDevAttrLocalL1CacheSupported, cudaDevAttrLocalL1CacheSupported);
SAME_NUMBER(runtime::abi::kDevAttrMaxSharedMemoryPerMultiprocessor,
            cudaDevAttrMaxSharedMemoryPerMultiprocessor);
SAME_NUMBER(runtime::abi::kDevAttrMaxRegistersPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor);
SAME_NUMBER(runtime::abi::kDevAttrManagedMemory, cudaDevAttrManagedMemory);
SAME_NUMBER(runtime::abi::kDevAttrHostNativeAtomicSupported, cudaDevAttrHostNativeAtomicSupported);
SAME_NUMBER(runtime::abi::kDevAttrSingleToDoublePrecisionPerfRatio,
            cudaDevAttrSingleToDoublePrecisionPerfRatio);
SAME_NUMBER(runtime::abi::kDevAttrConcurrentManagedAccess, cudaDevAttrConcurrentManagedAccess);
SAME_NUMBER(runtime::abi::kDevAttrCooperativeLaunch, cudaDevAttrCooperativeLaunch);
SAME_NUMBER(runtime::abi::kDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrMaxSharedMemoryPerBlockOptin);
SAME_NUMBER(runtime::abi::kDevAttrHostRegisterSupported, cudaDevAttrHostRegisterSupported);
SAME_NUMBER(runtime::abi::kDevAttrDirectManagedMemAccessFromHost, cudaDevAttrDirectManagedMemAccessFromHost);
SAME_NUMBER(runtime::abi::kDevAttrMaxBlocksPerMultiprocessor, cudaDevAttrMaxBlocksPerMultiprocessor);
SAME_NUMBER(runtime::abi::kDevAttrReservedSharedMemoryPerBlock, cudaDevAttrReservedSharedMemoryPerBlock);
SAME_NUMBER(runtime::abi::kDevAttrMemoryPoolsSupported, cudaDevAttrMemoryPoolsSupported);
#if CUDART_VERSION >= 12020
SAME_NUMBER(runtime::abi::kAttributeCarveout, cudaLaunchAttributePreferredSharedMemoryCarveout);
SAME_NUMBER(runtime::abi::kDevAttrMemSyncDomainCount, cudaDevAttrMemSyncDomainCount);
SAME_NUMBER(runtime::abi::kDevAttrNumaId, cudaDevAttrNumaId);
SAME_NUMBER(runtime::abi::kDevAttrHostNumaId, cudaDevAttrHostNumaId);
#endif
SAME_NUMBER(runtime::abi::kInvalidDeviceId, cudaInvalidDeviceId);
SAME_NUMBER(runtime::abi::kFuncAttributeMaxDynamicSharedMemorySize,
            cudaFuncAttributeMaxDynamicSharedMemorySize);
SAME_NUMBER(runtime::abi::kFuncAttributePreferredSharedMemoryCarveout,
            cudaFuncAttributePreferredSharedMemoryCarveout);

static_assert(sizeof(runtime::abi::Dim3) == sizeof(dim3) &&
              sizeof(runtime::abi::Extent) == sizeof(cudaExtent));
static_assert(sizeof(runtime::abi::Position) == sizeof(cudaPos) &&
              sizeof(runtime::abi::PitchedPointer) == sizeof(cudaPitchedPtr));
SAME_PLACE(runtime::abi::PitchedPointer, pitch, cudaPitchedPtr, pitch);
SAME_PLACE(runtime::abi::PitchedPointer, ysize, cudaPitchedPtr, ysize);

static_assert(sizeof(runtime::abi::Copy3D) == sizeof(cudaMemcpy3DParms));
SAME_PLACE(runtime::abi::Copy3D, source, cudaMemcpy3DParms, srcPtr);
SAME_PLACE(runtime::abi::Copy3D, destination_array, cudaMemcpy3DParms, dstArray);
SAME_PLACE(runtime::abi::Copy3D, destination, cudaMemcpy3DParms, dstPtr);
SAME_PLACE(runtime::abi::Copy3D, extent, cudaMemcpy3DParms, extent);
SAME_PLACE(runtime::abi::Copy3D, kind, cudaMemcpy3DParms, kind);
static_assert(sizeof(runtime::abi::Copy3DPeer) == sizeof(cudaMemcpy3DPeerParms));
SAME_PLACE(runtime::abi::Copy3DPeer, destination, cudaMemcpy3DPeerParms, dstPtr);
SAME_PLACE(runtime::abi::Copy3DPeer, extent, cudaMemcpy3DPeerParms, extent);

static_assert(sizeof(runtime::abi::FunctionAttributes) == sizeof(cudaFuncAttributes));
SAME_PLACE(runtime::abi::FunctionAttributes, threads_most, cudaFuncAttributes, maxThreadsPerBlock);
SAME_PLACE(runtime::abi::FunctionAttributes, registers, cudaFuncAttributes, numRegs);
SAME_PLACE(runtime::abi::FunctionAttributes, binary_version, cudaFuncAttributes, binaryVersion);
SAME_PLACE(runtime::abi::FunctionAttributes, dynamic_shared_most, cudaFuncAttributes,
           maxDynamicSharedSizeBytes);
SAME_PLACE(runtime::abi::FunctionAttributes, carveout, cudaFuncAttributes, preferredShmemCarveout);

static_assert(sizeof(runtime::abi::PointerAttributes) <= sizeof(cudaPointerAttributes));
SAME_PLACE(runtime::abi::PointerAttributes, device, cudaPointerAttributes, device);
SAME_PLACE(runtime::abi::PointerAttributes, device_pointer, cudaPointerAttributes, devicePointer);
SAME_PLACE(runtime::abi::PointerAttributes, host_pointer, cudaPointerAttributes, hostPointer);

static_assert(sizeof(runtime::abi::LaunchAttribute) == sizeof(cudaLaunchAttribute));
SAME_PLACE(runtime::abi::LaunchAttribute, value, cudaLaunchAttribute, val);
static_assert(sizeof(runtime::abi::LaunchConfiguration) == sizeof(cudaLaunchConfig_t));
SAME_PLACE(runtime::abi::LaunchConfiguration, shared_bytes, cudaLaunchConfig_t, dynamicSmemBytes);
SAME_PLACE(runtime::abi::LaunchConfiguration, attributes, cudaLaunchConfig_t, attrs);
SAME_PLACE(runtime::abi::LaunchConfiguration, attribute_count, cudaLaunchConfig_t, numAttrs);

static_assert(sizeof(runtime::abi::KernelNode) == sizeof(cudaKernelNodeParams));
SAME_PLACE(runtime::abi::KernelNode, shared_bytes, cudaKernelNodeParams, sharedMemBytes);
SAME_PLACE(runtime::abi::KernelNode, parameters, cudaKernelNodeParams, kernelParams);
static_assert(sizeof(runtime::abi::MemsetNode) == sizeof(cudaMemsetParams));
SAME_PLACE(runtime::abi::MemsetNode, element_bytes, cudaMemsetParams, elementSize);
SAME_PLACE(runtime::abi::MemsetNode, height, cudaMemsetParams, height);
static_assert(sizeof(runtime::abi::HostNode) == sizeof(cudaHostNodeParams));

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
