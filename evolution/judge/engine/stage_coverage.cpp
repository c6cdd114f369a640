// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "evolution/judge/cases/explored_cases.h"
#include "evolution/judge/engine/beside.h"
#include "evolution/judge/engine/full_size.h"
#include "evolution/judge/engine/further_cases.h"
#include "evolution/judge/engine/own_conditions.h"
#include "evolution/judge/engine/stages.h"
#include "evolution/judge/engine/waiver.h"
#include "evolution/judge/launches/coverage.h"
#include "evolution/judge/screen/constants.h"

namespace cupilot::judge::engine {

namespace {

/// Most texts of a verdict's summary, and of a reason.
constexpr std::size_t kMostUncovered = 24, kMostOfReason = 4;
/// Cases of the reserve on which one candidate is judged: those about its conditions' constants, then any.
constexpr std::pair<Nearness, std::size_t> kFurther[] = {{Nearness::near, 24}, {Nearness::any, 64}};

constexpr std::size_t kByText = 12, kMostExplored = 32;

std::vector<std::string> first_of(std::vector<std::string> texts, std::size_t most) {
  const std::size_t more = texts.size() - std::min(texts.size(), most);
  texts.resize(texts.size() - more);
  if (more > 0) texts.push_back(fmt::format("and {} more", more));
  return texts;
}

class CoverageStage {
public:
  CoverageStage(Judging &judging, const std::filesystem::path &library)
      : judging_(judging), library_(library) {}

  bool run() {
    if (!looks_at_coverage(judging_.setting.estimates, judging_.bundle)) return true;
    text_ = read_file(library_.parent_path() / "variant.cuh").value_or("");
    if (!look()) return false;
    if (!device_tells_) {
      if (!start_beside() || !look()) return false;
      if (!gaps_.empty() && beside_ && (!execute_structured_beside() || !look())) return false;
    }
    if (!gaps_.empty() && !execute_at_full_size()) return false;
    std::vector<model::Case> first = choose_by_outcomes();
    for (model::Case &which : reserved(choose_by_text())) first.push_back(std::move(which));
    if (!judge_further(first)) return false;
    for (const auto &[nearness, most] : kFurther)
      if (!judge_further(reserved(choose(nearness, most)))) return false;
    note_unknown();
    return gaps_.empty() || is_waived() || refuse();
  }

private:
  /// Asks the child what has been executed so far.
  bool look() {
    const auto line = judging_.child.ask({Order::What::coverage}, in_seconds(kStartSeconds));
    if (!line) return judging_.lost("coverage", line.error().message);
    auto coverage = coverage_from_line(*line);
    if (!coverage) return judging_.lost("coverage", coverage.error().message);
    coverage_ = std::move(*coverage);
    launches::merge(coverage_, executed_host_code(judging_));
    device_tells_ = !std::ranges::any_of(coverage_.unknown, is_of_device);
    if (beside_) add_beside();
    leave_library_conditions(coverage_, text_);
    gaps_ = launches::gaps_of(coverage_);
    model::CoverageSummary &summary = judging_.verdict.coverage;
    const launches::CoverageFigures figures = launches::figures_of(coverage_);
    summary.lines = figures.lines;
    summary.lines_covered = figures.lines_covered;
    summary.conditions = figures.conditions;
    summary.conditions_covered = figures.conditions_covered;
    summary.uncovered = first_of(launches::uncovered(coverage_), kMostUncovered);
    summary.unknown = coverage_.unknown;
    return true;
  }

  /// Blocks at the size of a workload that is too large to be executed whole reach what no smaller case does.
  /// They count where they agree with the original's, on several draws of data if nothing else reaches it;
  /// the host side, which is called for them, counts anyway: how much all its blocks write is compared at
  /// every size.
  bool execute_at_full_size() {
    std::vector<std::size_t> executed, covered;
    judging_.verdict.stage = "estimate";
    for (const std::size_t index : judging_.reference.plan().estimated) {
      if (judging_.bundle.cases[index].verified) continue;
      const ExcerptAnswer *const answer = compare_at_full_size(judging_, index);
      if (!answer) return false;
      executed.push_back(index);
      if (!answer->open.empty()) continue;
      if (!cover_at_full_size(judging_, index)) return false;
      covered.push_back(index);
    }
    if (executed.empty()) {
      judging_.verdict.stage = "coverage";
      return true;
    }
    const std::size_t before = device_gaps();
    if (!look()) return false;
    if (device_gaps() < before)
      for (const std::size_t index : covered)
        if (!agrees_on_further_data(judging_, index)) return false;
    judging_.verdict.stage = "coverage";
    return true;
  }

  std::size_t device_gaps() const {
    const auto of_device = [](const auto &one) { return one.side == launches::CodeSide::device; };
    return static_cast<std::size_t>(std::ranges::count_if(gaps_.spots, of_device) +
                                    std::ranges::count_if(gaps_.conditions, of_device));
  }

  static bool is_of_device(const std::string &why) { return why.starts_with("device: "); }

  /// The emulated device executes what the GPU has executed; why it cannot is told in place of the GPU's
  /// reason. False: the verdict has been decided.
  bool start_beside() {
    auto begun = BesideEntry::start({judging_.setting.beside, library_, EntryRole::candidate,
                                     judging_.bundle.architecture, judging_.setting.original.kernels,
                                     judging_.reference.plan().dump_bytes, judging_.host.library.string()});
    if (begun) {
      beside_ = std::move(*begun);
      return execute_beside(judging_.bundle, judging_.reference);
    }
    not_beside_ = begun.error().message;
    return true;
  }

  bool execute_structured_beside() {
    return execute_beside(judging_.bundle, judging_.reference, RunsBeside::structured);
  }

