// SPDX-License-Identifier: Apache-2.0
//
// Absolute jumps, for x86-64 and aarch64: the target is too far away for a relative one.

#include "evolution/emulate/runtime/preload/patch.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cupilot::emulate::runtime::preload {
namespace {

#if defined(__x86_64__)
constexpr unsigned char kJump[] = {0xff, 0x25, 0, 0, 0, 0};  // jmp [rip]; the address follows
#elif defined(__aarch64__)
constexpr unsigned char kJump[] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6};  // ldr x16, 8; br x16; the address
#else
#error "no jump is known for this processor"
#endif

std::uintptr_t number(const void *pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// The pages that hold all patched functions.
struct Stretch {
  std::uintptr_t begin = UINTPTR_MAX, end = 0;
};

Stretch stretch_of(std::span<const Patch> patches) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  Stretch stretch;
  for (const auto &patch : patches) {
    stretch.begin = std::min(stretch.begin, number(patch.function) / page * page);
    stretch.end = std::max(stretch.end, (number(patch.function) + jump_bytes() + page - 1) / page * page);
  }
  return stretch;
}

bool protect(const Stretch &stretch, int rights) {
  return mprotect(reinterpret_cast<void *>(stretch.begin), stretch.end - stretch.begin, rights) == 0;
}

void write_jump(const Patch &patch) {
  auto *const to = static_cast<char *>(patch.function);
  std::memcpy(to, kJump, sizeof kJump);
  std::memcpy(to + sizeof kJump, &patch.instead, sizeof patch.instead);
  __builtin___clear_cache(to, to + jump_bytes());
}

}  // namespace

std::size_t jump_bytes() {
  return sizeof kJump + sizeof(void *);
}

Result<> apply_patches(std::span<const Patch> patches) {
  if (patches.empty()) return {};
  const auto stretch = stretch_of(patches);
  if (!protect(stretch, PROT_READ | PROT_WRITE | PROT_EXEC) && !protect(stretch, PROT_READ | PROT_WRITE))
    return fail("this system does not allow a program's code to be changed");
  for (const auto &patch : patches) write_jump(patch);
  if (!protect(stretch, PROT_READ | PROT_EXEC))
    return fail("a program's code cannot be made executable again");
  return {};
}

}  // namespace cupilot::emulate::runtime::preload
