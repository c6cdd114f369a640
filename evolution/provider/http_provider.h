// SPDX-License-Identifier: Apache-2.0
//
// Models behind HTTP: chat completions of any compatible server (`openai`), and Anthropic's messages
// (`anthropic`). Streamed; retried as research/peers.md 5.7 says; questions side by side over one curl multi
// handle in the caller's thread. The key is read from the environment at the first question and is in no
// message, log or database.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "annotate/support/result.h"
#include "evolution/provider/price.h"
#include "evolution/provider/provider.h"

namespace cupilot {

enum class HttpDialect { openai, anthropic };

/// Of a provider that is asked over HTTP, by its name.
HttpDialect http_dialect(const std::string &provider);

/// Where a server is asked when the user gives no address: the dialect's environment variable, else where its
/// owner serves it.
std::string default_base_url(HttpDialect dialect);

struct HttpSettings {
  HttpDialect dialect = HttpDialect::openai;
  std::string base_url;      ///< "" : the dialect's own variable, else its public address; /v1 is not doubled
  std::string key_variable;  ///< "" : OPENAI_API_KEY; ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN
  std::string model;
  std::string effort;                 ///< "" : not sent; "low", "medium", "high", ...
  std::optional<double> temperature;  ///< absent: not sent (reasoning models refuse it)
  long long most_output_tokens = 16384;
  std::optional<Price> price;     ///< absent: unknown, everything costs 0
  int parallel = kUsualParallel;  ///< requests in flight
  int retries = 4;                ///< of one question, waits between them as the server says
  std::chrono::milliseconds connect_limit = kConnectLimit, stall_limit{90'000}, total_limit = kLongestAnswer;
  std::chrono::milliseconds first_wait{500},
      longest_wait{8'000};                                 ///< between retries, where the server is silent
  std::chrono::milliseconds longest_obeyed_wait{120'000};  ///< a server that asks for more: no answer
  std::size_t most_answer_bytes = kMostReceivedBytes;
  int failures_in_a_row =
      6;  ///< questions without an answer, then the server counts as gone: NoAnswer::final
  const std::atomic<bool> *stop = nullptr;
};

/// Without a key, a model, or with a base URL that is none: a user's error that says which variable to set.
Result<std::unique_ptr<Provider>> make_http_provider(HttpSettings settings);

}  // namespace cupilot
