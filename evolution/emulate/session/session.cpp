// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "annotate/support/text.h"
#include "evolution/emulate/estimate/estimate.h"
#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/device.h"
#include "evolution/emulate/runtime/device_model.h"
#include "evolution/emulate/session/case_buffers.h"
#include "evolution/emulate/session/emulated_entry.h"
#include "evolution/emulate/session/excerpt_run.h"
#include "evolution/emulate/session/faults.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/launches/excerpt.h"
#include "evolution/judge/launches/host_side.h"
#include "evolution/judge/time/estimates.h"

namespace cupilot::emulate::session {

namespace {

static_assert(judge::time::kEstimateTie == estimate::kTie,
              "the judge and the model must agree on what a tie is");

/// The most findings of one launch that are reported; the rest are only counted.
constexpr std::size_t kMostFindings = 16;
/// Of a launch too large to be executed whole: blocks executed with all checks, spread over the grid.
constexpr std::uint64_t kProbedBlocks = 4;

using Clock = std::chrono::steady_clock;

bool holds(const std::vector<std::string> &list, machine::FindingKind kind) {
  return std::ranges::find(list, machine::to_string(kind)) != list.end();
}

machine::Checks checks_of(const judge::launches::Setting &setting) {
  const bool races = !holds(setting.waived, machine::FindingKind::shared_race) ||
                     !holds(setting.waived, machine::FindingKind::global_race);
  return {.races = races, .initialised = !holds(setting.waived, machine::FindingKind::uninitialised_read)};
}

std::vector<std::uint64_t> some_blocks(std::uint64_t blocks) {
  if (blocks <= kProbedBlocks) return {};
  std::vector<std::uint64_t> some;
  for (std::uint64_t i = 0; i < kProbedBlocks; ++i) some.push_back((blocks - 1) * i / (kProbedBlocks - 1));
  return some;
}

std::uint64_t blocks_of(const machine::LaunchRequest &request) {
  return std::uint64_t{request.grid[0]} * request.grid[1] * request.grid[2];
}

estimate::KernelResource resource_of(const std::vector<judge::launches::KernelResources> &kernels,
                                     const std::string &symbol) {
  const auto known = std::ranges::find(kernels, symbol, &judge::launches::KernelResources::symbol);
  if (known == kernels.end()) return {};
  return {known->registers, known->spill_bytes, known->shared_bytes};
}

void add(model::EstimatedTime &sum, const estimate::LaunchEstimate &one, double &longest_us) {
  sum.time_us += one.time_us;
  for (const auto &[part, time] : one.parts_us) sum.parts_us[part] += time;
  ++sum.launches;
  sum.blocks += one.blocks;
  sum.blocks_run += one.blocks_run;
  if (one.time_us > longest_us) {
    longest_us = one.time_us;
    sum.bound = one.bound;
  }
}

class EmulatedSession final : public judge::launches::DeviceSession {
public:
  static Result<std::unique_ptr<judge::launches::DeviceSession>> open(const std::string &architecture) {
    runtime::DeviceOptions options;
    options.architecture = architecture;
    options.print_findings = false;  // they go into verdicts
    options.launch.most_findings = kMostFindings;
    options.launch.print = [](std::string_view) {};
    CUPILOT_TRY(model, runtime::device_model(architecture));
    CUPILOT_TRY(device, runtime::Device::make(std::move(options)));
    std::unique_ptr<EmulatedSession> session(new EmulatedSession(*device));
    session->table_ = estimate::device_table(architecture);
    session->describe(architecture, model);
    runtime::set_current_device(std::move(device));
    return std::unique_ptr<judge::launches::DeviceSession>(std::move(session));
  }

  model::DeviceReport report() const override { return report_; }
  Result<double> copy_bandwidth_gbs() override { return 0; }  // nothing is measured here
  Result<std::shared_ptr<judge::launches::Entry>> load(const std::filesystem::path &library,
                                                       judge::launches::HostRules host) override {
    folders_.push_back(library.parent_path().string() + "/");
    return EmulatedEntry::load(library, std::move(host), report_.architecture);
  }

