// SPDX-License-Identifier: Apache-2.0
//
// Whole estimates of small kernels: orders and bounds, no exact times.
#include "evolution/emulate/estimate/estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/emulate/estimate/programs.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::estimate;
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::program;
namespace {

using testing::HasSubstr;

class Estimates : public testing::Test {
protected:
  void SetUp() override {
    auto memory = Memory::make();
    ASSERT_TRUE(memory);
    memory_ = std::move(*memory);
  }
  std::uint64_t buffer(std::uint64_t bytes) {
    const auto address = memory_->allocate(bytes, "a buffer");
    EXPECT_TRUE(address);
    return address.value_or(0);
  }
  /// x, y and n as the copy kernels take them.
  Result<LaunchEstimate> run(const std::shared_ptr<const Program> &program, std::uint64_t x, std::uint64_t y,
                             std::uint32_t n, std::uint32_t grid, std::uint32_t block) {
    auto loaded = LoadedProgram::load(program, *memory_);
    if (!loaded) return std::unexpected(loaded.error());
    std::vector<std::byte> parameters(program->functions[0].parameter_bytes);
    std::memcpy(parameters.data() + program->functions[0].parameters[0].offset, &x, 8);
    std::memcpy(parameters.data() + program->functions[0].parameters[1].offset, &y, 8);
    std::memcpy(parameters.data() + program->functions[0].parameters[2].offset, &n, 4);
    LaunchRequest request;
    request.grid = {grid, 1, 1};
    request.block = {block, 1, 1};
    request.parameters = parameters;
    return estimate_launch(**loaded, *memory_, request, {16, 0, 0}, device_);
  }
  Result<LaunchEstimate> copy(int width, std::uint64_t bytes, std::uint32_t block) {
    const auto n = static_cast<std::uint32_t>(bytes / static_cast<std::uint64_t>(width));
    return run(copy_program(width), buffer(bytes), buffer(bytes), n, (n + block - 1) / block, block);
  }

  std::unique_ptr<Memory> memory_;
  DeviceTable device_ = *device_table("sm_90_h200");
};

TEST_F(Estimates, ALargeCopyRunsAtMemorySpeed) {
  constexpr std::uint64_t kBytes = 64 << 20;
  const auto wide = copy(16, kBytes, 256);
  ASSERT_TRUE(wide) << wide.error().message;
  const double at_memory_speed = 2.0 * kBytes / device_.values.at("dram_gbs") / 1e3;
  EXPECT_GT(wide->time_us, 0.9 * at_memory_speed);
  EXPECT_LT(wide->time_us, 1.4 * at_memory_speed);
  EXPECT_EQ(wide->bound, "dram");
  EXPECT_NEAR(wide->dram_bytes, 2.0 * kBytes, 0.02 * kBytes);
  EXPECT_EQ(wide->kernel, "k");
  EXPECT_EQ(wide->blocks, kBytes / 16 / 256);
  EXPECT_LT(wide->blocks_run, 400u);
}

TEST_F(Estimates, ABlockExecutedTwiceCountsOnce) {
  for (const std::uint32_t grid : {1u, 4u, 9u}) {
    const auto few = copy(4, 1024ull * grid, 256);
    ASSERT_TRUE(few) << few.error().message;
    EXPECT_EQ(few->blocks, grid);
    EXPECT_GE(few->blocks_run, 1u);
    EXPECT_LE(few->blocks_run, grid);
  }
}

TEST_F(Estimates, NarrowAccessesAndSmallBlocksAreSlower) {
  constexpr std::uint64_t kBytes = 64 << 20;
  const auto wide = copy(16, kBytes, 256), narrow = copy(4, kBytes, 256), small = copy(4, kBytes, 32);
  ASSERT_TRUE(wide && narrow && small);
  EXPECT_GT(narrow->time_us, 1.3 * wide->time_us);
  EXPECT_GT(small->time_us, 3 * narrow->time_us);
}

TEST_F(Estimates, ATinyLaunchIsTheLaunch) {
  const auto tiny = copy(4, 4096, 256);
  ASSERT_TRUE(tiny);
  EXPECT_GT(tiny->time_us, device_.values.at("launch_us"));
  EXPECT_LT(tiny->time_us, device_.values.at("launch_us") + 3);
}

TEST_F(Estimates, AtomicsOnOneAddressTakeTurns) {
  const auto program = program_of("u64 x, u64 y, u32 n",
                                  "ld.param.u64 %rd1, [x];\nmov.f32 %f1, 0f3f800000;\n"
                                  "red.global.add.f32 [%rd1], %f1;\nret;");
  const auto found = run(program, buffer(256), buffer(256), 0, 4096, 256);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->bound, "atomics");
  EXPECT_NEAR(found->time_us, 4096 * 256 * device_.values.at("atomic_same_float_ns") / 1e3,
              0.1 * found->time_us);
}

TEST_F(Estimates, ImpossibleLaunchesAreErrors) {
  const auto large = run(copy_program(4), buffer(256), buffer(256), 0, 1, 2048);
  ASSERT_FALSE(large);
  EXPECT_THAT(large.error().message, HasSubstr("2048 threads"));
  const auto none = run(copy_program(4), buffer(256), buffer(256), 0, 0, 32);
  EXPECT_FALSE(none);
}

TEST_F(Estimates, ABlockThatWaitsForAnotherEnds) {
  const auto program = program_of("u64 x, u64 y, u32 n",
                                  "ld.param.u64 %rd1, [x];\nLOOP:\nld.volatile.global.u32 %r1, [%rd1];\n"
                                  "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra LOOP;\nret;");
  const std::uint64_t flag = buffer(256);
  std::memset(reinterpret_cast<void *>(flag), 0, 256);
  const auto waits = run(program, flag, buffer(256), 0, 2, 32);
  ASSERT_FALSE(waits);
  EXPECT_THAT(waits.error().message, HasSubstr("waits for another block"));
}

TEST_F(Estimates, AFaultIsReportedNotEstimated) {
  const auto fault = run(copy_program(4), 64, buffer(1 << 20), 1 << 18, 1024, 256);
  ASSERT_FALSE(fault);
  EXPECT_THAT(fault.error().message, HasSubstr("out-of-bounds"));
}

}  // namespace
}  // namespace cupilot::emulate
