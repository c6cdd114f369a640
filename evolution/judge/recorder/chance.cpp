// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/recorder/chance.h"

#include <sys/random.h>

namespace cupilot::judge::recorder {

void Chance::begin() {
  while (::getrandom(&state_, sizeof state_, 0) != sizeof state_ || state_ == 0) {
  }
}

}  // namespace cupilot::judge::recorder
