// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/workloads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/spec/lifted_text.h"

namespace cupilot::capture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

spec::KernelSpec kernel() {
  spec::KernelSpec made;
  made.name = "k";
  made.parameters = {{"x", "const float *", true, true, false, spec::ElementType::f32, "float", 4},
                     {"y", "float *", true, false, false, spec::ElementType::f32, "float", 4},
                     {"n", "int", false, false, false, spec::ElementType::i32, "int", 4}};
  return made;
}

SeenShape shape(std::int64_t n, std::uint64_t elements, double work, std::uint32_t grid) {
  SeenShape made;
  made.launches = 2;
  made.work = work;
  made.first.kernel = "k";
  made.first.grid = {grid, 1, 1};
  made.first.block = {256, 1, 1};
  made.first.scalars = {{"n", std::to_string(n), true}};
  for (const char *name : {"x", "y"}) {
    SeenBuffer buffer;
    buffer.parameter = name;
    buffer.bytes = 4 * elements;
    buffer.contents = {.count = elements, .least = -4, .greatest = 4, .deviation = 1};
    made.first.buffers.push_back(buffer);
  }
  return made;
}

TEST(WorkloadsOf, WhatIsSeenOnAGpu) {
  const auto made = workloads_of(kernel(), {shape(1000, 1000, 9, 4), shape(5000, 5000, 1, 20)});
  EXPECT_EQ(made.text,
            "// 2 launches, 90 % of the work\n"
            "workload(seen1) set(n = 1000)\n    in(x[n])\n    inout(y[n])\n"
            "    fill(x = normal(0, 1), y = normal(0, 1))\n    launch((n + 255) / 256, 256) weight(0.9)\n"
            "// 2 launches, 10 % of the work\n"
            "workload(seen2) set(n = 5000)\n    in(x[n])\n    inout(y[n])\n"
            "    fill(x = normal(0, 1), y = normal(0, 1))\n    launch((n + 255) / 256, 256) weight(0.1)\n");
}

TEST(WorkloadsOf, AKernelThatIsGivenZerosOnlyIsJudgedWithRandomData) {
  auto seen = shape(1000, 1000, 9, 4);
  seen.first.buffers[1].contents = {.count = 1000, .zeros = 1000};
  EXPECT_THAT(workloads_of(kernel(), {seen}).text, HasSubstr("fill(x = normal(0, 1), y = zeros)"));
  seen.first.buffers.erase(seen.first.buffers.begin());
  auto alone = kernel();
  alone.parameters.erase(alone.parameters.begin());
  EXPECT_THAT(workloads_of(alone, {seen}).text, Not(HasSubstr("fill(")));
}

TEST(WorkloadsOf, ChecksAndHoldouts) {
  std::vector<SeenShape> shapes;
  for (int i = 1; i <= 6; ++i) shapes.push_back(shape(1000 * i, 1000 * i, 10 * i, (1000 * i + 255) / 256));
  const auto made = workloads_of(kernel(), shapes);
  EXPECT_THAT(made.ids, ElementsAre("seen1", "seen2", "seen3", "seen4", "seen5"));
  EXPECT_THAT(made.text, HasSubstr("workload(seen4) set(n = 1000)"));  // the smallest
  EXPECT_THAT(made.text, HasSubstr("launch((n + 255) / 256, 256) check"));
  EXPECT_THAT(made.text, HasSubstr("workload(seen5) set(n = 3000)"));
  EXPECT_THAT(made.text, HasSubstr("launch((n + 255) / 256, 256) holdout"));
  EXPECT_THAT(made.notes, ElementsAre("1 further shapes became no workloads"));
}

TEST(WorkloadsOf, ASizeThatFollowsFromNothing) {
  const auto made = workloads_of(kernel(), {shape(10, 777, 9, 3), shape(20, 778, 9, 7)});
  EXPECT_THAT(made.text, HasSubstr("set(blocks_x = 3, n = 10)"));
  EXPECT_THAT(made.text, HasSubstr("in(x[777])"));
  EXPECT_THAT(made.text, HasSubstr("launch(blocks_x, 256)"));
  EXPECT_THAT(made.notes, testing::Contains(HasSubstr("the size of 'x' follows from no number")));
}

TEST(WorkloadsOf, MoreThanIsTouchedMayBeThere) {
  auto pooled = shape(1000, 1 << 20, 9, 4);  // a piece of a large allocation
  for (auto &buffer : pooled.first.buffers) buffer.read_end = buffer.written_end = 4000;
  const auto made = workloads_of(kernel(), {pooled});
  EXPECT_THAT(made.text, HasSubstr("in(x[n])"));
  EXPECT_THAT(made.text, HasSubstr("out(y[n])"));  // nothing was read that the launch had not written
}

