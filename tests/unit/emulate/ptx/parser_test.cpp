// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/ptx/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot::ptx {
using namespace cupilot::emulate::ptx;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = Operand::Kind;

constexpr char kHead[] = ".version 9.0\n.target sm_90\n.address_size 64\n";

Module parsed(const std::string &text) {
  auto module = parse(kHead + text, "t.ptx");
  if (!module) ADD_FAILURE() << module.error().message;
  return module ? std::move(*module) : Module{};
}
Module body(const std::string &text) {
  return parsed(".visible .entry k()\n{\n" + text + "\n}\n");
}
std::string refused(const std::string &text) {
  auto module = parse(kHead + text, "t.ptx");
  if (module) ADD_FAILURE() << "accepted: " << text;
  return module ? "" : module.error().message;
}
std::string body_refused(const std::string &text) {
  return refused(".entry k()\n{\n" + text + "\n}\n");
}

TEST(PtxParser, ReadsWhatTheModuleIs) {
  const Module m = parsed("");
  EXPECT_EQ(m.version, "9.0");
  EXPECT_EQ(m.target, "sm_90");
  EXPECT_THAT(parse("int main() {}", "a.cpp").error().message, HasSubstr("a.cpp:1:1: "));
  EXPECT_THAT(parse("", "empty").error().message, HasSubstr("this is not PTX"));
  EXPECT_THAT(parse(".version 9.0 .target sm_90 .address_size 32", "n").error().message,
              HasSubstr("n:1:42: only"));
}

TEST(PtxParser, FunctionsHaveParametersAndProperties) {
  const Module m = parsed(R"(
    .visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[32], .param .f32 f)
    .maxntid 128, 2 .minnctapersm 3 .maxnreg 64 .reqnctapercluster 2, 1, 1
    { ret; }
    .weak .func (.param .b32 r) f(.reg .u32 a, .param .align 4 .b8 b[12]) .noreturn { mov.u32 %r1, a; })");
  ASSERT_EQ(m.functions.size(), 2u);
  const Function &k = m.functions[0];
  EXPECT_TRUE(k.entry);
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_EQ(k.parameters[0].alignment, 0u);  // what it points to is aligned, not the parameter
  EXPECT_EQ(k.parameters[0].bytes, 8u);
  EXPECT_EQ(k.parameters[1].alignment, 8u);
  EXPECT_EQ(k.parameters[1].bytes, 32u);
  EXPECT_THAT(k.max_threads, ElementsAre(128, 2, 1));
  EXPECT_EQ(k.min_blocks, 3u);
  EXPECT_EQ(k.max_registers, 64u);
  EXPECT_EQ(k.cluster[0], 2u);
  const Function &f = m.functions[1];
  EXPECT_TRUE(f.weak);
  EXPECT_TRUE(f.noreturn);
  EXPECT_EQ(f.returns[0].name, "r");
  EXPECT_EQ(f.parameters[0].space, Space::reg);
  EXPECT_EQ(f.body[0].operands[1].kind, Kind::reg);
}

TEST(PtxParser, ADeclarationGivesWayToTheDefinition) {
  const Module m = parsed(R"(
    .extern .func (.param .b32 r) vprintf(.param .b64 a);
    .func f(.param .b32 a);
    .entry k() { call f, (1); ret; }
    .func f(.param .b32 a) { ret; }
    .func f(.param .b32 a);
    .extern .global .b32 g[];
    .global .b32 g[4];)");
  ASSERT_EQ(m.functions.size(), 3u);
  EXPECT_TRUE(m.functions[0].declared_only);
  EXPECT_FALSE(m.functions[1].declared_only);
  ASSERT_EQ(m.variables.size(), 1u);
  EXPECT_EQ(m.variables[0].bytes, 16u);
  EXPECT_THAT(refused(".func f() {}\n.func f() {}"), HasSubstr("t.ptx:5:7: 'f' is declared twice"));
}

