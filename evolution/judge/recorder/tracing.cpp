// SPDX-License-Identifier: Apache-2.0
//
// The functions are called millions of times by host code with loops: they take no memory, and stop noting
// after kMostEvents in one call of the entry.
#include "evolution/judge/recorder/tracing.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <iterator>
#include <new>
#include <utility>

namespace cupilot::judge::recorder {

namespace {

constexpr std::uint32_t kMostEvents = 1u << 21;
constexpr std::size_t kMostSteps = 1u << 16, kMostComparisons = 1u << 13, kMostSwitches = 256;
constexpr std::size_t kMostLabels = 64, kMostCalls = 1024, kMostOutcomes = 1u << 11;
constexpr std::uintptr_t kMostOffset = 1u << 30;
constexpr std::size_t kFenceBytes = 1u << 20;

std::size_t place_of(std::uint64_t key, std::size_t size) {
  return static_cast<std::size_t>((key * 0x9e37'79b9'7f4a'7c15u) >> 32) % size;
}

}  // namespace

/// Tables with open addressing; 0 is no key.
struct Tracing::Notes {
  struct Call {
    std::uintptr_t frame = 0;
    std::uint32_t block = 0;
  };
  struct Choice {
    std::uint32_t site = 0, labels = 0;
    std::array<std::int64_t, kMostLabels> values{};
    std::uint64_t seen = 0;
  };
  struct Comparison {
    launches::HostComparison what;
    std::uint64_t left = 0, right = 0;  ///< the bits of the first ones
  };
  std::array<std::uint64_t, kMostSteps> steps{};
  std::array<Comparison, kMostComparisons> comparisons{};
  std::array<Choice, kMostSwitches> choices{};
  std::array<Call, kMostCalls> calls{};
  std::array<std::uint64_t, kMostOutcomes> outcomes{};
  std::size_t outcome_count = 0;
  std::size_t depth = 0, step_count = 0, comparison_count = 0;
  std::uint32_t events = 0;
  bool full = false;  ///< something was not noted

  /// Half of a table stays empty, so a search ends soon.
  void step(std::uint32_t from, std::uint32_t to) {
    const std::uint64_t key = static_cast<std::uint64_t>(from) << 32 | to;
    std::size_t at = place_of(key, steps.size());
    while (steps[at] && steps[at] != key) at = (at + 1) % steps.size();
    if (steps[at]) return;
    if (step_count >= steps.size() / 2) {
      full = true;
      return;
    }
    steps[at] = key, ++step_count;
  }

  Comparison *comparison(std::uint32_t site) {
    std::size_t at = place_of(site, comparisons.size());
    while (comparisons[at].what.site && comparisons[at].what.site != site) at = (at + 1) % comparisons.size();
    if (comparisons[at].what.site) return &comparisons[at];
    if (comparison_count >= comparisons.size() / 2) return full = true, nullptr;
    ++comparison_count;
    return &comparisons[at];
  }

  Choice *choice(std::uint32_t site) {
    for (Choice &one : choices)
      if (one.site == site || one.site == 0) return &one;
    return full = true, nullptr;
  }

  void outcome(launches::OutcomeKind kind, std::uint64_t number) {
    const std::uint64_t key = launches::outcome(kind, number + 1);
    std::size_t at = place_of(key, outcomes.size());
    while (outcomes[at] && outcomes[at] != key) at = (at + 1) % outcomes.size();
    if (outcomes[at] || outcome_count >= outcomes.size() / 2) return;
    outcomes[at] = key, ++outcome_count;
  }

  bool may_note() {
    if (events < kMostEvents) return ++events, true;
    return full = true, false;
  }
};

Tracing &tracing() {
  static auto &one = *new Tracing;
  return one;
}

bool Tracing::prepare() {
  constexpr std::size_t kPage = 4096;
  const std::size_t bytes = (sizeof(Notes) + kPage - 1) / kPage * kPage;
  void *const place = ::mmap(nullptr, kFenceBytes + bytes + kFenceBytes, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return false;
  std::byte *const inside = static_cast<std::byte *>(place) + kFenceBytes;
  if (::mprotect(inside, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  notes_ = new (inside) Notes;
  return ::mprotect(inside, bytes, PROT_NONE) == 0;
}

void Tracing::begin(std::uintptr_t base) {
  if (!notes_ || ::mprotect(notes_, sizeof(Notes), PROT_READ | PROT_WRITE) != 0) return;
  base_ = base;
  notes_->depth = 0;
  notes_->events = 0;
  open_ = true;
}

void Tracing::begin_outcomes(std::uintptr_t base) {
  begin(base);
  if (!open_) return;
  notes_->outcomes.fill(0);
  notes_->outcome_count = 0;
  outcomes_only_ = true;
}

void Tracing::end() {
  open_ = outcomes_only_ = false;
  if (notes_) (void)::mprotect(notes_, sizeof(Notes), PROT_NONE);
}

launches::HostTrace Tracing::take() {
  launches::HostTrace trace;
  if (!notes_ || ::mprotect(notes_, sizeof(Notes), PROT_READ | PROT_WRITE) != 0) {
    trace.unknown = "no memory to note it in";
    return trace;
  }
  for (const std::uint64_t key : notes_->steps)
    if (key) trace.steps.push_back({static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)});
  for (const Notes::Comparison &one : notes_->comparisons)
    if (one.what.site) trace.comparisons.push_back(one.what);
  for (const Notes::Choice &one : notes_->choices) {
    if (!one.site) break;
    launches::HostSwitch told{one.site, {}};
    for (std::uint32_t i = 0; i < one.labels; ++i)
      told.labels.push_back({one.values[i], (one.seen >> i & 1) != 0});
    trace.switches.push_back(std::move(told));
  }
  if (notes_->full) trace.unknown = "it executes more than is noted of one call";
  (void)::mprotect(notes_, sizeof(Notes), PROT_NONE);
  return trace;
}

launches::Outcomes Tracing::take_outcomes() {
  launches::Outcomes outcomes;
  if (!notes_ || ::mprotect(notes_, sizeof(Notes), PROT_READ | PROT_WRITE) != 0) return outcomes;
  std::ranges::copy_if(notes_->outcomes, std::back_inserter(outcomes),
                       [](std::uint64_t one) { return one != 0; });
  (void)::mprotect(notes_, sizeof(Notes), PROT_NONE);
  std::ranges::sort(outcomes);
  return outcomes;
}

/// The stack grows down: calls with frames below this one have returned.
void Tracing::block(std::uintptr_t site, std::uintptr_t frame) {
  if (!open_ || site - base_ >= kMostOffset || !notes_->may_note()) return;
  const auto to = static_cast<std::uint32_t>(site - base_);
  std::size_t &depth = notes_->depth;
  while (depth && notes_->calls[depth - 1].frame < frame) --depth;
  std::uint32_t from = 0;
  if (depth && notes_->calls[depth - 1].frame == frame)
    from = std::exchange(notes_->calls[depth - 1].block, to);
  else if (depth < notes_->calls.size())
    notes_->calls[depth++] = {frame, to};
  if (outcomes_only_)
    notes_->outcome(launches::OutcomeKind::step, static_cast<std::uint64_t>(from) << 30 | to);
  else
    notes_->step(from, to);
}

void Tracing::comparison(std::uintptr_t site, launches::HostComparison one) {
  if (!open_ || site - base_ >= kMostOffset || !notes_->may_note()) return;
  if (outcomes_only_) {
    notes_->outcome(launches::OutcomeKind::comparison, (site - base_) << 1 | (one.equal ? 1 : 0));
    if (!one.equal) notes_->outcome(launches::OutcomeKind::order, (site - base_) << 1 | (one.less ? 1 : 0));
    return;
  }
  Notes::Comparison *const known = notes_->comparison(static_cast<std::uint32_t>(site - base_));
  if (!known) return;
  const std::uint64_t left =
      one.real ? std::bit_cast<std::uint64_t>(one.real_left) : static_cast<std::uint64_t>(one.left);
  const std::uint64_t right =
      one.real ? std::bit_cast<std::uint64_t>(one.real_right) : static_cast<std::uint64_t>(one.right);
  launches::HostComparison &what = known->what;
  if (!what.site) {
    what = one;
    what.site = static_cast<std::uint32_t>(site - base_);
    known->left = left, known->right = right;
  }
  what.left_fixed = what.left_fixed && left == known->left;
  what.right_fixed = what.right_fixed && right == known->right;
  what.less |= one.less, what.equal |= one.equal, what.greater |= one.greater;
  what.below |= one.below, what.above |= one.above;
}

/// `labels`: how many there are, how many bits each value has, and the values.
void Tracing::choice(std::uintptr_t site, std::uint64_t value, const std::uint64_t *labels) {
  if (!open_ || site - base_ >= kMostOffset || !labels || !notes_->may_note()) return;
  if (outcomes_only_) {
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(labels[0], kMostLabels); ++i)
      if (labels[2 + i] == value) notes_->outcome(launches::OutcomeKind::label, (site - base_) << 6 | i);
    return;
  }
  Notes::Choice *const known = notes_->choice(static_cast<std::uint32_t>(site - base_));
  if (!known) return;
  if (!known->site) {
    known->site = static_cast<std::uint32_t>(site - base_);
    known->labels = static_cast<std::uint32_t>(std::min<std::uint64_t>(labels[0], kMostLabels));
    notes_->full = notes_->full || labels[0] > kMostLabels;
    for (std::uint32_t i = 0; i < known->labels; ++i)
      known->values[i] = static_cast<std::int64_t>(labels[2 + i]);
  }
  for (std::uint32_t i = 0; i < known->labels; ++i)
    if (known->values[i] == static_cast<std::int64_t>(value)) known->seen |= 1ull << i;
}

}  // namespace cupilot::judge::recorder

namespace {

using cupilot::judge::launches::HostComparison;
using cupilot::judge::recorder::tracing;

template <class Signed, class Unsigned>
HostComparison integers(Unsigned left, Unsigned right, bool constant) {
  const auto a = static_cast<Signed>(left), b = static_cast<Signed>(right);
  HostComparison one;
  one.bytes = sizeof left;
  one.constant = constant;
  one.less = a<b, one.equal = a == b, one.greater = a> b;
  one.below = left<right, one.above = left> right;
  one.left = a, one.right = b;
  return one;
}

template <class Real>
HostComparison reals(Real left, Real right) {
  HostComparison one;
  one.bytes = sizeof left;
  one.real = true;
  one.less = one.below = left<right, one.equal = left == right, one.greater = one.above = left> right;
  one.real_left = static_cast<double>(left), one.real_right = static_cast<double>(right);
  return one;
}

std::uintptr_t address(const void *place) {
  return reinterpret_cast<std::uintptr_t>(place);
}

}  // namespace

/// The frame of the calling function, which keeps a frame pointer.
#define CUPILOT_SITE address(__builtin_return_address(0))

extern "C" {

void __sanitizer_cov_trace_pc() {
  const void *const *const mine = static_cast<const void *const *>(__builtin_frame_address(0));
  tracing().block(CUPILOT_SITE, address(*mine));
}
void __sanitizer_cov_trace_cmp1(std::uint8_t left, std::uint8_t right) {
  tracing().comparison(CUPILOT_SITE, integers<std::int8_t>(left, right, false));
}
void __sanitizer_cov_trace_cmp2(std::uint16_t left, std::uint16_t right) {
  tracing().comparison(CUPILOT_SITE, integers<std::int16_t>(left, right, false));
}
void __sanitizer_cov_trace_cmp4(std::uint32_t left, std::uint32_t right) {
  tracing().comparison(CUPILOT_SITE, integers<std::int32_t>(left, right, false));
}
void __sanitizer_cov_trace_cmp8(std::uint64_t left, std::uint64_t right) {
  tracing().comparison(CUPILOT_SITE, integers<std::int64_t>(left, right, false));
}
void __sanitizer_cov_trace_const_cmp1(std::uint8_t left, std::uint8_t right) {
  tracing().comparison(CUPILOT_SITE, integers<std::int8_t>(left, right, true));
}
void __sanitizer_cov_trace_const_cmp2(std::uint16_t left, std::uint16_t right) {
  tracing().comparison(CUPILOT_SITE, integers<std::int16_t>(left, right, true));
}
void __sanitizer_cov_trace_const_cmp4(std::uint32_t left, std::uint32_t right) {
  tracing().comparison(CUPILOT_SITE, integers<std::int32_t>(left, right, true));
}
void __sanitizer_cov_trace_const_cmp8(std::uint64_t left, std::uint64_t right) {
  tracing().comparison(CUPILOT_SITE, integers<std::int64_t>(left, right, true));
}
void __sanitizer_cov_trace_cmpf(float left, float right) {
  tracing().comparison(CUPILOT_SITE, reals(left, right));
}
void __sanitizer_cov_trace_cmpd(double left, double right) {
  tracing().comparison(CUPILOT_SITE, reals(left, right));
}
void __sanitizer_cov_trace_switch(std::uint64_t value, const std::uint64_t *labels) {
  tracing().choice(CUPILOT_SITE, value, labels);
}

}  // extern "C"
