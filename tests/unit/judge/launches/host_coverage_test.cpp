// SPDX-License-Identifier: Apache-2.0
//
// The host side of a variant from nvcc to its coverage: built as the worker builds it, called by
// cupilot-launches, read back to lines and conditions. No device is needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <iostream>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/judge/bundle/entry_source.h"
#include "evolution/judge/bundle/launch_header.h"
#include "evolution/judge/engine/recorder_process.h"
#include "evolution/judge/launches/host_code.h"
#include "evolution/judge/launches/recorder.h"
#include "evolution/judge/tools/build.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::engine;
using namespace judge::launches;
using namespace judge::tools;
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::byte> bytes_of(auto value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// Lines 1 to 3; what comes behind it begins at line 4.
constexpr const char *kKernel = R"(__global__ void mine(const float *x, float *y, float a, int n) {
  if (threadIdx.x < n) y[threadIdx.x] = a * x[threadIdx.x];
}
)";
constexpr const char *kSignature =
    "bool launch(const cupilot::Launch &l, const float *x, float *y, float a, int rows, int cols) {\n";

class HostCoverage : public testing::Test {
protected:
  void SetUp() override {
    if (find_program("nvcc") && find_program("objdump")) return;
    std::cout << "skipped: no nvcc or no objdump in PATH\n";
    std::exit(77);
  }

  /// `body`: of launch(), from line 5 on.
  void build(const std::string &body, std::vector<std::string> flags = {"-O2"}) {
    variant_ = std::string(kKernel) + kSignature + body + "}\n";
    bundle_.flags = std::move(flags);
    model::Individual individual;
    individual.id = "c1";
    individual.variant = variant_;
    const auto folder = temporary_.path() / "candidates" / "c1";
    fs::create_directories(folder);
    fs::create_directories(temporary_.path() / "include" / "cupilot");
    ASSERT_TRUE(write_file_atomic(temporary_.path() / "include" / "cupilot" / "launch.cuh",
                                  std::string(judge::bundle::launch_header())));
    ASSERT_TRUE(write_file_atomic(folder / "variant.cuh", variant_));
    ASSERT_TRUE(write_file_atomic(folder / "entry.cu",
                                  judge::bundle::candidate_entry(fake::scale_spec(), individual)));
    const auto built =
        build_entry({bundle_, temporary_.path(), {"-arch=sm_90", "-cudart", "none"}, true}, folder);
    ASSERT_TRUE(built) << built.error().message;
    ASSERT_TRUE(built->ok) << built->report.log;
    built_ = *built;
    auto started = RecorderProcess::start(CUPILOT_LAUNCHES_PROGRAM);
    ASSERT_TRUE(started) << started.error().message;
    process_ = std::move(*started);
    recorder_ = std::make_unique<Recorder>(process_->take_socket());
    LoadQuestion question{built_.library.string(), {}, {}, built_.host.library.string()};
    for (const KernelResources &kernel : built_.kernels)
      question.kernels.push_back({kernel.symbol, {8, 8, 4, 4}, 32, 0, 0, 0, 1024});
    const auto fault = recorder_->load(question);
    ASSERT_FALSE(fault) << fault->text;
  }

  LaunchList call(int cols, float a = 1, std::uint64_t x = 0x1000) {
    RecordQuestion question;
    question.arguments = {bytes_of(x), bytes_of(std::uint64_t{0x2000}), bytes_of(a), bytes_of(8),
                          bytes_of(cols)};
    question.scratch_most = 1 << 20;
    const Recorded list = recorder_->record(question);
    EXPECT_TRUE(list) << list.error().text;
    EXPECT_EQ(list ? list->complaint : "", "");
    return list.value_or(LaunchList{});
  }

  Coverage coverage() {
    const auto trace = recorder_->trace();
    EXPECT_TRUE(trace) << trace.error().text;
    return host_coverage(built_.host.code, trace.value_or(HostTrace{}));
  }

  TemporaryFolder temporary_ = TemporaryFolder::create("cupilot-host-coverage").value();
  model::Bundle bundle_;
  std::string variant_;
  Built built_;
  std::unique_ptr<RecorderProcess> process_;
  std::unique_ptr<Recorder> recorder_;
};

TEST_F(HostCoverage, TellsLinesAndConditionsThatNoCallHasSeen) {
  build(R"(  int grid = (cols + 127) / 128;
  if (cols == 160)
    grid = 1;
  if (a < 0) grid += 1;
  switch (cols % 4) {
    case 1:
      grid += 1;
      break;
    default:
      break;
  }
  grid -= (cols == 77);
  mine<<<grid, 128, 0, l.stream>>>(x, y, a, cols);
  return true;
)");
  EXPECT_EQ(call(128).work.size(), 1u);
  call(256, 2);
  EXPECT_THAT(uncovered(coverage()),
              ElementsAre("variant.cuh:6: never true, compared with 160", "variant.cuh:7: never executed",
                          "variant.cuh:8: never true, compared with 0",
                          "variant.cuh:9: always decided the same way, compared with 1",
                          "variant.cuh:11: never executed", "variant.cuh:12: never executed",
                          "variant.cuh:16: never true, compared with 77"));
  call(160);
  call(129, -1);
  EXPECT_THAT(uncovered(coverage()), ElementsAre("variant.cuh:16: never true, compared with 77"));
  call(77);
  const Coverage all = coverage();
  EXPECT_THAT(uncovered(all), IsEmpty());
  EXPECT_TRUE(figures_of(all).whole());
  EXPECT_THAT(all.unknown, IsEmpty());
}

