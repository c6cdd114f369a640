// SPDX-License-Identifier: Apache-2.0
//
// The interface to requests in flight and to the clock, as far as a provider needs them. Tests replace curl
// and the clock by a scripted server and a simulated time. Private to evolution/provider.

#pragma once

#include <chrono>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "evolution/provider/provider.h"

namespace cupilot::provider {

/// Longest part of a header's value that is kept in a message or in the database.
inline constexpr std::size_t kMostHeaderBytes = 200;

struct HttpRequest {
  std::string url;
  std::vector<std::string>
      headers;       ///< "name: value"; one of them carries the key, so they are never printed
  std::string body;  ///< sent with POST
  std::chrono::milliseconds connect_limit = kConnectLimit;
};

struct HttpHead {
  int status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case

  /// The header's value; "" if it is absent.
  std::string header(const std::string &name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

struct HttpBody {
  std::string bytes;
};

struct HttpEnd {
  enum class How {
    complete,     ///< the response is complete
    unreachable,  ///< nothing was sent: no such host, refused, no connection in time
    untrusted,    ///< the certificate is not valid: nothing was sent
    broken,       ///< the connection was lost after the request was (partly) sent
    impossible,   ///< the request itself is invalid, for example its URL
  } how = How::complete;
  std::string problem;  ///< message of the transport; "" if complete
};

/// An event of a transfer. The order is head, bodies, end; or end alone.
struct HttpNews {
  int transfer = 0;
  std::variant<HttpHead, HttpBody, HttpEnd> what;
};

class HttpTransport {
public:
  using TimePoint = std::chrono::steady_clock::time_point;

  virtual ~HttpTransport() = default;
  virtual TimePoint now() const = 0;
  /// The current date, for servers that answer with a date.
  virtual std::chrono::system_clock::time_point date() const = 0;
  /// Starts a transfer and returns a new number for it; its events come from drive().
  virtual int start(HttpRequest request) = 0;
  /// Ends a transfer; it has no more events.
  virtual void abandon(int transfer) = 0;
  /// Transfers data until there are events or `longest` has passed.
  virtual std::vector<HttpNews> drive(std::chrono::milliseconds longest) = 0;
};

}  // namespace cupilot::provider
