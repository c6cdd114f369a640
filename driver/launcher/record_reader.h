// SPDX-License-Identifier: Apache-2.0
//
// The part of a record a build needs (evolution/model/record.h has the whole), and nothing that could not be
// put into generated C++ safely: names are identifiers, expressions hold only operators, numbers and the
// kernel's parameters.

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
  std::filesystem::path file;           ///< where the kernel stands, absolute
  std::vector<std::string> parameters;  ///< names
  std::vector<RecordFingerprint> fingerprints;
  std::vector<std::string> assumptions;         ///< conditions over the parameters, all of them parse
  std::vector<std::vector<DomainRange>> boxes;  ///< one of them must take the arguments; none: all do
  std::vector<DomainRange> domain;
  std::array<std::string, 7>
      launch;  ///< grid x y z, block x y z, shared bytes; empty when `configurations` counts
  std::vector<std::array<unsigned long long, 7>> configurations;
  std::string variant_sha256;
};

/// `root` is the folder that relative paths in the record start from.
Result<SwapRecord> parse_record(std::string_view text, const std::filesystem::path &path,
                                const std::filesystem::path &root);

/// `<records>/<name>/<arch>/record.json`, sorted.
std::vector<std::filesystem::path> find_records(const std::filesystem::path &records);

}  // namespace cupilot::launcher
