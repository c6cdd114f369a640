// SPDX-License-Identifier: Apache-2.0
//
// The second part of the wrapper, included after the user's file. It decides at every launch whether a
// variant runs. The table of this translation unit's variants is in the generated epilogue that follows and
// defines cupilot::detail::entries. Everything here has internal linkage: one source may be compiled into
// several targets of one program.
//
// Order of the tests, cheapest first: is the kernel in the table, is the switch on, does the device have the
// record's compute capability, would the original accept the configuration, do the assumptions hold, did the
// judge verify these values (domain, boxes, configuration), does the variant accept the launch. If one test
// fails, the original runs with the user's own configuration and reports its own errors.

#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>

#include "checked.cuh"
#include "launch.cuh"
#include "number.cuh"

namespace cupilot {
namespace detail {
namespace {

enum Reason {
  swapped,
  switched_off,
  other_architecture,
  rejected_configuration,
  assumption_broken,
  outside_domain,
  outside_boxes,
  other_configuration,
  launch_attributes,
  error_pending,
  declined,
  reason_count
};

inline const char *text_of(Reason reason) {
  static const char *const texts[reason_count] = {
      "swapped",
      "original: CUPILOT_ORIGINAL is set",
      "original: the device is of another architecture",
      "original: it would reject this launch configuration",
      "original: an assumption does not hold",
      "original: an argument is outside the verified domain",
      "original: the variant is not faster at this size",
      "original: the launch configuration is not the verified one",
      "original: the launch has attributes",
      "original: the program has an error of CUDA that it has not asked for",
      "original: the variant declined"};
  return texts[reason];
}

struct Entry {
  const char *name, *arch;
  int compute_capability;  ///< 90 for 9.0
  const void *(*original)();
  Reason (*attempt)(const Launch &, void **arguments);
  const void *handle;                   ///< the runtime's handle, once it was requested
  int most_threads, most_shared_bytes;  ///< the original's limits when last queried
  unsigned long long counts[reason_count];
};

struct EntryTable {
  Entry *first;
  int count;
};
EntryTable table();  // in the generated epilogue

// ---- log: nothing but one test of a static when off ----

struct LogFile {
  const char *path;
  LogFile() : path(std::getenv("CUPILOT_LOG")) {
    if (path && (!*path || !std::strcmp(path, "0"))) path = nullptr;
  }
  void line(const Entry &entry, const char *what, unsigned long long count) const {
    const bool to_stderr = !std::strcmp(path, "1");
    std::FILE *file = to_stderr ? stderr : std::fopen(path, "a");
    if (!file) return;
    if (count)
      std::fprintf(file, "cupilot: %s (%s): %llu x %s\n", entry.name, entry.arch, count, what);
    else
      std::fprintf(file, "cupilot: %s (%s): %s\n", entry.name, entry.arch, what);
    if (!to_stderr) std::fclose(file);
  }
  ~LogFile() {
    if (!path) return;
    for (Entry *entry = table().first, *end = entry + table().count; entry != end; ++entry)
      for (int reason = 0; reason < reason_count; ++reason)
        if (entry->counts[reason]) line(*entry, text_of(static_cast<Reason>(reason)), entry->counts[reason]);
  }
};

void note(Entry &entry, Reason reason) {
  static const LogFile log;
  if (!log.path) return;
  if (__atomic_fetch_add(&entry.counts[reason], 1, __ATOMIC_RELAXED) == 0)
    log.line(entry, text_of(reason), 0);
}

// ---- tests ----

/// The current device, of as many as something is kept of; -1 when it is none of them.
constexpr int known_devices = 64;
int known_device() {
  int device = 0;
  return cudaGetDevice(&device) == cudaSuccess && device >= 0 && device < known_devices ? device : -1;
}

/// 90 for 9.0; 0 when there is no device.
int compute_capability_here() {
  static int known[known_devices];
  const int device = known_device();
  if (device < 0) return 0;
  if (const int found = __atomic_load_n(&known[device], __ATOMIC_RELAXED)) return found;
  int major = 0, minor = 0;
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess)
    return 0;
  __atomic_store_n(&known[device], major * 10 + minor, __ATOMIC_RELAXED);
  return major * 10 + minor;
}

/// False for a configuration that the runtime would refuse for the original; a variant must not hide that
/// error.
bool original_accepts(Entry &entry, const Launch &l) {
  const unsigned long long threads = 1ULL * l.block.x * l.block.y * l.block.z;
  if (!threads || !l.grid.x || !l.grid.y || !l.grid.z) return false;
  if (l.block.z > 64 || l.grid.x > 0x7fffffffu || l.grid.y > 65535 || l.grid.z > 65535) return false;
  const auto fits = [&] {
    return threads <=
               static_cast<unsigned long long>(__atomic_load_n(&entry.most_threads, __ATOMIC_RELAXED)) &&
           l.shared_bytes <= static_cast<size_t>(__atomic_load_n(&entry.most_shared_bytes, __ATOMIC_RELAXED));
  };
  if (fits()) return true;
  // queried the first time, and again if the program may have requested more shared memory since
  cudaFuncAttributes limits;
  if (cudaFuncGetAttributes(&limits, entry.original()) != cudaSuccess) return false;
  __atomic_store_n(&entry.most_threads, limits.maxThreadsPerBlock, __ATOMIC_RELAXED);
  __atomic_store_n(&entry.most_shared_bytes, limits.maxDynamicSharedSizeBytes, __ATOMIC_RELAXED);
  return fits();
}

bool switched_off_by_user() {
  static const bool off = [] {
    const char *value = std::getenv("CUPILOT_ORIGINAL");
    return value && *value && std::strcmp(value, "0") != 0;
  }();
  return off;
}

// ---- used by the generated part ----

/// The kernel's type and argument types, taken from the variant's launch function, so the compiler checks
/// that they agree.
template <class Function>
struct Signature;
template <class... Parameters>
struct Signature<bool(const Launch &, Parameters...)> {
  using Kernel = void (*)(Parameters...);
  using Types = std::tuple<Parameters...>;
  template <size_t... Index>
  static bool call(bool (*launch)(const Launch &, Parameters...), const Launch &l, void **arguments,
                   std::index_sequence<Index...>) {
    return launch(l, *static_cast<Parameters *>(arguments[Index])...);
  }
  static bool call(bool (*launch)(const Launch &, Parameters...), const Launch &l, void **arguments) {
    return call(launch, l, arguments, std::index_sequence_for<Parameters...>());
  }
  /// Parameter number `Index` of a launch as a whole number.
  template <size_t Index>
  static Checked integer(void **arguments) {
    return *static_cast<typename std::tuple_element<Index, Types>::type *>(arguments[Index]);
  }
  /// The same for an assumption, whose parameter may also be a float or a double.
  template <size_t Index>
  static Number number(void **arguments) {
    return number_of(*static_cast<typename std::tuple_element<Index, Types>::type *>(arguments[Index]));
  }
};

inline bool same(size_t actual, Checked expected) {
  return expected.is(static_cast<long long>(actual));
}

/// `configurations` holds grid x y z, block x y z and the dynamic shared memory of each.
template <size_t Count>
bool among(const unsigned long long (&configurations)[Count][7], const Launch &l) {
  for (const auto &c : configurations)
    if (l.grid.x == c[0] && l.grid.y == c[1] && l.grid.z == c[2] && l.block.x == c[3] && l.block.y == c[4] &&
        l.block.z == c[5] && l.shared_bytes == c[6])
      return true;
  return false;
}

// ---- decision ----

/// Keeps the errors of a running variant's launches. It also marks that a variant is running, because its own
/// launches are never replaced.
struct Running {
  bool active;
  cudaError_t error;
};
thread_local Running running = {false, cudaSuccess};

cudaError_t passed(cudaError_t error) {
  if (running.active && running.error == cudaSuccess) running.error = error;
  return error;
}

/// With its first launch that took scratch memory a device's pool begins to keep this much, if the program
/// has not set a threshold itself: with the runtime's own, 0, the memory goes back whenever the program waits
/// for the device, and the next launch pays for it again (65 us on an H100).
constexpr unsigned long long kept_scratch_bytes = 64ULL << 20;

void keep_scratch() {
  static bool kept[known_devices];
  const int device = known_device();
  if (device < 0 || __atomic_exchange_n(&kept[device], true, __ATOMIC_RELAXED)) return;
  // else a stream that is being captured, by whatever thread, would be broken
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  if (cudaThreadExchangeStreamCaptureMode(&mode) != cudaSuccess) return;
  cudaMemPool_t pool = nullptr;
  unsigned long long threshold = 0;
  cudaError_t error = cudaDeviceGetMemPool(&pool, device);
  if (error == cudaSuccess)
    error = cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  if (error == cudaSuccess && threshold == 0) {
    threshold = kept_scratch_bytes;
    error = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  }
  (void)cudaThreadExchangeStreamCaptureMode(&mode);
  if (error != cudaSuccess) (void)cudaGetLastError();
}

Reason attempt(Entry &entry, const Launch &l, void **arguments) {
  if (switched_off_by_user()) return switched_off;
  if (compute_capability_here() != entry.compute_capability) return other_architecture;
  // A variant asks for errors of its own launches, and would find this one.
  if (cudaPeekAtLastError() != cudaSuccess) return error_pending;
  if (!original_accepts(entry, l)) return rejected_configuration;
  running = {true, cudaSuccess};
  const Reason reason = entry.attempt(l, arguments);
  running.active = false;
  if (l.scratch_bytes()) keep_scratch();
  return reason;
}

/// True when a variant did the work; `*error` is then the result of its launches.
bool replaced(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
              cudaStream_t stream, bool attributes, cudaError_t *error) {
  if (running.active || !kernel) return false;
  Reason last = reason_count;
  Entry *refused = nullptr;
  for (Entry *entry = table().first, *end = entry + table().count; entry != end; ++entry) {
    if (kernel != __atomic_load_n(&entry->handle, __ATOMIC_RELAXED) && kernel != entry->original()) continue;
    const Reason reason = attributes ? launch_attributes
                                     : attempt(*entry, Launch(grid, block, shared_bytes, stream), arguments);
    if (reason == swapped) {
      note(*entry, swapped);
      *error = running.error;
      return true;
    }
    // of the refusals for several architectures, report the one for the device's own
    if (!refused || last == other_architecture) refused = entry, last = reason;
  }
  if (refused) note(*refused, last);
  return false;
}

}  // namespace
}  // namespace detail
}  // namespace cupilot

