// SPDX-License-Identifier: Apache-2.0
//
// Tables of attributes and of places in cudaDeviceProp. The device can do what the emulator can: no textures,
// no clusters, one memory for host and device.

#include "evolution/emulate/runtime/api/properties/properties.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "evolution/emulate/runtime/api/attributes.h"

namespace cupilot::emulate::runtime {
namespace {

using Value = int (*)(const DeviceModel &);
struct Attribute {
  int number;
  Value value;
};

template <int value>
int fixed(const DeviceModel &) {
  return value;
}

/// Attributes without a row are 0: the device does not have that feature.
constexpr Attribute kAttributes[] = {
    {abi::kDevAttrMaxThreadsPerBlock, fixed<kThreadsPerBlock>},
    {abi::kDevAttrMaxBlockDimX, fixed<1024>},
    {abi::kDevAttrMaxBlockDimY, fixed<1024>},
    {abi::kDevAttrMaxBlockDimZ, fixed<64>},
    {abi::kDevAttrMaxGridDimX, fixed<0x7fffffff>},
    {abi::kDevAttrMaxGridDimY, fixed<65535>},
    {abi::kDevAttrMaxGridDimZ, fixed<65535>},
    {abi::kDevAttrMaxSharedMemoryPerBlock, fixed<static_cast<int>(kSharedPerBlock)>},
    {abi::kDevAttrTotalConstantMemory, fixed<65536>},
    {abi::kDevAttrWarpSize, fixed<kWarpSize>},
    {abi::kDevAttrMaxPitch, fixed<0x7fffffff>},
    {abi::kDevAttrMaxRegistersPerBlock, fixed<kRegistersPerProcessor>},
    {abi::kDevAttrClockRate, [](const DeviceModel &m) { return m.clock_khz; }},
    {abi::kDevAttrTextureAlignment, fixed<512>},
    {abi::kDevAttrGpuOverlap, fixed<1>},
    {abi::kDevAttrMultiProcessorCount, [](const DeviceModel &m) { return m.processors; }},
    {abi::kDevAttrCanMapHostMemory, fixed<1>},
    {abi::kDevAttrMaxTexture1DWidth, fixed<131072>},
    {abi::kDevAttrMaxTexture2DWidth, fixed<131072>},
    {abi::kDevAttrMaxTexture2DHeight, fixed<65536>},
    {abi::kDevAttrMaxTexture3DWidth, fixed<16384>},
    {abi::kDevAttrMaxTexture3DHeight, fixed<16384>},
    {abi::kDevAttrMaxTexture3DDepth, fixed<16384>},
    {abi::kDevAttrSurfaceAlignment, fixed<512>},
    {abi::kDevAttrConcurrentKernels, fixed<1>},
    {abi::kDevAttrMemoryClockRate, [](const DeviceModel &m) { return m.memory_clock_khz; }},
    {abi::kDevAttrGlobalMemoryBusWidth, [](const DeviceModel &m) { return m.bus_bits; }},
    {abi::kDevAttrL2CacheSize, [](const DeviceModel &m) { return static_cast<int>(m.l2_bytes); }},
    {abi::kDevAttrMaxThreadsPerMultiProcessor, [](const DeviceModel &m) { return m.threads_per_processor; }},
    {abi::kDevAttrAsyncEngineCount, fixed<2>},
    {abi::kDevAttrUnifiedAddressing, fixed<1>},
    {abi::kDevAttrTexturePitchAlignment, fixed<32>},
    {abi::kDevAttrComputeCapabilityMajor,
     [](const DeviceModel &m) { return static_cast<int>(m.architecture / 10); }},
    {abi::kDevAttrComputeCapabilityMinor,
     [](const DeviceModel &m) { return static_cast<int>(m.architecture % 10); }},
    {abi::kDevAttrStreamPrioritiesSupported, fixed<1>},
    {abi::kDevAttrGlobalL1CacheSupported, fixed<1>},
    {abi::kDevAttrLocalL1CacheSupported, fixed<1>},
    {abi::kDevAttrMaxSharedMemoryPerMultiprocessor,
     [](const DeviceModel &m) { return static_cast<int>(m.shared_per_processor); }},
    {abi::kDevAttrMaxRegistersPerMultiprocessor, fixed<kRegistersPerProcessor>},
    {abi::kDevAttrManagedMemory, fixed<1>},
    {abi::kDevAttrHostNativeAtomicSupported, fixed<1>},
    {abi::kDevAttrSingleToDoublePrecisionPerfRatio, [](const DeviceModel &m) { return m.fp32_to_fp64; }},
    {abi::kDevAttrConcurrentManagedAccess, fixed<1>},
    {abi::kDevAttrCooperativeLaunch, fixed<1>},
    {abi::kDevAttrMaxSharedMemoryPerBlockOptin,
     [](const DeviceModel &m) { return static_cast<int>(m.shared_per_block_most); }},
    {abi::kDevAttrHostRegisterSupported, fixed<1>},
    {abi::kDevAttrDirectManagedMemAccessFromHost, fixed<1>},
    {abi::kDevAttrMaxBlocksPerMultiprocessor, [](const DeviceModel &m) { return m.blocks_per_processor; }},
    {abi::kDevAttrReservedSharedMemoryPerBlock, fixed<static_cast<int>(kSharedReserved)>},
    {abi::kDevAttrMemoryPoolsSupported, fixed<1>},
    {abi::kDevAttrMemSyncDomainCount, fixed<1>},
    {abi::kDevAttrNumaId, fixed<-1>},
    {abi::kDevAttrHostNumaId, fixed<-1>},
};

constexpr Property kProperties[] = {
    {"sharedMemPerBlock", 296, 296, 8, abi::kDevAttrMaxSharedMemoryPerBlock},
    {"regsPerBlock", 304, 304, 4, abi::kDevAttrMaxRegistersPerBlock},
    {"warpSize", 308, 308, 4, abi::kDevAttrWarpSize},
    {"memPitch", 312, 312, 8, abi::kDevAttrMaxPitch},
    {"maxThreadsPerBlock", 320, 320, 4, abi::kDevAttrMaxThreadsPerBlock},
    {"maxThreadsDim[0]", 324, 324, 4, abi::kDevAttrMaxBlockDimX},
    {"maxThreadsDim[1]", 328, 328, 4, abi::kDevAttrMaxBlockDimY},
    {"maxThreadsDim[2]", 332, 332, 4, abi::kDevAttrMaxBlockDimZ},
    {"maxGridSize[0]", 336, 336, 4, abi::kDevAttrMaxGridDimX},
    {"maxGridSize[1]", 340, 340, 4, abi::kDevAttrMaxGridDimY},
    {"maxGridSize[2]", 344, 344, 4, abi::kDevAttrMaxGridDimZ},
    {"clockRate", 348, -1, 4, abi::kDevAttrClockRate},
    {"totalConstMem", 352, 352, 8, abi::kDevAttrTotalConstantMemory},
    {"major", 360, 360, 4, abi::kDevAttrComputeCapabilityMajor},
    {"minor", 364, 364, 4, abi::kDevAttrComputeCapabilityMinor},
    {"textureAlignment", 368, 368, 8, abi::kDevAttrTextureAlignment},
    {"texturePitchAlignment", 376, 376, 8, abi::kDevAttrTexturePitchAlignment},
    {"deviceOverlap", 384, -1, 4, abi::kDevAttrGpuOverlap},
    {"multiProcessorCount", 388, 384, 4, abi::kDevAttrMultiProcessorCount},
    {"canMapHostMemory", 400, 392, 4, abi::kDevAttrCanMapHostMemory},
    {"maxTexture1D", 408, 396, 4, abi::kDevAttrMaxTexture1DWidth},
    {"maxTexture2D[0]", 420, 404, 4, abi::kDevAttrMaxTexture2DWidth},
    {"maxTexture2D[1]", 424, 408, 4, abi::kDevAttrMaxTexture2DHeight},
    {"maxTexture3D[0]", 456, 440, 4, abi::kDevAttrMaxTexture3DWidth},
    {"maxTexture3D[1]", 460, 444, 4, abi::kDevAttrMaxTexture3DHeight},
    {"maxTexture3D[2]", 464, 448, 4, abi::kDevAttrMaxTexture3DDepth},
    {"surfaceAlignment", 568, 552, 8, abi::kDevAttrSurfaceAlignment},
    {"concurrentKernels", 576, 560, 4, abi::kDevAttrConcurrentKernels},
    {"asyncEngineCount", 600, 584, 4, abi::kDevAttrAsyncEngineCount},
    {"unifiedAddressing", 604, 588, 4, abi::kDevAttrUnifiedAddressing},
    {"memoryClockRate", 608, -1, 4, abi::kDevAttrMemoryClockRate},
    {"memoryBusWidth", 612, 592, 4, abi::kDevAttrGlobalMemoryBusWidth},
    {"l2CacheSize", 616, 596, 4, abi::kDevAttrL2CacheSize},
    {"maxThreadsPerMultiProcessor", 624, 604, 4, abi::kDevAttrMaxThreadsPerMultiProcessor},
    {"streamPrioritiesSupported", 628, 608, 4, abi::kDevAttrStreamPrioritiesSupported},
    {"globalL1CacheSupported", 632, 612, 4, abi::kDevAttrGlobalL1CacheSupported},
    {"localL1CacheSupported", 636, 616, 4, abi::kDevAttrLocalL1CacheSupported},
    {"sharedMemPerMultiprocessor", 640, 624, 8, abi::kDevAttrMaxSharedMemoryPerMultiprocessor},
    {"regsPerMultiprocessor", 648, 632, 4, abi::kDevAttrMaxRegistersPerMultiprocessor},
    {"managedMemory", 652, 636, 4, abi::kDevAttrManagedMemory},
    {"hostNativeAtomicSupported", 664, 648, 4, abi::kDevAttrHostNativeAtomicSupported},
    {"singleToDoublePrecisionPerfRatio", 668, -1, 4, abi::kDevAttrSingleToDoublePrecisionPerfRatio},
    {"concurrentManagedAccess", 676, 656, 4, abi::kDevAttrConcurrentManagedAccess},
    {"cooperativeLaunch", 688, 668, 4, abi::kDevAttrCooperativeLaunch},
    {"sharedMemPerBlockOptin", 696, 672, 8, abi::kDevAttrMaxSharedMemoryPerBlockOptin},
    {"directManagedMemAccessFromHost", 708, 684, 4, abi::kDevAttrDirectManagedMemAccessFromHost},
    {"maxBlocksPerMultiProcessor", 712, 688, 4, abi::kDevAttrMaxBlocksPerMultiprocessor},
    {"reservedSharedMemPerBlock", 720, 696, 8, abi::kDevAttrReservedSharedMemoryPerBlock},
    {"hostRegisterSupported", 728, 704, 4, abi::kDevAttrHostRegisterSupported},
    {"memoryPoolsSupported", 744, 720, 4, abi::kDevAttrMemoryPoolsSupported},
};

constexpr std::size_t kNameBytes = 256, kTotalMemory = 288;

}  // namespace

std::optional<int> device_attribute(const DeviceModel &model, int attribute) {
  for (const auto &known : kAttributes)
    if (known.number == attribute) return known.value(model);
  if (attribute >= 1 && attribute <= abi::kLastDeviceAttribute) return 0;
  return std::nullopt;
}

std::span<const Property> properties() {
  return kProperties;
}

std::string device_name(const DeviceModel &model) {
  return fmt::format("cupilot emulated GPU (sm_{}, runs on the CPU)", model.architecture);
}

void write_properties(const DeviceModel &model, std::size_t memory_bytes, PropertiesLayout layout,
                      std::byte *to) {
  const bool is_12 = layout == PropertiesLayout::cuda_12;
  std::memset(to, 0, is_12 ? kProperties12 : kProperties13);
  const auto name = device_name(model);
  std::memcpy(to, name.data(), std::min(name.size(), kNameBytes - 1));
  std::memcpy(to + kTotalMemory, &memory_bytes, sizeof memory_bytes);
  for (const auto &property : kProperties) {
    const int at = is_12 ? property.at_12 : property.at_13;
    if (at < 0) continue;
    const std::int64_t value = device_attribute(model, property.attribute).value_or(0);
    std::memcpy(to + at, &value, property.bytes);
  }
}

}  // namespace cupilot::emulate::runtime
