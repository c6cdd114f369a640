// SPDX-License-Identifier: Apache-2.0
//
// `{"cupilot_record":1,...}`, indented by two spaces, members in a fixed order, numbers rounded to the
// precision of the measurement.

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/model/record.h"

namespace cupilot::model {

std::string to_json(const Record &record);
Result<Record> record_from_json(std::string_view text);

}  // namespace cupilot::model
