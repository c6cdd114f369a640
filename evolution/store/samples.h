// SPDX-License-Identifier: Apache-2.0
//
// Lists as text columns: samples as the shortest decimals that read back to the same number, ids. Private to
// evolution/store.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/verdict.h"

namespace cupilot {

std::string numbers_to_text(const std::vector<double> &numbers);
Result<std::vector<double>> numbers_from_text(std::string_view text);

std::string ids_to_text(const std::vector<std::int64_t> &ids);
Result<std::vector<std::int64_t>> ids_from_text(std::string_view text);

std::string dropped_to_text(const std::vector<SampleSet::Dropped> &dropped);
Result<std::vector<SampleSet::Dropped>> dropped_from_text(std::string_view text);

}  // namespace cupilot
