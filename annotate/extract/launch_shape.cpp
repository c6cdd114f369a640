// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/launch_shape.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "annotate/directive/expression.h"

namespace cupilot::extract {
namespace {

using Text = std::expected<std::string, std::string>;

// Chains of variables and helpers are short. Recursion (int f(int n) { return f(n); }) is cut off here.
constexpr int kMaxDepth = 24;

const clang::Expr *strip(const clang::Expr *expression) {
  while (true) {
    const clang::Expr *inner = expression->IgnoreParenImpCasts()->IgnoreImplicit();
    // Conversions between integers do not change values that are plausible as sizes.
    if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(inner);
        cast && cast->getType()->isIntegerType() && cast->getSubExpr()->getType()->isIntegerType())
      inner = cast->getSubExpr();
    if (inner == expression) return inner;
    expression = inner;
  }
}

/// The text without parentheses around the whole of it.
std::string bare(const std::string &text) {
  if (!text.starts_with('(')) return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

class ShapeReader {
public:
  ShapeReader(const clang::CUDAKernelCallExpr &launch, const clang::FunctionDecl &kernel,
              const std::set<const clang::VarDecl *> &changing, clang::ASTContext &context)
      : changing_(changing), context_(context) {
    for (unsigned i = 0; i < launch.getNumArgs() && i < kernel.getNumParams(); ++i) {
      if (!kernel.getParamDecl(i)->getType()->isIntegerType()) continue;
      // A literal 4 in the arguments is unrelated to a 4 in the configuration.
      if (fold(strip(launch.getArg(i))) && !llvm::isa<clang::DeclRefExpr>(strip(launch.getArg(i)))) continue;
      const std::string name = kernel.getParamDecl(i)->getNameAsString();
      const auto [known, fresh] = arguments_.emplace(key(launch.getArg(i)), name);
      if (!fresh)
        twice_.emplace(known->first, fmt::format("is passed for both '{}' and '{}'", known->second, name));
    }
  }

  Text integer(const clang::Expr *expression) {
    if (depth_ > kMaxDepth) return refuse(expression);
    ++depth_;
    Text text = integer_inside(strip(expression));
    --depth_;
    return text;
  }

  std::expected<std::array<std::string, 3>, std::string> dimensions(const clang::Expr *expression) {
    std::array<std::string, 3> sizes{"1", "1", "1"};
    const clang::CXXConstructExpr *construct = construction(expression);
    if (!construct) {
      if (!expression->IgnoreParenImpCasts()->getType()->isIntegerType())
        return std::unexpected(refusal(expression));
      auto text = integer(expression);
      if (!text) return std::unexpected(text.error());
      sizes[0] = bare(*text);
      return sizes;
    }
    for (unsigned i = 0; i < construct->getNumArgs() && i < 3; ++i) {
      if (llvm::isa<clang::CXXDefaultArgExpr>(construct->getArg(i))) continue;
      auto text = integer(construct->getArg(i));
      if (!text) return std::unexpected(text.error());
      sizes[i] = bare(*text);
    }
    return sizes;
  }

private:
  llvm::FoldingSetNodeID key(const clang::Expr *expression) const {
    llvm::FoldingSetNodeID id;
    // Not canonical, because that would make the first `int` parameters of two functions equal.
    strip(expression)->Profile(id, context_, false);
    return id;
  }
  struct KeyLess {
    bool operator()(const llvm::FoldingSetNodeID &a, const llvm::FoldingSetNodeID &b) const { return a < b; }
  };

  std::string source_text(const clang::Expr *expression) const {
    const auto &sources = context_.getSourceManager();
    const auto range = clang::CharSourceRange::getTokenRange(
        sources.getExpansionRange(expression->getSourceRange()).getAsRange());
    return clang::Lexer::getSourceText(range, sources, context_.getLangOpts()).str();
  }
  std::string refusal(const clang::Expr *expression) const {
    return fmt::format("'{}' cannot be computed from the kernel's arguments", source_text(expression));
  }
  Text refuse(const clang::Expr *expression) const { return std::unexpected(refusal(expression)); }

  Text integer_inside(const clang::Expr *expression) {
    // Variables that are followed were initialised earlier, when a changing variable still had another value.
    if (const auto found = arguments_.find(key(expression));
        found != arguments_.end() && (followed_ == 0 || steady(expression))) {
      const auto twice = twice_.find(found->first);
      if (twice == twice_.end()) return found->second;
      return std::unexpected(ambiguity_ = fmt::format("'{}' {}", source_text(expression), twice->second));
    }
    // A constant is folded to a number only if no argument occurs in it: the `n` of `const int n = 1024` may
    // be passed to the kernel.
    const auto constant = fold(expression);
    Text text = structure(expression);
    const bool only_numbers = text && directive::names_in_expression(*text).empty();
    return constant && ambiguity_.empty() && (!text || only_numbers) ? Text(*constant) : text;
  }

  Text structure(const clang::Expr *expression) {
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return variable(*reference);
    if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(expression)) return binary(*operation);
    if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(expression)) return unary(*operation);
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expression))
      return conditional(*choice);
    if (const auto text = rounded_up(expression)) return *text;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression)) return function_call(*call);
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) return dim3_member(*member);
    return refuse(expression);
  }

  std::optional<std::string> fold(const clang::Expr *expression) const {
    clang::Expr::EvalResult result;
    if (expression->isValueDependent() || !expression->getType()->isIntegerType() ||
        !expression->EvaluateAsInt(result, context_))
      return std::nullopt;
    llvm::SmallString<32> digits;
    result.Val.getInt().toString(digits, 10);
    return std::string(digits);
  }

  bool steady(const clang::Expr *expression) const {
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(strip(expression));
    const auto *declared = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return declared && !changing_.contains(declared);
  }

  Text variable(const clang::DeclRefExpr &reference) {
    const auto *declared = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
    if (!declared) return refuse(&reference);
    if (const auto bound = bound_.find(declared); bound != bound_.end()) return bound->second;
    const clang::Expr *initial = declared->getAnyInitializer();
    if (!initial || changing_.contains(declared) || llvm::isa<clang::ParmVarDecl>(declared))
      return refuse(&reference);
    ++followed_;
    Text text = integer(initial);
    --followed_;
    return text;
  }

  Text binary(const clang::BinaryOperator &operation) {
    if (operation.isAssignmentOp() || operation.isCommaOp() || !operation.getType()->isIntegerType())
      return refuse(&operation);
    const Text left = integer(operation.getLHS());
    if (!left) return left;
    const Text right = integer(operation.getRHS());
    if (!right) return right;
    return fmt::format("({} {} {})", *left, operation.getOpcodeStr().str(), *right);
  }

  Text unary(const clang::UnaryOperator &operation) {
    const auto code = operation.getOpcode();
    if (code != clang::UO_Minus && code != clang::UO_Plus && code != clang::UO_Not && code != clang::UO_LNot)
      return refuse(&operation);
    const Text inner = integer(operation.getSubExpr());
    if (!inner) return inner;
    return fmt::format("({}{})", clang::UnaryOperator::getOpcodeStr(code).str(), *inner);
  }

  Text conditional(const clang::ConditionalOperator &choice) {
    const Text condition = integer(choice.getCond());
    if (!condition) return condition;
    const Text yes = integer(choice.getTrueExpr());
    if (!yes) return yes;
    const Text no = integer(choice.getFalseExpr());
    if (!no) return no;
    return fmt::format("({} ? {} : {})", *condition, *yes, *no);
  }

  Text function_call(const clang::CallExpr &call) {
    const clang::FunctionDecl *function = call.getDirectCallee();
    if (!function || !call.getType()->isIntegerType()) return refuse(&call);
    const std::string name = function->getNameAsString();
    if ((name == "min" || name == "max") && call.getNumArgs() == 2) {
      const Text a = integer(call.getArg(0));
      if (!a) return a;
      const Text b = integer(call.getArg(1));
      if (!b) return b;
      return fmt::format("{}({}, {})", name, *a, *b);
    }
    return one_line_helper(call, *function);
  }

  /// `int ceil_div(int a, int b) { return (a + b - 1) / b; }`
  Text one_line_helper(const clang::CallExpr &call, const clang::FunctionDecl &function) {
    const clang::FunctionDecl *definition = function.getDefinition();
    const auto *body =
        definition ? llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody()) : nullptr;
    const auto *result =
        body && body->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(body->body_front()) : nullptr;
    if (!result || !result->getRetValue() || definition->getNumParams() != call.getNumArgs())
      return refuse(&call);
    std::map<const clang::VarDecl *, std::string> inner;
    for (unsigned i = 0; i < call.getNumArgs(); ++i) {
      Text argument = integer(call.getArg(i));
      if (!argument) return argument;
      inner[definition->getParamDecl(i)] = *argument;
    }
    std::swap(bound_, inner);
    Text text = integer(result->getRetValue());
    std::swap(bound_, inner);
    return text;
  }

  /// `ceil(n / 256.0)` is an integer division that rounds up. No other floating-point expression is followed.
  std::optional<std::string> rounded_up(const clang::Expr *expression) {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParenCasts());
    const clang::FunctionDecl *function = call ? call->getDirectCallee() : nullptr;
    if (!function || call->getNumArgs() != 1) return std::nullopt;
    const std::string name = function->getNameAsString();
    if (name != "ceil" && name != "ceilf") return std::nullopt;
    const clang::Expr *inside = call->getArg(0)->IgnoreParenImpCasts();
    if (inside->getType()->isIntegerType()) {
      const Text text = integer(inside);
      return text ? std::optional(*text) : std::nullopt;
    }
    const auto *division = llvm::dyn_cast<clang::BinaryOperator>(inside);
    if (!division || division->getOpcode() != clang::BO_Div) return std::nullopt;
    const auto a = whole(division->getLHS()), b = whole(division->getRHS());
    if (!a || !b) return std::nullopt;
    return fmt::format("(({} + {} - 1) / {})", *a, *b, *b);
  }

  /// The integer expression inside `(float)n`; 256 for `256.0`.
  std::optional<std::string> whole(const clang::Expr *expression) {
    llvm::APFloat number(0.0);
    if (expression->EvaluateAsFloat(number, context_) && number.isInteger()) {
      llvm::APSInt integer_value(64, false);
      bool exact = false;
      number.convertToInteger(integer_value, llvm::APFloat::rmTowardZero, &exact);
      return std::to_string(integer_value.getExtValue());
    }
    const clang::Expr *inner = expression->IgnoreParenCasts();
    if (!inner->getType()->isIntegerType()) return std::nullopt;
    const Text text = integer(inner);
    return text ? std::optional(*text) : std::nullopt;
  }

  /// The dim3 constructor call behind an expression, or behind a variable that is never written again.
  const clang::CXXConstructExpr *construction(const clang::Expr *expression, int depth = 0) {
    if (!expression || depth > kMaxDepth) return nullptr;
    const clang::Expr *inner =
        expression->IgnoreParens()->IgnoreImplicit()->IgnoreParenCasts()->IgnoreImplicit();
    if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(inner)) {
      if (!construct->getConstructor()->isCopyOrMoveConstructor()) return construct;
      return construction(construct->getArg(0), depth + 1);
    }
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(inner);
    const auto *declared = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (!declared || changing_.contains(declared) || !declared->getType()->isRecordType()) return nullptr;
    return construction(declared->getAnyInitializer(), depth + 1);
  }

  Text dim3_member(const clang::MemberExpr &member) {
    const std::string name = member.getMemberDecl()->getNameAsString();
    const clang::CXXConstructExpr *construct = construction(member.getBase());
    const auto axis = std::string_view("xyz").find(name);
    if (!construct || name.size() != 1 || axis == std::string_view::npos) return refuse(&member);
    if (axis >= construct->getNumArgs()) return "1";
    const clang::Expr *argument = construct->getArg(static_cast<unsigned>(axis));
    if (llvm::isa<clang::CXXDefaultArgExpr>(argument)) return "1";
    ++followed_;
    Text text = integer(argument);
    --followed_;
    return text;
  }

  const std::set<const clang::VarDecl *> &changing_;
  clang::ASTContext &context_;
  std::map<llvm::FoldingSetNodeID, std::string, KeyLess> arguments_;
  std::map<llvm::FoldingSetNodeID, std::string, KeyLess>
      twice_;  ///< arguments passed for two parameters, and an explanation
  std::map<const clang::VarDecl *, std::string> bound_;  ///< parameters of the helper being followed
  std::string ambiguity_;                                ///< once set, constants are no longer folded
  int depth_ = 0, followed_ = 0;
};

}  // namespace

std::expected<spec::LaunchShape, std::string> launch_shape(const clang::CUDAKernelCallExpr &launch,
                                                           const clang::FunctionDecl &kernel,
                                                           const std::set<const clang::VarDecl *> &changing,
                                                           clang::ASTContext &context) {
  ShapeReader reader(launch, kernel, changing, context);
  const clang::CallExpr *configuration = launch.getConfig();
  if (!configuration || configuration->getNumArgs() < 2)
    return std::unexpected("its launch configuration has an unsupported form");
  spec::LaunchShape shape;
  shape.from_source = true;
  auto grid = reader.dimensions(configuration->getArg(0));
  if (!grid) return std::unexpected(grid.error());
  auto block = reader.dimensions(configuration->getArg(1));
  if (!block) return std::unexpected(block.error());
  shape.grid = *grid;
  shape.block = *block;
  const clang::Expr *shared = configuration->getNumArgs() > 2 ? configuration->getArg(2) : nullptr;
  if (!shared || llvm::isa<clang::CXXDefaultArgExpr>(shared)) return shape;
  auto bytes = reader.integer(shared);
  if (!bytes) return std::unexpected(bytes.error());
  shape.shared_bytes = bare(*bytes);
  return shape;
}

}  // namespace cupilot::extract
