// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/judge/screen/binary_screen.h"
#include "evolution/judge/screen/shared_library.h"

namespace cupilot {
using namespace judge::screen;
namespace {

using testing::HasSubstr;
using testing::Not;

std::string screened(const std::string &candidate, const std::string &original) {
  const auto mine = read_file(candidate), theirs = read_file(original);
  std::vector<std::string> all;
  for (const auto &finding :
       screen_library(std::as_bytes(std::span(*mine)), std::as_bytes(std::span(*theirs))))
    all.push_back(finding.reason);
  return join(all, "\n");
}

TEST(LibraryScreen, ToleratesWhatTheOriginalHasAndPureFunctions) {
  EXPECT_EQ(screened(HONEST_LIBRARY, HONEST_LIBRARY), "");
  EXPECT_EQ(screened(HOSTILE_LIBRARY, HOSTILE_LIBRARY), "");
}

TEST(LibraryScreen, NamesCallsVariablesAndConstructors) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer adds calls and variables of its own";
#endif
  const std::string found = screened(HOSTILE_LIBRARY, HONEST_LIBRARY);
  EXPECT_THAT(found, HasSubstr("calls 'system', which reaches the system"));
  EXPECT_THAT(found, HasSubstr("calls 'socket', which the host side of a variant may not call"));
  EXPECT_THAT(found, HasSubstr("calls 'cudaMalloc', which allocates memory; use l.scratch(bytes)"));
  EXPECT_THAT(found, HasSubstr("has the variable 'hostile::calls'"));
  EXPECT_THAT(found, HasSubstr("has the variable 'hostile::of_a_thread'"));
  EXPECT_THAT(found, HasSubstr("has the variable 'cupilot_entry::count'"));
  EXPECT_THAT(found, HasSubstr("runs code when it is loaded"));
  EXPECT_THAT(found, Not(HasSubstr("kTable")));
}

/// Any byte may be wrong; the answer is a finding or none, never a crash.
TEST(LibraryScreen, DamagedFilesAreReadSafely) {
  const auto file = read_file(HOSTILE_LIBRARY);
  ASSERT_TRUE(file);
  for (std::size_t i = 0; i < file->size(); i += i < 1024 ? 3 : 97) {
    std::string damaged = *file;
    damaged[i] = static_cast<char>(damaged[i] ^ 0xff);
    (void)screen_library(std::as_bytes(std::span(damaged)), {});
    (void)screen_library(std::as_bytes(std::span(*file).first(i)), {});
  }
}

}  // namespace
}  // namespace cupilot
