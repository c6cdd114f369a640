// SPDX-License-Identifier: Apache-2.0
//
// The engine (evolution/judge/engine) with the emulated device.

#pragma once

#include "evolution/judge/engine/engine.h"

namespace cupilot {

Engine cpu_engine();

}  // namespace cupilot
