// SPDX-License-Identifier: Apache-2.0
//
// A bundle of hand-written candidates that was judged once for all tests of a program: its verdicts, looked
// at one by one. The fixture that derives from this writes the bundle and runs the judge.

#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "annotate/support/files.h"
#include "evolution/model/verdict_json.h"

namespace cupilot {
using namespace model;

class JudgedBundle : public testing::Test {
protected:
  static void TearDownTestSuite() {
    delete folder_;
    delete output_;
  }

  static Verdict verdict(const std::string &id) {
    const auto text = read_file(folder_->path() / "candidates" / id / "verdict.json");
    EXPECT_TRUE(text) << id;
    if (!text) return {};
    auto parsed = verdict_from_json(*text);
    EXPECT_TRUE(parsed) << parsed.error().message;
    return parsed ? *parsed : Verdict{};
  }

  static void expect(const std::string &id, VerdictKind kind, const std::string &reason) {
    const Verdict v = verdict(id);
    EXPECT_EQ(v.kind, kind) << id << ": " << v.reason;
    EXPECT_THAT(v.reason, testing::HasSubstr(reason)) << id;
  }

  static inline TemporaryFolder *folder_ = nullptr;
  static inline std::string *output_ = nullptr;  ///< what the judge printed
};

}  // namespace cupilot
