// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/code_walk.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace cupilot::extract::facts {
namespace {

using clang::Stmt;

constexpr int kMostCalls = 256;  ///< limit on functions walked through; a function called twice counts twice
constexpr std::size_t kDeepestCall = 16;

const Names kTranscendental{"log",  "logf",   "log2", "log2f", "log1p",  "log1pf", "__logf", "pow",
                            "powf", "__powf", "sin",  "sinf",  "__sinf", "cos",    "cosf",   "__cosf",
                            "tanh", "tanhf",  "erf",  "erff",  "erfc",   "erfcf",  "tanf",   "sincosf"};
const Names kExponentials{"exp",   "expf",   "exp2",   "exp2f",   "exp10", "exp10f",
                          "expm1", "expm1f", "__expf", "__exp2f", "hexp",  "h2exp"};
const Names kRoots{"sqrt", "sqrtf", "rsqrt", "rsqrtf", "__frsqrt_rn", "__fsqrt_rn", "hrsqrt"};

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
    spec::CodeFacts &facts = found_.facts;
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

}  // namespace

Found walk_kernels(Kernels kernels, clang::ASTContext &context) {
  return Walk(context).run(kernels);
}

}  // namespace cupilot::extract::facts
