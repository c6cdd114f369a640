// SPDX-License-Identifier: Apache-2.0
//
// The provider behind `openai` and `anthropic`. It manages questions in flight, retries and limits, and
// decides when a server counts as lost. Private to evolution/provider; tests replace the transport.

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

namespace cupilot::provider {

/// Limit on the requests for one question that may be charged without giving an answer: a stream that broke
/// is requested once more only. Retries of requests that the server refused cost nothing and are not counted
/// here.
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
  /// Called when a question was answered or has failed; `server_failed`: through the server's fault.
  void note(bool server_failed, const std::string &reason);

  HttpSettings settings_;
  const Dialect &dialect_;
  std::string base_url_;
  std::unique_ptr<HttpTransport> transport_;
  std::mutex mutex_;           ///< allows one round at a time
  std::string ended_because_;  ///< why no question is asked any more; empty otherwise
  int failures_in_a_row_ = 0;
  std::map<std::string, int>
      asked_;  ///< by the question's hash, so that asking again is a new question to the server
  /// By how many tokens the server has exceeded its bound so far (because of a long system prompt of its own,
  /// or because it ignores the output limit). Later bounds include this excess.
  std::atomic<long long> excess_in_ = 0, excess_out_ = 0;
};

}  // namespace cupilot::provider
