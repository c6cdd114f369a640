// SPDX-License-Identifier: Apache-2.0
//
// Traces made by hand: one load and one store a warp, through the copy kernel's code.
#include "evolution/emulate/estimate/replay.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/emulate/estimate/programs.h"

namespace cupilot::emulate::estimation {
using namespace cupilot::emulate::estimate;
using namespace cupilot::emulate::program;
namespace {

class Replays : public testing::Test {
protected:
  void SetUp() override {
    program_ = copy_program(4);
    ASSERT_TRUE(program_);
  }
  /// Blocks of `warps` warps that read and write `sectors` sectors a warp, each its own.
  Trace trace(unsigned blocks, unsigned warps, unsigned sectors) {
    Trace made;
    std::uint64_t next = 1 << 20;
    for (unsigned block = 0; block < blocks; ++block) {
      BlockTrace one;
      one.finished = true;
      one.warps.resize(warps);
      for (WarpTrace &warp : one.warps)
        for (std::uint32_t pc = 0; pc < program_->steps.size(); ++pc) {
          Event event{pc, kNoAccess};
          const Pipe pipe = program_->info[pc].pipe;
          if (pipe == Pipe::load_global || pipe == Pipe::store_global) {
            event.access = static_cast<std::uint32_t>(made.requests.size());
            Request request;
            request.write = pipe == Pipe::store_global;
            request.lanes = 32;
            request.lines = 1;
            request.sectors = static_cast<std::uint8_t>(sectors);
            request.first = static_cast<std::uint32_t>(made.sectors.size());
            request.fresh = (1u << sectors) - 1;
            for (unsigned i = 0; i < sectors; ++i) made.sectors.push_back(next++);
            made.requests.push_back(request);
          }
          warp.events.push_back(event);
        }
      made.blocks.push_back(std::move(one));
    }
    return made;
  }
  ReplayResult run(const Trace &made, int resident, std::uint64_t blocks, float dram_share = 1) {
    ReplayRequest request{*program_, made, device_};
    request.dram_share.assign(program_->steps.size(), dram_share);
    request.dram_bytes.assign(program_->steps.size(), 32 * dram_share);
    request.dram_ns_per_byte = 1 / device_.values.at("dram_gbs");
    request.resident = resident;
    request.blocks = blocks;
    request.busy_share = 1.0 / 132;
    request.l1_bytes = 1 << 17;
    CodeBook codes(*program_, device_);
    return replay(request, codes, 1 << 22);
  }
  double end(const ReplayResult &result) { return *std::ranges::max_element(result.ends); }

  std::shared_ptr<const Program> program_;
  DeviceTable device_ = *device_table("sm_90_h200");
};

TEST_F(Replays, OneBlockTakesItsStartAndOneLatency) {
  const auto result = run(trace(1, 1, 4), 1, 1);
  ASSERT_EQ(result.ends.size(), 1u);
  const double least = device_.values.at("block_start_cycles") + device_.values.at("dram_latency_cycles");
  EXPECT_GT(end(result), least);
  EXPECT_LT(end(result), least + 250);
}

TEST_F(Replays, DataInTheL2IsNearer) {
  EXPECT_LT(end(run(trace(1, 1, 4), 1, 1, 0)), end(run(trace(1, 1, 4), 1, 1, 1)) - 200);
}

TEST_F(Replays, ResidentBlocksOverlap) {
  const auto made = trace(16, 2, 4);
  const double alone = end(run(made, 1, 16)), together = end(run(made, 8, 16));
  EXPECT_GT(alone, 6 * together);
}

TEST_F(Replays, BytesInFlightAreRequestsTimesWidthUntilMemoryIsFull) {
  const auto narrow = trace(32, 8, 1), wide = trace(32, 8, 4);
  const double few = end(run(narrow, 8, 256)), many = end(run(wide, 8, 256));
  EXPECT_LT(many, 1.5 * few);  // four times the bytes in little more time
  EXPECT_GT(run(wide, 8, 256).dram_bytes, 3.9 * run(narrow, 8, 256).dram_bytes);
}

TEST_F(Replays, BlocksReplayedAgainAreOtherBlocks) {
  const auto result = run(trace(1, 1, 4), 1, 10);
  EXPECT_EQ(result.ends.size(), 10u);
  EXPECT_EQ(result.dram_bytes, 10 * 2 * 4 * 32);
}

}  // namespace
}  // namespace cupilot::emulate::estimation
