// SPDX-License-Identifier: Apache-2.0
//
// Names of the verdicts (DESIGN, Words) in JSON, tables and messages.

#pragma once

#include "annotate/spec/enum_names.h"
#include "evolution/model/verdict.h"

namespace cupilot {

template <>
EnumNames<VerdictKind> enum_names<VerdictKind>();

}  // namespace cupilot
