// SPDX-License-Identifier: Apache-2.0
// warp_kernels.cu through nvcc and Clang, executed with all checks on and compared with C++.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <span>
#include <sstream>

#include <unistd.h>

#include "annotate/support/process.h"
#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/ptx/parser.h"
#include "tests/emulate/warp_opcodes/small_numbers.h"

namespace {

using namespace cupilot;
using namespace cupilot;
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::program;
using namespace cupilot::emulate;
namespace fs = std::filesystem;

std::uint32_t random_of(std::uint32_t i) {
  i = (i ^ 61 ^ i >> 16) * 9;
  i = (i ^ i >> 4) * 0x27d4eb2d;
  return i ^ i >> 15;
}

/// PTX by compiler; empty text: the compiler is not here, or its message.
struct Compiled {
  std::shared_ptr<const Program> program;
  std::string problem, skipped;
};

Compiled compile(const std::string &compiler) {
  const auto nvcc = find_program("nvcc");
  const auto program = compiler == "nvcc" ? nvcc : find_program("clang++-22");
  if (!nvcc || !program) return {.skipped = "no " + compiler + " here"};
  const fs::path toolkit = fs::canonical(*nvcc).parent_path().parent_path();
  const fs::path to = fs::temp_directory_path() /
                      ("cupilot_warp_kernels_" + compiler + "_" + std::to_string(getpid()) + ".ptx");
  ProcessRequest request{.argv = {program->string(), "-std=c++17", CUPILOT_WARP_KERNELS, "-o", to.string()}};
  const std::vector<std::string> more =
      compiler == "nvcc" ? std::vector<std::string>{"-ptx", "-lineinfo", "-arch=sm_90"}
                         : std::vector<std::string>{"-x",
                                                    "cuda",
                                                    "--cuda-device-only",
                                                    "--cuda-gpu-arch=sm_90",
                                                    "-O2",
                                                    "-S",
                                                    "-Wno-unknown-cuda-version",
                                                    "--cuda-path=" + toolkit.string(),
                                                    "-I" + (toolkit / "include/cccl").string()};
  request.argv.insert(request.argv.begin() + 1, more.begin(), more.end());
  request.time_limit = std::chrono::minutes(20);
  const auto result = run_process(request);
  if (!result || !result->ok()) return {.problem = result ? result->err : result.error().message};
  std::stringstream text;
  text << std::ifstream(to).rdbuf();
  fs::remove(to);
  auto module = cupilot::emulate::ptx::parse(text.str(), compiler + ".ptx");
  if (!module) return {.problem = module.error().message};
  auto decoded =
      decode(std::make_shared<const cupilot::emulate::ptx::Module>(std::move(*module)), families());
  if (!decoded) return {.problem = decoded.error().message};
  return {.program = *decoded};
}

class WarpKernels : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    static std::map<std::string, Compiled> all;
    auto [at, fresh] = all.try_emplace(GetParam());
    if (fresh) at->second = compile(GetParam());
    if (!at->second.skipped.empty()) GTEST_SKIP() << at->second.skipped;
    ASSERT_EQ(at->second.problem, "");
    program_ = at->second.program;
    memory_ = std::move(*Memory::make(1 << 26));
    loaded_ = *LoadedProgram::load(program_, *memory_);
  }

  template <class T>
  std::span<T> buffer(std::size_t count, T value = {}) {
    auto *data = reinterpret_cast<T *>(memory_->allocate(count * sizeof(T), "buffer").value());
    std::fill_n(data, count, value);
    return {data, count};
  }
  template <class T, class Make>
  std::span<T> made(std::size_t count, Make make) {
    const auto data = buffer<T>(count);
    for (std::uint32_t i = 0; i < count; ++i) data[i] = make(random_of(i));
    return data;
  }

  template <class... Arguments>
  void launch_kernel(const char *name, std::array<std::uint32_t, 3> grid, unsigned block,
                     Arguments... arguments) {
    std::vector<std::byte> bytes;
    (append(bytes, arguments), ...);
    ASSERT_TRUE(program_->entries.contains(name));
    LaunchRequest request{
        .function = program_->entries.at(name), .grid = grid, .block = {block, 1, 1}, .parameters = bytes};
    bytes.resize(program_->functions[request.function].parameter_bytes);
    request.parameters = bytes;
    LaunchOptions options{.threads = 2};
    options.checks = {.races = true, .initialised = true};
    const auto result = launch(*loaded_, *memory_, request, options);
    for (const Finding &finding : result.findings)
      ADD_FAILURE() << describe(finding) << "\n" << finding.place.text;
    EXPECT_TRUE(result.completed);
  }

