// SPDX-License-Identifier: Apache-2.0
#include "evolution/store/schema.h"

#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "evolution/store/database.h"

namespace cupilot {
using namespace model;
using namespace store;
namespace {

constexpr SchemaStep kCompatible[] = {{6, 5, "ALTER TABLE event ADD COLUMN source TEXT NOT NULL DEFAULT ''"}};
constexpr SchemaStep kBreaking[] = {{6, 6, "DROP TABLE event"}};
constexpr SchemaStep kFaulty[] = {
    {6, 6, "ALTER TABLE event ADD COLUMN one TEXT NOT NULL DEFAULT ''; NONSENSE"}};

struct SchemaTest : testing::Test {
  SchemaTest() { EXPECT_TRUE(Database::open(path)); }

  Result<void> apply(std::span<const SchemaStep> steps) {
    CUPILOT_TRY(connection, Connection::open(path));
    return apply_schema(*connection, {newest_schema().tables, steps});
  }
  bool works(const char *sql) { return (*Connection::open(path))->script(sql).has_value(); }

  TemporaryFolder folder = TemporaryFolder::create("store").value();
  std::filesystem::path path = folder.path() / "run.db";
};

TEST_F(SchemaTest, StepsBringAnOldDatabaseUpToDateOnce) {
  ASSERT_TRUE(apply(kCompatible));
  EXPECT_TRUE(works("SELECT source FROM event"));
  EXPECT_TRUE(apply(kCompatible)) << "a step that has run does not run again";
}

TEST_F(SchemaTest, ADatabaseOfTheFirstVersionKeepsItsVerdictsAsHistory) {
  const auto old = folder.path() / "old.db";
  const auto text = read_file(CUPILOT_OLD_SCHEMAS "/schema_1.sql").value();
  ASSERT_TRUE((*Connection::open(old))->script(text.c_str()));
  auto database = Database::open(old);
  ASSERT_TRUE(database) << database.error().message;
  VerdictKey key{.kernel_id = "kid",
                 .workload_id = "wid",
                 .architecture = "sm_90",
                 .flags = "-O3",
                 .variant_sha256 = "h1",
                 .seed = 7,
                 .device = "NVIDIA H200"};
  EXPECT_FALSE(database->find_verdict(key).value()) << "a laxer judge gave it";
  key.workload_id = "before schema 3: wid";
  const auto verdict = database->find_verdict(key).value();
  ASSERT_TRUE(verdict);
  ASSERT_EQ(verdict->measurements.size(), 1u);
  EXPECT_EQ(verdict->measurements[0].candidate.median_us, 10);
  EXPECT_EQ(verdict->measurements[0].weight, 1);
  EXPECT_TRUE(verdict->estimates.empty());
  key.executor = kCpuExecutor;
  EXPECT_FALSE(database->find_verdict(key).value()) << "what a GPU measured is no answer of the CPU's";
  EXPECT_TRUE(Database::open(old)) << "the step does not run twice";
  const auto connection = Connection::open(old).value();
  auto broken = connection->query("PRAGMA foreign_key_check").value();
  EXPECT_FALSE(broken.step().value());
}

/// As versions 2 to 4 left it: the first version's, brought up to `version`.
void bring_to(const std::filesystem::path &path, std::size_t version) {
  const auto text = read_file(CUPILOT_OLD_SCHEMAS "/schema_1.sql").value();
  const auto connection = Connection::open(path).value();
  ASSERT_TRUE(connection->script(text.c_str()));
  ASSERT_TRUE(apply_schema(*connection, {newest_schema().tables, newest_schema().steps.first(version - 1)}));
}

TEST_F(SchemaTest, QuestionsAndRunsOfEveryOlderVersionAreKept) {
  for (const std::size_t version : {1u, 2u, 3u}) {
    const auto old = folder.path() / ("old" + std::to_string(version) + ".db");
    bring_to(old, version);
    ASSERT_TRUE(
        (*Connection::open(old))
            ->script("INSERT INTO role_call (run, role, prompt_version, request_sha256, request, answer, "
                     "failure, provider, model, tokens_in, tokens_out, price_usd, seconds) VALUES "
                     "(1, 'translator', 'translator 1', 'h', '{}', 'a variant', '', 'builtin', '', 3, 4, "
                     "0.5, 0.1), (1, 'translator', 'translator 1', 'h', '{}', '', 'no file', 'builtin', "
                     "'', 0, 0, 0, 0)"));
    auto database = Database::open(old);
    ASSERT_TRUE(database) << version << ": " << database.error().message;
    const auto runs = database->runs().value();
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].info.policy, "rules");
    EXPECT_EQ(runs[0].info.options, "");
    const auto calls = database->role_calls(runs[0].id).value();
    ASSERT_GE(calls.size(), 2u) << version;
    const RoleCall &good = calls[calls.size() - 2], &bad = calls.back();
    EXPECT_EQ(good.content, "{}");
    EXPECT_EQ(good.answer, "a variant");
    EXPECT_EQ(good.state, RoleCall::State::answered);
    EXPECT_EQ(good.tokens_in, 3);
    EXPECT_EQ(bad.state, RoleCall::State::failed);
    EXPECT_EQ(bad.failure, "no file");
    const auto individuals = database->individuals(runs[0].id).value();
    ASSERT_EQ(individuals.size(), 1u);
    EXPECT_TRUE(individuals[0].individual.calls.empty());
  }
}

