// SPDX-License-Identifier: Apache-2.0
//
// Kernels with lines lost, doubled, swapped or cut: whatever is left runs to an end or to a finding. Nothing
// crashes, nothing hangs.

#include <random>
#include <sstream>

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::program;
namespace {

const std::string kEverything = R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.global .align 4 .b8 text[8] = {37, 100, 0};
.global .u64 table[2] = {twice, deep};
.shared .align 4 .b8 tile[512];
.func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r<3>;
ld.param.u32 %r1, [x];
add.u32 %r1, %r1, %r1;
st.param.b32 [r], %r1;
ret; }
.func (.param .b32 r) deep(.param .b32 x) { .reg .pred %p<3>; .reg .b32 %r<4>;
ld.param.u32 %r1, [x];
st.param.b32 [r], %r1;
setp.lt.s32 %p1, %r1, 2;
@%p1 ret;
shr.u32 %r2, %r1, 1;
{ .param .b32 p0; .param .b32 r0;
st.param.b32 [p0], %r2;
call (r0), deep, (p0);
ld.param.b32 %r3, [r0]; }
add.u32 %r3, %r3, %r1;
st.param.b32 [r], %r3;
ret; }
.visible .entry k(.param .u64 out, .param .u64 in) {
.reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<20>; .local .align 8 .b8 mine[16];
ld.param.u64 %rd1, [out];
ld.param.u64 %rd2, [in];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, 4;
add.u64 %rd4, %rd1, %rd3;
mov.u32 %r2, tile;
and.b32 %r3, %r1, 127;
shl.b32 %r3, %r3, 2;
add.u32 %r2, %r2, %r3;
st.shared.u32 [%r2], %r1;
bar.sync 0;
ld.shared.u32 %r4, [%r2];
and.b32 %r5, %r1, 7;
mov.u32 %r6, 0;
loop:
add.u32 %r6, %r6, %r4;
setp.gt.u32 %p1, %r6, 400;
@%p1 bra broken;
add.u32 %r5, %r5, -1;
setp.gt.s32 %p2, %r5, 0;
@%p2 bra loop;
broken:
shfl.sync.bfly.b32 %r7, %r6, 1, 31, 0xffffffff;
and.b32 %r8, %r1, 3;
targets: .branchtargets a, b, c, d;
brx.idx %r8, targets;
a:
add.u32 %r7, %r7, 1;
bra d;
b:
vote.sync.ballot.b32 %r9, %p1, 0x22222222;
bra d;
c:
bar.warp.sync 0x44444444;
d:
and.b32 %r10, %r1, 1;
mul.wide.u32 %rd5, %r10, 8;
mov.u64 %rd6, table;
add.u64 %rd6, %rd6, %rd5;
ld.global.u64 %rd7, [%rd6];
{ .param .b32 p0; .param .b32 r0; proto : .callprototype (.param .b32 _) _ (.param .b32 _);
st.param.b32 [p0], %r7;
call (r0), %rd7, (p0), proto;
ld.param.b32 %r11, [r0]; }
spin:
atom.global.cas.b32 %r12, [%rd2], 0, 1;
setp.ne.u32 %p3, %r12, 0;
@%p3 bra spin;
atom.global.exch.b32 %r13, [%rd2], 0;
setp.lt.u32 %p4, %r11, 1000;
bar.red.popc.u32 %r14, 1, %p4;
st.global.u32 [%rd4], %r14;
setp.ne.u32 %p5, %r1, 0;
@%p5 bra end;
mov.u64 %rd10, mine;
cvta.local.u64 %rd11, %rd10;
st.local.u32 [%rd10], %r11;
mov.u64 %rd12, text;
{ .param .b64 p0; .param .b64 p1; .param .b32 r0;
st.param.b64 [p0], %rd12;
st.param.b64 [p1], %rd11;
call (r0), vprintf, (p0, p1); }
end:
ret; }
)";

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string mutated(std::mt19937 &random) {
  std::vector<std::string> lines = lines_of(kEverything);
  const auto any = [&] { return random() % lines.size(); };
  for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
    const std::size_t at = any(), other = any();
    switch (random() % 5) {
      case 0:
        lines[at].clear();
        break;
      case 1:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[other]);
        break;
      case 2:
        std::swap(lines[at], lines[other]);
        break;
      case 3:
        lines[at] = lines[other];
        break;
      default:
        if (const std::size_t digit = lines[at].find_first_of("0123456789"); digit != std::string::npos)
          lines[at][digit] = static_cast<char>('0' + random() % 10);
    }
  }
  std::string text;
  for (const std::string &line : lines) text += line + "\n";
  return text;
}

/// True when the kernel ran to its end.
bool run_whatever_it_is(const std::string &text, Memory &memory) {
  auto module = ptx::parse(".version 8.4 .target sm_90 .address_size 64 " + text, "mutated.ptx");
  if (!module) return false;
  const auto program = decode(std::make_shared<const ptx::Module>(std::move(*module)), families());
  if (!program || !(*program)->entries.contains("k")) return false;
  const auto loaded = LoadedProgram::load(*program, memory);
  if (!loaded) return false;
  const std::uint64_t out = *memory.allocate(512, "'out'"), in = *memory.allocate(4, "'in'");
  std::memset(reinterpret_cast<void *>(in), 0, 4);
  const std::uint64_t parameters[] = {out, in};
  LaunchOptions options;
  options.threads = 1;
  options.instruction_budget = 200000;
  options.print = [](std::string_view) {};
  const LaunchResult result = launch(**loaded, memory,
                                     {.function = (*program)->entries.at("k"),
                                      .block = {128, 1, 1},
                                      .parameters = std::as_bytes(std::span(parameters))},
                                     options);
  EXPECT_TRUE(result.completed || !result.findings.empty()) << text;
  EXPECT_TRUE(memory.free(out));
  EXPECT_TRUE(memory.free(in));
  return result.completed;
}

TEST(Mutation, WhateverIsLeftEnds) {
  auto memory = std::move(*Memory::make(std::uint64_t{64} << 20));
  ASSERT_TRUE(run_whatever_it_is(kEverything, *memory));
  std::mt19937 random(20);
  int completed = 0;
  for (int i = 0; i < 200; ++i) completed += run_whatever_it_is(mutated(random), *memory);
  EXPECT_GT(completed, 20);
}

}  // namespace
}  // namespace cupilot::emulate
