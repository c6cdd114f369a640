// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/launch_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "evolution/judge/launches/device_code.h"

namespace cupilot::judge::launches {

namespace {

/// cudaFuncAttribute numbers that only affect how a kernel runs: dynamic shared memory, carve-out, clusters.
constexpr int kFirstAttribute = 8, kLastAttribute = 15;
constexpr std::uint32_t kMostBlocksAcross[] = {0x7fff'ffff, 65535, 65535};
constexpr std::uint32_t kMostThreadsAcross[] = {1024, 1024, 64};
constexpr std::uint64_t kMostSharedBytes = 1u << 20;

Fault forbidden(const std::string &text) {
  return {Fault::Kind::forbidden, "launch", text};
}

/// More than any device supports; the device itself checks its own limits.
bool is_shape(const QueuedWork &work) {
  for (int i = 0; i < 3; ++i)
    if (work.grid[i] > kMostBlocksAcross[i] || work.block[i] > kMostThreadsAcross[i] || work.cluster[i] > 64)
      return false;
  return work.shared_bytes <= kMostSharedBytes;
}

std::string text_of(const std::array<std::uint32_t, 3> &d) {
  return fmt::format("{},{},{}", d[0], d[1], d[2]);
}

const LoadedKernel *find(std::span<const LoadedKernel> kernels, const std::string &symbol) {
  const auto found = std::ranges::find(kernels, symbol, &LoadedKernel::symbol);
  return found == kernels.end() ? nullptr : &*found;
}

bool fits(const QueuedWork &work, const LoadedKernel &kernel) {
  return std::ranges::equal(work.arguments, kernel.parameter_bytes,
                            [](const auto &argument, auto bytes) { return argument.size() == bytes; });
}

std::optional<Fault> check_launch(const QueuedWork &work, const ListRules &rules) {
  const LoadedKernel *kernel = find(rules.kernels, work.kernel);
  if (!kernel) return forbidden(fmt::format("launches '{}', which is no kernel of its own", work.kernel));
  if (!fits(work, *kernel))
    return forbidden(fmt::format("launches '{}' with other arguments than it has", work.kernel));
  if (!is_shape(work))
    return Fault{Fault::Kind::crashed, "launch",
                 fmt::format("the launch itself was refused: '{}' with grid {}, block {} and {} bytes of "
                             "shared memory is more than any GPU takes",
                             work.kernel, text_of(work.grid), text_of(work.block), work.shared_bytes)};
  if (rules.foreign && rules.foreign->contains(symbol_of_any_file(work.kernel)))
    return forbidden(
        fmt::format("launches the original's kernel '{}': a variant is judged by kernels of its own; return "
                    "false where it is not for you",
                    work.kernel));
  if (work.programmatic && rules.impatient && rules.impatient->contains(work.kernel))
    return forbidden(fmt::format(
        "launches '{}' so that it may begin before the work in front of it has ended (programmatic "
        "stream serialization), and the kernel touches memory before it waits: call "
        "cudaGridDependencySynchronize() first, or launch it without that attribute",
        work.kernel));
  return std::nullopt;
}

std::optional<Fault> check_memset(const QueuedWork &work, const ListRules &rules) {
  const MemoryRange target{work.address, work.bytes};
  const auto holds = [&](const MemoryRange &range) { return range.contains(target); };
  if (work.bytes == 0 || std::ranges::any_of(rules.writable, holds) ||
      std::ranges::any_of(rules.scratch, holds))
    return std::nullopt;
  return forbidden(fmt::format(
      "cudaMemsetAsync of {} bytes writes where neither an output nor scratch memory is", work.bytes));
}

std::optional<Fault> check_scratch(const LaunchList &list, const ListRules &rules) {
  const bool placed =
      list.scratch.size() <= rules.scratch.size() &&
      std::equal(list.scratch.begin(), list.scratch.end(), rules.scratch.begin(),
                 [](std::uint64_t bytes, const MemoryRange &place) { return bytes <= place.bytes; });
  if (placed) return std::nullopt;
  return forbidden("asks for other amounts of scratch memory when it is asked again");
}

}  // namespace

Fault changes_a_constant(const std::string &symbol) {
  return {Fault::Kind::forbidden, "constant",
          fmt::format(
              "changes the constant '{}': that keeps state between launches, and what reads it next reads "
              "something else; use l.scratch(bytes), or __shared__",
              symbol_of_any_file(symbol))};
}

std::optional<Fault> check_list(const LaunchList &list, const ListRules &rules) {
  if (!list.complaint.empty()) return forbidden(list.complaint);
  if (list.declined)
    return list.work.empty() ? std::nullopt
                             : std::optional(forbidden("returns false after it has queued work: the original "
                                                       "would run as well"));
  if (list.error) return std::nullopt;
  if (auto fault = check_scratch(list, rules)) return fault;
  for (const auto &attribute : list.attributes)
    if (!find(rules.kernels, attribute.kernel) || attribute.attribute < kFirstAttribute ||
        attribute.attribute > kLastAttribute)
      return forbidden(fmt::format("sets attribute {} of '{}', which a variant may not", attribute.attribute,
                                   attribute.kernel));
  bool launches = false;
  for (const QueuedWork &work : list.work) {
    const bool is_launch = work.kind == QueuedWork::Kind::launch;
    launches |= is_launch;
    if (auto fault = is_launch ? check_launch(work, rules) : check_memset(work, rules)) return fault;
  }
  if (launches || !rules.writes) return std::nullopt;
  return forbidden("launch() returns true and launches no kernel of its own, though there are outputs");
}

}  // namespace cupilot::judge::launches
