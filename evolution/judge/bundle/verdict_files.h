// SPDX-License-Identifier: Apache-2.0
//
// Collects the verdicts of one bundle for executors: it finds the files, reports each verdict once, and adds
// verdicts for missing candidates.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "evolution/judge/bundle/executor.h"

namespace cupilot::judge::bundle {

class VerdictFiles {
public:
  VerdictFiles(std::filesystem::path folder, const model::Bundle &bundle, JudgeEvents &events)
      : folder_(std::move(folder)), bundle_(bundle), events_(events) {}

  /// Reads new verdict files and reports them. A file that cannot be read is renamed and does not count.
  void collect();
  std::vector<std::string> missing() const;
  /// Adds a `not_evaluated` verdict without writing a file, so the candidate can be judged again later.
  void give_up(const std::string &candidate, const std::string &reason);
  std::vector<model::Verdict> in_order() const;

private:
  void take(model::Verdict verdict);

  std::filesystem::path folder_;
  const model::Bundle &bundle_;
  JudgeEvents &events_;
  std::map<std::string, model::Verdict> verdicts_;
};

}  // namespace cupilot::judge::bundle
