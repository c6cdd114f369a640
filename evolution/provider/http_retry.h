// SPDX-License-Identifier: Apache-2.0
//
// Decides what to do if a server did not answer: ask again, and when; give this question up; or ask nothing
// any more. The rules follow those of the vendors' own clients (the OpenAI and Anthropic SDKs). Pure
// functions.

#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "evolution/provider/http_dialect.h"
#include "evolution/provider/http_transport.h"

namespace cupilot::provider {

enum class Remedy {
  again,    ///< the same question may be asked again
  give_up,  ///< this question will not be answered
  end_all,  ///< no question will be answered any more
};

struct HttpFailure {
  Remedy remedy = Remedy::give_up;
  std::string reason;  ///< what happened, and what a person can do about it
};

/// The failure for a status other than 2xx. Rules in this order: spent credit and a redirect end everything;
/// `x-should-retry: true` is obeyed; a wrong key and an unknown model end everything; `x-should-retry: false`
/// is obeyed; 408, 409, 429 and 5xx are retried.
HttpFailure failure_of_status(const HttpHead &head, const ServerError &error, const HttpSettings &settings,
                              const std::string &key_variable);
/// The failure for an error inside a stream whose status was 2xx.
HttpFailure failure_in_stream(const ServerError &error, const HttpSettings &settings,
                              const std::string &key_variable);

/// The wait that the server asks for: `retry-after-ms`, else `retry-after` in seconds or as a date. Absent if
/// it asks for none or for a time in the past.
std::optional<std::chrono::milliseconds> asked_wait(const HttpHead &head,
                                                    std::chrono::system_clock::time_point date);
/// The wait if the server asks for none: first_wait, doubled with each failed attempt (counted from 1) up to
/// longest_wait, and reduced by up to a quarter. The reduction depends on the question and the attempt only,
/// so it is reproducible.
std::chrono::milliseconds own_wait(const HttpSettings &settings, const std::string &question, int attempt);

}  // namespace cupilot::provider
