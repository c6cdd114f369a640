// SPDX-License-Identifier: Apache-2.0
//
// Models behind HTTP: chat completions of any compatible server (`openai`) and Anthropic's messages
// (`anthropic`). Answers are streamed, failed requests are retried (http_retry.h), and questions run in
// parallel over one curl multi handle in the caller's thread. The key is read from the environment at the
// first question and never appears in a message, log or database.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "annotate/support/result.h"
#include "evolution/provider/price.h"
#include "evolution/provider/provider.h"

namespace cupilot::provider {

enum class HttpDialect { openai, anthropic };

/// The dialect of a provider that is asked over HTTP, by its name.
HttpDialect http_dialect(const std::string &provider);

/// The address that is used if the user gives none: the dialect's environment variable, else its owner's
/// public address.
std::string default_base_url(HttpDialect dialect);

struct HttpSettings {
  HttpDialect dialect = HttpDialect::openai;
  std::string base_url;      ///< "": the dialect's variable, else its public address; may end in /v1
  std::string key_variable;  ///< "": OPENAI_API_KEY; ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN
  std::string model;
  std::string effort;                 ///< "": not sent; "low", "medium", "high", ...
  std::optional<double> temperature;  ///< absent: not sent (reasoning models reject it)
  long long most_output_tokens = 16384;
  std::optional<Price> price;     ///< absent: unknown, all costs are 0
  int parallel = kUsualParallel;  ///< requests in flight
  int retries = 4;                ///< retries of one question; the server may set the waits between them
  std::chrono::milliseconds connect_limit = kConnectLimit, stall_limit{90'000}, total_limit = kLongestAnswer;
  std::chrono::milliseconds first_wait{500},
      longest_wait{8'000};  ///< waits between retries if the server gives none
  std::chrono::milliseconds longest_obeyed_wait{
      120'000};  ///< if the server asks for a longer wait, the question gets no answer
  std::size_t most_answer_bytes = kMostReceivedBytes;
  int failures_in_a_row =
      6;  ///< after this many unanswered questions in a row the server counts as lost (NoAnswer::final)
  const std::atomic<bool> *stop = nullptr;
};

/// A missing key or model, or an invalid base URL, is a user error that says which variable to set.
Result<std::unique_ptr<Provider>> make_http_provider(HttpSettings settings);

}  // namespace cupilot::provider
