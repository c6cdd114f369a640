// SPDX-License-Identifier: Apache-2.0
// Prints findings in the format of compiler messages.

#include "evolution/emulate/machine/finding.h"

#include <fmt/format.h>

namespace cupilot::emulate::machine {
namespace {

std::string coordinates(const std::array<std::uint32_t, 3> &value) {
  return fmt::format("({},{},{})", value[0], value[1], value[2]);
}

std::string thread_text(const ThreadPlace &place) {
  return fmt::format("[block {} thread {}]", coordinates(place.block), coordinates(place.thread));
}

/// "norm.cu:12: ", or the kernel where the source is not known.
std::string place_text(const program::SourcePlace &place, const std::string &kernel) {
  if (place.file.empty() || place.line == 0) return kernel.empty() ? "" : kernel + ": ";
  return fmt::format("{}:{}: ", place.file, place.line);
}

}  // namespace

const char *to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::out_of_bounds:
      return "out-of-bounds";
    case FindingKind::misaligned:
      return "misaligned";
    case FindingKind::shared_race:
      return "shared-race";
    case FindingKind::global_race:
      return "global-race";
    case FindingKind::divergent_barrier:
      return "divergent-barrier";
    case FindingKind::bad_shuffle_mask:
      return "bad-shuffle-mask";
    case FindingKind::warp_race:
      return "warp-race";
    case FindingKind::shared_overrun:
      return "shared-overrun";
    case FindingKind::uninitialised_read:
      return "uninitialised-read";
    case FindingKind::endless_loop:
      return "endless-loop";
    case FindingKind::scratch_misuse:
      return "scratch-misuse";
    case FindingKind::invalid_launch:
      return "invalid-launch";
    case FindingKind::assertion:
      return "assertion";
    case FindingKind::trap:
      return "trap";
    case FindingKind::out_of_memory:
      return "out-of-memory";
    case FindingKind::unsupported:
      return "unsupported";
  }
  return "unknown";
}

std::string describe(const Finding &finding) {
  std::string text = fmt::format("{}error: {}: {} {}", place_text(finding.place, finding.kernel),
                                 to_string(finding.kind), finding.message, thread_text(finding.thread));
  if (finding.times > 1) text += fmt::format(" ({} times)", finding.times);
  if (finding.other_thread || finding.other_place) {
    text += fmt::format("\n{}note: the other access",
                        place_text(finding.other_place.value_or(program::SourcePlace{}), finding.kernel));
    if (finding.other_thread) text += " " + thread_text(*finding.other_thread);
  }
  return text;
}

}  // namespace cupilot::emulate::machine
