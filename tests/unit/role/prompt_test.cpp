// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "brief_for_tests.h"
#include "evolution/model/role.h"

namespace cupilot {
using namespace model;
using namespace role;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

std::string complaint_about_prompt(const std::string &text) {
  const auto parsed = Prompt::parse(text, "x.md");
  return parsed ? "accepted" : parsed.error().message;
}

TEST(Prompt, FillsPlaces) {
  const auto parsed = Prompt::parse("cupilot-prompt x 7\nA {{one}} b {{two}}.\n", "x.md");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->name(), "x");
  EXPECT_EQ(parsed->version(), "x 7");
  EXPECT_THAT(parsed->places(), UnorderedElementsAre("one", "two"));
  EXPECT_EQ(parsed->fill({{"one", "1"}, {"two", "2"}}), "A 1 b 2.\n");
}

TEST(Prompt, ValuesAreNotReadAgain) {
  const auto parsed = Prompt::parse("cupilot-prompt x 1\n{{one}}{{two}}", "x.md");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->fill({{"one", "{{two}}"}, {"two", "{{#one}}"}}), "{{two}}{{#one}}");
}

TEST(Prompt, LeavesOutWhatIsEmpty) {
  const auto parsed = Prompt::parse(
      "cupilot-prompt x 1\nbegin\n{{#one}}\nsome {{one}}\n{{/one}}\nend{{#two}}, {{two}}{{/two}}\n", "x.md");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->fill({{"one", ""}, {"two", ""}}), "begin\nend\n");
  EXPECT_EQ(parsed->fill({{"one", "1"}, {"two", "2"}}), "begin\nsome 1\nend, 2\n");
}

TEST(Prompt, SaysWhereItIsWrong) {
  EXPECT_EQ(complaint_about_prompt(""), "x.md:1: expected 'cupilot-prompt <name> <version>'");
  EXPECT_EQ(complaint_about_prompt("cupilot-prompt X 1\n"),
            "x.md:1: expected 'cupilot-prompt <name> <version>'");
  EXPECT_EQ(complaint_about_prompt("cupilot-prompt x one\n"),
            "x.md:1: expected 'cupilot-prompt <name> <version>'");
  EXPECT_EQ(complaint_about_prompt("cupilot-prompt x 1\n\n{{One}}"),
            "x.md:3: '{{' does not begin a {{name}} of letters a-z and '_'");
  EXPECT_EQ(complaint_about_prompt("cupilot-prompt x 1\na\nint b = {{1}};"),
            "x.md:3: '{{' does not begin a {{name}} of letters a-z and '_'");
  EXPECT_EQ(complaint_about_prompt("cupilot-prompt x 1\n{{one"),
            "x.md:2: '{{' does not begin a {{name}} of letters a-z and '_'");
  EXPECT_EQ(complaint_about_prompt("cupilot-prompt x 1\n{{#a}}\n{{#b}}{{/b}}{{/a}}"),
            "x.md:3: {{#b}} begins inside {{#a}}; sections cannot be nested");
  EXPECT_EQ(complaint_about_prompt("cupilot-prompt x 1\n{{/a}}"),
            "x.md:2: {{/a}} ends a section that is not open");
  EXPECT_EQ(complaint_about_prompt("cupilot-prompt x 1\n{{#a}}\n"), "x.md:3: {{#a}} is not ended by {{/a}}");
}

TEST(Prompts, HaveExactlyThePlacesThatAreFilled) {
  for (const PromptKind &kind : prompt_kinds()) {
    const std::set<std::string> filled(kind.places.begin(), kind.places.end());
    EXPECT_EQ(prompt(kind.name).places(), filled) << kind.name;
    EXPECT_EQ(filled.size(), kind.places.size()) << kind.name;
  }
}

TEST(Prompts, EveryQuestionHasItsRole) {
  std::set<std::string_view> known, built_in, of_roles;
  for (const PromptKind &kind : prompt_kinds()) known.insert(kind.name);
  for (const PromptText &text : kPromptTexts) built_in.insert(text.name);
  EXPECT_EQ(built_in, known);
  for (const Role &role : kRoles) {
    EXPECT_FALSE(role.prompts[0].empty()) << role.name;
    for (const std::string_view name : role.prompts)
      EXPECT_TRUE(name.empty() || (known.contains(name) && of_roles.insert(name).second)) << name;
  }
  for (const std::string_view name : known)
    EXPECT_TRUE(of_roles.contains(name) || name == "contract" || name == "setting" ||
                name.starts_with("menu_"))
        << name << " is asked by no role";
  EXPECT_EQ(role_of_prompt("revisor_edit")->name, std::string_view("revisor"));
  EXPECT_EQ(role_of_prompt("contract"), nullptr);
  EXPECT_EQ(role_of_prompt(""), nullptr);
}

