// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/case_buffers.h"

#include <gtest/gtest.h>

#include <cstring>

#include "evolution/judge/data/poison.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::session;
using namespace cupilot::judge::cases;
using namespace cupilot::judge::data;
using namespace cupilot::judge::launches;
using namespace cupilot::model;
using namespace cupilot::spec;
namespace {

class CaseBuffersTest : public testing::Test {
protected:
  CaseBuffersTest() {
    which_.id = which_.workload = "w";
    which_.scalars = {{"a", 0.5}, {"rows", std::int64_t{3}}, {"cols", std::int64_t{5}}};
    which_.buffers = {{"x", BufferRole::in, 15, {}}, {"y", BufferRole::out, 15, {}}};
  }
  CaseBuffers make(Placement placement = Placement::base, std::uint64_t seed = 7) {
    Setting setting{&which_, "user", seed, placement};
    auto made = CaseBuffers::make(*memory_, cache_, parameters_, setting, CaseBuffers::Inputs::whole);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
  static float *pointer(CaseBuffers &buffers, int index) {
    float *address;
    std::memcpy(&address, buffers.arguments().values()[index].data(), sizeof address);
    return address;
  }

  std::unique_ptr<Memory> memory_ = Memory::make(64 << 20).value();
  InputCache cache_;
  std::vector<Parameter> parameters_ = fake::scale_spec().parameters;
  Case which_;
};

TEST_F(CaseBuffersTest, EveryBufferIsAnAllocationOfItsOwnLength) {
  auto buffers = make();
  const auto *x = memory_->find(reinterpret_cast<std::uint64_t>(pointer(buffers, 0)));
  ASSERT_TRUE(x);
  EXPECT_EQ(x->label, "'x'");
  EXPECT_EQ(x->bytes, 60u);
  EXPECT_EQ(memory_->find(x->address + 60), nullptr) << "nothing belongs to anybody behind it";
}

TEST_F(CaseBuffersTest, AnInputMayBeginWithinAnother) {
  parameters_[1].pointer = true;
  which_.buffers = {{"x", BufferRole::in, 15, {}}, {"y", BufferRole::in, 15, {}}};
  auto alone = make();
  const std::vector<float> x(pointer(alone, 0), pointer(alone, 0) + 15),
      y(pointer(alone, 1), pointer(alone, 1) + 15);
  which_.buffers[1].same_as = "x";
  which_.buffers[1].begins = 4;
  auto both = make();
  EXPECT_EQ(pointer(both, 1), pointer(both, 0) + 4);
  EXPECT_TRUE(std::equal(x.begin(), x.end(), pointer(both, 0)));
  EXPECT_TRUE(std::equal(y.end() - 4, y.end(), pointer(both, 1) + 11)) << "the rest is its own";
  RunReport report;
  both.inspect(report);
  EXPECT_TRUE(report.modified.empty());
  pointer(both, 1)[14] += 1;
}

TEST_F(CaseBuffersTest, OutputsArePoisonedAndInputsRepeat) {
  auto first = make();
  std::uint16_t poison = 0;
  std::memcpy(&poison, pointer(first, 1), 2);
  EXPECT_EQ(poison, kPoison);
  const float value = pointer(first, 0)[14];
  auto moved = make(Placement::moved);
  EXPECT_EQ(pointer(moved, 0)[14], value);
  auto other = make(Placement::base, 8);
  EXPECT_NE(pointer(other, 0)[14], value);
}

TEST_F(CaseBuffersTest, MisalignedBuffersStartOneElementLater) {
  auto buffers = make(Placement::misaligned);
  EXPECT_EQ(reinterpret_cast<std::uint64_t>(pointer(buffers, 0)) % 256, 4u);
  pointer(buffers, 1)[-1] = 1;
  RunReport report;
  buffers.inspect(report);
  ASSERT_EQ(report.stained.size(), 1u);
  EXPECT_NE(report.stained[0].find("before 'y'"), std::string::npos);
}

TEST_F(CaseBuffersTest, AChangedInputIsSeenAndOutputsAreDumped) {
  auto buffers = make();
  pointer(buffers, 1)[0] = 42;
  std::vector<std::byte> dump(64);
  ASSERT_TRUE(buffers.dump(dump));
  float first = 0;
  std::memcpy(&first, dump.data(), sizeof first);
  EXPECT_EQ(first, 42);
  RunReport report;
  buffers.inspect(report);
  EXPECT_TRUE(report.modified.empty());
  pointer(buffers, 0)[3] += 1;
  buffers.inspect(report);
  ASSERT_EQ(report.modified.size(), 1u);
  EXPECT_EQ(report.modified[0], "x");
}

TEST_F(CaseBuffersTest, NothingIsLeftBehind) {
  {
    auto buffers = make(Placement::moved);
  }
  EXPECT_EQ(memory_->used(), 0u);
}

}  // namespace
}  // namespace cupilot::emulate
