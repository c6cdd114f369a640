// SPDX-License-Identifier: Apache-2.0
//
// The slice through Clang, host side only and with diagnostics off (nvcc has the last word on the variant).
// Errors elsewhere in the slice are tolerated; one inside the kernel is a refusal.

#include "annotate/rewrite/parse.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>

#include "annotate/extract/clang_shim.h"
#include "annotate/extract/compile_command.h"
#include "annotate/extract/resource_folder.h"
#include "annotate/rewrite/convert.h"
#include "annotate/support/text.h"

namespace cupilot::rewrite {
namespace {

using namespace clang;

// Absolute, so that the user's working folder does not matter; neither exists on disk.
constexpr const char *kSlicePath = "/cupilot/slice.cu";
constexpr const char *kShimPath = "/cupilot/shim.h";

/// As the extractor parses the user's file, without the program's name and the source.
Result<std::vector<std::string>> arguments_for(const CompileCommand &command) {
  std::vector<std::string> argv{command.compiler.empty() ? "nvcc" : command.compiler};
  argv.insert(argv.end(), command.flags.begin(), command.flags.end());
  argv.insert(argv.end(), {"-c", kSlicePath});
  CUPILOT_TRY(entry, read_compile_command(argv, command.folder, kSlicePath));
  auto arguments = clang_arguments(entry, kShimPath);
  arguments.erase(arguments.begin());
  arguments.pop_back();
  arguments.push_back("-resource-dir=" + resource_folder());
  return arguments;
}

/// Every `__global__` definition with the wanted qualified name (anonymous namespaces do not show in it),
/// template instantiations included.
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

Result<Kernel> parse_kernel(const KernelSpec &spec) {
  IgnoringDiagConsumer silent;
  CUPILOT_TRY(arguments, arguments_for(spec.command));
  const auto unit = tooling::buildASTFromCodeWithArgs(
      spec.slice, arguments, kSlicePath, "cupilot-annotate", std::make_shared<PCHContainerOperations>(),
      tooling::getClangStripDependencyFileAdjuster(), {{kShimPath, clang_shim()}}, &silent);
  if (!unit) return fail("clang could not start on the slice of " + spec.qualified_name);
  std::string name = spec.qualified_name;
  KernelFinder finder(name.substr(0, name.find('<')));
  finder.TraverseDecl(unit->getASTContext().getTranslationUnitDecl());
  FunctionDecl *function = choose(finder.found, spec.symbol);
  if (!function)
    return fail("the slice has " + std::to_string(finder.found.size()) + " definitions of kernel '" + name +
                "' and none of them is '" + spec.symbol + "'");
  return convert_kernel(*function, spec.slice);
}

}  // namespace cupilot::rewrite
