// SPDX-License-Identifier: Apache-2.0
//
// Schedule `fp64-mma`: sums of products in double precision on tensor cores, which multiply and add as fma()
// does, at twice its rate (PTX ISA, mma.sync.m8n8k4 with .f64; sm_80 and later).

#pragma once

#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

Outcome write_fp64_mma(const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
