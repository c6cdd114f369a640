// SPDX-License-Identifier: Apache-2.0
//
// Shell scripts play the model.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/provider/local_providers.h"

namespace cupilot {
using namespace provider;
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;
using namespace std::chrono_literals;

const RoleRequest kPipedQuestion{
    .role = "translator", .content = "SECRET", .prefix = "rules", .prompt = "do it", .prompt_version = "t 3"};

std::unique_ptr<Provider> shell(const std::string &script, CommandSettings settings = {}) {
  settings.words = {"sh", "-c", script};
  return make_command_provider(std::move(settings)).value();
}
NoAnswer in_vain(const std::string &script, CommandSettings settings = {}) {
  const auto answer = shell(script, std::move(settings))->answer(kPipedQuestion);
  EXPECT_FALSE(answer) << answer->content;
  return answer ? NoAnswer{} : answer.error();
}

TEST(Command, ThePromptIsItsInputAndItsOutputTheAnswer) {
  const auto provider =
      shell("cat; echo; echo $CUPILOT_ROLE $CUPILOT_MODEL $CUPILOT_PROMPT_VERSION", {.model = "m"});
  const auto answer = provider->answer(kPipedQuestion);
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(answer->content, "rules\ndo it\ntranslator m t 3\n");
  EXPECT_EQ(answer->model, "m");
  EXPECT_EQ(answer->spent.tokens(), 0);
  EXPECT_EQ(provider->name(), "command");
  EXPECT_TRUE(provider->costly());
}

TEST(Command, ALongPromptAndALongAnswerPassEachOther) {
  auto question = kPipedQuestion;
  question.prompt = std::string(1 << 20, 'y');
  const auto answer = shell("cat")->answer(question);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->content.size(), question.prompt.size() + 6);
}

TEST(Command, FailuresSayWhatHappened) {
  EXPECT_EQ(in_vain("echo first >&2; echo no quota >&2; exit 3").reason,
            "'sh': exit code 3: first | no quota");
  EXPECT_THAT(in_vain("kill -SEGV $$").reason, StartsWith("'sh': signal 11"));
  EXPECT_EQ(in_vain("echo; echo hm >&2").reason, "'sh': it printed no answer: hm");
  EXPECT_EQ(in_vain("sleep 60", {.time_limit = 0s}).reason, "'sh': it gave no answer within 0 s");
  EXPECT_FALSE(in_vain("exit 1").final);
  EXPECT_LT(in_vain("yes no | head -c 100000 >&2; exit 1").reason.size(), 500u);
}

TEST(Command, TooMuchIsCutAtOnce) {
  const auto none = in_vain("yes", {.time_limit = 900s, .most_answer_bytes = 1000});
  EXPECT_EQ(none.reason, "'sh': its answer is larger than 1000 bytes");
  EXPECT_LT(none.seconds, 300);
  EXPECT_TRUE(shell("printf %1000s x", {.most_answer_bytes = 1000})->answer(kPipedQuestion));
}

TEST(Command, AStopEndsTheWholeGroup) {
  const auto folder = TemporaryFolder::create("command").value();
  const auto told = folder.path() / "pid";
  std::atomic<bool> stop = false;
  const auto provider = shell("sleep 600 & echo $! > " + told.string() + ".part; mv " + told.string() +
                                  ".part " + told.string() + "; sleep 600",
                              {.parallel = 1, .stop = &stop});
  std::jthread stopper([&] {
    while (!std::filesystem::exists(told)) std::this_thread::yield();
    stop = true;
  });
  std::vector<NoAnswer> none;
  provider->answer_all({kPipedQuestion, kPipedQuestion},
                       [&](std::size_t, ProviderAnswer answer) { none.push_back(answer.error()); });
  ASSERT_EQ(none.size(), 2u);
  for (const auto &one : none) {
    EXPECT_EQ(one.reason, "stopped");
    EXPECT_TRUE(one.final);
  }
  // The child's child is gone, or waits for whoever collects orphans; dying takes a while on a busy machine.
  const std::string status = "/proc/" + std::to_string(std::stoi(read_file(told).value())) + "/stat";
  const auto runs = [&] {
    const auto state = read_file(status);
    return state && !state->contains(") Z");
  };
  for (int i = 0; i < 3000 && runs(); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(runs());
}

TEST(Command, AsManySideBySideAsAllowedAndToldInTheCallersThread) {
  const auto folder = TemporaryFolder::create("command").value();
  // Each of two waits for the other: alone neither would end.
  const auto meet = "cd " + folder.path().string() +
                    "; read -r me; touch $me; case $me in a) other=b;; b) other=a;; *) other=$me;; esac; "
                    "while [ ! -e $other ]; do sleep 0.01; done; echo $me";
  const auto provider = shell(meet, {.parallel = 2, .time_limit = 900s});
  std::vector<RoleRequest> questions(3);
  questions[0].prompt = "a\n", questions[1].prompt = "b\n", questions[2].prompt = "c\n";
  const auto caller = std::this_thread::get_id();
  std::vector<std::string> answers;
  provider->answer_all(questions, [&](std::size_t i, ProviderAnswer answer) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    answers.push_back(std::to_string(i) + (answer ? answer->content : answer.error().reason));
  });
  EXPECT_THAT(answers, UnorderedElementsAre("0a\n", "1b\n", "2c\n"));
}

TEST(Command, WithoutAProgramItIsNotMade) {
  const auto none = make_command_provider({});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().blame, Blame::user);
  EXPECT_THAT(make_command_provider({.words = {"cupilot-no-such-model"}}).error().message,
              HasSubstr("cannot find the program 'cupilot-no-such-model'"));
}

}  // namespace
}  // namespace cupilot
