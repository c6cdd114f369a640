// SPDX-License-Identifier: Apache-2.0
//
// A program with a check of its own for each part of the runtime; run on the stand-in runtime in the forms a
// program can be linked. Prints a line a part, "FAILED" where one is wrong; exit code: how many are.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace cg = cooperative_groups;

#define REQUIRE(condition)                                  \
  do {                                                      \
    if (!(condition)) {                                     \
      std::printf("  line %d: %s\n", __LINE__, #condition); \
      return false;                                         \
    }                                                       \
  } while (0)
#define OK(call) REQUIRE((call) == cudaSuccess)

__constant__ float coefficients[4];
__device__ int device_counter = 5;
#ifndef __clang__
__managed__ int managed_value = 7;
#endif

__global__ void saxpy(float a, const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

static bool test_saxpy() {
  const int n = 1000;
  std::vector<float> x(n), y(n, 1.0f);
  for (int i = 0; i < n; ++i) x[i] = i;
  float *dx = nullptr, *dy = nullptr;
  OK(cudaMalloc(&dx, n * sizeof(float)));
  OK(cudaMalloc(&dy, n * sizeof(float)));
  OK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  saxpy<<<(n + 255) / 256, 256>>>(2.0f, dx, dy, n);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) REQUIRE(y[i] == 2.0f * i + 1.0f);
  OK(cudaFree(dx));
  OK(cudaFree(dy));
  return true;
}

__global__ void polynomial(float *out) {
  const float x = threadIdx.x;
  out[threadIdx.x] = coefficients[0] + x * (coefficients[1] + x * (coefficients[2] + x * coefficients[3]));
}

static bool test_constant() {
  const float values[4] = {1, 2, 3, 4};
  OK(cudaMemcpyToSymbol(coefficients, values, sizeof values));
  OK(cudaMemcpyToSymbol(coefficients, &values[0], sizeof(float), 3 * sizeof(float)));
  float back[4], *out = nullptr, host[32];
  OK(cudaMemcpyFromSymbol(back, coefficients, sizeof back));
  REQUIRE(back[2] == 3 && back[3] == 1);
  OK(cudaMalloc(&out, sizeof host));
  polynomial<<<1, 32>>>(out);
  OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) REQUIRE(host[i] == 1.0f + i * (2.0f + i * (3.0f + i * 1.0f)));
  REQUIRE(cudaMemcpyToSymbol(coefficients, values, sizeof values, 4) == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  return cudaFree(out) == cudaSuccess;
}

__global__ void count_up(int by) {
  atomicAdd(&device_counter, by);
}

static bool test_symbols() {
  int value = 0;
  OK(cudaMemcpyFromSymbol(&value, device_counter, sizeof value));
  REQUIRE(value == 5);
  count_up<<<2, 64>>>(3);
  OK(cudaMemcpyFromSymbol(&value, device_counter, sizeof value));
  REQUIRE(value == 5 + 2 * 64 * 3);
  void *address = nullptr;
  size_t bytes = 0;
  OK(cudaGetSymbolAddress(&address, device_counter));
  OK(cudaGetSymbolSize(&bytes, device_counter));
  REQUIRE(bytes == sizeof(int));
  OK(cudaMemset(address, 0, bytes));
  OK(cudaMemcpyFromSymbol(&value, device_counter, sizeof value));
  return value == 0;
}

__global__ void twice(int *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}

static bool test_managed() {
  int *p = nullptr;
  OK(cudaMallocManaged(&p, 100 * sizeof(int)));
  for (int i = 0; i < 100; ++i) p[i] = i;
  twice<<<1, 128>>>(p, 100);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i) REQUIRE(p[i] == 2 * i);
#ifndef __clang__
  REQUIRE(managed_value == 7);
  managed_value = 21;
  twice<<<1, 1>>>(&managed_value, 1);
  OK(cudaDeviceSynchronize());
  REQUIRE(managed_value == 42);
#endif
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, p));
  REQUIRE(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == p);
  int local = 0;
  OK(cudaPointerGetAttributes(&attributes, &local));
  REQUIRE(attributes.type == cudaMemoryTypeUnregistered);
  return cudaFree(p) == cudaSuccess;
}