  Result<judge::launches::RunReport> run(judge::launches::Entry &entry,
                                         const std::vector<spec::Parameter> &parameters,
                                         const judge::launches::Setting &setting,
                                         std::span<std::byte> dump) override {
    CUPILOT_TRY(buffers, CaseBuffers::make(device_.memory(), inputs_, parameters, setting,
                                           CaseBuffers::Inputs::whole));
    CUPILOT_TRY(called, call_in_manner(entry, parameters, setting, buffers));
    judge::launches::RunReport report;
    report.declined = called.declined;
    report.scratch_bytes = called.scratch_bytes;
    report.faults = called.faults(setting);
    report.warp_instructions = called.warp_instructions;
    report.flushed = called.flushed;
    buffers.inspect(report);
    report.changed = static_cast<EmulatedEntry &>(entry).changed_variables();
    if (!report.declined && report.faults.empty()) CUPILOT_CHECKED(buffers.dump(dump));
    return report;
  }

  Result<judge::launches::Coverage> coverage(judge::launches::Entry &entry) override {
    return static_cast<EmulatedEntry &>(entry).coverage();
  }

  std::vector<std::int64_t> numbers(judge::launches::Entry &entry) override {
    return static_cast<EmulatedEntry &>(entry).numbers();
  }
  Result<std::vector<judge::launches::Outcomes>> outcomes(judge::launches::Entry &entry,
                                                          const std::vector<spec::Parameter> &parameters,
                                                          std::span<const model::Case> cases) override {
    return static_cast<EmulatedEntry &>(entry).outcomes(parameters, cases);
  }

  Result<judge::launches::TimingReport> time(judge::launches::Entry &, judge::launches::Entry &,
                                             const std::vector<spec::Parameter> &,
                                             const judge::launches::Setting &,
                                             const judge::launches::TimingOptions &) override {
    return fail("the CPU executor cannot measure times");
  }

  model::Profile profile(judge::launches::Entry &, const std::vector<spec::Parameter> &,
                         const judge::launches::Setting &setting) override {
    model::Profile profile;
    profile.workload = setting.which->workload;
    profile.note = "the CPU executor has no hardware counters";
    return profile;
  }

  Result<judge::launches::EstimateReport> estimate(
      judge::launches::Entry &entry, const std::vector<spec::Parameter> &parameters,
      const judge::launches::Setting &setting,
      const std::vector<judge::launches::KernelResources> &kernels) override {
    if (!table_) return within("no estimate for " + report_.architecture, table_.error());
    CUPILOT_TRY(buffers, CaseBuffers::make(device_.memory(), inputs_, parameters, setting,
                                           CaseBuffers::Inputs::rough));
    judge::launches::EstimateReport report;
    CUPILOT_TRY(probed, probe(entry, setting, buffers));
    report.declined = probed.declined;
    report.faults = probed.faults(setting);
    if (report.declined || !report.faults.empty()) return report;
    std::optional<Error> problem;
    double longest_us = 0;
    device_.before_launch = [&](const runtime::LaunchSeen &seen, machine::LaunchOptions &) {
      auto one = estimate::estimate_launch(*seen.program, device_.memory(), seen.request,
                                           resource_of(kernels, seen.kernel), *table_);
      if (one)
        add(report.time, *one, longest_us);
      else
        problem = one.error();
      return false;  // counted as done
    };
    const auto called = call(entry, setting, buffers);
    device_.before_launch = nullptr;
    if (!called) return std::unexpected(called.error());
    if (problem) return std::unexpected(*problem);
    return report;
  }

