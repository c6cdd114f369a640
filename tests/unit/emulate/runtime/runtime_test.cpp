// SPDX-License-Identifier: Apache-2.0
//
// The runtime's C functions as a compiled program uses them, with fat binaries made here.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/emulate/runtime/api/abi.h"
#include "evolution/emulate/runtime/device.h"
#include "tests/unit/emulate/runtime/made_fat_binary.h"

using cupilot::emulate::runtime::abi::Dim3;

extern "C" {
void **__cudaRegisterFatBinary(void *);
void __cudaUnregisterFatBinary(void **);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *,
                            int *);
void __cudaRegisterVar(void **, char *, char *, const char *, int, std::size_t, int, int);
int cudaLaunchKernel(const void *, Dim3, Dim3, void **, std::size_t, void *);
int cudaMalloc(void **, std::size_t);
int cudaFree(void *);
int cudaMemcpy(void *, const void *, std::size_t, int);
int cudaMemcpyToSymbol(const void *, const void *, std::size_t, std::size_t, int);
int cudaMemcpyFromSymbol(void *, const void *, std::size_t, std::size_t, int);
int cudaDeviceSynchronize();
int cudaDeviceReset();
int cudaGetLastError();
int cudaPeekAtLastError();
const char *cudaGetErrorName(int);
const char *cudaGetErrorString(int);
int cudaStreamCreate(void **);
int cudaStreamDestroy(void *);
int cudaStreamBeginCapture(void *, int);
int cudaStreamEndCapture(void *, void **);
int cudaGraphInstantiate(void **, void *, unsigned long long);
int cudaGraphLaunch(void *, void *);
int cudaMalloc3DArray(void **, const void *, std::size_t, unsigned);
}

namespace cupilot::emulate::test {
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::runtime;
using namespace cupilot::emulate::runtime::abi;
namespace {

constexpr const char *kPtx = R"(.version 9.0
.target sm_90
.address_size 64
.const .align 4 .u32 step = 5;
.visible .entry add_step(.param .u64 p, .param .u32 n) {
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra done;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r3, [%rd4];
  ld.const.u32 %r4, [step];
  add.s32 %r5, %r3, %r4;
  st.global.u32 [%rd4], %r5;
done:
  ret;
}
.visible .entry strange() {
  .reg .b32 %r<3>;
  frobnicate.u32 %r1, %r2;
  ret;
}
)";

const char add_step_host = 0, strange_host = 0;
char step_host[4];

class RuntimeTest : public testing::Test {
protected:
  void SetUp() override {
    DeviceOptions options;
    options.memory_bytes = 64 << 20;
    options.launch.threads = 1;
    options.print_findings = false;
    set_current_device(std::move(*Device::make(options)));
    load(make_container({{1, 90, kPtx, Packing::zstd}}));
  }
  void TearDown() override {
    unload();
    cudaDeviceReset();
  }

  void load(std::string container) {
    container_ = std::move(container);
    wrapper_ = {kWrapperMagic, 1, container_.data(), nullptr};
    handle_ = __cudaRegisterFatBinary(&wrapper_);
    for (const auto &[host, name] :
         {std::pair{&add_step_host, "add_step"}, std::pair{&strange_host, "strange"}})
      __cudaRegisterFunction(handle_, host, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterVar(handle_, step_host, nullptr, "step", 0, 4, 1, 0);
  }
  void unload() {
    if (handle_) __cudaUnregisterFatBinary(handle_);
    handle_ = nullptr;
  }
  void reload(std::string container) {
    unload();
    load(std::move(container));
  }

  int add_step(void *p, unsigned n, unsigned threads = 32, void *stream = nullptr) {
    void *arguments[] = {&p, &n};
    return cudaLaunchKernel(&add_step_host, {1, 1, 1}, {threads, 1, 1}, arguments, 0, stream);
  }

  std::string container_;
  runtime::abi::FatWrapper wrapper_;
  void **handle_ = nullptr;
};

TEST_F(RuntimeTest, LaunchesARegisteredKernel) {
  std::array<unsigned, 32> host;
  for (unsigned i = 0; i < 32; ++i) host[i] = i;
  void *p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, sizeof host), 0);
  ASSERT_EQ(cudaMemcpy(p, host.data(), sizeof host, 1), 0);
  ASSERT_EQ(add_step(p, 30), 0);
  ASSERT_EQ(cudaMemcpy(host.data(), p, sizeof host, 2), 0);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(host[i], i < 30 ? i + 5 : i);
  EXPECT_EQ(cudaFree(p), 0);
}

TEST_F(RuntimeTest, VariablesAreReachedByTheirHostAddress) {
  unsigned value = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, step_host, 4, 0, 2), 0);
  EXPECT_EQ(value, 5u);
  value = 100;
  ASSERT_EQ(cudaMemcpyToSymbol(step_host, &value, 4, 0, 1), 0);
  unsigned word = 1;
  void *p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 4), 0);
  ASSERT_EQ(cudaMemcpy(p, &word, 4, 1), 0);
  ASSERT_EQ(add_step(p, 1), 0);
  ASSERT_EQ(cudaMemcpy(&word, p, 4, 2), 0);
  EXPECT_EQ(word, 101u);
  EXPECT_EQ(cudaMemcpyToSymbol(step_host, &value, 4, 1, 1), 1);
  EXPECT_EQ(cudaMemcpyToSymbol(&value, &value, 4, 0, 1), 13);
}

