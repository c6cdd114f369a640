// SPDX-License-Identifier: Apache-2.0
//
// An index is treated as a sum of terms. `c`, `row * stride` and their sum are recognised, also through
// locals that hold a row's offset or pointer. A written array may be accessed in one form only, so that each
// element belongs to one lane.

#include "annotate/rewrite/rows_touch.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>

namespace cupilot::rewrite {
namespace {

class Toucher {
public:
  Toucher(const Kernel &kernel, RowShape &shape) : kernel_(kernel), shape_(shape), row_(shape.frame.index) {}

  void part(const Node &tree, int index, int column) {
    part_ = index;
    column_ = column;
    skipped_ = false;
    look(tree, false, false, false);
  }

private:
  struct Place {
    int pointer = -1;
    std::vector<const Node *> terms;
  };

  const Node *initial(int variable) const {
    const Variable &it = kernel_.variables[variable];
    if (it.storage != Storage::local || it.type.is_reference || assigned(kernel_.body, variable))
      return nullptr;
    const Node *found = find(kernel_.body, [&](const Node &node) {
      return node.kind == Kind::declare && node.variable == variable && node.children.size() == 1;
    });
    return found ? &found->children[0] : nullptr;
  }
  void add_terms(const Node &node, std::vector<const Node *> &terms) const {
    const Node &it = bare(node);
    if (it.kind == Kind::binary && it.text == "+" && !it.overloaded) {
      add_terms(it.children[0], terms);
      add_terms(it.children[1], terms);
      return;
    }
    const bool local = it.kind == Kind::name && it.variable != row_ && it.variable != column_;
    const Node *start = local ? initial(it.variable) : nullptr;
    if (start && mentions(*start, row_)) return add_terms(*start, terms);
    terms.push_back(&it);
  }
  bool resolve(const Node &pointer, Place &place) const {
    if (pointer.kind == Kind::name) {
      const Variable &it = kernel_.variables[pointer.variable];
      if (it.storage == Storage::parameter && it.type.kind == Type::Kind::pointer) {
        place.pointer = pointer.variable;
        return true;
      }
      const Node *start = it.type.kind == Type::Kind::pointer ? initial(pointer.variable) : nullptr;
      return start && resolve(*start, place);
    }
    if (pointer.kind == Kind::binary && pointer.text == "+")
      for (int side = 0; side < 2; ++side)
        if (pointer.children[side].type.kind == Type::Kind::pointer) {
          add_terms(pointer.children[1 - side], place.terms);
          return resolve(pointer.children[side], place);
        }
    if (pointer.kind == Kind::unary && pointer.text == "&" && pointer.children[0].kind == Kind::subscript) {
      add_terms(pointer.children[0].children[1], place.terms);
      return resolve(pointer.children[0].children[0], place);
    }
    return false;
  }
  Touch classify(const Node &node, const Place &place) const {
    Touch touch;
    touch.pointer = place.pointer;
    touch.node = &node;
    int columns = 0, rows = 0, others = 0;
    for (const Node *term : place.terms) {
      if (column_ >= 0 && is_name(*term, column_))
        ++columns;
      else if (is_name(*term, row_))
        ++rows;
      else if (const Node *stride = row_stride(*term))
        touch.stride = stride;
      else if (!is_integer_constant(*term, 0))
        ++others;
    }
    if (others || columns > 1 || rows + (touch.stride ? 1 : 0) > 1) return touch;
    if (columns)
      touch.form = touch.stride ? Touch::Form::row_column : rows ? Touch::Form::other : Touch::Form::column;
    else if (rows)
      touch.form = Touch::Form::row;
    else if (touch.stride)
      touch.form = Touch::Form::row_start;
    if (touch.form == Touch::Form::other) touch.stride = nullptr;
    return touch;
  }
  const Node *row_stride(const Node &term) const {
    if (term.kind != Kind::binary || term.text != "*" || term.overloaded) return nullptr;
    for (int side = 0; side < 2; ++side)
      if (is_name(term.children[side], row_) && host_text(kernel_, bare(term.children[1 - side])))
        return &bare(term.children[1 - side]);
    return nullptr;
  }

