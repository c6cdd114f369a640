// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/device_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/text.h"

namespace cupilot {
using namespace role;
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string facts(const std::string &architecture) {
  return join(device_facts(architecture), "\n");
}

TEST(DeviceFacts, OfEveryKnownArchitecture) {
  for (const char *architecture : {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    EXPECT_THAT(facts(architecture), HasSubstr("KiB of shared memory on a multiprocessor")) << architecture;
    EXPECT_THAT(facts(architecture), HasSubstr("cp.async:")) << architecture;
    EXPECT_THAT(facts(architecture), ContainsRegex("[Nn]o wgmma"))
        << architecture << " is not compiled for an 'a' form";
  }
  EXPECT_THAT(device_facts("sm_35"), IsEmpty());
  EXPECT_THAT(device_facts("gfx90a"), IsEmpty());
  EXPECT_THAT(device_facts(""), IsEmpty());
}

TEST(DeviceFacts, OfHopper) {
  EXPECT_THAT(facts("sm_90"), HasSubstr("227 KiB a block"));
  EXPECT_THAT(facts("sm_90"), HasSubstr("cp.async.bulk:"));
  EXPECT_THAT(facts("sm_90"), HasSubstr("not sm_90a"));
  EXPECT_THAT(facts("sm_90"), Not(HasSubstr("wgmma: products")));
  EXPECT_THAT(facts("sm_90a"), HasSubstr("wgmma: products"));
  EXPECT_THAT(facts("sm_90a"), Not(HasSubstr("No wgmma")));
}

TEST(DeviceFacts, InstructionsComeWithTheirArchitecture) {
  EXPECT_THAT(facts("sm_80"), Not(HasSubstr("cp.async.bulk:")));
  EXPECT_THAT(facts("sm_86"), HasSubstr("No bulk or tensor copies"));
  EXPECT_THAT(facts("sm_89"), HasSubstr("8-bit floating"));
  EXPECT_THAT(facts("sm_100a"), HasSubstr("tcgen05: products"));
  EXPECT_THAT(facts("sm_100"), HasSubstr("No tcgen05"));
  EXPECT_THAT(facts("sm_120a"), Not(HasSubstr("tcgen05: products")));
  EXPECT_THAT(facts("sm_120"), HasSubstr("cp.async.bulk:"));
}

}  // namespace
}  // namespace cupilot
