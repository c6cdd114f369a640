// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/static_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace cupilot::judge::screen {
namespace {

constexpr std::string_view kMemory = "allocates memory; use l.scratch(bytes)";
constexpr std::string_view kCopy = "copies memory; use a kernel, or cudaMemsetAsync on l.stream";
constexpr std::string_view kStreams = "makes or changes streams, events or graphs; all work goes to l.stream";
constexpr std::string_view kSync = "waits; a launch must return at once and be capturable in a graph";
constexpr std::string_view kErrors = "takes errors that belong to the caller";
constexpr std::string_view kRuntime = "is a call of the CUDA runtime that variants may not make";
constexpr std::string_view kDriver = "is a call of the CUDA driver";
constexpr std::string_view kLibrary = "calls a library; a variant is CUDA C++ of its own";
constexpr std::string_view kSystem = "reaches the system";
constexpr std::string_view kOutput = "prints";
constexpr std::string_view kState = "keeps state between launches";
constexpr std::string_view kClock = "reads a clock";
constexpr std::string_view kWhere =
    "asks where and when it is compiled; what is judged and what is built must be the same, so leave it "
    "out";
constexpr std::string_view kAsserts =
    "prints where it was compiled when it fails; decline in launch() instead, or use static_assert";
constexpr std::string_view kStops = "stops the device; decline in launch() instead";
constexpr std::string_view kCache = "asks the cache to keep data beyond the launch";
constexpr std::string_view kCaller =
    "asks where it is called from; the judge and a program call it from different places, so leave it out";
constexpr std::string_view kCompiler = "is a name of the compiler's own";
constexpr std::string_view kThrows =
    "keeps memory from one launch to the next, where an exception finds what the last one left; return false";
constexpr std::string_view kDiscards = "throws away memory that others may still read; leave it as it is";
constexpr std::string_view kBuiltin =
    "is a function of the compiler that is not known to be the same for the judge and in a program";
constexpr std::string_view kMasks =
    "compares without a condition: whether both answers were seen cannot be told, so write the comparison "
    "out";
constexpr std::string_view kJudge = "is a name of the judge; give what is yours another name";

/// Names that share a reason, separated by blanks; a * matches any text.
struct RuleGroup {
  std::string_view reason;  ///< empty: the names are allowed
  std::string_view names;
};

/// The first group that contains a name decides.
constexpr RuleGroup kRules[] = {
    {{},
     "cudaSuccess cudaError* cudaStream_t cudaFuncSetAttribute cudaFuncAttribute* cudaFuncSetCacheConfig "
     "cudaFuncCache* "
     "cudaOccupancy* cudaGetDevice cudaDeviceGetAttribute cudaDevAttr* cudaMemsetAsync cudaPeekAtLastError "
     "cudaLaunchKernel* cudaLaunchConfig_t cudaLaunchAttribute* cudaSharedmemCarveout* "
     "cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion"},
    {kMemory, "cudaMalloc* cudaFree* cudaHostAlloc cudaMemPool* malloc calloc realloc free new delete"},
    {kCopy, "cudaMemcpy* cudaMemset* cudaMemPrefetch*"},
    {kSync, "cuda*Synchronize cudaStreamWait* cudaStreamQuery cudaEventQuery"},
    {kStreams, "cudaStream* cudaEvent* cudaGraph* cudaCtx*"},
    {kErrors, "cudaGetLastError"},
    {kDriver,
     "cuCtx* cuModule* cuLibrary* cuLaunch* cuMem* cuStream* cuEvent* cuGraph* cuLink* cuDevice* cuInit "
     "cuFunc* cuKernel* "
     "cuGetProcAddress* nvrtc* nvJitLink*"},
    {kLibrary, "cublas* cudnn* cufft* cusparse* cusolver* cutensor* nccl* thrust npp*"},
    {kSystem,
     "dlopen dlsym dlmopen dl_iterate_phdr system popen fork vfork execl* execv* posix_spawn* syscall ptrace "
     "mmap mprotect "
     "getenv secure_getenv setenv putenv environ fopen freopen fdopen pthread_* setjmp longjmp _exit "
     "quick_exit atexit "
     "raise sigaction backtrace usleep nanosleep __libc_* exit abort remove rename tmpfile tmpnam mkstemp "
     "mkdtemp "
     "fclose fwrite fread setvbuf realpath timer_create"},
    {kOutput, "printf fprintf vprintf vfprintf dprintf puts putchar fputs fputc putc perror"},
    {kState,
     "__constant__ __managed__ thread_local __thread rand srand rand_r random srandom *rand48 strtok"},
    {kClock, "clock clock64 __rdtsc* __builtin_ia32* globaltimer* __globaltimer* clock_gettime gettimeofday"},
    {kJudge, "CupilotCall cupilot_* CUPILOT_*"},
    {kWhere,
     "__has_include __has_include_next __has_embed __INCLUDE_LEVEL__ __BASE_FILE__ __FILE__ __FILE_NAME__ "
     "__TIME__ __DATE__ __TIMESTAMP__ __COUNTER__ __LINE__ __builtin_FILE __builtin_FUNCTION __builtin_LINE "
     "__builtin_source_location __PIC__ __PIE__ __pic__ __pie__ __CUDA_ARCH_LIST__ __func__ __FUNCTION__ "
     "__PRETTY_FUNCTION__ __FUNCSIG__ __builtin_COLUMN source_location __cpp_lib_* __glibcxx_* typeid "
     "type_info"},
    {kCaller,
     "__builtin_return_address __builtin_frame_address __builtin_extract_return_addr "
     "__builtin_frob_return_addr "
     "__builtin_dwarf_cfa __builtin_apply* __builtin_unwind_init __builtin_eh_return* "
     "__builtin_init_dwarf_reg* "
     "__builtin_stack_* __builtin_thread_pointer __builtin_set_thread_pointer __builtin_setjmp "
     "__builtin_longjmp "
     "_Unwind_*"},
    {kMasks, "__vcmp* __vset*"},
    {kAsserts, "assert assert_perror __assert*"},
    {kStops, "__trap __brkpt __builtin_trap"},
    {kThrows, "throw try catch"},
    {kDiscards, "discard_memory"},
    {kCache, "access_property annotated_ptr apply_access_property associate_access_property"},
    {kCompiler,
     "__sanitizer_* __cuda* __nv_inited* __nv_fatbinhandle* __nv_dummy* ____nv_* __nv_cudaEntity* "
     "__device_stub* "
     "__fatDeviceText* main"},
};

/// Symbols that a built library may import besides the calls above: those that compiler and launch header use
/// (nvcc makes a host function that calls exit from each __device__ function), and pure functions.
constexpr std::string_view kLinked =
    "__cudaRegister* __cudaUnregister* __cudaInitModule __cudaPushCallConfiguration "
    "__cudaPopCallConfiguration __cudaLaunchKernel* __cudaGetKernel cudaGetLastError cudaMallocAsync "
    "cudaFreeAsync cudaFuncGetAttributes "
    "__cxa_* _Unwind_* __gxx_personality_v0 __gmon_start__ _ITM_* __stack_chk_fail __assert_fail abort exit "
    "atexit exit "
    "memcpy memmove memset memcmp strlen __memcpy_chk __memset_chk _ZSt9terminatev "
    "_ZSt17__throw_bad_allocv _ZSt20__throw_length_errorPKc _ZTVN10__cxxabiv1* "
    "sqrt* cbrt* exp* log* pow* sin* cos* tan* ceil* floor* round* trunc* fmod* fmax* fmin* fabs* hypot* "
    "rint* nearbyint* ldexp* frexp* erf* atan* asin* acos* lround* llround* lrint* div* abs labs";

/// Names of the compiler in capitals with the same meaning for the judge and in a build: the launcher gives a
/// kernel's body only to the compilation for the variant's own architecture.
constexpr std::string_view kSameEverywhere =
    "__CUDA_ARCH__ __CUDA_ARCH_FEAT_* __CUDA_ARCH_SPECIFIC__ __CUDA_ARCH_FAMILY_SPECIFIC__ __CUDACC__ "
    "__NVCC__ __VA_ARGS__ __VA_OPT__ __NV_E* __NV_SATFINITE __NV_NOSAT";

/// They differ between the judge and later builds: version_check.h.
constexpr std::string_view kVersions =
    "__CUDACC_VER_* __NVCC_DIAG_PRAGMA_SUPPORT__ __GNUC__ __GNUC_* __GNUG__ __clang__ __clang_* __VERSION__ "
    "__cplusplus __STDC_VERSION__ __cpp_* CUDA_VERSION CUDART_VERSION NDEBUG";

/// Words of the language between underscores.
constexpr std::string_view kReservedWords =
    "__global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ __launch_bounds__ "
    "__cluster_dims__ __maxnreg__ __block_size__ __nv_pure__ __forceinline__ __noinline__ __inline__ "
    "__restrict__ __align__ __builtin_align__ __noreturn__ __attribute__ __asm__ __volatile__ __const__ "
    "__signed__ __extension__ __typeof__ __alignof__ __local__ __unroll__";

/// What else a condition may ask for.
constexpr std::string_view kInConditions = "defined true false and or not";

constexpr std::string_view kKeywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t "
    "class "
    "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue "
    "decltype "
    "default delete do double dynamic_cast else enum explicit export extern false final float for friend "
    "goto if "
    "import inline int long module mutable namespace new noexcept not not_eq nullptr operator or or_eq "
    "override "
    "private protected public register reinterpret_cast requires return short signed sizeof static "
    "static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid typename union "
    "unsigned "
    "using virtual void volatile wchar_t while xor xor_eq defined";

/// Of CUDA, and what the judge's entry and the launcher's guard are written with.
constexpr std::string_view kGenerated =
    "cuda* std size_t dim3 gridDim blockDim blockIdx threadIdx warpSize cupilot* Cupilot* launch Launch "
    "Signature "
    "Checked Number Reason Kernel Entry EntryTable detail integer number between among same holds call "
    "entries table "
    "grid block stream shared_bytes scratch_bytes scratch kernel launched status error swapped declined "
    "assumption_broken outside_domain outside_boxes other_configuration";

/// Functions of the compiler that compute from their arguments alone. Others ask for the caller, the stack,
/// the thread or the processor, or are functions of the C library by another name.
constexpr std::string_view kPureBuiltins =
    "__builtin_assume* __builtin_expect* __builtin_unreachable __builtin_choose_expr "
    "__builtin_types_compatible_p __builtin_is* __builtin_offsetof __builtin_launder __builtin_addressof "
    "__builtin_bit_cast __builtin_memcpy __builtin_memmove __builtin_memset __builtin_memcmp "
    "__builtin_prefetch "
    "__builtin_clz* __builtin_ctz* __builtin_ffs* __builtin_clrsb* __builtin_popcount* __builtin_parity* "
    "__builtin_bswap* __builtin_bitreverse* __builtin_rotate* __builtin_add_overflow* "
    "__builtin_sub_overflow* "
    "__builtin_mul_overflow* __builtin_inf* __builtin_nan* __builtin_huge_val* __builtin_signbit* "
    "__builtin_copysign* __builtin_abs __builtin_labs __builtin_llabs __builtin_fabs* __builtin_fm* "
    "__builtin_sqrt* __builtin_cbrt* __builtin_exp* __builtin_log* __builtin_pow* __builtin_sin* "
    "__builtin_cos* "
    "__builtin_tan* __builtin_erf* __builtin_floor* __builtin_ceil* __builtin_round* __builtin_trunc* "
    "__builtin_rint* __builtin_nearbyint* __builtin_lround* __builtin_llround* __builtin_lrint* "
    "__builtin_ldexp* __builtin_frexp* __builtin_hypot*";

/// Only after `std::`.
constexpr RuleGroup kStandardRules[] = {
    {kSystem,
     "source_location thread jthread async ofstream ifstream fstream filesystem exit abort terminate"},
    {kOutput, "cout cerr print*"},
    {kClock, "chrono"},
    {kState, "call_once"},
    {kMemory, "make_unique make_shared vector map unordered_map string function"},
};

bool matches(std::string_view pattern, std::string_view name) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  const auto before = pattern.substr(0, star), after = pattern.substr(star + 1);
  return name.size() >= before.size() + after.size() && name.starts_with(before) && name.ends_with(after);
}

