// SPDX-License-Identifier: Apache-2.0
#include "annotate/rewrite/slice_unit.h"

#include <algorithm>

#include "annotate/extract/clang_shim.h"
#include "annotate/extract/compile_command.h"
#include "annotate/extract/resource_folder.h"

namespace cupilot::rewrite {
namespace {

// The path is absolute, so that the user's working folder does not matter. The file does not exist.
constexpr const char *kShimPath = "/cupilot/shim.h";

/// The arguments with which the extractor parses the user's file, without the program's name and the source.
Result<std::vector<std::string>> arguments_for(const spec::CompileCommand &command, Side side) {
  std::vector<std::string> argv{command.compiler.empty() ? "nvcc" : command.compiler};
  argv.insert(argv.end(), command.flags.begin(), command.flags.end());
  argv.insert(argv.end(), {"-c", kSlicePath});
  CUPILOT_TRY(entry, extract::read_compile_command(argv, command.folder, kSlicePath));
  auto arguments = extract::clang_arguments(entry, kShimPath);
  arguments.erase(arguments.begin());
  arguments.pop_back();
  if (side == Side::device) std::ranges::replace(arguments, "--cuda-host-only", "--cuda-device-only");
  arguments.push_back("-resource-dir=" + extract::resource_folder());
  return arguments;
}

}  // namespace

Result<SliceUnit> parse_slice(const std::string &slice, const spec::CompileCommand &command, Side side,
                              const std::string &before, clang::DiagnosticConsumer &diagnostics) {
  namespace tooling = clang::tooling;
  CUPILOT_TRY(arguments, arguments_for(command, side));
  tooling::FileContentMappings files{{kShimPath, extract::clang_shim() + before}};
  auto unit = tooling::buildASTFromCodeWithArgs(
      slice, arguments, kSlicePath, "cupilot-annotate", std::make_shared<clang::PCHContainerOperations>(),
      tooling::getClangStripDependencyFileAdjuster(), files, &diagnostics);
  if (!unit) return fail("the slice was not parsed: Clang could not start");
  return SliceUnit(std::move(files), std::move(unit));
}

}  // namespace cupilot::rewrite
