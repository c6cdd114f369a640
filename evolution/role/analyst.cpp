// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/analyst.h"

#include "evolution/role/words.h"

namespace cupilot {

std::string digest_text(const Analysis &analysis) {
  return bullets(analysis.digest);
}

}  // namespace cupilot
