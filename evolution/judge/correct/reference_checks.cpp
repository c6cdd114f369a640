// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/reference_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "annotate/support/log.h"
#include "evolution/judge/correct/figure.h"
#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::correct {

namespace {

/// A relative difference between repeats that no change in the order of a sum explains.
constexpr double kGrossRepeat = 0.01;

bool drawn(spec::FillKind kind) {
  return kind != spec::FillKind::iota && kind != spec::FillKind::zeros && kind != spec::FillKind::file;
}

bool reads(const cases::PlacedBuffer &buffer) {
  return buffer.read() && buffer.bytes > 0;
}

/// "'y' by 3e-08 of its size, where 1.5e-05 is allowed".
std::string changes(const OutputCheck &check) {
  std::string text;
  for (const model::OutputError &error : check.errors) {
    if (error.max_limit == 0) continue;
    text += fmt::format("{}'{}' by {} of its size where {} is allowed", text.empty() ? "" : ", ",
                        error.parameter, figure(error.rms), figure(error.rms_limit));
  }
  return text;
}

/// Whether nothing is read, so that outputs follow from sizes and other scalars alone, and cases with other
/// scalars, which nobody knew before, are judged, too: these do what drawn inputs do elsewhere.
bool follows_from_scalars(const model::Bundle &bundle, const cases::CaseLayout &layout,
                          const model::Case &which) {
  return std::ranges::none_of(layout.buffers, reads) &&
         std::ranges::any_of(bundle.cases, [&](const model::Case &other) {
           return other.workload == which.workload && other.verified && other.scalars != which.scalars &&
                  !cases::is_users_own(other);
         });
}

}  // namespace

std::string unrepeatable(const model::Bundle &bundle, const cases::CaseLayout &layout,
                         const model::Case &which, const ExpectedOutputs &first,
                         std::span<const std::byte> again, const Repeats &repeats) {
  const OutputCheck check = check_outputs(bundle, layout, which.id, "user", first, again);
  // Limits derived from runs that differ between repeats would be as wide as these differences.
  const bool gross = std::ranges::any_of(
      repeats.spread, [](const CompareLimits &spread) { return spread.rms > kGrossRepeat; });
  if (check.wrong.empty() && !gross && !(bundle.deterministic && !repeats.bitwise())) return "";
  const std::string of = fmt::format(
      "the original is not deterministic on workload '{}': two launches on the same data differ: {}",
      which.workload, check.wrong.empty() ? repeats.told : check.wrong);
  if (bundle.deterministic)
    return of + "; the directive says deterministic: fix the kernel, or remove the clause";
  return of +
         "; fix the kernel (it has a race, or reads memory that was never written), or declare as outputs "
         "only buffers that do not depend on the order of threads";
}

std::string differs_because(cases::Placement placement, bool emulated) {
  if (cases::is_in_place(placement)) return "outputs differ from those in memory of their own: ";
  if (placement == cases::Placement::moved && emulated)
    return "it is not deterministic, two runs on the same data differ (blocks in another order): ";
  if (placement == cases::Placement::moved)
    return "its outputs depend on the addresses of buffers or on what was in memory before (it reads an "
           "output, scratch memory or memory beside a buffer that was never written): ";
  return "it is not deterministic, two runs on the same data differ: ";
}

bool has_drawn_inputs(const cases::CaseLayout &layout) {
  return std::ranges::any_of(layout.buffers, [](const cases::PlacedBuffer &buffer) {
    return reads(buffer) && drawn(buffer.fill.kind);
  });
}

bool same_outputs(const cases::CaseLayout &layout, std::span<const std::byte> first,
                  std::span<const std::byte> second) {
  const auto offsets = cases::dump_offsets(layout);
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const cases::PlacedBuffer &buffer = layout.buffers[i];
    if (!buffer.dumped() || buffer.bytes == 0) continue;
    if (std::memcmp(first.data() + offsets[i], second.data() + offsets[i], buffer.bytes) != 0) return false;
  }
  return true;
}

std::string blind_workload(const model::Bundle &bundle, const cases::CaseLayout &layout,
                           const model::Case &which, const ExpectedOutputs &first,
                           std::span<const std::byte> second) {
  if (same_outputs(layout, first.bytes, second))
    return "no output depends on the inputs, so no variant can be judged by it; give the inputs a fill(...) "
           "with which the outputs differ, or remove the workload";
  const OutputCheck check = check_outputs(bundle, layout, which.id, "user", first, second);
  if (!check.wrong.empty()) return "";
  return fmt::format(
      "other inputs change the outputs by no more than rounding may change them ({}), so a wrong variant "
      "cannot be distinguished from a correct one; scale the inputs with fill(...) so that the outputs "
      "depend on them, or remove the workload",
      changes(check));
}

Result<> compare_draws(const model::Bundle &bundle, const cases::Plan &plan, const KeptOutputs &kept) {
  for (std::size_t index = 0; index < plan.inputs.size(); ++index) {
    const cases::PlannedInputs &inputs = plan.inputs[index];
    if (inputs.compared_with == cases::kNoInputs || inputs.family != "user") continue;
    const ExpectedOutputs first = kept(inputs.compared_with), second = kept(index);
    const model::Case &which = bundle.cases[inputs.case_index];
    const cases::CaseLayout &layout = plan.layouts[inputs.case_index];
    if (first.bytes.empty() || second.bytes.empty()) continue;
    if (follows_from_scalars(bundle, layout, which)) continue;
    if (!has_drawn_inputs(layout)) {
      const std::string problem = fmt::format(
          "workload '{}': no input is drawn at random, so a variant that contains the expected outputs, or "
          "computes by another formula, would pass",
          which.workload);
      const bool vouched =
          std::ranges::find(bundle.waived, std::string(kNoRandomInput)) != bundle.waived.end();
      if (!vouched)
        return user_error(
            fmt::format("{}; give an input another fill(...), or, if the kernel has none, pass "
                        "--waive {}",
                        problem, kNoRandomInput));
      log::warning(problem);
      continue;
    }
    const std::string problem = blind_workload(bundle, layout, which, first, second.bytes);
    if (!problem.empty()) return user_error(fmt::format("workload '{}': {}", which.workload, problem));
  }
  return {};
}

void note_idle_inputs(const model::Bundle &bundle, const cases::Plan &plan, const KeptOutputs &kept) {
  std::map<std::pair<std::size_t, std::string>, bool> reached;
  for (std::size_t index = 0; index < plan.inputs.size(); ++index) {
    const cases::PlannedInputs &inputs = plan.inputs[index];
    const auto probe = data::probe_of(inputs.family);
    if (!probe || !cases::is_users_own(bundle.cases[inputs.case_index])) continue;
    const ExpectedOutputs base = kept(inputs.compared_with), changed = kept(index);
    if (base.bytes.empty() || changed.bytes.empty()) continue;
    reached[{inputs.case_index, probe->parameter}] |=
        !same_outputs(plan.layouts[inputs.case_index], base.bytes, changed.bytes);
  }
  for (const auto &[where, any] : reached)
    if (!any)
      log::note(
          fmt::format("workload '{}': no region of '{}' influences an output: changing it changed nothing",
                      bundle.cases[where.first].workload, where.second));
}

std::string fault_of_original(const launches::Fault &fault) {
  if (fault.text.find("read-only memory") != std::string::npos)
    return fault.text + "; the workload declares it as in(...): use inout(...)";
  if (!fault.waivable) return fault.text;
  return fmt::format("{}; fix the kernel, or, if this is intended and harmless, pass --waive {}", fault.text,
                     fault.rule);
}

}  // namespace cupilot::judge::correct
