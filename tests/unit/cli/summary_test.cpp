// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/tune/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cupilot::cli {
using namespace cupilot::cli::records;
using namespace cupilot::cli::tune;
using namespace cupilot::model;
namespace {

using testing::HasSubstr;
using testing::Not;

Measurement measured() {
  Measurement m;
  m.workload = "llama";
  m.verdict = VerdictKind::faster;
  m.original.median_us = 61.34, m.candidate.median_us = 29.15;
  m.speedup = 2.104, m.speedup_low = 2.05, m.speedup_high = 2.14, m.bandwidth_share = 0.884;
  return m;
}

TuneEntry entry_with_winner() {
  TuneEntry entry;
  entry.kernel.spec.name = "rms_norm";
  entry.architecture = "sm_90";
  entry.outcome.emplace();
  entry.outcome->winner.emplace();
  entry.outcome->measurements = {measured()};
  entry.outcome->judged = 12, entry.outcome->resumed = 3;
  entry.outcome->counts = {{VerdictKind::faster, 4}, {VerdictKind::wrong, 1}};
  entry.outcome->stopped_because = "nothing left to try";
  entry.outcome->tried = {{{"wide-access"}, "c0004", "kThreads=256", 5, VerdictKind::faster, 2.104, "", true},
                          {{"pad-shared"}, "", "", 0, std::nullopt, 0, "no shared memory", false}};
  return entry;
}

TEST(Summary, TellsWhatWonAndWhyOthersLost) {
  auto entry = entry_with_winner();
  entry.publication = Publication{Publication::Kind::published, "/p/tuned/rms_norm/sm_90", 0};
  EXPECT_EQ(entry.result(), "published");
  const auto text = summary_text({entry});
  EXPECT_THAT(text,
              HasSubstr("llama            61.3      29.1  2.10x (2.05 to 2.14)  faster             88 %"));
  EXPECT_THAT(text, HasSubstr("rms_norm: published /p/tuned/rms_norm/sm_90"));
  EXPECT_THAT(text,
              HasSubstr("12 candidates judged, resumed: 3 candidates already judged (4 faster, 1 wrong)"));
  EXPECT_THAT(text, HasSubstr("wide-access kThreads=256"));
  EXPECT_THAT(text, HasSubstr("no shared memory"));
}

TEST(Summary, EstimatesHaveATableOfTheirOwn) {
  auto entry = entry_with_winner();
  Estimate e{.workload = "llama", .verdict = VerdictKind::faster, .tie = false, .ratio = 16.4};
  e.original.time_us = 1629, e.candidate.time_us = 99.3, e.candidate.bound = "dram";
  entry.outcome->measurements.clear();
  entry.outcome->estimates = {e};
  entry.outcome->limits = {"llama verified at rows=1024 instead of rows=8192"};
  entry.outcome->device.name = "NVIDIA H200", entry.outcome->device.emulated = true;
  const auto text = summary_text({entry});
  EXPECT_THAT(text, HasSubstr("16.40x est.  faster   dram"));
  EXPECT_THAT(text, HasSubstr("original est. µs"));
  EXPECT_THAT(text, HasSubstr("llama verified at rows=1024 instead of rows=8192"));
  EXPECT_THAT(text, HasSubstr("Nothing was measured"));
  EXPECT_THAT(text, Not(HasSubstr("copy bandwidth")));
  const auto json = summary_json({entry}, false)["kernels"][0];
  EXPECT_TRUE(json["measurements"].empty());
  EXPECT_EQ(json["estimates"][0]["bound"], "dram");
}

TEST(Summary, SaysWhenNothingIsFaster) {
  auto entry = entry_with_winner();
  entry.outcome->winner.reset();
  EXPECT_EQ(entry.result(), "nothing_faster");
  const auto text = summary_text({entry});
  EXPECT_THAT(text, HasSubstr("nothing faster found; nothing published"));
  EXPECT_THAT(text, Not(HasSubstr("29.1")));
}

TEST(Summary, NamesEveryEnd) {
  auto entry = entry_with_winner();
  EXPECT_EQ(entry.result(), "faster");
  entry.error = "publishing: disk full";
  EXPECT_EQ(entry.result(), "failed");
  TuneEntry not_started;
  EXPECT_EQ(not_started.result(), "interrupted");
  entry = entry_with_winner();
  entry.outcome->winner.reset();
  entry.outcome->interrupted = true;
  EXPECT_EQ(entry.result(), "interrupted");
}

TEST(Summary, JsonHasTheDocumentedMembers) {
  const auto json = summary_json({entry_with_winner()}, false);
  EXPECT_EQ(json["cupilot_tune"], 1);
  const auto &kernel = json["kernels"][0];
  for (const auto *member :
       {"kernel", "target", "architecture", "result", "error", "record", "judged", "resumed", "seconds",
        "stopped_because", "device", "counts", "measurements", "tried"})
    EXPECT_TRUE(kernel.contains(member)) << member;
  EXPECT_EQ(kernel["counts"]["faster"], 4);
  EXPECT_EQ(kernel["measurements"][0]["workload"], "llama");
  EXPECT_EQ(kernel["tried"][1]["verdict"], "refused");
}

}  // namespace
}  // namespace cupilot::cli
