// SPDX-License-Identifier: Apache-2.0
#include "annotate/rewrite/slice_unit.h"

#include <clang/Driver/CreateASTUnitFromArgs.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <map>

#include "annotate/extract/clang_shim.h"
#include "annotate/extract/compile_command.h"
#include "annotate/extract/resource_folder.h"
#include "annotate/support/text.h"

namespace cupilot::rewrite {
namespace {

// The path is absolute, so that the user's working folder does not matter. The file does not exist.
constexpr const char *kShimPath = "/cupilot/shim.h";
constexpr const char *kSliceBegin = "#line 1 \"/cupilot/slice.cu\"\n";  // kSlicePath

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

/// The includes with which a slice begins, as a text that is the same for all slices of a file and that Clang
/// precompiles. The slice stands behind it; the semicolon ends what is precompiled.
std::string head_of(const std::string &slice) {
  std::string head = "#line 1\n";
  for (const std::string &line : split_lines(slice)) {
    if (line.starts_with("#include <"))
      head += line + "\n";
    else if (!line.empty() && !line.starts_with("#line"))
      break;
  }
  return head + ";\n" + kSliceBegin;
}

/// Passes errors on to whoever parses at the moment.
class Relay : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    if (target) target->HandleDiagnostic(level, diagnostic);
  }
  clang::DiagnosticConsumer *target = nullptr;
};

/// What Clang keeps of the slices that were parsed with the same arguments: the includes they begin with.
struct Parser {
  Relay relay;
  std::unique_ptr<clang::ASTUnit> unit;
};

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

/// The machine's files, and two that are texts.
FileSystem files_with(const std::string &shim, const std::string &main) {
  auto texts = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  texts->addFile(kShimPath, 0, llvm::MemoryBuffer::getMemBufferCopy(shim));
  texts->addFile(kSlicePath, 0, llvm::MemoryBuffer::getMemBufferCopy(main));
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(std::move(texts));
  return files;
}

std::unique_ptr<clang::ASTUnit> first_parse(const std::vector<std::string> &arguments,
                                            const FileSystem &files, Relay &relay) {
  std::vector<const char *> argv{"cupilot-annotate"};
  for (const std::string &argument : arguments) argv.push_back(argument.c_str());
  argv.push_back(kSlicePath);
  const auto options = std::make_shared<clang::DiagnosticOptions>();
  const auto engine =
      clang::CompilerInstance::createDiagnostics(*files, *options, &relay, /*ShouldOwnClient=*/false);
  // A second slice pays for what all others save: the includes, precompiled.
  constexpr unsigned kPrecompileAtParse = 1;
  return clang::CreateASTUnitFromCommandLine(
      argv.data(), argv.data() + argv.size(), std::make_shared<clang::PCHContainerOperations>(), options,
      engine, extract::resource_folder(), /*StorePreamblesInMemory=*/true, /*PreambleStoragePath=*/"",
      /*OnlyLocalDecls=*/true, clang::CaptureDiagsKind::None, {}, /*RemappedFilesKeepOriginalName=*/true,
      kPrecompileAtParse, clang::TU_Complete, false, false, /*AllowPCHWithCompilerErrors=*/true,
      clang::SkipFunctionBodiesScope::Preamble, false, false, false, false, std::nullopt, nullptr, files);
}

}  // namespace

std::size_t slice_begin(const clang::SourceManager &sources) {
  const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
  const std::size_t found = text.find(kSliceBegin);
  return found == llvm::StringRef::npos ? 0 : found + std::string_view(kSliceBegin).size();
}

Result<SliceUnit> parse_slice(const std::string &slice, const spec::CompileCommand &command, Side side,
                              const std::string &before, clang::DiagnosticConsumer &diagnostics) {
  CUPILOT_TRY(arguments, arguments_for(command, side));
  constexpr std::size_t kMostParsers = 4;
  thread_local std::map<std::pair<std::vector<std::string>, std::string>, std::unique_ptr<Parser>> parsers;
  if (parsers.size() >= kMostParsers && !parsers.contains({arguments, before})) parsers.clear();
  std::unique_ptr<Parser> &parser = parsers[{arguments, before}];
  const FileSystem files = files_with(extract::clang_shim() + before, head_of(slice) + slice);
  if (!parser) parser = std::make_unique<Parser>();
  parser->relay.target = &diagnostics;
  bool parsed = false;
  if (parser->unit)
    parsed = !parser->unit->Reparse(std::make_shared<clang::PCHContainerOperations>(), {}, files);
  else
    parsed = (parser->unit = first_parse(arguments, files, parser->relay)) != nullptr;
  parser->relay.target = nullptr;
  if (!parsed) {
    parser.reset();
    return fail("the slice was not parsed: Clang could not start");
  }
  clang::ASTUnit &unit = *parser->unit;
  unit.getASTContext().setTraversalScope({unit.top_level_begin(), unit.top_level_end()});
  return SliceUnit(unit);
}

}  // namespace cupilot::rewrite