  bool execute_beside(const model::Bundle &bundle, const Reference &reference,
                      RunsBeside which = RunsBeside::all) {
    const auto wrong = [&](const cases::PlannedRun &run, const launches::RunReport &report,
                           std::span<const std::byte> outputs) {
      return judging_.check(bundle, reference, run, report.flushed, outputs).wrong;
    };
    auto found = run_beside(which, *beside_, *judging_.setting.original_beside, bundle, reference, wrong);
    if (!found) {
      not_beside_ = found.error().message;
      beside_.reset();
    } else if (*found) {
      return judging_.decide_by(std::move((*found)->faults),
                                (*found)->where + ", executed on the emulated device beside the GPU");
    }
    return true;
  }

  void add_beside() {
    const auto seen = beside_->coverage();
    if (!seen) {
      not_beside_ = seen.error().message;
      return;
    }
    std::erase_if(coverage_.unknown, is_of_device);
    launches::merge(coverage_, *seen);
  }

  std::vector<std::size_t> choose(Nearness nearness, std::size_t most) const {
    if (gaps_.empty() || !judging_.setting.further) return {};
    return further_cases(judging_.bundle.reserve, coverage_, tried_, nearness, most);
  }

  /// Calls whose sizes and scalars alone lead somewhere no judged case goes.
  std::vector<model::Case> choose_by_outcomes() {
    if (!judging_.setting.further || judging_.bundle.spec.workloads.empty()) return {};
    Order order{Order::What::outcomes};
    order.run.setting.seed = cases::data_seed(judging_.bundle.request);
    std::vector<double> reals;
    screen::add_constants(text_, order.numbers, reals);
    const auto calls = outcomes(order);
    if (!calls) {
      log::note(fmt::format("what sizes decide in '{}' is not known: {}", judging_.verdict.candidate,
                            calls.error().message));
      return {};
    }
    std::vector<model::Case> chosen;
    for (const cases::ExploredCall &call : *calls) {
      auto which = cases::explored_case(judging_.bundle.spec, call);
      if (which && chosen.size() < kMostExplored && has_room(*which)) chosen.push_back(std::move(*which));
    }
    return chosen;
  }

  /// A GPU does not tell them.
  Result<std::vector<cases::ExploredCall>> outcomes(const Order &order) {
    if (beside_) {
      CUPILOT_CHECKED(beside_->set_up(judging_.bundle));
      return beside_->outcomes(order);
    }
    CUPILOT_TRY(line, judging_.child.ask(order, in_seconds(kStartSeconds)));
    return calls_from_line(line);
  }

  /// The child's memory for outputs was sized before.
  bool has_room(const model::Case &which) const {
    const auto layout = cases::make_layout(judging_.bundle.parameters, which, cases::Placement::base);
    return layout && layout->dump_bytes <= judging_.reference.plan().dump_bytes;
  }

  std::vector<model::Case> reserved(const std::vector<std::size_t> &chosen) {
    std::vector<model::Case> which;
    for (const std::size_t index : chosen) which.push_back(judging_.bundle.reserve[index]);
    tried_.insert(chosen.begin(), chosen.end());
    return which;
  }

  /// What single numbers of the text single out without a condition.
  std::vector<std::size_t> choose_by_text() const {
    if (!judging_.setting.further || text_.empty()) return {};
    return further_cases(judging_.bundle.reserve, odd_numbers(text_, coverage_), tried_, Nearness::near,
                         kByText);
  }

  bool judge_further(const std::vector<model::Case> &chosen) {
    if (chosen.empty()) return true;
    const auto further = judging_.setting.further(chosen);
    if (!further) {
      log::note(fmt::format("no cases can be made for what '{}' leaves unexecuted: {}",
                            judging_.verdict.candidate, further.error().message));
      return true;
    }
    const std::vector<std::string> passed = judging_.verdict.cases_passed, limits = judging_.verdict.limits;
    judging_.verdict.stage = "correct";
    judging_.verdict.coverage.made_cases += chosen.size();
    if (!verify_further(judging_, **further)) return false;
    judging_.verdict.stage = "coverage";
    if (beside_ && !execute_beside((*further)->bundle, (*further)->reference)) return false;
    judging_.verdict.cases_passed = passed;
    judging_.verdict.limits = limits;
    return look();
  }

  void note_unknown() {
    for (const std::string &why : coverage_.unknown)
      judging_.verdict.limits.push_back("coverage not known: " + (is_of_device(why) && !not_beside_.empty()
                                                                      ? "device: " + not_beside_
                                                                      : why));
  }

  std::string told() const { return join(first_of(launches::uncovered(gaps_), kMostOfReason), "; "); }

  bool is_waived() {
    if (std::ranges::find(judging_.bundle.waived, std::string(kUncovered)) == judging_.bundle.waived.end())
      return false;
    judging_.verdict.limits.push_back("coverage waived: " + told());
    return true;
  }

  bool refuse() {
    return judging_.decide(
        model::VerdictKind::rejected,
        fmt::format("no run whose outputs were compared reaches all of the variant: {}; add a workload that "
                    "reaches it, remove the branch, or pass --waive {}",
                    told(), kUncovered));
  }

  Judging &judging_;
  const std::filesystem::path &library_;
  std::string text_;  ///< the variant's
  launches::Coverage coverage_, gaps_;
  std::set<std::size_t> tried_;  ///< cases of the reserve
  bool device_tells_ = true;
  std::unique_ptr<BesideEntry> beside_;
  std::string not_beside_;  ///< why the emulated device cannot tell
};

}  // namespace

bool cover_candidate(Judging &judging, const std::filesystem::path &library) {
  return CoverageStage(judging, library).run();
}

}  // namespace cupilot::judge::engine
