// SPDX-License-Identifier: Apache-2.0
//
// One walk over the kernel and the functions it calls collects assignments, array accesses, comparisons and
// divisions, each with the loops around it. The facts are then derived from these lists. The parameters of a
// called function count as variables that are assigned the arguments.

#include "annotate/extract/code_facts.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace cupilot {
namespace {

using clang::Expr;
using clang::Stmt;
using clang::VarDecl;
using Code = clang::BinaryOperatorKind;
using Names = std::set<llvm::StringRef>;
using Variables = std::set<const VarDecl *>;
using Kernels = std::span<const clang::FunctionDecl *const>;

constexpr int kMostCalls = 256;  ///< limit on functions walked through; a function called twice counts twice
constexpr std::size_t kDeepestCall = 16;

const Names kTranscendental{"log",  "logf",   "log2", "log2f", "log1p",  "log1pf", "__logf", "pow",
                            "powf", "__powf", "sin",  "sinf",  "__sinf", "cos",    "cosf",   "__cosf",
                            "tanh", "tanhf",  "erf",  "erff",  "erfc",   "erfcf",  "tanf",   "sincosf"};
const Names kExponentials{"exp",   "expf",   "exp2",   "exp2f",   "exp10", "exp10f",
                          "expm1", "expm1f", "__expf", "__exp2f", "hexp",  "h2exp"};
const Names kRoots{"sqrt", "sqrtf", "rsqrt", "rsqrtf", "__frsqrt_rn", "__fsqrt_rn", "hrsqrt"};
const Names kFolds{"fmaxf", "fmax", "max", "fminf", "fmin", "min", "__hmax", "__hmin"};
const Names kFused{"fma", "fmaf", "__fmaf_rn", "__fma_rn", "__hfma", "__hfma2"};
const Names kCachedLoads{"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu"};

/// The expression without parentheses, casts, temporaries and copies.
const Expr *bare(const Expr *expression) {
  while (true) {
    const Expr *inner = expression->IgnoreParenCasts()->IgnoreImplicit();
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(inner); made && made->getNumArgs() == 1)
      inner = made->getArg(0);
    if (const auto *constant = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(inner))
      inner = constant->getReplacement();
    if (inner == expression) return inner;
    expression = inner;
  }
}

/// `a op b` on numbers or on a class with overloaded operators, `+=` included.
struct Operation {
  Code code;
  const Expr *left, *right;
};
std::optional<Operation> operation_of(const Expr *expression) {
  if (const auto *plain = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return Operation{plain->getOpcode(), plain->getLHS(), plain->getRHS()};
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
  if (!call || call->getNumArgs() != 2 || call->getOperator() == clang::OO_Subscript) return std::nullopt;
  if (!call->isInfixBinaryOp() && !call->isAssignmentOp()) return std::nullopt;
  return Operation{clang::BinaryOperator::getOverloadedOpcode(call->getOperator()), call->getArg(0),
                   call->getArg(1)};
}
bool is_product(const std::optional<Operation> &operation) {
  return operation && operation->code == clang::BO_Mul;
}
bool is_sum(const std::optional<Operation> &operation) {
  return operation && (operation->code == clang::BO_Add || operation->code == clang::BO_Sub);
}
bool compares(const Operation &operation) {
  return operation.code == clang::BO_LT || operation.code == clang::BO_GT || operation.code == clang::BO_LE ||
         operation.code == clang::BO_GE;
}

const VarDecl *variable_of(const Expr *expression) {
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(bare(expression));
  return name ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

bool is_constant(const Expr *expression, const clang::ASTContext &context) {
  return !expression->isValueDependent() && expression->isEvaluatable(context);
}

struct Coordinate {
  llvm::StringRef object, axis;  ///< "threadIdx", "x"
};
std::optional<Coordinate> coordinate_of(const Expr *expression) {
  const Expr *base = nullptr;
  llvm::StringRef axis;
  if (const auto *pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(expression))
    if (const auto *property = llvm::dyn_cast<clang::MSPropertyRefExpr>(pseudo->getSyntacticForm())) {
      base = property->getBaseExpr();
      axis = property->getPropertyDecl()->getName();
    }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression);
      member && member->getMemberDecl()->getIdentifier()) {
    base = member->getBase();
    axis = member->getMemberDecl()->getName();
  }
  if (const auto *opaque = llvm::dyn_cast_or_null<clang::OpaqueValueExpr>(base))
    base = opaque->getSourceExpr();
  const VarDecl *object = base ? variable_of(base) : nullptr;
  if (!object || !object->getIdentifier()) return std::nullopt;
  const llvm::StringRef name = object->getName();
  if (name != "threadIdx" && name != "blockIdx") return std::nullopt;
  return Coordinate{name, axis};
}

