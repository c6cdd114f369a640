// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/workload_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot::directive {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct Read {
  std::vector<WorkloadDirective> workloads;
  std::vector<std::string> messages;
};

Read read(const std::string &text) {
  std::vector<Diagnostic> diagnostics;
  Read made{read_workloads(text, "w.txt", diagnostics), {}};
  for (const auto &one : diagnostics)
    made.messages.push_back(std::to_string(one.place.line) + ":" + std::to_string(one.place.column) + " " +
                            one.message);
  return made;
}

TEST(ReadWorkloads, ClausesOnSeveralLines) {
  const auto [workloads, messages] =
      read("// seen\nworkload(a) set(n = 3)  // small\n    in(x[n * 2])\n\nworkload(b) set(n = 4) check\n");
  EXPECT_THAT(messages, IsEmpty());
  ASSERT_THAT(workloads, SizeIs(2));
  EXPECT_EQ(workloads[0].id->text(), "a");
  EXPECT_EQ(workloads[0].buffers[0].extent.text(), "n * 2");
  EXPECT_EQ(workloads[0].buffers[0].name.place(), (SourcePlace{"w.txt", 3, 8}));
  EXPECT_TRUE(workloads[1].check);
}

TEST(ReadWorkloads, MistakesHaveTheirPlaces) {
  const auto [workloads, messages] =
      read("  set(n = 1)\nworkload(a) sets(n = 3)\nworklaod(b)\n  in(x[1])\nworkload\n");
  EXPECT_THAT(messages, ElementsAre("1:3 expected 'workload' instead of 'set'", "2:13 unknown clause 'sets'",
                                    "3:1 expected 'workload' instead of 'worklaod'"));
  EXPECT_THAT(workloads, SizeIs(1));
}

TEST(ReadWorkloads, AnEmptyFileHasNone) {
  EXPECT_THAT(read("").workloads, IsEmpty());
  EXPECT_THAT(read("// nothing\n").workloads, IsEmpty());
}

}  // namespace
}  // namespace cupilot::directive