/// A text that changes gets a new version: then its line here changes as well.
TEST(Prompts, DoNotChangeWithoutANewVersion) {
  const std::map<std::string, std::string> known{
      {"aligner 1", "4d8cf5e3845df039"},
      {"analyst 1", "0caf589b74f47f26"},
      {"contract 2", "2f72996d1dc8cd00"},
      {"critic 1", "5ab703ef2b8267e6"},
      {"menu_attention 1", "99ddd5b854f5e064"},
      {"menu_convolution 1", "0374a4cf9fb7cac9"},
      {"menu_elementwise 1", "e49716af965b8f6c"},
      {"menu_matmul 1", "f6b49c686c8e3382"},
      {"menu_other 1", "60b312ec6c9042a2"},
      {"menu_rows 1", "43c3e13f4ddd84a1"},
      {"refine 1", "153a17797ebb97db"},
      {"revisor_diagnose 1", "eefac323f751113b"},
      {"revisor_edit 1", "7675639a0ccd3615"},
      {"setting 2", "b66facb2d13e7b86"},
      {"strategist_crossover 1", "961898e1564baf47"},
      {"strategist_extend 1", "185296d400bc94a9"},
      {"strategist_initial 1", "da7570a6a51385c8"},
      {"translator 1", "31fa94b1b1cba8c3"},
  };
  std::map<std::string, std::string> found;
  for (const PromptKind &kind : prompt_kinds())
    found[prompt(kind.name).version()] = sha256(prompt_text(kind.name)).substr(0, 16);
  EXPECT_EQ(found, known);
}

TEST(Prompts, SpeakOfNobodysMachine) {
  for (const PromptKind &kind : prompt_kinds()) {
    const std::string_view text = prompt_text(kind.name);
    for (const unsigned char c : text)
      EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << kind.name << " has the byte " << int(c);
    EXPECT_EQ(text.find("holdout"), std::string_view::npos) << kind.name;
    EXPECT_EQ(text.find("hold-out"), std::string_view::npos) << kind.name;
    EXPECT_TRUE(text.ends_with('\n')) << kind.name;
  }
}

class LoadedPrompts : public testing::Test {
protected:
  void SetUp() override {
    auto made = TemporaryFolder::create("cupilot-prompts");
    ASSERT_TRUE(made);
    folder_.emplace(std::move(*made));
  }
  void TearDown() override {
    forget_loaded_prompts();
    ::unsetenv("CUPILOT_PROMPTS");
  }
  void write(const std::string &name, const std::string &text) {
    ASSERT_TRUE(write_file_atomic(folder_->path() / name, text));
  }
  std::string load() {
    const auto loaded = load_prompts(folder_->path());
    return loaded ? "loaded" : loaded.error().message;
  }
  std::optional<TemporaryFolder> folder_;
};

TEST_F(LoadedPrompts, ReplaceThoseBuiltIn) {
  const std::string text = "cupilot-prompt aligner 1\nS {{strategy}} V {{variant}}\n";
  write("aligner.md", text);
  write("README", "not a prompt");
  ASSERT_EQ(load(), "loaded");
  EXPECT_EQ(prompt("aligner").version(), "aligner 1-" + sha256(text).substr(0, 8));
  EXPECT_EQ(prompt("aligner").fill({{"strategy", "s"}, {"variant", "v"}}), "S s V v\n");
  EXPECT_EQ(prompt("translator").version(), "translator 1");
}

TEST_F(LoadedPrompts, OfTheEnvironment) {
  EXPECT_TRUE(load_prompts_of_environment());
  write("aligner.md", "cupilot-prompt aligner 1\n{{strategy}}{{variant}}");
  ::setenv("CUPILOT_PROMPTS", folder_->path().c_str(), 1);
  ASSERT_TRUE(load_prompts_of_environment());
  EXPECT_THAT(prompt("aligner").version(), HasSubstr("aligner 1-"));
  ::setenv("CUPILOT_PROMPTS", (folder_->path() / "none").c_str(), 1);
  const auto missing = load_prompts_of_environment();
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("$CUPILOT_PROMPTS: cannot read the prompts in"));
  EXPECT_EQ(missing.error().blame, Blame::user);
}

TEST_F(LoadedPrompts, AnErrorHasItsPlaceAndReplacesNothing) {
  EXPECT_THAT(load(), HasSubstr("has no prompt"));
  write("aligner.md", "cupilot-prompt aligner 1\n{{strategy}}\n{{variants}}\n{{variant}}");
  EXPECT_THAT(
      load(),
      HasSubstr("aligner.md:3: {{variants}} is not a placeholder of this prompt; did you mean 'variant'?"));
  write("aligner.md", "cupilot-prompt aligner 1\n{{strategy}}\n");
  EXPECT_THAT(load(), HasSubstr("aligner.md:1: {{variant}} is missing"));
  write("aligner.md", "cupilot-prompt translator 1\n{{strategy}}{{variant}}\n");
  EXPECT_THAT(load(), HasSubstr("aligner.md:1: the first line names the prompt 'translator'"));
  write("aligner.md", "cupilot-prompt aligner 1\n{{strategy}}{{variant}}\n");
  write("translater.md", "cupilot-prompt translator 1\n");
  EXPECT_THAT(load(), HasSubstr("translater.md: there is no such prompt; did you mean 'translator'?"));
  EXPECT_EQ(prompt("aligner").version(), "aligner 1");
}

}  // namespace
}  // namespace cupilot