private:
  template <class T>
  static void append(std::vector<std::byte> &bytes, const T &argument) {
    bytes.resize((bytes.size() + alignof(T) - 1) / alignof(T) * alignof(T));
    const auto *from = reinterpret_cast<const std::byte *>(&argument);
    bytes.insert(bytes.end(), from, from + sizeof argument);
  }
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Memory> memory_;
  std::shared_ptr<LoadedProgram> loaded_;
};

int small(std::uint32_t random) {
  return static_cast<int>(random % 1000);
}

TEST_P(WarpKernels, GroupReduce) {
  const auto x = made<int>(256, small), out = buffer<int>(1024);
  launch_kernel("group_reduce", {2, 1, 1}, 128, x.data(), out.data());
  for (std::size_t i = 0; i < 256; ++i) {
    const auto warp = x.subspan(i / 32 * 32, 32), tile = x.subspan(i / 8 * 8, 8);
    EXPECT_EQ(out[4 * i], std::accumulate(warp.begin(), warp.end(), 0));
    EXPECT_EQ(out[4 * i + 1], *std::max_element(tile.begin(), tile.end()));
    EXPECT_EQ(out[4 * i + 2], std::accumulate(tile.begin(), tile.begin() + i % 8, 0));
    EXPECT_EQ(out[4 * i + 3], x[i ^ 3] + static_cast<int>(i % 128 / 8));
  }
}

TEST_P(WarpKernels, GroupCoalesced) {
  const auto x = made<int>(128, small), out = buffer<int>(128), counter = buffer<int>(1);
  launch_kernel("group_coalesced", {2, 1, 1}, 64, x.data(), out.data(), counter.data());
  int thirds = 0;
  for (std::size_t i = 0; i < 128; ++i) {
    int sum = 0, size = 0, rank = 0;
    for (std::size_t j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
      if (x[j] % 3 == 0) sum += x[j];
      const bool together = x[j] % 3 != 0 && x[j] % 2 == x[i] % 2;
      size += together;
      rank += together && j < i;
    }
    thirds += x[i] % 3 == 0;
    EXPECT_EQ(out[i], x[i] % 3 == 0 ? sum : size * 1000 + rank) << i;
  }
  EXPECT_EQ(counter[0], thirds);
}

TEST_P(WarpKernels, Votes) {
  const auto x = made<int>(64, small);
  const auto out = buffer<unsigned>(64);
  launch_kernel("warp_votes", {1, 1, 1}, 64, x.data(), out.data());
  for (std::size_t i = 0; i < 64; ++i) {
    const auto warp = x.subspan(i / 32 * 32, 32);
    unsigned even = 0, alike = 0, largest = 0;
    bool seven = false;
    for (unsigned j = 0; j < 32; ++j) {
      even |= static_cast<unsigned>(warp[j] % 2 == 0) << j;
      alike += warp[j] % 4 == x[i] % 4;
      seven = seven || warp[j] == 7;
      largest = std::max(largest, static_cast<unsigned>(warp[j]));
    }
    EXPECT_EQ(out[i], even + alike + (seven ? 1000u : 0u) + 5 + largest +
                          static_cast<unsigned>(x[i % 16 ? i - 1 : i]))
        << i;
  }
}