static bool test_pinned() {
  int *host = nullptr, *device = nullptr;
  OK(cudaHostAlloc(&host, 64 * sizeof(int), cudaHostAllocMapped));
  OK(cudaHostGetDevicePointer(&device, host, 0));
  for (int i = 0; i < 64; ++i) host[i] = i;
  twice<<<1, 64>>>(device, 64);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) REQUIRE(host[i] == 2 * i);
  OK(cudaFreeHost(host));
  std::vector<int> own(64, 3);
  OK(cudaHostRegister(own.data(), 64 * sizeof(int), cudaHostRegisterMapped));
  OK(cudaHostGetDevicePointer(&device, own.data() + 32, 0));
  own[40] = 5;
  twice<<<1, 32>>>(device, 32);
  OK(cudaDeviceSynchronize());
  REQUIRE(own[31] == 3 && own[32] == 6 && own[40] == 10);
  OK(cudaHostUnregister(own.data()));
  REQUIRE(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
  return cudaGetLastError() == cudaErrorHostMemoryNotRegistered;
}

static bool test_streams() {
  cudaStream_t stream, other;
  cudaEvent_t begin, end;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreate(&end));
  int *p = nullptr, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  OK(cudaMallocAsync(&p, sizeof host, stream));
  OK(cudaEventRecord(begin, stream));
  OK(cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, stream));
  twice<<<2, 32, 0, stream>>>(p, 64);
  OK(cudaEventRecord(end, stream));
  OK(cudaStreamWaitEvent(other, end, 0));
  twice<<<2, 32, 0, other>>>(p, 64);
  OK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, other));
  OK(cudaStreamSynchronize(other));
  OK(cudaEventSynchronize(end));
  float ms = -1;
  OK(cudaEventElapsedTime(&ms, begin, end));
  REQUIRE(ms >= 0);
  for (int i = 0; i < 64; ++i) REQUIRE(host[i] == 4 * i);
  OK(cudaFreeAsync(p, stream));
  OK(cudaStreamQuery(stream));
  OK(cudaEventQuery(end));
  int called = 0;
  OK(cudaLaunchHostFunc(stream, [](void *data) { ++*static_cast<int *>(data); }, &called));
  OK(cudaStreamSynchronize(stream));
  REQUIRE(called == 1);
  OK(cudaEventDestroy(begin));
  OK(cudaEventDestroy(end));
  OK(cudaStreamDestroy(stream));
  REQUIRE(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  return cudaStreamDestroy(other) == cudaSuccess;
}

template <class T, int N>
struct Scale {
  T by;
  __device__ T operator()(T x) const { return x * by + N; }
};

template <class T, class F>
__global__ void transform(T *p, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto apply = [=](T x) { return f(x); };
  if (i < n) p[i] = apply(p[i]);
}

template <class T>
static bool transformed() {
  std::vector<T> host(77);
  for (int i = 0; i < 77; ++i) host[i] = static_cast<T>(i);
  T *p = nullptr;
  OK(cudaMalloc(&p, host.size() * sizeof(T)));
  OK(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyDefault));
  transform<<<3, 32>>>(p, 77, Scale<T, 3>{static_cast<T>(2)});
  OK(cudaMemcpy(host.data(), p, host.size() * sizeof(T), cudaMemcpyDefault));
  for (int i = 0; i < 77; ++i) REQUIRE(host[i] == static_cast<T>(2 * i + 3));
  return cudaFree(p) == cudaSuccess;
}

static bool test_templates() {
  return transformed<float>() && transformed<double>() && transformed<int>() &&
         transformed<unsigned char>() && transformed<long long>();
}

__global__ void say(int n) {
  if (threadIdx.x == 0) printf("device says %d %s %.2f\n", n, "words", n * 0.5);
}

