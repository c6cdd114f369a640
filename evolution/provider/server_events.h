// SPDX-License-Identifier: Apache-2.0
//
// Parses server-sent events (WHATWG HTML, section 9.2) from bytes as they arrive, however they are split.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupilot::provider {

struct ServerEvent {
  std::string type;  ///< value of the `event:` line; "" if there is none
  std::string data;  ///< the `data:` lines, joined by newlines
};

class ServerEvents {
public:
  /// Adds bytes and returns the events that are complete. Comments and events without data (pings of proxies)
  /// are ignored.
  std::vector<ServerEvent> add(std::string_view bytes);
  /// Called at the end of the stream: returns a last event without its empty line, which some servers omit.
  std::vector<ServerEvent> finish();
  /// True after an `event:` or `data:` line: the body is a stream of events.
  bool any() const { return any_; }
  /// Size of the event that is not complete yet.
  std::size_t pending_bytes() const { return rest_.size() + event_.data.size(); }

private:
  void line(std::string_view text, std::vector<ServerEvent> &into);

  std::string rest_;
  ServerEvent event_;
  bool has_data_ = false, any_ = false;
};

}  // namespace cupilot::provider
