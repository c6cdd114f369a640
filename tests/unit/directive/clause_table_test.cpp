// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/clause_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "annotate/directive/directive.h"
#include "tests/unit/directive/lex_directive.h"

namespace cupilot {
using namespace directive;
using namespace spec;
namespace {

std::vector<Diagnostic> said_about(const std::string &text) {
  std::vector<Diagnostic> diagnostics;
  parse_directive(lex_directive(text, {"a.cu", 1, 1}), {"a.cu", 1, 1}, diagnostics);
  return diagnostics;
}

std::string host_name(const ClauseRule &rule) {
  return rule.host == DirectiveKind::optimize ? "optimize" : "workload";
}

TEST(ClauseTable, NamesEachClauseOnce) {
  std::set<std::string_view> names;
  std::set<Clause> clauses;
  for (const ClauseRule &rule : clause_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_TRUE(clauses.insert(rule.clause).second) << rule.name;
    EXPECT_NE(rule.host, DirectiveKind::harness) << rule.name;
  }
}

TEST(ClauseTable, UsagesShowTheClause) {
  for (const ClauseRule &rule : clause_rules()) {
    EXPECT_TRUE(rule.usage.starts_with(rule.name)) << rule.name;
    EXPECT_EQ(rule.usage.ends_with(")"), rule.takes_arguments) << rule.name;
  }
  for (const FillRule &rule : fill_rules()) EXPECT_TRUE(rule.usage.starts_with(rule.name)) << rule.name;
}

TEST(ClauseTable, UsagesOfSupportedClausesParse) {
  for (const ClauseRule &rule : clause_rules()) {
    if (!rule.supported) continue;
    EXPECT_THAT(said_about(host_name(rule) + " " + std::string(rule.usage)), testing::IsEmpty()) << rule.name;
  }
}

TEST(ClauseTable, UnsupportedClausesSaySoAndNothingElse) {
  for (const ClauseRule &rule : clause_rules()) {
    if (rule.supported) continue;
    const auto said = said_about(host_name(rule) + " " + std::string(rule.usage));
    ASSERT_EQ(said.size(), 1u) << rule.name;
    EXPECT_EQ(said[0].message, "clause '" + std::string(rule.name) + "' is not supported yet");
    EXPECT_EQ(said[0].place.column, 10) << rule.name;
  }
}

TEST(ClauseTable, FillRulesTakeASaneNumberOfArguments) {
  std::set<std::string_view> names;
  for (const FillRule &rule : fill_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_LE(rule.fewest, rule.most) << rule.name;
    EXPECT_EQ(rule.supported, rule.kind != FillKind::automatic) << rule.name;
  }
}

}  // namespace
}  // namespace cupilot
