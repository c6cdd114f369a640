// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/http_round.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "evolution/provider/recording.h"

namespace cupilot::provider {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kPatienceAfterEnd{1000};

std::string seconds_text(Milliseconds time) {
  const auto tenths = (time.count() + 50) / 100;
  if (tenths % 10 == 0) return fmt::format("{} s", tenths / 10);
  return fmt::format("{}.{} s", tenths / 10, tenths % 10);
}

}  // namespace

HttpModelProvider::Round::Round(HttpModelProvider &provider, const std::vector<RoleRequest> &requests,
                                const Arrived &arrived, HttpKey key)
    : provider_(provider),
      settings_(provider.settings_),
      transport_(*provider.transport_),
      arrived_(arrived),
      key_(std::move(key)),
      questions_(requests.size()),
      open_(requests.size()) {
  for (std::size_t i = 0; i < requests.size(); ++i) prepare(questions_[i], requests[i]);
}

HttpModelProvider::Round::~Round() {
  for (auto &question : questions_) drop(question);
}

void HttpModelProvider::Round::prepare(Question &question, const RoleRequest &request) {
  const auto limit = provider_.output_limit(request);
  question.hash = question_sha256(request);
  question.body = provider_.dialect_.body(settings_, request, limit);
  question.bound = provider_.bound_of(question.body.size(), limit);
  question.begun = question.not_before = transport_.now();
  question.idempotency =
      fmt::format("cupilot-{}-{}", question.hash.substr(0, 32), ++provider_.asked_[question.hash]);
}

void HttpModelProvider::Round::run() {
  while (open_ > 0) {
    if (stopped()) return stop_all();
    if (!provider_.ended_because_.empty()) close_waiting();
    start_due();
    if (open_ == 0) return;
    for (auto &news : transport_.drive(until_next())) take(std::move(news));
    check_limits();
  }
}

std::size_t HttpModelProvider::Round::in_flight() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(questions_, [](const Question &q) { return q.exchange.has_value(); }));
}

void HttpModelProvider::Round::start_due() {
  const auto now = transport_.now();
  auto flying = in_flight();
  for (auto &question : questions_) {
    if (flying >= static_cast<std::size_t>(settings_.parallel)) return;
    if (question.done || question.exchange || question.not_before > now) continue;
    start(question);
    ++flying;
  }
}

void HttpModelProvider::Round::start(Question &question) {
  const Dialect &dialect = provider_.dialect_;
  HttpRequest request{.url = provider_.base_url_ + dialect.path(),
                      .headers = {"Content-Type: application/json", "Accept: text/event-stream",
                                  "Idempotency-Key: " + question.idempotency},
                      .body = question.body,
                      .connect_limit = settings_.connect_limit};
  for (const auto &headers : {dialect.other_headers(), dialect.key_headers(key_.variable, key_.value)})
    request.headers.insert(request.headers.end(), headers.begin(), headers.end());
  if (question.requests++ == 0) question.begun = transport_.now();
  question.sent = question.last_byte = transport_.now();
  question.exchange.emplace(dialect, settings_, key_, question.bound);
  question.transfer = transport_.start(std::move(request));
}

void HttpModelProvider::Round::drop(Question &question) {
  if (!question.exchange) return;
  transport_.abandon(question.transfer);
  question.exchange.reset();
}

/// Time until the next retry or the next check of the limits.
Milliseconds HttpModelProvider::Round::until_next() const {
  auto wait = kBetweenLooks;
  const auto now = transport_.now();
  const bool room = in_flight() < static_cast<std::size_t>(settings_.parallel);
  for (const auto &question : questions_)
    if (room && !question.done && !question.exchange)
      wait = std::min(wait, std::chrono::ceil<Milliseconds>(question.not_before - now));
  return std::max(wait, Milliseconds(1));
}

void HttpModelProvider::Round::take(HttpNews news) {
  const auto found = std::ranges::find_if(questions_, [&](const Question &question) {
    return question.exchange && question.transfer == news.transfer;
  });
  if (found == questions_.end()) return;
  const auto position = static_cast<std::size_t>(found - questions_.begin());
  found->last_byte = transport_.now();
  auto &exchange = found->exchange.value();
  if (auto *head = std::get_if<HttpHead>(&news.what)) exchange.head(std::move(*head));
  if (const auto *body = std::get_if<HttpBody>(&news.what))
    if (!exchange.body(body->bytes)) settle(position, exchange.outcome({}, transport_.date()));
  if (const auto *end = std::get_if<HttpEnd>(&news.what))
    settle(position, exchange.outcome(*end, transport_.date()));
}

