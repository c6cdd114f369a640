// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/recorder/call_stack.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cupilot::judge::recorder {

namespace {

constexpr std::size_t kStackBytes = 128 << 10, kStackFenceBytes = 64 << 20,
                      kWholeBytes = kStackFenceBytes + kStackBytes + kStackFenceBytes;
/// A call begins at most this far from the end.
constexpr std::size_t kMostAbove = 8 << 10, kStackAlignment = 64;
/// Frames with large arrays leave some of their bytes as they were.
constexpr std::size_t kMostUntouched = 8 << 10;
constexpr std::uint64_t kStackPage = 4096;

struct StackRange {
  std::uint64_t from, bytes;
};
constexpr StackRange kTopStacks{0x7ffc'0000'0000, 0x3'0000'0000},
    kLowStacks{0x10'0000'0000, 0x4fff'0000'0000};

void *map_at(std::uint64_t address) {
  const int where = address ? MAP_FIXED_NOREPLACE : 0;
  void *const place = ::mmap(reinterpret_cast<void *>(address), kWholeBytes, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | where, -1, 0);
  return place == MAP_FAILED ? nullptr : place;
}

void *map_within(const StackRange &range, Chance &chance) {
  constexpr int kAttempts = 16;
  for (int i = 0; i < kAttempts; ++i)
    if (void *const place =
            map_at((range.from + chance.next() % (range.bytes - kWholeBytes)) / kStackPage * kStackPage))
      return place;
  return nullptr;
}

}  // namespace

bool CallStack::make(Place place, Chance &chance) {
  void *all = nullptr;
  if (place == Place::top) all = map_within(kTopStacks, chance);
  if (place == Place::low) all = map_within(kLowStacks, chance);
  if (!all) all = map_at(0);
  if (!all) return false;
  auto *const bottom = static_cast<std::byte *>(all) + kStackFenceBytes;
  if (::mprotect(bottom, kStackBytes, PROT_READ | PROT_WRITE) != 0) return false;
  bottom_ = bottom;
  return true;
}

bool CallStack::run(void (*function)(), Chance &chance, bool fresh) {
  if (fresh) {
    content_ = chance;
    for (std::size_t at = 0; at < kStackBytes; at += sizeof(std::uint64_t)) {
      const auto random = chance.next();
      std::memcpy(bottom_ + at, &random, sizeof random);
    }
  }
  ucontext_t here, there;
  if (::getcontext(&there) != 0) return false;
  there.uc_stack.ss_sp = bottom_;
  there.uc_stack.ss_size = kStackBytes - chance.next() % kMostAbove / kStackAlignment * kStackAlignment;
  began_ = bottom_ + there.uc_stack.ss_size;
  there.uc_link = &here;
  ::makecontext(&there, function, 0);
  return ::swapcontext(&here, &there) == 0;
}

bool CallStack::strayed() const {
  auto content = content_;
  std::size_t untouched = 0, most = 0;
  bool written = false;
  for (auto *at = bottom_; at < began_; at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    if (word == content.next()) {
      untouched += sizeof word;
      continue;
    }
    if (written) most = std::max(most, untouched);
    written = true;
    untouched = 0;
  }
  return most > kMostUntouched;
}

}  // namespace cupilot::judge::recorder
