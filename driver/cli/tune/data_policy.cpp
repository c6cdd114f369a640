// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/tune/data_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "annotate/support/compile_options.h"
#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "evolution/provider/http_provider.h"
#include "evolution/search/kernel_brief_of.h"
#include "evolution/store/history.h"

namespace cupilot::cli::tune {
namespace {

/// "https://user@host:8080/v1" -> "host:8080"
std::string host_in(const std::string &url) {
  const auto scheme = url.find("://");
  const auto from = scheme == std::string::npos ? 0 : scheme + 3;
  auto host = url.substr(from, url.find_first_of("/?#", from) - from);
  if (const auto at = host.rfind('@'); at != std::string::npos) host.erase(0, at + 1);
  return host;
}

/// The program and, after an interpreter, its script. Options are left out because they may contain secrets.
std::string program_in(const std::string &command) {
  std::string program;
  for (const auto &word : split_words(command)) {
    if (word.starts_with('-')) break;
    program += (program.empty() ? "" : " ") + word;
  }
  return program;
}

std::string host_of(const ModelChoice &choice, const ModelOptions &options) {
  if (choice.provider == provider::kCommandProvider) return program_in(options.command);
  if (choice.provider == options.provider && !options.base_url.empty()) return host_in(options.base_url);
  return host_in(provider::default_base_url(provider::http_dialect(choice.provider)));
}

std::string destination_text(const Destination &to) {
  const auto roles = join(to.roles, ", ");
  const auto model = to.model.empty() ? "" : ", model " + to.model;
  if (to.provider == provider::kCommandProvider)
    return fmt::format("the program '{}'{}, and whoever it sends the text to: {}", to.host, model, roles);
  return fmt::format("{} at {}{}: {}", to.provider, to.host, model, roles);
}

std::string now_utc() {
  const auto now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string consent_key(const std::string &project, const Destination &to) {
  return to.provider + "\t" + to.host + "\t" + project;
}

std::vector<Destination> not_agreed(const std::vector<Destination> &all, const std::vector<bool> &agreed) {
  std::vector<Destination> open;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!agreed[i]) open.push_back(all[i]);
  return open;
}

bool answered_yes() {
  std::fputs("Send it? You are asked only once for this project. [y/N] ", stderr);
  char answer[16] = {};
  if (!std::fgets(answer, sizeof answer, stdin)) return false;
  const auto word = trim(answer);
  return word == "y" || word == "Y" || word == "yes";
}

}  // namespace

std::vector<Destination> destinations(const ModelOptions &options) {
  std::vector<Destination> list;
  for (const auto &choice : model_choices(options)) {
    if (!provider::provider_kind(choice.provider)->sends_text || choice.roles.empty()) continue;
    list.push_back({.provider = choice.provider,
                    .model = choice.model,
                    .host = host_of(choice, options),
                    .roles = choice.roles});
  }
  return list;
}

DataPolicy data_policy_of(const ModelOptions &options, const std::vector<project::ProjectKernel> &kernels,
                          const std::string &architecture) {
  DataPolicy policy{.destinations = destinations(options), .kernels = {}};
  for (const auto &kernel : kernels) {
    spec::KernelSpec shown = kernel.spec;
    std::erase_if(shown.workloads, [](const spec::Workload &workload) { return workload.holdout; });
    DataPolicy::Kernel one{.name = shown.name, .files = {}, .prefix = {}};
    for (const auto &file : shown.fingerprint.files) one.files.push_back(file.path);
    if (one.files.empty()) one.files.push_back(shown.place.file);
    one.prefix = role::stable_prefix(search::kernel_brief_of(shown, architecture, options.settings));
    policy.kernels.push_back(std::move(one));
  }
  return policy;
}

std::string data_policy_text(const DataPolicy &policy, bool whole) {
  if (policy.destinations.empty()) return "Nothing leaves this machine: no model outside of it is asked.\n";
  std::string text = "While these kernels are tuned, text is sent to\n";
  for (const auto &to : policy.destinations) text += "  " + destination_text(to) + "\n";
  text +=
      "With every question about a kernel, its stable prefix: the task, the kernel's code without comments,\n"
      "what it computes as loops, sizes of its workloads, facts of the device\n";
  for (const auto &kernel : policy.kernels)
    text += fmt::format("  {}: {} characters, with code of {}\n", kernel.name, kernel.prefix.size(),
                        join(kernel.files, ", "));
  text +=
      "Then the rest of each question: strategies, variants of these kernels, verdicts with the compiler's\n"
      "messages about variants, digests of counters. Never sent: other files, comments, input data, "
      "hold-outs.\n";
  if (!whole) return text + "'cupilot tune --data-policy' prints the prefixes.\n";
  for (const auto &kernel : policy.kernels)
    text += fmt::format("\n==== stable prefix of {} ====\n{}\n", kernel.name, kernel.prefix);
  return text;
}

report::Json data_policy_json(const DataPolicy &policy) {
  report::Json json = {{"cupilot_data_policy", 1},
                       {"destinations", report::Json::array()},
                       {"kernels", report::Json::array()}};
  for (const auto &to : policy.destinations)
    json["destinations"].push_back(
        {{"provider", to.provider}, {"model", to.model}, {"host", to.host}, {"roles", to.roles}});
  for (const auto &kernel : policy.kernels)
    json["kernels"].push_back({{"kernel", kernel.name}, {"files", kernel.files}, {"prefix", kernel.prefix}});
  return json;
}

Consents Consents::of_user() {
  return Consents(store::user_data_folder() / "consents.txt");
}

Result<bool> Consents::has(const std::string &project, const Destination &to) const {
  std::error_code failed;
  if (!std::filesystem::exists(file_, failed)) return false;
  auto text = read_file(file_);
  if (!text) return within("reading earlier consents", text.error());
  const auto key = consent_key(project, to);
  return std::ranges::any_of(split_lines(*text), [&](const std::string &line) {
    const auto tab = line.find('\t');
    return tab != std::string::npos && std::string_view(line).substr(tab + 1) == key;
  });
}

Result<void> Consents::add(const std::string &project, const Destination &to) const {
  std::error_code failed;
  std::filesystem::create_directories(file_.parent_path(), failed);
  if (auto added = append_line(file_, now_utc() + "\t" + consent_key(project, to)); !added)
    return within("storing the consent", added.error());
  return {};
}

Result<void> obtain_consent(const DataPolicy &policy, const std::string &project, const Consents &consents,
                            const Question &question) {
  std::vector<bool> agreed;
  for (const auto &to : policy.destinations) {
    CUPILOT_TRY(known, consents.has(project, to));
    agreed.push_back(known);
  }
  const auto open = not_agreed(policy.destinations, agreed);
  if (open.empty()) return {};
  log::print(data_policy_text({open, policy.kernels}, false));
  if (!question.accepted) {
    if (!question.terminal)
      return user_error("you have not agreed to send this to " + open[0].host +
                        "; read it and add --accept-data-policy, or run this once in a terminal");
    if (!answered_yes())
      return user_error(
          "nothing was sent, because you did not agree; --policy rules searches without a model");
  }
  for (const auto &to : open) CUPILOT_CHECKED(consents.add(project, to));
  return {};
}

}  // namespace cupilot::cli::tune
