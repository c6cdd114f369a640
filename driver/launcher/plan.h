// SPDX-License-Identifier: Apache-2.0
//
// Which records a translation unit gets. A record is relevant when it was taken from this source or its
// kernel stands in one of the user's files; it is used when its architecture is really compiled and the
// sources still say the same: by fingerprint without a parse, else by asking cupilot-annotate once per
// content.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/launcher/record_reader.h"
#include "driver/launcher/user_files.h"

namespace cupilot::launcher {

struct Settings {
  std::vector<std::filesystem::path> records;
  std::filesystem::path cache;     ///< empty: beside the object
  std::filesystem::path annotate;  ///< empty: beside this program, then PATH
  std::filesystem::path support;   ///< folder that holds cupilot/dispatch.cuh
  bool accept_estimates = false;
};

/// The first thing that went wrong; the build tells one, for everything else would follow from it.
class Trouble {
public:
  void add(std::string text) {
    if (text_.empty()) text_ = std::move(text);
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
  std::vector<std::filesystem::path> relevant;      ///< files of every relevant record, used or not
  std::vector<std::filesystem::path> dependencies;  ///< files that, changed, change this plan
  std::string digest;                               ///< of their names and contents
};

/// What decides whether a record concerns a translation unit; kept in its stamp for `refresh`.
struct Unit {
  std::filesystem::path source;
  std::vector<std::filesystem::path> files;
  std::vector<std::string> architectures;
};
Unit unit_of(const CompileJob &job, const std::vector<UserFile> &files);

/// Files of relevant records, record.json and variant.cuh where it exists; reads the records and, for a
/// damaged one, the unit's files.
std::vector<std::filesystem::path> relevant_records(const Unit &unit, const Settings &settings);

/// `cache` is this translation unit's folder.
Plan make_plan(const CompileJob &job, const std::vector<UserFile> &files, const Settings &settings,
               const std::filesystem::path &cache, Trouble &trouble);

}  // namespace cupilot::launcher
