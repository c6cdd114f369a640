// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/runtime/ptx_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "evolution/emulate/ptx/parser.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::runtime;
namespace {

using testing::UnorderedElementsAre;

constexpr const char *kCaller = R"(.version 9.0
.target sm_90
.address_size 64
.file 1 "caller.cu"
.extern .func (.param .b32 r) helper (.param .b32 x);
.extern .global .align 4 .u32 total;
.global .align 1 .b8 $str[3] = {97, 0, 0};
.weak .global .align 4 .u32 common = 1;
.weak .func both() { ret; }
.visible .entry main_kernel() {
  .reg .b64 %rd<2>;
  .loc 1 7 3
  mov.u64 %rd1, $str;
  ret;
}
)";
constexpr const char *kCallee = R"(.version 9.0
.target sm_90
.address_size 64
.file 1 "callee.cu"
.visible .global .align 4 .u32 total = 9;
.global .align 1 .b8 $str[2] = {98, 0};
.global .align 8 .u64 points[1] = {$str};
.weak .global .align 4 .u32 common = 1;
.weak .func both() { ret; }
.visible .func (.param .b32 r) helper (.param .b32 x) {
  .reg .b64 %rd<2>;
  .loc 1 3 1
  mov.u64 %rd1, $str;
  ret;
}
)";

ptx::Module parsed(const char *text, const char *name) {
  auto module = ptx::parse(text, name);
  EXPECT_TRUE(module) << module.error().message;
  return std::move(*module);
}

ptx::Module linked() {
  std::vector<ptx::Module> modules;
  modules.push_back(parsed(kCaller, "caller"));
  modules.push_back(parsed(kCallee, "callee"));
  return *link_modules(std::move(modules));
}

TEST(PtxLink, MeetsDeclarationsWithDefinitions) {
  const auto module = linked();
  std::vector<std::string> functions, variables;
  for (const auto &function : module.functions) {
    EXPECT_FALSE(function.declared_only) << function.name;
    functions.emplace_back(function.name);
  }
  for (const auto &variable : module.variables) {
    EXPECT_FALSE(variable.external) << variable.name;
    variables.emplace_back(variable.name);
  }
  EXPECT_THAT(functions, UnorderedElementsAre("both", "main_kernel", "helper"));
  EXPECT_THAT(variables, UnorderedElementsAre("$str", "common", "total", "$str#module1", "points"));
}

TEST(PtxLink, KeepsPrivateNamesApart) {
  const auto module = linked();
  for (const auto &function : module.functions) {
    if (function.name != "main_kernel" && function.name != "helper") continue;
    const auto &operand = function.body[0].operands[1];
    EXPECT_EQ(operand.name, function.name == "helper" ? "$str#module1" : "$str");
  }
  const auto points = std::ranges::find(module.variables, "points", &ptx::Variable::name);
  ASSERT_NE(points, module.variables.end());
  EXPECT_EQ(points->relocations.at(0).symbol, "$str#module1");
}

TEST(PtxLink, PlacesStayWithTheirFiles) {
  const auto module = linked();
  std::vector<std::string> places;
  for (const auto &function : module.functions) {
    if (function.name == "both") continue;
    const auto &place = module.locations[function.body[0].location];
    places.push_back(module.files[place.file] + ":" + std::to_string(place.line));
  }
  EXPECT_THAT(places, UnorderedElementsAre("caller.cu:7", "callee.cu:3"));
}

TEST(PtxLink, LeavesWhatNobodyDefinesDeclared) {
  std::vector<ptx::Module> modules;
  modules.push_back(parsed(kCaller, "one"));
  modules.push_back(parsed(kCaller, "two"));
  const auto module = *link_modules(std::move(modules));
  int declared = 0;
  for (const auto &function : module.functions) declared += function.declared_only;
  EXPECT_EQ(declared, 1);
}

}  // namespace
}  // namespace cupilot::emulate