// ---- the labels to which relabel.cuh redirects every launch. Each real entry point is called from one place
// only: cupilot-cc counts the object's references to it, and thereby finds a launch that was not redirected.

#define CUPILOT_LABELLED(label) __attribute__((used)) __asm__(label)
#define CUPILOT_ONCE static __attribute__((noinline, noclone)) cudaError_t

CUPILOT_ONCE cupilot_pass_function(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                   size_t shared_bytes, cudaStream_t stream) {
  return cupilot_real_launch_function(kernel, grid, block, arguments, shared_bytes, stream);
}
CUPILOT_ONCE cupilot_pass_extended(const cudaLaunchConfig_t *config, const void *kernel, void **arguments) {
  return cupilot_real_launch_extended(config, kernel, arguments);
}

static cudaError_t cupilot_on_function(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                       size_t shared_bytes, cudaStream_t stream)
    CUPILOT_LABELLED("cupilot_launch_function");
static cudaError_t cupilot_on_function(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                       size_t shared_bytes, cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  if (cupilot::detail::replaced(kernel, grid, block, arguments, shared_bytes, stream, false, &error))
    return error;
  return cupilot::detail::passed(cupilot_pass_function(kernel, grid, block, arguments, shared_bytes, stream));
}

static cudaError_t cupilot_on_extended(const cudaLaunchConfig_t *config, const void *kernel, void **arguments)
    CUPILOT_LABELLED("cupilot_launch_extended");
