// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/pragmas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "annotate/support/files.h"

namespace cupilot::cli::project {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class Pragmas : public testing::Test {
protected:
  Result<std::vector<SourceEdit>> edits(const std::string &text, const std::vector<SourcePlace> &places) {
    const auto file = (folder.path() / "a.cu").string();
    EXPECT_TRUE(write_file_atomic(file, text));
    std::vector<spec::Definition> definitions;
    for (const auto &[ignored, line, column] : places)
      definitions.push_back({.name = "k", .beginning = {file, line, column}});
    return add_pragmas(definitions);
  }
  TemporaryFolder folder = std::move(*TemporaryFolder::create("cupilot-pragmas-test"));
};

TEST_F(Pragmas, StandBeforeEachDefinitionIndentedLikeIt) {
  const auto made = edits("a\nb\n  c\nd", {{"", 1, 1}, {"", 3, 3}, {"", 4, 1}});
  ASSERT_TRUE(made);
  ASSERT_THAT(*made, SizeIs(1));
  EXPECT_EQ(made->front().before, "a\nb\n  c\nd");
  EXPECT_EQ(made->front().after,
            "#pragma cupilot optimize\na\nb\n  #pragma cupilot optimize\n  c\n#pragma cupilot optimize\nd");
}

TEST_F(Pragmas, EndTheirLinesAsTheFileDoes) {
  const auto made = edits("a\r\nb\r\n", {{"", 2, 1}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->front().after, "a\r\n#pragma cupilot optimize\r\nb\r\n");
}

TEST_F(Pragmas, NeedALineOfTheirOwn) {
  const auto made = edits("int x; void k();\n", {{"", 1, 8}});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("a.cu:1: the definition of 'k' does not begin its line"));
}

TEST_F(Pragmas, AShorterFileHasChanged) {
  for (const int line : {3, 9}) {
    const auto made = edits("a\nb\n", {{"", line, 1}});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("has changed while it was read"));
  }
}

TEST_F(Pragmas, AreWrittenToAllFilesOrNone) {
  const auto first = folder.path() / "b.cu";
  ASSERT_TRUE(write_file_atomic(first, "old"));
  EXPECT_FALSE(write_edits({{first, "old", "new"}, {folder.path() / "missing.cu", "", "new"}}));
  EXPECT_EQ(*read_file(first), "old");
}

}  // namespace
}  // namespace cupilot::cli::project