/// The name of the called function, even if it is not declared anywhere.
std::string callee_of(const Expr *expression, const clang::ASTContext &context) {
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    if (const auto *function = call->getDirectCallee()) return function->getNameAsString();
    if (const auto *lookup = llvm::dyn_cast<clang::OverloadExpr>(call->getCallee()->IgnoreParenImpCasts()))
      return lookup->getName().getAsString();
  }
  if (!llvm::isa<clang::CallExpr, clang::RecoveryExpr>(expression)) return "";
  const auto &sources = context.getSourceManager();
  const auto place = sources.getSpellingLoc(expression->getBeginLoc());
  return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(place, place), sources,
                                     context.getLangOpts())
      .str();
}
bool calls_one_of(const Expr *expression, const Names &names, const clang::ASTContext &context) {
  return llvm::isa<clang::CallExpr, clang::RecoveryExpr>(expression) &&
         names.contains(callee_of(expression, context));
}

/// Visits `expression` and every expression below it. Returning false from `visit` skips the expressions
/// below.
void for_each(const Expr *expression, const std::function<bool(const Expr *)> &visit) {
  expression = bare(expression);
  if (!visit(expression)) return;
  if (const auto *pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(expression); pseudo) return;
  for (const Stmt *child : expression->children())
    if (const auto *below = llvm::dyn_cast_or_null<Expr>(child)) for_each(below, visit);
}
bool any(const Expr *expression, const std::function<bool(const Expr *)> &fits) {
  bool found = false;
  for_each(expression, [&](const Expr *one) { return !(found = found || fits(one)); });
  return found;
}
bool mentions(const Expr *expression, const VarDecl *variable) {
  return any(expression, [&](const Expr *one) { return variable_of(one) == variable; });
}

/// A key that is the same for equal expressions, regardless of casts and parentheses.
std::string text_of(const Expr *expression) {
  expression = bare(expression);
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return std::to_string(reinterpret_cast<std::uintptr_t>(name->getDecl()));
  if (const auto place = coordinate_of(expression)) return (place->object + "." + place->axis).str();
  // Not getStmtClassName(): its table is filled at the first call, and a second thread may read it half filled.
  std::string text = std::to_string(expression->getStmtClass());
  if (const auto *number = llvm::dyn_cast<clang::IntegerLiteral>(expression))
    text += llvm::toString(number->getValue(), 10, false);
  if (const auto *number = llvm::dyn_cast<clang::FloatingLiteral>(expression))
    text += std::to_string(number->getValueAsApproximateDouble());
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression))
    text += std::to_string(reinterpret_cast<std::uintptr_t>(member->getMemberDecl()));
  if (const auto operation = operation_of(expression)) text += std::to_string(operation->code);
  text += "(";
  for (const Stmt *child : expression->children())
    if (const auto *below = llvm::dyn_cast_or_null<Expr>(child)) text += text_of(below) + ",";
  return text + ")";
}

/// `array[i][j]`, `*(array + i)`, `__ldg(array + i)`.
struct Access {
  const VarDecl *array = nullptr;  ///< null when the accessed object is not a variable
  std::vector<const Expr *> indices;
  int loop = 0;
};

/// The variable that a pointer expression starts from. Offsets added on the way are appended to `indices`.
const VarDecl *base_of(const Expr *pointer, std::vector<const Expr *> &indices) {
  pointer = bare(pointer);
  if (const auto operation = operation_of(pointer); is_sum(operation)) {
    const bool left = !operation->left->getType()->isIntegralOrEnumerationType();
    indices.push_back(left ? operation->right : operation->left);
    return base_of(left ? operation->left : operation->right, indices);
  }
  if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(pointer)) {
    const VarDecl *array = base_of(subscript->getBase(), indices);
    indices.push_back(subscript->getIdx());
    return array;
  }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(pointer);
      unary && (unary->getOpcode() == clang::UO_AddrOf || unary->getOpcode() == clang::UO_Deref))
    return base_of(unary->getSubExpr(), indices);
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(pointer);
      call && call->getOperator() == clang::OO_Subscript) {
    const VarDecl *array = base_of(call->getArg(0), indices);
    indices.push_back(call->getArg(1));
    return array;
  }
  return variable_of(pointer);
}

std::optional<Access> access_of(const Expr *expression, const clang::ASTContext &context) {
  Access access;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression);
      call && call->getNumArgs() == 1 && calls_one_of(expression, kCachedLoads, context)) {
    access.array = base_of(call->getArg(0), access.indices);
    return access;
  }
  const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
  if (!llvm::isa<clang::ArraySubscriptExpr>(expression) &&
      !(unary && unary->getOpcode() == clang::UO_Deref) &&
      !(call && call->getOperator() == clang::OO_Subscript))
    return std::nullopt;
  access.array = base_of(expression, access.indices);
  return access;
}