bool has(const RuleGroup &group, std::string_view name) {
  for (std::size_t from = 0; from < group.names.size();) {
    const auto end = std::min(group.names.find(' ', from), group.names.size());
    if (matches(group.names.substr(from, end - from), name)) return true;
    from = end + 1;
  }
  return false;
}

const RuleGroup *group_of(std::span<const RuleGroup> groups, std::string_view name) {
  const auto found = std::ranges::find_if(groups, [&](const RuleGroup &group) { return has(group, name); });
  return found == groups.end() ? nullptr : &*found;
}

}  // namespace

std::optional<std::string_view> why_forbidden(std::string_view name, bool qualified) {
  const auto *group = qualified ? group_of(kStandardRules, name) : nullptr;
  if (!group) group = group_of(kRules, name);
  if (group) return group->reason.empty() ? std::nullopt : std::optional(group->reason);
  if (name.starts_with("__builtin_") && !has({{}, kPureBuiltins}, name)) return kBuiltin;
  // The runtime gets new functions; one that is not known to be harmless is forbidden.
  return is_unknown_runtime_name(name) ? std::optional(kRuntime) : std::nullopt;
}

bool is_unknown_runtime_name(std::string_view name) {
  const bool runtime =
      name.starts_with("cuda") && name.size() > 4 && std::isupper(static_cast<unsigned char>(name[4]));
  return runtime && !group_of(kRules, name);
}

