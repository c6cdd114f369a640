// SPDX-License-Identifier: Apache-2.0
#include "driver/worker/reference_checks.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace cupilot {

namespace {

std::string figure(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

bool drawn(FillKind kind) {
  return kind != FillKind::iota && kind != FillKind::zeros && kind != FillKind::file;
}

/// "'y' by 3e-08 of its size, where 1.5e-05 is allowed".
std::string changes(const OutputCheck &check) {
  std::string text;
  for (const OutputError &error : check.errors) {
    if (error.max_limit == 0) continue;
    text += (text.empty() ? "'" : ", '") + error.parameter + "' by " + figure(error.rms) +
            " of its size where " + figure(error.rms_limit) + " is allowed";
  }
  return text;
}

}  // namespace

bool has_drawn_inputs(const CaseLayout &layout) {
  return std::ranges::any_of(layout.buffers, [](const PlacedBuffer &buffer) {
    const bool read = buffer.role == BufferRole::in || buffer.role == BufferRole::inout;
    return read && buffer.bytes > 0 && drawn(buffer.fill.kind);
  });
}

bool same_outputs(const CaseLayout &layout, std::span<const std::byte> first,
                  std::span<const std::byte> second) {
  const auto offsets = dump_offsets(layout);
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const PlacedBuffer &buffer = layout.buffers[i];
    if (!buffer.dumped() || buffer.bytes == 0) continue;
    if (std::memcmp(first.data() + offsets[i], second.data() + offsets[i], buffer.bytes) != 0) return false;
  }
  return true;
}

std::string blind_workload(const Bundle &bundle, const CaseLayout &layout, const Case &which,
                           const ExpectedOutputs &first, std::span<const std::byte> second) {
  if (same_outputs(layout, first.bytes, second))
    return "no output depends on the inputs: nothing can be judged by it; give the buffers that matter a "
           "fill(...) with which outputs differ, or drop the workload";
  const OutputCheck check = check_outputs(bundle, layout, which.id, "user", first, second);
  if (!check.wrong.empty()) return "";
  return "what its inputs change in the outputs is no more than rounding may change (other inputs move " +
         changes(check) +
         "): a wrong variant cannot be told from a right one; scale the inputs with fill(...) so that the "
         "outputs depend on them, or drop the workload";
}

}  // namespace cupilot
