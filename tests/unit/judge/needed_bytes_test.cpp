// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/needed_bytes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "evolution/judge/data/input_family.h"
#include "evolution/judge/data/poison.h"

namespace cupilot {
using namespace judge::cases;
using namespace judge::correct;
using namespace spec;
namespace {

constexpr std::uint64_t kElements = 64000;

/// A kernel that reads a table of kElements floats and writes as many.
class NeededBytesTest : public testing::Test {
protected:
  NeededBytesTest() {
    for (const char *name : {"table", "y"}) {
      Parameter parameter;
      parameter.name = name;
      parameter.pointer = true;
      parameter.element = ElementType::f32;
      parameter.element_bytes = 4;
      parameters_.push_back(parameter);
    }
    which_.id = which_.workload = "w";
    which_.buffers = {{"table", BufferRole::in, kElements, {}}, {"y", BufferRole::out, kElements, {}}};
  }

  /// For an original to which the regions below `used` of the table matter, and which writes `written` bytes.
  NeededBytes needed(int used, std::size_t written, int most_steps = judge::data::kProbeRegions) {
    const CaseLayout layout = *make_layout(parameters_, which_, Placement::base);
    const auto outputs_of = [&](const std::string &family) {
      std::vector<std::byte> outputs(layout.dump_bytes);
      for (std::size_t at = 0; at < outputs.size(); at += 2) {
        const std::uint16_t value = at < written ? 1 : judge::data::kPoison;
        std::memcpy(&outputs[at], &value, 2);
      }
      const auto probe = judge::data::probe_of(family);
      if (probe && probe->region < used && (!only_ || probe->kind == *only_)) outputs[0] = std::byte{2};
      return outputs;
    };
    int steps = 0;
    return needed_bytes(layout, parameters_, outputs_of, [&] { return steps++ < most_steps; });
  }

  std::vector<Parameter> parameters_;
  model::Case which_;
  std::optional<judge::data::ProbeKind> only_;  ///< the change that outputs depend on; nothing: any
};

TEST_F(NeededBytesTest, AllOfBuffersThatAreUsed) {
  const NeededBytes all = needed(judge::data::kProbeRegions, 4 * kElements);
  EXPECT_DOUBLE_EQ(all.read, 4.0 * kElements);
  EXPECT_DOUBLE_EQ(all.written, 4.0 * kElements);
}

TEST_F(NeededBytesTest, NotThePartsThatNoOutputDependsOn) {
  EXPECT_DOUBLE_EQ(needed(judge::data::kProbeRegions / 4, 4 * kElements).read, 1.0 * kElements);
}

TEST_F(NeededBytesTest, OutputsMayDependOnOtherNumbersOnly) {
  only_ = judge::data::ProbeKind::redraw;  // the place of the smallest
  EXPECT_DOUBLE_EQ(needed(judge::data::kProbeRegions, 4 * kElements).read, 4.0 * kElements);
}

TEST_F(NeededBytesTest, NotWhatIsNeverWritten) {
  EXPECT_DOUBLE_EQ(needed(judge::data::kProbeRegions, kElements).written, 1.0 * kElements);
}

TEST_F(NeededBytesTest, AFewLooksStandForTheRestAndFewerForNothing) {
  EXPECT_NEAR(needed(judge::data::kProbeRegions / 2, 4 * kElements, 16).read, 2.0 * kElements,
              0.3 * kElements);
  EXPECT_DOUBLE_EQ(needed(0, 4 * kElements, kFewestLooks - 1).read, 4.0 * kElements);
}

TEST_F(NeededBytesTest, AnOriginalThatFailsSaysNothing) {
  const CaseLayout layout = *make_layout(parameters_, which_, Placement::base);
  const auto none = [](const std::string &) { return std::vector<std::byte>(); };
  EXPECT_DOUBLE_EQ(needed_bytes(layout, parameters_, none, [] { return true; }).all(), 8.0 * kElements);
}

}  // namespace
}  // namespace cupilot
