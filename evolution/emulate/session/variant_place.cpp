// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/variant_place.h"

#include <string_view>

namespace cupilot::emulate::session {

namespace {

bool is_variant(const ptx::Module &module, const ptx::Location &at) {
  constexpr std::string_view kName = "variant.cuh";
  if (at.line == 0 || at.file >= module.files.size()) return false;
  const std::string_view file = module.files[at.file];
  return file.ends_with(kName) &&
         (file.size() == kName.size() || file[file.size() - kName.size() - 1] == '/');
}

}  // namespace

std::optional<Place> place_in_variant(const ptx::Module &module, std::uint32_t location) {
  bool own = true;
  for (int depth = 0; depth < 100 && location > 0 && location < module.locations.size(); ++depth) {
    const ptx::Location &at = module.locations[location];
    if (is_variant(module, at)) return Place{at.line, at.column, own};
    own = false;
    location = at.inlined_at == 0 ? 0 : at.inlined_at - 1;
  }
  return std::nullopt;
}

}  // namespace cupilot::emulate::session