TEST_F(HostCoverage, AskingForOneNumberCountsWhereNoLineTells) {
  build(R"(  int grid = 2;
  const cudaError_t failed = static_cast<cudaError_t>(cols - 160);
  if (failed == cudaSuccess) grid -= 1;
  if (cols / 64 == 3) grid = 1;
  grid -= (cols - 150 == 0);
  if (cols == 0) return false;
  if (cols < 3) grid = 1;
  mine<<<grid, 128, 0, l.stream>>>(x, y, a, cols);
  return true;
)");
  call(128);
  EXPECT_THAT(uncovered(gaps_of(coverage())),
              ElementsAre("variant.cuh:7: never true, compared with 0",
                          "variant.cuh:8: always decided the same way, compared with 63",
                          "variant.cuh:9: never true, compared with 150"));
  call(160);
  call(200);
  call(150);
  EXPECT_THAT(uncovered(gaps_of(coverage())), IsEmpty());
}

TEST_F(HostCoverage, ALaunchAsksNothing) {
  build(R"(  mine<<<l.grid, l.block, 0, l.stream>>>(x, y, a, cols);
  mine<<<dim3(cols, 1), dim3(32), 0, l.stream>>>(x, y, a, cols);
  mine<<<cols, 32, 0, l.stream>>>(x, y, a, cols);
  return true;
)");
  call(128);
  EXPECT_THAT(uncovered(coverage()), IsEmpty());
}

TEST_F(HostCoverage, AsksWithEveryKindOfStream) {
  build(R"(  int grid = 1;
  if (l.stream == nullptr) grid += cols;
  mine<<<grid - (l.stream ? 0 : cols), 128, 0, l.stream>>>(x, y, a, cols);
  return true;
)");
  call(128);
  EXPECT_THAT(uncovered(coverage()), IsEmpty());
}

TEST_F(HostCoverage, CodeThatOnlyDeclinesNeedsNoCall) {
  build(R"(  if (cols <= 0 || rows <= 0) return false;
  if (cols > 1 << 20) {
    return false;
  }
  if (!l.aligned(16, x, y))
    return false;
  void *piece = l.scratch(cols);
  if (piece == nullptr) return false;
  const cudaError_t status =
      cudaFuncSetAttribute(mine, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  if (status != cudaSuccess) return false;
  mine<<<1, 128, 0, l.stream>>>(x, y, a, cols);
  return cudaPeekAtLastError() == cudaSuccess;
)");
  EXPECT_FALSE(call(128).declined);
  const Coverage all = coverage();
  for (const Condition &one : all.conditions)
    EXPECT_TRUE(one.both() || (one.seen_true ? one.idle_false : one.idle_true))
        << "line " << one.line << ": " << text_of(one);
  for (const CodeSpot &spot : all.spots) EXPECT_TRUE(spot.executed) << "line " << spot.line;
  EXPECT_TRUE(call(128, 1, 0x1004).declined);
}

TEST_F(HostCoverage, EachConditionOfALineCountsAlone) {
  build(R"(  const int grid = cols == 160 && a < 0 ? 1 : cols > 64 || cols == 7 ? 2 : 3;
  mine<<<grid, 128, 0, l.stream>>>(x, y, a, cols);
  return true;
)");
  call(160, -1);
  call(160, 1);
  EXPECT_THAT(uncovered(coverage()),
              ElementsAre("variant.cuh:5: never false, compared with 160",
                          "variant.cuh:5: always decided the same way, compared with 64"));
}

TEST_F(HostCoverage, FunctionsOfTheVariantAreHostCodeToo) {
  build(R"(  const auto blocks = [&](int size) {
    if (cols == 160) return 1;
    return (cols + size - 1) / size;
  };
  mine<<<blocks(128), 128, 0, l.stream>>>(x, y, a, cols);
  return true;
)",
        {"-O3", "-DNDEBUG", "-DUNUSED=1"});
  call(128);
  EXPECT_THAT(uncovered(coverage()), ElementsAre("variant.cuh:6: never true, compared with 160"));
}

TEST_F(HostCoverage, WorksWithTheFlagsThatUsersHave) {
  for (const std::vector<std::string> &flags :
       std::vector<std::vector<std::string>>{{},
                                             {"-O0"},
                                             {"-G", "-g"},
                                             {"-O3", "-Xcompiler", "-O3,-march=native,-fomit-frame-pointer"},
                                             {"-std=c++20", "-Xcompiler", "-Wall"},
                                             {"--use_fast_math", "-Xcompiler=-Ofast", "-include", "cmath"},
                                             {"--optimize", "2", "-Xcompiler", "-flto"}}) {
    build(
        "  const int grid = cols == 160 ? 1 : 2;\n  mine<<<grid, 128, 0, l.stream>>>(x, y, a, cols);\n"
        "  return true;\n",
        flags);
    if (HasFatalFailure()) return;
    call(128);
    const Coverage all = coverage();
    EXPECT_THAT(all.unknown, IsEmpty()) << join(flags, " ");
    EXPECT_THAT(uncovered(all), ElementsAre("variant.cuh:5: never true, compared with 160"))
        << join(flags, " ");
  }
}

TEST_F(HostCoverage, WhereItCannotBeBuiltItIsNotKnown) {
  build("  mine<<<1, 128, 0, l.stream>>>(x, y, a, cols);\n  return true;\n", {"-keep"});
  call(128);
  EXPECT_THAT(coverage().unknown, ElementsAre("host: the options keep the compiler's files elsewhere"));
}

}  // namespace
}  // namespace cupilot
