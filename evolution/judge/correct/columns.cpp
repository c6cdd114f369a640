// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/columns.h"

#include <cstring>

#include "evolution/judge/data/element_type.h"

namespace cupilot::judge::correct {

std::vector<Column> columns_of(const cases::PlacedBuffer &buffer, std::span<const std::byte> output) {
  std::vector<Column> columns;
  if (buffer.members.empty()) {
    columns.push_back({"", buffer.element.type, {}, output});
    return columns;
  }
  const std::size_t stride = buffer.element.lanes, elements = output.size() / stride;
  for (const spec::Member &member : buffer.members) {
    const std::size_t bytes = member.count * data::element_size(member.type);
    Column &column = columns.emplace_back("." + member.name, member.type);
    column.gathered.resize(elements * bytes);
    for (std::size_t i = 0; i < elements; ++i)
      std::memcpy(&column.gathered[i * bytes], &output[i * stride + member.offset], bytes);
  }
  return columns;
}

}  // namespace cupilot::judge::correct
