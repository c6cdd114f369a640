// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/excerpt.h"

namespace cupilot::judge::launches {

Result<Excerpt> DeviceSession::excerpt(Entry & /*entry*/, const std::vector<spec::Parameter> & /*parameters*/,
                                       const Setting & /*setting*/, const std::vector<Piece> & /*wanted*/,
                                       std::span<std::byte> /*dump*/) {
  return fail("this device executes every call whole");
}

}  // namespace cupilot::judge::launches
