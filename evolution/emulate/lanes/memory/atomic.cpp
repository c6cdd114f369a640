// SPDX-License-Identifier: Apache-2.0
// Binds the forms of atom and red.

#include "evolution/emulate/lanes/memory/atomic.h"

#include "evolution/emulate/lanes/families.h"

namespace cupilot::emulate::lanes {
namespace {

using atomic::Form;
using atomic::Operation;

/// What an operation's name may be combined with.
bool exists(atomic::Operation operation, ScalarType type, int elements, bool noftz) {
  const bool small = type.kind == 'h' || type.kind == 'g' || type.kind == 'H' || type.kind == 'G';
  if (type.bits < 16 || small != noftz) return false;
  if (elements > 1) {
    if (type.kind == 'f') return type.bits == 32 && operation == atomic::Operation::add && elements <= 4;
    return small && elements * type.bits <= 128;
  }
  return !small || operation == atomic::Operation::add;
}

int take_vector(InstructionWords &words) {
  constexpr int kWidths[] = {2, 4, 8};
  const int place = words.take_one({"v2", "v4", "v8"});
  return place < 0 ? 1 : kWidths[place];
}

/// The memory order only matters to the checks; the host's operations have the strongest order and the widest
/// scope.
void take_ordering(InstructionWords &words, machine::Access &access) {
  access.weak = false;
  const int order = words.take_one({"relaxed", "acquire", "release", "acq_rel"});
  access.release = order == 2 || order == 3;
  access.in_block = words.take("cta");
  if (!access.in_block) words.take_one({"cluster", "gpu", "sys", "gl"});
}

struct Shape {
  atomic::Operation operation = atomic::Operation::add;
  ScalarType type;
  std::string_view type_name;
  bool cache_policy = false;
};

std::optional<Shape> read_shape(InstructionWords &words, atomic::Form &form, std::string &why) {
  Shape shape;
  take_ordering(words, form.access);
  form.access.space = take_space(words);
  const int operation =
      words.take_one({"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"});
  if (operation < 0) return std::nullopt;
  shape.operation = static_cast<atomic::Operation>(operation);
  const bool noftz = words.take("noftz");
  form.elements = static_cast<std::uint8_t>(take_vector(words));
  shape.cache_policy = words.take_cache_hints();
  shape.type_name = words.next();
  shape.type = scalar_type(shape.type_name);
  if (!words.take(shape.type_name) || !words.complete(why)) return std::nullopt;
  if (!exists(shape.operation, shape.type, form.elements, noftz)) return std::nullopt;
  return shape;
}

std::optional<program::Binding> bind(const program::BindRequest &request, InstructionWords &words,
                                     bool returns, std::string &why) {
  auto form = std::make_shared<atomic::Form>();
  const auto shape = read_shape(words, *form, why);
  if (!shape) return std::nullopt;
  const program::Handler run = atomic::handler(shape->operation, shape->type);
  const bool compare = shape->operation == atomic::Operation::compare;
  const auto &operands = request.instruction.operands;
  const std::size_t expected = 2u + returns + compare + shape->cache_policy;
  if (!run || (compare && !returns) || operands.size() != expected) return std::nullopt;
  UseList uses(request);
  std::size_t next = 0;
  const auto members = [&](const ptx::Operand &operand) { return members_of(operand) == form->elements; };
  if (returns) {
    const bool sink = operands[0].kind == ptx::Operand::Kind::sink;
    if (!sink && !members(operands[0])) return std::nullopt;
    const ptx::Operand &target = operands[next++];
    const std::uint8_t flat =
        sink ? uses.writes_or_drops(target, shape->type.bits) : uses.writes_all(target, shape->type.bits);
    if (!sink) form->result = flat;
  }
  if (operands[next].kind != ptx::Operand::Kind::address || !members(operands[next + 1])) return std::nullopt;
  form->address = uses.address(operands[next++]);
  form->value = uses.reads_all(operands[next++], shape->type.bits);
  if (compare) form->replacement = uses.reads(operands[next++], shape->type.bits);
  if (shape->cache_policy) uses.reads(operands[next], 64);
  form->access.bytes = static_cast<std::uint8_t>(form->elements * shape->type.bits / 8);
  form->access.alignment = form->access.bytes;
  form->access.writes = form->access.atomic = true;
  program::Binding binding{
      .run = run, .uses = uses.done(), .detail = std::move(form), .pipe = program::Pipe::atomic};
  return binding;
}

}  // namespace

std::optional<program::Binding> bind_atomic(const program::BindRequest &request, program::Isa,
                                            std::string &why) {
  InstructionWords words(request.instruction);
  const bool returns = words.take_first("atom");
  if (!returns && !words.take_first("red")) return std::nullopt;
  if (words.take("async")) {
    why = "between the blocks of a cluster";
    return std::nullopt;
  }
  auto binding = bind(request, words, returns, why);
  return settled(std::move(binding), request, why);
}

}  // namespace cupilot::emulate::lanes
