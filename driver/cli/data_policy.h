// SPDX-License-Identifier: Apache-2.0
//
// What a model is shown leaves this machine: to whom, which text, and whether the user agreed to it. Consent
// is kept in the user's data folder, for a project, a provider and a host; another host is asked about again.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/cli/model_options.h"
#include "driver/cli/output.h"

namespace cupilot::cli {

/// Somebody outside of this program who is sent something.
struct Destination {
  std::string provider, model;
  std::string host;  ///< "api.anthropic.com"; of `command` the program
  std::vector<std::string> roles;
};
/// None for built-in rules, mailboxes and recordings. Of checked options; needs no key.
std::vector<Destination> destinations(const ModelOptions &options);

struct DataPolicy {
  std::vector<Destination> destinations;
  struct Kernel {
    std::string name;
    std::vector<std::string> files;  ///< whose text is in `prefix`, where the kernel needs it
    std::string prefix;              ///< sent with every question about the kernel
  };
  std::vector<Kernel> kernels;
};
DataPolicy data_policy_of(const ModelOptions &options, const std::vector<ProjectKernel> &kernels,
                          const std::string &architecture);

/// `whole`: with every byte of the stable prefixes.
std::string data_policy_text(const DataPolicy &policy, bool whole);
Json data_policy_json(const DataPolicy &policy);

/// Consents given so far: one a line, `time TAB provider TAB host TAB project`.
class Consents {
public:
  explicit Consents(std::filesystem::path file) : file_(std::move(file)) {}
  /// "…/consents.txt" in user_data_folder().
  static Consents of_user();

  Result<bool> has(const std::string &project, const Destination &to) const;
  Result<void> add(const std::string &project, const Destination &to) const;

private:
  std::filesystem::path file_;
};

/// How consent can be had.
struct Question {
  bool accepted = false;  ///< --accept-data-policy
  bool terminal = false;  ///< somebody can be asked: stdin and stderr are terminals
};
/// Does nothing where every destination was agreed to for this project. Otherwise the policy is shown on
/// stderr and asked about; refused, or nobody to ask: a user's error.
Result<void> obtain_consent(const DataPolicy &policy, const std::string &project, const Consents &consents,
                            const Question &question);

}  // namespace cupilot::cli
