// SPDX-License-Identifier: Apache-2.0
#include "evolution/store/database.h"

#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "evolution/model/verdict_fields.h"
#include "evolution/model/verdict_json.h"
#include "evolution/store/connection.h"
#include "evolution/store/store_fields.h"
#include "tests/unit/filled.h"
#include "tests/unit/store/sample_verdict.h"

namespace cupilot {
using namespace model;
using namespace store;
namespace {

struct DatabaseTest : testing::Test {
  DatabaseTest() {
    EXPECT_TRUE(database.add_bundle(
        run, {.id = "b1",
              .folder = bundle.string(),
              .seed = 7,
              .individuals = {sample_individual("c0001", "one"), sample_individual("c0002", "two")}}));
  }

  void leave_verdict(const std::string &candidate, const std::string &text) {
    ASSERT_TRUE(write_file_atomic(bundle / "candidates" / candidate / "verdict.json", text));
  }

  TemporaryFolder folder = TemporaryFolder::create("store").value();
  std::filesystem::path path = folder.path() / "run" / "run.db", bundle = folder.path() / "bundles" / "b1";
  Database database = Database::open(path).value();
  std::int64_t run = database.begin_run(sample_run()).value();
};

TEST_F(DatabaseTest, AVerdictComesBackEqual) {
  Verdict verdict = sample_verdict("c0001");
  verdict.measurements.at(0).weight = 2.5;
  verdict.measurements.at(0).holdout = true;
  EXPECT_EQ(database.add_verdict("b1", verdict), true);
  const auto found = Database::open(path)->find_verdict(sample_key(sha256("one"))).value();
  ASSERT_TRUE(found);
  EXPECT_EQ(to_json(*found), to_json(verdict));
}

TEST_F(DatabaseTest, SamplesComeBackBitForBitAndDroppedOnesKeepTheirReason) {
  Verdict verdict = sample_verdict("c0001");
  Measurement &measured = verdict.measurements.at(0);
  measured.original.samples_us = {12.5, 1.0 / 3, 1e-300, 1e300, 0};
  measured.candidate.samples_us.clear();
  measured.original.dropped = {{4.25, "clock 61 %"}, {5, "two\nlines"}};
  measured.noise = 0.1 + 0.2;
  measured.launches = 24;
  measured.note = "too short";
  EXPECT_EQ(database.add_verdict("b1", verdict), true);
  const auto found = Database::open(path)->find_verdict(sample_key(sha256("one"))).value();
  ASSERT_TRUE(found);
  EXPECT_TRUE(*found == verdict);
  EXPECT_EQ(found->measurements.at(0).original.dropped.at(1).reason, "two\nlines");
}

TEST_F(DatabaseTest, RefusesWhatIsNoNumber) {
  ASSERT_EQ(database.add_verdict("b1", sample_verdict("c0001")), true);
  ASSERT_TRUE((*Connection::open(path))
                  ->script("UPDATE verdict SET report = "
                           "json_set(report, '$.measurements[0].original.samples_us[1]', 'x2')"));
  const auto found = database.find_verdict(sample_key(sha256("one")));
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("measurements[0].original.samples_us[1]: must be a number"),
            std::string::npos)
      << found.error().message;
}

TEST_F(DatabaseTest, AnEstimateComesBackEqualAndIsNoMeasurement) {
  RunInfo info = sample_run();
  info.executor = kCpuExecutor;
  const auto on_cpu = database.begin_run(info).value();
  EXPECT_NE(on_cpu, run) << "another executor is another run";
  ASSERT_TRUE(database.add_bundle(
      on_cpu, {.id = "b2", .folder = "/b2", .seed = 7, .individuals = {sample_individual("c0001", "one")}}));
  Verdict verdict = sample_verdict("c0001");
  verdict.measurements.clear();
  verdict.device.emulated = true;
  verdict.device.table = "public data";
  verdict.estimates = {{.workload = "llama",
                        .original = {20.5, "dram", {{"dram", 20}, {"alu", 1.0 / 3}}, 1, 8192, 264},
                        .candidate = {10.25, "lsu", {{"lsu", 10}}, 2, 4096, 128},
                        .verdict = VerdictKind::faster,
                        .tie = false,
                        .ratio = 2,
                        .weight = 0.5,
                        .holdout = true}};
  verdict.limits = {"llama verified at rows=64 instead of rows=8192"};
  EXPECT_EQ(database.add_verdict("b2", verdict), true);
  VerdictKey key = sample_key(sha256("one"));
  EXPECT_FALSE(database.find_verdict(key).value()) << "an estimate answers no question about a GPU";
  key.executor = kCpuExecutor;
  const auto found = database.find_verdict(key).value();
  ASSERT_TRUE(found);
  EXPECT_EQ(to_json(*found), to_json(verdict));
  EXPECT_TRUE(found->measurements.empty());
  EXPECT_EQ(database.last_device("sm_90", kGpuExecutor).value(), "");
  EXPECT_EQ(database.last_device("sm_90", kCpuExecutor).value(), "NVIDIA H200");
}

/// Made from the description: whatever a verdict holds comes back.
TEST_F(DatabaseTest, EveryMemberOfAVerdictComesBack) {
  auto verdict = filled<Verdict>();
  verdict.candidate = "c0001";
  ASSERT_EQ(database.add_verdict("b1", verdict), true);
  VerdictKey key = sample_key(sha256("one"));
  key.device = verdict.device.name;
  const auto found = Database::open(path)->find_verdict(key).value();
  ASSERT_TRUE(found);
  EXPECT_TRUE(*found == verdict);
}

TEST_F(DatabaseTest, EveryMemberOfARunComesBack) {
  const auto info = filled<RunInfo>();
  const auto id = database.begin_run(info).value();
  EXPECT_EQ(database.begin_run(info).value(), id);
  ASSERT_TRUE(database.end_run(id, "done"));
  const auto runs = Database::open(path)->runs().value();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_TRUE(runs[1].info == info);
  EXPECT_EQ(runs[1].id, id);
  EXPECT_EQ(runs[1].starts, 2);
  EXPECT_EQ(runs[1].outcome, "done");
  EXPECT_EQ(runs[1].started.substr(0, 2), "20");
  EXPECT_EQ(runs[1].finished.substr(0, 2), "20");
}

TEST_F(DatabaseTest, EveryMemberOfAnIndividualComesBack) {
  auto individual = filled<Individual>();
  individual.knobs = {{.name = "kThreads", .value = 128},
                      {.name = "kItems", .value = -4}};  // no blanks in names
  ASSERT_TRUE(
      database.add_bundle(run, {.id = "b2", .folder = "/b2", .seed = 9, .individuals = {individual}}));
  const auto stored = Database::open(path)->individuals(run).value();
  ASSERT_EQ(stored.size(), 3u);
  EXPECT_TRUE(stored[2].individual == individual);
  EXPECT_EQ(stored[2].ordered_text, individual.strategy_text);
  EXPECT_EQ(stored[2].bundle, "b2");
  EXPECT_EQ(stored[2].seed, 9u);
}

TEST_F(DatabaseTest, EveryMemberOfAnEventComesBack) {
  ASSERT_TRUE(database.add_event(run, "round", "three"));
  const auto events = Database::open(path)->events(run).value();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0] == (StoredEvent{events[0].at, "round", "three"}));
  EXPECT_EQ(events[0].at.substr(0, 2), "20");
}

