// SPDX-License-Identifier: Apache-2.0
//
// One walk over the user's functions and their instantiations. It records references to kernels with the
// enclosing call, and which variables may change. The launch shapes are computed afterwards.

#include "annotate/extract/launches.h"

#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <algorithm>
#include <set>

#include "annotate/extract/launch_shape.h"

namespace cupilot::extract {
namespace {

struct CallRule {
  std::string_view prefix;  ///< prefix of the runtime function's name
  spec::LaunchKind kind;
  bool caught;
  bool launches;  ///< false: the function only queries something about the kernel
};

// The first matching prefix counts.
constexpr CallRule kCalls[] = {
    {"cudaLaunchKernelEx", spec::LaunchKind::launch_kernel_ex, true, true},
    {"cudaLaunchKernel", spec::LaunchKind::launch_kernel, true, true},
    {"cudaLaunchCooperativeKernel", spec::LaunchKind::cooperative, false, true},
    {"cudaGraph", spec::LaunchKind::graph, false, true},
    {"cuLaunch", spec::LaunchKind::driver, false, true},
    {"cudaGetFuncBySymbol", spec::LaunchKind::driver, false, true},
    {"cudaFunc", spec::LaunchKind::address, true, false},
    {"cudaOccupancy", spec::LaunchKind::address, true, false},
};

struct Seen {
  const clang::FunctionDecl *kernel = nullptr;
  clang::SourceLocation location;
  const clang::CUDAKernelCallExpr *chevron = nullptr;
  spec::LaunchKind kind = spec::LaunchKind::triple_chevron;
  bool caught = true;
};

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
  using Base = clang::RecursiveASTVisitor<Visitor>;

public:
  Visitor(const clang::SourceManager &sources, const std::vector<const clang::FunctionDecl *> &kernels)
      : sources_(sources) {
    for (const clang::FunctionDecl *kernel : kernels) kernels_.insert(kernel->getCanonicalDecl());
  }

  std::vector<Seen> seen;
  std::set<const clang::VarDecl *> changing;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(clang::Decl *declaration) {
    const bool foreign = declaration && !llvm::isa<clang::TranslationUnitDecl>(declaration) &&
                         sources_.isInSystemHeader(sources_.getExpansionLoc(declaration->getLocation()));
    return foreign || Base::TraverseDecl(declaration);
  }

  bool TraverseFunctionDecl(clang::FunctionDecl *function) {
    const clang::FunctionDecl *outer = std::exchange(function_, function);
    const bool go_on = Base::TraverseFunctionDecl(function);
    function_ = outer;
    return go_on;
  }

  bool TraverseCUDAKernelCallExpr(clang::CUDAKernelCallExpr *call) {
    if (const clang::FunctionDecl *kernel = annotated(call->getDirectCallee())) {
      const bool device = function_ && (function_->hasAttr<clang::CUDAGlobalAttr>() ||
                                        function_->hasAttr<clang::CUDADeviceAttr>());
      seen.push_back({kernel, call->getBeginLoc(), call,
                      device ? spec::LaunchKind::device_side : spec::LaunchKind::triple_chevron, !device});
      callees_.insert(call->getCallee()->IgnoreParenImpCasts());
    }
    return Base::TraverseCUDAKernelCallExpr(call);
  }

  bool TraverseCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    const std::string name = callee ? callee->getNameAsString() : unresolved_name(*call);
    const CallRule *rule = nullptr;
    for (const CallRule &candidate : kCalls)
      if (!rule && name.starts_with(candidate.prefix)) rule = &candidate;
    const CallRule *outer = std::exchange(rule_, rule ? rule : rule_);
    const bool go_on = Base::TraverseCallExpr(call);
    rule_ = outer;
    return go_on;
  }

  bool TraverseBinaryOperator(clang::BinaryOperator *operation) {
    const auto *member = operation->isAssignmentOp()
                             ? llvm::dyn_cast<clang::MemberExpr>(operation->getLHS()->IgnoreParenImpCasts())
                             : nullptr;
    const bool graph = member && member->getMemberDecl()->getNameAsString() == "func";
    static constexpr CallRule kGraphNode{"", spec::LaunchKind::graph, false, true};
    const CallRule *outer = std::exchange(rule_, graph ? &kGraphNode : rule_);
    const bool go_on = Base::TraverseBinaryOperator(operation);
    rule_ = outer;
    return go_on;
  }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) {
    const bool reads = cast->getCastKind() == clang::CK_LValueToRValue ||
                       (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified());
    if (reads) read(cast->getSubExpr());
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      // A const object needs no cast to be read and cannot be written.
      if (!reads_.contains(reference) && !variable->getType().isConstQualified()) changing.insert(variable);
      return true;
    }
    const clang::FunctionDecl *kernel = annotated(llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()));
    if (!kernel || callees_.contains(reference) || (rule_ && !rule_->launches)) return true;
    seen.push_back({kernel, reference->getLocation(), nullptr,
                    rule_ ? rule_->kind : spec::LaunchKind::address, rule_ && rule_->caught});
    return true;
  }

private:
  const clang::FunctionDecl *annotated(const clang::FunctionDecl *function) const {
    if (!function) return nullptr;
    const clang::FunctionDecl *pattern = function->getTemplateInstantiationPattern();
    return kernels_.contains((pattern ? pattern : function)->getCanonicalDecl()) ? function : nullptr;
  }

  static std::string unresolved_name(const clang::CallExpr &call) {
    const auto *lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(call.getCallee()->IgnoreParenImpCasts());
    return lookup ? lookup->getName().getAsString() : "";
  }

  /// Records a read of `x` or of `x.member`.
  void read(const clang::Expr *expression) {
    expression = expression->IgnoreParens();
    while (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression))
      expression = member->getBase()->IgnoreParenImpCasts();
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) reads_.insert(reference);
  }

  const clang::SourceManager &sources_;
  std::set<const clang::FunctionDecl *> kernels_;
  std::set<const clang::Expr *> callees_, reads_;
  const clang::FunctionDecl *function_ = nullptr;
  const CallRule *rule_ = nullptr;
};

}  // namespace

std::vector<FoundLaunch> find_launches(const ParsedUnit &unit,
                                       const std::vector<const clang::FunctionDecl *> &kernels) {
  std::vector<FoundLaunch> launches;
  if (kernels.empty()) return launches;
  Visitor visitor(unit.context.getSourceManager(), kernels);
  visitor.TraverseDecl(unit.context.getTranslationUnitDecl());
  for (const Seen &seen : visitor.seen) {
    FoundLaunch launch{seen.kernel, {unit.place_of(seen.location), seen.kind, seen.caught}, {}, ""};
    if (seen.chevron) {
      auto shape = launch_shape(*seen.chevron, *seen.kernel, visitor.changing, unit.context);
      if (shape)
        launch.shape = std::move(*shape);
      else
        launch.no_shape_reason = std::move(shape).error();
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

}  // namespace cupilot::extract
