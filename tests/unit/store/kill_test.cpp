// SPDX-License-Identifier: Apache-2.0
//
// SIGKILL while verdicts are written: what is there afterwards is whole.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "evolution/store/connection.h"
#include "evolution/store/database.h"
#include "tests/unit/store/sample_verdict.h"

namespace cupilot {
using namespace store;
namespace {

std::string variant(int number) {
  return "variant " + std::to_string(number);
}

[[noreturn]] void write_for_ever(const std::filesystem::path &path, int progress_pipe) {
  auto database = Database::open(path).value();
  const auto run = database.begin_run(sample_run()).value();
  for (int i = static_cast<int>(database.next_bundle_number().value());; ++i) {
    const std::string id = "b" + std::to_string(i);
    (void)database.add_bundle(run,
                              {.id = id, .seed = 7, .individuals = {sample_individual("c1", variant(i))}});
    (void)database.add_verdict(id, sample_verdict("c1"));
    if (write(progress_pipe, "x", 1) != 1) _exit(1);
  }
}

void run_and_kill(const std::filesystem::path &path, int verdicts) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) write_for_ever(path, ends[1]);
  char byte = 0;
  for (int i = 0; i < verdicts; ++i) ASSERT_EQ(read(ends[0], &byte, 1), 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
}

std::int64_t count(const Connection &connection, const char *sql) {
  auto row = connection.query(sql).value();
  EXPECT_EQ(row.step(), true);
  return row.integer(0);
}

TEST(Kill, LeavesWholeVerdicts) {
  const auto folder = TemporaryFolder::create("store").value();
  const auto path = folder.path() / "run.db";
  std::int64_t before = 0;
  for (int round = 0; round < 8; ++round) {
    run_and_kill(path, 3 + round);
    const auto database = Database::open(path);
    ASSERT_TRUE(database) << database.error().message;
    auto connection = Connection::open(path).value();
    const auto verdicts = count(*connection, "SELECT COUNT(*) FROM verdict");
    EXPECT_GE(verdicts, before + 3 + round) << "what was reported as written is there";
    EXPECT_EQ(count(*connection, "SELECT SUM(json_array_length(report, '$.measurements')) FROM verdict"),
              verdicts);
    EXPECT_EQ(count(*connection,
                    "SELECT SUM((json_extract(report, '$.measurements[0].original') IS NOT NULL) + "
                    "(json_extract(report, '$.measurements[0].candidate') IS NOT NULL)) FROM verdict"),
              2 * verdicts);
    EXPECT_EQ(count(*connection, "SELECT COUNT(*) FROM bundle"),
              count(*connection, "SELECT COUNT(*) FROM individual"));
    before = verdicts;
  }
  EXPECT_TRUE(Database::open(path)->find_verdict(sample_key(sha256(variant(1)))).value());
}

}  // namespace
}  // namespace cupilot
