// SPDX-License-Identifier: Apache-2.0
//
// The verdicts of one bundle as executors collect them: found as files, told once each, missing ones filled
// in.

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

  /// Takes in what has appeared and tells of it; a file that cannot be read is moved aside and does not
  /// count.
  void collect();
  std::vector<std::string> missing() const;
  /// A verdict without a file: the candidate may be judged again another time.
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