enum class Change { set, add, multiply, other };

struct Assigned {
  const VarDecl *target = nullptr;
  Change change = Change::set;
  const Expr *value = nullptr;
  std::optional<Access> element = std::nullopt;  ///< the written element, unless `target` itself is written
  const Expr *condition = nullptr;
  int loop = 0, depth = 0;
  bool in_header = false;  ///< in the header of a loop
  bool is_argument = false;
};

/// The result of the walk.
struct Found {
  std::vector<Assigned> assigned;
  std::vector<Access> accesses;
  std::vector<Operation> comparisons;
  std::vector<const Expr *> headers;  ///< everything in the parentheses of loops
  Variables steps;                    ///< variables stepped in a loop header: `++i`
  std::map<int, Variables> changed;   ///< variables that change in a loop and in its inner loops, by loop
  CodeFacts facts;
};

class Walk {
public:
  explicit Walk(clang::ASTContext &context) : context_(context) {}

  Found run(Kernels kernels) {
    for (const clang::FunctionDecl *kernel : kernels) {
      if (const auto *pattern = kernel->getPrimaryTemplate())
        for (const clang::NamedDecl *parameter : *pattern->getTemplateParameters()) note_name(parameter);
      walk(*kernel, {});
    }
    found_.facts.known = true;
    return std::move(found_);
  }

private:
  void note_name(const clang::NamedDecl *named) {
    if (!named || !named->getIdentifier()) return;
    static const Names filters{"kh", "kw", "ksize", "kernel_size", "kernel_h", "kernel_w", "fh", "fw", "pad"};
    const std::string name = named->getName().lower();
    const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
    found_.facts.named_convolution |= filters.contains(name) || (has("conv") && !has("convert")) ||
                                      has("padding") || has("dilation") || has("filter");
    found_.facts.named_loss |= has("loss") || has("entropy") || has("label") || name.starts_with("target");
  }

  void walk(const clang::FunctionDecl &function, llvm::ArrayRef<const Expr *> arguments) {
    const clang::FunctionDecl *definition = nullptr, *pattern = function.getTemplateInstantiationPattern();
    if (!function.hasBody(definition) && !(pattern && pattern->hasBody(definition))) return;
    if (calls_++ >= kMostCalls || inside_.size() >= kDeepestCall) return;
    if (std::ranges::find(inside_, definition) != inside_.end()) return;
    inside_.push_back(definition);
    note_name(definition);
    for (unsigned i = 0; i < definition->getNumParams(); ++i) {
      note_name(definition->getParamDecl(i));
      if (i < arguments.size())
        assign({.target = definition->getParamDecl(i), .value = arguments[i], .is_argument = true});
    }
    const bool header = std::exchange(in_header_, false);
    visit(definition->getBody());
    in_header_ = header;
    inside_.pop_back();
  }

  void assign(Assigned one) {
    one.condition = condition_;
    one.loop = loops_.empty() ? 0 : loops_.back();
    one.depth = static_cast<int>(loops_.size());
    one.in_header = in_header_;
    if (!one.is_argument) change(one.target);
    found_.assigned.push_back(std::move(one));
  }
  void change(const VarDecl *variable) {
    for (const int loop : loops_) found_.changed[loop].insert(variable);
  }

  void visit_all(std::initializer_list<const Stmt *> parts) {
    for (const Stmt *part : parts) visit(part);
  }