TEST(PtxParser, RegistersComeFromRangesAndLists) {
  const Module m = body(R"(
    .reg .b32 %r<3>, t;
    .reg .pred p, q;
    .reg .f64 %r1<20>;
    .reg .v4 .f32 v;
    add.s32 %r2, t, %r12;
    mov.u32 %r2, %r2;)");
  const Function &k = m.functions[0];
  const Instruction &add = k.body[0];
  EXPECT_EQ(k.registers[add.operands[0].index].name, "%r2");
  EXPECT_EQ(k.registers[add.operands[0].index].type.bits, 32);
  EXPECT_EQ(k.registers[add.operands[2].index].type.kind, 'f');  // number 2 of %r1<20>: %r<3> ends at %r2
  EXPECT_EQ(k.body[1].operands[0].index, add.operands[0].index);
  EXPECT_EQ(k.registers.size(), 6u);  // t p q v, and only the used ones of the ranges
}

TEST(PtxParser, AnEnormousRangeCostsNothing) {
  const Module m = body(".reg .b32 %r<4000000000>; mov.u32 %r3999999999, %r0;");
  EXPECT_EQ(m.functions[0].registers.size(), 2u);
}

TEST(PtxParser, ScopesShadowRegisters) {
  const Module m = body(R"(
    .reg .b32 t, %r<9>;
    mov.u32 t, %r1;
    { .reg .b64 t, %r<2>; mov.u64 t, %r1; mov.u32 %r5, 0; { .reg .pred %r1; setp.eq.u32 %r1, %r5, 0; } mov.u64 t, %r1; }
    mov.u32 t, %r1;)");
  const Function &k = m.functions[0];
  const auto index = [&](std::size_t i, std::size_t o) { return k.body[i].operands[o].index; };
  EXPECT_NE(index(0, 0), index(1, 0));
  EXPECT_EQ(k.registers[index(1, 1)].type.bits, 64);
  EXPECT_EQ(k.registers[index(2, 0)].type.bits, 32);
  EXPECT_EQ(k.registers[index(3, 0)].type.kind, 'p');
  EXPECT_EQ(index(4, 1), index(1, 1));
  EXPECT_EQ(index(5, 0), index(0, 0));
  EXPECT_EQ(index(5, 1), index(0, 1));
}

TEST(PtxParser, VariablesOfScopesGetNamesOfTheirOwn) {
  const Module m = body(R"(
    { .param .b32 param0; st.param.b32 [param0+0], 1; }
    { .param .b64 param0; st.param.b64 [param0+8], 1; }
    .shared .align 16 .b8 tile[4096];
    .local .v2 .f32 l[4];
    mov.u32 %r, tile;)");
  const Function &k = m.functions[0];
  ASSERT_EQ(k.variables.size(), 4u);
  EXPECT_EQ(k.variables[0].name, "param0");
  EXPECT_EQ(k.variables[1].name, "param0#1");
  EXPECT_EQ(k.body[0].operands[0].parts[0].name, "param0");
  EXPECT_EQ(k.body[1].operands[0].parts[0].name, "param0#1");
  EXPECT_EQ(k.body[1].operands[0].integer, 8);
  EXPECT_EQ(k.variables[2].space, Space::shared);
  EXPECT_EQ(k.variables[3].bytes, 32u);
  EXPECT_EQ(k.variables[3].alignment, 8u);
}

TEST(PtxParser, LabelsBecomeIndices) {
  const Module m = body(R"(
    .reg .pred p;
    bra END;
    { WAIT: nop; @!p bra DONE; bra.uni WAIT; DONE: }
    { WAIT: nop; bra WAIT; DONE: bra END; }
    END:)");
  const auto &code = m.functions[0].body;
  ASSERT_EQ(code.size(), 7u);
  const auto target = [&](std::size_t i) { return code[i].operands[0].index; };
  EXPECT_EQ(target(0), 7u);
  EXPECT_TRUE(code[2].guard.negated);
  EXPECT_EQ(target(2), 4u);
  EXPECT_EQ(target(3), 1u);
  EXPECT_EQ(target(5), 4u);
  EXPECT_EQ(target(6), 7u);
  EXPECT_THAT(body_refused("{ A: ret; } bra A;"), HasSubstr("t.ptx:6:17: 'A' is not declared"));
  EXPECT_THAT(body_refused("A: A: ret;"), HasSubstr("defined twice"));
}

