// SPDX-License-Identifier: Apache-2.0
//
// Parses the slice with Clang, host side only and with diagnostics off, because nvcc checks the resulting
// variant. Errors elsewhere in the slice are tolerated; an error inside the kernel is a refusal.

#include "annotate/rewrite/parse.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <fmt/format.h>

#include "annotate/rewrite/convert.h"
#include "annotate/rewrite/slice_unit.h"
#include "annotate/support/text.h"

namespace cupilot::rewrite {
namespace {

using namespace clang;

/// Finds all `__global__` definitions with the wanted qualified name, instantiations of templates included.
/// Qualified names leave anonymous namespaces out.
class KernelFinder : public RecursiveASTVisitor<KernelFinder> {
public:
  explicit KernelFinder(std::string name) : name_(std::move(name)) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->hasAttr<CUDAGlobalAttr>() && function->doesThisDeclarationHaveABody() &&
        replace_all(function->getQualifiedNameAsString(), "(anonymous namespace)::", "") == name_ &&
        !function->isDependentContext())
      found.push_back(function);
    return true;
  }
  std::vector<FunctionDecl *> found;

private:
  std::string name_;
};

std::string mangled(FunctionDecl *function) {
  const std::unique_ptr<MangleContext> mangler(function->getASTContext().createMangleContext());
  std::string text;
  llvm::raw_string_ostream out(text);
  mangler->mangleName(GlobalDecl(function, KernelReferenceKind::Kernel), out);
  return text;
}

FunctionDecl *choose(const std::vector<FunctionDecl *> &found, const std::string &symbol) {
  if (found.size() == 1) return found.front();
  for (FunctionDecl *candidate : found)
    if (mangled(candidate) == symbol) return candidate;
  return nullptr;
}

}  // namespace

Result<Kernel> parse_kernel(const spec::KernelSpec &spec) {
  IgnoringDiagConsumer silent;
  CUPILOT_TRY(unit, parse_slice(spec.slice, spec.command, Side::host, "", silent));
  std::string name = spec.qualified_name;
  KernelFinder finder(name.substr(0, name.find('<')));
  finder.TraverseAST(unit->getASTContext());
  FunctionDecl *function = choose(finder.found, spec.symbol);
  if (!function)
    return fail(fmt::format("the slice has {} definitions of kernel '{}' and none of them is '{}'",
                            finder.found.size(), name, spec.symbol));
  return convert_kernel(*function, spec.slice);
}

}  // namespace cupilot::rewrite