  Result<judge::launches::Excerpt> excerpt(judge::launches::Entry &entry,
                                           const std::vector<spec::Parameter> &parameters,
                                           const judge::launches::Setting &setting,
                                           const std::vector<judge::launches::Piece> &wanted,
                                           std::span<std::byte> dump) override {
    CUPILOT_TRY(buffers,
                CaseBuffers::make(device_.memory(), inputs_, parameters, setting, CaseBuffers::Inputs::late));
    auto &emulated = static_cast<EmulatedEntry &>(entry);
    ExcerptRun run(device_.memory(), buffers, setting.seed);
    const auto pass = [&](bool covered) -> Result<std::optional<judge::launches::Excerpt>> {
      judge::launches::Setting shown = setting;
      shown.covered = covered;
      run.begin_pass();
      emulated.before_work = [&](const judge::launches::QueuedWork &work,
                                 const std::vector<judge::launches::MemoryRange> &scratch) {
        run.before_work(work, scratch);
      };
      device_.before_launch = [&](const runtime::LaunchSeen &seen, machine::LaunchOptions &options) {
        run.launch(seen, options, wanted);
        return false;  // counted as done
      };
      auto called = call(entry, shown, buffers);
      device_.before_launch = nullptr;
      emulated.before_work = nullptr;
      if (!called) return std::unexpected(called.error());
      called->findings = run.findings();
      for (machine::Finding &finding : called->findings) shorten_places(finding);
      if (!called->clean()) {
        judge::launches::Excerpt none;
        none.declined = called->declined;
        none.faults = called->faults(setting);
        if (none.declined || !none.faults.empty()) return none;
      }
      return std::nullopt;
    };
    do {
      CUPILOT_TRY(ended, pass(false));
      if (ended) return *ended;
    } while (wanted.empty() && run.plan_another());
    if (setting.covered) {  // the blocks that the others depend on are known now
      CUPILOT_TRY(ended, pass(true));
      if (ended) return *ended;
    }
    judge::launches::Excerpt excerpt = run.answer(wanted, dump);
    for (judge::launches::BufferTraffic &traffic : excerpt.traffic) shorten(traffic.place);
    return excerpt;
  }

  Result<CheckedRun> check(judge::launches::Entry &entry, const std::vector<spec::Parameter> &parameters,
                           const judge::launches::Setting &setting) {
    CUPILOT_TRY(buffers, CaseBuffers::make(device_.memory(), inputs_, parameters, setting,
                                           CaseBuffers::Inputs::whole));
    CUPILOT_TRY(called, call(entry, setting, buffers));
    return CheckedRun{std::move(called.findings), std::move(called.host), called.declined};
  }

private:
  struct Called {
    bool declined = false;
    std::vector<machine::Finding> findings;
    std::optional<judge::launches::Fault> host;
    std::uint64_t warp_instructions = 0, scratch_bytes = 0, flushed = 0;

    std::vector<judge::launches::Fault> faults(const judge::launches::Setting &setting) const {
      return host ? std::vector{*host} : faults_of(findings, setting.waived);
    }
    bool clean() const { return !declined && !host && findings.empty(); }
  };

  explicit EmulatedSession(runtime::Device &device) : device_(device) {}

  void describe(const std::string &architecture, const runtime::DeviceModel &model) {
    report_.name = table_ ? table_->name : "a GPU of " + architecture;
    report_.table = table_ ? table_->source : "none";
    report_.architecture = architecture;
    report_.emulated = true;
    report_.driver = report_.runtime = "cpu executor";
    report_.multiprocessors = model.processors;
    report_.memory_bytes = device_.memory().capacity();
    report_.l2_bytes = model.l2_bytes;
  }

  /// A few blocks at the workload's own size with all checks: what goes wrong with large indices shows here.
  Result<Called> probe(judge::launches::Entry &entry, const judge::launches::Setting &setting,
                       CaseBuffers &buffers) {
    device_.before_launch = [](const runtime::LaunchSeen &seen, machine::LaunchOptions &options) {
      options.only_blocks = some_blocks(blocks_of(seen.request));
      options.checks.initialised = false;  // of what other blocks would have written
      return true;
    };
    auto called = call(entry, setting, buffers);
    device_.before_launch = nullptr;
    return called;
  }

