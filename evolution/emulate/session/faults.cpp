// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/faults.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "annotate/support/text.h"

namespace cupilot::emulate::session {

judge::launches::Fault::Kind fault_kind(machine::FindingKind kind) {
  switch (kind) {
    case machine::FindingKind::shared_race:
    case machine::FindingKind::global_race:
    case machine::FindingKind::divergent_barrier:
    case machine::FindingKind::bad_shuffle_mask:
    case machine::FindingKind::warp_race:
    case machine::FindingKind::shared_overrun:
    case machine::FindingKind::uninitialised_read:
    case machine::FindingKind::scratch_misuse:
      return judge::launches::Fault::Kind::wrong;
    case machine::FindingKind::endless_loop:
      return judge::launches::Fault::Kind::endless;
    case machine::FindingKind::unsupported:
      return judge::launches::Fault::Kind::unsupported;
    case machine::FindingKind::out_of_bounds:
    case machine::FindingKind::misaligned:
    case machine::FindingKind::invalid_launch:
    case machine::FindingKind::assertion:
    case machine::FindingKind::trap:
    case machine::FindingKind::out_of_memory:
      break;
  }
  return judge::launches::Fault::Kind::crashed;
}

bool waivable(machine::FindingKind kind) {
  return kind == machine::FindingKind::shared_race || kind == machine::FindingKind::global_race ||
         kind == machine::FindingKind::warp_race || kind == machine::FindingKind::shared_overrun ||
         kind == machine::FindingKind::uninitialised_read;
}

std::vector<judge::launches::Fault> faults_of(const std::vector<machine::Finding> &findings,
                                              const std::vector<std::string> &waived) {
  std::vector<judge::launches::Fault> faults;
  std::set<std::tuple<machine::FindingKind, std::string, std::uint32_t>> told;
  for (const machine::Finding &finding : findings) {
    const std::string rule = machine::to_string(finding.kind);
    if (std::ranges::find(waived, rule) != waived.end()) continue;
    if (!told.emplace(finding.kind, finding.place.file, finding.place.line).second) continue;
    // One line: verdicts and messages carry it inside sentences.
    const std::string text = replace_all(replace_all(machine::describe(finding), "error: ", ""), "\n", "; ");
    faults.push_back({fault_kind(finding.kind), rule, text, waivable(finding.kind)});
  }
  std::ranges::stable_partition(faults, [](const judge::launches::Fault &fault) { return !fault.waivable; });
  return faults;
}

}  // namespace cupilot::emulate::session
