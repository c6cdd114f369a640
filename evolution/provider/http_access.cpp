// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/http_access.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>

#include "annotate/support/text.h"

namespace cupilot::provider {
namespace {

/// Local servers accept any key ("none"). A shorter key is not a secret, and masking it would corrupt
/// answers.
constexpr std::size_t kShortestSecret = 12;

/// Set to 1 it allows to send a key to another machine without encryption.
constexpr const char *kAllowPlain = "CUPILOT_ALLOW_PLAIN_HTTP";

std::string environment(const std::string &variable) {
  const char *value = std::getenv(variable.c_str());
  return value ? std::string(trim(value)) : std::string();
}

std::string authority_of(std::string_view base_url) {
  const auto begin = base_url.find("://") + 3;
  return std::string(base_url.substr(begin, base_url.find('/', begin) - begin));
}

/// Everyone on the way to the server could read the key, the questions and the answers.
Result<void> check_encrypted(const std::string &variable, const std::string &base_url) {
  if (base_url.starts_with("https://") || on_this_machine(base_url) || environment(kAllowPlain) == "1")
    return {};
  return user_error(fmt::format(
      "the key in {} would be sent to '{}' without encryption: use an https:// address or a tunnel "
      "to localhost, or set {}=1 if you trust the whole network in between",
      variable, base_url, kAllowPlain));
}

bool is_one_word(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > ' ' && c < 127; });
}

}  // namespace

bool on_this_machine(std::string_view base_url) {
  const auto authority = authority_of(base_url);
  const auto host = authority.starts_with('[') ? authority.substr(0, authority.find(']') + 1)
                                               : authority.substr(0, authority.find(':'));
  return host == "localhost" || host == "[::1]" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

Result<std::string> normalised_base(std::string url) {
  if (url.contains('@'))
    return user_error(
        "the base URL has a user name or password, which is not allowed: keys come from the environment");
  while (url.ends_with('/')) url.pop_back();
  if (url.ends_with("/v1")) url.resize(url.size() - 3);
  while (url.ends_with('/')) url.pop_back();
  if ((!url.starts_with("http://") && !url.starts_with("https://")) || authority_of(url).empty() ||
      !is_one_word(url))
    return user_error(
        fmt::format("'{}' is not a base URL; expected one such as https://host:port/path", url));
  if (url.find_first_of("?#") != std::string::npos)
    return user_error(fmt::format("a base URL cannot have a query ('?') or a fragment ('#'): write only '{}'",
                                  url.substr(0, url.find_first_of("?#"))));
  return url;
}

Result<std::string> base_url_of(const HttpSettings &settings, const Dialect &dialect) {
  if (!settings.base_url.empty()) return normalised_base(settings.base_url);
  const auto from_environment = environment(dialect.base_variable());
  if (from_environment.empty()) return dialect.public_base();
  auto base = normalised_base(from_environment);
  if (!base) return within(dialect.base_variable(), base.error());
  return base;
}

std::string HttpKey::blot(std::string text) const {
  return value.size() < kShortestSecret ? text : replace_all(std::move(text), value, "[key]");
}

Result<HttpKey> find_key(const HttpSettings &settings, const Dialect &dialect, const std::string &base_url) {
  const auto variables = settings.key_variable.empty() ? dialect.key_variables()
                                                       : std::vector<std::string>{settings.key_variable};
  for (const auto &variable : variables) {
    auto value = environment(variable);
    if (value.empty()) continue;
    if (!is_one_word(value))
      return user_error(variable + " has blanks or characters that cannot be part of a key");
    CUPILOT_CHECKED(check_encrypted(variable, base_url));
    return HttpKey{variable, std::move(value)};
  }
  if (on_this_machine(base_url)) return HttpKey{};
  return user_error(fmt::format("no key for {}: set {} in the environment (it is neither stored nor logged)",
                                dialect.name(), join(variables, " or ")));
}

}  // namespace cupilot::provider
