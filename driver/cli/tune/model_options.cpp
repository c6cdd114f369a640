// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/tune/model_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iterator>

#include "annotate/support/compile_options.h"
#include "annotate/support/text.h"
#include "driver/cli/text/lookup.h"
#include "evolution/model/role.h"
#include "evolution/provider/http_provider.h"
#include "evolution/provider/local_providers.h"
#include "evolution/provider/recording.h"
#include "evolution/search/policy.h"

namespace cupilot::cli::tune {
namespace {

namespace fs = std::filesystem;

bool over_http(std::string_view provider) {
  const provider::ProviderKind *kind = provider::provider_kind(provider);
  return kind != nullptr && kind->over_http;
}

std::vector<std::string> role_names() {
  std::vector<std::string> names;
  for (const model::Role &role : model::kRoles) names.emplace_back(role.name);
  return names;
}

std::vector<std::string> provider_names() {
  std::vector<std::string> names;
  for (const provider::ProviderKind &kind : provider::kProviderKinds) names.emplace_back(kind.name);
  return names;
}

/// "builtin (rules, no network), openai (any compatible server), anthropic, ..."
std::string provider_words() {
  std::vector<std::string> words;
  for (const provider::ProviderKind &kind : provider::kProviderKinds)
    words.push_back(*kind.what ? fmt::format("{} ({})", kind.name, kind.what) : kind.name);
  return join(words, ", ");
}

/// "rules, knobs; with a model sce, ..., auto; default: ..."
std::string policy_words() {
  auto with_model = search::policy_names(search::ModelUse::required);
  std::ranges::copy(search::policy_names(search::ModelUse::optional), std::back_inserter(with_model));
  return fmt::format("{}; with a model {}; default: {} with a model, {} without",
                     join(search::policy_names(search::ModelUse::none), ", "), join(with_model, ", "),
                     search::kPolicyWithModel, search::kPolicyWithoutModel);
}

/// The option that a provider requires.
struct NeedRow {
  const char *provider, *option, *example;
  std::string ModelOptions::*value;
};
const std::array kNeeds{
    NeedRow{provider::kOpenaiProvider, "--model", "--model NAME", &ModelOptions::model},
    NeedRow{provider::kAnthropicProvider, "--model", "--model NAME", &ModelOptions::model},
    NeedRow{provider::kCommandProvider, "--command", "--command 'my-model --quiet'", &ModelOptions::command},
    NeedRow{provider::kMailboxProvider, "--mailbox", "--mailbox FOLDER", &ModelOptions::mailbox},
    NeedRow{provider::kReplayProvider, "--replay", "--replay FILE", &ModelOptions::replay}};

/// `--command X` alone means `--provider command --command X`.
Result<void> imply_provider(ModelOptions &options) {
  for (const auto &need : kNeeds) {
    if (over_http(need.provider) || (options.*need.value).empty()) continue;
    if (options.provider.empty()) options.provider = need.provider;
    const bool for_a_role = std::ranges::any_of(options.roles, [&](const std::string &role) {
      return role.find(std::string("=") + need.provider) != std::string::npos;
    });
    if (options.provider != need.provider && !for_a_role)
      return user_error(
          fmt::format("{} is for --provider {}, not for {}", need.option, need.provider, options.provider));
  }
  if (!options.provider.empty()) return {};
  const std::pair<const char *, bool> http[] = {{"--model", !options.model.empty()},
                                                {"--base-url", !options.base_url.empty()},
                                                {"--key-variable", !options.key_variable.empty()},
                                                {"--effort", !options.effort.empty()},
                                                {"--temperature", options.temperature.has_value()},
                                                {"--role", !options.roles.empty()}};
  for (const auto &[option, said] : http)
    if (said)
      return user_error(
          fmt::format("{} needs --provider, which names who answers (openai, anthropic, ...)", option));
  options.provider = provider::kBuiltinProvider;
  return {};
}

/// "translator=anthropic:model"
struct RoleWords {
  std::string role, provider, model;
};

Result<RoleWords> parse_role(const std::string &text) {
  const auto bad = [&](const std::string &why) {
    return user_error(fmt::format("--role '{}' {}; write it like translator=anthropic:MODEL", text, why));
  };
  const auto equal = text.find('=');
  if (equal == std::string::npos) return bad("names no provider");
  RoleWords words{.role = text.substr(0, equal), .provider = text.substr(equal + 1), .model = {}};
  if (const auto colon = words.provider.find(':'); colon != std::string::npos) {
    words.model = words.provider.substr(colon + 1);
    words.provider.resize(colon);
  }
  if (!text::contains(role_names(), words.role))
    return bad("names no role: " + text::suggestion(words.role, role_names()));
  if (!provider::provider_kind(words.provider))
    return bad("names no provider: " + text::suggestion(words.provider, provider_names()));
  return words;
}

Result<void> check_role(const RoleWords &words, const ModelOptions &options) {
  for (const auto &need : kNeeds) {
    if (words.provider != need.provider) continue;
    const bool said = over_http(words.provider) ? !words.model.empty() || words.provider == options.provider
                                                : !(options.*need.value).empty();
    if (!said)
      return user_error(fmt::format("--role {}={} needs {}", words.role, words.provider,
                                    over_http(words.provider) ? ":MODEL after it" : need.example));
  }
  return {};
}

Result<void> check_policy(ModelOptions &options) {
  if (options.policy.empty())
    options.policy = options.has_model() ? search::kPolicyWithModel : search::kPolicyWithoutModel;
  const auto policy = search::find_policy(options.policy);
  if (!policy || (*policy)->model != search::ModelUse::required || options.has_model()) return {};
  auto models = provider_names();
  std::erase(models, provider::kBuiltinProvider);
  return user_error(fmt::format("--policy {} asks a model; choose one with --provider ({})", options.policy,
                                join(models, ", ")));
}

Result<std::optional<provider::Price>> price_of_model(const std::string &model, const ModelOptions &options,
                                                      const provider::PriceTable &table) {
  if (!options.price.empty() && model == options.model) {
    auto price = provider::parse_price(options.price);
    if (!price) return within("--price", price.error());
    return *price;
  }
  const provider::Price *found = table.find(model);
  return found ? std::optional(*found) : std::nullopt;
}

Result<std::unique_ptr<provider::Provider>> http_provider(const ModelChoice &choice,
                                                          const ModelOptions &options,
                                                          std::optional<provider::Price> price,
                                                          const judge::bundle::StopFlag &stop) {
  provider::HttpSettings settings;
  settings.dialect = provider::http_dialect(choice.provider);
  // An address and a key belong to the provider they were given for.
  if (choice.provider == options.provider) {
    settings.base_url = options.base_url;
    settings.key_variable = options.key_variable;
    settings.effort = options.effort;
    settings.temperature = options.temperature;
  }
  settings.model = choice.model;
  settings.price = price;
  settings.parallel = options.parallel;
  settings.stop = &stop;
  return provider::make_http_provider(std::move(settings));
}

Result<std::unique_ptr<provider::Provider>> local_provider(const ModelChoice &choice,
                                                           const ModelOptions &options,
                                                           const judge::bundle::StopFlag &stop,
                                                           const Waiting &waiting) {
  if (choice.provider == provider::kReplayProvider) return provider::make_replay_provider(options.replay);
  if (choice.provider == provider::kMailboxProvider) {
    provider::MailboxSettings settings;
    settings.folder = options.mailbox;
    settings.stop = &stop;
    settings.waiting = waiting;
    return provider::make_mailbox_provider(std::move(settings));
  }
  provider::CommandSettings settings;
  settings.words = split_words(options.command);
  settings.model = choice.model;
  settings.parallel = options.parallel;
  settings.stop = &stop;
  return provider::make_command_provider(std::move(settings));
}

/// Removes the user name and the password from an address.
std::string without_userinfo(const std::string &url) {
  const auto from = url.find("://");
  if (from == std::string::npos) return url;
  const auto slash = url.find('/', from + 3), at = url.rfind('@', slash);
  return at == std::string::npos || at < from ? url : url.substr(0, from + 3) + url.substr(at + 1);
}

CLI::Option *add_setting(CLI::App &command, const search::PolicySetting &setting, bool &into) {
  return command.add_flag_callback(setting.option, [&into, usual = into] { into = !usual; }, setting.help);
}
CLI::Option *add_setting(CLI::App &command, const search::PolicySetting &setting, std::string &dialect) {
  std::vector<std::string> words;
  for (const auto &[word, name] : search::kDialects) words.emplace_back(word);
  const auto choose = [&dialect](const std::string &said) {
    dialect = std::ranges::find(search::kDialects, said, [](const auto &one) { return one.first; })->second;
  };
  return command.add_option_function<std::string>(setting.option, choose, setting.help)
      ->check(CLI::IsMember(words));
}
template <class Number>
CLI::Option *add_setting(CLI::App &command, const search::PolicySetting &setting, Number &into) {
  return command.add_option(setting.option, into, setting.help)
      ->check(CLI::Range(search::kLeastSetting, search::kMostSetting))
      ->capture_default_str();
}

void add_policy_options(CLI::App &command, ModelOptions &options) {
  std::vector<std::string> names;
  for (const search::Policy &policy : search::policies()) names.emplace_back(policy.name);
  command.add_option("--policy", options.policy, policy_words())
      ->check(CLI::IsMember(names))
      ->group("Search");
  for (const search::PolicySetting &setting : search::policy_settings())
    std::visit([&](auto member) { return add_setting(command, setting, options.settings.*member); },
               setting.member)
        ->group(setting.for_comparison ? "Comparison" : "Search");
}

}  // namespace

bool ModelOptions::counts_tokens() const {
  return std::ranges::any_of(model_choices(*this),
                             [](const ModelChoice &one) { return over_http(one.provider); });
}

void add_model_options(CLI::App &command, ModelOptions &options) {
  const char *group = "Model";
  command.add_option("--provider", options.provider, "Who answers the roles: " + provider_words())
      ->check(CLI::IsMember(provider_names()))
      ->group(group);
  const auto text = [&](const char *name, std::string &into, const char *what, const char *type) {
    command.add_option(name, into, what)->type_name(type)->group(group);
  };
  text("--model", options.model, "Name of the model, for openai, anthropic and command", "NAME");
  text("--base-url", options.base_url,
       "URL of the server; default: OPENAI_BASE_URL, ANTHROPIC_BASE_URL, else the public one", "URL");
  text(
      "--key-variable", options.key_variable,
      "Environment variable with the key; default: OPENAI_API_KEY; ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN",
      "NAME");
  text("--effort", options.effort, "Reasoning effort, as the model knows it: low, medium, high", "WORD");
  command
      .add_option("--temperature", options.temperature,
                  "Sent only when given, because reasoning models refuse it")
      ->check(CLI::Range(0.0, 2.0))
      ->group(group);
  text("--command", options.command, "The program with its arguments: prompt on stdin, answer on stdout",
       "WORDS");
  text("--mailbox", options.mailbox, "Folder: N.prompt.json, .md -> N.answer.json or .md", "FOLDER");
  text("--replay", options.replay, "A recording that 'cupilot log --export' wrote", "FILE");
  command.add_option("--parallel", options.parallel, "Number of questions asked at the same time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--role", options.roles,
                  "Another provider or model for a role (" + join(role_names(), ", ") +
                      "), like translator=anthropic:MODEL; may be repeated")
      ->allow_extra_args(false)
      ->type_name("ROLE=PROVIDER[:MODEL]")
      ->group(group);
  text("--price", options.price, "USD per million tokens in/out[/cached] of --model, like 3/15/0.3", "PRICE");
  command
      .add_flag("--data-policy", options.data_policy,
                "Print what would leave this machine, and to whom, without asking a model")
      ->group(group);
  command
      .add_flag("--accept-data-policy", options.accept_data_policy,
                "Agree to it for this project without being asked")
      ->group(group);
  add_policy_options(command, options);
}

Result<void> check_model_options(ModelOptions &options) {
  CUPILOT_CHECKED(imply_provider(options));
  for (const auto &need : kNeeds)
    if (options.provider == need.provider && (options.*need.value).empty())
      return user_error(fmt::format("--provider {} needs {}", need.provider, need.example));
  for (const auto &role : options.roles) {
    CUPILOT_TRY(words, parse_role(role));
    CUPILOT_CHECKED(check_role(words, options));
  }
  if (!options.roles.empty() && !options.has_model())
    return user_error(
        "--role needs --provider, which names who answers the other roles (openai, anthropic, ...)");
  if (!options.price.empty() && options.model.empty())
    return user_error("--price is the price of the model and needs --model");
  const auto words = split_words(options.command);
  if (!options.command.empty() && (words.empty() || words[0].empty()))
    return user_error("--command names no program");
  CUPILOT_CHECKED(check_policy(options));
  return {};
}

void adopt_recording(ModelOptions &options, const provider::Recording &recording) {
  if (options.policy.empty()) options.policy = recording.policy;
  options.settings.form = false;  // where it was told, the recording says so
  for (const auto &line : split_lines(recording.options)) {
    const auto equal = line.find('=');
    if (equal == std::string::npos) continue;
    const auto name = line.substr(0, equal), value = line.substr(equal + 1);
    if (search::adopt_setting(name, value, options.settings)) continue;
    if (text::contains(role_names(), name) && value == provider::kBuiltinProvider)
      options.roles.push_back(line);
  }
}

std::vector<ModelChoice> model_choices(const ModelOptions &options) {
  std::vector<ModelChoice> choices;
  if (!options.has_model()) return choices;
  choices.push_back({.provider = options.provider, .model = options.model, .roles = role_names()});
  for (const auto &role : options.roles) {
    const auto words = parse_role(role);
    if (!words) continue;
    for (auto &choice : choices) std::erase(choice.roles, words->role);
    if (words->provider == provider::kBuiltinProvider) continue;
    const bool same = words->provider == options.provider;
    const auto model = words->model.empty() && same ? options.model : words->model;
    auto known = std::ranges::find_if(choices, [&](const ModelChoice &choice) {
      return choice.provider == words->provider && choice.model == model;
    });
    if (known == choices.end())
      known = choices.insert(choices.end(), {.provider = words->provider, .model = model, .roles = {}});
    known->roles.push_back(words->role);
  }
  return choices;
}

std::string model_words(const ModelOptions &options) {
  std::string words = " --policy " + options.policy;
  if (!options.has_model()) return words;
  words += " --provider " + options.provider;
  const auto add = [&](const char *option, const std::string &value) {
    if (!value.empty()) words += std::string(" ") + option + " " + shell_quote(value);
  };
  add("--model", options.model);
  add("--base-url", without_userinfo(options.base_url));
  add("--effort", options.effort);
  if (options.temperature) words += fmt::format(" --temperature {}", *options.temperature);
  if (const auto program = split_words(options.command); !program.empty())
    add("--command", fs::path(program[0]).filename().string());
  if (options.provider == provider::kMailboxProvider) words += " --mailbox FOLDER";
  if (options.provider == provider::kReplayProvider) words += " --replay FILE";
  for (const auto &role : options.roles) add("--role", role);
  return words + search::option_words(options.settings);
}

Result<ModelProviders> make_model_providers(const ModelOptions &options, provider::Provider &rules,
                                            const judge::bundle::StopFlag &stop, const Waiting &waiting) {
  ModelProviders made;
  CUPILOT_TRY(prices, provider::load_prices());
  std::vector<std::pair<const ModelChoice *, provider::Provider *>> answering;
  const auto choices = model_choices(options);
  for (const auto &choice : choices) {
    CUPILOT_TRY(price, price_of_model(choice.model, options, prices));
    if (over_http(choice.provider) && !price) made.without_price_.push_back(choice.model);
    CUPILOT_TRY(provider, over_http(choice.provider) ? http_provider(choice, options, price, stop)
                                                     : local_provider(choice, options, stop, waiting));
    made.owned_.push_back(std::move(provider));
    answering.emplace_back(&choice, made.owned_.back().get());
  }
  provider::Provider &otherwise = made.owned_.empty() ? rules : *made.owned_.front();
  made.providers_ = std::make_unique<provider::Providers>(rules, otherwise);
  for (const auto &[choice, provider] : answering)
    for (const auto &role : choice->roles) made.providers_->set(role, *provider);
  for (const auto &role : options.roles)
    if (const auto words = parse_role(role); words && words->provider == provider::kBuiltinProvider)
      made.providers_->set(words->role, rules);
  return made;
}

}  // namespace cupilot::cli::tune
