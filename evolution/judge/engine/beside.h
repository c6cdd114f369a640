// SPDX-License-Identifier: Apache-2.0
//
// The emulated device beside a GPU: it executes runs whose outputs were compared on the GPU once more, on the
// same data, because only it tells which code they execute. Its outputs are not looked at. It is a child
// process of the program cupilot-emulate.

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "annotate/support/result.h"
#include "evolution/judge/engine/candidate.h"
#include "evolution/judge/launches/coverage.h"

namespace cupilot::judge::engine {

class Beside {
public:
  /// `dump_bytes`: the largest output of a run. An error says why the device cannot tell.
  static Result<std::unique_ptr<Beside>> start(const JudgeSetting &setting,
                                               const std::filesystem::path &library, std::size_t dump_bytes);
  /// Executes the small runs of the reference's plan, and of each large case some blocks. An error: an
  /// instruction that it does not know, or a fault that no GPU shows.
  Result<> run(const model::Bundle &bundle, const Reference &reference);
  /// Of all runs so far.
  Result<launches::Coverage> coverage();

private:
  explicit Beside(std::unique_ptr<ChildProcess> child) : child_(std::move(child)) {}
  Result<> ask_done(const Order &order);
  Result<> run_one(const Order &order, double seconds);

  std::unique_ptr<ChildProcess> child_;
};

}  // namespace cupilot::judge::engine