/// value(i, j) of a row-major product of what a(i, k) and b(k, j) say.
template <class Out, class A, class B>
void expect_product(std::span<const Out> c, unsigned m, unsigned n, unsigned k, A a, B b, double factor) {
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j) {
      double sum = 0;
      for (unsigned l = 0; l < k; ++l) sum += a(i * k + l) * b(l * n + j);
      ASSERT_EQ(static_cast<double>(c[i * n + j]), factor * sum) << i << " " << j;
    }
}
constexpr unsigned kM = 32, kN = 48, kK = 64;
double eighths(std::uint32_t random) {
  return (static_cast<double>(random % 33) - 16) / 8;
}

TEST_P(WarpKernels, TilesOfHalves) {
  const auto half = [](std::uint32_t r) { return opcodes::f16_nearest(eighths(r)); };
  const auto a = made<std::uint16_t>(kM * kK, half), b = made<std::uint16_t>(kK * kN, half);
  const auto c = buffer<float>(kM * kN);
  const auto at = [](auto m) { return [=](unsigned i) { return opcodes::value_of_f16(m[i]); }; };
  launch_kernel("wmma_half", {kN / 16, kM / 16, 1}, 32, a.data(), b.data(), c.data(), kN, kK);
  expect_product(std::span<const float>(c), kM, kN, kK, at(a), at(b), 2);
  std::fill(c.begin(), c.end(), -1.0f);
  launch_kernel("mma_pipelined", {kN / 8, kM / 16, 1}, 32, a.data(), b.data(), c.data(), kN, kK);
  expect_product(std::span<const float>(c), kM, kN, kK, at(a), at(b), 1);
}

TEST_P(WarpKernels, TilesOfBfloats) {
  const auto bfloat = [](std::uint32_t r) { return opcodes::bf16_nearest(eighths(r)); };
  const auto a = made<std::uint16_t>(kM * kK, bfloat), b = made<std::uint16_t>(kK * kN, bfloat);
  const auto c = buffer<float>(kM * kN);
  const auto at = [](auto m) { return [=](unsigned i) { return opcodes::value_of_bf16(m[i]); }; };
  launch_kernel("wmma_bfloat", {kN / 16, kM / 16, 1}, 32, a.data(), b.data(), c.data(), kN, kK);
  expect_product(std::span<const float>(c), kM, kN, kK, at(a), at(b), 2);
}

TEST_P(WarpKernels, TilesOfOtherTypes) {
  const auto at = [](auto m) { return [=](unsigned i) { return static_cast<double>(m[i]); }; };
  const auto byte = [](std::uint32_t r) { return static_cast<signed char>(r); };
  const auto a8 = made<signed char>(kM * kK, byte), b8 = made<signed char>(kK * kN, byte);
  const auto c8 = buffer<int>(kM * kN);
  launch_kernel("wmma_bytes", {kN / 16, kM / 16, 1}, 32, a8.data(), b8.data(), c8.data(), kN, kK);
  expect_product(std::span<const int>(c8), kM, kN, kK, at(a8), at(b8), 2);
  const auto single = [](std::uint32_t r) { return static_cast<float>(eighths(r)); };
  const auto a32 = made<float>(kM * kK, single), b32 = made<float>(kK * kN, single),
             c32 = buffer<float>(kM * kN);
  launch_kernel("wmma_tensor_float", {kN / 16, kM / 16, 1}, 32, a32.data(), b32.data(), c32.data(), kN, kK);
  expect_product(std::span<const float>(c32), kM, kN, kK, at(a32), at(b32), 1);
  const auto a64 = made<double>(kM * kK, eighths), b64 = made<double>(kK * kN, eighths),
             c64 = buffer<double>(kM * kN);
  launch_kernel("wmma_double", {kN / 8, kM / 8, 1}, 32, a64.data(), b64.data(), c64.data(), kN, kK);
  expect_product(std::span<const double>(c64), kM, kN, kK, at(a64), at(b64), 1);
}