static bool test_printf() {
  say<<<1, 32>>>(17);
  return cudaDeviceSynchronize() == cudaSuccess;
}

__global__ void group_sums(const int *in, int *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  const int sum = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 0) out[block.thread_rank() / 8] = sum;
  block.sync();
}

static bool test_groups() {
  int in[64], out[8], *din = nullptr, *dout = nullptr;
  for (int i = 0; i < 64; ++i) in[i] = i * i;
  OK(cudaMalloc(&din, sizeof in));
  OK(cudaMalloc(&dout, sizeof out));
  OK(cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice));
  group_sums<<<1, 64>>>(din, dout);
  OK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 8; ++t) {
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += in[8 * t + i];
    REQUIRE(out[t] == sum);
  }
  OK(cudaFree(din));
  return cudaFree(dout) == cudaSuccess;
}

__global__ void grid_sum(int *values, int *total) {
  auto grid = cg::this_grid();
  values[grid.thread_rank()] = 1;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int sum = 0;
    for (unsigned i = 0; i < grid.size(); ++i) sum += values[i];
    *total = sum;
  }
}

static bool test_cooperative() {
  int *values = nullptr, *total = nullptr, host = 0;
  OK(cudaMalloc(&values, 256 * sizeof(int)));
  OK(cudaMalloc(&total, sizeof(int)));
  void *arguments[] = {&values, &total};
  OK(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(grid_sum), dim3(4), dim3(64), arguments, 0,
                                 nullptr));
  OK(cudaMemcpy(&host, total, sizeof host, cudaMemcpyDeviceToHost));
  REQUIRE(host == 256);
  OK(cudaFree(values));
  return cudaFree(total) == cudaSuccess;
}

__global__ void transpose_pitched(const float *in, size_t pitch, float *out, int width, int height) {
  extern __shared__ float tile[];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y * width + x] =
      *reinterpret_cast<const float *>(reinterpret_cast<const char *>(in) + y * pitch + x * 4);
  __syncthreads();
  out[x * height + y] = tile[y * width + x];
}

static bool test_pitched() {
  const int width = 13, height = 9;
  float in[height][width], out[width][height], back[height][width];
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) in[y][x] = 100.0f * y + x;
  float *din = nullptr, *dout = nullptr;
  size_t pitch = 0;
  OK(cudaMallocPitch(&din, &pitch, width * 4, height));
  REQUIRE(pitch >= width * 4);
  OK(cudaMalloc(&dout, sizeof out));
  OK(cudaMemset2D(din, pitch, 0, width * 4, height));
  OK(cudaMemcpy2D(din, pitch, in, width * 4, width * 4, height, cudaMemcpyHostToDevice));
  transpose_pitched<<<1, dim3(width, height), sizeof in>>>(din, pitch, dout, width, height);
  OK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy2D(back, width * 4, din, pitch, width * 4, height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) REQUIRE(out[x][y] == in[y][x] && back[y][x] == in[y][x]);
  REQUIRE(cudaMemcpy2D(back, 4, din, pitch, 8, 2, cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue);
  cudaGetLastError();
  OK(cudaFree(din));
  return cudaFree(dout) == cudaSuccess;
}

static bool test_volume() {
  const cudaExtent extent = make_cudaExtent(5 * sizeof(int), 4, 3);
  int in[3][4][5], out[3][4][5] = {};
  for (int i = 0; i < 60; ++i) (&in[0][0][0])[i] = i;
  cudaPitchedPtr place;
  OK(cudaMalloc3D(&place, extent));
  OK(cudaMemset3D(place, 0xff, extent));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(in, 5 * sizeof(int), 5, 4);
  copy.dstPtr = place;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  std::swap(copy.srcPtr, copy.dstPtr);
  copy.dstPtr = make_cudaPitchedPtr(out, 5 * sizeof(int), 5, 4);
  copy.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&copy));
  REQUIRE(std::memcmp(in, out, sizeof in) == 0);
  return cudaFree(place.ptr) == cudaSuccess;
}

