// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>
#include <string_view>

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::program {
namespace {

Isa best_isa() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("lzcnt");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  if (avx2 && avx512) return Isa::avx512;
  if (avx2) return Isa::avx2;
#endif
  return Isa::baseline;
}

}  // namespace

Isa host_isa() {
  static const Isa best = best_isa();
  const char *wish = std::getenv("CUPILOT_EMULATE_ISA");
  if (!wish) return best;
  // An extension that the processor lacks would cause an illegal instruction later, so the best available one
  // is used instead.
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512})
    if (std::string_view(wish) == to_string(isa)) return isa < best ? isa : best;
  return best;
}

const char *to_string(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return "avx512";
    case Isa::avx2:
      return "avx2";
    case Isa::baseline:
      break;
  }
  return "baseline";
}

}  // namespace cupilot::emulate::program
