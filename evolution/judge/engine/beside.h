// SPDX-License-Identifier: Apache-2.0
//
// The emulated device beside a GPU: it executes runs whose outputs were compared on the GPU once more, on the
// same data, because only it tells which code they execute, and which races and stale reads a GPU hides; and
// it serves blocks, warps and lanes in another order than the GPU does, so a result that depends on the GPU's
// is another one there. It is a child process of the program cupilot-emulate.

#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
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
    std::string traced{};                              ///< Order::traced
  };
  /// An error says why the device cannot tell.
  static Result<std::unique_ptr<BesideEntry>> start(const Made &made);

  /// Makes the cases of the orders that follow those of `bundle`.
  Result<> set_up(const model::Bundle &bundle);
  /// One run or excerpt; an excerpt only has faults. An error: an instruction that it does not know, or it
  /// takes too long.
  Result<launches::RunReport> execute(Order order, double seconds);
  /// What the last run has written, laid out by dump_offsets().
  std::span<const std::byte> outputs(std::size_t bytes) const { return child_->slot(0).first(bytes); }
  /// Of all runs so far.
  Result<launches::Coverage> coverage();
  /// See Order::What::outcomes.
  Result<std::vector<cases::ExploredCall>> outcomes(Order order);

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
  /// Calls `look` with what the original writes on this run; not where it has a fault, or nobody can tell.
  bool passes_on(const model::Bundle &cases, const Order &order, std::size_t bytes,
                 const std::function<bool(const launches::RunReport &, std::span<const std::byte>)> &look);

private:
  std::optional<launches::RunReport> execute(const model::Bundle &cases, const Order &order);

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

/// Says what is wrong with the outputs of a run; empty: nothing.
using OutputsBeside = std::function<std::string(const cases::PlannedRun &, const launches::RunReport &,
                                                std::span<const std::byte>)>;

/// `all`: the small runs of the reference's plan, and some blocks of each large case on its first data.
/// `structured`: some blocks of each large case on data of many structures, zeros among them: a kernel whose
/// sizes are fixed has no small case that could have them.
enum class RunsBeside { all, structured };

/// Executes these runs. Returns the first fault or wrong output of a run that the original does not have on
/// the same run. An error: the device cannot tell.
Result<std::optional<FaultBeside>> run_beside(RunsBeside which, BesideEntry &candidate,
                                              OriginalBeside &original, const model::Bundle &bundle,
                                              const Reference &reference, const OutputsBeside &wrong);

}  // namespace cupilot::judge::engine
