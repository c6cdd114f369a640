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

#include <cstdlib>
#include <filesystem>

#include "annotate/rewrite/convert.h"
#include "annotate/support/process.h"

namespace cupilot::rewrite {
namespace {

using namespace clang;

bool takes_value(const std::string &flag) {
  return flag == "-I" || flag == "-D" || flag == "-U" || flag == "-isystem" || flag == "-include";
}

bool understood(const std::string &flag) {
  for (const char *start : {"-I", "-D", "-U", "-isystem", "-include", "-std="})
    if (flag.starts_with(start)) return true;
  return false;
}

std::string cuda_folder() {
  for (const char *name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *folder = std::getenv(name)) return folder;
  if (const auto nvcc = find_program("nvcc")) {
    std::error_code ignored;
    const auto real = std::filesystem::canonical(*nvcc, ignored);
    if (!ignored) return real.parent_path().parent_path().string();
  }
  return "/usr/local/cuda";
}

std::vector<std::string> clang_arguments(const CompileCommand &command) {
  std::vector<std::string> arguments{"-x",
                                     "cuda",
                                     "--cuda-host-only",
                                     "-nocudalib",
                                     "-fsyntax-only",
                                     "-w",
                                     "-ferror-limit=0",
                                     "--cuda-path=" + cuda_folder(),
                                     "-resource-dir",
                                     CUPILOT_CLANG_RESOURCES};
  bool standard = false;
  for (std::size_t i = 0; i < command.flags.size(); ++i) {
    const std::string &flag = command.flags[i];
    standard = standard || flag.starts_with("-std=");
    if (understood(flag)) arguments.push_back(flag);
    if (takes_value(flag) && i + 1 < command.flags.size()) arguments.push_back(command.flags[++i]);
  }
  if (!standard) arguments.push_back("-std=c++17");
  if (!command.folder.empty()) arguments.push_back("-working-directory=" + command.folder);
  return arguments;
}

/// Every `__global__` definition with the wanted qualified name, template instantiations included.
class KernelFinder : public RecursiveASTVisitor<KernelFinder> {
public:
  explicit KernelFinder(std::string name) : name_(std::move(name)) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->hasAttr<CUDAGlobalAttr>() && function->doesThisDeclarationHaveABody() &&
        function->getQualifiedNameAsString() == name_ && !function->isDependentContext())
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
  const auto unit =
      tooling::buildASTFromCodeWithArgs(spec.slice, clang_arguments(spec.command), "slice.cu",
                                        "cupilot-annotate", std::make_shared<PCHContainerOperations>(),
                                        tooling::getClangStripDependencyFileAdjuster(), {}, &silent);
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