TEST(PtxParser, OperandsOfEveryForm) {
  const Module m = body(R"(
    .reg .b32 a, b; .reg .pred p, q; .reg .b64 d; .reg .f32 f;
    shfl.sync.bfly.b32 a|p, b, 16, 31, -1;
    setp.eq.and.s32 _|q, a, 0x10U, !p;
    ld.global.v4.f32 {f, _, f, f}, [d+-16];
    tex.2d.v4.f32.f32 {f, f, f, f}, [d, {f, f}];
    mov.f64 d, 0d3FF0000000000000;
    mov.f32 f, 0f3F800000;
    mov.u32 a, %tid.x;
    mov.u32 a, WARP_SZ;
    ld.u8 a, [0xff];
    vadd.s32.u32.u32 a, b.b0, b.h1, 0b101;
    mov.u64 d, k;
    mul.f32 f, f, -1.5;
    add.s32 a, a, (1 << 4) + 017 * 2 - (3 > 2 ? ~0 : 7);)");
  const auto &code = m.functions[0].body;
  const auto &shuffle = code[0].operands;
  EXPECT_EQ(shuffle[0].kind, Kind::pair);
  EXPECT_EQ(shuffle[0].parts[1].kind, Kind::reg);
  EXPECT_EQ(shuffle[4].integer, -1);
  EXPECT_EQ(code[1].operands[0].parts[0].kind, Kind::sink);
  EXPECT_EQ(code[1].operands[2].integer, 16);
  EXPECT_TRUE(code[1].operands[3].negated);
  EXPECT_EQ(code[2].operands[0].kind, Kind::vector);
  EXPECT_EQ(code[2].operands[0].parts.size(), 4u);
  EXPECT_EQ(code[2].operands[1].kind, Kind::address);
  EXPECT_EQ(code[2].operands[1].integer, -16);
  EXPECT_EQ(code[3].operands[1].parts[1].kind, Kind::vector);
  EXPECT_EQ(code[4].operands[1].bits, 64);
  EXPECT_EQ(code[5].operands[1].integer, 0x3f800000);
  EXPECT_EQ(code[6].operands[1].name, "%tid.x");
  EXPECT_EQ(code[7].operands[1].integer, 32);
  EXPECT_EQ(code[8].operands[1].parts[0].kind, Kind::integer);
  EXPECT_EQ(code[9].operands[1].name, "b0");
  EXPECT_EQ(code[9].operands[3].integer, 5);
  EXPECT_EQ(code[10].operands[1].kind, Kind::symbol);
  EXPECT_EQ(code[11].operands[2].kind, Kind::real);
  EXPECT_LT(code[11].operands[2].integer, 0);
  EXPECT_EQ(code[12].operands[2].integer, 16 + 30 + 1);
}

TEST(PtxParser, OpcodesSplitIntoWords) {
  const Module m = body(".reg .b32 a;\nld.shared::cta .u32 a, [a];\nfrobnicate.a::b.c 1, {a, a};");
  const auto &code = m.functions[0].body;
  EXPECT_THAT(code[0].words, ElementsAre("ld", "shared::cta", "u32"));
  EXPECT_EQ(code[0].opcode, "ld.shared::cta.u32");
  EXPECT_THAT(code[1].words, ElementsAre("frobnicate", "a::b", "c"));
  EXPECT_EQ(code[1].line, 8u);
}

