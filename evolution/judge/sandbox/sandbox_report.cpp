// SPDX-License-Identifier: Apache-2.0
//
// A thread of this process listens to the filter and lets every call continue. For diagnosis only: a hostile
// process could manipulate its own listener.
#include "evolution/judge/sandbox/sandbox_report.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "evolution/judge/sandbox/system_call_filter.h"

namespace cupilot::judge::sandbox {

namespace {

/// Does not allocate: fork() holds the allocator's locks while it waits for this thread.
class Listener {
public:
  Listener(std::vector<CallRule> rules, const std::vector<std::filesystem::path> &readable, bool device)
      : rules_(std::move(rules)), device_(device) {
    for (const auto &path : readable) readable_.push_back((path / "").string());
  }

  void listen(int descriptor) {
    for (;;) {
      seccomp_notif seen{};
      if (::ioctl(descriptor, SECCOMP_IOCTL_NOTIF_RECV, &seen) != 0) {
        if (errno == EINTR || errno == ENOENT) continue;
        return;
      }
      seccomp_notif_resp answer{};
      answer.id = seen.id;
      respond(seen.data, answer);
      (void)::ioctl(descriptor, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
  }

private:
  void respond(const seccomp_data &call, seccomp_notif_resp &answer) {
    const auto rule = std::ranges::find_if(rules_, [&](const CallRule &one) {
      return one.number == call.nr && one.check == CallRule::Check::answered;
    });
    answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    if (call.nr == SCMP_SYS(openat)) return opened(call);
    const CallName name = call_name(call.nr);
    const bool answered = rule != rules_.end();
    if (answered) answer.flags = 0, answer.error = -static_cast<int>(rule->value);
    const bool ends = !device_ || std::ranges::any_of(rules_, [&](const CallRule &one) {
      return one.number == call.nr && one.check == CallRule::Check::ends;
    });
    const char *becomes = answered ? "is answered with an error"
                          : ends   ? "would end the process"
                                   : "would be answered with 'not permitted'";
    char text[200];
    std::snprintf(text, sizeof text, "system call %d '%.*s' (%.*s) %s", call.nr,
                  static_cast<int>(name.name.size()), name.name.data(), static_cast<int>(name.what.size()),
                  name.what.data(), becomes);
    tell(text);
  }

  /// The path can be read directly: it is memory of this process, and the calling thread waits.
  void opened(const seccomp_data &call) {
    const std::string_view path = reinterpret_cast<const char *>(call.args[1]);
    const bool writes = call.args[2] & (O_WRONLY | O_RDWR | O_CREAT);
    const bool below =
        std::ranges::any_of(readable_, [&](const std::string &root) { return path.starts_with(root); });
    const bool told = writes ? !path.starts_with("/dev/nvidia") : !below && path.starts_with("/");
    if (!told) return;
    char text[4200];
    std::snprintf(text, sizeof text, "opening %.*s to %s would fail", static_cast<int>(path.size()),
                  path.data(), writes ? "write" : "read");
    tell(text);
  }

  void tell(const char *text) {
    const std::size_t hash = std::hash<std::string_view>()(text);
    const auto known = std::span(told_).first(count_);
    if (std::ranges::find(known, hash) != known.end()) return;
    if (count_ < told_.size()) told_[count_++] = hash;
    char line[4300];
    const int size = std::snprintf(line, sizeof line, "cupilot sandbox: %s\n", text);
    (void)!::write(2, line, static_cast<std::size_t>(size));
  }

  std::vector<CallRule> rules_;
  bool device_;
  std::vector<std::string> readable_;  ///< each ends in a slash
  std::array<std::size_t, 1024> told_{};
  std::size_t count_ = 0;
};

}  // namespace

Result<> report_calls(std::vector<CallRule> rules, const std::vector<std::filesystem::path> &readable,
                      bool device) {
  // The filter allows what the listener itself needs. All calls that a verdict would depend on go to the
  // listener.
  std::vector<CallRule> passed{{SCMP_SYS(ioctl)}, {SCMP_SYS(clone), CallRule::Check::with, 0, CLONE_THREAD}};
  std::ranges::copy_if(rules, std::back_inserter(passed), [](const CallRule &rule) {
    const bool quiet = rule.number == SCMP_SYS(clone3) || rule.number == SCMP_SYS(ioctl);
    return rule.number != SCMP_SYS(openat) && rule.check != CallRule::Check::ends &&
           (rule.check != CallRule::Check::answered || quiet);
  });
  CUPILOT_TRY(filter, make_filter(passed, SCMP_ACT_NOTIFY));
  (void)call_name(0);  // loads all names before the listener needs one
  static std::atomic<int> descriptor{0};
  static Listener listener(std::move(rules), readable, device);
  std::thread([] {
    descriptor.wait(0);
    listener.listen(descriptor);
  }).detach();
  CUPILOT_TRY(loaded, load_filter(filter));
  if (!loaded) return fail("this kernel cannot report system calls: CUPILOT_SANDBOX=off is left");
  descriptor = listener_of(filter);
  descriptor.notify_all();
  return {};
}

}  // namespace cupilot::judge::sandbox
