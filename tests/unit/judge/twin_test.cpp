// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/bundle/twin.h"

#include <gmock/gmock.h>

#include "annotate/support/text.h"
#include "evolution/judge/bundle/promotion.h"
#include "evolution/judge/bundle/twin_words.h"
#include "evolution/judge/data/promoted_parameters.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string promoted(const std::string &text, const std::set<std::string> &floats = {}, bool half = true) {
  const Promotion made = promote(text, floats, half);
  EXPECT_EQ(made.missing, "") << text;
  return made.text;
}
std::string missing(const std::string &text, const std::set<std::string> &floats = {}) {
  return promote(text, floats, true).missing;
}

TEST(Promotion, TypesAndLiterals) {
  EXPECT_EQ(promoted("const float *x = p; float s = 1.0f + 2.f + 1e-5F + .5f;"),
            "const double *x = p; double s = 1.0 + 2. + 1e-5 + .5;");
  EXPECT_EQ(promoted("float a = 0x1p-3f; int b = 0x1F, c = 1f0;"),
            "double a = 0x1p-3; int b = 0x1F, c = 1f0;");
  EXPECT_EQ(
      promoted("float4 v; __half h; half2 g; __nv_bfloat16 b;"),
      "cupilot_twin_float4 v; cupilot_twin___half h; cupilot_twin_half2 g; cupilot_twin___nv_bfloat16 b;");
  EXPECT_EQ(promoted("double d = 1.5; int i = 2;"), "double d = 1.5; int i = 2;");
}

TEST(Promotion, CommentsBlanksAndStringsStay) {
  EXPECT_EQ(promoted("/* float */ float  x; // float\nconst char *s = \"float 1.0f\";"),
            "/* float */ double  x; // float\nconst char *s = \"float 1.0f\";");
}

TEST(Promotion, FunctionsOfFloat) {
  EXPECT_EQ(promoted("y = expf(x) + ::sqrtf(x) + std::fmaxf(x, y);"),
            "y = cupilot_twin_expf(x) + ::cupilot_twin_sqrtf(x) + cupilot_twin_fmaxf(x, y);");
  EXPECT_EQ(promoted("__frcp_rn(x); __float2int_rd(x); __ull2float_rz(n);"),
            "cupilot_twin___frcp_rn(x); cupilot_twin___float2int_rd(x); cupilot_twin___ull2float_rz(n);");
  EXPECT_EQ(promoted("v = __hfma2(a, b, __float2half2_rn(0.0f)); w = __half2int_rz(h);"),
            "v = cupilot_twin___hfma2(a, b, cupilot_twin___float2half2_rn(0.0)); w = "
            "cupilot_twin___half2int_rz(h);");
  EXPECT_EQ(promoted("exp(x); max(a, 0.0f); a.expf(b); c->float4(d); mine::expf(x);"),
            "exp(x); max(a, 0.0); a.expf(b); c->float4(d); mine::expf(x);");
}

TEST(Promotion, ConstantsKeepTheirValue) {
  EXPECT_EQ(promoted("float m = -FLT_MAX, i = INFINITY, j = CUDART_INF_F;"),
            "double m = -static_cast<double>(FLT_MAX), i = static_cast<double>(INFINITY), j = "
            "static_cast<double>(CUDART_INF_F);");
  EXPECT_EQ(promoted("m = std::numeric_limits<float>::lowest();"), "m = cupilot_float_limits::lowest();");
  EXPECT_EQ(promoted("m = __int_as_float(0x7f800000);"),
            "m = static_cast<double>(__int_as_float(0x7f800000));");
}

TEST(Promotion, MacrosAreCodeAndConditionsAreNot) {
  EXPECT_EQ(
      promoted(
          "#include <float.h>\n#if defined(float)\n#define FETCH(p) (reinterpret_cast<float4 *>(&(p))[0])\n"
          "#define EPS 1e-5f\n#endif\n"),
      "#include <float.h>\n#if defined(float)\n#define FETCH(p) (reinterpret_cast<cupilot_twin_float4 "
      "*>(&(p))[0])\n"
      "#define EPS 1e-5\n#endif\n");
}

TEST(Promotion, AVariableCalledHalfIsNoType) {
  EXPECT_EQ(promoted("int half = n / 2; x[half] = half;"), "int half = n / 2; x[half] = half;");
  EXPECT_EQ(promoted("half h = 1;", {}, false), "half h = 1;");
  EXPECT_EQ(promoted("half h = 1;"), "cupilot_twin_half h = 1;");
}

TEST(Promotion, WhatHasNoTwinIsToldWithItsLine) {
  EXPECT_EQ(missing("int f(float x) {\n  return __float_as_int(x);\n}"),
            "line 2: '__float_as_int' looks at the bits of a float");
  EXPECT_EQ(missing("#line 41 \"norm.cu\"\nfloat g;\nunion U { float f; int i; };"),
            "norm.cu:42: a union may read the bits of a float");
  EXPECT_THAT(missing("x = __int_as_float(bits);"), HasSubstr("makes a float of bits"));
  EXPECT_THAT(missing("using namespace nvcuda;\nwmma::fragment<int> f;"), HasSubstr("line 2: 'wmma'"));
  EXPECT_THAT(missing("asm(\"ex2.approx.f32 %0, %1;\" : \"=f\"(y) : \"f\"(x));"),
              HasSubstr("inline assembly"));
  EXPECT_EQ(missing("asm volatile(\"bar.sync 1, 64;\");"), "");
  EXPECT_THAT(missing("float r = __fancyf(x);"), HasSubstr("no counterpart in double"));
  EXPECT_THAT(missing("i = std::bit_cast<int>(x);"), HasSubstr("bits of a number"));
}

