// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/server_events.h"

#include <utility>

namespace cupilot::provider {

std::vector<ServerEvent> ServerEvents::add(std::string_view bytes) {
  std::vector<ServerEvent> events;
  std::size_t searched = rest_.size();
  rest_ += bytes;
  std::size_t begin = 0;
  for (auto end = rest_.find('\n', searched); end != std::string::npos; end = rest_.find('\n', begin)) {
    std::string_view text(rest_.data() + begin, end - begin);
    if (text.ends_with('\r')) text.remove_suffix(1);
    line(text, events);
    begin = end + 1;
  }
  rest_.erase(0, begin);
  return events;
}

std::vector<ServerEvent> ServerEvents::finish() {
  auto events = add("\n");
  line("", events);
  return events;
}

void ServerEvents::line(std::string_view text, std::vector<ServerEvent> &into) {
  if (text.empty()) {
    if (has_data_) into.push_back(event_);
    event_ = {}, has_data_ = false;
    return;
  }
  const auto colon = text.find(':');
  const auto field = text.substr(0, colon);
  auto value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "event") event_.type = value, any_ = true;
  if (field != "data") return;
  if (std::exchange(has_data_, true)) event_.data += '\n';
  event_.data += value;
  any_ = true;
}

}  // namespace cupilot::provider