bool could_be_macro(std::string_view name) {
  return name.contains("__") || name.starts_with("CUPILOT") || name.starts_with("assert");
}

bool is_unknown_reserved_name(std::string_view name) {
  constexpr std::size_t kShortest = 4;  // `_T` is a habit, and no include guard
  const auto letter = std::min(name.find_first_not_of('_'), name.size());
  const bool capitals = std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  const bool reserved = letter > 0 && letter < name.size() && name[letter] >= 'A' && name[letter] <= 'Z';
  const bool between = name.size() > kShortest && name.starts_with("__") && name.ends_with("__");
  return ((reserved && capitals && name.size() >= kShortest) || between) &&
         !has({{}, kSameEverywhere}, name) && !has({{}, kReservedWords}, name) && !is_version(name);
}

std::optional<std::string_view> why_no_macro(std::string_view name) {
  const bool capital = name.size() > 1 && name[1] >= 'A' && name[1] <= 'Z';
  if (name.contains("__") || (name.starts_with('_') && capital))
    return "its name is reserved for the compiler";
  if (name.starts_with("CUPILOT")) return "it is a name of the judge";
  if (has({{}, kKeywords}, name)) return "it is a keyword of C++";
  if (has({{}, kGenerated}, name)) return "CUDA or generated code uses this name";
  return std::nullopt;
}

