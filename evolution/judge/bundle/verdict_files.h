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

namespace cupilot {

class VerdictFiles {
public:
  VerdictFiles(std::filesystem::path folder, const Bundle &bundle, JudgeEvents &events)
      : folder_(std::move(folder)), bundle_(bundle), events_(events) {}

  /// Reads new verdict files and reports them. A file that cannot be read is renamed and does not count.
  void collect();
  std::vector<std::string> missing() const;
  /// Adds a `not_evaluated` verdict without writing a file, so the candidate can be judged again later.
  void give_up(const std::string &candidate, const std::string &reason);
  std::vector<Verdict> in_order() const;

private:
  void take(Verdict verdict);

  std::filesystem::path folder_;
  const Bundle &bundle_;
  JudgeEvents &events_;
  std::map<std::string, Verdict> verdicts_;
};

}  // namespace cupilot
