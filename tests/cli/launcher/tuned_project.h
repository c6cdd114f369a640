// SPDX-License-Identifier: Apache-2.0
//
// A copy of the test project in a folder of its own: lands records in it, builds it, says which objects were
// made again, runs what was built.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "annotate/support/files.h"
#include "annotate/support/process.h"

namespace cupilot::test {

struct RecordText {
  std::string name = "plain", instantiation = "plain", arch = "sm_90";
  std::vector<std::string> namespaces;
  std::string source = "forms.cu";  ///< the translation unit
  std::string file;                 ///< where the kernel stands; empty: the source
  std::string kernel_id = "k1";
  int added = 1000;                         ///< the variant launches with n + added
  std::string configurations;               ///< JSON rows; empty: grid n, block 32
  std::string guard;                        ///< more members of the guard, each with its comma
  std::string extra_condition = "n == 13";  ///< the variant declines then
};

using Environment = std::vector<std::pair<std::string, std::string>>;

class TunedProject {
public:
  explicit TunedProject(std::string generator);

  const std::filesystem::path &source() const { return source_; }
  std::filesystem::path record(const std::string &name, const std::string &arch = "sm_90") const {
    return source_ / "tuned" / name / arch / "record.json";
  }

  /// As a checkout would bring it: variant.cuh, then record.json, with hashes of the sources as they are now.
  void land(const RecordText &record) const;
  void remove(const std::string &name) const;

  ProcessResult configure() const;
  ProcessResult build(const Environment &environment = {}) const;
  /// Objects made since the last call, by source name.
  std::vector<std::string> rebuilt();
  /// Lines of the program, by the form they follow: form -> launches.
  std::map<std::string, std::string> run(const Environment &environment) const;

private:
  std::string generator_;
  TemporaryFolder folder_;
  std::filesystem::path source_, build_;
  std::map<std::string, std::filesystem::file_time_type> times_;
};

}  // namespace cupilot::test
