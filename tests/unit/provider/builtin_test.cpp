// SPDX-License-Identifier: Apache-2.0
//
// A shell script plays cupilot-annotate.

#include "evolution/provider/builtin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/spec/kernel_spec_json.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/support/files.h"

namespace cupilot {
using namespace provider;
namespace {

using testing::HasSubstr;

struct Builtin : testing::Test {
  BuiltinProvider annotate_is(const std::string &script) {
    const auto path = folder.path() / "annotate";
    EXPECT_TRUE(write_file_atomic(path, "#!/bin/sh\n" + script));
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return BuiltinProvider({.annotate = path.string()});
  }
  std::string asked() { return read_file(folder.path() / "asked").value_or("nothing"); }
  std::string keep() { return "cat > '" + (folder.path() / "asked").string() + "'\n"; }

  TemporaryFolder folder = TemporaryFolder::create("builtin").value();
};

const RoleRequest kTranslate = {
    .role = "translator",
    .content =
        R"({"cupilot_role":1,"spec":{"name":"k"},"strategies":[{"id":"a","rule":"ra"},{"id":"b","rule":"rb"}]})"};

TEST_F(Builtin, TranslatesByRewriting) {
  auto provider = annotate_is(
      keep() + R"(echo '{"cupilot_rewrite":1,"variant":"v","knobs":[],"applied":["ra"],"summary":"s"}')");
  const auto answer = provider.answer(kTranslate);
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(answer->content,
            R"({"cupilot_answer":1,"variant":"v","knobs":[],"applied":["ra"],"summary":"s"})");
  EXPECT_EQ(asked(), R"({"cupilot_rewrite":1,"spec":{"name":"k"},"rules":["ra","rb"]})");
}

spec::KernelSpec volatile_one() {
  spec::KernelSpec spec;
  spec.name = "scale";
  spec.lifted.missing = {"'x' is volatile", 7};
  return spec;
}

/// y[i] = x[i] for i in 0 .. n
spec::KernelSpec copy() {
  using namespace spec;
  KernelSpec spec;
  spec.name = spec.qualified_name = "copy";
  spec.parameters = {{.name = "x", .type = "const float *", .pointer = true, .element_bytes = 4},
                     {.name = "y", .type = "float *", .pointer = true, .element_bytes = 4},
                     {.name = "n", .type = "int"}};
  const Expr i = named(ExprKind::axis, "i", "int");
  const Statement store{
      .kind = StatementKind::store, .name = "y", .type = "float", .value = load("x", i, "float"), .index = i};
  spec.lifted.body = {{.kind = StatementKind::loop,
                       .name = "i",
                       .type = "int",
                       .begin = constant(0),
                       .end = named(ExprKind::parameter, "n", "int"),
                       .step = constant(1),
                       .body = {store}}};
  return spec;
}

RoleRequest by_schedule(const std::string &strategies, const spec::KernelSpec &spec = volatile_one()) {
  return {.role = "translator",
          .content = R"({"cupilot_role":1,"spec":)" + spec::to_json(spec) + R"(,"strategies":[)" +
                     strategies + "]}"};
}

TEST_F(Builtin, AScheduleAnswersWithoutAnotherProgram) {
  auto provider = annotate_is("exit 1");
  const auto answer = provider.answer(by_schedule(R"({"id":"a","rule":"row-in-registers"})"));
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(
      answer->content,
      R"({"cupilot_answer":1,"refused":[{"rule":"row-in-registers","reason":"'x' is volatile","line":7}]})");
}

TEST_F(Builtin, AScheduleAnswersWithAVariantAndItsKnobs) {
  auto provider = annotate_is("exit 1");
  const auto answer = provider.answer(by_schedule(R"({"id":"a","rule":"coalesced-mapping"})", copy()));
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_THAT(answer->content, HasSubstr(R"("applied":["coalesced-mapping"])"));
  EXPECT_THAT(answer->content, HasSubstr(R"({"name":"kVector","values":[2,4],"value":4})"));
  EXPECT_THAT(answer->content,
              HasSubstr("bool launch(const cupilot::Launch &l, const float *x, float *y, int n)"));
}

TEST_F(Builtin, AScheduleIsNotCombined) {
  auto provider = annotate_is("exit 1");
  const auto answer =
      provider.answer(by_schedule(R"({"id":"a","rule":"ra"},{"id":"b","rule":"row-in-registers"})"));
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_THAT(answer->content, HasSubstr("writes the kernel anew, and is not combined with others"));
}

TEST_F(Builtin, PassesOnRefusals) {
  auto provider = annotate_is(
      keep() + R"(echo '{"cupilot_rewrite":1,"refused":[{"rule":"ra","reason":"no loop","line":3}]}')");
  EXPECT_EQ(provider.answer(kTranslate)->content,
            R"({"cupilot_answer":1,"refused":[{"rule":"ra","reason":"no loop","line":3}]})");
}

TEST_F(Builtin, FailuresSayWhatHappened) {
  const auto failure = [&](const std::string &script) {
    return annotate_is(script).answer(kTranslate).error().reason;
  };
  EXPECT_THAT(failure(keep() + "echo 'first' >&2; echo 'no slice' >&2; exit 3"),
              HasSubstr("rewrite: exit code 3: no slice"));
  EXPECT_THAT(failure(keep() + "kill -SEGV $$"), HasSubstr("signal 11"));
  EXPECT_THAT(failure(keep() + "echo 'not json'"), HasSubstr("damaged JSON"));
  EXPECT_THAT(failure(keep() + R"(echo '{"cupilot_rewrite":2}')"), HasSubstr("version 2"));
  EXPECT_THAT(failure(keep() + R"(echo '{"cupilot_rewrite":1,"error":"cannot parse"}')"),
              HasSubstr("cannot parse"));
}

TEST_F(Builtin, AStrategyWithoutARuleNeedsAModel) {
  auto provider = annotate_is("exit 1");
  const auto answer =
      provider.answer({.role = "translator",
                       .content = R"({"cupilot_role":1,"spec":{},"strategies":[{"id":"a","rule":""}]})"});
  EXPECT_THAT(answer.error().reason, HasSubstr("'a' has no built-in rule"));
}

TEST_F(Builtin, ListsKnownRulesByGainAndAsksForThemOnce) {
  auto provider = annotate_is("echo x >> '" + (folder.path() / "asked").string() +
                              R"('; echo '{"cupilot_rules":1,"rules":["ra","rb","rc"]}')");
  const RoleRequest request = {.role = "strategist",
                               .content =
                                   R"({"cupilot_role":1,"strategies":[{"id":"a","rule":"ra","gain":1.1},)"
                                   R"({"id":"m","rule":"","gain":9},{"id":"b","rule":"rb","gain":2}]})"};
  EXPECT_EQ(provider.answer(request)->content, R"({"cupilot_answer":1,"strategies":["b","a"]})");
  EXPECT_TRUE(provider.answer(request));
  EXPECT_EQ(asked(), "x\n");
}

TEST_F(Builtin, KnowsTwoRoles) {
  auto provider = annotate_is("exit 1");
  EXPECT_THAT(provider.answer({.role = "revisor"}).error().reason,
              HasSubstr("does not answer the role 'revisor'"));
}

TEST_F(Builtin, AnswersManyInTheOrderAsked) {
  auto provider = annotate_is(R"(read -r line
case $line in *first*) sleep 0.05; v=one;; *second*) v=two;; *) echo bad >&2; exit 1;; esac
echo "{\"cupilot_rewrite\":1,\"variant\":\"$v\"}")");
  const auto about = [](const std::string &name) {
    return RoleRequest{.role = "translator",
                       .content = R"({"cupilot_role":1,"spec":{"name":")" + name + R"("},"strategies":[]})"};
  };
  std::vector<ProviderAnswer> answers;
  const auto arrived = [&](std::size_t at, ProviderAnswer answer) {
    EXPECT_EQ(at, answers.size());
    answers.push_back(std::move(answer));
  };
  provider.answer_all({about("first"), about("second"), about("third"), about("first")}, arrived);
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[0]->content, R"({"cupilot_answer":1,"variant":"one"})");
  EXPECT_EQ(answers[1]->content, R"({"cupilot_answer":1,"variant":"two"})");
  EXPECT_THAT(answers[2].error().reason, HasSubstr("bad"));
  EXPECT_EQ(answers[3]->content, answers[0]->content);
  provider.answer_all({}, arrived);
  EXPECT_EQ(answers.size(), 4u);
}

}  // namespace
}  // namespace cupilot
