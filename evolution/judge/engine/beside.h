// SPDX-License-Identifier: Apache-2.0
//
// The emulated device beside a GPU: it executes runs whose outputs were compared on the GPU once more, on the
// same data, because only it tells which code they execute, and which races and stale reads a GPU hides. Its
// outputs are not looked at. It is a child process of the program cupilot-emulate.

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/engine/child_process.h"
#include "evolution/judge/launches/coverage.h"
#include "evolution/judge/tools/build.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::engine {

class Reference;

/// One entry, loaded there.
class BesideEntry {
public:
  struct Made {
    const std::filesystem::path &program, &library;
    EntryRole role;
    std::string architecture;
    std::vector<launches::KernelResources> forbidden;  ///< kernels that the entry may not launch
    std::size_t dump_bytes;                            ///< the largest output of a run
  };
  /// An error says why the device cannot tell.
  static Result<std::unique_ptr<BesideEntry>> start(const Made &made);

  /// Makes the cases of the orders that follow those of `bundle`.
  Result<> set_up(const model::Bundle &bundle);
  /// The faults of one run or excerpt. An error: an instruction that it does not know, or it takes too long.
  Result<std::vector<launches::Fault>> faults_on(Order order, double seconds);
  /// Of all runs so far.
  Result<launches::Coverage> coverage();

private:
  BesideEntry(std::unique_ptr<ChildProcess> child, EntryRole role) : child_(std::move(child)), role_(role) {}

  std::unique_ptr<ChildProcess> child_;
  EntryRole role_;
};

/// The original there, started when it is asked for. What it does only by luck no candidate has to do.
class OriginalBeside {
public:
  /// All arguments must outlive this object. `program`: Engine::beside, which may be empty.
  OriginalBeside(const std::filesystem::path &program, const model::Bundle &bundle,
                 const tools::Built &original, std::size_t dump_bytes)
      : program_(program), bundle_(bundle), original_(original), dump_bytes_(dump_bytes) {}

  /// Whether there is a fault in the original on this run of a bundle's cases; false where nobody can tell.
  bool fails_on(const model::Bundle &cases, const Order &order);

private:
  const std::filesystem::path &program_;
  const model::Bundle &bundle_;
  const tools::Built &original_;
  std::size_t dump_bytes_;
  std::unique_ptr<BesideEntry> entry_;
};

/// The order for one run of the plan as the emulated device gets it: all of a small one, some blocks of a
/// large one.
Order beside_order(const model::Bundle &bundle, const cases::Plan &plan, const cases::PlannedRun &run,
                   const std::vector<std::string> &waived);

struct FaultBeside {
  std::vector<launches::Fault> faults;
  std::string where;  ///< the run
};

/// Executes the small runs of the reference's plan, and of each large case some blocks. Returns the first
/// fault that the original does not have on the same run. An error: the device cannot tell.
Result<std::optional<FaultBeside>> run_beside(BesideEntry &candidate, OriginalBeside &original,
                                              const model::Bundle &bundle, const Reference &reference);

}  // namespace cupilot::judge::engine
