// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/machine/windows.h"

#include <sys/mman.h>

#include "evolution/emulate/machine/specials.h"

namespace cupilot::emulate::machine {
namespace {

constexpr int kTries = 8;
/// Shared, a gap, local, and what local addresses may begin at within their window.
constexpr std::uint64_t kReserved = 4 * memory::kWindowBytes;
/// Linux places mappings in the upper TiB below 2^47, or, with more random bits, in the upper 16 TiB
/// (vm.mmap_rnd_bits), and drivers align the windows to 16 MiB.
constexpr std::uint64_t kTop = std::uint64_t{1} << 47, kNarrowSpan = std::uint64_t{1} << 41,
                        kWideSpan = std::uint64_t{1} << 44;
constexpr std::uint64_t kLocalUnit = 256;

}  // namespace

Windows::Windows(std::uint64_t seed) {
  if (seed == 0) return;
  for (int number = 0; number < kTries; ++number) {
    const std::uint64_t drawn = mixed(seed + static_cast<std::uint64_t>(number) + 0x77696e);
    const std::uint64_t span = drawn >> 62 ? kNarrowSpan : kWideSpan;
    const std::uint64_t place =
        kTop - span + drawn % (span - 2 * kReserved) / memory::kWindowBytes * memory::kWindowBytes;
    void *const wanted = reinterpret_cast<void *>(place);
    void *const got = mmap(wanted, kReserved, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) continue;
    if (got != wanted) {  // a kernel that does not know the flag
      munmap(got, kReserved);
      continue;
    }
    reserved_ = got;
    shared_ = place;
    // The stacks of threads begin somewhere within.
    local_ =
        place + 2 * memory::kWindowBytes + mixed(drawn) % (memory::kWindowBytes / kLocalUnit) * kLocalUnit;
    return;
  }
}

Windows::~Windows() {
  if (reserved_) munmap(reserved_, kReserved);
}

}  // namespace cupilot::emulate::machine
