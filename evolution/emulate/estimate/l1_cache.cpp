// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/l1_cache.h"

#include <algorithm>

#include "evolution/emulate/estimate/requests.h"

namespace cupilot::emulate::estimate {

namespace {
constexpr std::uint64_t kOfLine = kLineBytes / kSectorBytes;
}

L1Cache::L1Cache(double bytes) {
  sets_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::max(0.0, bytes)) / kLineBytes / kWays);
  lines_.resize(sets_ * kWays);
}

L1Cache::Line *L1Cache::line_of(std::uint64_t line) {
  // A hash spreads lines over the sets, so that a power-of-two stride does not map to one set.
  Line *set = &lines_[(line ^ line >> 7 ^ line >> 15) % sets_ * kWays];
  for (unsigned way = 0; way < kWays; ++way)
    if (set[way].line == line) return set + way;
  return nullptr;
}

double L1Cache::find(std::uint64_t sector) {
  const std::uint64_t line = sector / kOfLine;
  const unsigned bit = 1u << sector % kOfLine;
  if (Line *found = line_of(line)) {
    found->used = ++clock_;
    if (found->valid & bit) return found->ready;
    found->valid |= bit;
    return -1;
  }
  Line *set = &lines_[(line ^ line >> 7 ^ line >> 15) % sets_ * kWays];
  Line *oldest =
      std::min_element(set, set + kWays, [](const Line &a, const Line &b) { return a.used < b.used; });
  *oldest = {line, ++clock_, bit, 0};
  return -1;
}

void L1Cache::arrives(std::uint64_t sector, double time) {
  if (Line *found = line_of(sector / kOfLine)) found->ready = std::max(found->ready, time);
}

void L1Cache::drop(std::uint64_t sector) {
  if (Line *found = line_of(sector / kOfLine)) found->valid &= ~(1u << sector % kOfLine);
}

}  // namespace cupilot::emulate::estimate
