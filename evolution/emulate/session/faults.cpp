// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/faults.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "annotate/support/text.h"

namespace cupilot::emulate {

Fault::Kind fault_kind(FindingKind kind) {
  switch (kind) {
    case FindingKind::shared_race:
    case FindingKind::global_race:
    case FindingKind::divergent_barrier:
    case FindingKind::bad_shuffle_mask:
    case FindingKind::uninitialised_read:
    case FindingKind::scratch_misuse:
      return Fault::Kind::wrong;
    case FindingKind::endless_loop:
      return Fault::Kind::endless;
    case FindingKind::unsupported:
      return Fault::Kind::unsupported;
    case FindingKind::out_of_bounds:
    case FindingKind::misaligned:
    case FindingKind::invalid_launch:
    case FindingKind::assertion:
    case FindingKind::trap:
    case FindingKind::out_of_memory:
      break;
  }
  return Fault::Kind::crashed;
}

bool waivable(FindingKind kind) {
  return kind == FindingKind::shared_race || kind == FindingKind::global_race ||
         kind == FindingKind::uninitialised_read;
}

std::vector<Fault> faults_of(const std::vector<Finding> &findings, const std::vector<std::string> &waived) {
  std::vector<Fault> faults;
  std::set<std::tuple<FindingKind, std::string, std::uint32_t>> told;
  for (const Finding &finding : findings) {
    const std::string rule = to_string(finding.kind);
    if (std::ranges::find(waived, rule) != waived.end()) continue;
    if (!told.emplace(finding.kind, finding.place.file, finding.place.line).second) continue;
    // One line: verdicts and messages carry it inside sentences.
    const std::string text = replace_all(replace_all(describe(finding), "error: ", ""), "\n", "; ");
    faults.push_back({fault_kind(finding.kind), rule, text, waivable(finding.kind)});
  }
  std::ranges::stable_partition(faults, [](const Fault &fault) { return !fault.waivable; });
  return faults;
}

}  // namespace cupilot::emulate