  void visit(const Stmt *statement) {
    if (!statement) return;
    if (const auto *expression = llvm::dyn_cast<Expr>(statement)) return visit_expression(expression);
    if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(statement))
      return visit_loop({loop->getInit(), loop->getCond(), loop->getInc()}, loop->getBody());
    if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(statement))
      return visit_loop({loop->getCond()}, loop->getBody());
    if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(statement))
      return visit_loop({loop->getCond()}, loop->getBody());
    if (const auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement))
      return visit_loop({loop->getRangeInit(), loop->getLoopVarStmt()}, loop->getBody());
    if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(statement)) return visit_branch(*branch);
    if (const auto *declared = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl *one : declared->decls())
        if (const auto *variable = llvm::dyn_cast<VarDecl>(one)) declare(*variable);
      return;
    }
    if (const auto *assembler = llvm::dyn_cast<clang::GCCAsmStmt>(statement))
      found_.facts.has_matrix_unit |= assembler->getAsmString().find("mma") != std::string::npos;
    for (const Stmt *child : statement->children()) visit(child);
  }

  void visit_loop(std::initializer_list<const Stmt *> header, const Stmt *body) {
    found_.facts.has_loop = true;
    loops_.push_back(++count_);
    const bool outer = std::exchange(in_header_, true);
    visit_all(header);
    in_header_ = false;
    visit(body);
    in_header_ = outer;
    loops_.pop_back();
  }

  void visit_branch(const clang::IfStmt &branch) {
    visit_all({branch.getInit(), branch.getConditionVariableDeclStmt(), branch.getCond()});
    const Expr *outer = std::exchange(condition_, branch.getCond());
    visit_all({branch.getThen(), branch.getElse()});
    condition_ = outer;
  }

  void declare(const VarDecl &variable) {
    note_name(&variable);
    note_variable(variable);
    if (!variable.getInit()) return;
    assign({.target = &variable, .value = variable.getInit()});
    visit(variable.getInit());
  }
  void note_variable(const VarDecl &variable) {
    found_.facts.has_shared_memory |= variable.hasAttr<clang::CUDASharedAttr>();
    const auto *element = variable.getType().getNonReferenceType()->getBaseElementTypeUnsafe();
    found_.facts.computes_in_double |= is_double(clang::QualType(element, 0));
  }
  static bool is_double(clang::QualType type) {
    return type->isSpecificBuiltinType(clang::BuiltinType::Double);
  }

  void visit_expression(const Expr *expression) {
    expression = expression->IgnoreParenImpCasts();
    if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expression)) {
      found_.facts.computes_in_double |= is_double(cast->getType());
      return visit_expression(cast->getSubExpr());
    }
    if (const Expr *inner = bare(expression); inner != expression) return visit_expression(inner);
    if (in_header_) found_.headers.push_back(expression);
    if (const auto place = coordinate_of(expression)) {
      found_.facts.is_two_dimensional |= place->axis == "y";
      return;
    }
    if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return visit_name(*name);
    if (const auto operation = operation_of(expression)) visit_operation(*operation, expression);
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
        unary && unary->isIncrementDecrementOp())
      if (const VarDecl *variable = variable_of(unary->getSubExpr())) {
        change(variable);
        if (in_header_ && unary->isIncrementOp()) found_.steps.insert(variable);
      }
    if (auto access = access_of(expression, context_)) {
      access->loop = loops_.empty() ? 0 : loops_.back();
      found_.accesses.push_back(std::move(*access));
    }
    if (llvm::isa<clang::CallExpr, clang::RecoveryExpr>(expression)) visit_call(expression);
    if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(expression)) return visit(lambda->getBody());
    for (const Stmt *child : expression->children()) visit(child);
  }

  void visit_name(const clang::DeclRefExpr &name) {
    if (const auto *variable = llvm::dyn_cast<VarDecl>(name.getDecl())) {
      if (!variable->isLocalVarDeclOrParm()) note_name(variable);
      found_.facts.has_shared_memory |= variable->hasAttr<clang::CUDASharedAttr>();
    }
  }

  void visit_operation(const Operation &operation, const Expr *expression) {
    const Code code = operation.code;
    if (code == clang::BO_Div || code == clang::BO_Rem || code == clang::BO_DivAssign ||
        code == clang::BO_RemAssign)
      found_.facts.divides |= !is_constant(operation.right, context_);
    found_.facts.computes_in_double |= is_double(expression->getType());
    if (const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(expression))
      found_.facts.computes_in_double |= is_double(compound->getComputationResultType());
    if (compares(operation)) found_.comparisons.push_back(operation);
    if (clang::BinaryOperator::isAssignmentOp(code)) visit_assignment(operation);
  }

  void visit_assignment(const Operation &operation) {
    Assigned one{.value = operation.right};
    const Code code = operation.code;
    one.change = code == clang::BO_Assign                                     ? Change::set
                 : code == clang::BO_AddAssign || code == clang::BO_SubAssign ? Change::add
                 : code == clang::BO_MulAssign                                ? Change::multiply
                                                                              : Change::other;
    const Expr *left = bare(operation.left);
    while (const auto *member = llvm::dyn_cast<clang::MemberExpr>(left)) left = bare(member->getBase());
    one.element = access_of(left, context_);
    one.target = one.element ? one.element->array : variable_of(left);
    if (one.target || one.element) assign(std::move(one));
  }

  void visit_call(const Expr *expression) {
    const std::string name = callee_of(expression, context_);
    note_callee(name);
    const auto *call = llvm::dyn_cast<clang::CallExpr>(expression);
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    if (!callee) return;
    found_.facts.computes_in_double |= is_double(callee->getReturnType());
    note_name(callee);
    if (kFolds.contains(name)) return;
    const auto &sources = context_.getSourceManager();
    if (sources.isInSystemHeader(sources.getExpansionLoc(callee->getLocation()))) {
      const std::string path = llvm::StringRef(callee->getQualifiedNameAsString()).lower();
      found_.facts.calls_reduction |= path.find("reduce") != std::string::npos && !name.starts_with("__");
      found_.facts.scans |=
          path.find("blockscan") != std::string::npos || path.find("warpscan") != std::string::npos;
      return;
    }
    const bool method =
        llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee);
    walk(*callee, llvm::ArrayRef(call->getArgs(), call->getNumArgs()).drop_front(method ? 1 : 0));
  }

  void note_callee(llvm::StringRef name) {
    CodeFacts &facts = found_.facts;
    facts.has_barrier |= name.starts_with("__syncthreads");
    facts.has_shuffle |= name.contains("shfl") || name.starts_with("__reduce_");
    facts.shuffles_up |= name.contains("shfl_up");
    facts.folds_lanes |=
        name.contains("shfl_down") || name.contains("shfl_xor") || name.starts_with("__reduce_");
    facts.has_atomic |= name.starts_with("atomic");
    facts.has_matrix_unit |= name == "__dp4a" || name.starts_with("mma") || name.starts_with("wmma") ||
                             name.starts_with("wgmma") || name.contains("_mma") ||
                             name.contains("matrix_sync");
    facts.divides |= name == "__fdividef";
    facts.has_exponential |= kExponentials.contains(name);
    facts.has_transcendental |= kExponentials.contains(name) || kTranscendental.contains(name);
    facts.has_root |= kRoots.contains(name);
  }

  clang::ASTContext &context_;
  Found found_;
  std::vector<const clang::FunctionDecl *> inside_;  ///< functions on the current path
  std::vector<int> loops_;                           ///< numbers of the enclosing loops
  const Expr *condition_ = nullptr;                  ///< condition of the innermost `if`
  bool in_header_ = false;
  int calls_ = 0, count_ = 0;
};