void HttpModelProvider::Round::check_limits() {
  const auto now = transport_.now();
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    auto &question = questions_[i];
    if (!question.exchange) continue;
    auto &exchange = *question.exchange;
    // The stall limit applies only after the first byte: before it a model may compute as long as it needs.
    const auto patience =
        exchange.ended() ? std::min(kPatienceAfterEnd, settings_.stall_limit) : settings_.stall_limit;
    if (now - question.sent > settings_.total_limit)
      settle(i, exchange.given_up(Remedy::give_up,
                                  "no complete answer within " + seconds_text(settings_.total_limit),
                                  transport_.date()));
    else if (exchange.has_body() && now - question.last_byte > patience)
      settle(i,
             exchange.given_up(Remedy::again, "its stream stalled for " + seconds_text(settings_.stall_limit),
                               transport_.date()));
  }
}

/// Handles the end of a request: the question is answered, waits for its next request, or gets no answer.
void HttpModelProvider::Round::settle(std::size_t position, HttpOutcome outcome) {
  auto &question = questions_[position];
  drop(question);
  question.spent += outcome.spent;
  question.charged += outcome.may_be_charged;
  if (outcome.answer) {
    provider_.learn(question.bound, outcome.spent);
    provider_.note(false, {});
    outcome.answer->spent = question.spent;
    outcome.answer->seconds = std::chrono::duration<double>(transport_.now() - question.begun).count();
    return close(position, std::move(*outcome.answer));
  }
  auto reason = fmt::format("{}, {}: {}", provider_.name(), settings_.model, outcome.failure.reason);
  if (ask_again(question, outcome, reason)) return;
  const bool end_all = outcome.failure.remedy == Remedy::end_all;
  if (end_all && provider_.ended_because_.empty()) provider_.ended_because_ = reason;
  provider_.note(outcome.server_failed, reason);
  const bool gone = !provider_.ended_because_.empty();
  close_without(position, end_all || !gone ? reason : provider_.ended_because_, gone);
}

/// Schedules the question again, or adds to `reason` why not.
bool HttpModelProvider::Round::ask_again(Question &question, const HttpOutcome &outcome,
                                         std::string &reason) {
  if (outcome.failure.remedy != Remedy::again) return false;
  if (question.requests > settings_.retries || question.charged >= kChargedRequests) {
    if (question.requests > 1) reason += fmt::format(" (asked {} times)", question.requests);
    return false;
  }
  const auto wait = outcome.asked_wait.value_or(own_wait(settings_, question.hash, question.requests));
  if (wait > settings_.longest_obeyed_wait) {
    reason += fmt::format("; the server asks to wait {}, longer than the limit of {}", seconds_text(wait),
                          seconds_text(settings_.longest_obeyed_wait));
    return false;
  }
  question.not_before = transport_.now() + wait;
  return true;
}

void HttpModelProvider::Round::close(std::size_t position, ProviderAnswer answer) {
  questions_[position].done = true;
  --open_;
  arrived_(position, std::move(answer));
}

void HttpModelProvider::Round::close_without(std::size_t position, const std::string &reason, bool final) {
  const auto &question = questions_[position];
  const double seconds =
      question.requests ? std::chrono::duration<double>(transport_.now() - question.begun).count() : 0;
  close(position, std::unexpected(NoAnswer{reason, final, question.spent, seconds}));
}

/// Closes the questions without a request in flight, because nothing is asked any more. Answers to requests
/// in flight are still taken, because they are paid for.
void HttpModelProvider::Round::close_waiting() {
  for (std::size_t i = 0; i < questions_.size(); ++i)
    if (!questions_[i].done && !questions_[i].exchange) close_without(i, provider_.ended_because_, true);
}

void HttpModelProvider::Round::stop_all() {
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    auto &question = questions_[i];
    if (question.done) continue;
    if (question.exchange)
      question.spent += question.exchange->given_up(Remedy::end_all, "stopped", transport_.date()).spent;
    drop(question);
    close_without(i, "stopped", true);
  }
}

}  // namespace cupilot::provider
