// SPDX-License-Identifier: Apache-2.0
//
// Server-sent events (WHATWG HTML, section 9.2) out of bytes as they arrive, however they are cut.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupilot {

struct ServerEvent {
  std::string type;  ///< of the `event:` line; "" where there is none
  std::string data;  ///< `data:` lines, joined by newlines
};

class ServerEvents {
public:
  /// Events that are whole by now. Comments and events without data (pings of proxies) are none.
  std::vector<ServerEvent> add(std::string_view bytes);
  /// At the stream's end: an event whose empty line is missing, as some servers leave their last.
  std::vector<ServerEvent> finish();
  /// True once an `event:` or `data:` line was seen: what arrives is a stream of events at all.
  bool any() const { return any_; }
  /// Bytes of an event that is not whole yet.
  std::size_t pending_bytes() const { return rest_.size() + event_.data.size(); }

private:
  void line(std::string_view text, std::vector<ServerEvent> &into);

  std::string rest_;
  ServerEvent event_;
  bool has_data_ = false, any_ = false;
};

}  // namespace cupilot