class Teller {
public:
  Teller(Found found, Kernels kernels, const clang::ASTContext &context)
      : found_(std::move(found)), facts_(found_.facts), context_(context) {
    for (const clang::FunctionDecl *kernel : kernels) add_arrays(*kernel);
    for (const Assigned &one : found_.assigned)
      if (one.target && !one.element) values_[one.target].push_back(&one);
  }

  CodeFacts tell() {
    for (const Access &one : found_.accesses)
      for (const Expr *index : one.indices) note_index(index);
    for (const Assigned &one : found_.assigned)
      if (!one.element) look_at_definition(one);
    for (const Access &one : found_.accesses) look_at_access(one);
    for (const Assigned &one : found_.assigned) look_at_loop(one);
    for (const Assigned &one : found_.assigned) look_at_rest(one);
    facts_.is_stencil = std::ranges::any_of(offsets_, [](const auto &one) { return one.second.size() > 1; });
    for (const Expr *header : found_.headers) facts_.has_loaded_bounds |= is_loaded(header);
    for (const Operation &one : found_.comparisons)
      facts_.compares_indices |= is_index(one.left) && is_index(one.right);
    return facts_;
  }

private:
  /// Uses the parameters of the definition, because those of a declaration are other variables.
  void add_arrays(const clang::FunctionDecl &kernel) {
    const clang::FunctionDecl *definition = kernel.getDefinition();
    for (const clang::ParmVarDecl *parameter : (definition ? *definition : kernel).parameters())
      if (parameter->getType()->isPointerType()) arrays_.insert(parameter);
  }

  void note_index(const Expr *index) {
    for_each(index, [&](const Expr *one) {
      if (const VarDecl *variable = variable_of(one); variable && in_indices_.insert(variable).second)
        for (const Assigned *value : values_[variable])
          if (value->is_argument) note_index(value->value);
      return true;
    });
  }

  /// Collects the variables assigned to `pointer`, transitively.
  void add_roots(const VarDecl *pointer, Variables &roots) const {
    if (!roots.insert(pointer).second || arrays_.contains(pointer)) return;
    const auto known = values_.find(pointer);
    if (known == values_.end()) return;
    for (const Assigned *one : known->second) {
      std::vector<const Expr *> indices;
      if (const VarDecl *base = one->change == Change::set ? base_of(one->value, indices) : nullptr)
        add_roots(base, roots);
    }
  }
  /// The kernel parameters that a pointer may come from.
  const Variables &parameters_of(const VarDecl *array) const {
    const auto [known, fresh] = parameters_.try_emplace(array);
    if (!fresh) return known->second;
    Variables roots;
    if (array) add_roots(array, roots);
    std::erase_if(roots, [&](const VarDecl *one) { return !arrays_.contains(one); });
    return known->second = std::move(roots);
  }
  bool is_parameter(const VarDecl *array) const { return !parameters_of(array).empty(); }
  bool is_integer_parameter(const VarDecl *array) const {
    return std::ranges::any_of(parameters_of(array), [](const VarDecl *one) {
      return one->getType()->getPointeeType()->isIntegralOrEnumerationType();
    });
  }

