// SPDX-License-Identifier: Apache-2.0
#include "evolution/store/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "annotate/support/files.h"
#include "evolution/model/verdict_fields.h"
#include "evolution/store/database.h"
#include "tests/unit/filled.h"

namespace cupilot {
using namespace model;
using namespace store;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

StrategyOutcome won(const std::string &strategy, const std::string &kernel_id = "kid") {
  return {.strategy = strategy,
          .architecture = "sm_90",
          .kernel = "rms_norm",
          .kernel_id = kernel_id,
          .features = {"row reduction", "shared memory"},
          .roofline_class = "memory-bound",
          .verdict = VerdictKind::faster,
          .speedup = 1.75,
          .reason = "faster 1.75x",
          .at = "2026-11-22T04:17:00Z"};
}

struct HistoryTest : testing::Test {
  TemporaryFolder folder = TemporaryFolder::create("history").value();
  std::filesystem::path path = folder.path() / "data" / "history.db";
  History history = History::open(path).value();
};

TEST_F(HistoryTest, AnOutcomeComesBackEqual) {
  StrategyOutcome refused = won("bulk-copy");
  refused.refused = true;
  refused.verdict = VerdictKind::not_evaluated;
  refused.speedup = 0;
  refused.features.clear();
  refused.at.clear();
  ASSERT_TRUE(history.add({won("wide-access"), refused}));
  const auto outcomes = History::open(path)->outcomes().value();
  ASSERT_EQ(outcomes.size(), 2u);
  const StrategyOutcome &one = outcomes[0].strategy == "wide-access" ? outcomes[0] : outcomes[1];
  const StrategyOutcome &other = outcomes[0].strategy == "wide-access" ? outcomes[1] : outcomes[0];
  EXPECT_EQ(one.strategy, "wide-access");
  EXPECT_EQ(one.architecture, "sm_90");
  EXPECT_EQ(one.kernel, "rms_norm");
  EXPECT_EQ(one.kernel_id, "kid");
  EXPECT_THAT(one.features, ElementsAre("row reduction", "shared memory"));
  EXPECT_EQ(one.roofline_class, "memory-bound");
  EXPECT_EQ(one.verdict, VerdictKind::faster);
  EXPECT_EQ(one.speedup, 1.75);
  EXPECT_EQ(one.reason, "faster 1.75x");
  EXPECT_EQ(one.at, "2026-11-22T04:17:00Z");
  EXPECT_FALSE(one.refused);
  EXPECT_TRUE(other.refused);
  EXPECT_TRUE(other.features.empty());
  EXPECT_THAT(other.at, HasSubstr("T")) << "now, where nobody said when";
}

/// Made from the description.
TEST_F(HistoryTest, EveryMemberOfAnOutcomeComesBack) {
  const auto outcome = filled<StrategyOutcome>();
  ASSERT_TRUE(history.add({outcome}));
  EXPECT_TRUE(history.outcomes().value().at(0) == outcome);
}

TEST_F(HistoryTest, TheSameOutcomeAgainReplacesTheOneBefore) {
  ASSERT_TRUE(history.add({won("a"), won("a", "other kernel")}));
  StrategyOutcome later = won("a");
  later.verdict = VerdictKind::slower;
  StrategyOutcome estimated = won("a");
  estimated.estimated = true;
  StrategyOutcome elsewhere = won("a");
  elsewhere.architecture = "sm_100";
  ASSERT_TRUE(history.add({later, estimated, elsewhere}));
  const auto outcomes = history.outcomes().value();
  ASSERT_EQ(outcomes.size(), 4u) << "an estimate never replaces a measurement";
  int slower = 0;
  for (const StrategyOutcome &one : outcomes) slower += one.verdict == VerdictKind::slower;
  EXPECT_EQ(slower, 1);
}

TEST_F(HistoryTest, KeepsStrategies) {
  ASSERT_TRUE(history.keep_strategy("b", "id: b"));
  ASSERT_TRUE(history.keep_strategy("a", "id: a"));
  ASSERT_TRUE(history.keep_strategy("b", "id: b\ntitle: better"));
  EXPECT_THAT(History::open(path)->strategies().value(), ElementsAre("id: a", "id: b\ntitle: better"));
}

/// Calls `work` in so many processes at once; how many of them it failed in.
int failures_of_processes(int processes, const std::function<bool(int)> &work) {
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process) {
    const pid_t child = fork();
    if (child == 0) _exit(work(process) ? 0 : 1);
    children.push_back(child);
  }
  int failed = 0;
  for (const pid_t child : children) {
    int status = 1;
    failed += child < 0 || waitpid(child, &status, 0) != child || status != 0;
  }
  return failed;
}

/// All of them open it at once, the first ones while it does not exist.
TEST_F(HistoryTest, ManyProcessesWriteItAtOnce) {
  const auto shared = folder.path() / "shared" / "history.db";
  constexpr int kProcesses = 4, kEach = 40;
  const auto write = [&](int process) {
    auto own = History::open(shared);
    if (!own) std::fprintf(stderr, "%s\n", own.error().message.c_str());
    bool good = own.has_value();
    for (int i = 0; good && i < kEach; ++i)
      good = own->add({won("s" + std::to_string(i), "k" + std::to_string(process)), won("common")}) &&
             own->outcomes();
    return good;
  };
  EXPECT_EQ(failures_of_processes(kProcesses, write), 0);
  EXPECT_EQ(History::open(shared)->outcomes()->size(), std::size_t{kProcesses * kEach + 1});
}

/// SQLite refuses one of two that switch a new file to WAL at the same time, and does not wait.
TEST_F(HistoryTest, ManyProcessesOpenANewFileAtOnce) {
  constexpr int kFiles = 40;
  const auto open_all = [&](int) {
    int opened = 0;
    for (int i = 0; i < kFiles; ++i)
      opened += History::open(folder.path() / "new" / (std::to_string(i) + ".db")).has_value();
    return opened == kFiles;
  };
  EXPECT_EQ(failures_of_processes(4, open_all), 0);
}

TEST_F(HistoryTest, OtherFilesAreRefusedByName) {
  const auto other = folder.path() / "run.db";
  ASSERT_TRUE(Database::open(other));
  const auto opened = History::open(other);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("not a history of cupilot"));
  ASSERT_TRUE(write_file_atomic(folder.path() / "damaged.db", std::string(5000, 'x')));
  const auto damaged = History::open(folder.path() / "damaged.db");
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr("move it away to begin a history without it"));
}

TEST(UserDataFolder, IsChosenByTheEnvironment) {
  const auto with = [](const char *own, const char *data, const char *home) {
    for (const auto &[name, value] :
         {std::pair("CUPILOT_DATA", own), {"XDG_DATA_HOME", data}, {"HOME", home}})
      value == nullptr ? unsetenv(name) : setenv(name, value, 1);
    return user_data_folder().string();
  };
  const std::string home = std::getenv("HOME") == nullptr ? "/" : std::getenv("HOME");
  EXPECT_EQ(with("/own", "/data", "/home"), "/own");
  EXPECT_EQ(with(nullptr, "/data", "/home"), "/data/cupilot");
  EXPECT_EQ(with("", nullptr, "/home"), "/home/.local/share/cupilot");
  with(nullptr, nullptr, home.c_str());
}

}  // namespace
}  // namespace cupilot
