// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/static_check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "annotate/support/text.h"
#include "evolution/model/limits.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::screen;
using namespace model;
namespace {

using fake::scale_spec;
using fake::scale_variant;
using testing::HasSubstr;

std::string static_reasons(const std::string &variant) {
  std::vector<std::string> all;
  for (const auto &finding : static_findings(variant, scale_spec()))
    all.push_back(std::to_string(finding.line) + ": " + finding.reason);
  return join(all, "\n");
}
std::string in_launch(const std::string &statement) {
  return replace_all(scale_variant(), "  const int n", "  " + statement + "\n  const int n");
}

TEST(StaticCheck, LetsAnHonestVariantThrough) {
  EXPECT_EQ(static_reasons(scale_variant()), "");
  EXPECT_EQ(
      static_reasons("namespace { struct Pair { float a, b; static __device__ int two() { return 2; } static "
                     "constexpr int kTwo = 2; };\ntemplate <int N> __device__ float twice(float "
                     "v) { return v * N; } }\n" +
                     scale_variant("#pragma unroll\nconstexpr float kTable[2] = {1, 2};\n")),
      "");
}

TEST(StaticCheck, FindsQuestionsAboutTheProgramAroundIt) {
  const std::string probe = "template <class T, int = sizeof(T)> constexpr int f(int) { return 1; }\n";
  for (const std::string bad :
       {"constexpr int k = f<struct Particle>(0);\n", "struct Particle;\n",
        "enum class Mode : int;\nclass Other *p();\n", "struct [[gnu::packed]] Particle;\n"})
    EXPECT_THAT(static_reasons(scale_variant(probe + bad)), HasSubstr("that the variant does not define"))
        << bad;
  EXPECT_THAT(static_reasons(scale_variant("template <class T> constexpr auto f(const T *t, int) -> "
                                           "decltype(elements(t, 0), 0) { return 1; }\n")),
              HasSubstr("asks whether 'elements' can be called"));
}

TEST(StaticCheck, ItsOwnTypesAndFunctionsAreNoQuestions) {
  for (const std::string good :
       {"struct Pair;\n__device__ float sum(const struct Pair *p);\nstruct Pair { float a, b; };\n",
        "enum class Mode { one, two };\nenum Kind : int { kA };\nconstexpr enum Kind kKind = kA;\n",
        "template <class T, class U> struct Box;\ntemplate <class T> struct Box<T, int> { T t; };\n",
        "struct alignas(8) Two { float a, b; };\nstruct [[gnu::packed]] Three { float a; };\n",
        "__device__ float one(float v) { return v; }\nusing Real = decltype(one(1.f));\n",
        "using Real = decltype(sqrtf(1.f) + fmaxf(1.f, 2.f));\nusing Four = decltype(make_float4(0, 0, 0, "
        "0));\n",
        "template <class F> auto call(F f) -> decltype(f(1)) { return f(1); }\n"})
    EXPECT_EQ(static_reasons(scale_variant(good)), "") << good;
}

TEST(StaticCheck, WordsInCommentsAndStringsDoNotCount) {
  EXPECT_EQ(static_reasons(scale_variant("// cudaMalloc is not used, #include neither\n/* system */\n")), "");
}

struct Refusal {
  const char *name, *variant_part, *reason;
  int later = 0;  ///< lines from the first line of the part
};
class StaticCheckRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(StaticCheckRefuses, WithLineAndReason) {
  const std::string found = static_reasons(scale_variant(std::string(GetParam().variant_part) + "\n"));
  EXPECT_THAT(found, HasSubstr(fmt::format("{}: {}", 2 + GetParam().later, GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(
    AtNamespaceScope, StaticCheckRefuses,
    testing::Values(
        Refusal{"Include", "#include <thrust/sort.h>", "#include: a variant may not include anything"},
        Refusal{"SplicedInclude", "#inc\\\nlude <x>", "#include: a variant may not"},
        Refusal{"DeviceState", "__device__ int calls;", "a variable outside functions keeps state"},
        Refusal{"HostState", "int calls = 0;", "a variable outside functions keeps state"},
        Refusal{"StaticState", "static float *cache = nullptr;", "a variable outside functions keeps state"},
        Refusal{"MutablePointer", "const float *last;", "a variable outside functions keeps state"},
        Refusal{"ConstantMemory", "__constant__ float table[4];", "'__constant__' keeps state"},
        Refusal{"External", "extern int other;", "extern reaches outside the variant"},
        Refusal{"StaticLocal", "inline int f() { static int n = 0; return ++n; }",
                "a static variable keeps state"},
        Refusal{"Allocation", "inline void f(float **p) { cudaMalloc(p, 4); }",
                "'cudaMalloc' allocates memory; use l.scratch"},
        Refusal{"Copy", "inline void f() { cudaMemcpyAsync(0, 0, 4, cudaMemcpyDefault, 0); }",
                "'cudaMemcpyAsync' copies"},
        Refusal{"Stream", "inline void f(cudaStream_t *s) { cudaStreamCreate(s); }",
                "'cudaStreamCreate' makes or changes"},
        Refusal{"Synchronise", "inline void f() { cudaDeviceSynchronize(); }",
                "'cudaDeviceSynchronize' waits"},
        Refusal{"UnknownRuntimeCall", "inline void f() { cudaImportExternalMemory(); }",
                "'cudaImportExternalMemory' is a call"},
        Refusal{"Driver", "inline void f() { cuModuleLoad(0, \"x\"); }",
                "'cuModuleLoad' is a call of the CUDA driver"},
        Refusal{"Library", "inline void f() { cublasSgemm(); }", "'cublasSgemm' calls a library"},
        Refusal{"LoadsCode", "inline void f() { dlopen(\"x\", 1); }", "'dlopen' reaches the system"},
        Refusal{"Shell", "inline void f() { std::system(\"true\"); }", "'system' reaches the system"},
        Refusal{"Thread", "inline void f() { std::thread t; }", "'thread' reaches the system"},
        Refusal{"Prints", "__device__ void f() { printf(\"x\"); }", "'printf' prints"},
        Refusal{"ExtendedPrecision", "inline bool f(long const double x) { return x > 1; }",
                "long double is as precise as the program has set its processor to"},
        Refusal{"ExtendedLiteral", "constexpr double k = 1 + 0x1p-60L;", "long double is as precise as"},
        Refusal{"HostAssembly", "inline void f() { asm volatile(\"nop\"); }", "assembly in host code"},
        Refusal{"HostMemberAssembly", "struct S { void f() { asm(\"nop\"); } };",
                "assembly outside a device function"},
        Refusal{"MemberOfBoth", "struct S { __host__ __device__ void f() { asm(\"nop\"); } };",
                "assembly outside a device function"},
        Refusal{"InitialisedByAssembly", "struct S {\nint a = [] { asm(\"nop\"); return 0; }();\n};",
                "assembly outside a device function", 1},
        Refusal{"HostMemberOfALocalType",
                "__device__ auto f() {\nstruct L { static void g() { asm(\"nop\"); } };\nreturn L{}; }",
                "assembly outside a device function", 1},
        Refusal{"HostMemberOfALocalTypeWithABase",
                "__device__ auto f() {\nstruct alignas(16) L : B<(1 > 0), int> { static void g() { "
                "asm(\"nop\"); } "
                "};\nreturn L{}; }",
                "assembly outside a device function", 1},
        Refusal{"HostMemberOfAMember",
                "struct S { struct T {\nint f() { asm(\"nop\"); return 1; } };\n__device__ void g(); };",
                "assembly outside a device function", 1},
        Refusal{"TopLevelAssembly", "asm(\".globl x\");", "assembly outside a device function"},
        Refusal{"ReadsAClock",
                "__device__ void f() { long t; asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(t)); }",
                "a string is assembly that reads a clock"},
        Refusal{"Constructor", "__attribute__((constructor)) void f() {}",
                "the attribute 'constructor' is not allowed"},
        Refusal{"TokenPaste", "#define GLUE(a, b) a##b", "## makes names"},
        Refusal{"LeakingMacro", "#define TILE 32", "the macro 'TILE' outlives the variant"},
        Refusal{"ClosesTheNamespace", "} int x; namespace y {", "unbalanced '}'"},
        Refusal{"LeavesABraceOpen", "namespace y {", "unbalanced '{'"},
        Refusal{"StaticPointerToConst",
                "inline void f(const int *x) { static const int *last = x; (void)last; }",
                "a static variable keeps state"},
        Refusal{"StaticConstOnTheHost", "inline int f(int n) { static const int first = n; return first; }",
                "a static variable keeps state"},
        Refusal{"MutableMember", "struct S { mutable int n; }; const S calls{};",
                "a mutable member keeps state"},
        Refusal{"InitialisedByACall", "int f(); const int early = f();",
                "a constant that is initialised by a call"},
        Refusal{"InitialisedByALambda", "const int early = [] { return 1; }();",
                "a constant that is initialised by a call"},
        Refusal{"Removes", "inline void f() { ::remove(\"verdict.json\"); }", "'remove' reaches the system"},
        Refusal{"Counts", "inline int f() { return rand(); }", "'rand' keeps state"},
        Refusal{"StaticMember", "struct S { inline static int n = 0; };", "a static variable keeps state"},
        Refusal{"StateInALambda", "const auto f = [] { static int n = 0; return ++n; };",
                "a static variable keeps state"},
        Refusal{"BranchesThatDoNotMatch", "#if 0\n{\n#endif\n}", "brackets must match inside each"},
        Refusal{"UnendedBranch", "#if 0", "this #if has no #endif"},
        Refusal{"Digraph", "%:include <x>", "digraphs are not allowed"},
        Refusal{"UniversalName", "inline void f(float **p) { cuda\\u004dalloc(p, 4); }",
                "a backslash outside"},
        Refusal{"Pragma", "#pragma weak launch", "#pragma weak is not allowed"},
        Refusal{"IncludesWithTheAssembler",
                "__device__ void f() { asm(\".inc\" \"bin \\\"/etc/passwd\\\"\"); }",
                "a string that reads a file while it is compiled ('.incbin')"},
        Refusal{
            "ClockInPieces",
            "__device__ void f() { long t; asm volatile(\"mov.u64 %0, %glob\" \"altimer;\" : \"=l\"(t)); }",
            "a string is assembly that reads a clock"},
        Refusal{"ClockInEscapes",
                "__device__ void f() { long t; asm volatile(\"mov.u64 %0, %cl\\157ck64;\" : \"=l\"(t)); }",
                "a string is assembly that reads a clock"},
        Refusal{"StaysInTheCache",
                "__device__ void f(void *p) { asm volatile(\"prefetch.global.L2::evict_last [%0];\" :: "
                "\"l\"(p)); }",
                "a string that asks the cache to keep data beyond the launch"},
        Refusal{"AssemblyForBothSides", "__host__ __device__ void f() { asm(\"nop;\"); }",
                "assembly in host code"},
        Refusal{"PragmaInAString", "_Pragma(\"push_macro(\\\"x\\\")\") int f();", "_Pragma may say"},
        Refusal{"StateInAMacro", "#define KEEP static int calls\n#undef KEEP",
                "the macro 'KEEP' hides 'static'"},
        Refusal{"HidesFromCoverage", "__attribute__((noinline, no_sanitize_coverage)) int f();",
                "the attribute 'no_sanitize_coverage' is not allowed"},
        Refusal{"AttributeOfAType", "struct __attribute__((aligned(16), __weak__)) T {};",
                "the attribute 'weak' is not allowed"},
        Refusal{"NewAttribute", "[[nodiscard, gnu::optimize(\"O0\")]] int f();",
                "the attribute 'optimize' is not allowed"},
        Refusal{"AttributeBehindAHead", "int f() [[gnu::no_sanitize_coverage]];",
                "the attribute 'no_sanitize_coverage' is not allowed"},
        Refusal{"AttributesOfOneVendor", "[[using gnu: cold, naked]] int f();",
                "the attribute 'naked' is not allowed"},
        Refusal{"KnownToTheCompiler", "__device__ bool f(int n) { return __builtin_constant_p(n); }",
                "'__builtin_constant_p' is a function of the compiler"},
        Refusal{"AttributeInAMacro", "#define EARLY __attribute__((constructor))\n#undef EARLY",
                "the macro 'EARLY' hides '__attribute__'"},
        Refusal{"LaunchInAMacro", "#define GO scale_one<<<1, 1>>>\n#undef GO", "the macro 'GO' hides '<<<'"},
        Refusal{"BracketInAMacro", "#define OPEN {\n#undef OPEN", "brackets must match inside the macro"},
        Refusal{"LooksForFiles", "#if __has_include(\"/etc/passwd\")\n#endif",
                "'__has_include' asks where and when"},
        Refusal{"AsksWhere", "constexpr const char *kFile = __FILE__;", "'__FILE__' asks where and when"},
        Refusal{"Embeds", "#embed \"/etc/passwd\"", "#embed: this directive"},
        Refusal{"Managed", "__managed__ int n;", "'__managed__' keeps state"},
        Refusal{"Texture", "inline void f(cudaTextureObject_t t) {}", "'cudaTextureObject_t' is a call"},
        Refusal{"Stops", "__device__ void f() { __trap(); }", "'__trap' stops the device"},
        Refusal{"ErrorsForTheRestOfTheFile", "#pragma nv_diag_error 177",
                "#pragma nv_diag_error is not allowed"},
        Refusal{"ComparesToAMask", "__device__ void f() { asm(\"{ set.eq.u32.s32 %0, %1, %2; }\"); }",
                "assembly that compares without a predicate ('set')"},
        Refusal{"ComparesBytes", "__device__ unsigned f(unsigned n) { return __vcmpeq4(n, 7); }",
                "'__vcmpeq4' compares without a condition"},
        Refusal{"StopsByAssembly", "__device__ void f() { asm(\"@p tr\" \"ap;\"); }",
                "a string that stops the device ('trap')"},
        Refusal{"CompilersName", "namespace __nv_inited { inline int n() { return 1; } }",
                "'__nv_inited' is a name of the compiler's own"},
        Refusal{"Main", "int main() { return 0; }", "'main' is a name of the compiler's own"},
        Refusal{"OwnNew", "void *operator new(size_t n);", "'new' allocates"},
        Refusal{"TimeStampCounter", "inline long f() { return __builtin_ia32_rdtsc(); }",
                "'__builtin_ia32_rdtsc' reads a clock"},
        Refusal{"TheOriginal", "inline void f(cudaStream_t s) { scale<<<1, 1, 0, s>>>(0, 0, 0, 0, 0); }",
                "launches 'scale', the kernel it replaces"},
        Refusal{"CommentThatGoesOn", "/\\\n/ \\ \n", "a line continuation may stand only between words"},
        Refusal{"NameOnTwoLines", "constexpr int tw\\ \no = 2;", "a line continuation may stand only"},
        Refusal{"StringOnTwoLines", "constexpr char k[] = \"a\\\nb\";", "a line continuation may stand only"},
        Refusal{"Trigraph", "// what is this?\?/\n#include <x>", "'?\?/' is a trigraph"},
        Refusal{"TrigraphInAString", "constexpr char k[] = \"?\?(\";", "'?\?(' is a trigraph"},
        Refusal{"CarriageReturn", "// a\r#include <x>", "the control character 0x0d"},
        Refusal{"BracketDigraph", "inline int f(int *x) { return x<:0]; }",
                "digraphs are not allowed ('<:')"},
        Refusal{"BraceDigraph", "inline void f() <% %>", "digraphs are not allowed ('<%')"},
        Refusal{"OtherLetters", "constexpr int na\u00efve = 1;",
                "the name 'na\u00efve' has other characters"},
        Refusal{"DollarName", "constexpr int $R = 1;", "the name '$R' has other characters"},
        Refusal{"OneMoreLineOfADirective", "#define X /*\n*/ __attribute__((weak))\n#undef X",
                "the macro 'X' hides"},
        Refusal{"ElseIfDefined", "#if 1\n#elifdef X\n#endif\n", "#elifdef: compilers skip it", 1},
        Refusal{"MacroOfAKeyword", "#define if while\n#undef if",
                "the macro 'if' may not be defined: it is a keyword"},
        Refusal{"MacroOfAReservedName", "#define __syncthreads() \n#undef __syncthreads",
                "the macro '__syncthreads' may not be defined: its name is reserved"},
        Refusal{"MacroOfTheJudge", "#define CUPILOT_ONCE\n#undef CUPILOT_ONCE",
                "the macro 'CUPILOT_ONCE' may not be defined: it is a name of the judge"},
        Refusal{"MacroOfTheGuard", "#define between(a, b) holds\n#undef between",
                "the macro 'between' may not be defined: CUDA or generated code uses this name"},
        Refusal{"MacroOfAParameter", "#define rows 4096\n#undef rows",
                "the macro 'rows' may not be defined: it is a parameter of the kernel"},
        Refusal{"UndefinedOnlySometimes", "#define TILE 4\n#if 0\n#undef TILE\n#endif",
                "the macro 'TILE' outlives the variant; use constexpr, or #undef it at the end, outside of "
                "any #if"},
        Refusal{"UndefinesAnothersMacro", "#undef USERS",
                "#undef of 'USERS', which is no macro of the variant"},
        Refusal{"AsksForAnUnknownMacro", "#ifdef USERS\n#endif", "#ifdef asks for 'USERS', which may differ"},
        Refusal{"AsksForAnIncludeGuard", "#ifdef _GLIBCXX_TUPLE\n#endif",
                "'_GLIBCXX_TUPLE' is a reserved name"},
        Refusal{"NamesAnIncludeGuard", "inline int f(int _GLIBCXX_TUPLE);",
                "'_GLIBCXX_TUPLE' is a reserved name"},
        Refusal{"AsksForTheJudge", "#ifdef CUPILOT_ONCE\n#endif", "'CUPILOT_ONCE' is a name of the judge"},
        Refusal{"PositionIndependent", "constexpr int k = __PIC__;", "'__PIC__' asks where and when"},
        Refusal{"AfterADot", "inline int f(S s) { return s.__PIE__; }", "'__PIE__' asks where and when"},
        Refusal{"AsksItsName", "inline const char *f() { return __PRETTY_FUNCTION__; }",
                "'__PRETTY_FUNCTION__' asks where and when"},
        Refusal{"AsksItsType", "inline bool f() { return typeid(int).name(); }",
                "'typeid' asks where and when"},
        Refusal{"AsksForItsPlace", "using namespace std; constexpr auto k = source_location::current();",
                "'source_location' asks where and when"},
        Refusal{"Asserts", "__device__ void f(int n) { assert(n); }",
                "'assert' prints where it was compiled"},
        Refusal{"ClockInALongEscape",
                "__device__ void f() { long t; asm volatile(\"mov.u64 %0, \\x00025\" \"clock64;\" : "
                "\"=l\"(t)); }",
                "a string is assembly that reads a clock"},
        Refusal{"ClockInPrefixedPieces",
                "__device__ void f() { long t; asm volatile(\"mov.u64 %0, %cl\" u8\"ock64;\" : \"=l\"(t)); }",
                "a string is assembly that reads a clock"},
        Refusal{"ClockAfterABackslash",
                "__device__ void f() { long t; asm volatile(\"mov.u64 %0, \\%clock64;\" : \"=l\"(t)); }",
                "a string is assembly that reads a clock"},
        Refusal{"AssemblyByMacro",
                "#define CPU(x) asm volatile(x)\ninline void f() { CPU(\"nop\"); }\n#undef CPU",
                "assembly in host code", 1},
        Refusal{"AssemblyByMacroOfAMacro",
                "#define CPU(x) __asm__(x)\n#define STEP CPU(\"nop\")\ninline void f() { STEP; }\n#undef "
                "CPU\n#undef "
                "STEP",
                "assembly in host code", 2},
        Refusal{"SuffixOfAString", "constexpr int k = \"a\"R\"(\"; asm(\"nop\"); constexpr auto e = \")\";",
                "a name stands right after a string"},
        Refusal{"OwnSuffix", "constexpr int operator\"\"_n(const char *, size_t n) { return n; }",
                "a name stands right after a string"},
        Refusal{"ThreadOfTheHost", "inline void *f() { return __builtin_thread_pointer(); }",
                "'__builtin_thread_pointer' asks where it is called from"},
        Refusal{"AsksForTheCaller", "inline void *f() { return __builtin_return_address(0); }",
                "'__builtin_return_address' asks where it is called from"},
        Refusal{"Throws", "inline void f() { throw 1; }", "'throw' keeps memory"},
        Refusal{"DiscardsLines",
                "__device__ void f(float *p) { asm volatile(\"discard.global.L2 [%0], 128;\" ::\"l\"(p)); }",
                "a string that throws away memory"},
        Refusal{"VariableOfAModule",
                "__device__ void f() { asm volatile(\"ret; }\\n.global .u32 n = 5; .func g() {\"); }",
                "a string that declares outside of functions ('.global')"},
        Refusal{"VariableByAString",
                "#define TEXT(x) #x\n__device__ void f() { asm volatile(\"ret; } \" TEXT(.global .u32 n = "
                "5;)); }\n"
                "#undef TEXT",
                "'.global' declares outside of functions", 1},
        Refusal{"JudgeName", "inline int f() { return cupilot_entry(0); }",
                "'cupilot_entry' is a name of the judge"}),
    [](const auto &refusal) { return refusal.param.name; });

TEST(StaticCheck, DeviceAssemblyIsAllowed) {
  EXPECT_EQ(static_reasons(scale_variant(
                "__device__ int lane() { int l; asm(\"mov.u32 %0, %laneid;\" : \"=r\"(l)); return l; }\n")),
            "");
}

TEST(StaticCheck, AssemblyInAMemberFunctionOfTheDeviceIsAllowed) {
  const std::string with_members =
      "template <int N> struct Tile : Base<N> {\n public:\n float v[N];\n"
      "  __device__ explicit Tile(float x) : first(x) { asm volatile(\"membar.cta;\"); }\n"
      "  __device__ float operator()(float x) const { asm(\"neg.f32 %0, %0;\" : \"+f\"(x)); return x; }\n"
      "  struct Lane { static __device__ unsigned id() { unsigned i; asm(\"mov.u32 %0, %%laneid;\" : "
      "\"=r\"(i)); return i; } };\n private:\n float first; };\n";
  EXPECT_EQ(static_reasons(scale_variant(with_members)), "");
  EXPECT_EQ(static_reasons(scale_variant("__device__ void f() { struct L { __device__ void g() { "
                                         "asm(\"bar.warp.sync -1;\"); } } l; l.g(); }\n")),
            "");
  EXPECT_EQ(
      static_reasons(scale_variant("struct S;\nstruct S { int i; };\n"
                                   "__device__ void f() { [](struct S *s) { asm(\"exit;\"); }(0); }\n")),
      "");
}

TEST(StaticCheck, TypesAreNotNestedWithoutEnd) {
  std::string nested;
  for (int i = 0; i < 1000; ++i) nested += "struct S" + std::to_string(i) + " {\n";
  for (int i = 0; i < 1000; ++i) nested += "};";
  EXPECT_THAT(static_reasons(scale_variant(nested)), HasSubstr("types are nested too deeply"));
}

TEST(StaticCheck, MacrosThatComputeAreAllowed) {
  EXPECT_EQ(static_reasons("#define SQUARE(x) ((x) * (x))\n#define UNROLL _Pragma(\"unroll\")\n"
                           "#define LANE(l) asm(\"mov.u32 %0, %laneid;\" : \"=r\"(l))\n"
                           "#define TABLE static constexpr int kTable[] = {1, 2}\n" +
                           scale_variant() + "#undef SQUARE\n#undef UNROLL\n#undef LANE\n#undef TABLE\n"),
            "");
}

/// Names of the kernel for other things, and types and helpers that look like what is forbidden.
TEST(StaticCheck, HonestNeighboursOfForbiddenThingsPass) {
  EXPECT_EQ(static_reasons(scale_variant("__device__ float f(float scale) { return scale * 2; }\n"
                                         "__device__ __nv_bfloat16 g(__nv_bfloat16 x) { return x; }\n"
                                         "constexpr const char *kNote = \"rated best by every judge\";\n"
                                         "using Index = unsigned; template <class T> using Pair = T[2];\n"
                                         "__device__ void wait() { __nanosleep(20); }\n")),
            "");
  EXPECT_EQ(static_reasons(
                scale_variant("#define WAIT(n) asm volatile(\"{ .reg .pred p; .shared .b32 s; bar.sync \" "
                              "#n \", 64; }\" ::: \"memory\")\n"
                              "__device__ void f(const float *p, float &v) {\n  WAIT(1);\n"
                              "  asm(\"ld.global.nc.f32 {%0}, [%1];\" : \"=f\"(v) : \"l\"(p));\n"
                              "  asm(\"cp.async.ca.shared.global [%0], [%1], 4;\" ::\"r\"(0), \"l\"(p));\n}\n"
                              "inline int top(unsigned n) { return 31 - __builtin_clz(n); }\n"
                              "inline bool odd(int n) { return __builtin_expect(n & 1, 0); }\n"
                              "#undef WAIT\n")),
            "");
}

TEST(StaticCheck, ConditionsThatMeanTheSameForJudgeAndBuildAreAllowed) {
  EXPECT_EQ(
      static_reasons("#define SUM(a, b) \\\n  ((a) + \\ \n   (b))\n#ifndef WIDE\n#define WIDE 4\n#endif\n"
                     "#if WIDE > 2 && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && defined(__CUDACC__)\n"
                     "#define FAST 1\n#elif WIDE > 1\n#define FAST 2\n#else\n#define FAST 0\n"
                     "#endif\n// a comment that goes on \\\n   here\n" +
                     scale_variant() + "#undef SUM\n#undef WIDE\n#undef FAST\n"),
      "");
  auto spec = scale_spec();
  const auto variant = scale_variant("#if USERS\n#endif\n");
  EXPECT_EQ(static_findings(variant, spec).size(), 1u);
  spec.slice += "#define USERS 1\n";
  EXPECT_TRUE(static_findings(variant, spec).empty());
}

TEST(StaticCheck, CodeMayNotDependOnVersions) {
  for (const char *asked : {"#ifdef NDEBUG", "#ifndef NDEBUG", "#if __CUDACC_VER_MAJOR__ > 13",
                            "#if CUDART_VERSION >= 14000", "#if __cplusplus > 202302L", "#if __GNUC__ < 5",
                            "#if defined(__clang__)", "#if 0\n#elif __cpp_constexpr > 202400"})
    EXPECT_THAT(static_reasons(fmt::format("{}\n#define HALF 1\n#endif\n", asked) + scale_variant() +
                               "#undef HALF\n"),
                HasSubstr("is another in later builds"))
        << asked;
  for (const char *name : {"NDEBUG", "__CUDACC_VER_MAJOR__", "CUDART_VERSION", "__cplusplus", "__GNUC__"})
    EXPECT_THAT(static_reasons(in_launch(fmt::format("const int some = {} > 1;", name))),
                HasSubstr(fmt::format("'{}' is another in later builds", name)));
  EXPECT_THAT(static_reasons(in_launch("const int some = __linux__;")),
              HasSubstr("'__linux__' is a reserved name"));
}

TEST(StaticCheck, VersionsMayEndTheBuildAndChooseHints) {
  for (const char *fine :
       {"#if CUDART_VERSION < 12000\n#error \"needs CUDA 12\"\n#endif\n",
        "#if __cplusplus >= 201703L\n#define WIDE 4\n#else\n#error \"needs C++17\"\n#endif\n#undef WIDE\n",
        "#if __GNUC__ > 8\n#define ALWAYS inline __forceinline__\n#else\n#define ALWAYS inline\n#endif\n"
        "#undef ALWAYS\n",
        "#ifdef NDEBUG\n#pragma nv_diag_suppress 177\n#endif\n"})
    EXPECT_EQ(static_reasons(fine + scale_variant()), "") << fine;
  for (const char *leak :
       {"#ifdef NDEBUG\n#define ALWAYS inline\n#endif\n#ifdef ALWAYS\n#define HALF\n#endif\n",
        "#if __GNUC__ > 8\n#define ALWAYS\n#else\n#define ALWAYS inline\n#endif\n",
        "#if __GNUC__ > 8\n#define ALWAYS __forceinline__\n#else\n#define ALWAYS inline\n#endif\n"
        "#define TEXT(x) #x\n",
        "#ifdef NDEBUG\n#if 0\n#error\n#endif\n#define HALF\n#endif\n"})
    EXPECT_THAT(static_reasons(leak + scale_variant()), HasSubstr("is another in later builds")) << leak;
}

TEST(StaticCheck, TheLastLineMayNotGoOn) {
  for (const char *end : {"// x \\", "// x \\\n", "// x \\ \r\n"})
    EXPECT_THAT(static_reasons(scale_variant() + end), HasSubstr("the variant ends in a line continuation"));
}

TEST(StaticCheck, AMacroThatIsUndefinedAgainIsAllowed) {
  EXPECT_EQ(static_reasons("#define TILE 32\n" + scale_variant() + "#undef TILE\n"), "");
}

TEST(StaticCheck, AllowedRuntimeCallsPass) {
  EXPECT_EQ(static_reasons(in_launch(
                "cudaFuncSetAttribute(scale_one, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);")),
            "");
  EXPECT_EQ(static_reasons(in_launch("if (cudaMemsetAsync(y, 0, 4, l.stream) != cudaSuccess) return false;")),
            "");
  EXPECT_EQ(
      static_reasons(in_launch("float *t = static_cast<float *>(l.scratch(64)); if (!t) return false;")), "");
}

TEST(StaticCheck, ARuntimeNameTheKernelItselfUsesPasses) {
  auto spec = scale_spec();
  const auto variant = scale_variant("using Texture = cudaTextureObject_t;\n");
  EXPECT_EQ(static_findings(variant, spec).size(), 1u);
  spec.slice += "__device__ float f(cudaTextureObject_t t);\n";
  EXPECT_TRUE(static_findings(variant, spec).empty());
  spec.slice += "// cudaDeviceSynchronize\nvoid g() { cudaDeviceSynchronize(); }\n";
  EXPECT_FALSE(static_findings(in_launch("cudaDeviceSynchronize();"), spec).empty());
}

TEST(StaticCheck, AsksForExactlyOneLaunch) {
  EXPECT_THAT(
      static_reasons("__global__ void k() {}\n"),
      HasSubstr("there is no `bool launch(const cupilot::Launch &l, const float *__restrict__ x, float "
                "*__restrict__ y, float a, int rows, int cols)`"));
  const auto twice = scale_variant() + "bool launch(const cupilot::Launch &l, int) { return false; }\n";
  EXPECT_THAT(static_reasons(twice), HasSubstr("launch() is defined twice"));
  EXPECT_THAT(static_reasons(replace_all(scale_variant(), "bool launch", "int launch")),
              HasSubstr("must be a plain function"));
}

TEST(StaticCheck, ChecksLaunchParameters) {
  EXPECT_THAT(static_reasons(replace_all(scale_variant(), ", int rows, int cols)", ", int rows)")),
              HasSubstr("launch() has 4 parameters after the Launch, the kernel 'demo.scale' has 5"));
  EXPECT_THAT(static_reasons(replace_all(scale_variant(), "float a, int rows", "float *a, int rows")),
              HasSubstr("parameter 3 of launch() must be `float`"));
  EXPECT_THAT(static_reasons(replace_all(scale_variant(), "const cupilot::Launch &l, ", "")),
              HasSubstr("the first parameter of launch()"));
}

TEST(StaticCheck, EveryLaunchNamesItsStream) {
  EXPECT_THAT(static_reasons(replace_all(scale_variant(), ", 0, l.stream>>>", ">>>")),
              HasSubstr("a launch without its stream"));
  EXPECT_THAT(
      static_reasons("bool launch(const cupilot::Launch &l, const float *x, float *y, float a, int rows, "
                     "int cols) { return true; }"),
      HasSubstr("the variant launches no kernel"));
}

TEST(StaticCheck, ComparisonsMayStandInALaunch) {
  for (const std::string grid : {"n < 1 ? 1 : n", "n > 1 ? n : 1", "(n >> 2) < 1 ? 1 : n >> 2"}) {
    const std::string variant = replace_all(scale_variant(), "<<<", "<<<" + grid + " + ");
    EXPECT_EQ(static_reasons(variant), "") << variant;
  }
  EXPECT_EQ(
      static_reasons(scale_variant("constexpr long kLong = 0xfL + 1'000L;\nconstexpr double kOne = 1.;\n"
                                   "using Long = long;\n")),
      "");
}

TEST(StaticCheck, SizeIsCapped) {
  EXPECT_THAT(static_reasons(scale_variant("//" + std::string(kMostVariantBytes, 'x') + "\n")),
              HasSubstr("at most 65536"));
}

TEST(StaticCheck, DamagedTextIsRefusedNotFatal) {
  const auto whole = scale_variant("template <int N> struct T { int a[N]; };\n#if 1\nR\"x()x\";\n#endif\n");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    (void)static_findings(whole.substr(0, i), scale_spec());
    (void)static_findings(whole.substr(i), scale_spec());
    (void)static_findings(whole.substr(0, i) + whole.substr(i + 1), scale_spec());
    const char wild = "<>(}\"\\#\n"[i % 8];
    (void)static_findings(whole.substr(0, i) + wild + whole.substr(i), scale_spec());
  }
  EXPECT_NE(static_reasons(whole.substr(0, whole.size() / 2)), "");
}

TEST(StaticCheck, TheVerdictCarriesAllFindings) {
  Individual individual;
  individual.id = "c0007";
  individual.variant = scale_variant();
  EXPECT_FALSE(static_check(individual, scale_spec()));
  individual.variant = scale_variant("#include <a>\nint state;\n");
  const auto verdict = static_check(individual, scale_spec());
  if (!verdict) FAIL() << "no verdict";
  EXPECT_EQ(verdict->candidate, "c0007");
  EXPECT_EQ(verdict->kind, VerdictKind::rejected);
  EXPECT_EQ(verdict->stage, "static");
  EXPECT_THAT(verdict->reason, HasSubstr("line 2: #include"));
  EXPECT_THAT(verdict->reason, HasSubstr("; line 3: a variable"));
}

}  // namespace
}  // namespace cupilot
