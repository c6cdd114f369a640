// SPDX-License-Identifier: Apache-2.0
//
// Decides which records a translation unit uses. A record is relevant when it was taken from this source or
// its kernel is in one of the user's files. It is used when the unit is compiled for its architecture and the
// kernel has not changed. The fingerprint shows that without a parse; if it differs, cupilot-annotate is
// asked, once for each content of the files.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/log.h"
#include "driver/launcher/record_reader.h"
#include "driver/launcher/user_files.h"

namespace cupilot::launcher {

struct Settings {
  std::vector<std::filesystem::path> records;
  std::filesystem::path cache;     ///< empty: beside the object
  std::filesystem::path annotate;  ///< empty: beside this program, then PATH
  std::filesystem::path support;   ///< the folder with cupilot/dispatch.cuh
  bool accept_estimates = false;
};

/// The first thing that went wrong, which becomes the one warning of a build. What else goes wrong is often a
/// consequence of it and is only printed when CUPILOT_EXPLAIN asks for it.
class Trouble {
public:
  void add(std::string text) {
    if (text_.empty())
      text_ = std::move(text);
    else if (log::debug_on())
      log::debug(text);
  }
  const std::string &text() const { return text_; }

private:
  std::string text_;
};

struct Swap {
  SwapRecord record;
  std::string variant;
};

struct Plan {
  std::vector<Swap> swaps;
  std::vector<std::filesystem::path> relevant;      ///< files of all relevant records, used or not
  std::vector<std::filesystem::path> dependencies;  ///< the plan is made again when one of them changes
  std::string digest;                               ///< hash of the names and contents of `dependencies`
};

/// What decides whether a record concerns a translation unit. The unit's stamp keeps it for `--refresh`.
struct Unit {
  std::filesystem::path source;
  std::vector<std::filesystem::path> files;
  std::vector<std::string> architectures;
};
Unit unit_of(const CompileJob &job, const std::vector<UserFile> &files);

/// The files of the relevant records: each record.json, and its variant.cuh where that exists. It reads the
/// records and, where one is damaged, the unit's files.
std::vector<std::filesystem::path> relevant_records(const Unit &unit, const Settings &settings);

/// The `digest` of a plan that is made now, without asking whether the kernels are still the same.
std::string plan_digest(const Unit &unit, const Settings &settings);

/// `cache` is the folder of this translation unit.
Plan make_plan(const CompileJob &job, const std::vector<UserFile> &files, const Settings &settings,
               const std::filesystem::path &cache, Trouble &trouble);

}  // namespace cupilot::launcher
