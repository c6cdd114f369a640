// SPDX-License-Identifier: Apache-2.0
//
// The provider behind `openai` and `anthropic`: questions in flight, their retries and limits, and when a
// server counts as gone. Private to evolution/provider; tests give it a transport of their own.

#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "evolution/provider/http_access.h"
#include "evolution/provider/http_exchange.h"
#include "evolution/provider/http_provider.h"
#include "evolution/provider/http_transport.h"

namespace cupilot {

/// Requests for one question that may be charged and still give no answer: a stream that broke is asked for
/// once more, no oftener. Retries of what a server refused cost nothing and are not counted here.
constexpr int kChargedRequests = 2;

class HttpModelProvider final : public Provider {
public:
  HttpModelProvider(HttpSettings settings, std::string base_url, std::unique_ptr<HttpTransport> transport);

  std::string name() const override { return dialect_.name(); }
  std::string model() const override { return settings_.model; }
  bool costly() const override { return true; }
  Spending at_most(const RoleRequest &request) const override;
  ProviderAnswer answer(const RoleRequest &request) override;
  void answer_all(const std::vector<RoleRequest> &requests, const Arrived &arrived) override;

private:
  class Round;

  long long output_limit(const RoleRequest &request) const;
  TokenBound bound_of(std::size_t body_bytes, long long output_limit) const;
  void learn(const TokenBound &bound, const Spending &billed);
  /// After an answer that failed by the server's fault, or one that came.
  void note(bool server_failed, const std::string &reason);

  HttpSettings settings_;
  const Dialect &dialect_;
  std::string base_url_;
  std::unique_ptr<HttpTransport> transport_;
  std::mutex mutex_;           ///< one round at a time
  std::string ended_because_;  ///< nobody is asked any more
  int failures_in_a_row_ = 0;
  std::map<std::string, int>
      asked_;  ///< by the question's hash: asked anew it is a new question to the server
  /// By how much a server passed its bound so far (one with a long system prompt of its own, one that does
  /// not keep the output limit): the next bounds contain it.
  std::atomic<long long> excess_in_ = 0, excess_out_ = 0;
};

}  // namespace cupilot
