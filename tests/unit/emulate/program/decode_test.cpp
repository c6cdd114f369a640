// SPDX-License-Identifier: Apache-2.0
//
// Modules to programs, with a family of three made-up instructions: what the decoder does needs no
// arithmetic.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "evolution/emulate/program/program.h"
#include "evolution/emulate/ptx/parser.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::program;
namespace {

void nothing(Warp &, const Step &, Mask) {}

/// "def.32 %r" writes, "use.64 a" reads, "use.f64 1.0" takes a number, "mem.32 [address]" an address; control
/// flow.
std::optional<Binding> family(const BindRequest &request, Isa, std::string &why) {
  const auto &words = request.instruction.words;
  Binding binding;
  binding.run = nothing;
  const auto flow = [&](Flow kind) {
    binding.flow = kind;
    return binding;
  };
  if (words[0] == "bra") return flow(Flow::branch);
  if (words[0] == "brx") return flow(Flow::indirect_branch);
  if (words[0] == "call") return flow(Flow::call);
  if (words[0] == "ret") return flow(Flow::ret);
  if (words[0] == "exit") return flow(Flow::exit);
  if (words[0].starts_with("%")) return binding;
  OperandUse use{.bits = 32};
  if (words.size() > 1)
    use.bits = static_cast<std::uint8_t>(std::atoi(words[1].substr(words[1][0] == 'f').data()));
  use.real = words.size() > 1 && words[1][0] == 'f';
  use.defined = words[0] == "def";
  if (words[0] == "mem") {
    binding.address_operand = 0;
    binding.uses = {{.bits = 64}};
    return binding;
  }
  if (words[0] == "bar") {
    binding.pipe = Pipe::barrier;
    return binding;
  }
  if (words[0] != "def" && words[0] != "use") {
    if (words[0] == "half") why = "only half of it";
    return std::nullopt;
  }
  binding.uses.assign(request.instruction.operands.size(), use);
  return binding;
}

Result<std::shared_ptr<const Program>> try_decode(const std::string &text) {
  auto module = ptx::parse(".version 8.4 .target sm_90 .address_size 64\n" + text, "test.ptx");
  if (!module) return std::unexpected(module.error());
  const BindFor families[] = {family};
  return decode(std::make_shared<const ptx::Module>(std::move(*module)), families, Isa::baseline);
}
std::shared_ptr<const Program> decoded(const std::string &text) {
  auto program = try_decode(text);
  EXPECT_TRUE(program) << program.error().message;
  return program ? *program : nullptr;
}
std::shared_ptr<const Program> entry(const std::string &body) {
  return decoded(
      ".visible .entry k() { .reg .pred %p<9>; .reg .b8 %b<3>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 "
      "%rd<9>; .reg .b128 %q<2>; " +
      body + " }");
}

TEST(Decode, FrameMembersAreAlignedAndDoNotOverlap) {
  const auto program = entry(
      "def.1 %p1; def.8 %b1; def.16 %h1; def.32 %r1; def.64 %rd1; def.128 %q1; use.1 %p1; use.8 %b1; "
      "use.16 %h1; use.32 %r1; use.64 %rd1; use.128 %q1; use.32 7; use.64 %tid.x; ret;");
  const FunctionCode &code = program->functions[0];
  std::vector<std::pair<Offset, std::uint32_t>> places;
  const std::uint32_t bytes[] = {4, 32, 64, 128, 256, 512};
  for (int i = 0; i < 6; ++i) places.emplace_back(program->steps[code.begin + i].at[0], bytes[i]);
  places.emplace_back(program->steps[code.begin + 12].at[0], 128);
  places.emplace_back(program->steps[code.begin + 13].at[0], 256);
  for (const auto &[offset, size] : places) EXPECT_EQ(offset % (size == 4 ? 4 : 64), 0u);
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i)
    EXPECT_GE(places[i].first, places[i - 1].first + places[i - 1].second);
  EXPECT_LE(places.back().first + places.back().second, code.frame_bytes);
  EXPECT_EQ(code.frame_bytes % 64, 0u);
}

