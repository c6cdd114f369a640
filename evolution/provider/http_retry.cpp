// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/http_retry.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "annotate/support/hash.h"
#include "annotate/support/text.h"

namespace cupilot::provider {
namespace {

using Milliseconds = std::chrono::milliseconds;

/// Error types and codes that mean that credit is missing: waiting does not help, although some come with
/// status 429.
constexpr std::array kSpentWords = {"insufficient_quota",     "billing_hard_limit_reached",
                                    "billing_not_active",     "billing_error",
                                    "insufficient_credits",   "insufficient_balance",
                                    "credits_exhausted",      "quota_exceeded",
                                    "access_terminated",      "enforced_spend_limit_reached",
                                    "spend_limit_reached",    "insufficient_user_quota",
                                    "credit_limit_exceeded",  "insufficient_funds",
                                    "credit_balance_too_low", "payment_required"};
/// Anthropic reports this only as a sentence, with status 400.
constexpr std::string_view kSpentSentence = "credit balance is too low";

constexpr std::array kBadKeyWords = {"authentication_error", "invalid_api_key", "permission_error"};
constexpr std::array kUnknownModelWords = {"model_not_found", "not_found_error"};
/// Errors inside a stream have no status; these types correspond to the statuses that are retried.
constexpr std::array kPassingWords = {
    "overloaded_error", "api_error",           "rate_limit_error",  "timeout_error",
    "server_error",     "rate_limit_exceeded", "server_overloaded", "internal_server_error"};

template <std::size_t N>
bool has_any(const ServerError &error, const std::array<const char *, N> &words) {
  return std::ranges::any_of(words, [&](const char *word) { return error.has(word); });
}

bool credit_is_spent(int status, const ServerError &error) {
  return status == 402 || has_any(error, kSpentWords) || error.message.contains(kSpentSentence);
}

std::string told(const std::string &what, const ServerError &error) {
  return error.message.empty() ? what : fmt::format("{}: {}", what, error.message);
}

bool asked_again_by_itself(int status) {
  return status == 408 || status == 409 || status == 429 || status >= 500;
}

/// The reason why waiting does not help; empty otherwise.
std::string reason_to_end(int status, const ServerError &error, const HttpSettings &settings,
                          const std::string &key_variable) {
  if (status == 401 || status == 403 || has_any(error, kBadKeyWords)) {
    if (key_variable.empty()) return "the server asks for a key, and the environment has none";
    return fmt::format("the server rejects the key: check {}{}", key_variable,
                       status == 403 ? " and the permissions of the key" : "");
  }
  if (status == 404 || has_any(error, kUnknownModelWords))
    return fmt::format(
        "the server does not know the model '{}', or has nothing at this address: check the model's "
        "name and the base URL",
        settings.model);
  return {};
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  text = trim(text);
  const auto end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || rest != end || !std::isfinite(value)) return {};
  return value;
}

/// Far longer than any wait that is obeyed, and far from overflow.
constexpr double kMostMilliseconds = 1e12;

std::optional<Milliseconds> ahead(double milliseconds) {
  if (!(milliseconds > 0)) return {};
  return Milliseconds(static_cast<long long>(std::ceil(std::min(milliseconds, kMostMilliseconds))));
}

}  // namespace

HttpFailure failure_of_status(const HttpHead &head, const ServerError &error, const HttpSettings &settings,
                              const std::string &key_variable) {
  const int status = head.status;
  const std::string code = fmt::format("status {}", status);
  if (credit_is_spent(status, error))
    return {Remedy::end_all,
            told(fmt::format(
                     "the account has no credit left ({}): add credit or raise its limit, then resume", code),
                 error)};
  if (status >= 300 && status < 400)
    return {Remedy::end_all,
            fmt::format("the server redirects this request ({} to '{}'), and redirects are not "
                        "followed: set the base URL to the right address",
                        code, head.header("location").substr(0, kMostHeaderBytes))};
  const auto wish = head.header("x-should-retry");
  if (wish == "true") return {Remedy::again, told(code, error)};
  // Checked before `x-should-retry: false`: that header also comes with a wrong key, which affects all
  // questions.
  if (const auto reason = reason_to_end(status, error, settings, key_variable); !reason.empty())
    return {Remedy::end_all, told(fmt::format("{} ({})", reason, code), error)};
  if (wish == "false") return {Remedy::give_up, told(code, error)};
  return {asked_again_by_itself(status) ? Remedy::again : Remedy::give_up, told(code, error)};
}

HttpFailure failure_in_stream(const ServerError &error, const HttpSettings &settings,
                              const std::string &key_variable) {
  if (credit_is_spent(0, error))
    return {Remedy::end_all,
            told("the account has no credit left: add credit or raise its limit, then resume", error)};
  if (const auto reason = reason_to_end(0, error, settings, key_variable); !reason.empty())
    return {Remedy::end_all, told(reason, error)};
  return {has_any(error, kPassingWords) ? Remedy::again : Remedy::give_up,
          told("the server reported an error in its stream", error)};
}

std::optional<Milliseconds> asked_wait(const HttpHead &head, std::chrono::system_clock::time_point date) {
  if (const auto wait = number(head.header("retry-after-ms")))
    if (const auto milliseconds = ahead(*wait)) return milliseconds;
  const auto text = head.header("retry-after");
  if (text.empty()) return {};
  if (const auto wait = number(text)) return ahead(*wait * 1000);
  const std::time_t then = curl_getdate(text.c_str(), nullptr);
  if (then == -1) return {};
  const auto wait = std::chrono::system_clock::from_time_t(then) - date;
  return ahead(std::chrono::duration<double, std::milli>(wait).count());
}

Milliseconds own_wait(const HttpSettings &settings, const std::string &question, int attempt) {
  const double doubled = static_cast<double>(settings.first_wait.count()) * std::exp2(attempt - 1);
  const double wait = std::min(doubled, static_cast<double>(settings.longest_wait.count()));
  const auto digits = sha256(fmt::format("{}#{}", question, attempt)).substr(0, 8);
  const double less = static_cast<double>(std::stoul(digits, nullptr, 16)) / 4294967296.0;
  return Milliseconds(static_cast<long long>(std::round(wait * (1 - 0.25 * less))));
}

}  // namespace cupilot::provider
