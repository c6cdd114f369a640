// SPDX-License-Identifier: Apache-2.0
//
// The engine of driver/worker on the emulated device.

#pragma once

#include "evolution/judge/engine/engine.h"

namespace cupilot {

Engine cpu_engine();

}  // namespace cupilot
