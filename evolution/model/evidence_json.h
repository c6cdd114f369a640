// SPDX-License-Identifier: Apache-2.0
//
// For the *_json.cpp files only: conversions of the evidence that verdicts and records share.

#pragma once

#include "annotate/spec/json_convert.h"
#include "evolution/model/verdict.h"

namespace cupilot {

void to_json(Json &, const OutputError &);
void from_json(const Json &, OutputError &);
void to_json(Json &, const FinalistCheck &);
void from_json(const Json &, FinalistCheck &);
void to_json(Json &, const DeviceReport &);
void from_json(const Json &, DeviceReport &);

}  // namespace cupilot
