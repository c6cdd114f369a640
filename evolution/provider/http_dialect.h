// SPDX-License-Identifier: Apache-2.0
//
// What differs between the servers: the request's text and how a streamed answer is told. Everything else
// (retries, limits, accounts) is the same for both. Private to evolution/provider.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/http_provider.h"
#include "evolution/provider/server_events.h"

namespace cupilot {

/// An error a server tells in JSON, in an answer of its own or inside a stream.
struct ServerError {
  std::string message;
  std::vector<std::string>
      words;  ///< types and codes anywhere in it: "insufficient_quota", "overloaded_error"

  bool has(std::string_view word) const;
};

/// `{"error":{...}}`, `{"type":"error","error":{...}}`, `{"error":"text"}`, `{"detail":"text"}`; anything
/// else: the text's beginning.
ServerError server_error(std::string_view body);

/// Tokens a server says it billed; every member it does not say is absent.
struct ServerUsage {
  std::optional<long long> in;  ///< with `cached` and `cache_written`
  std::optional<long long> out;
  long long cached = 0, cache_written = 0;
};

/// Why a model stopped; `none` while it has not.
enum class StopReason { none, finished, length, refusal, filtered, other };

/// A streamed answer as far as it has arrived.
struct StreamedAnswer {
  std::string text;
  std::size_t thought_bytes = 0;  ///< shown thinking and refusals: billed, but no part of the answer
  std::string model, id, fingerprint;
  ServerUsage usage;
  StopReason stop = StopReason::none;
  std::string stop_word;  ///< as the server says it: "max_tokens"
  bool refused = false;   ///< openai tells a refusal in a member of its own, and then "stop"
  bool ended = false;     ///< the server's own last event came: [DONE], message_stop
  std::optional<ServerError> error;
  std::vector<std::string> block_types;  ///< anthropic's content blocks by index
};

class Dialect {
public:
  virtual ~Dialect() = default;
  virtual std::string name() const = 0;         ///< of the provider
  virtual std::string path() const = 0;         ///< after the normalised base, which has no /v1
  virtual std::string public_base() const = 0;  ///< where the dialect's owner serves it
  virtual std::string base_variable() const = 0;
  /// In which a key may be, the first that is set.
  virtual std::vector<std::string> key_variables() const = 0;
  /// Headers with `key` of the variable; an empty key gives none.
  virtual std::vector<std::string> key_headers(const std::string &variable, const std::string &key) const = 0;
  virtual std::vector<std::string> other_headers() const = 0;
  virtual std::string body(const HttpSettings &settings, const RoleRequest &request,
                           long long most_output_tokens) const = 0;
  /// Damaged JSON, or JSON that is not this dialect's, is an error.
  virtual Result<void> take(const ServerEvent &event, StreamedAnswer &answer) const = 0;
};

const Dialect &openai_dialect();
const Dialect &anthropic_dialect();

}  // namespace cupilot