__global__ void large_shared(int *out, int n) {
  extern __shared__ int words[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) words[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = words[n - 1];
}

static bool test_functions() {
  int *out = nullptr, host = 0;
  OK(cudaMalloc(&out, sizeof(int)));
  const int bytes = 100 << 10;
  large_shared<<<1, 32, bytes>>>(out, bytes / 4);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  OK(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  large_shared<<<1, 32, bytes>>>(out, bytes / 4);
  OK(cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost));
  REQUIRE(host == bytes / 4 - 1);
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, large_shared));
  REQUIRE(attributes.maxThreadsPerBlock == 1024 && attributes.maxDynamicSharedSizeBytes == bytes);
  int blocks = 0, grid = 0, block = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, large_shared, 256, bytes));
  REQUIRE(blocks == 2);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, saxpy, 0, 0));
  REQUIRE(block >= 256 && grid > 0);
  large_shared<<<1, 2048>>>(out, 1);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration);
  large_shared<<<0, 32>>>(out, 1);
  REQUIRE(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);
  OK(cudaDeviceSynchronize());
  return cudaFree(out) == cudaSuccess;
}

static bool test_launches() {
  int *p = nullptr, host[32];
  for (int i = 0; i < 32; ++i) host[i] = 1;
  int n = 32;
  OK(cudaMalloc(&p, sizeof host));
  OK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
  void *arguments[] = {&p, &n};
  OK(cudaLaunchKernel(reinterpret_cast<const void *>(twice), dim3(1), dim3(32), arguments, 0, nullptr));
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = 1;
  configuration.blockDim = 32;
  OK(cudaLaunchKernelExC(&configuration, reinterpret_cast<const void *>(twice), arguments));
  void (*pointer)(int *, int) = twice;
  pointer<<<1, 32>>>(p, n);
  OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) REQUIRE(host[i] == 8);
  return cudaFree(p) == cudaSuccess;
}

static bool test_graph() {
  cudaStream_t stream, side;
  cudaEvent_t fork, join;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreate(&side));
  OK(cudaEventCreate(&fork));
  OK(cudaEventCreate(&join));
  int *p = nullptr, *q = nullptr, host[32];
  OK(cudaMalloc(&p, sizeof host));
  OK(cudaMalloc(&q, sizeof host));
  OK(cudaMemset(p, 0, sizeof host));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMemsetAsync(p, 1, sizeof host, stream));
  OK(cudaEventRecord(fork, stream));
  OK(cudaStreamWaitEvent(side, fork, 0));
  OK(cudaMemsetAsync(q, 2, sizeof host, side));
  twice<<<1, 32, 0, stream>>>(p, 32);
  OK(cudaEventRecord(join, side));
  OK(cudaStreamWaitEvent(stream, join, 0));
  OK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph;
  OK(cudaStreamEndCapture(stream, &graph));
  size_t count = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &count));
  REQUIRE(count == 4);
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiate(&executable, graph, 0));
  host[0] = -1;
  OK(cudaMemcpy(host + 1, p, 4, cudaMemcpyDeviceToHost));
  REQUIRE(host[0] == -1 && host[1] == 0);  // nothing of the graph has run
  for (int i = 0; i < 3; ++i) OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 32; ++i) REQUIRE(host[i] == 0x02020202);
  OK(cudaMemcpy(host, q, sizeof host, cudaMemcpyDeviceToHost));
  REQUIRE(host[31] == 0x02020202);
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  OK(cudaFree(p));
  return cudaFree(q) == cudaSuccess;
}