TEST(PtxParser, CallsHaveListsAndPrototypes) {
  const Module m = parsed(R"(
    .func (.param .b32 r) f(.param .b32 a) { ret; }
    .entry k() {
      .reg .b64 d;
      .reg .b32 i;
      .param .b32 x, y;
      call.uni (y), f, (x);
      proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 16 .b8 _[32]) .noreturn;
      call (y), d, (x, 5), proto;
      jump: .branchtargets A, B;
      brx.idx i, jump;
      A: nop;
      B: ret;
      list: .calltargets f;
    })");
  const Function &k = m.functions[1];
  EXPECT_EQ(k.body[0].operands[0].kind, Kind::list);
  EXPECT_EQ(k.body[0].operands[1].name, "f");
  EXPECT_EQ(k.body[1].operands[3].kind, Kind::symbol);
  EXPECT_EQ(k.body[1].operands[3].name, "proto");
  EXPECT_EQ(k.prototypes.at("proto").second[1].bytes, 32u);
  EXPECT_EQ(k.body[2].operands[1].name, "jump");
  ASSERT_EQ(k.targets.at("jump").size(), 2u);
  EXPECT_EQ(k.targets.at("jump")[1].kind, Kind::label);
  EXPECT_EQ(k.targets.at("jump")[1].index, 4u);
  EXPECT_EQ(k.targets.at("list")[0].kind, Kind::symbol);
}

TEST(PtxParser, AliasesAreGone) {
  const Module m = parsed(".func f() { ret; } .func g(); .entry k() { call g; } .alias g, f;");
  EXPECT_EQ(m.functions[2].body[0].operands[0].name, "f");
}

TEST(PtxParser, InitialValues) {
  const Module m = parsed(R"(
    .func f() { ret; }
    .global .align 4 .u32 n = 5;
    .const .f32 c[3] = {1.0, 0f40000000, -3};
    .global .f64 d = 0.5;
    .global .b8 rows[2][4] = {{1}, {2, 3}};
    .global .s16 open[] = {1, -1, 2};
    .global .u64 table[3] = {f, generic(n), generic(rows)+2};
    .global .align 8 .b8 packed[12] = {7, 0xFF(generic(n)+4), 0xFF00(generic(n)+4), 0xFF0000(generic(n)+4), 1};
    .global .b8 zero[1000000000000];
    .extern .shared .align 16 .b8 dynamic[];)");
  const auto value = [&](std::size_t i) -> const std::vector<std::uint8_t> & { return m.variables[i].value; };
  EXPECT_THAT(value(0), ElementsAre(5, 0, 0, 0));
  EXPECT_THAT(value(1), ElementsAre(0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0xc0));
  EXPECT_THAT(value(2), ElementsAre(0, 0, 0, 0, 0, 0, 0xe0, 0x3f));
  EXPECT_THAT(value(3), ElementsAre(1, 0, 0, 0, 2, 3));
  EXPECT_EQ(m.variables[4].bytes, 6u);
  EXPECT_EQ(m.variables[4].elements, 3u);
  ASSERT_EQ(m.variables[5].relocations.size(), 3u);
  EXPECT_EQ(m.variables[5].relocations[2].at, 16u);
  EXPECT_EQ(m.variables[5].relocations[2].addend, 2);
  EXPECT_TRUE(m.variables[5].relocations[2].generic);
  ASSERT_EQ(m.variables[6].relocations.size(), 1u);
  EXPECT_EQ(m.variables[6].relocations[0].at, 1u);
  EXPECT_EQ(m.variables[6].relocations[0].bytes, 3);
  EXPECT_EQ(m.variables[6].relocations[0].addend, 4);
  EXPECT_EQ(m.variables[7].bytes, 1000000000000u);
  EXPECT_TRUE(m.variables[8].external);
  EXPECT_EQ(m.variables[8].elements, 0u);
  EXPECT_THAT(refused(".global .b8 x[2] = {1, 2, 3};"), HasSubstr("too many initial values"));
}

TEST(PtxParser, LocationsKnowTheCallsTheyWereInlinedFrom) {
  const Module m = parsed(R"(.entry k() {
    .loc 1 10 3
    nop;
    .loc 2 5 1, function_name $L__info_string0+3, inlined_at 1 10 3
    nop;
    .loc 3 7 1, function_name $L__info_string1, inlined_at 2 5 1
    nop;
    .loc 1 0 3
    nop;
    .loc 1 10 3
    nop;
    }
    .file 1 "a.cu"
    .file 2 "b.h", 123, 456
    .section .debug_str { $L__info_string0: .b8 1,2
    }
    .section .debug_info, "", @progbits
    { }
    )");
  const auto &code = m.functions[0].body;
  const auto &place = [&](std::size_t i) -> const Location & { return m.locations[code[i].location]; };
  EXPECT_EQ(place(0).line, 10u);
  EXPECT_EQ(place(1).inlined_at, code[0].location + 1);
  EXPECT_EQ(place(2).inlined_at, code[1].location + 1);
  EXPECT_EQ(place(3).line, 7u);  // line 0 says nothing: the place before stays
  EXPECT_EQ(code[4].location, code[0].location);
  EXPECT_THAT(m.files, ElementsAre("", "a.cu", "b.h", ""));
}

