// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/faults.h"

#include <gmock/gmock.h>

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::session;
using namespace cupilot::judge::launches;
namespace {

using testing::HasSubstr;

Finding finding(FindingKind kind, const std::string &message) {
  Finding made;
  made.kind = kind;
  made.message = message;
  made.place = {"variant.cuh", 12, 0, ""};
  return made;
}

TEST(Faults, WhatEndedTheLaunchComesFirst) {
  const auto faults = faults_of(
      {finding(FindingKind::shared_race, "race"), finding(FindingKind::out_of_bounds, "reads past")}, {});
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].rule, "out-of-bounds");
  EXPECT_EQ(faults[0].kind, Fault::Kind::crashed);
  EXPECT_FALSE(faults[0].waivable);
  EXPECT_EQ(faults[1].kind, Fault::Kind::wrong);
  EXPECT_TRUE(faults[1].waivable);
  EXPECT_THAT(faults[0].text, HasSubstr("variant.cuh:12: out-of-bounds: reads past"));
}

TEST(Faults, ALineIsToldOnceForEachRule) {
  const auto faults =
      faults_of({finding(FindingKind::shared_race, "at 0"), finding(FindingKind::shared_race, "at 4"),
                 finding(FindingKind::uninitialised_read, "at 8")},
                {});
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_THAT(faults[0].text, HasSubstr("at 0"));
}

TEST(Faults, WaivedRulesAreNotTold) {
  const std::vector<Finding> findings{finding(FindingKind::global_race, "race")};
  EXPECT_TRUE(faults_of(findings, {"global-race"}).empty());
  EXPECT_EQ(faults_of(findings, {"shared-race"}).size(), 1u);
}

TEST(Faults, EveryKindHasItsMeaning) {
  EXPECT_EQ(fault_kind(FindingKind::unsupported), Fault::Kind::unsupported);
  EXPECT_EQ(fault_kind(FindingKind::endless_loop), Fault::Kind::endless);
  EXPECT_EQ(fault_kind(FindingKind::divergent_barrier), Fault::Kind::wrong);
  EXPECT_EQ(fault_kind(FindingKind::misaligned), Fault::Kind::crashed);
  EXPECT_FALSE(waivable(FindingKind::divergent_barrier));
}

TEST(Faults, AreOneLine) {
  auto race = finding(FindingKind::shared_race, "writes what another thread reads");
  race.other_thread = ThreadPlace{{0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(faults_of({race}, {})[0].text.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace cupilot::emulate