  /// Launches here end before the next begins. What is left to show is one that depends on another one's
  /// data: of a launch before it in the same buffers, or of one in others, before it and between its kernels.
  Result<Called> call_in_manner(judge::launches::Entry &entry, const std::vector<spec::Parameter> &parameters,
                                const judge::launches::Setting &setting, CaseBuffers &buffers) {
    if (setting.manner == judge::launches::Manner::captured) {
      const judge::launches::Setting first = judge::launches::beside(setting);
      CUPILOT_CHECKED(buffers.refill(first, inputs_));
      CUPILOT_TRY(called, call(entry, first, buffers));
      if (!called.clean()) return called;
      CUPILOT_CHECKED(buffers.refill(setting, inputs_));
    }
    if (setting.manner != judge::launches::Manner::two_streams) return call(entry, setting, buffers);
    const judge::launches::Setting other = judge::launches::beside(setting);
    CUPILOT_TRY(others,
                CaseBuffers::make(device_.memory(), inputs_, parameters, other, CaseBuffers::Inputs::whole));
    CUPILOT_TRY(before, call(entry, other, others));
    if (!before.clean()) return before;
    return call(entry, setting, buffers,
                [&] { (void)static_cast<EmulatedEntry &>(entry).launch(*other.which, others); });
  }

  Result<Called> call(judge::launches::Entry &entry, const judge::launches::Setting &setting,
                      CaseBuffers &buffers, const EmulatedEntry::Between &between = {}) {
    machine::LaunchOptions &options = device_.options().launch;
    options.checks = checks_of(setting);
    options.instruction_budget = setting.instruction_budget;
    options.marks =
        setting.covered
            ? &static_cast<EmulatedEntry &>(entry).marks(judge::data::has_non_finite(setting.family))
            : nullptr;
    options.reversed = setting.placement == judge::cases::Placement::moved;
    options.place_seed = setting.seed | 1;
    options.deadline =
        Clock::now() + std::chrono::milliseconds(static_cast<long long>(setting.seconds * 1000));
    Called called;
    device_.after_launch = [&](const runtime::LaunchSeen &, const machine::LaunchResult &result) {
      called.warp_instructions += result.warp_instructions;
      called.flushed += result.flushed;
    };
    (void)device_.take_findings();
    auto launched = static_cast<EmulatedEntry &>(entry).launch(*setting.which, buffers, between);
    device_.after_launch = nullptr;
    options.marks = nullptr;
    called.findings = device_.take_findings();
    for (machine::Finding &finding : called.findings) shorten_places(finding);
    // One launch's fault must not spoil the next run: another input, another kernel.
    runtime::set_sticky_error(runtime::abi::kSuccess);
    runtime::clear_last_error();
    if (!launched) return std::unexpected(launched.error());
    called.declined = launched->declined;
    called.host = std::move(launched->fault);
    called.scratch_bytes = launched->scratch_bytes;
    const bool unexplained = launched->code && !called.host && called.findings.empty();
    if (unexplained && Clock::now() >= options.deadline)
      called.host =
          judge::launches::Fault{judge::launches::Fault::Kind::endless, "time",
                                 fmt::format("still running after {} s: look for a loop that never ends",
                                             static_cast<long long>(setting.seconds))};
    else if (unexplained)
      return fail(fmt::format("launching: the runtime refused it with error {}", launched->code));
    return called;
  }

  /// Files of a bundle by their own names: "variant.cuh".
  void shorten_places(machine::Finding &finding) const {
    shorten(finding.place.file);
    if (finding.other_place) shorten(finding.other_place->file);
  }
  void shorten(std::string &file) const {
    for (const std::string &folder : folders_)
      if (file.starts_with(folder)) file.erase(0, folder.size());
  }

  runtime::Device &device_;
  model::DeviceReport report_;
  Result<estimate::DeviceTable> table_ = fail("no device table");
  InputCache inputs_;
  std::vector<std::string> folders_;
};

}  // namespace

Result<std::unique_ptr<judge::launches::DeviceSession>> open_emulated_session(
    const std::string &architecture) {
  return EmulatedSession::open(architecture);
}

Result<CheckedRun> check_run(judge::launches::DeviceSession &session, judge::launches::Entry &entry,
                             const std::vector<spec::Parameter> &parameters,
                             const judge::launches::Setting &setting) {
  return static_cast<EmulatedSession &>(session).check(entry, parameters, setting);
}

}  // namespace cupilot::emulate::session
