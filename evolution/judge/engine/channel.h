// SPDX-License-Identifier: Apache-2.0
//
// Sends and receives lines over a socket; parent and child both use it. Reading blocks no longer than the
// caller's limit, and writing never raises SIGPIPE.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "annotate/support/result.h"

namespace cupilot::judge::engine {

class Channel {
public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  Channel(Channel &&other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        buffer_(std::move(other.buffer_)),
        closed_(other.closed_) {}
  Channel &operator=(Channel &&other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(buffer_, other.buffer_);
    std::swap(closed_, other.closed_);
    return *this;
  }
  ~Channel();

  Result<> send(const std::string &line);
  /// The next line; nullopt when the other side closed or `wait` has passed (see closed()). Without `wait` it
  /// waits for ever.
  std::optional<std::string> receive(std::optional<std::chrono::milliseconds> wait);
  bool closed() const { return closed_; }

private:
  std::optional<std::string> take_line();

  int descriptor_;
  std::string buffer_;
  bool closed_ = false;
};

}  // namespace cupilot::judge::engine
