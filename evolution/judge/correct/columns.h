// SPDX-License-Identifier: Apache-2.0
//
// An output is compared in columns: the whole buffer, or, if its elements are of class type, each of their
// members. Pure.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/cases/case_layout.h"

namespace cupilot::judge::correct {

struct Column {
  std::string name;  ///< ".position.x"; empty for a whole buffer
  spec::ElementType type = spec::ElementType::opaque;
  std::vector<std::byte> gathered;  ///< of a member: its values, one after the other
  std::span<const std::byte> whole;
  std::span<const std::byte> bytes() const { return name.empty() ? whole : gathered; }
};

/// `output`: the bytes of the whole buffer. They must outlive the columns.
std::vector<Column> columns_of(const cases::PlacedBuffer &buffer, std::span<const std::byte> output);

}  // namespace cupilot::judge::correct