TEST(Promotion, BytesReadAsAnotherType) {
  EXPECT_THAT(missing("int b = *reinterpret_cast<int *>(&x[i]);", {"x"}), HasSubstr("the bytes of 'x'"));
  EXPECT_THAT(missing("float v; int b = *(int *)&v;"), HasSubstr("the bytes of 'v'"));
  EXPECT_THAT(missing("const __half *h; float4 v = *reinterpret_cast<const float4 *>(h + i);"),
              HasSubstr("'h'"));
  EXPECT_EQ(missing("const float *x; float4 v = *reinterpret_cast<const float4 *>(x + 4 * i);", {"x"}), "");
  EXPECT_EQ(missing("float *s; int *behind = (int *)(s + n), *too = reinterpret_cast<int *>(&s[n]);"), "");
  EXPECT_EQ(missing("y = read_as_float(x);"), "");
  EXPECT_EQ(missing("int4 v = *reinterpret_cast<const int4 *>(index + i);", {"x"}), "");
  EXPECT_EQ(missing("const __half *h; half2 v = *reinterpret_cast<const half2 *>(h);"), "");
}

TEST(PromotedParameters, FloatsBecomeDoublesAndVectorsKeepTheirLanes) {
  std::vector<Parameter> parameters{fake::pointer("x", "const float *__restrict__", true), fake::integer("n"),
                                    fake::real("a")};
  Parameter vector = fake::pointer("v", "float4 *", false);
  vector.element = ElementType::opaque, vector.element_type = "float4", vector.element_bytes = 16;
  parameters.push_back(vector);
  const auto wide = promoted_parameters(parameters);
  EXPECT_EQ(wide[0].element, ElementType::f64);
  EXPECT_EQ(wide[0].element_bytes, 8u);
  EXPECT_EQ(wide[0].type, "const double *__restrict__");
  EXPECT_EQ(wide[1].type, "int");
  EXPECT_EQ(wide[2].element, ElementType::f64);
  EXPECT_EQ(wide[3].element_type, "double4");
  EXPECT_EQ(wide[3].element_bytes, 32u);
}

TEST(MakeTwin, TheEntryTakesDoubles) {
  const Twin twin = make_twin(fake::scale_spec());
  EXPECT_EQ(twin.missing, "");
  EXPECT_THAT(twin.entry, HasSubstr("void (*kernel)(const double *, double *, double, int, int) = scale;"));
  EXPECT_THAT(twin.entry, HasSubstr("__global__ void scale(const double *__restrict__ x"));
  EXPECT_THAT(twin.entry, HasSubstr("(2 * call->shared_bytes)"));
  EXPECT_THAT(twin.entry, Not(HasSubstr("cupilot_half_tag"))) << "only where there are 16-bit types";
}

TEST(MakeTwin, TemplateArgumentsAreTypesToo) {
  auto spec = fake::scale_spec();
  spec.instantiation = "scale<__half, 4>";
  spec.slice =
      "template <class T, int N> __global__ void scale(const T *x, T *y, float a, int, int) { y[0] = x[0] * "
      "a; }";
  spec.namespaces = {};
  const Twin twin = make_twin(spec);
  EXPECT_EQ(twin.missing, "");
  EXPECT_THAT(twin.entry, HasSubstr("scale<cupilot_twin___half, 4>"));
  EXPECT_THAT(twin.entry, HasSubstr("(4 * call->shared_bytes)"));
}

/// scale_spec() over other numbers.
KernelSpec scale_of(const std::string &type, ElementType element) {
  auto spec = fake::scale_spec();
  spec.slice = replace_all(spec.slice, "float", type);
  for (Parameter &parameter : spec.parameters) {
    if (parameter.element != ElementType::f32) continue;
    parameter.type = replace_all(parameter.type, "float", type);
    parameter.element = element, parameter.element_type = type;
  }
  return spec;
}

TEST(MakeTwin, SaysWhyThereIsNone) {
  EXPECT_EQ(make_twin(scale_of("double", ElementType::f64)).missing, "the kernel computes in fp64 already");
  EXPECT_EQ(make_twin(scale_of("int", ElementType::i32)).missing, "the kernel computes with integers only");
  auto spec = fake::scale_spec();
  spec.parameters[0].element = ElementType::opaque;
  spec.parameters[0].element_type = "ns::Particle";
  EXPECT_EQ(make_twin(spec).missing, "'x' holds 'ns::Particle', whose members cannot be widened");
  spec = fake::scale_spec();
  spec.command.flags.push_back("-DREAL=float");
  EXPECT_THAT(make_twin(spec).missing, HasSubstr("-DREAL=float"));
}

TEST(TwinWords, EveryMarkedNameOfThePreludeIsKnown) {
  for (const char *word :
       {"expf", "__fmaf_rn", "__float2uint_ru", "make_float4", "__ldg", "atomicAdd", "__shfl_xor_sync",
        "__half2float", "__ushort2half_rz", "__hadd2", "h2exp", "__low2half", "__hisinf", "float3"})
    EXPECT_TRUE(has_twin(word)) << word;
  for (const char *word : {"a", "int", "double", "long", "sum", "exp", "sqrt", "cupilot_twin_half"})
    EXPECT_FALSE(has_twin(word)) << word;
  EXPECT_TRUE(has_sixteen_twin("__hfma"));
  EXPECT_FALSE(has_sixteen_twin("expf"));
}

}  // namespace
}  // namespace cupilot
