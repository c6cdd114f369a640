// SPDX-License-Identifier: Apache-2.0
//
// Requests in flight and the clock they run by, as far as a provider needs them: so that a test can put a
// scripted server and its own time in the place of curl and the machine's. Private to evolution/provider.

#pragma once

#include <chrono>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "evolution/provider/provider.h"

namespace cupilot {

/// Of a header's value in a message or in the database.
inline constexpr std::size_t kMostHeaderBytes = 200;

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  ///< "name: value"; one of them carries the key: never printed
  std::string body;                  ///< posted
  std::chrono::milliseconds connect_limit = kConnectLimit;
};

struct HttpHead {
  int status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case

  /// "" where there is none.
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
    complete,     ///< the server said all it wanted to say
    unreachable,  ///< nothing was sent: no such host, refused, no connection in time
    untrusted,    ///< the certificate is not good: nothing was sent
    broken,       ///< the connection was lost after the request was (partly) sent
    impossible,   ///< the request itself: a URL nobody can ask
  } how = How::complete;
  std::string problem;  ///< what the transport said; "" when complete
};

/// Of one transfer in this order: head, bodies, end; or end alone.
struct HttpNews {
  int transfer = 0;
  std::variant<HttpHead, HttpBody, HttpEnd> what;
};

class HttpTransport {
public:
  using TimePoint = std::chrono::steady_clock::time_point;

  virtual ~HttpTransport() = default;
  virtual TimePoint now() const = 0;
  /// For servers that say a date.
  virtual std::chrono::system_clock::time_point date() const = 0;
  /// A number that this transport did not give before; news of it come from drive().
  virtual int start(HttpRequest request) = 0;
  /// No more news of it.
  virtual void abandon(int transfer) = 0;
  /// Lets data flow until there are news or `longest` is over.
  virtual std::vector<HttpNews> drive(std::chrono::milliseconds longest) = 0;
};

}  // namespace cupilot
