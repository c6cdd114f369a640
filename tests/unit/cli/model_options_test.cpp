// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/tune/model_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "evolution/provider/recording.h"

namespace cupilot::cli {
using namespace cupilot::cli::tune;
using namespace cupilot::search;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The words as `cupilot tune` reads them.
ModelOptions read(std::vector<std::string> words) {
  ModelOptions options;
  CLI::App app;
  add_model_options(app, options);
  std::ranges::reverse(words);
  app.parse(words);
  return options;
}

std::string refusal(std::vector<std::string> words) {
  auto options = read(std::move(words));
  const auto checked = check_model_options(options);
  if (checked) return "";
  EXPECT_EQ(checked.error().blame, Blame::user);
  return checked.error().message;
}

ModelOptions checked(std::vector<std::string> words) {
  auto options = read(std::move(words));
  const auto fine = check_model_options(options);
  EXPECT_TRUE(fine) << (fine ? "" : fine.error().message);
  return options;
}

TEST(ModelOptions, RulesWithoutAModelAutoWithOne) {
  const auto none = checked({});
  EXPECT_EQ(none.policy, "rules");
  EXPECT_FALSE(none.has_model());
  EXPECT_TRUE(model_choices(none).empty());
  EXPECT_EQ(checked({"--provider", "openai", "--model", "m"}).policy, "auto");
  EXPECT_EQ(checked({"--provider", "openai", "--model", "m", "--policy", "sce"}).policy, "sce");
}

TEST(ModelOptions, AnOptionImpliesItsProvider) {
  EXPECT_EQ(checked({"--mailbox", "box"}).provider, "mailbox");
  EXPECT_EQ(checked({"--command", "my-model -q"}).provider, "command");
  EXPECT_EQ(checked({"--replay", "run.jsonl"}).provider, "replay");
  EXPECT_THAT(refusal({"--mailbox", "box", "--replay", "x"}), HasSubstr("--replay is for --provider replay"));
}

TEST(ModelOptions, WhatIsMissingIsNamed) {
  EXPECT_THAT(refusal({"--provider", "anthropic"}), HasSubstr("--model NAME"));
  EXPECT_THAT(refusal({"--provider", "mailbox"}), HasSubstr("--mailbox FOLDER"));
  EXPECT_THAT(refusal({"--provider", "command"}), HasSubstr("--command"));
  EXPECT_THAT(refusal({"--command", "''"}), HasSubstr("names no program"));
  EXPECT_THAT(refusal({"--model", "m"}), HasSubstr("--provider"));
  EXPECT_THAT(refusal({"--policy", "sce"}), HasSubstr("--provider"));
  EXPECT_THAT(refusal({"--role", "translator=openai:m"}), HasSubstr("--provider"));
  EXPECT_THAT(refusal({"--mailbox", "box", "--price", "1/2"}), HasSubstr("--model"));
}

TEST(ModelOptions, RolesAreReadStrictly) {
  const std::vector<std::string> base{"--provider", "openai", "--model", "m", "--role"};
  const auto with = [&](const char *role) {
    auto words = base;
    words.emplace_back(role);
    return words;
  };
  EXPECT_THAT(refusal(with("translater=openai:x")), HasSubstr("did you mean 'translator'?"));
  EXPECT_THAT(refusal(with("translator=opnai:x")), HasSubstr("did you mean 'openai'?"));
  EXPECT_THAT(refusal(with("translator")), HasSubstr("translator=anthropic:MODEL"));
  EXPECT_THAT(refusal(with("translator=anthropic")), HasSubstr(":MODEL"));
  EXPECT_THAT(refusal(with("translator=command")), HasSubstr("--command"));
}

TEST(ModelOptions, EveryRoleHasOneWhoAnswers) {
  const auto choices = model_choices(
      checked({"--provider", "openai", "--model", "m", "--role", "translator=anthropic:big", "--role",
               "revisor=openai:small", "--role", "analyst=builtin", "--role", "aligner=anthropic:big"}));
  ASSERT_EQ(choices.size(), 3u);
  EXPECT_THAT(choices[0].roles, ElementsAre("strategist", "critic"));
  EXPECT_EQ(choices[1].model, "big");
  EXPECT_THAT(choices[1].roles, ElementsAre("translator", "aligner"));
  EXPECT_EQ(choices[2].model, "small");
}

TEST(ModelOptions, RepeatsWithoutKeysAndFolders) {
  const auto words = model_words(checked({"--command", "/home/me/bin/ask --token=secret", "--policy", "sce",
                                          "--population", "4", "--no-guidance"}));
  EXPECT_EQ(words, " --policy sce --provider command --command ask --population 4 --no-guidance");
  EXPECT_THAT(
      model_words(checked({"--provider", "openai", "--model", "m", "--base-url", "http://me:pw@host/v1"})),
      HasSubstr("--base-url http://host/v1"));
  EXPECT_EQ(model_words(checked({})), " --policy rules");
}

TEST(ModelOptions, ARecordingIsPlayedAsItWasMade) {
  ModelOptions options;
  adopt_recording(options, {.policy = "sce",
                            .options = "population=5\ndepth=3\ndialect=CuTe\ncritic=yes\nretrieval=no\n"
                                       "analyst=builtin\naligner=openai:m\ncritic=builtin"});
  EXPECT_EQ(options.policy, "sce");
  EXPECT_EQ(option_words(options.settings),
            " --population 5 --depth 3 --dialect cute --critic --no-retrieval --no-form")
      << "of the form it says nothing: it was not told";
  EXPECT_THAT(options.roles, ElementsAre("analyst=builtin", "critic=builtin"));
}

TEST(ModelOptions, SettingsReachTheSearch) {
  const auto options = checked({"--mailbox", "box", "--dialect", "cute", "--critic", "--no-retrieval",
                                "--code-crossover", "--depth", "3"});
  EXPECT_EQ(options.settings.dialect, "CuTe");
  EXPECT_TRUE(options.settings.critic && options.settings.code_crossover && options.settings.guidance);
  EXPECT_FALSE(options.settings.retrieval);
  EXPECT_EQ(options.settings.depth, 3);
}

}  // namespace
}  // namespace cupilot::cli
