// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/records/unit_match.h"

#include <gtest/gtest.h>

#include "driver/cli/records/variant_tokens.h"

namespace cupilot::cli {
using namespace cupilot::cli::records;
namespace {

constexpr const char *kJudged = R"(
.version 9.0
.target sm_90
.extern .func vprintf (.param .b64 vprintf_param_0) ;
.global .align 4 .b8 _ZL5table[8] = {0, 0, 128, 63, 0, 0, 0, 64};
.extern .shared .align 16 .b8 smem[];
.func (.param .b32 func_retval0) _Z5twicef(
	.param .b32 _Z5twicef_param_0
)
{
	.reg .f32 	%f<3>;
	ld.param.f32 	%f1, [_Z5twicef_param_0];
	mul.f32 	%f2, %f1, 0f40000000;
	st.param.f32 	[func_retval0+0], %f2;
	ret;
}
.visible .entry _Z4minePf(
	.param .u64 _Z4minePf_param_0
)
{
	.loc	1 4 1
	.shared .align 4 .b8 _ZZ4minePfE1s[1024];
	mov.u32 	%r9, _ZZ4minePfE1s;
	ld.param.u64 	%rd1, [_Z4minePf_param_0];
	@%p1 bra 	$L__BB1_2;
	mov.u64 	%rd2, _ZL5table;
	mov.u64 	%rd3, smem;
$L__BB1_2:
	call.uni (retval0), _Z5twicef, (param0);
	ret;
}
)";

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

bool equal(const std::string &first, const std::string &second, const char *a = "_Z4minePf",
           const char *b = "_Z4minePf") {
  const auto one = units_of_ptx(first), other = units_of_ptx(second);
  return !UnitMatch(one, other, [](auto, auto) { return false; }).compare(a, b);
}

TEST(UnitMatch, NamesPlacesAndOrderDoNotMatter) {
  EXPECT_TRUE(equal(kJudged, kJudged));
  EXPECT_TRUE(equal(kJudged, replaced(kJudged, "_Z4minePf", "_ZN1a4minePf"), "_Z4minePf", "_ZN1a4minePf"));
  EXPECT_TRUE(equal(kJudged, replaced(kJudged, "_Z5twicef", "_ZN1b5twiceEf")));
  EXPECT_TRUE(equal(kJudged, replaced(kJudged, "_ZL5table", "_ZN2id5tableE")));
  EXPECT_TRUE(equal(kJudged, replaced(kJudged, "_ZZ4minePfE1s", "_ZZN1a4mineEPfE1s")));
  EXPECT_TRUE(equal(kJudged, replaced(kJudged, "$L__BB1_2", "$L__BB7_2")));
  EXPECT_TRUE(equal(kJudged, replaced(kJudged, ".visible .entry", ".entry")));
  EXPECT_TRUE(
      equal(kJudged, replaced(kJudged, ".loc\t1 4 1", ".loc\t7 9 1, function_name $L__info, inlined_at 2")));
  EXPECT_TRUE(equal(kJudged, ".section .debug_info {\n.b8 1\n}\n" + std::string(kJudged)));
}

TEST(UnitMatch, CodeIsComparedDownToWhatItReaches) {
  EXPECT_FALSE(equal(kJudged, replaced(kJudged, "E1s[1024]", "E1s[512]")));
  EXPECT_FALSE(equal(kJudged, replaced(kJudged, "@%p1 bra", "@%p2 bra")));
  EXPECT_FALSE(equal(kJudged, replaced(kJudged, "0f40000000", "0f40400000"))) << "in a function it calls";
  EXPECT_FALSE(equal(kJudged, replaced(kJudged, "0, 0, 0, 64", "0, 0, 0, 65"))) << "in a table it reads";
  EXPECT_FALSE(equal(kJudged, replaced(kJudged, "_Z5twicef, (", "vprintf, ("))) << "another object's";
  EXPECT_FALSE(equal(kJudged, replaced(kJudged, "smem;", "_ZL5table;"))) << "one for two";
  EXPECT_TRUE(equal(kJudged, replaced(kJudged, ".extern .func vprintf", ".extern .func other")))
      << "not reached";
}

TEST(UnitMatch, TheDifferenceNamesPlaceAndCode) {
  const std::string text = replaced(kJudged, "0f40000000", "0f40400000");
  const auto one = units_of_ptx(kJudged), other = units_of_ptx(text);
  const auto found =
      UnitMatch(one, other, [](auto, auto) { return false; }).compare("_Z4minePf", "_Z4minePf");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->function, "twice(float)");
  EXPECT_NE(found->first.find("0f40000000"), std::string::npos);
  EXPECT_NE(found->second.find("0f40400000"), std::string::npos);
}

