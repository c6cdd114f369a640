// SPDX-License-Identifier: Apache-2.0
//
// The parts of stage "finalist". Each part records its checks in the verdict. It returns false when a check
// failed, which has then decided the verdict.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evolution/judge/correct/repeats.h"
#include "evolution/judge/engine/judging.h"

namespace cupilot::judge::engine {

using FinalistClock = std::chrono::steady_clock;

void tell_check(Judging &judging, const std::string &name, model::FinalistCheck::Outcome outcome,
                const std::string &detail, double seconds = 0);
/// Records a check that has already decided the verdict. Always returns false.
bool check_failed(Judging &judging, const std::string &name, FinalistClock::time_point start);

/// One of the user's own workloads with its own data, and other data of the same case that can run at the
/// same time.
struct FinalistSubject {
  std::size_t inputs = 0;             ///< index into Plan::inputs
  std::optional<std::size_t> beside;  ///< likewise; the expected outputs are known for it too
  std::uint64_t scratch_bytes = 0;    ///< most that one run took
};

/// Runs the candidate again: repeats, concurrently with other data, and replayed from a graph on changed
/// content.
class FinalistRuns {
public:
  explicit FinalistRuns(Judging &judging);
  bool repeat_all();
  bool in_manner(const std::string &name, launches::Manner manner);
  const std::vector<FinalistSubject> &subjects() const { return subjects_; }
  std::string where(std::size_t inputs) const;

private:
  const model::Case &case_of(std::size_t inputs) const;
  const cases::CaseLayout &layout_of(std::size_t inputs) const;
  std::vector<std::size_t> known_inputs() const;
  void choose_subjects();
  Order order_for(std::size_t inputs, cases::Placement placement = cases::Placement::base) const;
  /// The outputs are in slot 0 afterwards. nullopt: the verdict has been decided.
  std::optional<launches::RunReport> run(const Order &order, const std::string &what);
  bool right(std::size_t inputs, const launches::RunReport &report, const std::string &what);
  std::optional<correct::RepeatAnswer> repeat(FinalistSubject &subject, int &least);
  std::optional<correct::Repeats> run_again(EntryRole role, FinalistSubject &subject, int times);
  bool load_original();
  bool fits_twice(std::size_t inputs) const;
  bool beside(std::size_t inputs, const std::optional<std::size_t> &other, launches::Manner manner);

  Judging &judging_;
  const cases::Plan &plan_;
  const bool emulated_;
  std::vector<FinalistSubject> subjects_;
  bool original_loaded_ = false;
};

/// Checks memory errors, races, uninitialised reads and synchronisation. On a GPU these are the
/// compute-sanitizer tools memcheck, racecheck, initcheck and synccheck. The emulated device has checks of
/// its own, which were on in every run.
bool check_tools(Judging &judging);

}  // namespace cupilot::judge::engine
