// SPDX-License-Identifier: Apache-2.0
//
// The launcher's place is taken by a script that makes an object, or says why not.
#include "driver/cli/records/swap_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"

namespace cupilot::cli {
using namespace cupilot::cli::project;
using namespace cupilot::cli::records;
using namespace cupilot::model;
using namespace cupilot::record;
namespace {

using testing::HasSubstr;
using Outcome = FinalistCheck::Outcome;
namespace fs = std::filesystem;

class SwapCheckTest : public testing::Test {
protected:
  SwapCheckTest() {
    kernel_.records = folder_.path() / "src" / "tuned";
    kernel_.spec.name = "scale";
    auto &command = kernel_.spec.command;
    command.folder = folder_.path().string();
    command.source = (folder_.path() / "src" / "norm.cu").string();
    command.compiler = script("nvcc", "exit 0\n").string();
    command.flags = {"-O3", "-DFAST"};
    files_.record.kernel.name = "scale";
    files_.record.arch = "sm_90";
    files_.record.fingerprints = {{"norm.cu", {{"norm.cu", std::string(64, 'c')}}, ""}};
    files_.variant = "// a variant\n";
    files_.record.variant_sha256 = sha256(files_.variant);
  }
  ~SwapCheckTest() override { ::unsetenv("CUPILOT_CC"); }

  fs::path script(const std::string &name, const std::string &body) {
    const fs::path path = folder_.path() / name;
    EXPECT_TRUE(write_file_atomic(path, "#!/bin/sh\n" + body));
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  /// `body` finds the object in $object and the records in $2; all its words go into "words".
  FinalistCheck check(const std::string &body) {
    const std::string head = "echo \"$*\" > '" + (folder_.path() / "words").string() +
                             "'\nfor object; do :; done\n"
                             "cat \"$2\"/scale/sm_90/record.json > '" +
                             (folder_.path() / "record").string() + "'\n";
    ::setenv("CUPILOT_CC", script("cupilot-cc", head + body).c_str(), 1);
    return check_swap(kernel_, files_);
  }

  TemporaryFolder folder_ = TemporaryFolder::create("cupilot-swap-test").value();
  ProjectKernel kernel_;
  RecordFiles files_;
};

TEST_F(SwapCheckTest, AnObjectWithTheDispatcherPasses) {
  const auto answer = check("printf 'x cupilot_launch_kernel y' > \"$object\"\n");
  EXPECT_EQ(answer.outcome, Outcome::passed) << answer.detail;
  EXPECT_EQ(answer.name, "swap into norm.cu");
  const auto words = read_file(folder_.path() / "words").value();
  EXPECT_THAT(words, HasSubstr("-arch=sm_90 -O3 -DFAST -c " + kernel_.spec.command.source));
  EXPECT_THAT(read_file(folder_.path() / "record").value(), HasSubstr(kernel_.spec.command.source))
      << "the record lies elsewhere, the file does not";
}

TEST_F(SwapCheckTest, AnObjectWithoutItFailsWithTheLaunchersReason) {
  const auto answer = check(
      "echo \"cupilot-cc: debug: $2/scale/sm_90/record.json: stale: the kernel has changed since the "
      "record was made\" >&2\n"
      "printf 'plain' > \"$object\"\n");
  EXPECT_EQ(answer.outcome, Outcome::failed);
  EXPECT_EQ(answer.detail, "stale: the kernel has changed since the record was made");
  const auto warned = check(
      "echo 'cupilot-cc: warning: norm.cu: a variant does not compile here: the original kernels are used' "
      ">&2\nprintf 'plain' > \"$object\"\n");
  EXPECT_EQ(warned.outcome, Outcome::failed);
  EXPECT_THAT(warned.detail, HasSubstr("a variant does not compile here"));
}

TEST_F(SwapCheckTest, WhatDoesNotCompileAnywayIsNotTheRecordsFault) {
  const auto answer = check("echo 'norm.cu(3): error: no such thing' >&2\nexit 2\n");
  EXPECT_EQ(answer.outcome, Outcome::not_run);
  EXPECT_THAT(answer.detail, HasSubstr("no such thing"));
  EXPECT_EQ(check("exit 0\n").outcome, Outcome::not_run) << "no object";
}

TEST_F(SwapCheckTest, NothingToCompileWithIsTold) {
  kernel_.spec.command.compiler = "/nowhere/nvcc";
  EXPECT_EQ(check("").outcome, Outcome::not_run);
  kernel_.spec.command.compiler = "clang++";
  EXPECT_THAT(check("").detail, HasSubstr("where nvcc compiles"));
  kernel_.spec.command = {};
  EXPECT_THAT(check("").detail, HasSubstr("no compile command"));
}

}  // namespace
}  // namespace cupilot::cli
