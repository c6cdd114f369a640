// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "annotate/support/hash.h"
#include "annotate/support/text.h"
#include "evolution/record/record.h"

namespace cupilot::record {
namespace {

constexpr std::string_view kHeader = "// cupilot variant of ";

std::string now_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// The individual's strategy text on one line, else its strategies.
std::string summary(const model::Individual &winner) {
  const auto lines = split_lines(winner.strategy_text);
  const auto first = lines.empty() ? std::string() : std::string(trim(lines[0]));
  // A backslash at the end would continue the comment onto the next line.
  const auto text = first.empty() ? join(winner.strategies, " + ") : replace_all(first, "\\", "/");
  return text.empty() ? "written by hand" : text;
}

/// Replaces the header of an earlier publication, so that publishing a published file changes only the
/// header.
std::string with_header(const spec::KernelSpec &spec, const std::string &architecture,
                        const model::Individual &winner, bool estimate) {
  std::string body = winner.variant;
  if (body.starts_with(kHeader))
    body.erase(0, std::min(body.size(), body.find('\n')) + (body.find('\n') != std::string::npos));
  if (!body.ends_with('\n')) body += '\n';
  const char *origin = estimate ? " (ESTIMATED, never measured; record " : " (record ";
  return fmt::format("{}{} for {}{}{}): {}\n{}", kHeader, spec.name, architecture, origin,
                     sha256(body).substr(0, 8), summary(winner), body);
}

model::RecordMeasurement condensed(const model::Measurement &m) {
  model::RecordMeasurement r;
  r.workload = m.workload;
  r.original_us = m.original.median_us;
  r.tuned_us = m.candidate.median_us;
  r.speedup = m.speedup;
  r.speedup_low = m.speedup_low;
  r.speedup_high = m.speedup_high;
  r.original_min_us = m.original.min_us;
  r.original_q3_us = m.original.q3_us;
  r.tuned_min_us = m.candidate.min_us;
  r.tuned_q3_us = m.candidate.q3_us;
  r.copy_bandwidth_share = m.bandwidth_share;
  r.samples = m.candidate.samples_us.size();
  r.verdict = model::to_string(m.verdict);
  r.weight = m.weight;
  r.holdout = m.holdout;
  return r;
}

model::RecordEstimate condensed(const model::Estimate &e) {
  return {.workload = e.workload,
          .original_us = e.original.time_us,
          .tuned_us = e.candidate.time_us,
          .ratio = e.ratio,
          .verdict = model::to_string(e.verdict),
          .bound = e.candidate.bound,
          .blocks = e.candidate.blocks,
          .blocks_run = e.candidate.blocks_run};
}

/// Counters of the first profiled workload; one set of numbers is enough for a reviewer.
std::map<std::string, double> counters(const std::vector<model::Profile> &profiles) {
  const auto with =
      std::ranges::find_if(profiles, [](const model::Profile &p) { return !p.counters.empty(); });
  return with == profiles.end() ? std::map<std::string, double>() : with->counters;
}

/// What a record stores about its kernel; everything else is taken from the current source.
spec::KernelSpec identity(const spec::KernelSpec &spec) {
  spec::KernelSpec kernel;
  kernel.name = spec.name;
  kernel.qualified_name = spec.qualified_name;
  kernel.instantiation = spec.instantiation;
  kernel.namespaces = spec.namespaces;
  kernel.symbol = spec.symbol;
  kernel.place = spec.place;
  kernel.precision = spec.precision;
  kernel.deterministic = spec.deterministic;
  kernel.parameters = spec.parameters;
  return kernel;
}

std::vector<model::Case> passed_cases(const std::vector<model::Case> &cases, const model::Verdict &verdict) {
  std::vector<model::Case> passed;
  std::ranges::copy_if(cases, std::back_inserter(passed), [&](const model::Case &one) {
    return std::ranges::find(verdict.cases_passed, one.id) != verdict.cases_passed.end();
  });
  return passed;
}

/// What is needed to judge the variant again in exactly the same way.
void add_judgement(model::Record &record, const model::Verdict &verdict) {
  record.oracle = verdict.oracle;
  record.errors = verdict.errors;
  record.finalist = verdict.finalist;
  record.scratch_bytes = verdict.scratch_bytes;
  record.judged_seed = verdict.seed;
  record.secret = verdict.secret;
  record.limits = verdict.limits;
  record.device = verdict.device;
}

void add_provenance(model::Record &record, const model::Individual &winner, const Provenance &provenance) {
  record.toolchain = provenance.toolchain;
  record.seed = provenance.seed;
  record.waived = provenance.waived;
  record.policy = provenance.policy;
  record.cost_usd = provenance.cost_usd;
  record.tokens = provenance.tokens;
  record.command = provenance.command;
  record.created = provenance.created.empty() ? now_utc() : provenance.created;
  record.provider = winner.provider;
  record.model = winner.model;
  record.strategies = winner.strategies;
  for (const auto &knob : winner.knobs) record.knobs[knob.name] = knob.value;
}

}  // namespace

Result<RecordFiles> make_record(const spec::KernelSpec &spec, const std::vector<model::Case> &cases,
                                const model::Individual &winner, const model::Verdict &verdict,
                                const Provenance &provenance) {
  const auto passed = passed_cases(cases, verdict);
  if (passed.empty())
    return fail(fmt::format("no record of '{}' can be made: the verdict '{}' lists no case that passed",
                            spec.name, model::to_string(verdict.kind)));
  if (provenance.architecture.empty())
    return fail(fmt::format("a record of '{}' needs an architecture", spec.name));
  RecordFiles files;
  auto &record = files.record;
  record.arch = provenance.architecture;
  record.kernel = identity(spec);
  record.kernel_id = spec.kernel_id;
  record.workload_id = spec.workload_id;
  record.fingerprints = {spec.fingerprint};
  CUPILOT_TRY(guard, make_guard(spec, passed, verdict.dispatch));
  record.guard = std::move(guard);
  record.verdict = model::to_string(verdict.kind);
  for (const auto &measurement : verdict.measurements) record.measurements.push_back(condensed(measurement));
  record.estimate = verdict.device.emulated;
  for (const auto &estimate : verdict.estimates) record.estimates.push_back(condensed(estimate));
  add_judgement(record, verdict);
  record.counters_original = counters(verdict.original_profiles);
  record.counters_tuned = counters(verdict.profiles);
  record.flags = spec.command.flags;
  add_provenance(record, winner, provenance);
  files.variant = with_header(spec, provenance.architecture, winner, record.estimate);
  record.variant_sha256 = sha256(files.variant);
  return files;
}

}  // namespace cupilot::record
