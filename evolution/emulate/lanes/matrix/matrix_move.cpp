// SPDX-License-Identifier: Apache-2.0
//
// ldmatrix, stmatrix, movmatrix. Matrix j of the instruction has its eight rows of 16 bytes where lanes
// 8j..8j+7 point; register j of lane l holds elements 2(l mod 4) and the next one of row l/4, or of column
// l/4 when transposed.

#include "evolution/emulate/lanes/lane_access.h"
#include "evolution/emulate/lanes/matrix/matrix.h"

namespace cupilot::emulate::lanes::matrix {
namespace {

struct Rows {
  std::uint16_t at[8][8] = {};
};

struct Cell {
  int row, column;
};
Cell cell_of(int lane, int part, bool transposed) {
  const int outer = lane >> 2, inner = 2 * (lane & 3) + part;
  return transposed ? Cell{inner, outer} : Cell{outer, inner};
}

std::uint32_t pack(const Rows &rows, int lane, bool transposed) {
  const Cell low = cell_of(lane, 0, transposed), high = cell_of(lane, 1, transposed);
  return rows.at[low.row][low.column] | static_cast<std::uint32_t>(rows.at[high.row][high.column]) << 16;
}
void unpack(Rows &rows, int lane, bool transposed, std::uint32_t word) {
  const Cell low = cell_of(lane, 0, transposed), high = cell_of(lane, 1, transposed);
  rows.at[low.row][low.column] = static_cast<std::uint16_t>(word);
  rows.at[high.row][high.column] = static_cast<std::uint16_t>(word >> 16);
}

/// The rows' places; only lanes that name a row need a good address.
program::Mask resolve_rows(machine::Warp &warp, const program::Step &step, program::Mask mask,
                           const MoveForm &form, bool load, std::byte **host) {
  const program::Mask naming = form.matrices == 4 ? kAllLanes : (program::Mask{1} << (8 * form.matrices)) - 1;
  std::uint64_t address[program::kLanes];
  read_addresses(warp, step, form.address, address);
  const machine::Access access{
      .space = form.space, .bytes = 16, .alignment = 16, .reads = load, .writes = !load};
  return mask & naming ? machine::resolve(warp, step, mask & naming, access, address, host) : 0;
}

std::optional<MoveForm> read_form(InstructionWords &words, std::string &why) {
  MoveForm form;
  if (!words.take("sync") || !words.take("aligned") || !words.take("m8n8")) return std::nullopt;
  const int count = words.take_one({"x1", "x2", "x4"});
  if (count < 0) return std::nullopt;
  form.matrices = 1 << count;
  form.transposed = words.take("trans");
  form.space = take_space(words);
  if (!words.take("b16") || !words.complete(why)) return std::nullopt;
  return form;
}

}  // namespace

void load_matrices(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  if (!machine::gather(warp, step, mask, kAllLanes)) return;
  const MoveForm &form = *static_cast<const MoveForm *>(step.detail);
  std::byte *host[program::kLanes] = {};
  const program::Mask ready = resolve_rows(warp, step, mask, form, true, host);
  Rows rows[4];
  for_lanes(ready, [&](int lane) { std::memcpy(rows[lane / 8].at[lane % 8], host[lane], 16); });
  for (int j = 0; j < form.matrices; ++j) {
    std::uint32_t words[program::kLanes];
    // Lane by lane the two elements of a register follow each other, row after row.
    if (!form.transposed)
      std::memcpy(words, rows[j].at, sizeof words);
    else
      for (int lane = 0; lane < program::kLanes; ++lane) words[lane] = pack(rows[j], lane, true);
    write_lanes(warp, operand(step, form.first + static_cast<std::size_t>(j)), mask, words);
  }
}

void store_matrices(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  if (!machine::gather(warp, step, mask, kAllLanes)) return;
  const MoveForm &form = *static_cast<const MoveForm *>(step.detail);
  std::byte *host[program::kLanes] = {};
  const program::Mask ready = resolve_rows(warp, step, mask, form, false, host);
  Rows rows[4];
  for (int j = 0; j < form.matrices; ++j) {
    const auto *from = lanes_of<std::uint32_t>(warp, step, form.first + static_cast<std::size_t>(j));
    for_lanes(mask, [&](int lane) { unpack(rows[j], lane, form.transposed, from[lane]); });
  }
  for_lanes(ready, [&](int lane) { std::memcpy(host[lane], rows[lane / 8].at[lane % 8], 16); });
}

void transpose_matrix(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  if (!machine::gather(warp, step, mask, kAllLanes)) return;
  Rows rows;
  const auto *from = lanes_of<std::uint32_t>(warp, step, 1);
  for (int lane = 0; lane < program::kLanes; ++lane) unpack(rows, lane, false, from[lane]);
  auto *to = lanes_of<std::uint32_t>(warp, step, 0);
  for_lanes(mask, [&](int lane) { to[lane] = pack(rows, lane, true); });
}

std::optional<program::Binding> bind_move(const program::BindRequest &request, InstructionWords &words,
                                          bool load, std::string &why) {
  const auto read = read_form(words, why);
  const auto &operands = request.instruction.operands;
  if (!read || operands.size() != 2) return std::nullopt;
  auto form = std::make_shared<MoveForm>(*read);
  const ptx::Operand &registers = operands[load ? 0 : 1], &address = operands[load ? 1 : 0];
  if (members_of(registers) != static_cast<std::size_t>(form->matrices) ||
      address.kind != ptx::Operand::Kind::address)
    return std::nullopt;
  UseList uses(request);
  if (load) form->first = uses.writes_all(registers, 32);
  form->address = uses.address(address);
  if (!load) form->first = uses.reads_all(registers, 32);
  program::Binding binding{.run = load ? load_matrices : store_matrices, .uses = uses.done()};
  binding.pipe = load ? program::Pipe::load_shared : program::Pipe::store_shared;
  binding.cost = 1;
  binding.detail = std::move(form);
  return binding;
}

std::optional<program::Binding> bind_transpose(const program::BindRequest &request, InstructionWords &words,
                                               std::string &why) {
  for (std::string_view word : {"sync", "aligned", "m8n8", "trans", "b16"})
    if (!words.take(word)) return std::nullopt;
  if (!words.complete(why) || request.instruction.operands.size() != 2) return std::nullopt;
  UseList uses(request);
  uses.writes(request.instruction.operands[0], 32);
  uses.reads(request.instruction.operands[1], 32);
  return program::Binding{.run = transpose_matrix, .uses = uses.done(), .pipe = program::Pipe::shuffle};
}

}  // namespace cupilot::emulate::lanes::matrix
