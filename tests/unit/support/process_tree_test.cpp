// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/process_tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cupilot {
namespace {

TEST(ProcessTree, FindsGrandchildrenThatLeftTheGroup) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() == 0) {
      ::setsid();
      if (::write(ready[1], "x", 1) == 1) ::pause();
      ::_exit(0);
    }
    ::pause();
    ::_exit(0);
  }
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const auto found = descendants(child);
  EXPECT_EQ(found.size(), 1u);
  for (const pid_t pid : found) ::kill(pid, SIGKILL);
  EXPECT_GT(private_memory(child), 0u);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(descendants(child).empty());
  EXPECT_GT(tasks_of_user(), 0u);
}

}  // namespace
}  // namespace cupilot
