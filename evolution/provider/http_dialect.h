// SPDX-License-Identifier: Apache-2.0
//
// The differences between servers: the text of a request and the format of a streamed answer. Everything else
// (retries, limits, accounting) is the same for all. Private to evolution/provider.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/http_provider.h"
#include "evolution/provider/server_events.h"

namespace cupilot::provider {

/// An error that a server reports as JSON, as a whole answer or inside a stream.
struct ServerError {
  std::string message;
  std::vector<std::string>
      words;  ///< all error types and codes in it: "insufficient_quota", "overloaded_error"

  bool has(std::string_view word) const;
};

/// `{"error":{...}}`, `{"type":"error","error":{...}}`, `{"error":"text"}`, `{"detail":"text"}`; for anything
/// else the message is the beginning of the text.
ServerError server_error(std::string_view body);

/// Tokens that a server reports as billed; members it does not report are absent.
struct ServerUsage {
  std::optional<long long> in;  ///< includes `cached` and `cache_written`
  std::optional<long long> out;
  long long cached = 0, cache_written = 0;
};

/// Why a model stopped; `none` if it has not stopped.
enum class StopReason { none, finished, length, refusal, filtered, other };

/// The part of a streamed answer that has arrived.
struct StreamedAnswer {
  std::string text;
  std::size_t thought_bytes = 0;  ///< visible reasoning and refusals: billed, but not part of the answer
  std::string model, id, fingerprint;
  ServerUsage usage;
  StopReason stop = StopReason::none;
  std::string stop_word;  ///< the server's own word: "max_tokens"
  bool refused = false;   ///< `openai` reports a refusal in a separate member, then "stop"
  bool ended = false;     ///< the server's last event has arrived: [DONE], message_stop
  std::optional<ServerError> error;
  std::vector<std::string> block_types;  ///< types of the content blocks by index (`anthropic`)
};

class Dialect {
public:
  virtual ~Dialect() = default;
  virtual std::string name() const = 0;         ///< name of the provider
  virtual std::string path() const = 0;         ///< path after the normalised address, which has no /v1
  virtual std::string public_base() const = 0;  ///< public address of the dialect's owner
  virtual std::string base_variable() const = 0;
  /// Environment variables that may hold a key; the first one that is set is used.
  virtual std::vector<std::string> key_variables() const = 0;
  /// Headers that carry `key`, which came from `variable`; no headers for an empty key.
  virtual std::vector<std::string> key_headers(const std::string &variable, const std::string &key) const = 0;
  virtual std::vector<std::string> other_headers() const = 0;
  virtual std::string body(const HttpSettings &settings, const RoleRequest &request,
                           long long most_output_tokens) const = 0;
  /// Adds an event to the answer. Malformed JSON, or JSON that is not of this dialect, is an error.
  virtual Result<void> take(const ServerEvent &event, StreamedAnswer &answer) const = 0;
};

const Dialect &openai_dialect();
const Dialect &anthropic_dialect();

}  // namespace cupilot::provider
