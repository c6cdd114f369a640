// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/bundle/executor.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/model/verdict_json.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::bundle;
using namespace judge::cases;
using namespace model;
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class Recorded : public JudgeEvents {
public:
  std::vector<std::string> devices, builds, verdicts, errors, waits;
  void device(const DeviceReport &d) override { devices.push_back(d.name); }
  void built(const std::string &id, double) override { builds.push_back(id); }
  void verdict(const Verdict &v) override { verdicts.push_back(v.candidate); }
  void error(const std::string &message) override { errors.push_back(message); }
  void waiting(const std::string &message) override { waits.push_back(message); }
};

class ExecutorTest : public testing::Test {
protected:
  TemporaryFolder temporary = TemporaryFolder::create("cupilot-executor").value();
  fs::path folder = temporary.path() / "run" / "b1";
  Recorded events;
  std::vector<std::string> variables;

  ~ExecutorTest() override {
    for (const auto &name : variables) ::unsetenv(name.c_str());
  }
  void set(const std::string &name, const std::string &value) {
    ::setenv(name.c_str(), value.c_str(), 1);
    variables.push_back(name);
  }
  /// One candidate a rule: c1, c2, ...
  void bundle(const std::vector<std::string> &rules) {
    BundleContent c;
    c.id = "b1";
    c.architecture = "sm_90";
    c.spec = fake::scale_spec();
    c.cases = make_cases(c.spec, {1}).value();
    for (const auto &rule : rules) {
      Individual individual;
      individual.id = "c" + std::to_string(c.individuals.size() + 1);
      individual.variant = fake::scale_variant(rule.empty() ? "" : "// fake: " + rule + "\n");
      c.individuals.push_back(individual);
    }
    const auto written = write_bundle(folder, c);
    ASSERT_TRUE(written) << written.error().message;
  }
  LocalOptions local() {
    LocalOptions options;
    options.worker = FAKE_WORKER;
    return options;
  }
  std::vector<std::string> judged() { return split_lines(read_file(temporary.path() / "log").value_or("")); }
};

std::vector<std::string> kinds(const std::vector<Verdict> &verdicts) {
  std::vector<std::string> all;
  for (const auto &verdict : verdicts) all.push_back(verdict.candidate + " " + to_string(verdict.kind));
  return all;
}

using Local = ExecutorTest;

TEST_F(Local, ReturnsVerdictsInOrderAndTellsOfThem) {
  bundle({"speedup 2.0", "wrong element 3", "speedup 0.5", ""});
  const auto verdicts = LocalExecutor(local()).judge(folder, events);
  ASSERT_TRUE(verdicts) << verdicts.error().message;
  EXPECT_THAT(kinds(*verdicts), ElementsAre("c1 faster", "c2 wrong", "c3 slower", "c4 same"));
  EXPECT_EQ((*verdicts)[1].reason, "element 3");
  EXPECT_THAT(events.devices, ElementsAre("Fake GPU"));
  EXPECT_THAT(events.builds, ElementsAre("c1", "c2", "c3", "c4"));
  EXPECT_THAT(events.verdicts, ElementsAre("c1", "c2", "c3", "c4"));
}

TEST_F(Local, VerdictsAlreadyThereAreNotJudgedAgain) {
  bundle({"speedup 2.0", "speedup 3.0"});
  set("CUPILOT_FAKE_LOG", temporary.path() / "log");
  ASSERT_TRUE(LocalExecutor(local()).judge(folder, events));
  Recorded again;
  const auto verdicts = LocalExecutor(local()).judge(folder, again);
  EXPECT_THAT(kinds(verdicts.value()), ElementsAre("c1 faster", "c2 faster"));
  EXPECT_THAT(again.verdicts, ElementsAre("c1", "c2"));
  EXPECT_THAT(judged(), ElementsAre("c1", "c2"));
}

TEST_F(Local, AWorkerThatDiesIsStartedAgain) {
  bundle({"speedup 2.0", "die once", "speedup 3.0"});
  set("CUPILOT_FAKE_LOG", temporary.path() / "log");
  const auto verdicts = LocalExecutor(local()).judge(folder, events);
  EXPECT_THAT(kinds(verdicts.value()), ElementsAre("c1 faster", "c2 same", "c3 faster"));
  EXPECT_THAT(judged(), ElementsAre("c1", "c2", "c2", "c3"));
}

TEST_F(Local, ACandidateThatKillsTheWorkerTwiceTakesNobodyWithIt) {
  bundle({"die", "speedup 2.0", "half", "speedup 3.0"});
  const auto verdicts = LocalExecutor(local()).judge(folder, events);
  EXPECT_THAT(kinds(verdicts.value()),
              ElementsAre("c1 not_evaluated", "c2 faster", "c3 not_evaluated", "c4 faster"));
  EXPECT_THAT((*verdicts)[0].reason, HasSubstr("signal 9"));
  EXPECT_FALSE(fs::exists(verdict_path(folder, "c1")));  // the next run may try again
  EXPECT_TRUE(fs::exists(verdict_path(folder, "c3").string() + ".damaged"));
}

