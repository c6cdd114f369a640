// SPDX-License-Identifier: Apache-2.0
//
// The questions of one answer_all() while they are processed: which are in flight, which wait for their next
// request, which exceeded a limit. Private to evolution/provider.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "evolution/provider/http_model_provider.h"

namespace cupilot::provider {

class HttpModelProvider::Round {
public:
  Round(HttpModelProvider &provider, const std::vector<RoleRequest> &requests, const Arrived &arrived,
        HttpKey key);
  ~Round();
  void run();

private:
  struct Question {
    std::string hash, body, idempotency;
    TokenBound bound;
    int requests = 0, charged = 0;
    Spending spent;
    HttpTransport::TimePoint begun, not_before;
    bool done = false;
    // The members below belong to the request in flight.
    std::optional<HttpExchange> exchange;
    int transfer = 0;
    HttpTransport::TimePoint sent, last_byte;
  };

  void prepare(Question &question, const RoleRequest &request);
  void start_due();
  void start(Question &question);
  void drop(Question &question);
  void take(HttpNews news);
  void check_limits();
  std::chrono::milliseconds until_next() const;
  std::size_t in_flight() const;
  bool stopped() const { return settings_.stop && *settings_.stop; }

  void settle(std::size_t position, HttpOutcome outcome);
  bool ask_again(Question &question, const HttpOutcome &outcome, std::string &reason);
  void close(std::size_t position, ProviderAnswer answer);
  void close_without(std::size_t position, const std::string &reason, bool final);
  void close_waiting();
  void stop_all();

  HttpModelProvider &provider_;
  const HttpSettings &settings_;
  HttpTransport &transport_;
  const Arrived &arrived_;
  HttpKey key_;
  std::vector<Question> questions_;
  std::size_t open_;
};

}  // namespace cupilot::provider
