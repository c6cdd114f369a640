// SPDX-License-Identifier: Apache-2.0
//
// Somebody who answers, or tries to, while the provider pauses; time goes on only there.

#include "evolution/provider/mailbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "annotate/support/files.h"
#include "evolution/provider/recording.h"

namespace cupilot {
using namespace provider;
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

RoleRequest question(const std::string &prompt) {
  return {.role = "translator",
          .content = "SECRET",
          .prefix = "rules",
          .prompt = prompt,
          .prompt_version = "t 3"};
}

struct Mailbox : testing::Test {
  Mailbox() {
    settings.folder = folder.path();
    settings.waiting = [this](const std::string &line) { said.push_back(line); };
    settings.stop = &stop;
    settings.most_answer_bytes = 1000;
  }
  MailboxProvider provider() {
    return MailboxProvider(settings, {[this] { return time; },
                                      [this](std::chrono::milliseconds pause) {
                                        time += pause;
                                        if (++pauses > 1000) stop = true;           // nobody answers
                                        if (pauses % 5 == 0) somebody(pauses / 5);  // once a poll
                                      }});
  }
  void write(const std::string &name, const std::string &text) {
    // Not atomic, as people's editors write.
    std::FILE *file = std::fopen((folder.path() / name).c_str(), "w");
    ASSERT_NE(file, nullptr);
    std::fputs(text.c_str(), file);
    std::fclose(file);
  }
  std::string read(const std::string &name) { return read_file(folder.path() / name).value_or("no file"); }
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto &entry : fs::directory_iterator(folder.path()))
      all.push_back(entry.path().filename().string());
    std::ranges::sort(all);
    return all;
  }
  /// What was said, without the first line, which says what waits.
  std::vector<std::string> complaints() {
    return said.empty() ? said : std::vector(said.begin() + 1, said.end());
  }

  TemporaryFolder folder = TemporaryFolder::create("mailbox").value();
  MailboxSettings settings;
  std::chrono::steady_clock::time_point time{};
  int pauses = 0;
  std::function<void(int)> somebody = [](int) {};  ///< called after each poll, counted from 1
  std::vector<std::string> said;
  std::atomic<bool> stop = false;
};

TEST_F(Mailbox, AQuestionIsAFileAndSoIsItsAnswer) {
  somebody = [&](int poll) {
    if (poll == 1) write("0001.answer.md", "yes\n");
  };
  const auto answer = provider().answer(question("do it"));
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(answer->content, "yes\n");
  EXPECT_DOUBLE_EQ(answer->seconds, 1.0) << "seen at 500 ms, taken when it had not grown at 1000";
  const auto json = nlohmann::json::parse(read("0001.prompt.json"));
  EXPECT_EQ(json, nlohmann::json({{"cupilot_prompt", 1},
                                  {"number", 1},
                                  {"question", question_sha256(question("do it"))},
                                  {"role", "translator"},
                                  {"prompt_version", "t 3"},
                                  {"prefix", "rules"},
                                  {"prompt", "do it"}}));
  EXPECT_THAT(read("0001.prompt.md"), HasSubstr("rules\ndo it\n"));
  EXPECT_THAT(names(), ElementsAre("0001.answer.md", "0001.prompt.json", "0001.prompt.md"))
      << "nothing is left over";
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("1 question waits in " + folder.path().string() + ": 0001 (translator)"));
}

