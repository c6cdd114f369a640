// SPDX-License-Identifier: Apache-2.0
//
// libseccomp has no order of rules, so what an earlier rule decides is left out of a later one. It compares
// all 64 bits of an argument, while the kernel uses only 32 bits of most of them, so our comparisons are
// masked.
#include "evolution/judge/sandbox/system_call_filter.h"

#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cupilot::judge::sandbox {

namespace {

constexpr std::uint32_t kWord = ~0u;

/// Alternatives: one of them must hold.
using Comparisons = std::vector<scmp_arg_cmp>;

scmp_arg_cmp masked(unsigned argument, std::uint32_t mask, std::uint32_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

/// Compares the bits of `mask` with those of `value`. For inequality there is one comparison for each bit,
/// since any bit may differ.
Comparisons compared(const CallRule &rule, std::uint32_t mask, std::uint32_t value, bool equal) {
  if (equal) return {masked(rule.argument, mask, value)};
  Comparisons all;
  for (std::uint32_t bit = 1; bit; bit <<= 1)
    if (mask & bit) all.push_back(masked(rule.argument, bit, ~value & bit));
  return all;
}

bool has_condition(const CallRule &rule) {
  using enum CallRule::Check;
  return rule.check != allowed && rule.check != answered && rule.check != ends;
}

/// The comparisons for which the rule's condition holds (or does not hold).
Comparisons condition(const CallRule &rule, bool holds) {
  using enum CallRule::Check;
  switch (rule.check) {
    case without:
      return compared(rule, rule.value, 0, holds);
    case with:
      return compared(rule, rule.value, 0, !holds);
    case not_both:
      return compared(rule, rule.value, rule.value, !holds);
    case equal:
      return compared(rule, kWord, rule.value, holds);
    case other:
      return compared(rule, kWord, rule.value, !holds);
    case null:
      return {{rule.argument, holds ? SCMP_CMP_EQ : SCMP_CMP_NE, 0, 0}};
    case allowed:
    case answered:
    case ends:
      break;
  }
  return {};
}

std::uint32_t action_of(const CallRule &rule) {
  if (rule.check == CallRule::Check::ends) return SCMP_ACT_TRAP;
  return rule.check == CallRule::Check::answered ? SCMP_ACT_ERRNO(rule.value) : SCMP_ACT_ALLOW;
}

std::unexpected<Error> failure(int code) {
  return fail(std::string("the filter of system calls: ") + std::strerror(-code));
}

/// Adds rules to a filter in the order of a table.
class Adding {
public:
  Adding(void *context, std::uint32_t others) : context_(context), others_(others) {}

  Result<> add(const CallRule &rule) {
    if (rule.number < 0 || decided_.contains(rule.number)) return {};  // negative: not on this architecture
    if (has_condition(rule)) {
      before_[rule.number].push_back(rule);
      return add(rule.number, SCMP_ACT_ALLOW, condition(rule, true));
    }
    decided_.insert(rule.number);
    const auto &before = before_[rule.number];
    if (before.empty()) return add(rule.number, action_of(rule), nullptr, 0);
    if (before.size() > 1)
      return fail("the filter of system calls: several conditions before another answer");
    return add(rule.number, action_of(rule), condition(before.front(), false));
  }

private:
  Result<> add(int number, std::uint32_t action, const Comparisons &one_of) {
    for (const scmp_arg_cmp &comparison : one_of) CUPILOT_CHECKED(add(number, action, &comparison, 1));
    return {};
  }
  Result<> add(int number, std::uint32_t action, const scmp_arg_cmp *comparison, unsigned count) {
    if (action == others_) return {};  // libseccomp refuses a rule that repeats the default
    const int code = ::seccomp_rule_add_array(context_, action, number, count, comparison);
    if (code != 0 && code != -EEXIST) return failure(code);
    return {};
  }

  void *context_;
  std::uint32_t others_;
  std::set<int> decided_;
  std::map<int, std::vector<CallRule>> before_;  ///< conditions, by number
};

}  // namespace

void FilterRelease::operator()(void *context) const {
  ::seccomp_release(context);
}

Result<CallFilter> make_filter(std::span<const CallRule> rules, std::uint32_t others) {
  CallFilter filter(::seccomp_init(others));
  if (!filter) return CallFilter();
  // The caller sets no_new_privs, so libseccomp does not; it returns the kernel's error numbers.
  const std::pair<scmp_filter_attr, std::uint32_t> attributes[] = {
      {SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS},
      {SCMP_FLTATR_CTL_TSYNC, 1},
      {SCMP_FLTATR_CTL_NNP, 0},
      {SCMP_FLTATR_API_SYSRAWRC, 1},
  };
  for (const auto &[attribute, value] : attributes) {
    const int code = ::seccomp_attr_set(filter.get(), attribute, value);
    if (code == -EOPNOTSUPP || code == -EINVAL) return CallFilter();  // older than Linux 4.14
    if (code != 0) return failure(code);
  }
  Adding adding(filter.get(), others);
  for (const CallRule &rule : rules) CUPILOT_CHECKED(adding.add(rule));
  return filter;
}

Result<bool> load_filter(const CallFilter &filter) {
  if (!filter) return false;
  const int code = ::seccomp_load(filter.get());
  if (code == -ENOSYS || code == -EINVAL) return false;
  if (code == -ESRCH) return fail("a thread cannot enter the sandbox");
  if (code != 0) return failure(code);
  return true;
}

bool has_filters() {
  const std::uint32_t trap = SECCOMP_RET_TRAP;  // what a forbidden call ends with
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &trap) == 0;
}

int listener_of(const CallFilter &filter) {
  return ::seccomp_notify_fd(filter.get());
}

}  // namespace cupilot::judge::sandbox
