// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/reference_twin.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "annotate/support/files.h"
#include "evolution/judge/engine/messages.h"

namespace cupilot {
using namespace judge::cases;
using namespace judge::correct;
using namespace judge::engine;
using namespace judge::tools;
using namespace model;
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

KeptTwin measured(std::size_t numbers, double own) {
  KeptTwin twin;
  twin.difference.resize(numbers);
  twin.numbers = numbers;
  twin.rms = twin.unit = 1;
  twin.own = {own, 2 * own};
  return twin;
}

class ReferenceTwinTest : public testing::Test {
protected:
  Engine engine_;
  Bundle bundle_;
  Plan plan_;
  DeviceReport device_;
  std::map<std::size_t, std::vector<KeptTwin>> kept_;

  void add(const std::string &family, std::size_t numbers, double own) {
    plan_.inputs.push_back({0, family, 0});
    kept_[plan_.inputs.size() - 1] = {measured(numbers, own)};
  }
  void pool() {
    ReferenceTwin twin(engine_, bundle_, plan_, device_);
    std::map<std::size_t, std::vector<KeptTwin> *> measured;
    for (auto &[index, kept] : kept_) measured[index] = &kept;
    twin.pool(measured);
  }
  double own(std::size_t index) { return kept_[index][0].own.rms; }
};

TEST_F(ReferenceTwinTest, FewNumbersOfOneFamilyAreMeasuredTogether) {
  add("user", 1, 1e-9);
  add("user", 16, 3e-7);
  add("large_mean", 1, 1e-5);
  add("user", 5000, 2e-8);
  pool();
  EXPECT_DOUBLE_EQ(own(0), 3e-7) << "one lucky draw says nothing";
  EXPECT_DOUBLE_EQ(own(1), 3e-7);
  EXPECT_DOUBLE_EQ(own(2), 1e-5);
  EXPECT_DOUBLE_EQ(own(3), 2e-8) << "many numbers speak for themselves";
  EXPECT_DOUBLE_EQ(kept_[0][0].own.max, 6e-7);
}

TEST_F(ReferenceTwinTest, WhatRoundedOperandsChangeIsMeasuredTogetherToo) {
  add("tile_edges", 30, 1e-7);
  add("tile_edges", 16, 1e-7);
  kept_[0][0].change = {1e-6, 2e-6};
  kept_[1][0].change = {3e-3, 4e-3};
  pool();
  EXPECT_DOUBLE_EQ(kept_[0][0].change.rms, 3e-3);
  EXPECT_DOUBLE_EQ(kept_[0][0].change.max, 4e-3);
}

TEST_F(ReferenceTwinTest, ProbesOfACaseAreOneFamily) {
  add("impulse/x/0", 1, 1e-9);
  add("impulse/x/1", 1, 4e-7);
  pool();
  EXPECT_DOUBLE_EQ(own(0), 4e-7);
}

/// Stands for the twin's process: the first `fails` of them cannot open the device, the others answer.
std::string scripted_child(const fs::path &folder, int fails) {
  const std::string script = fmt::format(
      "#!/bin/sh\n"
      "echo >> {0}/starts\n"
      "if [ $(wc -l < {0}/starts) -le {1} ]; then echo '{2}' >&3; exit 1; fi\n"
      "echo '{3}' >&3\n"
      "while read -r order <&3; do echo '{4}' >&3; done\n",
      folder.string(), fails, failed_line("cudaErrorMemoryAllocation: out of memory"),
      to_line(DeviceReport()), done_line());
  const fs::path program = folder / "child";
  EXPECT_TRUE(write_file_atomic(program, script));
  fs::permissions(program, fs::perms::owner_all);
  return program.string();
}

TEST_F(ReferenceTwinTest, ADeviceThatDoesNotOpenIsTriedAgainAndThenAnError) {
  ::setenv("CUPILOT_LAUNCHES", CUPILOT_LAUNCHES_PROGRAM, 1);
  Built built;
  built.ok = true;
  const Result<Built> ready = built;
  const std::array<double, 2> pauses{0.01, 0.01};

  const auto patient = TemporaryFolder::create("patient").value();
  engine_.executable = scripted_child(patient.path(), 2);
  ReferenceTwin started(engine_, bundle_, plan_, device_);
  const auto third = started.start(&ready, pauses);
  EXPECT_TRUE(third) << third.error().message;
  EXPECT_THAT(started.oracle(), Not(HasSubstr("no twin")));

  const auto full = TemporaryFolder::create("full").value();
  engine_.executable = scripted_child(full.path(), 3);
  ReferenceTwin never(engine_, bundle_, plan_, device_);
  const auto failed = never.start(&ready, pauses);
  ASSERT_FALSE(failed) << "judging against the original alone is weaker, and nobody asked for it";
  EXPECT_THAT(failed.error().message, HasSubstr("out of memory"));
}

TEST_F(ReferenceTwinTest, SaysWhyTheOriginalRules) {
  bundle_.twin_missing = "the kernel computes in fp64 already";
  ReferenceTwin written(engine_, bundle_, plan_, device_);
  EXPECT_TRUE(written.start(nullptr));
  EXPECT_EQ(written.oracle(), "original: no twin: the kernel computes in fp64 already");
  bundle_.twin_missing.clear();
  Built built;
  built.report.log = "twin.cu(3): error: no operator\nmore";
  const Result<Built> failed = built;
  ReferenceTwin broken(engine_, bundle_, plan_, device_);
  EXPECT_TRUE(broken.start(&failed));
  EXPECT_THAT(broken.oracle(), HasSubstr("does not build: twin.cu(3): error: no operator"));
  EXPECT_TRUE(broken.measure(0, {}, {}, {}).twin.empty());
}

}  // namespace
}  // namespace cupilot
