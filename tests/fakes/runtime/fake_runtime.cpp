// SPDX-License-Identifier: Apache-2.0
//
// A CUDA runtime that launches nothing: programs built by nvcc are linked with it instead of cudart, and
// every launch that reaches the runtime becomes one line `launch <mangled name> grid x,y,z block x,y,z shared
// s int <second argument>` on stdout. FAKE_CC names the device's compute capability ("9.0" by default,
// "none": no device), FAKE_POOL_KEEPS the release threshold of its memory pool (0).

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  void *stream;
};

std::vector<Configuration> &configurations() {
  static std::vector<Configuration> stack;
  return stack;
}

/// Host function of a kernel -> its mangled name.
std::map<const void *, std::string> &kernels() {
  static std::map<const void *, std::string> names;
  return names;
}

cudaError_t last_error = cudaSuccess;
cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

const char *capability() {
  const char *value = std::getenv("FAKE_CC");
  return value ? value : "9.0";
}
bool no_device() {
  return !std::strcmp(capability(), "none");
}

// a handle is the host function's address with a bit set that no address has: code that mixes the two up is
// found
constexpr size_t kHandleBit = size_t{1} << 62;
const void *function_of(const void *handle) {
  return reinterpret_cast<const void *>(reinterpret_cast<size_t>(handle) & ~kHandleBit);
}

cudaError_t launch(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes) {
  if (no_device()) return remember(cudaErrorNoDevice);
  const auto found = kernels().find(function);
  if (found == kernels().end()) return remember(cudaErrorInvalidDeviceFunction);
  const auto threads = 1ULL * block.x * block.y * block.z;
  const bool refused =
      !threads || threads > 1024 || !grid.x || !grid.y || !grid.z || shared_bytes > 48 * 1024;
  std::printf("%s %s grid %u,%u,%u block %u,%u,%u shared %zu int %d\n", refused ? "refused" : "launch",
              found->second.c_str(), grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes,
              *static_cast<int *>(arguments[1]));
  return refused ? remember(cudaErrorInvalidConfiguration) : cudaSuccess;
}

}  // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *) {
  static void *handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **) {
  return 1;
}
void __cudaRegisterFunction(void **, const char *host, char *, const char *name, int, void *, void *, void *,
                            void *, int *) {
  kernels()[host] = name;
}
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int) {}
void __cudaRegisterLinkedBinary(void *, void (*callback)(void **), void *, void (*)(void *)) {
  static void *handle = nullptr;
  callback(&handle);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream) {
  configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
  const auto top = configurations().back();
  configurations().pop_back();
  *grid = top.grid, *block = top.block, *shared_bytes = top.shared_bytes;
  *static_cast<void **>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *function) {
  *handle = reinterpret_cast<cudaKernel_t>(reinterpret_cast<size_t>(function) | kHandleBit);
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared_bytes, cudaStream_t) {
  return launch(function_of(kernel), grid, block, arguments, shared_bytes);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes, cudaStream_t) {
  return launch(function_of(kernel), grid, block, arguments, shared_bytes);
}
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t) {
  return launch(function, grid, block, arguments, shared_bytes);
}
cudaError_t cudaLaunchKernel_ptsz(const void *function, dim3 grid, dim3 block, void **arguments,
                                  size_t shared_bytes, cudaStream_t) {
  return launch(function, grid, block, arguments, shared_bytes);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *function, void **arguments) {
  return launch(function, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes);
}
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *c, const void *function, void **arguments) {
  return cudaLaunchKernelExC(c, function, arguments);
}

cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return no_device() ? remember(cudaErrorNoDevice) : cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
  const std::string text = capability();
  const auto dot = text.find('.');
  *value = std::atoi(attribute == cudaDevAttrComputeCapabilityMajor ? text.c_str() : text.c_str() + dot + 1);
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *) {
  *attributes = {};
  attributes->maxThreadsPerBlock = 1024;
  attributes->maxDynamicSharedSizeBytes = 48 * 1024;
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t) {
  *memory = std::malloc(bytes);
  std::printf("scratch %zu\n", bytes);
  return cudaSuccess;
}
cudaError_t cudaMallocAsync_ptsz(void **memory, size_t bytes, cudaStream_t s) {
  return cudaMallocAsync(memory, bytes, s);
}
cudaError_t cudaFreeAsync(void *memory, cudaStream_t) {
  std::free(memory);
  std::printf("scratch freed\n");
  return cudaSuccess;
}
cudaError_t cudaFreeAsync_ptsz(void *memory, cudaStream_t s) {
  return cudaFreeAsync(memory, s);
}
cudaError_t cudaGetLastError() {
  const auto error = last_error;
  last_error = cudaSuccess;
  return error;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *) {
  return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int) {
  static int the_pool;
  *pool = reinterpret_cast<cudaMemPool_t>(&the_pool);
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *value) {
  const char *own = std::getenv("FAKE_POOL_KEEPS");
  *static_cast<unsigned long long *>(value) = own ? std::strtoull(own, nullptr, 10) : 0;
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *value) {
  std::printf("pool keeps %llu\n", *static_cast<unsigned long long *>(value));
  return cudaSuccess;
}
cudaError_t cudaPeekAtLastError() {
  return last_error;
}

}  // extern "C"