TEST(Decode, RegistersThatAreNeverAliveTogetherShareAPlace) {
  const auto program =
      entry("def.32 %r1; use.32 %r1; def.32 %r2; use.32 %r2; def.32 %r3; use.32 %r2, %r3; ret;");
  const Step *step = &program->steps[program->functions[0].begin];
  EXPECT_EQ(step[0].at[0], step[2].at[0]);
  EXPECT_NE(step[2].at[0], step[4].at[0]);
}

TEST(Decode, ARegisterOfALoopKeepsItsPlaceAroundIt) {
  const auto program =
      entry("def.32 %r1; def.1 %p1; loop: use.32 %r1; def.32 %r2; use.32 %r2; @%p1 bra loop; ret;");
  const Step *step = &program->steps[program->functions[0].begin];
  EXPECT_NE(step[0].at[0], step[3].at[0]);
}

TEST(Decode, WhatMayBeReadBeforeItIsWrittenIsCleared) {
  const auto program = entry(
      "def.1 %p1; @%p1 bra skip; def.32 %r1; def.32 %r2; skip: use.32 %r1; @%p1 def.32 %r3; use.32 %r3; "
      "def.32 %r4; use.32 %r4; ret;");
  EXPECT_EQ(program->functions[0].unwritten.size(), 2u);  // %r1 and %r3
}

TEST(Decode, ConstantsAreSharedAndConverted) {
  const auto program = entry("use.32 5, 5, -1; use.f64 0f3F800000; use.f32 1.0; use.64 -1; use.1 1; ret;");
  const FunctionCode &code = program->functions[0];
  ASSERT_EQ(code.constants.size(), 6u);
  EXPECT_EQ(code.constants[1].value, 0xffffffffu);
  EXPECT_EQ(code.constants[2].value, 0x3ff0000000000000u);
  EXPECT_EQ(code.constants[3].value, 0x3f800000u);
  EXPECT_EQ(code.constants[4].value, ~std::uint64_t{0});
  const Step &first = program->steps[code.begin];
  EXPECT_EQ(first.at[0], first.at[1]);
}

TEST(Decode, AddressesGiveTheirOffsetToTheStep) {
  const auto program = entry("def.64 %rd1; mem.32 [%rd1+12]; mem.32 [%rd1-8]; ret;");
  const Step *step = &program->steps[program->functions[0].begin];
  EXPECT_EQ(step[1].data, 12u);
  EXPECT_EQ(static_cast<std::int64_t>(step[2].data), -8);
}

/// The join of the first branch of `k`, as the text of the instruction behind it.
std::string first_join(const Program &program) {
  for (const Step &step : program.steps) {
    if (step.flow != Flow::branch || step.guard_kind == GuardKind::none) continue;
    const std::uint32_t join = step.at[kBranchJoin];
    if (join == kNowhere) return "none";
    EXPECT_EQ(program.steps[join].flow, Flow::join);
    return program.place(join + 1).text;
  }
  return "no branch";
}

TEST(Decode, BranchesJoinAtTheirPostDominator) {
  const std::string head = "def.1 %p1; def.1 %p2; ";
  EXPECT_EQ(first_join(*entry(head + "@%p1 bra a; use.32 1; bra b; a: use.32 2; b: use.32 3; ret;")),
            "use.32 3");
  EXPECT_EQ(first_join(*entry(head + "@%p1 bra a; use.32 1; a: use.32 2; ret;")), "use.32 2");
  EXPECT_EQ(first_join(*entry(head + "loop: use.32 1; @%p1 bra loop; use.32 2; ret;")), "use.32 2");
  // A way out of the kernel moves no join of a branch around it; the branch to it has none.
  EXPECT_EQ(first_join(*entry(head + "@%p1 bra a; @%p2 exit; use.32 1; a: use.32 2; ret;")), "use.32 2");
  EXPECT_EQ(first_join(*entry(head + "@%p1 bra a; ret; a: use.32 2; ret;")), "none");
  EXPECT_EQ(first_join(*entry(head + "@%p1 bra a; b: bra b; a: use.32 2; ret;")), "use.32 2");
}

