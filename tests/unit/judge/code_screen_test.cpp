// SPDX-License-Identifier: Apache-2.0
//
// Small texts as nvcc 13 and cuobjdump write them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/text.h"
#include "evolution/judge/screen/binary_screen.h"

namespace cupilot {
using namespace judge::screen;
namespace {

using testing::HasSubstr;

std::string screen_reasons(const std::string &candidate, const std::string &original = "") {
  std::vector<std::string> all;
  for (const auto &finding : screen_code(candidate, original).findings) all.push_back(finding.reason);
  return join(all, "\n");
}

constexpr const char *kHonest = R"(
.version 9.0
.target sm_90
.const .align 4 .b8 kc[16] = {0, 0, 128, 63};
.global .align 4 .b8 _ZN1vL6kTableE[8] = {1, 0, 0, 0, 2, 0, 0, 0};
.extern .shared .align 16 .b8 tile[];
.visible .entry _ZN1v4fastEPKfPfi(
	.param .u64 _ZN1v4fastEPKfPfi_param_0
)
{
	.shared .align 4 .b8 part[128];
	ld.param.u64 %rd1, [_ZN1v4fastEPKfPfi_param_0];
	@%p1 bra $L__BB0_2;
	ex2.approx.ftz.f32 %f3, %f2;
	fma.rn.f32 %f4, %f3, %f2, %f1;
	st.global.L1::no_allocate.f32 [%rd4], %f4;
	trap;
	nanosleep.u32 %r1;
}
)";

TEST(CodeScreen, LetsAnHonestKernelThrough) {
  const auto screen = screen_code(kHonest, "");
  EXPECT_TRUE(screen.findings.empty()) << screen_reasons(kHonest);
  EXPECT_EQ(screen.classes.told, "");
  EXPECT_THAT(screen.kernels, testing::ElementsAre("_ZN1v4fastEPKfPfi"));
}

/// "%p" is the policy's register, "%q" another one.
std::string with_policy(const std::string &before, const std::string &after = "") {
  return ".visible .entry k(\n" + before + "\nld.global.L2::cache_hint.f32 \t%f1, [%rd1], %p;\n" + after +
         "\nret;\n";
}

TEST(CodeScreen, KnowsKernelsThatOnlyMoveBits) {
  const auto moves = [](const std::string &body) {
    return screen_code(".visible .entry k(\n.param .u64 a)\n{\n" + body + "ret;\n}\n", "").moves_only;
  };
  EXPECT_TRUE(
      moves("ld.global.nc.f32 %f1, [%rd1];\nselp.f32 %f2, %f1, %f3, %p1;\nst.global.f32 [%rd2], %f2;\n"));
  EXPECT_TRUE(moves("mov.f32 %f1, 0f3F800000;\nadd.s32 %r1, %r2, %r3;\n"));
  for (const char *line :
       {"max.f32 %f1, %f2, %f3;\n", "setp.lt.f32 %p1, %f1, %f2;\n", "cvt.f32.f16 %f1, %rs1;\n",
        "red.global.add.f32 [%rd1], %f1;\n", "@%p1 fma.rn.f64 %fd1, %fd2, %fd3, %fd4;\n"})
    EXPECT_FALSE(moves(line)) << line;
  const auto machine = [](const std::string &line) {
    return screen_code("\t\tFunction : k\n" + line + "\n", "").moves_only;
  };
  EXPECT_TRUE(machine("/*0040*/ LDG.E R2, [R2.64] ;"));
  EXPECT_TRUE(machine("/*0040*/ IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;"));
  EXPECT_FALSE(machine("/*0040*/ FMNMX R2, R2, R3, !PT ;"));
  EXPECT_FALSE(screen_code("", "").moves_only) << "nothing is known";
}

TEST(CodeScreen, ACachePolicyMustBeKnown) {
  const std::string first = "createpolicy.fractional.L2::evict_first.b64 %p, 1.0;";
  for (const std::string &good : {first, std::string("mov.u64 \t%p, 1364590687093260288;"),
                                  "@%p3 mov.b64 %p, 1152921504606846976;\n" + first})
    EXPECT_EQ(screen_reasons(with_policy(good)), "") << good;
  EXPECT_EQ(screen_reasons("st.global.L2::cache_hint.f32 [%rd1], %f1, 1152921504606846976;"), "");
  const auto bad = HasSubstr("whose policy no createpolicy makes");
  EXPECT_THAT(screen_reasons(with_policy("mov.u64 \t%p, 1508705875169116160;")), bad) << "evict_last";
  EXPECT_THAT(screen_reasons(with_policy("ld.param.u64 \t%p, [k_param_1];")), bad);
  EXPECT_THAT(screen_reasons(with_policy("add.s64 \t%p, %p, %rd9;\n" + first)), bad);
  EXPECT_THAT(screen_reasons(with_policy(first, "or.b64 \t%p, %p, %rd9;")), bad)
      << "in the next round of a loop";
  EXPECT_THAT(screen_reasons(with_policy("")), bad);
  EXPECT_THAT(screen_reasons(first + "\n" + with_policy("")), bad) << "of another function";
  EXPECT_THAT(screen_reasons("ld.global.L2::cache_hint.f32 %f1, [%rd1],\n %p;"), bad) << "over two lines";
  EXPECT_THAT(screen_reasons("createpolicy.cvt.L2.b64 %p, 5;"), HasSubstr("keep data beyond the launch"));
  const std::string theirs = with_policy("ld.param.u64 \t%p, [k_param_1];");
  EXPECT_EQ(screen_reasons(theirs, theirs), "");
}

TEST(CodeScreen, KnowsKernelsThatDoNotWaitBeforeTheyTouchMemory) {
  const auto impatient = [](const std::string &body) {
    return !screen_code(
                ".visible .entry k(\n.param .u64 a)\n{\nld.param.u64 %rd1, [a];\n" + body + "ret;\n}\n", "")
                .impatient.empty();
  };
  const std::string wait = "griddepcontrol.wait;\n", load = "ld.global.f32 %f1, [%rd1];\n";
  EXPECT_TRUE(impatient(load));
  EXPECT_TRUE(impatient(load + wait));
  EXPECT_FALSE(impatient(wait + load));
  EXPECT_TRUE(impatient("@%p1 " + wait + load)) << "not all threads wait";
  EXPECT_TRUE(impatient("@%p1 bra $L1;\n" + wait + "$L1:\n" + load)) << "a way around the wait";
  EXPECT_TRUE(impatient("mov.b32 %r1, 0; @%p1 bra skip;\n" + wait + "skip: mov.b32 %r1, %r2;\n" + load));
  EXPECT_TRUE(impatient("brx.idx %r1, targets;\n" + wait + load));
  EXPECT_TRUE(impatient("@%p1 bra $L2;\n" + wait + "$L1:\n" + load + "ret;\n$L2:\nbra $L1;\n"))
      << "comes back to what has waited on the other way";
  EXPECT_FALSE(impatient("@%p1 bra $L2;\n" + wait + "$L1:\n" + load + "@%p2 bra $L1;\n$L2:\n"))
      << "threads without an element leave early";
  EXPECT_FALSE(impatient("$L1:\nadd.s32 %r1, %r1, 1;\n@%p1 bra $L1;\n" + wait + load)) << "a loop before it";
  EXPECT_FALSE(impatient("@%p1 bra $L2;\n" + wait + "@%p2 bra $L3;\n" + load + "$L2:\nret;\n$L3:\n" + load));
  EXPECT_FALSE(impatient("@%p1 bra $L2;\nbra $L3;\n$L2:\n$L3:\n" + wait + load)) << "both ways wait";
  EXPECT_FALSE(impatient("ld.shared.f32 %f1, [%r1];\n" + wait + "st.global.f32 [%rd1], %f1;\n"));
  EXPECT_TRUE(impatient("cp.async.ca.shared.global [%r1], [%rd1], 4;\n" + wait));
  const std::string machine_code = "\t\tFunction : k\n";
  EXPECT_THAT(screen_code(machine_code + " /*0010*/ LDG.E R2, desc[UR4][R2.64] ;\n /*0020*/ ACQBULK ;\n", "")
                  .impatient,
              testing::ElementsAre("k"));
  EXPECT_THAT(screen_code(machine_code + " /*0010*/ ACQBULK ;\n /*0020*/ LDG.E R2, desc[UR4][R2.64] ;\n", "")
                  .impatient,
              testing::IsEmpty());
}

TEST(CodeScreen, FindsWhatAKernelMayNotDo) {
  EXPECT_THAT(screen_reasons("\tmov.u64 \t%rd2, %clock64;"), HasSubstr("reads a clock or timer"));
  EXPECT_THAT(screen_reasons("\tmov.u64 %rd2, %globaltimer;"), HasSubstr("(%globaltimer)"));
  EXPECT_THAT(screen_reasons("        /*0010*/  CS2R R2, SR_CLOCKLO ;"), HasSubstr("reads a clock or timer"));
  EXPECT_THAT(screen_reasons("createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;"),
              HasSubstr("keep data beyond the launch"));
  for (const char *register_of_the_device :
       {"%gridid", "%smid", "%nsmid", "%warpid", "%nwarpid", "%current_graph_exec", "%total_smem_size",
        "%aggr_smem_size", "%pm3"})
    EXPECT_THAT(screen_reasons("\tmov.u32 \t%r2, " + std::string(register_of_the_device) + ";"),
                HasSubstr("which part of the device this is"));
  EXPECT_THAT(screen_reasons("\tdiscard.global.L2 [%rd1], 128;"), HasSubstr("throws away"));
  EXPECT_THAT(screen_reasons("\tapplypriority.global.L2::evict_normal [%rd1], 128;"),
              HasSubstr("throws away"));
  EXPECT_THAT(screen_reasons(".extern .func  (.param .b32 func_retval0) vprintf"),
              HasSubstr("'vprintf', which prints"));
  EXPECT_THAT(screen_reasons(".extern .func (.param .b64 r) malloc"),
              HasSubstr("allocates memory in a kernel"));
  EXPECT_THAT(screen_reasons(".extern .func helper"), HasSubstr("'helper', which is not in the candidate"));
  EXPECT_THAT(screen_reasons(".global .align 4 .u32 _ZN1v7counterE;"),
              HasSubstr("'_ZN1v7counterE' keeps state"));
  EXPECT_THAT(screen_reasons(".extern .global .align 4 .u32 theirs;"), HasSubstr("'theirs' is outside"));
  EXPECT_THAT(screen_reasons(".visible .global .align 4 .u32 shown;"), HasSubstr("'shown' keeps state"));
}

TEST(CodeScreen, AllowsWhatTheOriginalHas) {
  const std::string clock = "mov.u64 %rd2, %clock64;\n.extern .func (.param .b32 r) vprintf\n";
  EXPECT_EQ(screen_reasons(clock, clock), "");
  const std::string mine =
      ".global .align 1 .b8 _ZN33_INTERNAL_09b4ab96_8_entry_cu_9d7dd4a94cuda3std5beginE[1];";
  const std::string theirs =
      ".global .align 1 .b8 _ZN33_INTERNAL_11b4ab9f_8_entry_cu_0d7dd4a04cuda3std5beginE[1];";
  EXPECT_EQ(screen_reasons(mine, theirs), "") << "names that carry a hash of their file";
  const auto ignored = [](const std::string &hash) {
    return ".global .align 1 .b8 _ZN39_INTERNAL_" + hash + "_8_entry_cu_9d7dd4a94cuda3std3__440_GLOBAL__N__" +
           hash + "_8_entry_cu_9d7dd4a96ignoreE[1];";
  };
  EXPECT_EQ(screen_reasons(ignored("403ebd05"), ignored("1f9c22ab")), "")
      << "what <cuda/std/tuple> brings with it";
}

TEST(CodeScreen, EvictingFirstIsAnHonestHint) {
  EXPECT_EQ(
      screen_reasons("createpolicy.fractional.L2::evict_first.b64 %rd1, 1.0;\nld.global.L1::evict_last.f32 "
                     "%f1, [%rd1];"),
      "");
}

struct Told {
  const char *line;
  bool InstructionClasses::*which;
};

TEST(CodeScreen, NamesClassesOfArithmetic) {
  using C = InstructionClasses;
  for (const Told &told : {
           Told{"fma.rn.f16x2 %r1, %r2, %r3, %r4;", &C::half_arithmetic},
           Told{"{ cvt.rn.f16.f32 %rs1, %f1;}", &C::half_arithmetic},
           Told{"  /*0100*/   HADD2 R1, R2, R3 ;", &C::half_arithmetic},
           Told{"  /*0100*/   @P0 HFMA2.MMA R1, R2, R3, R4 ;", &C::half_arithmetic},
           Told{"cvt.rn.bf16x2.f32 %r1, %f1, %f2;", &C::bf16_arithmetic},
           Told{"HFMA2.BF16_V2 R1, R2, R3, R4 ;", &C::bf16_arithmetic},
           Told{"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f2};",
                &C::tf32_matrix},
           Told{"HMMA.1688.F32.TF32 R4, R8, R10, R4 ;", &C::tf32_matrix},
           Told{"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0;",
                &C::half_matrix},
           Told{"HMMA.16816.F32.BF16 R4, R8, R10, R4 ;", &C::half_matrix},
           Told{"HGMMA.64x64x16.F32 R24, gdesc[UR4], R24 ;", &C::half_matrix},
           Told{"QGMMA.64x64x32.F32.E4M3.E4M3 R24, gdesc[UR4], R24 ;", &C::fp8_matrix},
           Told{"div.approx.f32 %f1, %f2, %f3;", &C::approximate},
           Told{"mul.ftz.f32 %f1, %f2, %f3;", &C::flush_to_zero},
       }) {
    const auto classes = screen_code(told.line, "").classes;
    EXPECT_TRUE(classes.*told.which) << told.line;
    EXPECT_NE(classes.told, "") << told.line;
  }
}

TEST(CodeScreen, DoesNotTakeMovesForArithmetic) {
  const std::string moves =
      "HFMA2.MMA R5, -RZ, RZ, 0, 0 ;\nld.global.nc.f16 %rs1, [%rd1];\nst.shared.bf16 [%r1], %rs1;\n"
      "ex2.approx.ftz.f32 %f1, %f2;\nmma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1}, {%fd2}, {%fd3}, "
      "{%fd4};";
  EXPECT_EQ(screen_code(moves, "").classes.told, "");
}

TEST(CodeScreen, KnowsWhatFlushesWithConsent) {
  const auto flushing = [](const char *candidate, const char *original) {
    return screen_code(candidate, original).flushing;
  };
  for (const char *atomic : {"red.global.add.f32 [%rd1], %f1;", "atom.add.f32 %f2, [%rd1], %f1;",
                             "@%p1 red.relaxed.gpu.global.add.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};",
                             "/*0a0*/ REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5 ;"}) {
    EXPECT_TRUE(flushing(atomic, "").atomics) << atomic;
    EXPECT_TRUE(flushing("", atomic).atomics) << atomic;
  }
  for (const char *other : {"atom.shared.add.f32 %f2, [%r1], %f1;", "red.global.add.u32 [%rd1], 1;",
                            "red.global.add.f64 [%rd1], %fd1;", "red.global.add.noftz.f16x2 [%rd1], %r1;",
                            "add.ftz.f32 %f1, %f2, %f3;"})
    EXPECT_FALSE(flushing(other, "").atomics) << other;
  EXPECT_TRUE(flushing("", "fma.rn.ftz.f32 %f1, %f2, %f3, %f4;").original);
  EXPECT_FALSE(flushing("fma.rn.ftz.f32 %f1, %f2, %f3, %f4;", "ex2.approx.ftz.f32 %f1, %f2;").original);
}

TEST(CodeScreen, NamesOnlyWhatTheOriginalHasNot) {
  const auto screen = screen_code("fma.rn.f16x2 %r1;\nmul.ftz.f32 %f1;", "add.f16 %rs1, %rs2, %rs3;");
  EXPECT_FALSE(screen.classes.half_arithmetic);
  EXPECT_EQ(screen.classes.told, "flushing of subnormal numbers (mul.ftz.f32)");
}

TEST(LibraryScreen, RefusesWhatIsNoLibrary) {
  const std::string text =
      "\x7f"
      "ELF and then nothing of the kind";
  const auto findings = screen_library(std::as_bytes(std::span(text)), {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].reason, "the built library is not a 64-bit ELF file");
  EXPECT_EQ(uncompressed_ptx(std::as_bytes(std::span(text))), "");
}

}  // namespace
}  // namespace cupilot
