// SPDX-License-Identifier: Apache-2.0
//
// The part of a record that a build needs; evolution/model/record.h has the whole. A record is only accepted
// when record_code.h can turn all its names and expressions into code.

#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::launcher {

struct DomainRange {
  std::string parameter;
  long long least = 0, greatest = 0;
};

struct RecordFingerprint {
  struct File {
    std::filesystem::path path;  ///< absolute
    std::string sha256;
  };
  std::filesystem::path source;  ///< absolute
  std::string macros;
  std::vector<File> files;
};

struct SwapRecord {
  std::filesystem::path path, variant_path;  ///< record.json and variant.cuh
  std::string name, instantiation, arch, kernel_id;
  bool estimate = false;
  std::vector<std::string> namespaces;  ///< outermost first, "" is an anonymous one
  std::filesystem::path file;           ///< the file that has the kernel, absolute
  std::vector<std::string> parameters;  ///< names
  std::vector<RecordFingerprint> fingerprints;
  std::vector<std::string> assumptions;  ///< conditions over the parameters
  std::vector<std::string> promises;     ///< about data; they are told and not tested
  std::vector<std::vector<DomainRange>>
      boxes;  ///< the arguments must be inside one of them, if there are any
  std::vector<DomainRange> domain;
  std::vector<std::vector<DomainRange>> verified;  ///< likewise; older records have none
  std::array<std::string, 7>
      launch;  ///< grid x y z, block x y z, shared bytes; empty strings when `configurations` counts
  std::vector<std::array<unsigned long long, 7>> configurations;
  std::string variant_sha256;
};

/// `root` is the folder that the record's relative paths start from.
Result<SwapRecord> parse_record(std::string_view text, const std::filesystem::path &path,
                                const std::filesystem::path &root);

/// Every `<records>/<name>/<arch>/record.json`, sorted.
std::vector<std::filesystem::path> find_records(const std::filesystem::path &records);

}  // namespace cupilot::launcher