TEST_F(Mailbox, JsonCarriesTheModelAndItsTokens) {
  write(
      "0001.answer.json",
      R"({"cupilot_answer_text":1,"text":"yes","model":"m","tokens_in":7,"tokens_cached":2,"tokens_out":3})");
  const auto answer = provider().answer(question("do it"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->content, "yes");
  EXPECT_EQ(answer->model, "m");
  EXPECT_EQ(answer->spent.tokens_in, 7);
  EXPECT_EQ(answer->spent.tokens_cached, 2);
  EXPECT_EQ(answer->spent.tokens_out, 3);
  EXPECT_EQ(pauses, 0) << "JSON that is whole is taken at once";
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(Mailbox, AllQuestionsLieThereAtOnceAndAreAnsweredInAnyOrder) {
  std::vector<std::string> lay_there;
  somebody = [&](int poll) {
    if (poll == 1) lay_there = names();
    if (poll <= 3)
      write("000" + std::to_string(4 - poll) + ".answer.json",
            R"({"cupilot_answer_text":1,"text":")" + std::to_string(4 - poll) + "\"}");
  };
  std::vector<std::string> told;
  provider().answer_all({question("a"), question("b"), question("c")},
                        [&](std::size_t i, ProviderAnswer answer) {
                          told.push_back(std::to_string(i) + "=" + answer->content);
                        });
  EXPECT_THAT(told, ElementsAre("2=3", "1=2", "0=1"));
  EXPECT_THAT(lay_there, ElementsAre("0001.prompt.json", "0001.prompt.md", "0002.prompt.json",
                                     "0002.prompt.md", "0003.prompt.json", "0003.prompt.md"));
}

TEST_F(Mailbox, AQuestionKeepsItsNumberOverRestarts) {
  write("0001.answer.md", "a"), write("0002.answer.md", "b"), write("0003.answer.md", "c");
  ASSERT_TRUE(provider().answer(question("a")));
  ASSERT_TRUE(provider().answer(question("b")));
  auto again = provider();
  EXPECT_EQ(again.answer(question("b"))->content, "b");
  EXPECT_EQ(again.answer(question("c"))->content, "c");
  EXPECT_EQ(again.answer(question("a"))->content, "a");
  EXPECT_EQ(names().size(), 9u);
}

TEST_F(Mailbox, TwoRunsInOneFolderDoNotTakeEachOthersNumbers) {
  auto one = provider(), two = provider();
  somebody = [&](int) {
    if (names().size() == 2)
      for (int i = 1; i <= 4; ++i) write("000" + std::to_string(i) + ".answer.md", std::to_string(i));
  };
  EXPECT_EQ(one.answer(question("a"))->content, "1");
  EXPECT_EQ(two.answer(question("b"))->content, "2");
  EXPECT_EQ(one.answer(question("c"))->content, "3");
  EXPECT_EQ(two.answer(question("a"))->content, "1");
  EXPECT_EQ(two.answer(question("d"))->content, "4");
}

TEST_F(Mailbox, AnAnswerThatIsStillWrittenIsNotTaken) {
  settings.poll_interval = 200ms;
  settings.settle = 300ms;
  somebody = [&](int) {
    if (pauses == 5) write("0001.answer.md", "half");
    if (pauses == 10) write("0001.answer.md", "half and whole");
  };
  EXPECT_EQ(provider().answer(question("a"))->content, "half and whole");
}

TEST_F(Mailbox, JsonThatIsStillWrittenIsNotCondemned) {
  settings.poll_interval = 200ms;
  const std::string whole = R"({"cupilot_answer_text":1,"text":"yes"})";
  somebody = [&](int) {
    if (pauses <= 25) write("0001.answer.json", whole.substr(0, static_cast<std::size_t>(pauses)));
    if (pauses > 25) write("0001.answer.json", whole);
  };
  settings.settle = 700ms;  // it grows every 500 ms
  EXPECT_EQ(provider().answer(question("a"))->content, "yes");
  EXPECT_THAT(complaints(), IsEmpty());
}

TEST_F(Mailbox, WhatCannotBeUsedIsSaidAndSetAside) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"not json", "damaged JSON"},
      {R"({"cupilot_answer_text":2,"text":"x"})", "version 2"},
      {R"({"text":"x"})", "no member 'cupilot_answer_text'"},
      {R"({"cupilot_answer_text":1})", "'text'"},
      {R"({"cupilot_answer_text":1,"text":7})", "damaged JSON"},
      {R"({"cupilot_answer_text":1,"text":" "})", "its text is empty"},
      {R"({"cupilot_answer_text":1,"txt":"x"})", "unknown member 'txt'; did you mean 'text'?"},
      {R"({"cupilot_answer_text":1,"text":"x","tokens_in":-1})", "'tokens_in' is negative"},
      {"", "damaged JSON"},
      {std::string(1001, 'x'), "larger than 1000 bytes"}};
  std::size_t written = 0;
  somebody = [&](int) {
    if (fs::exists(folder.path() / "0001.answer.json")) return;
    if (written < bad.size()) write("0001.answer.json", bad[written].first);
    if (written == bad.size()) write("0001.answer.md", "good");
    ++written;
  };
  EXPECT_EQ(provider().answer(question("a"))->content, "good");
  const auto lines = complaints();
  ASSERT_EQ(lines.size(), bad.size());
  for (std::size_t i = 0; i < bad.size(); ++i) {
    EXPECT_THAT(lines[i], HasSubstr("0001.answer.json cannot be used (")) << i;
    EXPECT_THAT(lines[i], HasSubstr(bad[i].second)) << i;
    EXPECT_THAT(lines[i], HasSubstr("was renamed to 0001.answer.json.bad")) << i;
  }
  EXPECT_EQ(read("0001.answer.json.bad"), "not json");
  EXPECT_EQ(read("0001.answer.json.bad2"), bad[1].first) << "none is lost";
}

