// SPDX-License-Identifier: Apache-2.0
//
// Text that a model is shown leaves this machine. This file lists which text is sent to whom, and asks the
// user to agree. Consent is stored in the user's data folder for each combination of project, provider and
// host; a new host needs a new consent.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/cli/report/output.h"
#include "driver/cli/tune/model_options.h"

namespace cupilot::cli::tune {

/// A party outside this program that text is sent to.
struct Destination {
  std::string provider, model;
  std::string host;  ///< "api.anthropic.com"; for the provider `command`, the program
  std::vector<std::string> roles;
};
/// The destinations of options that check_model_options() accepted; needs no key. Built-in rules, mailboxes
/// and recordings have none.
std::vector<Destination> destinations(const ModelOptions &options);

struct DataPolicy {
  std::vector<Destination> destinations;
  struct Kernel {
    std::string name;
    std::vector<std::string> files;  ///< whose text is in `prefix`, as far as the kernel needs it
    std::string prefix;              ///< sent with every question about the kernel
  };
  std::vector<Kernel> kernels;
};
DataPolicy data_policy_of(const ModelOptions &options, const std::vector<project::ProjectKernel> &kernels,
                          const std::string &architecture);

/// `whole`: includes the full text of the stable prefixes (the part of a prompt that does not change).
std::string data_policy_text(const DataPolicy &policy, bool whole);
report::Json data_policy_json(const DataPolicy &policy);

/// The file of consents given so far. Each line is `time TAB provider TAB host TAB project`.
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

/// The ways in which the user can agree.
struct Question {
  bool accepted = false;  ///< --accept-data-policy
  bool terminal = false;  ///< the user can be asked: stdin and stderr are terminals
};
/// Does nothing if the user has agreed to every destination for this project. Otherwise prints the policy on
/// stderr and asks. Returns a user error when the user refuses or cannot be asked.
Result<void> obtain_consent(const DataPolicy &policy, const std::string &project, const Consents &consents,
                            const Question &question);

}  // namespace cupilot::cli::tune