  void add(Touch touch, bool store, bool update, bool maybe) {
    touch.store = store;
    touch.load = !store || update;
    touch.maybe = maybe || skipped_;
    touch.part = part_;
    touch.order = static_cast<int>(shape_.touches.size());
    shape_.touches.push_back(touch);
  }
  void look_at_access(const Node &node, bool store, bool update, bool maybe) {
    Place place;
    add_terms(node.children[1], place.terms);
    look(node.children[1], false, false, maybe);
    if (resolve(node.children[0], place)) return add(classify(node, place), store, update, maybe);
    if (node.children[0].type.kind != Type::Kind::array) return unknown(node, store);
    look(node.children[0], store, update, maybe);
  }
  /// A pointer is used in an unrecognised way: it may read anything, and write anything unless it points to
  /// const.
  void unknown(const Node &node, bool store) {
    const int root = root_variable(node);
    for (const int parameter : kernel_.parameters) {
      const Type &type = kernel_.variables[parameter].type;
      if (type.kind != Type::Kind::pointer || root != parameter) continue;
      Touch touch;
      touch.pointer = parameter;
      touch.node = &node;
      add(touch, store || !type.element_const, true, true);
    }
    if (root < 0 || kernel_.variables[root].storage != Storage::parameter) lost_ = lost_ ? lost_ : &node;
  }
  void look(const Node &node, bool store, bool update, bool maybe);

public:
  const Node *lost_ = nullptr;  ///< an access whose array is unknown

private:
  const Kernel &kernel_;
  RowShape &shape_;
  int row_, column_ = -1, part_ = -1;
  bool skipped_ = false;
};

void Toucher::look(const Node &node, bool store, bool update, bool maybe) {
  switch (node.kind) {
    case Kind::subscript:
      return look_at_access(node, store, update, maybe);
    case Kind::name:
      if (store && kernel_.variables[node.variable].storage == Storage::global) lost_ = lost_ ? lost_ : &node;
      if (kernel_.variables[node.variable].type.kind == Type::Kind::pointer) unknown(node, false);
      return;
    case Kind::declare:
      // A pointer to a row: its uses count, its definition does not.
      if (Place place; node.type.kind == Type::Kind::pointer && !node.children.empty() &&
                       initial(node.variable) && resolve(node.children[0], place))
        return;
      break;
    case Kind::continue_:
      skipped_ = true;
      return;
    case Kind::assign:
      look(node.children[1], false, false, maybe);
      return look(node.children[0], true, node.text != "=", maybe);
    case Kind::unary:
      if (node.text == "++" || node.text == "--") return look(node.children[0], true, true, maybe);
      if (node.text == "*" && node.children[0].type.kind == Type::Kind::pointer)
        return unknown(node.children[0], store);
      if (node.text == "&" && node.children[0].kind == Kind::subscript)
        return unknown(node.children[0], false);
      break;
    case Kind::if_:
    case Kind::conditional:
    case Kind::switch_:
      look(node.children[0], false, false, maybe);
      for (std::size_t i = 1; i < node.children.size(); ++i) look(node.children[i], false, false, true);
      return;
    case Kind::for_:
    case Kind::while_:
    case Kind::do_:
      maybe = true;
      break;
    case Kind::binary:
      if (node.text != "&&" && node.text != "||") break;
      look(node.children[0], false, false, maybe);
      return look(node.children[1], false, false, true);
    default:
      break;
  }
  for (const Node &child : node.children) look(child, store && node.kind == Kind::member, update, maybe);
}

class Judge {
public:
  Judge(const Kernel &kernel, const RowShape &shape) : kernel_(kernel), shape_(shape) {}

  std::expected<void, Obstacle> run() const {
    for (const Touch &touch : shape_.touches) {
      if (!touch.store) continue;
      const bool in_loop = shape_.parts[touch.part].loop >= 0;
      if (in_loop && touch.form != Touch::Form::row_column)
        return obstacle(
            fmt::format("'{}' is written in the loop over columns, but not as [row * stride + column]",
                        name(touch)),
            touch.node->line);
      if (auto fine = check_written(touch, in_loop); !fine) return fine;
    }
    for (const Overlap &pair : row_overlaps(kernel_, shape_))
      for (const int pointer : {pair.written, pair.other})
        if (row_extent(kernel_, shape_, pointer, "1").empty())
          return obstacle(
              fmt::format("'{}' and '{}' may overlap (declare them __restrict__)",
                          kernel_.variables[pair.written].name, kernel_.variables[pair.other].name),
              kernel_.line);
    return {};
  }

private:
  const std::string &name(const Touch &touch) const { return kernel_.variables[touch.pointer].name; }