TEST(PtxParser, ClangTellsOfInlinedCallsInComments) {
  const Module m = parsed(R"(.entry k() {
    .loc 2 5 1 // lib/a.h:5:1 @[ b.cu:7:3 @[ b.cu:20:9 ] ]
    nop;
    .loc 1 7 3 // b.cu:7:3
    // @[ not.cu:1:1 ]
    nop;
    .loc 2 6 1 // lib/a.h:6:1 @[ other.h:3 ]
    nop;
    .loc 2 8 1 // lib/a.h:8:1 @[ nonsense ]
    nop;
    }
    .file 1 "/home/b.cu"
    .file 2 "/home/lib/a.h")");
  const auto &code = m.functions[0].body;
  const Location inner = m.locations[code[0].location];
  ASSERT_GT(inner.inlined_at, 0u);
  const Location call = m.locations[inner.inlined_at - 1];
  EXPECT_EQ(m.files[call.file], "/home/b.cu");
  EXPECT_EQ(call.line, 7u);
  EXPECT_EQ(call.column, 3u);
  ASSERT_GT(call.inlined_at, 0u);
  EXPECT_EQ(m.locations[call.inlined_at - 1].line, 20u);
  EXPECT_EQ(m.locations[call.inlined_at - 1].inlined_at, 0u);
  EXPECT_EQ(m.locations[code[1].location].inlined_at, 0u);
  const Location other = m.locations[m.locations[code[2].location].inlined_at - 1];
  EXPECT_EQ(m.files[other.file], "other.h");
  EXPECT_EQ(other.line, 3u);
  EXPECT_EQ(m.locations[code[3].location].inlined_at, 0u);
}

TEST(PtxParser, CommentsOfBothKinds) {
  const Module m = body("// one ; {\n/* two\n ; { */ nop; /**/ ret; // end");
  EXPECT_EQ(m.functions[0].body.size(), 2u);
  EXPECT_EQ(m.functions[0].body[0].line, 8u);
}

TEST(PtxParser, ErrorsNameTheirPlace) {
  EXPECT_THAT(body_refused("add.s32 1 2;"), HasSubstr("t.ptx:6:11: expected ';', found '2'"));
  EXPECT_THAT(body_refused("mov.u32 %r, nobody;"), HasSubstr("t.ptx:6:9: 'nobody' is not declared"));
  EXPECT_THAT(body_refused("@%p ret;"), HasSubstr("t.ptx:6:2: '%p' is not a register"));
  EXPECT_THAT(body_refused(".frob x;"), HasSubstr("t.ptx:6:1: the directive '.frob' is not known"));
  EXPECT_THAT(body_refused(".reg .b32 a, a;"), HasSubstr("t.ptx:6:14: 'a' is declared twice"));
  EXPECT_THAT(body_refused(".reg .z32 a;"), HasSubstr("t.ptx:6:6: '.z32' is not known"));
  EXPECT_THAT(refused(".frob x;"), HasSubstr("t.ptx:4:1: the directive '.frob' is not known"));
  EXPECT_THAT(refused(".entry k() { ret;"), HasSubstr("the body of 'k' has no closing brace"));
  EXPECT_THAT(refused(".global .b8 x[99999999999999999999];"), HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(refused(".global .b8 x[9999999999][9999999999];"), HasSubstr("larger than any memory"));
  EXPECT_THAT(body_refused("mov.u32 %r, 1/0;"), HasSubstr("division by zero"));
}

}  // namespace
}  // namespace cupilot::ptx
