// SPDX-License-Identifier: Apache-2.0
#include "evolution/store/schema.h"

#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "evolution/store/database.h"

namespace cupilot {
namespace {

constexpr SchemaStep kCompatible[] = {{4, 3, "ALTER TABLE event ADD COLUMN source TEXT NOT NULL DEFAULT ''"}};
constexpr SchemaStep kBreaking[] = {{4, 4, "DROP TABLE event"}};
constexpr SchemaStep kFaulty[] = {
    {4, 4, "ALTER TABLE event ADD COLUMN one TEXT NOT NULL DEFAULT ''; NONSENSE"}};

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
  const auto text = read_file(CUPILOT_SCHEMA_1).value();
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

TEST_F(SchemaTest, ANewerDatabaseThatIsStillCompatibleIsRead) {
  ASSERT_TRUE(apply(kCompatible));
  EXPECT_TRUE(Database::open(path));
}

TEST_F(SchemaTest, ANewerDatabaseIsRefusedByName) {
  ASSERT_TRUE(apply(kBreaking));
  const auto database = Database::open(path);
  ASSERT_FALSE(database);
  EXPECT_NE(database.error().message.find("newer cupilot (schema 4, this one knows 3)"), std::string::npos);
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