TEST_F(RuntimeTest, AFaultStaysUntilTheReset) {
  void *p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 16), 0);
  EXPECT_EQ(add_step(p, 5), 700);
  EXPECT_EQ(cudaDeviceSynchronize(), 700);
  EXPECT_EQ(cudaGetLastError(), 700);
  EXPECT_EQ(cudaGetLastError(), 700);
  EXPECT_EQ(cudaMalloc(&p, 16), 700);
  const auto findings = current_device().take_findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::out_of_bounds);
  EXPECT_EQ(findings[0].thread.thread[0], 4u);
  EXPECT_EQ(cudaDeviceReset(), 0);
  EXPECT_EQ(cudaMalloc(&p, 16), 0);
}

TEST_F(RuntimeTest, WrongConfigurationsAreErrorsOfTheLaunchOnly) {
  void *p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 4096), 0);
  EXPECT_EQ(add_step(p, 1, 2000), 9);
  EXPECT_EQ(cudaPeekAtLastError(), 9);
  EXPECT_EQ(cudaGetLastError(), 9);
  EXPECT_EQ(cudaGetLastError(), 0);
  EXPECT_EQ(add_step(p, 1), 0);
  EXPECT_EQ(cudaLaunchKernel(&p, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), 98);
}

TEST_F(RuntimeTest, WhatCannotRunIsSaidBeforeItRuns) {
  EXPECT_EQ(cudaLaunchKernel(&strange_host, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), 801);
  const auto findings = current_device().take_findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::unsupported);
  EXPECT_THAT(findings[0].message, testing::HasSubstr("frobnicate.u32"));
  EXPECT_EQ(cudaGetLastError(), 801);
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
}

TEST_F(RuntimeTest, ProgramsWithoutUsablePtxAreToldOnce) {
  const struct {
    std::string container;
    const char *says;
    int code;
  } cases[] = {
      {make_container({{2, 90, "machine code"}}), "-gencode arch=compute_90,code=compute_90", 209},
      {std::string("not a fat binary at all, but long"), "does not begin with the magic number", 200},
      {make_container({{1, 90, ".version 9.0\n.target sm_90\n.visible .entry ("}}), "PTX for compute_90:3",
       218}};
  for (const auto &one : cases) {
    reload(one.container);
    testing::internal::CaptureStderr();
    EXPECT_EQ(add_step(nullptr, 0), one.code);
    EXPECT_EQ(add_step(nullptr, 0), one.code);
    const auto text = testing::internal::GetCapturedStderr();
    EXPECT_THAT(text, testing::HasSubstr(one.says));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  }
}

TEST_F(RuntimeTest, ACapturedStreamRunsLater) {
  void *p = nullptr, *stream = nullptr, *graph = nullptr, *executable = nullptr;
  unsigned word = 1;
  ASSERT_EQ(cudaMalloc(&p, 4), 0);
  ASSERT_EQ(cudaMemcpy(p, &word, 4, 1), 0);
  ASSERT_EQ(cudaStreamCreate(&stream), 0);
  ASSERT_EQ(cudaStreamBeginCapture(stream, 0), 0);
  ASSERT_EQ(add_step(p, 1, 32, stream), 0);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), 0);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), 0);
  ASSERT_EQ(cudaMemcpy(&word, p, 4, 2), 0);
  EXPECT_EQ(word, 1u);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(cudaGraphLaunch(executable, stream), 0);
  ASSERT_EQ(cudaMemcpy(&word, p, 4, 2), 0);
  EXPECT_EQ(word, 16u);
  EXPECT_EQ(cudaStreamDestroy(stream), 0);
  EXPECT_EQ(cudaStreamBeginCapture(stream, 0), 400);
}

TEST_F(RuntimeTest, HooksSeeAndVetoLaunches) {
  unsigned seen = 0;
  auto &device = current_device();
  device.before_launch = [&](const LaunchSeen &launch, LaunchOptions &) {
    seen += launch.kernel == "add_step" && launch.request.block[0] == 32;
    return false;
  };
  EXPECT_EQ(add_step(nullptr, 1), 0);  // would be a fault
  EXPECT_EQ(seen, 1u);
}

TEST_F(RuntimeTest, WhatIsMissingNamesItself) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaMalloc3DArray(nullptr, nullptr, 0, 0), 801);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("cudaMalloc3DArray is not supported"));
}

TEST_F(RuntimeTest, ErrorsHaveNamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(0), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorName(700), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(2), "out of memory");
  EXPECT_STREQ(cudaGetErrorName(12345), "unrecognized error code");
}

}  // namespace
}  // namespace cupilot::emulate::test
