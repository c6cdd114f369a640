// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/http_exchange.h"

#include <fmt/format.h>
#include <algorithm>

#include "annotate/support/text.h"

namespace cupilot::provider {
namespace {

constexpr std::size_t kMostErrorBytes = 64u << 10;
/// A stream is larger than its text: a chunk of a few letters takes about 300 bytes of JSON.
constexpr std::size_t kStreamOverText = 64;

}  // namespace

Spending spending_at(const TokenBound &bound, const std::optional<Price> &price) {
  Spending spent{.tokens_in = bound.in, .tokens_out = bound.out};
  if (!price) return spent;
  Price dearest = *price;
  dearest.in = std::max({price->in, price->cached, price->cache_write});
  spent.usd = price_of(spent, 0, dearest);
  return spent;
}

bool HttpExchange::enough(Remedy remedy, std::string reason) {
  enough_ = HttpFailure{remedy, std::move(reason)};
  return false;
}

bool HttpExchange::too_large() const {
  const std::size_t most = settings_.most_answer_bytes;
  return answer_.text.size() + answer_.thought_bytes > most || events_.pending_bytes() > most ||
         received_ / kStreamOverText > most;
}

bool HttpExchange::body(std::string_view bytes) {
  if (answer_.ended) return true;
  received_ += bytes.size();
  if (refused() || !events_.any())
    error_body_ += bytes.substr(0, kMostErrorBytes - std::min(kMostErrorBytes, error_body_.size()));
  if (refused()) return received_ <= kMostErrorBytes;
  if (!take(events_.add(bytes))) return false;
  if (too_large())
    return enough(Remedy::give_up, fmt::format("its answer is larger than the limit of {} bytes",
                                               settings_.most_answer_bytes));
  return true;
}

bool HttpExchange::take(const std::vector<ServerEvent> &events) {
  for (const auto &event : events) {
    const ServerEvent clean{event.type, key_.blot(event.data)};
    if (auto taken = dialect_.take(clean, answer_); !taken)
      return enough(Remedy::give_up, taken.error().message);
    if (answer_.error) {
      enough_ = failure_in_stream(*answer_.error, settings_, key_.variable);
      return false;
    }
    if (answer_.ended) break;  // anything after the server's last event is ignored
  }
  return true;
}

long long HttpExchange::billed_out() const {
  const auto told = answer_.usage.out;
  if (!whole() || enough_) return std::max(bound_.out, told.value_or(0));
  if (told) return *told;
  if (broken_ || answer_.stop == StopReason::length) return bound_.out;
  const auto shown = static_cast<long long>(answer_.text.size() + answer_.thought_bytes);
  return std::min(shown + kOverheadTokens, bound_.out);
}

Spending HttpExchange::spent() const {
  if (refused()) return {};
  const auto &usage = answer_.usage;
  if (!usage.in) return spending_at({bound_.in, billed_out()}, settings_.price);
  Spending spent{.tokens_in = *usage.in, .tokens_cached = usage.cached, .tokens_out = billed_out()};
  if (settings_.price) spent.usd = price_of(spent, usage.cache_written, *settings_.price);
  return spent;
}

HttpOutcome HttpExchange::failed(Remedy remedy, std::string reason, bool server_failed) {
  HttpOutcome outcome{.failure = {remedy, key_.blot(std::move(reason))}, .server_failed = server_failed};
  outcome.spent = spent();
  outcome.may_be_charged = !refused();
  return outcome;
}

HttpOutcome HttpExchange::of_status(std::chrono::system_clock::time_point date) {
  const auto failure =
      failure_of_status(head_, server_error(key_.blot(error_body_)), settings_, key_.variable);
  auto outcome = failed(failure.remedy, failure.reason);
  outcome.asked_wait = asked_wait(head_, date);
  return outcome;
}

HttpOutcome HttpExchange::of_transport(const HttpEnd &end) {
  using How = HttpEnd::How;
  if (end.how == How::broken)
    return failed(Remedy::again, has_body() ? "its answer was interrupted: " + end.problem
                                            : "the connection was interrupted: " + end.problem);
  HttpOutcome outcome{.server_failed = true};  // nothing was sent, so nothing is charged
  outcome.failure = {end.how == How::unreachable ? Remedy::again : Remedy::end_all, end.problem};
  if (end.how == How::unreachable) outcome.failure.reason = "the server cannot be reached: " + end.problem;
  if (end.how == How::untrusted)
    outcome.failure.reason = fmt::format(
        "the server's certificate is not trusted ({}): check the base URL, or install its CA's certificate",
        end.problem);
  return outcome;
}

HttpOutcome HttpExchange::of_answer() {
  switch (answer_.stop) {
    case StopReason::length:
      return failed(Remedy::give_up,
                    fmt::format("its answer was cut at the output limit ({})", answer_.stop_word), false);
    case StopReason::refusal:
      return failed(Remedy::give_up, "the model refused to answer", false);
    case StopReason::filtered:
      return failed(Remedy::give_up, "the server's content filter cut the answer", false);
    case StopReason::other:
      return failed(Remedy::give_up,
                    fmt::format("the model stopped with '{}' instead of an answer", answer_.stop_word),
                    false);
    default:
      break;
  }
  if (trim(answer_.text).empty()) return failed(Remedy::give_up, "its answer is empty", false);
  HttpOutcome outcome{.spent = spent(), .may_be_charged = true};
  outcome.answer = RoleAnswer{.content = key_.blot(std::move(answer_.text)),
                              .model = answer_.model,
                              .request_id = request_id(),
                              .spent = outcome.spent};
  return outcome;
}

HttpOutcome HttpExchange::outcome(const HttpEnd &end, std::chrono::system_clock::time_point date) {
  if (refused()) return of_status(date);
  broken_ = end.how != HttpEnd::How::complete && !answer_.ended;
  if (!enough_ && !broken_ && !answer_.ended) take(events_.finish());
  if (enough_) return failed(enough_->remedy, enough_->reason);
  if (whole()) return of_answer();
  if (end.how != HttpEnd::How::complete) return of_transport(end);
  if (!events_.any())
    return failed(Remedy::give_up,
                  fmt::format("the response is not a stream of events (is the base URL right?): '{}'",
                              key_.blot(error_body_).substr(0, kFewQuotedBytes)));
  return failed(Remedy::again, "its answer ended too early");
}

HttpOutcome HttpExchange::given_up(Remedy remedy, const std::string &reason,
                                   std::chrono::system_clock::time_point date) {
  if (refused()) return of_status(date);
  if (answer_.ended && !enough_) return of_answer();
  enough_ = HttpFailure{remedy, reason};
  return failed(remedy, reason);
}

std::string HttpExchange::request_id() const {
  auto id = head_.header("x-request-id");
  if (id.empty()) id = head_.header("request-id");
  if (id.empty()) id = answer_.id;
  if (!answer_.fingerprint.empty()) id += (id.empty() ? "" : " ") + answer_.fingerprint;
  return key_.blot(id.substr(0, kMostHeaderBytes));
}

}  // namespace cupilot::provider
