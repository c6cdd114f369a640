// SPDX-License-Identifier: Apache-2.0
//
// One request and its response. It assembles the stream, computes the cost, and decides what to do if no
// usable answer came. It uses neither a clock nor curl. Private to evolution/provider.
//
// Accounting uses the tokens that the server reports as billed. If it reports none:
//   a status other than 2xx, or a request that was not sent, costs nothing;
//   a complete answer without usage (local servers) costs at most kOverheadTokens plus one input token for
//     each byte of the request, and at most kOverheadTokens plus one output token for each visible byte;
//   an answer that broke off costs the same input and the whole output limit, because hidden reasoning and
//     text that was generated but not sent leave no bytes here.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "evolution/provider/http_access.h"
#include "evolution/provider/http_dialect.h"
#include "evolution/provider/http_retry.h"
#include "evolution/provider/http_transport.h"

namespace cupilot::provider {

/// Tokens that servers may add to a question: roles, separators, a system prompt of their own.
constexpr long long kOverheadTokens = 512;

/// The largest number of tokens that one request can be billed for.
struct TokenBound {
  long long in = 0, out = 0;
};

/// The cost of `bound` at the highest of the input prices; 0 without a price.
Spending spending_at(const TokenBound &bound, const std::optional<Price> &price);

struct HttpOutcome {
  std::optional<RoleAnswer> answer;  ///< its `spent` covers this exchange only
  HttpFailure failure;               ///< set if there is no answer
  std::optional<std::chrono::milliseconds> asked_wait;
  Spending spent;
  bool may_be_charged = false;  ///< the request was sent and not refused by a status
  bool server_failed = false;   ///< the server is at fault, not the answer (too long, refused)
};

class HttpExchange {
public:
  HttpExchange(const Dialect &dialect, const HttpSettings &settings, const HttpKey &key, TokenBound bound)
      : dialect_(dialect), settings_(settings), key_(key), bound_(bound) {}

  void head(HttpHead head) { head_ = std::move(head); }
  /// Takes bytes of the body. False if no more bytes are needed: abandon the transfer and call outcome().
  bool body(std::string_view bytes);
  bool has_body() const { return received_ > 0; }
  /// True after the server's last event. The end of the transfer follows at once or is not worth waiting for.
  bool ended() const { return answer_.ended; }

  HttpOutcome outcome(const HttpEnd &end, std::chrono::system_clock::time_point date);
  /// The outcome if we end the exchange ourselves; `reason` says why.
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
  std::string error_body_;  ///< body of an error, or the beginning of a body that is not a stream
  std::size_t received_ = 0;
  std::optional<HttpFailure> enough_;
  bool broken_ = false;  ///< the transfer did not complete
};

}  // namespace cupilot::provider