TEST(Decode, AGuardedOperationInWhichLanesWaitBecomesABranch) {
  const auto program = entry("def.1 %p1; @!%p1 bar.sync; use.32 1; ret;");
  const Step *step = &program->steps[program->functions[0].begin];
  EXPECT_EQ(step[1].flow, Flow::branch);
  EXPECT_EQ(step[1].guard_kind, GuardKind::if_set);  // jumps over it
  EXPECT_EQ(step[2].guard_kind, GuardKind::none);
  EXPECT_EQ(step[1].data, step[1].at[kBranchJoin]);
}

TEST(Decode, ChangingSpecialsAreReadAgainEachTime) {
  const auto program = entry("use.64 %clock64; use.32 %tid.x; use.64 %clock64; ret;");
  const FunctionCode &code = program->functions[0];
  EXPECT_EQ(program->info[code.begin].instruction, kNowhere);
  EXPECT_EQ(program->steps[code.begin].at[0], program->steps[code.begin + 1].at[0]);
  EXPECT_EQ(code.specials.size(), 2u);
}

TEST(Decode, EntryParametersLieAsTheRuntimeFillsThem) {
  const auto program = decoded(
      ".visible .entry k(.param .u8 a, .param .u32 b, .param .align 16 .b8 c[20], .param .u64 d, .param .u16 "
      "e) { ret; }");
  const FunctionCode &code = program->functions[0];
  std::vector<std::uint32_t> offsets;
  for (const ParameterPlace &place : code.parameters) offsets.push_back(place.offset);
  EXPECT_EQ(offsets, (std::vector<std::uint32_t>{0, 4, 16, 40, 48}));
  EXPECT_EQ(code.parameter_bytes, 50u);
}

TEST(Decode, UnsupportedInstructionsAreListedWithTheirPlace) {
  const auto program = decoded(R"(
    .func f() {
    .loc 1 40 2
      half.of.it 3; ret; }
    .visible .entry k() {
    .loc 1 12 5
      unheard.of.b32 7;
    .loc 1 13 5
      call f;
      ret; }
    .visible .entry fine() { ret; }
    .file 1 "norm.cu"
  )");
  ASSERT_EQ(program->unsupported.size(), 2u);
  EXPECT_EQ(program->unsupported[0].what, "half.of.it: only half of it");
  EXPECT_EQ(program->unsupported[1].place.file, "norm.cu");
  EXPECT_EQ(program->unsupported[1].place.line, 12u);
  EXPECT_EQ(program->unsupported[1].place.text, "unheard.of.b32 7");
  EXPECT_EQ(program->functions[program->entries.at("k")].unsupported.size(), 2u);
  EXPECT_TRUE(program->functions[program->entries.at("fine")].unsupported.empty());
}

TEST(Decode, OperandsThatDoNotFitAreUnsupported) {
  const auto unsupported = [](const std::string &body) {
    const auto program = entry(body);
    return program && program->unsupported.size() == 1 ? program->unsupported[0].what : "";
  };
  EXPECT_EQ(unsupported("use.32 %rd1; ret;"), "use.32: '%rd1' is 64 bits wide, not 32");
  EXPECT_EQ(unsupported("def.32 5; ret;"), "def.32: writes to something that is no register");
  EXPECT_EQ(unsupported("use.32 %pm0; ret;"), "use.32: no %pm0");
  EXPECT_EQ(unsupported("mem.32 [%rd1], 3; ret;"), "mem.32: has 2 operands, takes 1");
  EXPECT_EQ(unsupported("call %rd1; ret;"), "");
  EXPECT_EQ(unsupported("call %r1; ret;"), "call: a call of something that is no function");
}

TEST(Decode, FunctionsOfOtherModulesAreUnsupportedButTheRuntimes) {
  const auto program = decoded(R"(.extern .func elsewhere(.param .b32 x); .extern .func free(.param .b64 p);
    .visible .entry k() { { .param .b32 p0; call elsewhere, (p0); } { .param .b64 p0; call free, (p0); } ret; })");
  ASSERT_EQ(program->unsupported.size(), 1u);
  EXPECT_EQ(program->unsupported[0].what, "call: 'elsewhere' is defined in another module");
}

