// SPDX-License-Identifier: Apache-2.0
//
// What the AST makes of small pieces of a slice. The pieces stand behind the toolkit's headers; lines are
// counted from the piece's own first.
#include "annotate/rewrite/twin.h"

#include <gmock/gmock.h>

#include "annotate/support/text.h"
#include "evolution/judge/bundle/entry_source.h"
#include "tests/emulate/precision/subject.h"
#include "tests/fakes/sample_spec.h"
#include "tests/gpu/accumulate_spec.h"

namespace cupilot {
using namespace judge::bundle;
using namespace rewrite;
using namespace spec;
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char *kHeaders =
    "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <math_constants.h>\n#include <mma.h>\n"
    "#include <bit>\n#include <cfloat>\n#include <cmath>\n#include <cstring>\n#include <limits>\n";
constexpr const char *kBegin = "#line 1 \"/cupilot/slice.cu\"\n";

/// The twin of a source that has no kernel.
Twin twin_of(const std::string &text) {
  KernelSpec spec;
  spec.instantiation = "nullptr";
  spec.slice = kHeaders + std::string(kBegin) + text;
  spec.command = {"/", "/t.cu", "nvcc", {"-std=c++20"}, {"sm_90"}};
  return make_twin(spec);
}

std::string promoted(const std::string &text) {
  const Twin made = twin_of(text);
  EXPECT_EQ(made.missing, "") << text;
  const auto begin = made.source.find(kBegin);
  return begin == std::string::npos ? made.source : made.source.substr(begin + std::string(kBegin).size());
}
std::string missing(const std::string &text) {
  return twin_of(text).missing;
}

std::string in_function(const std::string &parameters, const std::string &statements) {
  return "__device__ void run(" + parameters + ") {\n" + statements + "\n}\n";
}
/// Of statements that have these parameters; alone, without the function around them.
std::string promoted_in(const std::string &parameters, const std::string &statements) {
  const std::string text = promoted(in_function(parameters, statements));
  const auto begin = text.find("{\n"), end = text.rfind("\n}");
  return begin == std::string::npos || end == std::string::npos ? text
                                                                : text.substr(begin + 2, end - begin - 2);
}
std::string missing_in(const std::string &parameters, const std::string &statements) {
  return missing(in_function(parameters, statements));
}

TEST(Promotion, TypesAndLiterals) {
  EXPECT_EQ(
      promoted_in("float *p",
                  "const float *x = p; float s = 1.0f + 2.f + 1e-5F + .5f;\n"
                  "float a = 0x1p-3f; int b = 0x1F, c = 1;\n"
                  "float4 v; __half h; half2 g; __nv_bfloat16 e;\n"
                  "double d = 1.5; int i = 2;"),
      "const double *x = p; double s = 1.0 + 2. + 1e-5 + .5;\n"
      "double a = 0x1p-3; int b = 0x1F, c = 1;\n"
      "cupilot_twin_float4 v; cupilot_twin___half h; cupilot_twin_half2 g; cupilot_twin___nv_bfloat16 e;\n"
      "double d = 1.5; int i = 2;");
}

TEST(Promotion, CommentsBlanksAndStringsStay) {
  EXPECT_EQ(promoted_in("", "/* float */ float  x; // float\nconst char *s = \"float 1.0f\";"),
            "/* float */ double  x; // float\nconst char *s = \"float 1.0f\";");
}

TEST(Promotion, FunctionsOfFloat) {
  EXPECT_EQ(promoted("struct C { __device__ void expf(int); __device__ void float4(int); };\n"
                     "namespace mine { __device__ int expf(int); }\n"
                     "__device__ void run(float x, float y, C a, C *c, int b, unsigned long long n,\n"
                     "                    half2 v, __half h) {\n"
                     "y = expf(x) + ::sqrtf(x) + std::fmaxf(x, y);\n"
                     "__frcp_rn(x); __float2int_rd(x); __ull2float_rz(n);\n"
                     "v = __hfma2(v, v, __float2half2_rn(0.0f)); b = __half2int_rz(h);\n"
                     "exp(x); max(x, 0.0f); a.expf(b); c->float4(b); mine::expf(b);\n}\n"),
            "struct C { __device__ void expf(int); __device__ void float4(int); };\n"
            "namespace mine { __device__ int expf(int); }\n"
            "__device__ void run(double x, double y, C a, C *c, int b, unsigned long long n,\n"
            "                    cupilot_twin_half2 v, cupilot_twin___half h) {\n"
            "y = cupilot_twin_expf(x) + ::cupilot_twin_sqrtf(x) + cupilot_twin_fmaxf(x, y);\n"
            "cupilot_twin___frcp_rn(x); cupilot_twin___float2int_rd(x); cupilot_twin___ull2float_rz(n);\n"
            "v = cupilot_twin___hfma2(v, v, cupilot_twin___float2half2_rn(0.0)); "
            "b = cupilot_twin___half2int_rz(h);\n"
            "exp(x); max(x, 0.0); a.expf(b); c->float4(b); mine::expf(b);\n}\n");
}

TEST(Promotion, FunctionsInTemplates) {
  EXPECT_EQ(promoted("template <class T> __device__ T f(T x) { return expf(x) + __ldg(&x) + max(x, T(1)); }\n"
                     "__device__ float g(float x) { return f(x) + f<float>(x); }\n"),
            "template <class T> __device__ T f(T x) { return cupilot_twin_expf(x) + cupilot_twin___ldg(&x) + "
            "max(x, T(1)); }\n"
            "__device__ double g(double x) { return f(x) + f<double>(x); }\n");
}

TEST(Promotion, ConstantsKeepTheirValue) {
  EXPECT_EQ(promoted_in("float m",
                        "float n = -FLT_MAX, i = INFINITY, j = CUDART_INF_F;\n"
                        "m = std::numeric_limits<float>::lowest();\nm = __int_as_float(0x7f800000);"),
            "double n = -static_cast<double>(FLT_MAX), i = static_cast<double>(INFINITY), j = "
            "static_cast<double>(CUDART_INF_F);\n"
            "m = cupilot_float_limits::lowest();\nm = static_cast<double>(__int_as_float(0x7f800000));");
}

TEST(Promotion, MacrosAreCodeAndConditionsAreNot) {
  EXPECT_EQ(promoted("#include <float.h>\n#if !defined(float)\n"
                     "#define FETCH(p) (reinterpret_cast<float4 *>(&(p))[0])\n#define EPS 1e-5f\n#endif\n"
                     "__device__ float f(float *x) { return FETCH(x[4]).y + EPS; }\n"),
            "#include <float.h>\n#if !defined(float)\n"
            "#define FETCH(p) (reinterpret_cast<cupilot_twin_float4 *>(&(p))[0])\n#define EPS 1e-5\n#endif\n"
            "__device__ double f(double *x) { return FETCH(x[4]).y + EPS; }\n");
}

TEST(Promotion, BothSidesOfTheArchitectureArePromoted) {
  EXPECT_EQ(
      promoted("__device__ float f(float x) {\n#if __CUDA_ARCH__ >= 700\n  return __expf(x) * 2.0f;\n"
               "#else\n  return expf(x);\n#endif\n}\n"),
      "__device__ double f(double x) {\n#if __CUDA_ARCH__ >= 700\n  return cupilot_twin___expf(x) * 2.0;\n"
      "#else\n  return cupilot_twin_expf(x);\n#endif\n}\n");
}

TEST(Promotion, AVariableCalledHalfIsNoType) {
  EXPECT_EQ(promoted_in("int n, int *x, float y", "int half = n / 2; x[half] = half;"),
            "int half = n / 2; x[half] = half;");
  EXPECT_EQ(promoted("namespace mine { struct half { float v; }; }\n__device__ mine::half h;\n"),
            "namespace mine { struct half { double v; }; }\n__device__ mine::half h;\n");
  EXPECT_EQ(promoted_in("", "half h = 1;"), "cupilot_twin_half h = 1;");
}

TEST(Promotion, TypesOfTheUsersOwnAndTheirAliases) {
  EXPECT_EQ(promoted("using real = float;\ntypedef __half store;\nenum class half2x { a };\n"
                     "__device__ real f(store s) { return std::numeric_limits<real>::max() * real(s); }\n"),
            "using real = double;\ntypedef cupilot_twin___half store;\nenum class half2x { a };\n"
            "__device__ real f(store s) { return cupilot_float_limits::max() * real(s); }\n");
}

TEST(Promotion, ExplicitInstantiationsAreLeftToTheEntry) {
  EXPECT_EQ(promoted("template <class T> __global__ void templated(T *x) { *x = 1.0f; }\n"
                     "template __global__ void templated<float>(float *);\n"),
            "template <class T> __global__ void templated(T *x) { *x = 1.0; }\n\n");
}

TEST(Promotion, FunctionsOfTheUserMayBeNamedLikeIntrinsics) {
  EXPECT_EQ(promoted("__device__ inline float __fast_gelu_f(float x) { return x * 0.5f; }\n"
                     "template <class T> __device__ T __bits2float(T x) { return x; }\n"
                     "__device__ float f(float x) { return __fast_gelu_f(x) + __bits2float(x); }\n"),
            "__device__ inline double __fast_gelu_f(double x) { return x * 0.5; }\n"
            "template <class T> __device__ T __bits2float(T x) { return x; }\n"
            "__device__ double f(double x) { return __fast_gelu_f(x) + __bits2float(x); }\n");
}

TEST(Promotion, WhatHasNoTwinIsToldWithItsLine) {
  EXPECT_EQ(missing("__device__ int f(float x) {\n  return __float_as_int(x);\n}"),
            "line 2: '__float_as_int' reads the bits of a float");
  EXPECT_EQ(missing("#line 41 \"norm.cu\"\n__device__ float g;\nunion U { float f; int i; };"),
            "norm.cu:42: a union may read the bits of a float");
  EXPECT_THAT(missing_in("float x, int bits", "x = __int_as_float(bits);"),
              HasSubstr("makes a float from bits"));
  EXPECT_THAT(missing("using namespace nvcuda;\n__device__ void f() {\n"
                      "wmma::fragment<wmma::accumulator, 16, 16, 16, float> f; }"),
              HasSubstr("line 3: 'wmma'"));
  EXPECT_THAT(missing_in("float x, float y", "asm(\"ex2.approx.f32 %0, %1;\" : \"=f\"(y) : \"f\"(x));"),
              HasSubstr("inline assembly"));
  EXPECT_EQ(missing_in("float x", "asm volatile(\"bar.sync 1, 64;\");"), "");
  EXPECT_THAT(missing_in("float x", "float r = __fancyf(x);"), HasSubstr("no counterpart in double"));
  EXPECT_THAT(missing_in("float x, int i", "i = std::bit_cast<int>(x);"), HasSubstr("bits of a number"));
}

TEST(Promotion, WhatTheLibraryHasInFloatOnly) {
  EXPECT_THAT(missing_in("float x", "x = nextafterf(x, 1.0f);"),
              HasSubstr("'nextafterf' has no counterpart in double"));
  EXPECT_THAT(missing_in("", "float1 x;"), HasSubstr("'float1' has no counterpart in double"));
  EXPECT_THAT(missing_in("float x", "__half_raw r;"), HasSubstr("'__half_raw'"));
}

TEST(Promotion, BytesReadAsAnotherType) {
  EXPECT_THAT(missing_in("float *x, int i", "int b = *reinterpret_cast<int *>(&x[i]);"),
              HasSubstr("the bytes of 'x'"));
  EXPECT_THAT(missing_in("", "float v; int b = *(int *)&v;"), HasSubstr("the bytes of 'v'"));
  EXPECT_THAT(missing_in("const __half *h, int i", "float4 v = *reinterpret_cast<const float4 *>(h + i);"),
              HasSubstr("'h'"));
  EXPECT_EQ(missing_in("const float *x, int i", "float4 v = *reinterpret_cast<const float4 *>(x + 4 * i);"),
            "");
  EXPECT_EQ(
      missing_in("float *s, int n", "int *behind = (int *)(s + n), *too = reinterpret_cast<int *>(&s[n]);"),
      "");
  EXPECT_EQ(missing("__device__ float read_as_float(float);\n"
                    "__device__ void f(float x, float y) { y = read_as_float(x); }"),
            "");
  EXPECT_EQ(missing_in("float *x, int *index, int i", "int4 v = *reinterpret_cast<const int4 *>(index + i);"),
            "");
  EXPECT_EQ(missing_in("const __half *h", "half2 v = *reinterpret_cast<const half2 *>(h);"), "");
}

TEST(Promotion, BytesReadBehindAnAliasOrInATemplate) {
  EXPECT_THAT(missing_in("const float *x", "auto p = x + 1; int4 v = *(const int4 *)p;"),
              HasSubstr("the bytes of 'p'"));
  EXPECT_THAT(missing("template <class T> __device__ uint4 f(const T *x) {\n"
                      "  return *reinterpret_cast<const uint4 *>(x); }\n"
                      "__device__ uint4 g(const __half *h) { return f(h); }\n"),
              HasSubstr("line 2: the bytes of 'x'"));
  EXPECT_EQ(missing("template <class T> __device__ uint4 f(const T *x) {\n"
                    "  return *reinterpret_cast<const uint4 *>(x); }\n"
                    "__device__ uint4 g(const int *i, float y) { return f(i); }\n"),
            "");
  EXPECT_THAT(missing_in("float x, int i", "memcpy(&i, &x, sizeof(x));"), HasSubstr("the bytes of 'x'"));
  EXPECT_EQ(missing("union Lanes { float4 v; float of[4]; };"), "") << "the same numbers, one by one";
}

TEST(MakeTwin, TheEntryTakesDoubles) {
  KernelSpec spec = fake::scale_spec();
  spec.twin = make_twin(spec);
  EXPECT_EQ(twin_missing(spec), "");
  const std::string entry = twin_entry(spec);
  EXPECT_THAT(entry, HasSubstr("void (*kernel)(const double *, double *, double, int, int) = scale;"));
  EXPECT_THAT(entry, HasSubstr("__global__ void scale(const double *__restrict__ x"));
  EXPECT_THAT(entry, HasSubstr("(2 * call->shared_bytes)"));
  EXPECT_THAT(entry, Not(HasSubstr("cupilot_half_tag"))) << "only where there are 16-bit types";
}

/// Tests on machines without Clang have their twins written out.
TEST(MakeTwin, HandMadeSpecsHaveTheTwinsThatAreMadeNow) {
  for (const KernelSpec &spec : {fake::scale_spec(), gemm_subject(512).spec, variance_subject().spec,
                                 elementwise_subject().spec, accumulate_spec()}) {
    const Twin made = make_twin(spec);
    EXPECT_EQ(made.missing, "") << spec.name;
    EXPECT_EQ(made.source, spec.twin.source);
    EXPECT_EQ(made.instantiation, spec.twin.instantiation);
    EXPECT_EQ(made.types, spec.twin.types);
    EXPECT_EQ(made.sixteen, spec.twin.sixteen) << spec.name;
  }
}

TEST(MakeTwin, TemplateArgumentsAreTypesToo) {
  auto spec = fake::scale_spec();
  spec.instantiation = "scale<__half, 4>";
  spec.slice =
      "#include <cuda_fp16.h>\n"
      "template <class T, int N> __global__ void scale(const T *x, T *y, float a, int, int) { y[0] = x[0] * "
      "T(a); }\n";
  for (Parameter &parameter : spec.parameters)
    if (parameter.pointer) parameter.type = parameter.const_pointee ? "const __half *" : "__half *";
  spec.namespaces = {};
  spec.twin = make_twin(spec);
  EXPECT_EQ(twin_missing(spec), "");
  const std::string entry = twin_entry(spec);
  EXPECT_THAT(entry, HasSubstr("scale<cupilot_twin___half, 4>"));
  EXPECT_THAT(entry, HasSubstr("(4 * call->shared_bytes)"));
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
  auto spec = scale_of("ns::Particle", ElementType::opaque);
  spec.slice =
      "namespace ns { struct Particle { float x, y; int kind; }; }\n"
      "__global__ void scale(const ns::Particle *__restrict__ x) {}\n";
  spec.namespaces = {};
  spec.parameters.resize(1);
  EXPECT_EQ(make_twin(spec).missing, "'x' holds 'ns::Particle', whose members cannot be widened");
  spec = fake::scale_spec();
  spec.slice =
      "namespace demo { namespace {\n"
      "__global__ void scale(const REAL *x, REAL *y, REAL a, int rows, int cols) {}\n}}\n";
  spec.command.flags.push_back("-DREAL=float");
  EXPECT_THAT(make_twin(spec).missing, HasSubstr("-DREAL=float"));
}

TEST(TwinWords, EveryMarkedNameOfThePreludeIsKnown) {
  const std::string all =
      promoted_in("float *x, float *y, unsigned short u, half2 p",
                  "expf(*x); __fmaf_rn(*x, 1, 2); __float2uint_ru(*x); make_float4(1, 2, 3, 4); __ldg(x); "
                  "atomicAdd(y, 1);\n"
                  "__shfl_xor_sync(~0u, *x, 1); __half2float(__ushort2half_rz(u)); h2exp(__hadd2(p, p));\n"
                  "__hisinf(__low2half(p)); float3 f; double sum = exp(1.0) + sqrt(2.0);");
  for (const char *word :
       {"expf", "__fmaf_rn", "__float2uint_ru", "make_float4", "__ldg", "atomicAdd", "__shfl_xor_sync",
        "__half2float", "__ushort2half_rz", "__hadd2", "h2exp", "__low2half", "__hisinf", "float3"})
    EXPECT_THAT(all, HasSubstr("cupilot_twin_" + std::string(word))) << word;
  EXPECT_THAT(all, HasSubstr("double sum = exp(1.0) + sqrt(2.0);"));
  EXPECT_TRUE(twin_of(in_function("__half h", "__hfma(h, h, h);")).sixteen);
  EXPECT_FALSE(twin_of(in_function("float x", "expf(x);")).sixteen);
}

}  // namespace
}  // namespace cupilot