TEST_F(DatabaseTest, EveryPartOfTheKeyCounts) {
  ASSERT_EQ(database.add_verdict("b1", sample_verdict("c0001")), true);
  const VerdictKey key = sample_key(sha256("one"));
  const auto misses = [&](auto change) {
    VerdictKey other = key;
    change(other);
    return !database.find_verdict(other).value();
  };
  EXPECT_FALSE(misses([](VerdictKey &) {}));
  EXPECT_TRUE(misses([](VerdictKey &k) { k.kernel_id = "x"; }));
  EXPECT_TRUE(misses([](VerdictKey &k) { k.workload_id = "x"; }));
  EXPECT_TRUE(misses([](VerdictKey &k) { k.architecture = "sm_100"; }));
  EXPECT_TRUE(misses([](VerdictKey &k) { k.executor = kCpuExecutor; }));
  EXPECT_TRUE(misses([](VerdictKey &k) { k.flags = "-O0"; }));
  EXPECT_TRUE(misses([](VerdictKey &k) { k.variant_sha256 = sha256("two"); }));
  EXPECT_TRUE(misses([](VerdictKey &k) { k.seed = 8; }));
  EXPECT_TRUE(misses([](VerdictKey &k) { k.device = "NVIDIA B200"; }));
}

TEST_F(DatabaseTest, AVerdictWithoutADeviceHoldsForAll) {
  Verdict verdict = sample_verdict("c0001", VerdictKind::build_failed);
  verdict.device = {};
  verdict.measurements.clear();
  ASSERT_EQ(database.add_verdict("b1", verdict), true);
  EXPECT_TRUE(database.find_verdict(sample_key(sha256("one"))).value());
  EXPECT_EQ(database.last_device("sm_90", kGpuExecutor).value(), "");
}

