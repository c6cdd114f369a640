// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/flushing.h"

#include <fmt/format.h>

#include <algorithm>

#include "evolution/judge/correct/compare_parts.h"

namespace cupilot::judge::correct {

std::uint64_t floating_numbers(const cases::CaseLayout &layout) {
  std::uint64_t numbers = 0;
  for (const cases::PlacedBuffer &buffer : layout.buffers)
    if (buffer.read() && spec::is_floating(buffer.element.type)) numbers += buffer.elements;
  return numbers;
}

std::uint64_t flushed_numbers(const Flushing &flushing) {
  const std::uint64_t most = 2 * flushing.numbers;
  const std::uint64_t by_atomics =
      flushing.counted ? std::min(flushing.flushed, most) : (flushing.atomics ? most : 0);
  return by_atomics + (flushing.original_ftz ? most : 0);
}

std::string flushing_text(double allowance) {
  return fmt::format(
      "deviations up to {} ({:.0f} x the smallest normal number) were allowed, since float atomics, or the "
      "original's own arithmetic, flush subnormal numbers",
      error_number(allowance), allowance / kSmallestNormal);
}

}  // namespace cupilot::judge::correct