/// What a step makes of an old database and what a new one is made as are the same tables.
TEST_F(SchemaTest, AnUpgradedDatabaseHasTheTablesOfANewOne) {
  const auto columns = [](const std::filesystem::path &file) {
    const auto connection = Connection::open(file).value();
    auto row =
        connection
            ->query(
                "SELECT t.name || '.' || c.name || ' ' || c.type || ' ' || c.\"notnull\" || ' ' || c.pk "
                "FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c WHERE t.type = 'table' "
                "ORDER BY 1")
            .value();
    std::string all;
    while (row.step().value()) all += row.text(0) + "\n";
    return all;
  };
  const auto old = folder.path() / "old.db";
  bring_to(old, 3);
  ASSERT_TRUE(Database::open(old));
  EXPECT_EQ(columns(old), columns(path));
}

/// Numbers whose shortest text needs all 17 digits, lines of dropped samples, estimates: nothing is lost.
TEST_F(SchemaTest, MeasurementsOfBeforeVersion5AreKeptToTheLastDigit) {
  const auto old = folder.path() / "old.db";
  bring_to(old, 4);
  const auto connection = Connection::open(old).value();
  ASSERT_TRUE(connection->script(
      "INSERT INTO measurement (verdict, workload, kind, speedup, speedup_low, speedup_high, bytes_moved, "
      "bandwidth_share, stopped_because, weight, holdout) VALUES (1, 'tiny', 'same', 1, 1, 1, 0, 0, '', 2.5, "
      "1);"
      "INSERT INTO sample_set SELECT 2, side, '', '', '', 0, 0, 0, 0, 0, 0 FROM sample_set;"
      "INSERT INTO estimate VALUES (1, 1, 'llama', 'faster', 0, 2, 0.5, 1);"
      "INSERT INTO estimated_time VALUES (1, 'original', 20.5, 'dram', 'dram 20\nalu 0.3333333333333333\n', "
      "1, "
      "8192, 264), (1, 'candidate', 10.25, 'lsu', '', 2, 4096, 128);"));
  const double third = 1.0 / 3, tenth = 0.1 + 0.2, large = 1.1551040307681319e+219;
  ASSERT_TRUE(
      connection->run("UPDATE measurement SET speedup = ?, bytes_moved = ? WHERE id = 1", tenth, large));
  ASSERT_TRUE(
      connection->run("UPDATE sample_set SET median_us = ?, samples_us = '12.5 1e-300 0.1', dropped = ? "
                      "WHERE measurement = 1 AND side = 'candidate'",
                      third, std::string_view("4.25 clock \"61\" %\n5 with a \\ and words\n")));
  const auto database = Database::open(old).value();
  const auto individuals = database.individuals(1).value();
  EXPECT_EQ(individuals.size(), 1u);
  const auto verdict = database.find_verdict({.kernel_id = "kid",
                                              .workload_id = "before schema 3: wid",
                                              .architecture = "sm_90",
                                              .flags = "-O3",
                                              .variant_sha256 = "h1",
                                              .seed = 7,
                                              .device = "NVIDIA H200"});
  ASSERT_TRUE(verdict) << verdict.error().message;
  ASSERT_TRUE(*verdict);
  ASSERT_EQ((*verdict)->measurements.size(), 2u);
  const Measurement &llama = (*verdict)->measurements[0], &tiny = (*verdict)->measurements[1];
  EXPECT_EQ(llama.speedup, tenth);
  EXPECT_EQ(llama.bytes_moved, large);
  EXPECT_EQ(llama.launches, 1);
  EXPECT_EQ(llama.original.samples_us, (std::vector<double>{20, 20}));
  EXPECT_EQ(llama.candidate.median_us, third);
  EXPECT_EQ(llama.candidate.samples_us, (std::vector<double>{12.5, 1e-300, 0.1}));
  ASSERT_EQ(llama.candidate.dropped.size(), 2u);
  EXPECT_EQ(llama.candidate.dropped[0].time_us, 4.25);
  EXPECT_EQ(llama.candidate.dropped[0].reason, "clock \"61\" %");
  EXPECT_EQ(llama.candidate.dropped[1].reason, "with a \\ and words");
  EXPECT_EQ(tiny.workload, "tiny");
  EXPECT_EQ(tiny.weight, 2.5);
  EXPECT_TRUE(tiny.holdout);
  ASSERT_EQ((*verdict)->estimates.size(), 1u);
  const Estimate &estimate = (*verdict)->estimates[0];
  EXPECT_EQ(estimate.verdict, VerdictKind::faster);
  EXPECT_FALSE(estimate.tie);
  EXPECT_EQ(estimate.weight, 0.5);
  EXPECT_EQ(estimate.original.parts_us, (std::map<std::string, double>{{"dram", 20}, {"alu", third}}));
  EXPECT_EQ(estimate.candidate.blocks_run, 128u);
}

