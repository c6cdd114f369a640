// SPDX-License-Identifier: Apache-2.0
//
// Runs that the original does not tolerate. The judge added the neighbours, generated inputs, misaligned and
// shared buffers, so these are taken out of the plan; only the user's workload on its own data has to work.

#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "annotate/support/result.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::engine {

class LeftOut {
public:
  /// Both arguments must outlive this object.
  LeftOut(const model::Bundle &bundle, const cases::Plan &plan) : bundle_(bundle), plan_(plan) {}

  bool contains(const cases::PlannedRun &run) const;
  /// Takes the run out, and those that would fail for the same reason. An error if the run has to work.
  Result<> add(const cases::PlannedRun &run, const std::string &problem);

private:
  const model::Bundle &bundle_;
  const cases::Plan &plan_;
  /// Whether the original does not work in place on a workload itself: that it does elsewhere is chance.
  bool loses_in_place(const cases::PlannedRun &run) const;
  std::string group_of(const model::Case &which) const;
  /// Where two drawn sizes of a workload fail, its other ones are not tried: each may cost a process.
  bool leaves_drawn(const model::Case &which) const;

  std::set<std::size_t> inputs_, cases_;
  std::map<std::string, int> drawn_;  ///< by group: how many drawn sizes the original fails on
  std::set<std::pair<std::size_t, cases::Placement>>
      apart_;                              ///< runs in place that the original does not support
  std::set<cases::Placement> misaligned_;  ///< all runs with these shifts
};

}  // namespace cupilot::judge::engine