static bool test_graph_nodes() {
  int *p = nullptr, host[32], n = 32;
  OK(cudaMalloc(&p, sizeof host));
  cudaGraph_t graph;
  OK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill{};
  fill.dst = p;
  fill.value = 3;
  fill.elementSize = 4;
  fill.width = 32;
  fill.height = 1;
  cudaGraphNode_t first, second, third;
  OK(cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &fill));
  void *arguments[] = {&p, &n};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void *>(twice);
  kernel.gridDim = 1;
  kernel.blockDim = 32;
  kernel.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
  OK(cudaGraphAddMemcpyNode1D(&third, graph, &second, 1, host, p, sizeof host, cudaMemcpyDeviceToHost));
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, nullptr));
  for (int i = 0; i < 32; ++i) REQUIRE(host[i] == 6);
  n = 16;
  OK(cudaGraphExecKernelNodeSetParams(executable, second, &kernel));
  OK(cudaGraphLaunch(executable, nullptr));
  REQUIRE(host[15] == 6 && host[16] == 3);
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  return cudaFree(p) == cudaSuccess;
}

#ifdef __CUDACC_RDC__
extern __device__ int second_calls;
__device__ int second_times(int x, int y);
__global__ void across_files(int *out) {
  out[threadIdx.x] = second_times(threadIdx.x, 3);
}

static bool test_linked() {
  int *out = nullptr, host[32], calls = 0;
  OK(cudaMalloc(&out, sizeof host));
  across_files<<<1, 32>>>(out);
  OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  OK(cudaMemcpyFromSymbol(&calls, second_calls, sizeof calls));
  for (int i = 0; i < 32; ++i) REQUIRE(host[i] == 3 * i);
  return calls == 32 && cudaFree(out) == cudaSuccess;
}
#else
static bool test_linked() {
  return true;
}
#endif

static bool test_device() {
  int count = 0, device = -1, major = 0, value = 0;
  OK(cudaGetDeviceCount(&count));
  OK(cudaGetDevice(&device));
  REQUIRE(count == 1 && device == 0);
  REQUIRE(cudaSetDevice(1) == cudaErrorInvalidDevice && cudaGetLastError() == cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  OK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  REQUIRE(std::strstr(properties.name, "emulated") && properties.major == 9 && major == 9);
  REQUIRE(properties.warpSize == 32 && properties.multiProcessorCount == 132 &&
          properties.totalGlobalMem > 0);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  REQUIRE(static_cast<size_t>(value) == properties.sharedMemPerBlockOptin && value == 227 << 10);
  size_t free_bytes = 0, total = 0, limit = 0;
  OK(cudaMemGetInfo(&free_bytes, &total));
  REQUIRE(free_bytes <= total && total == properties.totalGlobalMem);
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  REQUIRE(limit == 16 << 20);
  REQUIRE(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
  void *huge = nullptr;
  REQUIRE(cudaMalloc(&huge, size_t{1} << 50) == cudaErrorMemoryAllocation && !huge);
  REQUIRE(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
  return true;
}

static bool test_bad_copies() {
  int *p = nullptr, host[4] = {};
  OK(cudaMalloc(&p, 8));
  REQUIRE(cudaMemcpy(p, host, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(host, host, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(cudaMemset(p, 0, 9) == cudaErrorInvalidValue);
  OK(cudaFree(p));
  REQUIRE(cudaFree(p) == cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  return cudaFree(nullptr) == cudaSuccess;
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    bool (*run)();
  } tests[] = {{"saxpy", test_saxpy},
               {"constant", test_constant},
               {"symbols", test_symbols},
               {"managed", test_managed},
               {"pinned", test_pinned},
               {"streams", test_streams},
               {"templates", test_templates},
               {"printf", test_printf},
               {"groups", test_groups},
               {"pitched", test_pitched},
               {"volume", test_volume},
               {"functions", test_functions},
               {"launches", test_launches},
               {"graph", test_graph},
               {"graph nodes", test_graph_nodes},
               {"device", test_device},
               {"bad copies", test_bad_copies},
               {"linked", test_linked},
               {"cooperative", test_cooperative}};
  int failed = 0;
  for (const auto &test : tests) {
    if (argc > 1 && std::strcmp(argv[1], test.name)) continue;
    const bool good = test.run();
    std::printf("%s: %s\n", test.name, good ? "ok" : "FAILED");
    failed += !good;
  }
  std::printf("%d failed\n", failed);
  return failed;
}
