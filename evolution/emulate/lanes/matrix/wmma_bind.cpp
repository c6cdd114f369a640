// SPDX-License-Identifier: Apache-2.0
// Binds wmma.load and wmma.store.

#include "evolution/emulate/lanes/matrix/matrix.h"

namespace cupilot::emulate::lanes::matrix {
namespace {

/// The shapes of an element type; the multiplication checks their combination with everything else.
bool is_tile(const Shape &shape) {
  const auto is = [&](int m, int n, int k) { return shape.m == m && shape.n == n && shape.k == k; };
  return is(16, 16, 16) || is(32, 8, 16) || is(8, 32, 16) || is(16, 16, 8) || is(8, 8, 4) || is(8, 8, 32) ||
         is(8, 8, 128);
}

bool read_part(InstructionWords &words, bool load, TileForm &form) {
  using Part = TileForm::Part;
  if (!load) {
    form.part = Part::accumulator;
    return words.take("d");
  }
  const int part = words.take_one({"a", "b", "c"});
  if (part < 0) return false;
  form.part = part == 0 ? Part::a : part == 1 ? Part::b : Part::accumulator;
  return true;
}

bool read_type(InstructionWords &words, TileForm &form) {
  const std::string_view name = words.next();
  if (form.part == TileForm::Part::accumulator) {
    const auto kind = accumulator_of(name);
    if (!kind) return false;
    form.kind = *kind;
  } else {
    const auto element = element_of(name);
    if (!element) return false;
    form.element = *element;
    // Elements smaller than a byte stand in memory along k only.
    const bool along_k = (form.part == TileForm::Part::a) != form.by_column;
    if (bits_of(*element) < 8 && !along_k) return false;
  }
  return words.take(name);
}

/// How many registers the fragment needs at least.
int registers_of(const TileForm &form) {
  const auto [m, n, k] = form.shape;
  if (form.part == TileForm::Part::accumulator) return accumulator_registers(form.kind, form.shape);
  return operand_registers(form.element, form.part == TileForm::Part::a ? m : n, k);
}

program::Pipe pipe_of(ptx::Space space, bool load) {
  if (space == ptx::Space::shared) return load ? program::Pipe::load_shared : program::Pipe::store_shared;
  return load ? program::Pipe::load_global : program::Pipe::store_global;
}

bool read_form(InstructionWords &words, bool load, TileForm &form, std::string &why) {
  if (!read_part(words, load, form) || !words.take("sync") || !words.take("aligned")) return false;
  const int layout = words.take_one({"row", "col"});
  form.by_column = layout == 1;
  form.shape = shape_of(words.take_prefixed("m"));
  form.space = take_space(words);
  return layout >= 0 && is_tile(form.shape) && read_type(words, form) && words.complete(why);
}

}  // namespace

std::optional<program::Binding> bind_tile_move(const program::BindRequest &request, InstructionWords &words,
                                               bool load, std::string &why) {
  auto form = std::make_shared<TileForm>();
  const auto &operands = request.instruction.operands;
  if (!read_form(words, load, *form, why) || operands.size() < 2 || operands.size() > 3) return std::nullopt;
  const ptx::Operand &fragment = operands[load ? 0 : 1], &address = operands[load ? 1 : 0];
  form->registers = static_cast<int>(members_of(fragment));
  const int needed = registers_of(*form);
  if (needed == 0 || form->registers % needed != 0 || address.kind != ptx::Operand::Kind::address)
    return std::nullopt;
  if (form->part == TileForm::Part::accumulator && form->registers != needed) return std::nullopt;
  const bool doubles = form->part == TileForm::Part::accumulator ? form->kind == Accumulator::f64
                                                                 : form->element == lanes::Element::f64;
  const std::uint8_t bits = doubles ? 64 : 32;
  UseList uses(request);
  if (load) form->first = uses.writes_all(fragment, bits);
  form->address = uses.address(address);
  if (!load) form->first = uses.reads_all(fragment, bits);
  form->stride = operands.size() == 3 ? uses.reads(operands[2], 32) : TileForm::kPacked;
  program::Binding binding{.run = load ? load_tile : store_tile, .uses = uses.done()};
  binding.pipe = pipe_of(form->space, load);
  binding.cost = static_cast<float>(needed);
  binding.detail = std::move(form);
  return binding;
}

}  // namespace cupilot::emulate::lanes::matrix
