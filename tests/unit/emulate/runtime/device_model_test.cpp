// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/runtime/device_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/emulate/runtime/api/attributes.h"
#include "evolution/emulate/runtime/api/properties/properties.h"
#include "evolution/emulate/runtime/device.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::runtime;
namespace {

TEST(DeviceModel, IsFoundByEverySpelling) {
  for (const char *name : {"sm_90", "sm_90a", "90"}) EXPECT_EQ(device_model(name)->architecture, 90u) << name;
  for (const char *name : {"", "sm_", "sm_91", "compute_90", "sm_90x", "90 "}) {
    const auto model = device_model(name);
    ASSERT_FALSE(model) << name;
    EXPECT_THAT(model.error().message, testing::HasSubstr("the emulated ones are sm_75, sm_80"));
  }
}

TEST(DeviceModel, OccupancyIsTheSmallestOfItsLimits) {
  const auto model = *device_model("sm_90");
  EXPECT_EQ(resident_blocks(model, {256, 32, 0}), 8);         // threads
  EXPECT_EQ(resident_blocks(model, {32, 32, 0}), 32);         // blocks
  EXPECT_EQ(resident_blocks(model, {256, 64, 0}), 4);         // registers
  EXPECT_EQ(resident_blocks(model, {256, 255, 0}), 1);        // registers
  EXPECT_EQ(resident_blocks(model, {256, 32, 48 << 10}), 4);  // shared memory: 4 x 49 KiB of 228
  EXPECT_EQ(resident_blocks(model, {256, 32, 227 << 10}), 1);
  EXPECT_EQ(resident_blocks(model, {256, 32, 228 << 10}), 0);
  EXPECT_EQ(resident_blocks(model, {1025, 32, 0}), 0);
}

TEST(DeviceModel, KernelsSeeItsMultiprocessors) {
  const auto device = *Device::make({.architecture = "sm_80", .memory_bytes = 1 << 20});
  const auto program = *device->load_ptx(R"(.version 8.0
    .target sm_80
    .address_size 64
    .visible .entry k(.param .u64 out) { .reg .b32 %r; .reg .b64 %rd;
    ld.param.u64 %rd, [out]; mov.u32 %r, %nsmid; st.global.u32 [%rd], %r; ret; })",
                                         "k.ptx");
  const std::uint64_t out = *device->memory().allocate(4, "'out'");
  const LaunchRequest request{.function = program->program->entries.at("k"),
                              .parameters = std::as_bytes(std::span(&out, 1))};
  EXPECT_TRUE(device->run(*program, request).completed);
  EXPECT_EQ(*reinterpret_cast<const int *>(out), device_model("sm_80")->processors);
}

TEST(Properties, TableDoesNotOverlap) {
  for (const auto layout : {&runtime::Property::at_12, &runtime::Property::at_13}) {
    std::vector<bool> used(2048);
    for (const auto &property : runtime::properties()) {
      if (property.*layout < 0) continue;
      for (int i = 0; i < property.bytes; ++i) {
        EXPECT_FALSE(used[property.*layout + i]) << property.name;
        used[property.*layout + i] = true;
      }
    }
  }
}

TEST(Properties, SayWhatTheModelSays) {
  const auto model = *device_model("sm_86");
  EXPECT_EQ(runtime::device_attribute(model, runtime::abi::kDevAttrComputeCapabilityMajor), 8);
  EXPECT_EQ(runtime::device_attribute(model, runtime::abi::kDevAttrComputeCapabilityMinor), 6);
  EXPECT_EQ(runtime::device_attribute(model, runtime::abi::kDevAttrMultiProcessorCount), model.processors);
  EXPECT_EQ(runtime::device_attribute(model, 0), std::nullopt);
  std::vector<std::byte> to(runtime::kProperties13 + 1, std::byte{0x5a});
  runtime::write_properties(model, 12345, runtime::PropertiesLayout::cuda_13, to.data());
  EXPECT_THAT(reinterpret_cast<const char *>(to.data()), testing::HasSubstr("emulated"));
  EXPECT_EQ(*reinterpret_cast<const std::size_t *>(to.data() + 288), 12345u);
  EXPECT_EQ(*reinterpret_cast<const int *>(to.data() + 360), 8);
  EXPECT_EQ(to.back(), std::byte{0x5a});
}

}  // namespace
}  // namespace cupilot::emulate
