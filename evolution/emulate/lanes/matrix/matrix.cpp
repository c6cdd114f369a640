// SPDX-License-Identifier: Apache-2.0
// The bind function of the matrix family, which passes each opcode to its reader.

#include "evolution/emulate/lanes/matrix/matrix.h"

#include "evolution/emulate/lanes/families.h"

namespace cupilot::emulate::lanes {

std::optional<program::Binding> bind_matrix(const program::BindRequest &request, program::Isa isa,
                                            std::string &why) {
  InstructionWords words(request.instruction);
  std::optional<program::Binding> binding;
  if (words.take_first("mma")) {
    binding = matrix::bind_multiply(request, words, isa, false, why);
  } else if (words.take_first("wmma")) {
    const int part = words.take_one({"mma", "load", "store"});
    if (part < 0) return std::nullopt;
    binding = part == 0 ? matrix::bind_multiply(request, words, isa, true, why)
                        : matrix::bind_tile_move(request, words, part == 1, why);
  } else if (words.take_first("ldmatrix")) {
    binding = matrix::bind_move(request, words, true, why);
  } else if (words.take_first("stmatrix")) {
    binding = matrix::bind_move(request, words, false, why);
  } else if (words.take_first("movmatrix")) {
    binding = matrix::bind_transpose(request, words, why);
  } else if (!words.take_prefixed("wgmma").empty() || !words.take_prefixed("tcgen05").empty()) {
    why = "tensor instructions of one architecture only";
    return std::nullopt;
  } else {
    return std::nullopt;
  }
  return settled(std::move(binding), request, why);
}

}  // namespace cupilot::emulate::lanes
