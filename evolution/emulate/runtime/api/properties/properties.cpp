// SPDX-License-Identifier: Apache-2.0
//
// Tables of attributes and of places in cudaDeviceProp. The device can do what the emulator can: no textures,
// no clusters, one memory for host and device.

#include "evolution/emulate/runtime/api/properties/properties.h"

#include <cstring>
#include <iterator>

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

constexpr Attribute kAttributes[] = {
    {1, fixed<kThreadsPerBlock>},  // max threads per block
    {2, fixed<1024>},              // block x, y, z
    {3, fixed<1024>},
    {4, fixed<64>},
    {5, fixed<0x7fffffff>},  // grid x, y, z
    {6, fixed<65535>},
    {7, fixed<65535>},
    {8, fixed<static_cast<int>(kSharedPerBlock)>},
    {9, fixed<65536>},  // constant memory
    {10, fixed<kWarpSize>},
    {11, fixed<0x7fffffff>},              // pitch
    {12, fixed<kRegistersPerProcessor>},  // registers per block
    {13, [](const DeviceModel &m) { return m.clock_khz; }},
    {14, fixed<512>},  // texture alignment
    {15, fixed<1>},    // overlap
    {16, [](const DeviceModel &m) { return m.processors; }},
    {17, fixed<0>},  // execution timeout
    {18, fixed<0>},  // integrated
    {19, fixed<1>},  // maps host memory
    {20, fixed<0>},  // compute mode
    {21, fixed<131072>},
    {22, fixed<131072>},
    {23, fixed<65536>},
    {24, fixed<16384>},
    {25, fixed<16384>},
    {26, fixed<16384>},
    {30, fixed<512>},  // surface alignment
    {31, fixed<1>},    // concurrent kernels
    {32, fixed<0>},    // ECC
    {33, fixed<0>},    // PCI bus, device
    {34, fixed<0>},
    {35, fixed<0>},
    {36, [](const DeviceModel &m) { return m.memory_clock_khz; }},
    {37, [](const DeviceModel &m) { return m.bus_bits; }},
    {38, [](const DeviceModel &m) { return static_cast<int>(m.l2_bytes); }},
    {39, [](const DeviceModel &m) { return m.threads_per_processor; }},
    {40, fixed<2>},   // copy engines
    {41, fixed<1>},   // unified addressing
    {50, fixed<0>},   // PCI domain
    {51, fixed<32>},  // texture pitch alignment
    {75, [](const DeviceModel &m) { return static_cast<int>(m.architecture / 10); }},
    {76, [](const DeviceModel &m) { return static_cast<int>(m.architecture % 10); }},
    {78, fixed<1>},  // stream priorities
    {79, fixed<1>},  // L1 caches
    {80, fixed<1>},
    {81, [](const DeviceModel &m) { return static_cast<int>(m.shared_per_processor); }},
    {82, fixed<kRegistersPerProcessor>},
    {83, fixed<1>},  // managed memory
    {84, fixed<0>},
    {85, fixed<0>},
    {86, fixed<1>},  // host atomics
    {87, [](const DeviceModel &m) { return m.fp32_to_fp64; }},
    {88, fixed<0>},  // pageable memory
    {89, fixed<1>},  // concurrent managed access
    {90, fixed<0>},
    {91, fixed<0>},  // host pointers of registered memory
    {95, fixed<1>},  // cooperative launch
    {96, fixed<0>},
    {97, [](const DeviceModel &m) { return static_cast<int>(m.shared_per_block_most); }},
    {98, fixed<0>},
    {99, fixed<1>},  // host register
    {100, fixed<0>},
    {101, fixed<1>},
    {106, [](const DeviceModel &m) { return m.blocks_per_processor; }},
    {108, fixed<0>},
    {109, fixed<0>},
    {111, fixed<static_cast<int>(kSharedReserved)>},
    {112, fixed<0>},
    {113, fixed<0>},
    {114, fixed<0>},
    {115, fixed<1>},  // memory pools
    {116, fixed<0>},
    {117, fixed<0>},
    {118, fixed<0>},
    {119, fixed<0>},
    {120, fixed<0>},  // clusters
    {121, fixed<0>},
    {122, fixed<0>},
    {125, fixed<0>},
    {126, fixed<1>},
    {130, fixed<0>},
    {131, fixed<-1>},
    {132, fixed<0>},
    {133, fixed<0>},
    {134, fixed<-1>},
};

