// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/code.h"

#include <fmt/format.h>

#include <optional>

#include "evolution/schedule/frame.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

namespace {

/// The function that gives the larger or smaller of two numbers of a type, if there is one.
std::optional<std::string> larger_of(const std::string &op, const std::string &type) {
  const bool max = op == "max";
  if (type == "float") return max ? "fmaxf" : "fminf";
  if (type == "double") return max ? "fmax" : "fmin";
  if (type == "__half" || type == "__nv_bfloat16") return max ? "__hmax" : "__hmin";
  if (type == "unsigned long long") return op;
  return std::nullopt;
}

std::string atomic_of(const std::string &op) {
  if (op == "+") return "atomicAdd";
  if (op == "max") return "atomicMax";
  if (op == "min") return "atomicMin";
  return op == "&" ? "atomicAnd" : op == "|" ? "atomicOr" : "atomicXor";
}

std::string loop_text(const Statement &one, const spec::OwnText &own) {
  const std::string step =
      spec::is_constant(one.step, 1) ? "++" + one.name : one.name + " += " + spec::to_text(one.step, own);
  return fmt::format("for ({} {} = {}; {} < {}; {}) {{\n{}}}\n", one.type, one.name,
                     spec::to_text(one.begin, own), one.name, limit_text(one.end, own), step,
                     indented(code_of(one.body, own), 2));
}

std::string text_of(const Statement &one, const spec::OwnText &own) {
  const auto value = [&] { return spec::to_text(one.value, own); };
  const auto element = [&] { return fmt::format("{}[{}]", one.name, spec::to_text(one.index, own)); };
  switch (one.kind) {
    case StatementKind::value:
      return fmt::format("const {} {} = {};\n", one.type, one.name, value());
    case StatementKind::variable:
      return spec::is_set(one.value) ? fmt::format("{} {} = {};\n", one.type, one.name, value())
                                     : fmt::format("{} {};\n", one.type, one.name);
    case StatementKind::assign:
      return fmt::format("{} = {};\n", one.name, value());
    case StatementKind::fold:
      return fold_text(one.name, one.op, one.type, value(), one.keeps_nan);
    case StatementKind::loop:
      return loop_text(one, own);
    case StatementKind::branch: {
      std::string text = fmt::format("if ({}) {{\n{}}}", value(), indented(code_of(one.body, own), 2));
      if (!one.otherwise.empty())
        text += fmt::format(" else {{\n{}}}", indented(code_of(one.otherwise, own), 2));
      return text + "\n";
    }
    case StatementKind::store:
      return fmt::format("{} = {};\n", element(), value());
    case StatementKind::update:
      return fmt::format("{}(&{}, {});\n", atomic_of(one.op), element(), value());
  }
  return "";
}

}  // namespace

std::string limit_text(const Expr &expr, const spec::OwnText &own) {
  const std::string text = spec::to_text(expr, own);
  const bool sum =
      expr.kind == ExprKind::binary &&
      (expr.text == "+" || expr.text == "-" || expr.text == "*" || expr.text == "/" || expr.text == "%");
  const bool choice = expr.kind == ExprKind::select || (expr.kind == ExprKind::binary && !sum);
  return choice ? "(" + text + ")" : text;
}

std::string fold_text(const std::string &target, const std::string &op, const std::string &type,
                      const std::string &value, bool keeps_nan) {
  if (keeps_nan)
    return fmt::format("{0} = ({2}) {1} {0} ? ({2}) : {0};\n", target, op == "max" ? ">" : "<", value);
  if (op == "max" || op == "min") {
    if (const auto function = larger_of(op, type))
      return fmt::format("{0} = {1}({0}, {2});\n", target, *function, value);
    return fmt::format("{0} = {0} {1} ({2}) ? {0} : ({2});\n", target, op == "max" ? ">" : "<", value);
  }
  return fmt::format("{} {}= {};\n", target, op, value);
}

std::string code_of(const std::vector<Statement> &statements, const spec::OwnText &own) {
  std::string text;
  for (const Statement &one : statements) text += text_of(one, own);
  return text;
}

std::string argument_text(const std::string &code) {
  if (code.find("arg_key(") == std::string::npos) return "";
  return R"(/// Larger for larger values, and for the earlier of equal places; 0 for NaN.
__device__ unsigned long long arg_key(float value, unsigned place) {
  if (isnan(value)) return 0;
  const unsigned bits = __float_as_uint(value + 0.0f);
  return (unsigned long long)(bits >> 31 ? ~bits : bits | 0x80000000u) << 32 | ~place;
}
__device__ unsigned long long arg_first(float value) {
  return isnan(value) ? ~0ull : arg_key(value, 0);
}
__device__ float arg_value(unsigned long long key) {
  const unsigned bits = key >> 32;
  return __uint_as_float(bits >> 31 ? bits & 0x7fffffffu : ~bits);
}
__device__ unsigned arg_place(unsigned long long key) {
  return ~(unsigned)key;
}

)";
}

Nest nest_of(const std::vector<Statement> &body) {
  Nest nest{.loops = {}, .body = &body};
  while (nest.body->size() == 1 && nest.body->front().kind == StatementKind::loop &&
         nest.body->front().loop == spec::LoopKind::independent) {
    nest.loops.push_back(&nest.body->front());
    nest.body = &nest.body->front().body;
  }
  return nest;
}

}  // namespace cupilot::schedule