TEST_F(Local, OnlyTheFirstWorkerTalksAboutTheMachine) {
  bundle({"die once", "speedup 2.0"});
  const auto worker = temporary.path() / "worker", told = temporary.path() / "told";
  ASSERT_TRUE(write_file_atomic(worker, "#!/bin/sh\necho \"<$CUPILOT_SANDBOX_TOLD>\" >> " + told.string() +
                                            "\nexec " FAKE_WORKER " \"$@\"\n"));
  fs::permissions(worker, fs::perms::owner_all);
  auto options = local();
  options.worker = worker;
  LocalExecutor executor(options);
  ASSERT_TRUE(executor.judge(folder, events));
  EXPECT_EQ(read_file(told).value_or(""), "<>\n<1>\n<1>\n");
}

TEST_F(Local, ASilentWorkerIsEnded) {
  bundle({"hang", "speedup 2.0"});
  auto options = local();
  options.silence_limit = 200ms;
  const auto verdicts = LocalExecutor(options).judge(folder, events);
  EXPECT_THAT(kinds(verdicts.value()), ElementsAre("c1 not_evaluated", "c2 faster"));
}

TEST_F(Local, AMissingVerdictIsNotEvaluated) {
  bundle({"silent", "speedup 2.0"});
  const auto verdicts = LocalExecutor(local()).judge(folder, events);
  EXPECT_THAT(kinds(verdicts.value()), ElementsAre("c1 not_evaluated", "c2 faster"));
}

TEST_F(Local, AnErrorEventIsAnError) {
  bundle({"speedup 2.0"});
  set("CUPILOT_FAKE_ERROR", "no GPU here");
  const auto verdicts = LocalExecutor(local()).judge(folder, events);
  ASSERT_FALSE(verdicts);
  EXPECT_EQ(verdicts.error().message, "no GPU here");
  EXPECT_THAT(events.errors, ElementsAre("no GPU here"));
}

TEST_F(Local, AStopReturnsWhatIsThere) {
  bundle({"speedup 2.0", "hang"});
  StopFlag stop = false;
  class Stopper : public JudgeEvents {
  public:
    explicit Stopper(StopFlag &flag) : flag_(flag) {}
    void verdict(const Verdict &) override { flag_ = true; }

  private:
    StopFlag &flag_;
  } stopper(stop);
  auto options = local();
  options.stop = &stop;
  EXPECT_THAT(kinds(LocalExecutor(options).judge(folder, stopper).value()), ElementsAre("c1 faster"));
}

TEST_F(Local, AProgramThatIsNoWorkerIsAnError) {
  bundle({"speedup 2.0"});
  auto options = local();
  options.worker = "/bin/true";
  EXPECT_THAT(LocalExecutor(options).judge(folder, events).error().message,
              HasSubstr("before it reported anything"));
  options.worker = "/bin/echo";
  EXPECT_THAT(LocalExecutor(options).judge(folder, events).error().message, HasSubstr("does not understand"));
  options.worker = "/nowhere/cupilot-worker";
  EXPECT_THAT(LocalExecutor(options).judge(folder, events).error().message,
              HasSubstr("cannot find the program"));
}

TEST_F(Local, AFolderThatIsNoBundleIsAnError) {
  EXPECT_THAT(LocalExecutor(local()).judge(temporary.path(), events).error().message,
              HasSubstr("is not a bundle"));
}

using Folder = ExecutorTest;

FolderOptions elsewhere(const fs::path &folder) {
  FolderOptions options;
  options.folder = folder;
  options.poll_interval = 2ms;
  return options;
}

/// Where in the shared folder the bundle was put, when it is the only one.
fs::path put_in(const fs::path &shared) {
  fs::path found;
  for (const auto &entry : fs::directory_iterator(shared)) {
    EXPECT_TRUE(found.empty()) << entry.path();
    EXPECT_TRUE(entry.path().filename().string().starts_with("b1-")) << entry.path();
    found = entry.path();
  }
  return found;
}

/// The machine elsewhere: judges the bundle as soon as somebody is told of it.
class Elsewhere : public Recorded {
public:
  Elsewhere(fs::path there, std::string rest) : there_(std::move(there)), rest_(std::move(rest)) {}
  ~Elsewhere() override {
    if (machine_.joinable()) machine_.join();
  }
  void waiting(const std::string &message) override {
    Recorded::waiting(message);
    machine_ = std::thread([this] {
      const auto command = std::string(FAKE_WORKER) + " " + there_.string() + rest_ + " > /dev/null";
      ran_ = std::system(command.c_str()) == 0;
    });
  }

private:
  fs::path there_;
  std::string rest_;
  std::thread machine_;
  bool ran_ = false;
};