constexpr const char *kHost = R"(	.file	"a.cpp"
	.text
	.section	.rodata
.LC0:
	.string	"text"
	.text
	.globl	_Z6launchi
	.type	_Z6launchi, @function
_Z6launchi:
.LFB12:
	.cfi_startproc
	cmpl	$6, -4(%rbp)
	ja	.L3
	movl	$.LC0, %edi
	movq	.L4(,%rax,8), %rax
	jmp	*%rax
	.section	.rodata
	.align 8
.L4:
	.quad	.L3
	.text
.L3:
	call	_Z6blocksi
	call	__cudaLaunchKernel
	ret
.LFE12:
	.size	_Z6launchi, .-_Z6launchi
_Z6blocksi:
	movl	$256, %eax
	ret
)";

TEST(UnitMatch, TheHostsAssemblyToo) {
  const auto same = [](const std::string &text) {
    const auto one = units_of_host_assembly(kHost), other = units_of_host_assembly(text);
    const auto relabelled = [](std::string_view a, std::string_view b) {
      return a == "__cudaLaunchKernel" && b == "cupilot_launch_kernel";
    };
    return !UnitMatch(one, other, relabelled).compare("_Z6launchi", "_Z6launchi");
  };
  EXPECT_TRUE(same(kHost));
  EXPECT_TRUE(same(replaced(replaced(kHost, ".L3", ".L33"), ".LC0", ".LC9")));
  EXPECT_TRUE(same(replaced(kHost, "_Z6blocksi", "_ZN1a6blocksEi")));
  EXPECT_TRUE(same(replaced(kHost, "__cudaLaunchKernel", "cupilot_launch_kernel")));
  EXPECT_FALSE(same(replaced(kHost, "__cudaLaunchKernel", "cudaLaunchKernelExC")));
  EXPECT_FALSE(same(replaced(kHost, "$256", "$512")));
  EXPECT_FALSE(same(replaced(kHost, "\"text\"", "\"other\"")));
  EXPECT_FALSE(same(replaced(kHost, ".quad	.L3", ".quad	.L4")));
}

TEST(UnitMatch, OnlyAFailedAssertionMaySayItsPlace) {
  const std::string asserts =
      replaced(kHost, "call	_Z6blocksi", "movl	$57, %edx\n	call	__assert_fail");
  const auto one = units_of_host_assembly(asserts);
  const std::string text = replaced(replaced(asserts, "$57", "$99"), "\"text\"", "\"other\"");
  const auto other = units_of_host_assembly(text);
  EXPECT_FALSE(UnitMatch(one, other, [](auto, auto) { return false; }).compare("_Z6launchi", "_Z6launchi"));
}

TEST(UnitMatch, NamesArePlain) {
  EXPECT_EQ(plain_name("_ZN34_INTERNAL_129a5ce5_4_a_cu_ab0bdee236_GLOBAL__N__129a5ce5_4_a_cu_ab0bdee22ddEf"),
            "(anonymous namespace)::dd(float)");
  EXPECT_EQ(plain_name("launch"), "launch");
}

constexpr const char *kPreprocessed =
    "# 1 \"/w/norm.cu\"\nint before;\n# 1 \"variant.cuh\" 1\nconstexpr int width = 4;\n\n# 4 "
    "\"variant.cuh\"\n"
    "int x = width;\n# 9 \"/w/norm.cu\" 2\nint after;\n";

TEST(VariantTokens, AreThoseBetweenTheMarkersOfTheFile) {
  const auto tokens = tokens_of_file(kPreprocessed, "variant.cuh");
  ASSERT_EQ(tokens.size(), 11u);
  EXPECT_EQ(tokens.front().text, "constexpr");
  EXPECT_EQ(tokens.front().line, 1);
  EXPECT_EQ(tokens.back().text, ";");
  EXPECT_EQ(tokens.back().line, 4);
  EXPECT_TRUE(tokens_of_file(kPreprocessed, "other.cuh").empty());
}

TEST(VariantTokens, AMacroOfTheFileShows) {
  const auto judged = tokens_of_file(kPreprocessed, "variant.cuh"),
             spaced = tokens_of_file(replaced(kPreprocessed, "x = width", "x   =\n width"), "variant.cuh"),
             built = tokens_of_file(replaced(kPreprocessed, "x = width", "x = 8"), "variant.cuh");
  EXPECT_FALSE(first_difference(judged, judged));
  EXPECT_FALSE(first_difference(judged, spaced));
  const auto difference = first_difference(judged, built);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->line, 4);
  EXPECT_EQ(difference->first, "width ;");
  EXPECT_EQ(difference->second, "8 ;");
}

}  // namespace
}  // namespace cupilot::cli
