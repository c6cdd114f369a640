// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/check_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "annotate/support/files.h"

namespace cupilot::cli {
using namespace cupilot::cli::report;
using namespace cupilot::cli::run;
namespace {

using testing::HasSubstr;

constexpr const char *kFinding =
    R"X({"finding":{"kind":"shared-race","kernel":"k(float*)","message":"reads what another thread writes",)X"
    R"X("file":"FILE","line":2,"block":[0,0,0],"thread":[3,0,0],"times":4,)X"
    R"X("other":{"file":"FILE","line":1,"block":[0,0,0],"thread":[4,0,0]}},"case":"w"})X";

class CheckReportTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(write_file_atomic(folder_.path() / "a.cu", "first();\n\tsecond();\n"));
    checked_.kernel = "scale";
    take(R"({"cupilot_check":1,"kernel":"scale","architecture":"sm_90"})");
    take(R"({"case":"w","workload":"w","shrunk":"n=64 instead of n=1024"})");
    std::string line = kFinding;
    for (auto at = line.find("FILE"); at != std::string::npos; at = line.find("FILE"))
      line.replace(at, 4, "a.cu");
    take(line);
    take(line);
  }
  void take(const std::string &line) { ASSERT_TRUE(take_check_line(line, folder_.path(), checked_)); }

  TemporaryFolder folder_ = TemporaryFolder::create("check-report").value();
  CheckedKernel checked_;
};

TEST_F(CheckReportTest, ReadsLikeACompiler) {
  const auto text = check_text({checked_});
  EXPECT_THAT(text, HasSubstr("a.cu:2:2: error: shared-race: reads what another thread writes"));
  EXPECT_THAT(text, HasSubstr("[block (0,0,0) thread (3,0,0)] in scale, workload 'w'\n  \tsecond();\n  \t^"));
  EXPECT_THAT(text, HasSubstr("a.cu:1:1: note: the other access [block (0,0,0) thread (4,0,0)]"));
  EXPECT_THAT(text, HasSubstr("scale: 1 finding on 1 workload; w: n=64 instead of n=1024")) << "told once";
}

TEST_F(CheckReportTest, SarifNamesRuleFileAndLine) {
  const auto sarif = nlohmann::json::parse(check_sarif({checked_}, folder_.path()));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const auto &run = sarif["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "shared-race");
  const auto &result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "shared-race");
  const auto &place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "a.cu");
  EXPECT_EQ(place["region"]["startLine"], 2);
  EXPECT_EQ(result["relatedLocations"].size(), 1u);
}

TEST_F(CheckReportTest, AnErrorIsToldAndALineThatIsNoneRefused) {
  take(R"({"error":"the kernel does not build"})");
  EXPECT_THAT(check_text({checked_}), HasSubstr("not run: the kernel does not build"));
  EXPECT_FALSE(take_check_line("Segmentation fault", folder_.path(), checked_));
  EXPECT_FALSE(take_check_line(R"({"cupilot_check":2})", folder_.path(), checked_));
}

}  // namespace
}  // namespace cupilot::cli
