// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run/interrupt.h"

#include <signal.h>

namespace cupilot::cli::run {
namespace {

std::atomic<bool> stop_asked{false};
std::atomic<int> signal_caught{0};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void on_signal(int number) {
  signal_caught = number;
  stop_asked = true;
}

}  // namespace

const std::atomic<bool> &catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second signal has its default effect
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
  return stop_asked;
}

int interrupted_exit_code() {
  return signal_caught ? 128 + signal_caught : 0;
}

}  // namespace cupilot::cli::run