TEST_F(DatabaseTest, TheFirstVerdictOfAKeyStays) {
  ASSERT_EQ(database.add_verdict("b1", sample_verdict("c0001")), true);
  EXPECT_EQ(database.add_verdict("b1", sample_verdict("c0001", VerdictKind::slower)), false);
  EXPECT_EQ(database.find_verdict(sample_key(sha256("one"))).value()->kind, VerdictKind::faster);
}

TEST_F(DatabaseTest, TheSameSearchIsTheSameRun) {
  EXPECT_EQ(database.begin_run(sample_run()).value(), run);
  RunInfo other = sample_run();
  other.seed = 8;
  EXPECT_NE(database.begin_run(other).value(), run);
}

TEST_F(DatabaseTest, RemembersTheDevice) {
  ASSERT_EQ(database.add_verdict("b1", sample_verdict("c0001")), true);
  EXPECT_EQ(database.last_device("sm_90", kGpuExecutor).value(), "NVIDIA H200");
  EXPECT_EQ(database.last_device("sm_100", kGpuExecutor).value(), "");
}

TEST_F(DatabaseTest, BundleNumbersNeverComeAgain) {
  EXPECT_EQ(database.next_bundle_number().value(), 2);
  EXPECT_FALSE(database.add_bundle(run, {.id = "b1"}));
  EXPECT_EQ(database.next_bundle_number().value(), 2);
}

TEST_F(DatabaseTest, TakesOverVerdictsAKilledRunLeft) {
  leave_verdict("c0001", to_json(sample_verdict("c0001")));
  auto reopened = Database::open(path).value();
  EXPECT_EQ(reopened.import_open_bundles().value(), 1u);
  EXPECT_TRUE(reopened.find_verdict(sample_key(sha256("one"))).value());
  EXPECT_FALSE(reopened.find_verdict(sample_key(sha256("two"))).value());
  leave_verdict("c0002", to_json(sample_verdict("c0002")));
  EXPECT_EQ(reopened.import_open_bundles().value(), 0u) << "the bundle is closed now";
}

TEST_F(DatabaseTest, LeavesDamagedAndForeignVerdictFilesAlone) {
  leave_verdict("c0001", "{");
  leave_verdict("c0002", to_json(sample_verdict("c0009")));
  EXPECT_EQ(database.import_open_bundles().value(), 0u);
}

TEST_F(DatabaseTest, TextWithAnyBytesIsStored) {
  const std::string odd("a\0b'\"?\n\xc3\xa9", 9);
  ASSERT_TRUE(database.add_event(run, "note", odd));
  auto connection = Connection::open(path).value();
  auto row = connection->query("SELECT text FROM event").value();
  ASSERT_EQ(row.step(), true);
  EXPECT_EQ(row.text(0), odd);
}

}  // namespace
}  // namespace cupilot
