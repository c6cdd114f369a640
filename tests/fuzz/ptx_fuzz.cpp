// SPDX-License-Identifier: Apache-2.0
//
// Any bytes at all are either a module or an error with its place; a module is decoded or refused. Crashes,
// hangs and memory without bounds are found by the sanitizers and by libFuzzer's limits.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "evolution/emulate/ptx/parser.h"
#ifdef CUPILOT_FUZZ_DECODE
#include "evolution/emulate/lanes/families.h"
#endif

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  auto module = cupilot::ptx::parse(std::string(reinterpret_cast<const char *>(data), size), "fuzz");
  if (!module) {
    if (!module.error().message.starts_with("fuzz:")) std::abort();
    return 0;
  }
#ifdef CUPILOT_FUZZ_DECODE
  const auto shared = std::make_shared<const cupilot::ptx::Module>(std::move(*module));
  const auto program = cupilot::emulate::decode(shared, cupilot::emulate::families());
  if (!program && program.error().message.empty()) std::abort();
#endif
  return 0;
}
