// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/last_resort.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstring>

namespace cupilot::launcher {
namespace {

// A sanitizer has handlers of its own for the first ones, and its reports are what such a build is for.
#if defined(__SANITIZE_ADDRESS__)
constexpr int kSignals[] = {SIGALRM, SIGXFSZ};
#else
constexpr int kSignals[] = {SIGALRM, SIGXFSZ, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#endif

char **guarded = nullptr;
alignas(16) char stack[64 * 1024];  // a handler needs its own when the stack is what ran over

// Everything here may be called by a handler.

void say(const char *text) {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void on_signal(int number) {
  drop_guard();
  run_guarded(number == SIGALRM   ? "its own work takes too long"
              : number == SIGXFSZ ? "a file would become too large"
                                  : "it crashed, which is a bug of cupilot");
}

void set_handlers(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  for (const int number : kSignals) ::sigaction(number, &action, nullptr);
}

}  // namespace

void guard_by(char **command) {
  guarded = command;
  stack_t place{};
  place.ss_sp = stack;
  place.ss_size = sizeof stack;
  ::sigaltstack(&place, nullptr);
  set_handlers(on_signal);
}

void limit_work(int seconds) {
  if (!guarded) return;
  const itimerval once{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_REAL, &once, nullptr);
}

void drop_guard() {
  if (!guarded) return;
  limit_work(0);
  set_handlers(SIG_DFL);
  // a handler's own signal is blocked, and a program inherits that
  sigset_t ours;
  ::sigemptyset(&ours);
  for (const int number : kSignals) ::sigaddset(&ours, number);
  ::sigprocmask(SIG_UNBLOCK, &ours, nullptr);
}

void run_guarded(const char *why) {
  drop_guard();
  say("cupilot-cc: warning: ");
  say(why);
  if (!guarded || !*guarded) {
    say("\n");
    ::_exit(1);
  }
  say(": the compiler runs unchanged\n");
  ::execvp(guarded[0], guarded);
  say("cupilot-cc: error: the compiler cannot be started\n");
  ::_exit(127);
}

}  // namespace cupilot::launcher