TEST_F(SchemaTest, ANewerDatabaseThatIsStillCompatibleIsRead) {
  ASSERT_TRUE(apply(kCompatible));
  EXPECT_TRUE(Database::open(path));
}

TEST_F(SchemaTest, ANewerDatabaseIsRefusedByName) {
  ASSERT_TRUE(apply(kBreaking));
  const auto database = Database::open(path);
  ASSERT_FALSE(database);
  EXPECT_NE(database.error().message.find("newer cupilot (schema 6, this one knows 5)"), std::string::npos);
  EXPECT_NE(database.error().message.find(path.string()), std::string::npos);
}

TEST_F(SchemaTest, AStepThatFailsLeavesTheDatabaseAsItWas) {
  EXPECT_FALSE(apply(kFaulty));
  EXPECT_FALSE(works("SELECT one FROM event"));
  EXPECT_TRUE(Database::open(path));
}

TEST_F(SchemaTest, DamageIsOneClearError) {
  auto bytes = read_file(path).value();
  ASSERT_TRUE(write_file_atomic(path, std::string(bytes.size(), 'x')));
  const auto garbage = Database::open(path);
  ASSERT_FALSE(garbage);
  EXPECT_NE(garbage.error().message.find("is damaged"), std::string::npos) << garbage.error().message;
}

TEST_F(SchemaTest, ATornPageIsFound) {
  auto bytes = read_file(path).value();
  for (std::size_t i = 4096; i < 4096 + 512; ++i) bytes[i] = '\x7f';
  ASSERT_TRUE(write_file_atomic(path, bytes));
  const auto torn = Database::open(path);
  ASSERT_FALSE(torn);
  EXPECT_NE(torn.error().message.find("is damaged"), std::string::npos) << torn.error().message;
}

TEST_F(SchemaTest, SomebodyElsesDatabaseIsLeftAlone) {
  const auto other = folder.path() / "other.db";
  ASSERT_TRUE((*Connection::open(other))->script("CREATE TABLE mine (x INTEGER)"));
  const auto database = Database::open(other);
  ASSERT_FALSE(database);
  EXPECT_NE(database.error().message.find("not a run database of cupilot"), std::string::npos);
}

TEST_F(SchemaTest, AFolderThatCannotBeMadeIsNamed) {
  ASSERT_TRUE(write_file_atomic(folder.path() / "file", "x"));
  const auto database = Database::open(folder.path() / "file" / "run.db");
  ASSERT_FALSE(database);
  EXPECT_NE(database.error().message.find("cannot create folder"), std::string::npos);
}

}  // namespace
}  // namespace cupilot