constexpr Property kProperties[] = {
    {"sharedMemPerBlock", 296, 296, 8, 8},
    {"regsPerBlock", 304, 304, 4, 12},
    {"warpSize", 308, 308, 4, 10},
    {"memPitch", 312, 312, 8, 11},
    {"maxThreadsPerBlock", 320, 320, 4, 1},
    {"maxThreadsDim[0]", 324, 324, 4, 2},
    {"maxThreadsDim[1]", 328, 328, 4, 3},
    {"maxThreadsDim[2]", 332, 332, 4, 4},
    {"maxGridSize[0]", 336, 336, 4, 5},
    {"maxGridSize[1]", 340, 340, 4, 6},
    {"maxGridSize[2]", 344, 344, 4, 7},
    {"clockRate", 348, -1, 4, 13},
    {"totalConstMem", 352, 352, 8, 9},
    {"major", 360, 360, 4, 75},
    {"minor", 364, 364, 4, 76},
    {"textureAlignment", 368, 368, 8, 14},
    {"texturePitchAlignment", 376, 376, 8, 51},
    {"deviceOverlap", 384, -1, 4, 15},
    {"multiProcessorCount", 388, 384, 4, 16},
    {"canMapHostMemory", 400, 392, 4, 19},
    {"maxTexture1D", 408, 396, 4, 21},
    {"maxTexture2D[0]", 420, 404, 4, 22},
    {"maxTexture2D[1]", 424, 408, 4, 23},
    {"maxTexture3D[0]", 456, 440, 4, 24},
    {"maxTexture3D[1]", 460, 444, 4, 25},
    {"maxTexture3D[2]", 464, 448, 4, 26},
    {"surfaceAlignment", 568, 552, 8, 30},
    {"concurrentKernels", 576, 560, 4, 31},
    {"asyncEngineCount", 600, 584, 4, 40},
    {"unifiedAddressing", 604, 588, 4, 41},
    {"memoryClockRate", 608, -1, 4, 36},
    {"memoryBusWidth", 612, 592, 4, 37},
    {"l2CacheSize", 616, 596, 4, 38},
    {"maxThreadsPerMultiProcessor", 624, 604, 4, 39},
    {"streamPrioritiesSupported", 628, 608, 4, 78},
    {"globalL1CacheSupported", 632, 612, 4, 79},
    {"localL1CacheSupported", 636, 616, 4, 80},
    {"sharedMemPerMultiprocessor", 640, 624, 8, 81},
    {"regsPerMultiprocessor", 648, 632, 4, 82},
    {"managedMemory", 652, 636, 4, 83},
    {"hostNativeAtomicSupported", 664, 648, 4, 86},
    {"singleToDoublePrecisionPerfRatio", 668, -1, 4, 87},
    {"concurrentManagedAccess", 676, 656, 4, 89},
    {"cooperativeLaunch", 688, 668, 4, 95},
    {"sharedMemPerBlockOptin", 696, 672, 8, 97},
    {"directManagedMemAccessFromHost", 708, 684, 4, 101},
    {"maxBlocksPerMultiProcessor", 712, 688, 4, 106},
    {"reservedSharedMemPerBlock", 720, 696, 8, 111},
    {"hostRegisterSupported", 728, 704, 4, 99},
    {"memoryPoolsSupported", 744, 720, 4, 115},
};

constexpr std::size_t kNameBytes = 256, kTotalMemory = 288;

}  // namespace

std::optional<int> device_attribute(const DeviceModel &model, int attribute) {
  for (const auto &known : kAttributes)
    if (known.number == attribute) return known.value(model);
  // Texture and surface sizes, and numbers that came later: the device has none of these.
  if (attribute >= 1 && attribute < 200) return 0;
  return std::nullopt;
}

std::span<const Property> properties() {
  return kProperties;
}

std::string device_name(const DeviceModel &model) {
  return "cupilot emulated GPU (sm_" + std::to_string(model.architecture) + ", runs on the CPU)";
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
