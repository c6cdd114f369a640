// SPDX-License-Identifier: Apache-2.0
//
// Damaged texts: parse() answers with a module or one located message, soon and in bounded memory.

#include <ctime>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "evolution/emulate/ptx/parser.h"

namespace cupilot::ptx {
using namespace cupilot::emulate::ptx;
namespace {

// A little of everything the grammar has.
constexpr char kModule[] = R"(.version 9.0
.target sm_90
.address_size 64
.global .align 4 .b8 text[6] = {104, 105, 0xFF(text), 0xFF00(text)}; // comment
.const .f32 c[2][2] = {{1.0, 0f3F800000}, {-2}}; /* more */
.func (.param .b32 r) f(.param .b32 a) { st.param.b32 [r+0], 1; ret; }
.visible .entry k(.param .u64 .ptr .align 1 p, .param .align 8 .b8 s[16])
.maxntid 128, 1, 1
{
.reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<3>;
.shared .align 16 .b8 tile[64];
.loc 1 3 5, function_name $L__s0, inlined_at 1 2 1
ld.param.u64 %rd1, [p];
mov.u32 %r1, %tid.x;
@!%p1 bra $L1;
{ .param .b32 x; st.param.b32 [x+0], %r1; call.uni (x), f, (x); }
shfl.sync.down.b32 %r2|%p1, %r1, 1+2*(3-1), 31, -1;
st.global.v2.u32 [%rd1+-8], {%r2, %r3};
t: .branchtargets $L1, $L2;
brx.idx %r1, t;
$L1: ret;
$L2: trap;
}
.file 1 "a.cu"
.section .debug_str { a: .b8 1,2
}
)";

/// Well-formed answers only: an error names this text and a place.
void try_parse(const std::string &text) {
  const auto module = parse(text, "d");
  if (module) return;
  ASSERT_EQ(module.error().message.substr(0, 2), "d:") << module.error().message;
  ASSERT_LT(module.error().message.size(), 400u);
}

TEST(PtxDamage, TheWholeIsFine) {
  EXPECT_TRUE(parse(kModule, "d"));
}

TEST(PtxDamage, EveryTruncation) {
  const std::string whole = kModule;
  for (std::size_t size = 0; size < whole.size(); ++size) try_parse(whole.substr(0, size));
}

TEST(PtxDamage, EveryMissingByte) {
  const std::string whole = kModule;
  for (std::size_t at = 0; at < whole.size(); ++at) try_parse(whole.substr(0, at) + whole.substr(at + 1));
}

TEST(PtxDamage, EveryByteChanged) {
  const std::string whole = kModule;
  for (const char replacement :
       {'\0', '"', '{', '}', '(', '[', ';', '.', ':', '<', '9', 'x', '%', '/', '*', '-', '\xff', '\n'}) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string text = whole;
      text[at] = replacement;
      try_parse(text);
    }
  }
  for (int bit = 0; bit < 8; ++bit) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string text = whole;
      text[at] = static_cast<char>(text[at] ^ (1 << bit));
      try_parse(text);
    }
  }
}

std::string repeated(const std::string &text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

constexpr std::size_t kMany = 100'000;
const std::string kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::string in_body(const std::string &text) {
  return kHead + ".entry k() {" + text + "}";
}

TEST(PtxDamage, DeepNesting) {
  for (const std::string open : {"(", "-", "!", "{", "[", "1?", "1+(", "%r,{", "[%r,"}) {
    try_parse(in_body("mov.u32 %r, " + repeated(open, kMany)));
    try_parse(in_body("call (" + repeated(open, kMany)));
    try_parse(kHead + ".global .b8 x[1] = " + repeated(open, kMany));
  }
  try_parse(in_body(repeated("{", kMany)));
  try_parse(kHead + ".global .b8 x" + repeated("[1]", kMany) + " = " + repeated("{", kMany));
  try_parse(kHead + ".global .b8 x" + repeated("[0]", kMany) + " = {1};");
}

TEST(PtxDamage, GiantNumbers) {
  const std::string digits = repeated("9", kMany);
  for (const std::string &number : std::vector<std::string>{
           digits, "0x" + digits, "0" + repeated("7", kMany), digits + ".5", "1e" + digits, "-" + digits,
           "0f" + digits, "18446744073709551615", "9223372036854775808"}) {
    try_parse(in_body("mov.u32 %r, " + number + ";"));
    try_parse(in_body(".reg .b32 %r<" + number + ">; mov.u32 %r1, %r" + number + ";"));
    try_parse(in_body(".loc " + number + " " + number + " " + number + " nop;"));
    try_parse(in_body("ld.u32 %r, [%r+" + number + "];"));
    try_parse(in_body("ld.u32 %r, [k[" + number + "]];"));
    try_parse(kHead + ".file " + number + " \"x\"");
    try_parse(kHead + ".global .align " + number + " .b8 x[" + number + "][" + number + "] = {" + number +
              "};");
    try_parse(kHead + ".entry k() .maxntid " + number + " {}");
  }
}

TEST(PtxDamage, RowsThatNeedMuchMemory) {
  const std::string one = ".b8 x[3][60000000] = {{1}, {1}, {1}};\n";
  EXPECT_FALSE(parse(
      kHead + repeated(".global " + one, 1) + ".global .b8 y[9][60000000] = {{1},{1},{1},{1},{1},{1},{1}};",
      "d"));
}

TEST(PtxDamage, EndlessNames) {
  const std::string name = repeated("a", 10 * kMany), digits = "%r" + repeated("1", 10 * kMany);
  try_parse(in_body(".reg .b32 " + name + "; mov.u32 " + name + ", " + digits + ";"));
  try_parse(in_body("mov.u32 %r, " + name + ";"));
  try_parse(in_body(name + ": bra " + name + ";"));
  try_parse(in_body("add" + repeated(".x", kMany) + " " + digits + ";"));
  try_parse(kHead + ".file 1 \"" + name);
  try_parse(kHead + "." + name);
}

// What is quadratic shows here: each of these takes well under a second of processor time when it is not.
TEST(PtxDamage, ManyOfEverything) {
  const std::clock_t start = std::clock();
  std::string scopes, labels, ranges, calls, aliases, locations;
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::string n = std::to_string(i);
    scopes += "{ .reg .b32 t; .param .b32 p; L: mov.u32 t, p; bra L; }\n";
    labels += "L" + n + ": bra L" + std::to_string(kMany - 1 - i) + ";\n";
    ranges += "{ .reg .b32 %r<9>; mov.u32 %r1, %r2; }\n";
    calls += "{ .param .b32 param0; call k, (param0); }\n";
    aliases += ".alias a" + n + ", a" + std::to_string((i + 1) % kMany) + ";\n";
    locations += ".loc 1 " + n + " 1, function_name f, inlined_at 1 " + n + " 2\n nop;\n";
  }
  EXPECT_TRUE(parse(in_body(scopes), "d"));
  EXPECT_TRUE(parse(in_body(labels), "d"));
  EXPECT_TRUE(parse(in_body(ranges), "d"));
  EXPECT_TRUE(parse(in_body(calls), "d"));
  EXPECT_TRUE(parse(in_body(locations), "d"));
  EXPECT_TRUE(parse(in_body(calls) + aliases, "d"));
  EXPECT_LT(std::clock() - start, 60 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace cupilot::ptx
