// SPDX-License-Identifier: Apache-2.0
//
// What to do about a server that did not answer: ask again, and when; give this question up; or ask nothing
// any more. The rules are those of the vendors' own clients. Pure functions.

#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "evolution/provider/http_dialect.h"
#include "evolution/provider/http_transport.h"

namespace cupilot {

enum class Remedy {
  again,    ///< the same question may be asked once more
  give_up,  ///< this question will not be answered
  end_all,  ///< nor will any other
};

struct HttpFailure {
  Remedy remedy = Remedy::give_up;
  std::string reason;  ///< what happened, and what a person can do about it
};

/// Of a status other than 2xx. In this order: spent credit and a redirect end all; `x-should-retry: true` is
/// obeyed; a wrong key and an unknown model end all; `x-should-retry: false` is obeyed; 408, 409, 429 and 5xx
/// are asked again.
HttpFailure failure_of_status(const HttpHead &head, const ServerError &error, const HttpSettings &settings,
                              const std::string &key_variable);
/// Of an error inside a stream whose status was good.
HttpFailure failure_in_stream(const ServerError &error, const HttpSettings &settings,
                              const std::string &key_variable);

/// What the server asks for: `retry-after-ms`, then `retry-after` in seconds or as a date; absent where it
/// asks for nothing that lies ahead.
std::optional<std::chrono::milliseconds> asked_wait(const HttpHead &head,
                                                    std::chrono::system_clock::time_point date);
/// Where it does not: first_wait doubled with each failed attempt (counted from 1) up to longest_wait, less
/// up to a quarter; how much less is decided by the question and the attempt, so that it can be repeated.
std::chrono::milliseconds own_wait(const HttpSettings &settings, const std::string &question, int attempt);

}  // namespace cupilot
