// SPDX-License-Identifier: Apache-2.0
//
// One request and what comes back for it: puts the stream together, says what it costs and what to do when
// nothing usable came. Knows no clock and no curl. Private to evolution/provider.
//
// Accounts. What the server says it billed counts, to the token. Where it does not say:
//   a status other than 2xx, or nothing sent: nothing;
//   an answer that is whole but has no usage (local servers): input at most a token for each byte of the
//     request and kOverheadTokens, output at most one for each byte shown and kOverheadTokens;
//   an answer that broke off: the same input, and the whole output limit: what the server thought, or
//     generated and could not send any more, has no bytes here.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "evolution/provider/http_access.h"
#include "evolution/provider/http_dialect.h"
#include "evolution/provider/http_retry.h"
#include "evolution/provider/http_transport.h"

namespace cupilot {

/// What servers add to a question: roles, separators, a system prompt of their own.
constexpr long long kOverheadTokens = 512;

/// Tokens one request can be billed for at the very most.
struct TokenBound {
  long long in = 0, out = 0;
};

/// `bound` at the dearest of the input's prices; 0 without a price.
Spending spending_at(const TokenBound &bound, const std::optional<Price> &price);

struct HttpOutcome {
  std::optional<RoleAnswer> answer;  ///< its `spent` is this exchange's
  HttpFailure failure;               ///< without an answer
  std::optional<std::chrono::milliseconds> asked_wait;
  Spending spent;
  bool may_be_charged = false;  ///< it was sent, and not refused by a status
  bool server_failed = false;   ///< the server's fault, not the answer's (too long, refused)
};

class HttpExchange {
public:
  HttpExchange(const Dialect &dialect, const HttpSettings &settings, const HttpKey &key, TokenBound bound)
      : dialect_(dialect), settings_(settings), key_(key), bound_(bound) {}

  void head(HttpHead head) { head_ = std::move(head); }
  /// False: nothing more is wanted, the transfer is to be abandoned and outcome() called.
  bool body(std::string_view bytes);
  bool has_body() const { return received_ > 0; }
  /// The server's own last event came: the transfer's end follows at once, or is not worth waiting for.
  bool ended() const { return answer_.ended; }

  HttpOutcome outcome(const HttpEnd &end, std::chrono::system_clock::time_point date);
  /// Ended by us: `reason` says why.
  HttpOutcome given_up(Remedy remedy, const std::string &reason, std::chrono::system_clock::time_point date);

  const ServerUsage &usage() const { return answer_.usage; }

private:
  bool refused() const { return head_.status >= 300 || (head_.status > 0 && head_.status < 200); }
  bool take(const std::vector<ServerEvent> &events);
  bool enough(Remedy remedy, std::string reason);
  bool too_large() const;
  long long billed_out() const;
  bool whole() const { return answer_.stop != StopReason::none || answer_.ended; }
  HttpOutcome of_status(std::chrono::system_clock::time_point date);
  HttpOutcome of_transport(const HttpEnd &end);
  HttpOutcome of_answer();
  HttpOutcome failed(Remedy remedy, std::string reason, bool server_failed = true);
  Spending spent() const;
  std::string request_id() const;

  const Dialect &dialect_;
  const HttpSettings &settings_;
  const HttpKey &key_;
  TokenBound bound_;
  HttpHead head_;
  ServerEvents events_;
  StreamedAnswer answer_;
  std::string error_body_;  ///< or the beginning of what is no stream
  std::size_t received_ = 0;
  std::optional<HttpFailure> enough_;
  bool broken_ = false;  ///< the transfer did not come to its end
};

}  // namespace cupilot
