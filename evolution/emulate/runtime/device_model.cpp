// SPDX-License-Identifier: Apache-2.0
//
// The table of architectures, and how many blocks share a multiprocessor: registers are given out to warps in
// units of 256, warps in groups of 4, shared memory in units of 128 bytes plus 1 KiB the system keeps.

#include "evolution/emulate/runtime/device_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace cupilot::emulate::runtime {
namespace {

constexpr std::uint32_t operator""_KiB(unsigned long long n) {
  return static_cast<std::uint32_t>(n << 10);
}
constexpr std::uint32_t operator""_MiB(unsigned long long n) {
  return static_cast<std::uint32_t>(n << 20);
}

constexpr DeviceModel kModels[] = {
    {75, 40, 1024, 16, 64_KiB, 64_KiB, 4_MiB, 1'590'000, 5'001'000, 256, 32},
    {80, 108, 2048, 32, 164_KiB, 163_KiB, 40_MiB, 1'410'000, 1'215'000, 5120, 2},
    {86, 84, 1536, 16, 100_KiB, 99_KiB, 6_MiB, 1'800'000, 8'001'000, 384, 64},
    {87, 16, 1536, 16, 164_KiB, 163_KiB, 4_MiB, 1'300'000, 3'200'000, 256, 32},
    {89, 142, 1536, 24, 100_KiB, 99_KiB, 96_MiB, 2'520'000, 9'001'000, 384, 64},
    {90, 132, 2048, 32, 228_KiB, 227_KiB, 50_MiB, 1'980'000, 2'619'000, 5120, 2},
    {100, 148, 2048, 32, 228_KiB, 227_KiB, 126_MiB, 1'965'000, 3'996'000, 8192, 2},
    {120, 170, 1536, 24, 100_KiB, 99_KiB, 96_MiB, 2'407'000, 14'001'000, 512, 64},
};

template <class T>
T round_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

int by_registers(const BlockResources &block, int warps) {
  const int per_warp = round_up(std::max(block.registers, 1) * kWarpSize, 256);
  const int warps_that_fit = kRegistersPerProcessor / per_warp / 4 * 4;
  return warps_that_fit / warps;
}

}  // namespace

Result<DeviceModel> device_model(const std::string &architecture) {
  auto digits = architecture.starts_with("sm_") ? architecture.substr(3) : architecture;
  if (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) digits.pop_back();
  unsigned number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size())
    for (const auto &model : kModels)
      if (model.architecture == number) return model;
  std::string known;
  for (const auto &model : kModels)
    known += fmt::format("{}sm_{}", known.empty() ? "" : ", ", model.architecture);
  return user_error(
      fmt::format("the architecture '{}' cannot be emulated; the emulated ones are {}", architecture, known));
}

int resident_blocks(const DeviceModel &model, const BlockResources &block) {
  if (block.threads < 1 || block.threads > kThreadsPerBlock) return 0;
  const int warps = (block.threads + kWarpSize - 1) / kWarpSize;
  const auto shared = round_up<std::uint64_t>(block.shared_bytes + kSharedReserved, 128);
  const int fit[] = {model.blocks_per_processor, model.threads_per_processor / kWarpSize / warps,
                     by_registers(block, warps), static_cast<int>(model.shared_per_processor / shared)};
  return *std::min_element(std::begin(fit), std::end(fit));
}

}  // namespace cupilot::emulate::runtime