  // The distance between the values in threads that are neighbours along x.
  enum class Stride { none, one, more };
  Stride stride_of(const Expr *expression) const {
    expression = bare(expression);
    if (const auto place = coordinate_of(expression))
      return place->object == "threadIdx" && place->axis == "x" ? Stride::one : Stride::none;
    if (const VarDecl *variable = variable_of(expression)) return stride_of_variable(variable);
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expression))
      return std::max(stride_of(choice->getTrueExpr()), stride_of(choice->getFalseExpr()));
    const auto operation = operation_of(expression);
    if (!operation) return Stride::none;
    const Stride left = stride_of(operation->left), right = stride_of(operation->right);
    switch (operation->code) {
      case clang::BO_Add:
      case clang::BO_Sub:
        return std::max(left, right);
      case clang::BO_Mul:
      case clang::BO_Shl:
        return left == Stride::none && right == Stride::none ? Stride::none : Stride::more;
      case clang::BO_Rem:
      case clang::BO_And:
        return left;
      default:
        return Stride::none;
    }
  }
  Stride stride_of_variable(const VarDecl *variable) const {
    const auto [known, fresh] = strides_.try_emplace(variable, Stride::none);
    const auto values = values_.find(variable);
    if (!fresh || values == values_.end() || variable->getType()->isPointerType()) return known->second;
    Stride stride = Stride::none;
    for (const Assigned *one : values->second)
      if (one->change == Change::set) stride = std::max(stride, stride_of(one->value));
    return known->second = stride;
  }

  bool loops_over(const VarDecl *variable) const { return loop_names_.contains(variable); }
  bool slides(const VarDecl *variable) const {
    return loops_over(variable) && found_.steps.contains(variable);
  }

  /// Handles definitions: `int row = ...`, `float a = A[i]`, `const float *row = x + r * n`.
  void look_at_definition(const Assigned &one) {
    const bool pointer = one.target->getType()->isPointerType();
    if (one.in_header) loop_names_.insert(one.target);
    if (!one.is_argument && (one.in_header || !is_constant(one.value, context_))) varying_.insert(one.target);
    if (one.change != Change::set) return;
    std::vector<Access> loads = accesses_in(one.value);
    if (loads.size() == 1 && !loads[0].indices.empty() && !pointer) loaded_[one.target] = loads[0];
    std::vector<const Expr *> indices;
    if (!pointer || !base_of(one.value, indices) || is_subscript(one.value)) return;
    for (const Expr *index : indices) {
      facts_.has_rows |= has_product(index);
      facts_.is_strided |= stride_of(index) == Stride::more;
      if (!one.is_argument) pointers_.insert(one.target);
    }
  }
  /// `const float *row = rows[i]` is a load, not a pointer with an offset.
  static bool is_subscript(const Expr *value) { return llvm::isa<clang::ArraySubscriptExpr>(bare(value)); }

  std::vector<Access> accesses_in(const Expr *expression) const {
    std::vector<Access> all;
    for_each(expression, [&](const Expr *one) {
      if (auto access = access_of(one, context_)) {
        for (const Expr *index : access->indices) {
          auto inner = accesses_in(index);
          std::ranges::move(inner, std::back_inserter(all));
        }
        all.push_back(std::move(*access));
        return false;
      }
      return true;
    });
    return all;
  }

  static bool has_product(const Expr *expression) {
    return any(expression, [](const Expr *one) { return is_product(operation_of(one)); });
  }
  static bool has_sum(const Expr *expression) {
    return any(expression, [](const Expr *one) { return is_sum(operation_of(one)); });
  }

  void look_at_access(const Access &one) {
    for (std::size_t d = 0; d < one.indices.size(); ++d) {
      const Expr *index = bare(one.indices[d]);
      facts_.has_rows |= has_product(index) && has_sum(index);
      facts_.is_strided |= is_parameter(one.array) && stride_of(index) == Stride::more;
      facts_.has_window |= is_window(index);
      facts_.has_strided_loop |= (is_parameter(one.array) || pointers_.contains(one.array)) &&
                                 any(index, [&](const Expr *part) { return is_multiplied_step(part); });
      facts_.gathers |= is_loaded(index);
      if (const auto offset = operation_of(index); is_sum(offset))
        offsets_[{one.array, std::to_string(d) + text_of(offset->left)}].insert(offset->code);
    }
  }
  /// `r * n`, where r is the index of a loop.
  bool is_multiplied_step(const Expr *expression) const {
    const auto operation = operation_of(expression);
    return is_product(operation) &&
           (loops_over(variable_of(operation->left)) || loops_over(variable_of(operation->right)));
  }

  /// `i + k`, where both advance by one and at least one of them is the index of a loop.
  bool is_window(const Expr *index) const {
    return any(index, [&](const Expr *one) {
      if (!is_sum(operation_of(one))) return false;
      Variables moving;
      bool sliding = false;
      add_terms(one, moving, sliding);
      return sliding && moving.size() > 1;
    });
  }
  void add_terms(const Expr *expression, Variables &moving, bool &sliding) const {
    expression = bare(expression);
    if (const auto operation = operation_of(expression); is_sum(operation)) {
      add_terms(operation->left, moving, sliding);
      if (operation->code == clang::BO_Add) add_terms(operation->right, moving, sliding);
    } else if (const VarDecl *variable = variable_of(expression)) {
      if (slides(variable) || stride_of(expression) == Stride::one) moving.insert(variable);
      sliding = sliding || slides(variable);
    }
  }

  /// Whether the expression contains an element of an integer array or a variable loaded from one.
  bool is_loaded(const Expr *expression) const {
    return any(expression, [&](const Expr *one) {
      if (const auto access = access_of(one, context_); access && !access->indices.empty())
        return is_integer_parameter(access->array);
      const VarDecl *variable = variable_of(one);
      const auto load = variable ? loaded_.find(variable) : loaded_.end();
      return load != loaded_.end() && is_integer_parameter(load->second.array);
    });
  }

  /// A thread coordinate, a varying variable that is used in indices, or a parameter that receives one.
  bool is_index(const Expr *expression) const {
    expression = bare(expression);
    if (coordinate_of(expression)) return true;
    const VarDecl *variable = variable_of(expression);
    if (!variable) return false;
    if (varying_.contains(variable)) return in_indices_.contains(variable);
    const auto [known, fresh] = passed_indices_.try_emplace(variable, false);
    const auto values = values_.find(variable);
    if (!fresh || values == values_.end()) return known->second;
    return known->second = std::ranges::any_of(
               values->second, [&](const Assigned *one) { return one->is_argument && is_index(one->value); });
  }

  void look_at_loop(const Assigned &one) {
    if (one.is_argument || one.in_header) return;
    facts_.stores |= one.element.has_value();
    if (one.depth == 0 || !one.target) return;
    if (adds_up(one)) {
      facts_.sums = true;
      running_[one.loop].insert(one.target);
      note_product(one);
    } else if (folds(one)) {
      facts_.folds = true;
      running_[one.loop].insert(one.target);
      if (one.condition) fold_conditions_.insert(one.condition);
    }
  }

  /// Handles facts that require all sums and folds to be known.
  void look_at_rest(const Assigned &one) {
    if (one.is_argument || one.in_header || one.depth == 0 || adds_up(one)) return;
    if (!one.element) {
      const VarDecl *place = variable_of(one.value);
      facts_.keeps_place |= place && one.change == Change::set && fold_conditions_.contains(one.condition) &&
                            !is_running(one) && loops_over(place);
    } else if (!folds(one)) {
      const auto running = running_.find(one.loop);
      facts_.scans |=
          running != running_.end() &&
          std::ranges::any_of(running->second, [&](const VarDecl *sum) { return mentions(one.value, sum); });
    }
  }
  bool is_running(const Assigned &one) const {
    const auto running = running_.find(one.loop);
    return running != running_.end() && running->second.contains(one.target);
  }

  /// Whether the assignment accumulates a sum. Indices and pointers that advance do not count, nor does an
  /// array of the kernel when every iteration changes another element.
  bool adds_up(const Assigned &one) const {
    if (!one.target || one.change == Change::other) return false;
    const bool again = mentions(one.value, one.target);
    if (one.change == Change::set && !(again && (is_sum_of(one.value) || is_fused(one.value)))) return false;
    if (one.element) return !is_parameter(one.target) || stays(one);
    const bool moves = in_indices_.contains(one.target) || one.target->getType()->isPointerType();
    return !moves && !is_constant(one.value, context_);
  }
  static bool is_sum_of(const Expr *value) {
    bool found = false;
    for_each(value, [&](const Expr *one) {
      found = found || is_sum(operation_of(one));
      return !found && !llvm::isa<clang::ArraySubscriptExpr>(one);
    });
    return found;
  }
  bool is_fused(const Expr *value) const { return calls_one_of(bare(value), kFused, context_); }
  /// Whether every iteration of the innermost loop changes the same element.
  bool stays(const Assigned &one) const {
    const auto changed = found_.changed.find(one.loop);
    if (changed == found_.changed.end()) return true;
    return std::ranges::none_of(one.element->indices, [&](const Expr *index) {
      return any(index, [&](const Expr *part) { return changed->second.contains(variable_of(part)); });
    });
  }

  /// `m = fmaxf(m, x)`, `m = x > m ? x : m`, `if (x > m) m = x`.
  bool folds(const Assigned &one) const {
    if (!one.target || one.change != Change::set) return false;
    const Expr *value = bare(one.value);
    if (calls_one_of(value, kFolds, context_) && mentions(value, one.target)) return true;
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(value);
        choice && orders(choice->getCond(), one.target) && mentions(value, one.target))
      return true;
    return one.condition && orders(one.condition, one.target);
  }
  static bool orders(const Expr *condition, const VarDecl *variable) {
    return any(condition, [&](const Expr *one) {
      const auto operation = operation_of(one);
      return operation && compares(*operation) && mentions(one, variable);
    });
  }

  /// Elements of two arrays at different indices form a matrix product. Elements at the same index, or of a
  /// matrix and a vector, form an inner product.
  void note_product(const Assigned &one) {
    if (sums_a_product(one) && products_.insert(one.value).second) ++facts_.products;
    if (sums_a_product(one) && !one.element) facts_.product_depth = std::max(facts_.product_depth, one.depth);
    if (!has_product(one.value) && !is_fused(one.value)) return;
    std::vector<Access> factors = accesses_in(one.value);
    std::erase_if(factors, [&](const Access &access) { return access.array == one.target; });
    for_each(one.value, [&](const Expr *part) {
      if (const VarDecl *variable = variable_of(part))
        if (const auto load = loaded_.find(variable); load != loaded_.end()) factors.push_back(load->second);
      return !access_of(part, context_);
    });
    if (factors.size() < 2 || factors[0].array == factors[1].array) return;
    facts_.multiplies = true;
    facts_.multiplies_rows |= index_text(factors[0]) != index_text(factors[1]) &&
                              std::ranges::any_of(factors[0].indices, has_product) &&
                              std::ranges::any_of(factors[1].indices, has_product);
  }
  static std::string index_text(const Access &access) {
    std::string text;
    for (const Expr *index : access.indices) text += text_of(index) + "]";
    return text;
  }
  bool sums_a_product(const Assigned &one) const {
    return any(one.value, [&](const Expr *part) {
      if (calls_one_of(part, kFused, context_)) {
        const auto *call = llvm::dyn_cast<clang::CallExpr>(part);
        return call && call->getNumArgs() == 3 && are_factors(call->getArg(0), call->getArg(1), one.target);
      }
      const auto operation = operation_of(part);
      return is_product(operation) && are_factors(operation->left, operation->right, one.target) &&
             !is_inside_index(part, one.value);
    });
  }
  bool is_inside_index(const Expr *part, const Expr *value) const {
    bool outside = false;
    for_each(value, [&](const Expr *one) {
      outside = outside || one == part;
      return !outside && !access_of(one, context_);
    });
    return !outside;
  }
  /// Whether the two differ, neither is a constant, and neither is the sum itself.
  bool are_factors(const Expr *left, const Expr *right, const VarDecl *target) const {
    const auto counts = [&](const Expr *side) {
      return !is_constant(side, context_) && !mentions(side, target);
    };
    return counts(left) && counts(right) && text_of(left) != text_of(right);
  }

  Found found_;
  CodeFacts facts_;
  const clang::ASTContext &context_;
  Variables arrays_;                                         ///< the kernel's pointer parameters
  mutable std::map<const VarDecl *, Variables> parameters_;  ///< by array
  mutable std::map<const VarDecl *, Stride> strides_;
  mutable std::map<const VarDecl *, bool> passed_indices_;
  std::map<const VarDecl *, std::vector<const Assigned *>> values_;
  Variables in_indices_, loop_names_, varying_, pointers_;
  std::map<const VarDecl *, Access> loaded_;  ///< variables that were assigned one array element
  std::map<int, Variables> running_;  ///< variables that accumulate a sum, maximum or minimum, by loop
  std::set<const Expr *> fold_conditions_, products_;
  std::map<std::pair<const VarDecl *, std::string>, std::set<Code>> offsets_;  ///< + and -
};

}  // namespace

CodeFacts code_facts_of(Kernels kernels, clang::ASTContext &context) {
  return Teller(Walk(context).run(kernels), kernels, context).tell();
}

}  // namespace cupilot
