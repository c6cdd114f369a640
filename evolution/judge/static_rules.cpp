// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/static_rules.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cupilot {
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
constexpr std::string_view kJudge = "is a name of the judge";

struct Rule {
  std::string_view name;  ///< a trailing * stands for any rest
  std::string_view reason;
};

/// The first match wins; an empty reason allows.
constexpr Rule kRules[] = {
    {"cudaGridDependencySynchronize", {}},  // of the device
    {"cudaTriggerProgrammaticLaunchCompletion", {}},
    {"cudaSuccess", {}},
    {"cudaError*", {}},
    {"cudaStream_t", {}},
    {"cudaFuncSetAttribute", {}},
    {"cudaFuncAttribute*", {}},
    {"cudaFuncSetCacheConfig", {}},
    {"cudaFuncCache*", {}},
    {"cudaOccupancy*", {}},
    {"cudaGetDevice", {}},
    {"cudaDeviceGetAttribute", {}},
    {"cudaDevAttr*", {}},
    {"cudaMemsetAsync", {}},
    {"cudaPeekAtLastError", {}},
    {"cudaLaunchKernel*", {}},
    {"cudaLaunchConfig_t", {}},
    {"cudaLaunchAttribute*", {}},
    {"cudaSharedmemCarveout*", {}},
    {"cudaMalloc*", kMemory},
    {"cudaFree*", kMemory},
    {"cudaHostAlloc", kMemory},
    {"cudaMemPool*", kMemory},
    {"cudaMemcpy*", kCopy},
    {"cudaMemset*", kCopy},
    {"cudaMemPrefetch*", kCopy},
    {"cuda*Synchronize", kSync},
    {"cudaStreamWait*", kSync},
    {"cudaStreamQuery", kSync},
    {"cudaEventQuery", kSync},
    {"cudaStream*", kStreams},
    {"cudaEvent*", kStreams},
    {"cudaGraph*", kStreams},
    {"cudaCtx*", kStreams},
    {"cudaGetLastError", kErrors},
    {"cuCtx*", kDriver},
    {"cuModule*", kDriver},
    {"cuLibrary*", kDriver},
    {"cuLaunch*", kDriver},
    {"cuMem*", kDriver},
    {"cuStream*", kDriver},
    {"cuEvent*", kDriver},
    {"cuGraph*", kDriver},
    {"cuLink*", kDriver},
    {"cuDevice*", kDriver},
    {"cuInit", kDriver},
    {"cuFunc*", kDriver},
    {"cuKernel*", kDriver},
    {"cuGetProcAddress*", kDriver},
    {"nvrtc*", kDriver},
    {"nvJitLink*", kDriver},
    {"cublas*", kLibrary},
    {"cudnn*", kLibrary},
    {"cufft*", kLibrary},
    {"cusparse*", kLibrary},
    {"cusolver*", kLibrary},
    {"cutensor*", kLibrary},
    {"nccl*", kLibrary},
    {"thrust", kLibrary},
    {"npp*", kLibrary},
    {"dlopen", kSystem},
    {"dlsym", kSystem},
    {"dlmopen", kSystem},
    {"system", kSystem},
    {"popen", kSystem},
    {"fork", kSystem},
    {"vfork", kSystem},
    {"execl*", kSystem},
    {"execv*", kSystem},
    {"posix_spawn*", kSystem},
    {"syscall", kSystem},
    {"ptrace", kSystem},
    {"mmap", kSystem},
    {"mprotect", kSystem},
    {"getenv", kSystem},
    {"secure_getenv", kSystem},
    {"setenv", kSystem},
    {"putenv", kSystem},
    {"fopen", kSystem},
    {"freopen", kSystem},
    {"fdopen", kSystem},
    {"pthread_*", kSystem},
    {"setjmp", kSystem},
    {"longjmp", kSystem},
    {"_exit", kSystem},
    {"quick_exit", kSystem},
    {"atexit", kSystem},
    {"raise", kSystem},
    {"sigaction", kSystem},
    {"backtrace", kSystem},
    {"usleep", kSystem},
    {"nanosleep", kSystem},
    {"environ", kSystem},
    {"__libc_*", kSystem},
    {"dl_iterate_phdr", kSystem},
    {"printf", kOutput},
    {"fprintf", kOutput},
    {"puts", kOutput},
    {"putchar", kOutput},
    {"vprintf", kOutput},
    {"malloc", kMemory},
    {"calloc", kMemory},
    {"realloc", kMemory},
    {"free", kMemory},
    {"new", kMemory},
    {"delete", kMemory},
    {"__constant__", kState},
    {"__managed__", kState},
    {"thread_local", kState},
    {"__thread", kState},
    {"clock64", kClock},
    {"globaltimer*", kClock},
    {"__globaltimer*", kClock},
    {"clock_gettime", kClock},
    {"gettimeofday", kClock},
    {"CupilotCall", kJudge},
    {"cupilot_*", kJudge},
};

constexpr Rule kStandardRules[] = {
    {"thread", kSystem},      {"jthread", kSystem},   {"async", kSystem},      {"ofstream", kSystem},
    {"ifstream", kSystem},    {"fstream", kSystem},   {"filesystem", kSystem}, {"exit", kSystem},
    {"abort", kSystem},       {"terminate", kSystem}, {"cout", kOutput},       {"cerr", kOutput},
    {"print*", kOutput},      {"chrono", kClock},     {"call_once", kState},   {"make_unique", kMemory},
    {"make_shared", kMemory}, {"vector", kMemory},    {"map", kMemory},        {"unordered_map", kMemory},
    {"string", kMemory},      {"function", kMemory},
};

bool matches(std::string_view pattern, std::string_view name) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  const auto before = pattern.substr(0, star), after = pattern.substr(star + 1);
  return name.size() >= before.size() + after.size() && name.starts_with(before) && name.ends_with(after);
}

template <std::size_t N>
std::optional<std::string_view> first_match(const Rule (&rules)[N], std::string_view name, bool &known) {
  const auto rule = std::ranges::find_if(rules, [&](const Rule &r) { return matches(r.name, name); });
  known = rule != std::end(rules);
  if (!known || rule->reason.empty()) return std::nullopt;
  return rule->reason;
}

}  // namespace

std::optional<std::string_view> why_forbidden(std::string_view name, bool qualified) {
  bool known = false;
  if (qualified)
    if (const auto reason = first_match(kStandardRules, name, known)) return reason;
  const auto reason = first_match(kRules, name, known);
  if (known) return reason;
  // The runtime grows; what is not known to be harmless is not.
  return is_unknown_runtime_name(name) ? std::optional(kRuntime) : std::nullopt;
}

bool is_unknown_runtime_name(std::string_view name) {
  bool known = false;
  (void)first_match(kRules, name, known);
  return !known && name.starts_with("cuda") && name.size() > 4 &&
         std::isupper(static_cast<unsigned char>(name[4]));
}

std::optional<std::string_view> why_directive_forbidden(std::string_view directive) {
  static constexpr std::array<std::string_view, 11> allowed{
      "pragma", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "error", "elifdef"};
  if (directive.starts_with("include"))
    return "a variant may not include anything; it sees what its kernel's file includes";
  if (directive == "line") return "#line would hide where an error is";
  if (std::ranges::find(allowed, directive) == allowed.end()) return "this directive is not allowed";
  return std::nullopt;
}

}  // namespace cupilot
