// SPDX-License-Identifier: Apache-2.0
//
// One rule after the other, each complete in itself: jumps stay short, and the table can be read in the
// program. Some 150 instructions a call at worst, well below a microsecond; what runs there hardly calls.
#include "evolution/judge/sandbox/system_call_filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

namespace cupilot {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the sandbox knows the system calls of x86-64 and aarch64"
#endif
constexpr std::uint32_t kX32 = 0x40000000;

using Program = std::vector<sock_filter>;

void load(Program &program, std::size_t offset) {
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
}
void give(Program &program, std::uint32_t answer) {
  program.push_back(BPF_STMT(BPF_RET | BPF_K, answer));
}
/// Goes on when the comparison holds, else skips `count` instructions.
void unless_skip(Program &program, std::uint16_t compare, std::uint32_t value, std::uint8_t count) {
  program.push_back(BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | compare | BPF_K), value, 0, count));
}
/// The other way round.
void when_skip(Program &program, std::uint16_t compare, std::uint32_t value, std::uint8_t count) {
  program.push_back(BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | compare | BPF_K), value, count, 0));
}

constexpr std::size_t kNumber = offsetof(seccomp_data, nr), kArch = offsetof(seccomp_data, arch);
/// Both architectures are little-endian.
std::size_t low_word(unsigned argument) {
  return offsetof(seccomp_data, args) + 8 * argument;
}

/// What stands behind "the number is this one": ends in an answer, or falls through to the next rule with the
/// number loaded again.
Program consequence(const CallRule &rule) {
  using enum CallRule::Check;
  Program steps;
  if (rule.check == ends) {
    give(steps, SECCOMP_RET_TRAP);
    return steps;
  }
  if (rule.check == answered) {
    give(steps, SECCOMP_RET_ERRNO | rule.value);
    return steps;
  }
  if (rule.check != allowed) load(steps, low_word(rule.argument));
  switch (rule.check) {
    case without:
      when_skip(steps, BPF_JSET, rule.value, 1);
      break;
    case with:
      unless_skip(steps, BPF_JSET, rule.value, 1);
      break;
    case not_both:
      steps.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, rule.value));
      when_skip(steps, BPF_JEQ, rule.value, 1);
      break;
    case equal:
      unless_skip(steps, BPF_JEQ, rule.value, 1);
      break;
    case other:
      when_skip(steps, BPF_JEQ, rule.value, 1);
      break;
    case null:
      unless_skip(steps, BPF_JEQ, 0, 3);
      load(steps, low_word(rule.argument) + 4);
      unless_skip(steps, BPF_JEQ, 0, 1);
      break;
    case allowed:
    case answered:
    case ends:
      break;
  }
  give(steps, SECCOMP_RET_ALLOW);
  if (rule.check != allowed) load(steps, kNumber);
  return steps;
}

}  // namespace

std::vector<sock_filter> filter_program(std::span<const CallRule> rules, std::uint32_t others) {
  Program program;
  load(program, kArch);
  when_skip(program, BPF_JEQ, kArchitecture, 1);
  give(program, SECCOMP_RET_KILL_PROCESS);
  load(program, kNumber);
  unless_skip(program, BPF_JGE, kX32, 1);
  give(program, SECCOMP_RET_KILL_PROCESS);
  for (const CallRule &rule : rules) {
    const Program steps = consequence(rule);
    unless_skip(program, BPF_JEQ, static_cast<std::uint32_t>(rule.number),
                static_cast<std::uint8_t>(steps.size()));
    program.insert(program.end(), steps.begin(), steps.end());
  }
  give(program, others);
  return program;
}

Result<int> install_filter(std::span<const sock_filter> program, unsigned flags) {
  sock_fprog filter{static_cast<unsigned short>(program.size()), const_cast<sock_filter *>(program.data())};
  const long done = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
  if (done < 0 && (errno == ENOSYS || errno == EINVAL)) return -1;
  if (done < 0) return fail(std::string("installing the filter of system calls: ") + std::strerror(errno));
  if (done > 0 && !(flags & SECCOMP_FILTER_FLAG_NEW_LISTENER))
    return fail("thread " + std::to_string(done) + " cannot enter the sandbox");
  return static_cast<int>(done);
}

}  // namespace cupilot