TEST_F(Mailbox, OddFilesAreNoAnswers) {
  somebody = [&](int poll) {
    if (poll == 1) fs::create_directory(folder.path() / "0001.answer.json");
    if (poll == 2) write("0001.answer.md", std::string(1001, 'x'));
    if (poll == 3) write("0001.answer.md", " \n");
    if (poll == 6)
      write("0099.answer.md", "for nobody"), write("01.answer.md", "x"), write("0001.answer.txt", "x");
    if (poll == 8) write("0001.answer.md", "good");
  };
  EXPECT_EQ(provider().answer(question("a"))->content, "good");
  const auto lines = complaints();
  ASSERT_EQ(lines.size(), 4u) << testing::PrintToString(lines);
  EXPECT_THAT(lines[0], HasSubstr("0001.answer.json cannot be used (it is not a regular file)"));
  EXPECT_THAT(lines[1], HasSubstr("0001.answer.md cannot be used (it is larger than 1000 bytes)"));
  EXPECT_EQ(lines[2], "0001.answer.md is empty: still waiting");
  EXPECT_THAT(lines[3], HasSubstr("0099.answer.md answers no question: there is no 0099.prompt.json"));
}

TEST_F(Mailbox, SomebodyMayDecline) {
  write("0001.answer.json", R"({"cupilot_answer_text":1,"no_answer":"no idea","tokens_out":9})");
  const auto none = provider().answer(question("a"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().reason, "0001.answer.json: no idea");
  EXPECT_EQ(none.error().spent.tokens_out, 9);
  EXPECT_FALSE(none.error().final);
}

TEST_F(Mailbox, AStopEndsTheWaitAtOnce) {
  settings.poll_interval = 3600s;
  const auto made = [&] {
    return MailboxProvider(settings, {[this] { return time; },
                                      [this](std::chrono::milliseconds pause) {
                                        EXPECT_LE(pause, 200ms);
                                        time += pause;
                                        stop = true;
                                      }});
  };
  std::vector<std::string> told;
  made().answer_all({question("a"), question("b")}, [&](std::size_t, ProviderAnswer answer) {
    ASSERT_FALSE(answer);
    EXPECT_TRUE(answer.error().final);
    told.push_back(answer.error().reason);
  });
  EXPECT_THAT(told, ElementsAre("stopped", "stopped"));
}

TEST_F(Mailbox, ADamagedPromptFileIsLeftAloneAndItsNumberToo) {
  write("0001.prompt.json", "{");
  write("0002.answer.md", "good");
  EXPECT_EQ(provider().answer(question("a"))->content, "good");
  EXPECT_EQ(read("0001.prompt.json"), "{");
  EXPECT_THAT(said[0], HasSubstr("0001.prompt.json is not a prompt of cupilot"));
}

TEST_F(Mailbox, AFolderThatCannotBeWrittenIsAnError) {
  write("file", "");
  const auto none = make_mailbox_provider({.folder = folder.path() / "file" / "box"});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().blame, Blame::user);
  EXPECT_THAT(none.error().message, HasSubstr("file/box"));
  EXPECT_FALSE(make_mailbox_provider({}));
  EXPECT_TRUE(make_mailbox_provider({.folder = folder.path() / "new" / "box"}));
}

}  // namespace
}  // namespace cupilot