TEST_P(WarpKernels, AsynchronousCopies) {
  const auto x = made<int>(512, small), out = buffer<int>(512);
  for (const char *kernel : {"block_barrier", "group_copy"}) {
    std::fill(out.begin(), out.end(), -1);
    launch_kernel(kernel, {4, 1, 1}, 128, x.data(), out.data());
    for (std::size_t i = 0; i < 512; ++i)
      ASSERT_EQ(out[i], 2 * x[i / 128 * 128 + 127 - i % 128]) << kernel << i;
  }
}

TEST_P(WarpKernels, Pipeline) {
  const auto x = made<int>(512, small), out = buffer<int>(64);
  launch_kernel("block_pipeline", {1, 1, 1}, 64, x.data(), out.data(), 8);
  for (std::size_t i = 0; i < 64; ++i) {
    int sum = 0;
    for (std::size_t round = 0; round < 8; ++round) sum += x[round * 64 + 63 - i];
    ASSERT_EQ(out[i], 2 * sum);
  }
}

TEST_P(WarpKernels, SpecialisedWarps) {
  const auto x = made<int>(96 * 9, small), out = buffer<int>(96);
  launch_kernel("specialised_warps", {1, 1, 1}, 128, x.data(), out.data(), 9);
  for (std::size_t i = 0; i < 96; ++i) {
    int sum = 0;
    for (std::size_t round = 0; round < 9; ++round) sum += x[round * 96 + 95 - i];
    ASSERT_EQ(out[i], sum) << i;
  }
}

TEST_P(WarpKernels, OrderedAtomics) {
  const auto x = made<int>(512, small), sum = buffer<int>(1), lock = buffer<int>(1),
             published = buffer<int>(1);
  const auto done = buffer<unsigned>(1);
  launch_kernel("ordered_atomics", {4, 1, 1}, 128, x.data(), sum.data(), lock.data(), done.data(),
                published.data());
  int wanted = 0;
  for (std::size_t i = 0; i < 512; i += 32) wanted += x[i];
  EXPECT_EQ(sum[0], wanted);
  EXPECT_EQ(published[0], wanted);
}

TEST_P(WarpKernels, AtomicTypes) {
  const auto x = made<int>(512, small), ints = buffer<int>(8);
  const auto longs = buffer<unsigned long long>(1);
  const auto floats = buffer<float>(1);
  const auto doubles = buffer<double>(1);
  const auto halves = buffer<std::uint16_t>(2), bfloats = buffer<std::uint16_t>(2);
  launch_kernel("atomic_types", {4, 1, 1}, 128, x.data(), ints.data(), longs.data(), floats.data(),
                doubles.data(), halves.data(), bfloats.data());
  int sum = 0, largest = 0, least = 0, bits = 0;
  for (int i = 0; i < 512; ++i) {
    const int v = x[static_cast<std::size_t>(i)] % 5;
    sum += v;
    largest = std::max(largest, v + i % 128);
    least = std::min(least, -v);
    bits |= 1 << v;
  }
  EXPECT_EQ(ints[0], sum);
  EXPECT_EQ(ints[1], largest);
  EXPECT_EQ(ints[2], least);
  EXPECT_EQ(ints[3], bits);
  EXPECT_EQ(ints[4], sum);
  EXPECT_EQ(longs[0], static_cast<unsigned long long>(sum) << 33);
  EXPECT_EQ(floats[0], static_cast<float>(sum));
  EXPECT_EQ(doubles[0], 0.5 * sum);
  EXPECT_EQ(opcodes::value_of_f16(halves[0]), 64);
  EXPECT_EQ(opcodes::value_of_f16(halves[1]), 128);
  EXPECT_EQ(opcodes::value_of_bf16(bfloats[0]), 64);
  EXPECT_EQ(opcodes::value_of_bf16(bfloats[1]), 128);
}

INSTANTIATE_TEST_SUITE_P(Compilers, WarpKernels, testing::Values("nvcc", "clang"),
                         [](const auto &each) { return std::string(each.param); });

}  // namespace