bool may_be_in_condition(std::string_view name) {
  return has({{}, kSameEverywhere}, name) || has({{}, kInConditions}, name) || is_version(name);
}

bool is_version(std::string_view name) {
  // Macros of the library's features are forbidden wherever they stand.
  return has({{}, kVersions}, name) && !name.starts_with("__cpp_lib_");
}

std::optional<std::string_view> why_symbol_forbidden(std::string_view symbol) {
  if (has({{}, kLinked}, symbol)) return std::nullopt;
  const auto *group = group_of(kRules, symbol);
  if (group && group->reason.empty()) return std::nullopt;
  return group ? group->reason : "the host side of a variant may not call";
}

std::optional<std::string_view> why_directive_forbidden(std::string_view directive) {
  static constexpr std::array<std::string_view, 10> allowed{"pragma", "define", "undef", "if",    "ifdef",
                                                            "ifndef", "elif",   "else",  "endif", "error"};
  if (directive.starts_with("include"))
    return "a variant may not include anything; it sees what its kernel's file includes";
  if (directive.starts_with("elif") && directive != "elif")
    return "compilers skip it when they are older than C++23; write #elif defined(NAME)";
  if (directive == "line") return "#line would hide where an error is";
  if (std::ranges::find(allowed, directive) == allowed.end()) return "this directive is not allowed";
  return std::nullopt;
}

}  // namespace cupilot::judge::screen