static cudaError_t cupilot_on_extended(const cudaLaunchConfig_t *config, const void *kernel,
                                       void **arguments) {
  cudaError_t error = cudaSuccess;
  if (config &&
      cupilot::detail::replaced(kernel, config->gridDim, config->blockDim, arguments,
                                config->dynamicSmemBytes, config->stream, config->numAttrs != 0, &error))
    return error;
  return cupilot::detail::passed(cupilot_pass_extended(config, kernel, arguments));
}

#if CUPILOT_LAUNCHES_BY_HANDLE
CUPILOT_ONCE cupilot_pass_kernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                 size_t shared_bytes, cudaStream_t stream) {
  return cupilot_real_launch_kernel(kernel, grid, block, arguments, shared_bytes, stream);
}
CUPILOT_ONCE cupilot_pass_get(cudaKernel_t *handle, const void *function) {
  return cupilot_real_get_kernel(handle, function);
}

static cudaError_t cupilot_on_kernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                     size_t shared_bytes, cudaStream_t stream)
    CUPILOT_LABELLED("cupilot_launch_kernel");
static cudaError_t cupilot_on_kernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                     size_t shared_bytes, cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  if (cupilot::detail::replaced(kernel, grid, block, arguments, shared_bytes, stream, false, &error))
    return error;
  return cupilot::detail::passed(cupilot_pass_kernel(kernel, grid, block, arguments, shared_bytes, stream));
}

static cudaError_t cupilot_on_get(cudaKernel_t *handle, const void *function)
    CUPILOT_LABELLED("cupilot_get_kernel");
static cudaError_t cupilot_on_get(cudaKernel_t *handle, const void *function) {
  const cudaError_t error = cupilot_pass_get(handle, function);
  if (error != cudaSuccess) return error;
  for (cupilot::detail::Entry *entry = cupilot::detail::table().first,
                              *end = entry + cupilot::detail::table().count;
       entry != end; ++entry)
    if (entry->original() == function)
      __atomic_store_n(&entry->handle, static_cast<const void *>(*handle), __ATOMIC_RELAXED);
  return error;
}
#endif
