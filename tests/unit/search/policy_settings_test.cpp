// SPDX-License-Identifier: Apache-2.0
//
// The tables of policies and of their settings, and the text that tells one run from another.

#include "evolution/search/policy_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "evolution/search/policy.h"
#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace provider;
using namespace role;
using namespace search;
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// Another value than the default, whatever the default is.
void change(bool &value) {
  value = !value;
}
void change(std::string &dialect) {
  dialect = kCuteDialect;
}
template <class Number>
void change(Number &value) {
  value += 3;
}
PolicySettings with_changed(const PolicySetting &setting) {
  PolicySettings settings;
  std::visit([&](auto member) { change(settings.*member); }, setting.member);
  return settings;
}

struct RunOptions : testing::Test {
  std::string text(const PolicySettings &options, const std::string &policy = "sce") {
    TuneSettings settings;
    settings.policy = policy;
    settings.options = options;
    return run_options(settings, providers);
  }
  FakeProvider rules{{}};
  ScriptedModel model;
  Providers providers{rules, model};
};

/// Run databases hold this text: a run that was begun by an earlier version goes on.
TEST_F(RunOptions, StayAsTheyWere) {
  EXPECT_EQ(text({.form = false}),
            "population=8\ngenerations=4\nepochs=2\ndepth=10\nbranches=4\ndialect=CUDA C++\ncritic=no\n"
            "retrieval=yes\nguidance=yes\ncode crossover=no\nanalyst=scripted:script 1\n"
            "strategist=scripted:script 1\ntranslator=scripted:script 1\nrevisor=scripted:script 1\n"
            "aligner=scripted:script 1");
  EXPECT_THAT(text({}), HasSubstr("\nform=yes\n"));
  EXPECT_EQ(text({}, "rules"), "");
}

TEST_F(RunOptions, NameTheCriticWhereOneIsAsked) {
  providers.set("critic", rules);
  EXPECT_THAT(text({}), testing::Not(HasSubstr(rules.name())));
  const auto asked = text({.critic = true});
  EXPECT_THAT(asked, HasSubstr("\ncritic=yes\n"));
  EXPECT_TRUE(asked.ends_with("\ncritic=" + rules.name())) << asked;
}

TEST_F(RunOptions, EverySettingMakesAnotherRunAndCanBeReadAgain) {
  std::set<std::string> texts{text({})}, words;
  for (const PolicySetting &setting : policy_settings()) {
    const auto changed = with_changed(setting);
    EXPECT_TRUE(texts.insert(text(changed)).second) << setting.name;
    EXPECT_THAT(option_words(changed), HasSubstr(std::string(" ") + setting.option));
    EXPECT_TRUE(words.insert(option_words(changed)).second) << setting.name;
    PolicySettings adopted{.form = false};  // where it is told, the text says so
    for (const auto &line : split_lines(text(changed))) {
      const auto equal = line.find('=');
      adopt_setting(line.substr(0, equal), line.substr(equal + 1), adopted);
    }
    EXPECT_EQ(text(adopted), text(changed));
  }
  EXPECT_EQ(option_words({}), "");
}

TEST_F(RunOptions, ALineThatIsAboutNoSettingChangesNone) {
  PolicySettings settings{.critic = true};
  EXPECT_FALSE(adopt_setting("aligner", "builtin", settings));
  EXPECT_FALSE(adopt_setting("critic", "builtin", settings)) << "the role's line, not the setting's";
  EXPECT_FALSE(adopt_setting("dialect", "Fortran", settings));
  EXPECT_EQ(option_words(settings), " --critic");
}

TEST(Policies, AreFoundByTheirNames) {
  for (const Policy &policy : policies()) {
    const auto found = find_policy(policy.name);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, &policy);
    EXPECT_NE(policy.run, nullptr);
  }
  EXPECT_EQ((*find_policy(kPolicyWithoutModel))->model, ModelUse::none);
  EXPECT_NE((*find_policy(kPolicyWithModel))->model, ModelUse::none);
  const auto unknown = find_policy("scee");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().blame, Blame::user);
  EXPECT_THAT(unknown.error().message, HasSubstr("did you mean 'sce'?"));
}

}  // namespace
}  // namespace cupilot