TEST(WorkloadsOf, TheLiftedFormTellsNamesOfOneValueApart) {
  auto square = kernel();
  square.parameters.push_back({"m", "int", false, false, false, spec::ElementType::i32, "int", 4});
  const auto name = [](const char *text) { return spec::named(spec::ExprKind::parameter, text, "int"); };
  spec::Statement store{.kind = spec::StatementKind::store, .name = "y"};
  store.index = spec::named(spec::ExprKind::axis, "i", "int");
  store.value = spec::load("x", store.index, "float");
  spec::Statement loop{.kind = spec::StatementKind::loop, .name = "i", .type = "int"};
  loop.begin = spec::constant(0);
  loop.end = name("m");
  loop.body = {store};
  square.lifted.body = {loop};
  square.lifted.needs = {
      {spec::binary(">=", spec::binary("*", name("grid.x"), name("block.x"), "int"), name("m"), "bool"),
       "every element has a thread"}};
  auto seen = shape(1000, 1000, 9, 4);
  seen.first.scalars.push_back({"m", "1000", true});
  const auto made = workloads_of(square, {seen});
  EXPECT_THAT(made.text, HasSubstr("in(x[m])"));
  EXPECT_THAT(made.text, HasSubstr("out(y[m])"));
  EXPECT_THAT(made.text, HasSubstr("launch((m + 255) / 256, 256)"));
}

TEST(WorkloadsOf, NamesOfOneValueAreToldApartByWhatTheyAreCalled) {
  auto image = kernel();
  image.parameters[2].name = "height";
  image.parameters.push_back({"width", "int", false, false, false, spec::ElementType::i32, "int", 4});
  auto seen = shape(512, 512 * 512, 9, 32);
  seen.first.grid = {32, 32, 1};
  seen.first.block = {16, 16, 1};
  seen.first.scalars = {{"height", "512", true}, {"width", "512", true}};
  const auto made = workloads_of(image, {seen}).text;
  EXPECT_THAT(made, HasSubstr("in(x[height * width])"));
  EXPECT_THAT(made, HasSubstr("launch(dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16))"));
}

TEST(WorkloadsOf, OfOneInputAtLeastTheContentIsRandom) {
  auto integers = kernel();
  for (int i : {0, 1}) integers.parameters[static_cast<std::size_t>(i)].element = spec::ElementType::i32;
  auto seen = shape(1000, 1000, 9, 4);
  for (auto &buffer : seen.first.buffers)
    buffer.contents = {.count = 1000, .greatest = 999, .whole = true, .ascending = true, .counts_up = true};
  EXPECT_THAT(workloads_of(integers, {seen}).text, HasSubstr("fill(x = permutation, y = permutation)"));
  seen.first.buffers[1].contents = {.count = 1000, .least = 3, .greatest = 7, .whole = true};
  EXPECT_THAT(workloads_of(integers, {seen}).text, HasSubstr("fill(x = iota, y = randint(3, 8))"));
}

TEST(WorkloadsOf, WhatCannotBeSaid) {
  auto null = shape(10, 10, 1, 1);
  null.first.buffers[1].null = true;
  EXPECT_EQ(workloads_of(kernel(), {null}).missing, "'y' is a null pointer, which a workload cannot say");
  EXPECT_EQ(workloads_of(kernel(), {}).missing, "it was not launched");
  auto linked = kernel();
  linked.parameters[0].element = spec::ElementType::opaque;
  linked.parameters[0].element_type = "Node";
  EXPECT_EQ(workloads_of(linked, {shape(10, 10, 1, 1)}).missing,
            "'x' has elements of type 'Node', which no fill can make");
  auto structure = kernel();
  structure.parameters.push_back({"p", "Box", false, false, false, spec::ElementType::opaque, "Box", 24});
  EXPECT_EQ(workloads_of(structure, {shape(10, 10, 1, 1)}).missing,
            "'p' is of class type 'Box', which a workload cannot give a value");
  const auto some = workloads_of(kernel(), {null, shape(1000, 1000, 9, 4)});
  EXPECT_THAT(some.ids, ElementsAre("seen1"));
  EXPECT_THAT(some.notes, testing::Contains(HasSubstr("some launches are left out")));
  EXPECT_THAT(some.missing, IsEmpty());
}

TEST(WorkloadFile, KeepsWorkloadsOfOtherNames) {
  Workloads made;
  made.text = "// new\nworkload(seen1) set(n = 2)\n";
  const std::string old =
      "// Written by ...\n// old\nworkload(seen1) set(n = 1)\n    in(x[n])\n\nworkload(mine) set(n = 7)\n"
      "    in(x[n])\n";
  EXPECT_EQ(
      workload_file(old, made, "'app'"),
      "// Written by 'cupilot capture' from 'app'. The next capture writes the workloads called seen<n>\n"
      "// and the comments anew; it keeps workloads of other names.\n"
      "workload(mine) set(n = 7)\n    in(x[n])\n// new\nworkload(seen1) set(n = 2)\n");
}

}  // namespace
}  // namespace cupilot::capture
