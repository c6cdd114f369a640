// SPDX-License-Identifier: Apache-2.0
//
// The emulated device as a witness beside a GPU: what it finds in a candidate counts where the original is
// free of it.
#include "evolution/judge/engine/beside.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "annotate/support/files.h"
#include "evolution/judge/engine/reference.h"
#include "evolution/judge/tools/build.h"
#include "original_run.h"
#include "row_norm_bundle.h"

namespace cupilot {
using namespace judge;
using namespace judge::engine;
namespace {

using testing::HasSubstr;

const std::filesystem::path kEmulate = CUPILOT_EMULATE_PROGRAM;

/// Each element is the sum of one and its neighbour: in place, blocks race for what they share.
const std::string kNeighbours = every("y[k] = x[k] + x[(k + 300) % (rows * cols)];");

/// The same, by way of shared memory, with the barrier or without it.
std::string by_shared_memory(const std::string &barrier) {
  return "__global__ void staged(const float *x, float *y, int n) {\n"
         "  __shared__ float s[256];\n"
         "  const int k = blockIdx.x * 256 + threadIdx.x;\n"
         "  s[threadIdx.x] = k < n ? x[(k + 300) % n] : 0;\n" +
         barrier +
         "  const int other = 255 - threadIdx.x;\n"
         "  if (blockIdx.x * 256 + other < n) y[blockIdx.x * 256 + other] =\n"
         "    x[blockIdx.x * 256 + other] + s[other];\n}\n" +
         kLaunchSignature +
         "  staged<<<(rows * cols + 255) / 256, 256, 0, l.stream>>>(x, y, rows * cols);\n"
         "  return true;\n}\n";
}

const std::string kTwice =
    "__global__ void twice(const float *x, float *y, int n) {\n"
    "  const int k = blockIdx.x * 256 + threadIdx.x;\n  if (k < n) y[k] = 2 * x[k];\n}\n" +
    kLaunchSignature +
    "  twice<<<(rows * cols + 255) / 256, 256, 0, l.stream>>>(x, y, rows * cols);\n  return true;\n}\n";

class BesideCpu : public testing::Test {
protected:
  void SetUp() override {
    bundle_ = row_norm_bundle("beside", "sm_90");
    bundle_.cases = {row_norm_case("w", "w", 16, 256, true, {"user"})};
    const std::vector<HandCandidate> candidates{{"right", by_shared_memory("  __syncthreads();\n")},
                                                {"races", by_shared_memory("")},
                                                {"differs", kTwice}};
    ASSERT_TRUE(write_row_norm_bundle(folder_.path(), bundle_, candidates, kNeighbours));
    original_ = built("original");
    const auto plan = cases::make_plan(bundle_, 1 << 30);
    ASSERT_TRUE(plan) << plan.error().message;
    plan_ = *plan;
  }

  tools::Built built(const std::string &name) {
    const auto made = tools::build_entry({bundle_, folder_.path(), {"-arch=sm_90", "-cudart", "none"}},
                                         folder_.path() / name);
    EXPECT_TRUE(made && made->ok) << (made ? made->report.log : made.error().message);
    return made ? *made : tools::Built{};
  }

  Order order(bool in_place) const {
    const auto run = std::ranges::find_if(plan_.runs, [&](const cases::PlannedRun &one) {
      return cases::is_in_place(one.placement) == in_place;
    });
    EXPECT_NE(run, plan_.runs.end());
    return beside_order(bundle_, plan_, *run, {});
  }

  std::vector<std::byte> outputs(const std::string &candidate) {
    const tools::Built library = built("candidates/" + candidate);
    const auto entry = BesideEntry::start(
        {kEmulate, library.library, EntryRole::candidate, "sm_90", original_.kernels, plan_.dump_bytes});
    if (!entry || !(*entry)->set_up(bundle_) || !(*entry)->execute(order(false), kPatience)) return {};
    const auto written = (*entry)->outputs(plan_.layouts.front().dump_bytes);
    return {written.begin(), written.end()};
  }

  std::vector<launches::Fault> faults(const std::string &candidate) {
    const tools::Built library = built("candidates/" + candidate);
    auto entry = BesideEntry::start(
        {kEmulate, library.library, EntryRole::candidate, "sm_90", original_.kernels, plan_.dump_bytes});
    if (entry) {
      if (const auto done = (*entry)->set_up(bundle_); !done) ADD_FAILURE() << done.error().message;
      auto found = (*entry)->execute(order(false), kPatience);
      if (found) return found->faults;
      ADD_FAILURE() << found.error().message;
    } else {
      ADD_FAILURE() << entry.error().message;
    }
    return {};
  }

  TemporaryFolder folder_ = TemporaryFolder::create("cupilot-beside").value();
  model::Bundle bundle_;
  tools::Built original_;
  cases::Plan plan_;
};

TEST_F(BesideCpu, AMissingBarrierOfTheCandidateIsAFault) {
  EXPECT_TRUE(faults("right").empty());
  const auto found = faults("races");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().kind, launches::Fault::Kind::wrong);
  EXPECT_THAT(found.front().text, HasSubstr("nobody wrote"));
}

TEST_F(BesideCpu, WhatItWritesIsComparedWhereTheOriginalIsRightThere) {
  const auto right = outputs("right");
  ASSERT_FALSE(right.empty());
  EXPECT_NE(outputs("differs"), right);
  OriginalBeside original(kEmulate, bundle_, original_, plan_.dump_bytes);
  const auto equals = [&](const std::vector<std::byte> &expected) {
    return original.passes_on(bundle_, order(false), expected.size(),
                              [&](const launches::RunReport &, std::span<const std::byte> outputs) {
                                return std::ranges::equal(outputs, expected);
                              });
  };
  EXPECT_TRUE(equals(right));
  EXPECT_FALSE(equals(outputs("differs")));
  const auto never = [](const launches::RunReport &, std::span<const std::byte>) { return true; };
  EXPECT_FALSE(original.passes_on(bundle_, order(true), right.size(), never)) << "it races with itself there";
}

TEST_F(BesideCpu, WhatTheOriginalDoesByLuckIsKnown) {
  OriginalBeside original(kEmulate, bundle_, original_, plan_.dump_bytes);
  EXPECT_FALSE(original.fails_on(bundle_, order(false)));
  EXPECT_TRUE(original.fails_on(bundle_, order(true)));
  EXPECT_FALSE(original.fails_on(bundle_, order(false))) << "a fault must not end the witness";
}

TEST_F(BesideCpu, WithoutTheProgramNothingIsKnown) {
  const std::filesystem::path nowhere;
  OriginalBeside original(nowhere, bundle_, original_, plan_.dump_bytes);
  EXPECT_FALSE(original.fails_on(bundle_, order(true)));
}

}  // namespace
}  // namespace cupilot
