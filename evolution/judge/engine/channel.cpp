// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace cupilot::judge::engine {

namespace {
/// Longest line that is accepted from a child.
constexpr std::size_t kMostLineBytes = 64 << 20;
}  // namespace

Channel::~Channel() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<> Channel::send(const std::string &line) {
  const std::string text = line + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::send(descriptor_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail(std::string("the other process is gone: ") + std::strerror(errno));
    sent += static_cast<std::size_t>(count);
  }
  return {};
}

std::optional<std::string> Channel::take_line() {
  const auto end = buffer_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

std::optional<std::string> Channel::receive(std::optional<std::chrono::milliseconds> wait) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + wait.value_or(std::chrono::milliseconds(0));
  for (;;) {
    if (auto line = take_line()) return line;
    if (closed_) return std::nullopt;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (wait && left < 0) return std::nullopt;
    pollfd waiting{descriptor_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, wait ? static_cast<int>(left) : -1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    std::array<char, 65536> piece;
    const ssize_t count = ::recv(descriptor_, piece.data(), piece.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    closed_ = count <= 0 || buffer_.size() > kMostLineBytes;
    if (count > 0) buffer_.append(piece.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace cupilot::judge::engine