  std::expected<void, Obstacle> check_written(const Touch &written, bool in_loop) const {
    for (const Touch &other : shape_.touches) {
      if (other.pointer != written.pointer || &other == &written) continue;
      const bool own =
          in_loop && other.form == Touch::Form::row_column && same(*other.stride, *written.stride);
      const bool same_part = other.part == written.part;
      if (!in_loop && same_part) continue;  // lane 0 runs this whole part in order
      if (!own)
        return obstacle(
            fmt::format(
                "'{}' is written and also used in another form; lanes would interfere with each other",
                name(written)),
            other.node->line);
      if (!same(*loop_of(other).start, *loop_of(written).start))
        return obstacle(fmt::format("'{}' is used in loops that start at different columns", name(written)),
                        other.node->line);
    }
    return {};
  }
  const ColumnLoop &loop_of(const Touch &touch) const { return shape_.loops[shape_.parts[touch.part].loop]; }

  const Kernel &kernel_;
  const RowShape &shape_;
};

}  // namespace

std::vector<Overlap> row_overlaps(const Kernel &kernel, const RowShape &shape) {
  std::vector<Overlap> out;
  for (const Touch &written : shape.touches) {
    if (!written.store) continue;
    for (const Touch &other : shape.touches) {
      if (other.pointer == written.pointer ||
          !may_overlap(kernel.variables[written.pointer], kernel.variables[other.pointer]))
        continue;
      const bool same_place = written.form == Touch::Form::row_column &&
                              other.form == Touch::Form::row_column && same(*written.stride, *other.stride);
      const bool strict = !same_place || other.store || other.order > written.order;
      const auto known = std::ranges::find_if(out, [&](const Overlap &pair) {
        return (pair.written == written.pointer && pair.other == other.pointer) ||
               (pair.written == other.pointer && pair.other == written.pointer);
      });
      if (known == out.end())
        out.push_back({written.pointer, other.pointer, strict});
      else
        known->strict = known->strict || strict;
    }
  }
  return out;
}

std::string row_extent(const Kernel &kernel, const RowShape &shape, int pointer, const std::string &rows) {
  std::string out;
  for (const Touch &touch : shape.touches) {
    if (touch.pointer != pointer) continue;
    std::string extent;
    if (touch.form == Touch::Form::row) extent = rows;
    // The start of a row is within the range that the loops over its columns access.
    if (touch.form == Touch::Form::row_start) {
      const bool covered = std::ranges::any_of(shape.touches, [&](const Touch &other) {
        return other.pointer == pointer && other.form == Touch::Form::row_column &&
               same(*other.stride, *touch.stride);
      });
      if (covered) continue;
    }
    const int loop = shape.parts[touch.part].loop;
    const auto columns = loop >= 0 ? host_text(kernel, *shape.loops[loop].bound) : std::nullopt;
    if (touch.form == Touch::Form::column && columns) extent = *columns;
    if (touch.form == Touch::Form::row_column && columns) {
      const auto stride = host_text(kernel, *touch.stride).value();
      extent = stride == *columns
                   ? fmt::format("{} * {}", rows, operand(stride))
                   : fmt::format("({} - 1) * {} + {}", rows, operand(stride), operand(*columns));
    }
    if (extent.empty() || (!out.empty() && out != extent)) return {};
    out = extent;
  }
  return out;
}

std::expected<void, Obstacle> find_touches(const Kernel &kernel, RowShape &shape) {
  Toucher toucher(kernel, shape);
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    const RowPart &part = shape.parts[i];
    const bool loop = part.loop >= 0;
    toucher.part(loop ? *shape.loops[part.loop].body : *part.statement, static_cast<int>(i),
                 loop ? shape.loops[part.loop].column : -1);
  }
  if (toucher.lost_)
    return obstacle("the source does not show which array this accesses", toucher.lost_->line);
  return Judge(kernel, shape).run();
}

}  // namespace cupilot::rewrite