TEST_F(Folder, PutsTheBundleThereAndWaitsForVerdicts) {
  bundle({"speedup 2.0", "wrong x"});
  const auto shared = temporary.path() / "shared";
  Elsewhere machine(shared / "b1-*", "");
  const auto verdicts = FolderExecutor(elsewhere(shared)).judge(folder, machine);
  ASSERT_TRUE(verdicts) << verdicts.error().message;
  EXPECT_THAT(kinds(*verdicts), ElementsAre("c1 faster", "c2 wrong"));
  EXPECT_THAT(machine.devices, ElementsAre("Fake GPU"));
  EXPECT_THAT(machine.verdicts, UnorderedElementsAre("c1", "c2"));
  ASSERT_EQ(machine.waits.size(), 1u);
  EXPECT_THAT(machine.waits[0], HasSubstr("cupilot-worker " + put_in(shared).string()));
  EXPECT_TRUE(fs::exists(verdict_path(folder, "c1")));  // copied back
}

TEST_F(Folder, WhatIsThereAlreadyIsUsed) {
  bundle({"speedup 2.0", "speedup 3.0"});
  const auto shared = temporary.path() / "shared";
  auto options = elsewhere(shared);
  options.time_limit = 0ms;
  EXPECT_THAT(kinds(FolderExecutor(options).judge(folder, events).value()),
              ElementsAre("c1 not_evaluated", "c2 not_evaluated"));
  Verdict verdict;
  verdict.candidate = "c2";
  verdict.kind = VerdictKind::faster;
  ASSERT_TRUE(write_file_atomic(verdict_path(put_in(shared), "c2"), to_json(verdict)));
  EXPECT_THAT(kinds(FolderExecutor(options).judge(folder, events).value()),
              ElementsAre("c1 not_evaluated", "c2 faster"));
}

TEST_F(Folder, HalfAVerdictIsWaitedFor) {
  bundle({"speedup 2.0"});
  const auto shared = temporary.path() / "shared";
  auto options = elsewhere(shared);
  options.time_limit = 0ms;
  ASSERT_TRUE(FolderExecutor(options).judge(folder, events));
  ASSERT_TRUE(
      write_file_atomic(verdict_path(put_in(shared), "c1"), "{\"cupilot_verdict\":1,\"candidate\":\"c1\""));
  EXPECT_THAT(kinds(FolderExecutor(options).judge(folder, events).value()), ElementsAre("c1 not_evaluated"));
  EXPECT_TRUE(fs::exists(verdict_path(put_in(shared), "c1")));  // not ours to remove
  EXPECT_FALSE(fs::exists(verdict_path(folder, "c1")));
}

/// Two searches of kernels with one name: their rounds and candidates have the same names, too.
TEST_F(Folder, AnotherQuestionOfTheSameNameIsPutBesideIt) {
  bundle({"speedup 2.0"});
  const auto shared = temporary.path() / "shared";
  auto options = elsewhere(shared);
  options.time_limit = 0ms;
  ASSERT_TRUE(FolderExecutor(options).judge(folder, events));
  const auto first = put_in(shared);
  Verdict verdict;
  verdict.candidate = "c1";
  verdict.kind = VerdictKind::faster;
  ASSERT_TRUE(write_file_atomic(verdict_path(first, "c1"), to_json(verdict)));
  bundle({"speedup 3.0"});
  EXPECT_THAT(kinds(FolderExecutor(options).judge(folder, events).value()), ElementsAre("c1 not_evaluated"));
  EXPECT_TRUE(fs::exists(verdict_path(first, "c1")));
  EXPECT_EQ(std::distance(fs::directory_iterator(shared), fs::directory_iterator()), 2);
  for (const auto &entry : fs::directory_iterator(shared)) {
    if (entry.path() == first) continue;
    EXPECT_EQ(read_file(entry.path() / "candidates/c1/entry.cu").value(),
              read_file(folder / "candidates/c1/entry.cu").value());
  }
}

TEST_F(Folder, AStopReturnsWhatIsThere) {
  bundle({"speedup 2.0"});
  StopFlag stop = true;
  auto options = elsewhere(temporary.path() / "shared");
  options.stop = &stop;
  EXPECT_TRUE(FolderExecutor(options).judge(folder, events).value().empty());
}

TEST_F(Folder, AFolderThatCannotBeWrittenIsAnError) {
  bundle({"speedup 2.0"});
  ASSERT_TRUE(write_file_atomic(temporary.path() / "file", "x"));
  const auto verdicts = FolderExecutor(elsewhere(temporary.path() / "file")).judge(folder, events);
  ASSERT_FALSE(verdicts);
  EXPECT_THAT(verdicts.error().message, HasSubstr("cannot copy the bundle to"));
}

}  // namespace
}  // namespace cupilot
