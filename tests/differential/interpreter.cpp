// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/interpreter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <string_view>

#include "annotate/spec/lifted_text.h"

namespace cupilot::differential {
namespace {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

struct Function {
  double (*of_one)(double) = nullptr;
  double (*of_two)(double, double) = nullptr;
};

const std::map<std::string, Function, std::less<>> &functions() {
  static const std::map<std::string, Function, std::less<>> all{
      {"exp", {[](double x) { return std::exp(x); }}},
      {"log", {[](double x) { return std::log(x); }}},
      {"sqrt", {[](double x) { return std::sqrt(x); }}},
      {"rsqrt", {[](double x) { return 1 / std::sqrt(x); }}},
      {"tanh", {[](double x) { return std::tanh(x); }}},
      {"sin", {[](double x) { return std::sin(x); }}},
      {"fabs", {[](double x) { return std::fabs(x); }}},
      {"abs", {[](double x) { return std::fabs(x); }}},
      {"floor", {[](double x) { return std::floor(x); }}},
      {"fmax", {nullptr, [](double x, double y) { return std::fmax(x, y); }}},
      {"fmin", {nullptr, [](double x, double y) { return std::fmin(x, y); }}},
      {"max", {nullptr, [](double x, double y) { return std::fmax(x, y); }}},
      {"min", {nullptr, [](double x, double y) { return std::fmin(x, y); }}},
      {"pow", {nullptr, [](double x, double y) { return std::pow(x, y); }}},
  };
  return all;
}

/// "fmaxf", "__expf", "std::max" to the name in the table.
std::string_view plain_name(std::string_view name) {
  for (const std::string_view prefix : {"::", "std::", "__"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  if (!functions().contains(name) && name.ends_with('f')) name.remove_suffix(1);
  return name;
}

class Interpreter {
public:
  Interpreter(Arguments &arguments, std::uint64_t seed, std::uint64_t most_steps)
      : arguments_(arguments), random_(seed), steps_left_(most_steps) {}

  Result<> run(const std::vector<Statement> &statements) {
    const std::size_t scope = values_.size();
    for (const Statement &statement : statements) CUPILOT_CHECKED(run(statement));
    values_.resize(scope);
    return {};
  }

  Result<Value> evaluate(const Expr &expr) {
    CUPILOT_TRY(value, plain(expr));
    const auto type = type_of(expr.type);
    return type ? convert(value, *type) : value;
  }

private:
  struct Named {
    std::string_view name;
    Value value;
  };

  Value *find(std::string_view name) {
    const auto found =
        std::find_if(values_.rbegin(), values_.rend(), [&](const Named &one) { return one.name == name; });
    return found == values_.rend() ? nullptr : &found->value;
  }

  Result<std::byte *> element(const std::string &name, const Value &index) {
    const auto found = arguments_.buffers.find(name);
    if (found == arguments_.buffers.end()) return fail("no buffer '" + name + "'");
    const std::size_t size = size_of(found->second.type);
    if (index.integer < 0 || static_cast<std::uint64_t>(index.integer) >= found->second.bytes.size() / size)
      return fail(name + "[" + std::to_string(index.integer) + "] is outside of the buffer");
    return found->second.bytes.data() + static_cast<std::size_t>(index.integer) * size;
  }

  /// The functions of keys that order values by size and equal ones by place.
  static std::optional<Value> of_key(std::string_view name, const std::vector<Value> &values) {
    if (values.empty()) return std::nullopt;
    const auto key_of = [](float value, std::uint32_t place) -> std::uint64_t {
      if (std::isnan(value)) return 0;
      const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);
      return std::uint64_t{bits >> 31 ? ~bits : bits | 0x80000000u} << 32 | std::uint32_t{~place};
    };
    const auto value = static_cast<float>(values[0].as_real());
    const auto key = static_cast<std::uint64_t>(values[0].integer);
    if (name == "arg_key" && values.size() == 2)
      return integer_value(
          Type::u64, static_cast<std::int64_t>(key_of(value, static_cast<std::uint32_t>(values[1].integer))));
    if (name == "arg_first")
      return integer_value(Type::u64, std::isnan(value) ? -1 : static_cast<std::int64_t>(key_of(value, 0)));
    if (name == "arg_place") return integer_value(Type::u32, static_cast<std::uint32_t>(~key));
    if (name != "arg_value") return std::nullopt;
    const auto bits = static_cast<std::uint32_t>(key >> 32);
    return real_value(Type::f32, std::bit_cast<float>(bits >> 31 ? bits & 0x7fffffffu : ~bits));
  }

  Result<Value> call(const Expr &expr) {
    std::vector<Value> values;
    for (const Expr &part : expr.parts) {
      CUPILOT_TRY(value, evaluate(part));
      values.push_back(value);
    }
    const std::string_view name = plain_name(expr.text);
    const bool integers =
        std::ranges::none_of(values, [](const Value &one) { return is_floating(one.type); });
    if (integers && values.size() == 2 && (name == "max" || name == "min")) {
      const auto less = binary("<", values[0], values[1]);
      return less->truth() == (name == "max") ? values[1] : values[0];
    }
    if (integers && name == "abs" && values.size() == 1)
      return integer_value(values[0].type, std::abs(values[0].integer));
    if (name == "fma" && values.size() == 3) {
      const Type type = common_type(common_type(values[0].type, values[1].type), values[2].type);
      return real_value(type, values[0].as_real() * values[1].as_real() + values[2].as_real());
    }
    if (const auto key = of_key(expr.text, values)) return *key;
    const auto found = functions().find(name);
    if (found == functions().end()) return fail("the function '" + expr.text + "' is not known");
    const Type type = type_of(expr.type).value_or(Type::f64);
    if (found->second.of_one != nullptr && values.size() == 1)
      return real_value(type, found->second.of_one(values[0].as_real()));
    if (found->second.of_two != nullptr && values.size() == 2)
      return real_value(type, found->second.of_two(values[0].as_real(), values[1].as_real()));
    return fail("'" + expr.text + "' with " + std::to_string(values.size()) + " arguments is not known");
  }

  Result<Value> known(const std::optional<Value> &value, const Expr &expr) {
    if (value) return *value;
    return fail("'" + to_text(expr) + "' has no value");
  }

  Result<Value> plain(const Expr &expr) {
    switch (expr.kind) {
      case ExprKind::constant:
        return known(literal(expr.text), expr);
      case ExprKind::parameter:
        if (const auto found = arguments_.scalars.find(expr.text); found != arguments_.scalars.end())
          return found->second;
        return fail("no parameter '" + expr.text + "'");
      case ExprKind::axis:
      case ExprKind::value:
        if (const Value *value = find(expr.text)) return *value;
        return fail("nothing declares '" + expr.text + "'");
      case ExprKind::load: {
        CUPILOT_TRY(index, evaluate(expr.parts[0]));
        CUPILOT_TRY(place, element(expr.text, index));
        return read(arguments_.buffers.at(expr.text).type, place);
      }
      case ExprKind::unary: {
        CUPILOT_TRY(operand, evaluate(expr.parts[0]));
        return known(unary(expr.text, operand), expr);
      }
      case ExprKind::binary:
        return two(expr);
      case ExprKind::call:
        return call(expr);
      case ExprKind::select: {
        CUPILOT_TRY(condition, evaluate(expr.parts[0]));
        return evaluate(expr.parts[condition.truth() ? 1 : 2]);
      }
      case ExprKind::cast: {
        CUPILOT_TRY(operand, evaluate(expr.parts[0]));
        const auto type = type_of(expr.text);
        if (!type) return fail("the type '" + expr.text + "' is not known");
        return convert(operand, *type);
      }
      default:
        return fail("'" + to_text(expr) + "' is not known");
    }
  }

  Result<Value> two(const Expr &expr) {
    CUPILOT_TRY(left, evaluate(expr.parts[0]));
    const bool both = expr.text == "&&", either = expr.text == "||";
    if ((both && !left.truth()) || (either && left.truth())) return integer_value(Type::boolean, either);
    CUPILOT_TRY(right, evaluate(expr.parts[1]));
    if (both || either) return integer_value(Type::boolean, right.truth());
    return known(binary(expr.text, left, right), expr);
  }

  Result<Value> combined(const std::string &op, const Value &total, const Value &value, Type type) {
    if (op != "max" && op != "min") {
      const auto result = binary(op, total, value);
      if (!result) return fail("the fold '" + op + "' is not known");
      return convert(*result, type);
    }
    const Value other = convert(value, type);
    if (is_floating(type))
      return real_value(type,
                        op == "max" ? std::fmax(total.real, other.real) : std::fmin(total.real, other.real));
    const auto less = binary("<", total, other);
    return less->truth() == (op == "max") ? other : total;
  }

  Result<> loop(const Statement &statement) {
    CUPILOT_TRY(begin, evaluate(statement.begin));
    CUPILOT_TRY(end, evaluate(statement.end));
    const Type type = type_of(statement.type).value_or(Type::i32);
    Value step = integer_value(type, 1);
    if (is_set(statement.step)) {
      CUPILOT_TRY(given, evaluate(statement.step));
      step = convert(given, type);
    }
    std::vector<Value> iterations;
    Value at = convert(begin, type);
    while (binary("<", at, end)->truth()) {
      if (step.integer == 0 || iterations.size() > 10'000'000) return fail("a loop does not end");
      iterations.push_back(at);
      at = convert(*binary("+", at, step), type);
    }
    if (statement.loop != spec::LoopKind::ordered) std::ranges::shuffle(iterations, random_);
    for (const Value &iteration : iterations) {
      values_.push_back({statement.name, iteration});
      CUPILOT_CHECKED(run(statement.body));
      values_.pop_back();
    }
    return {};
  }

  Result<> run(const Statement &statement) {
    if (steps_left_-- == 0) return fail("too many steps");
    switch (statement.kind) {
      case StatementKind::value:
      case StatementKind::variable: {
        Value value;
        if (is_set(statement.value)) {
          CUPILOT_TRY(given, evaluate(statement.value));
          value = given;
        }
        const auto type = type_of(statement.type);
        values_.push_back({statement.name, type ? convert(value, *type) : value});
        return {};
      }
      case StatementKind::assign:
      case StatementKind::fold: {
        CUPILOT_TRY(value, evaluate(statement.value));
        Value *variable = find(statement.name);
        if (variable == nullptr) return fail("nothing declares '" + statement.name + "'");
        if (statement.kind == StatementKind::fold) {
          CUPILOT_TRY(total, combined(statement.op, *variable, value, variable->type));
          *variable = total;
        } else {
          *variable = convert(value, variable->type);
        }
        return {};
      }
      case StatementKind::loop:
        return loop(statement);
      case StatementKind::branch: {
        CUPILOT_TRY(condition, evaluate(statement.value));
        return run(condition.truth() ? statement.body : statement.otherwise);
      }
      case StatementKind::store:
      case StatementKind::update: {
        CUPILOT_TRY(index, evaluate(statement.index));
        CUPILOT_TRY(value, evaluate(statement.value));
        CUPILOT_TRY(place, element(statement.name, index));
        const Type type = arguments_.buffers.at(statement.name).type;
        if (statement.kind == StatementKind::store) {
          write(value, type, place);
          return {};
        }
        CUPILOT_TRY(total, combined(statement.op, read(type, place), value, type));
        write(total, type, place);
        return {};
      }
    }
    return {};
  }

  Arguments &arguments_;
  std::mt19937_64 random_;
  std::uint64_t steps_left_;
  std::vector<Named> values_;
};

}  // namespace

Result<bool> needs_hold(const spec::Lifted &lifted, const Arguments &arguments) {
  Arguments copy{arguments.scalars, {}};
  Interpreter interpreter(copy, 1, 0);
  for (const spec::Need &need : lifted.needs) {
    CUPILOT_TRY(holds, interpreter.evaluate(need.condition));
    if (!holds.truth()) return false;
  }
  return true;
}

Result<> interpret(const spec::Lifted &lifted, Arguments &arguments, std::uint64_t seed,
                   std::uint64_t most_steps) {
  return Interpreter(arguments, seed, most_steps).run(lifted.body);
}

}  // namespace cupilot::differential
