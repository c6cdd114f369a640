// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/child_talk.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include "annotate/support/text.h"
#include "evolution/judge/sandbox/high_descriptor.h"

namespace cupilot::judge::engine {

namespace {

constexpr std::size_t kMostTalkBytes = 16 << 10;

/// A pipe, and a thread that prints what comes out of it.
class Talk {
public:
  Talk() {
    int both[2];
    if (::pipe2(both, O_CLOEXEC) != 0) return;
    reads_ = sandbox::moved_high(both[0]);
    writes_ = sandbox::moved_high(both[1]);
    ::fcntl(reads_, F_SETFL, O_NONBLOCK);
    printer_ = std::thread([this] { print(); });
  }
  ~Talk() {
    over_ = true;
    if (printer_.joinable()) printer_.join();
  }
  Talk(const Talk &) = delete;
  Talk &operator=(const Talk &) = delete;
  int descriptor() const { return writes_; }

private:
  void print() {
    constexpr int kStepMs = 50;
    for (bool last = false; !last;) {
      last = over_;  // read first: what was written before the end is printed
      pollfd waiting{reads_, POLLIN, 0};
      (void)::poll(&waiting, 1, last ? 0 : kStepMs);
      char piece[4096];
      for (ssize_t got; (got = ::read(reads_, piece, sizeof piece)) > 0;)
        take(std::string_view(piece, static_cast<std::size_t>(got)));
    }
    if (!line_.empty()) end_line();
  }

  void take(std::string_view text) {
    for (const char c : text) {
      if (c != '\n') line_ += c;
      if (c == '\n' || line_.size() >= kMostTalkBytes) end_line();
    }
  }
  void end_line() {
    const std::string safe = printable(line_) + "\n";
    std::fwrite(safe.data(), 1, safe.size(), stderr);
    line_.clear();
  }

  int reads_ = -1, writes_ = -1;
  std::string line_;
  std::atomic<bool> over_ = false;
  std::thread printer_;
};

}  // namespace

int child_talk() {
  static Talk talk;
  return talk.descriptor();
}

}  // namespace cupilot::judge::engine