TEST(Decode, SharedVariablesAreLaidOutForEachEntry) {
  const auto program = decoded(
      R"(.shared .align 4 .b8 a[100]; .shared .align 16 .b8 b[32]; .extern .shared .align 256 .b8 dynamic[];
    .func f() { use.32 b; ret; }
    .visible .entry k() { use.32 a; call f; ret; }
    .visible .entry other() { .shared .align 8 .b8 own[8]; use.64 own; use.32 dynamic; ret; })");
  const FunctionCode &k = program->functions[program->entries.at("k")],
                     &other = program->functions[program->entries.at("other")];
  EXPECT_EQ(k.shared_bytes, 112u + 32);
  EXPECT_EQ(k.shared_offsets[1], 112u);
  EXPECT_EQ(k.dynamic_alignment, 16u);
  EXPECT_EQ(other.shared_bytes, 8u);
  EXPECT_EQ(other.shared_offsets[0], kNowhere);
  EXPECT_EQ(other.dynamic_alignment, 256u);
  EXPECT_EQ(k.reaches, (std::vector<std::uint32_t>{0}));
}

/// Modules not made by the parser: a located error, never a crash.
TEST(Decode, ContradictoryModulesAreErrors) {
  const auto error_of = [](const std::function<void(ptx::Module &)> &spoil) {
    auto module = ptx::parse(
        ".version 8.4 .target sm_90 .address_size 64\n.visible .entry k() { .reg .pred %p<3>; .reg .b32 "
        "%r<3>;\n"
        "@%p1 bra end;\nuse.32 %r1;\nend: ret; }",
        "test.ptx");
    EXPECT_TRUE(module);
    spoil(*module);
    const BindFor families[] = {family};
    const auto program =
        decode(std::make_shared<const ptx::Module>(std::move(*module)), families, Isa::baseline);
    return program ? "" : program.error().message;
  };
  EXPECT_EQ(error_of([](ptx::Module &) {}), "");
  EXPECT_EQ(error_of([](ptx::Module &m) { m.functions[0].body[0].operands[0].index = 77; }),
            "decoding 'k': line 3: a branch goes to a label that 'k' does not define");
  EXPECT_EQ(error_of([](ptx::Module &m) { m.functions[0].body[0].operands.clear(); }),
            "decoding 'k': line 3: 'bra' has no target");
  EXPECT_EQ(error_of([](ptx::Module &m) { m.functions[0].body[0].guard.reg = 77; }),
            "decoding 'k': line 3: the guard of 'bra' is not a register");
  EXPECT_EQ(error_of([](ptx::Module &m) {
              m.functions[0].body[0].guard.reg =
                  static_cast<std::int32_t>(m.functions[0].body[1].operands[0].index);
            }),
            "decoding 'k': line 3: the guard of 'bra' is not a predicate");
  EXPECT_EQ(error_of([](ptx::Module &m) { m.functions[0].body[1].operands[0].index = 77; }),
            "decoding 'k': line 4: an operand of 'use.32' is not a declared register");
}

TEST(Decode, SizesThatFitNowhereAreErrors) {
  const auto parameter = try_decode(".func f(.param .b8 p[100000000000]) { ret; }");
  ASSERT_FALSE(parameter);
  EXPECT_NE(parameter.error().message.find("a parameter has 100000000000 bytes"), std::string::npos);
  const auto local = try_decode(".visible .entry k() { .local .b8 v[10000000000]; ret; }");
  ASSERT_FALSE(local);
  EXPECT_NE(local.error().message.find("local variables"), std::string::npos);
}

TEST(Isa, TheEnvironmentMayChooseLess) {
  ::setenv("CUPILOT_EMULATE_ISA", "baseline", 1);
  EXPECT_EQ(host_isa(), Isa::baseline);
  ::setenv("CUPILOT_EMULATE_ISA", "nonsense", 1);
  const Isa best = host_isa();
  ::unsetenv("CUPILOT_EMULATE_ISA");
  EXPECT_EQ(host_isa(), best);
  EXPECT_STREQ(to_string(Isa::avx512), "avx512");
}

}  // namespace
}  // namespace cupilot::emulate
