// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/translation_unit.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/DiagnosticCategories.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <algorithm>
#include <filesystem>

#include "annotate/extract/clang_shim.h"
#include "annotate/extract/display_path.h"
#include "annotate/extract/resource_folder.h"

namespace cupilot::extract {
namespace {

namespace fs = std::filesystem;

/// Raw records of the preprocessor callbacks.
struct Records {
  std::vector<clang::FileID> files;
  struct Include {
    clang::SourceLocation hash;
    bool entered = false;
    clang::FileID file;
  };
  std::vector<Include> includes;  ///< of user files only
  struct Pragma {
    clang::SourceLocation location;
    std::vector<directive::Token> tokens;  ///< their places are filled in later
    std::vector<clang::SourceLocation> token_locations;
  };
  std::vector<Pragma> pragmas;
  std::map<std::string, std::vector<std::string>> macros;
};

class Classifier {
public:
  Classifier(const clang::SourceManager &sources, std::string cuda)
      : sources_(sources), cuda_(std::move(cuda) + "/") {}

  /// Folders of the toolkit count as system folders even when they are given with -I.
  bool is_user_file(clang::FileID file) const {
    const auto entry = sources_.getFileEntryRefForID(file);
    if (!entry) return false;
    const clang::SourceLocation start = sources_.getLocForStartOfFile(file);
    const auto kind = sources_.getFileCharacteristic(start);
    return !clang::SrcMgr::isSystem(kind) && is_user_path(entry->getName());
  }
  bool is_user_path(llvm::StringRef path) const {
    const std::string normal = fs::path(path.str()).lexically_normal().string();
    return !normal.starts_with(cuda_) && !path.ends_with(kShimName);
  }

private:
  const clang::SourceManager &sources_;
  std::string cuda_;
};

directive::TokenKind kind_of(const clang::Token &token) {
  if (token.is(clang::tok::numeric_constant)) return directive::TokenKind::number;
  if (clang::tok::isStringLiteral(token.getKind())) return directive::TokenKind::string;
  return token.isAnyIdentifier() || token.getIdentifierInfo() ? directive::TokenKind::name
                                                              : directive::TokenKind::punctuation;
}

class DirectiveHandler : public clang::PragmaHandler {
public:
  explicit DirectiveHandler(Records &records) : PragmaHandler("cupilot"), records_(records) {}

  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token &) override {
    Records::Pragma pragma{introducer.Loc, {}, {}};
    clang::Token token;
    for (preprocessor.LexUnexpandedToken(token); token.isNot(clang::tok::eod);
         preprocessor.LexUnexpandedToken(token)) {
      pragma.tokens.push_back({kind_of(token), preprocessor.getSpelling(token), {}, token.hasLeadingSpace()});
      pragma.token_locations.push_back(token.getLocation());
    }
    records_.pragmas.push_back(std::move(pragma));
  }

private:
  Records &records_;
};

class PreprocessorRecorder : public clang::PPCallbacks {
public:
  PreprocessorRecorder(clang::Preprocessor &preprocessor, const Classifier &classifier, Records &records)
      : preprocessor_(preprocessor), classifier_(classifier), records_(records) {}

  void FileChanged(clang::SourceLocation location, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    if (reason != EnterFile) return;
    const clang::SourceManager &sources = preprocessor_.getSourceManager();
    const clang::FileID file = sources.getFileID(location);
    if (!classifier_.is_user_file(file)) return;
    records_.files.push_back(file);
    if (!records_.includes.empty() && file != sources.getMainFileID()) {
      records_.includes.back().entered = true;
      records_.includes.back().file = file;
    }
  }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind kind) override {
    if (!file || clang::SrcMgr::isSystem(kind) || !classifier_.is_user_path(file->getName())) return;
    records_.includes.push_back({hash, false, {}});
  }

  void MacroDefined(const clang::Token &name, const clang::MacroDirective *directive) override {
    const clang::SourceManager &sources = preprocessor_.getSourceManager();
    const clang::SourceLocation location = directive->getLocation();
    const bool command_line = sources.isWrittenInCommandLineFile(location);
    if (!command_line && !classifier_.is_user_file(sources.getFileID(location))) return;
    const clang::MacroInfo *info = directive->getMacroInfo();
    std::string body;
    if (info->isFunctionLike()) {
      body = "(";
      for (const clang::IdentifierInfo *parameter : info->params()) body += parameter->getName().str() + ",";
      body += ") ";
    }
    for (const clang::Token &token : info->tokens()) body += preprocessor_.getSpelling(token) + " ";
    records_.macros[name.getIdentifierInfo()->getName().str()].push_back(std::move(body));
  }

private:
  clang::Preprocessor &preprocessor_;
  const Classifier &classifier_;
  Records &records_;
};

UnitFile unit_file(const clang::SourceManager &sources, clang::FileID file, const std::string &root) {
  UnitFile made;
  made.path = sources.getFileEntryRefForID(file)->getName().str();
  made.path = fs::path(made.path).lexically_normal().string();
  made.display_path = display_path(made.path, root);
  made.text = sources.getBufferData(file).str();
  made.raw = directive::lex_source(made.text);
  return made;
}

/// Tokens of the _Pragma form have no location in a file, so they are searched, in order, in the text of the
/// macro call.
void place_by_search(const ParsedUnit &unit, RecordedPragma &pragma) {
  const UnitFile &file = unit.text.files[static_cast<std::size_t>(pragma.file)];
  const directive::LineIndex lines(file.text);
  std::size_t at = pragma.begin;
  for (directive::Token &token : pragma.tokens) {
    token.place = pragma.place;
    const std::size_t found = file.text.find(token.text, at);
    if (found == std::string::npos || found >= pragma.end) continue;
    const int line = lines.line(static_cast<unsigned>(found));
    token.place.line = line;
    token.place.column = static_cast<int>(found - lines.line_begin(line)) + 1;
    at = found + token.text.size();
  }
}

/// Shows no diagnostic, but notes errors of the parser in the source itself. Errors in the meaning do not
/// count: names that are known only to nvcc are among them.
class SyntaxErrors : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    if (level < clang::DiagnosticsEngine::Error || !diagnostic.hasSourceManager()) return;
    const bool of_parser = clang::DiagnosticIDs::getCategoryNumberForDiag(diagnostic.getID()) ==
                           clang::diag::DiagCat_Parse_Issue;
    const clang::SourceManager &sources = diagnostic.getSourceManager();
    found = found || (of_parser && diagnostic.getLocation().isValid() &&
                      sources.isInMainFile(sources.getExpansionLoc(diagnostic.getLocation())));
  }
  bool found = false;
};

class Action : public clang::ASTFrontendAction {
public:
  Action(std::string cuda, std::string root, const SyntaxErrors &errors,
         const std::function<void(ParsedUnit &)> &use, bool &used)
      : cuda_(std::move(cuda)), root_(std::move(root)), errors_(errors), use_(use), used_(used) {}

private:
  class Consumer : public clang::ASTConsumer {
  public:
    explicit Consumer(Action &action) : action_(action) {}
    bool shouldSkipFunctionBody(clang::Decl *declaration) override {
      const auto &sources = declaration->getASTContext().getSourceManager();
      return sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation()));
    }
    void HandleTranslationUnit(clang::ASTContext &context) override { action_.finish(context); }

  private:
    Action &action_;
  };

  bool BeginInvocation(clang::CompilerInstance &compiler) override {
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    return true;
  }

  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    classifier_ = std::make_unique<Classifier>(compiler.getSourceManager(), cuda_);
    preprocessor.AddPragmaHandler(new DirectiveHandler(records_));
    preprocessor.addPPCallbacks(std::make_unique<PreprocessorRecorder>(preprocessor, *classifier_, records_));
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<Consumer>(*this);
  }

  void finish(clang::ASTContext &context) {
    const clang::SourceManager &sources = context.getSourceManager();
    ParsedUnit unit{context, {}, {}, {}, {}, false};
    for (const clang::FileID file : records_.files) {
      unit.text.files.push_back(unit_file(sources, file, root_));
      unit.file_ids.push_back(file.getHashValue());
      if (file != sources.getMainFileID()) unit.user_headers.push_back(unit.text.files.back().path);
    }
    std::ranges::sort(unit.user_headers);
    const auto rest = std::ranges::unique(unit.user_headers);
    unit.user_headers.erase(rest.begin(), rest.end());
    unit.text.macros = std::move(records_.macros);
    for (const Records::Include &include : records_.includes) add_include(unit, include);
    for (Records::Pragma &pragma : records_.pragmas) add_pragma(unit, pragma);
    unit.has_syntax_errors = errors_.found;
    used_ = !unit.text.files.empty();
    if (used_) use_(unit);
  }

  static void add_include(ParsedUnit &unit, const Records::Include &include) {
    unsigned offset = 0;
    const int file = unit.file_of(include.hash, offset);
    if (file < 0) return;
    int child = -1;
    if (include.entered)
      child = static_cast<int>(std::ranges::find(unit.file_ids, include.file.getHashValue()) -
                               unit.file_ids.begin());
    unit.text.files[static_cast<std::size_t>(file)].includes.push_back(
        {unit.place_of(include.hash).line, child});
  }

  static void add_pragma(ParsedUnit &unit, Records::Pragma &recorded) {
    RecordedPragma pragma;
    pragma.file = unit.file_of(recorded.location, pragma.begin);
    if (pragma.file < 0) return;
    pragma.end = pragma.begin;
    pragma.place = unit.place_of(recorded.location);
    pragma.tokens = std::move(recorded.tokens);
    const clang::SourceManager &sources = unit.context.getSourceManager();
    for (std::size_t i = 0; i < pragma.tokens.size(); ++i) {
      const clang::SourceLocation location = recorded.token_locations[i];
      pragma.tokens[i].place = unit.place_of(location);
      unsigned end = 0;
      if (location.isMacroID() &&
          unit.file_of(sources.getExpansionRange(location).getEnd(), end) == pragma.file)
        pragma.end = std::max(pragma.end, end + 1);  // includes the closing parenthesis
    }
    if (pragma.end > pragma.begin) place_by_search(unit, pragma);
    unit.pragmas.push_back(std::move(pragma));
  }

  std::string cuda_, root_;
  const SyntaxErrors &errors_;
  const std::function<void(ParsedUnit &)> &use_;
  bool &used_;
  Records records_;
  std::unique_ptr<Classifier> classifier_;
};

}  // namespace

int ParsedUnit::file_of(clang::SourceLocation location, unsigned &offset) const {
  if (location.isInvalid()) return -1;
  const auto &sources = context.getSourceManager();
  const auto [file, at] = sources.getDecomposedExpansionLoc(location);
  const auto found = std::ranges::find(file_ids, file.getHashValue());
  if (found == file_ids.end()) return -1;
  offset = at;
  return static_cast<int>(found - file_ids.begin());
}

SourcePlace ParsedUnit::place_of(clang::SourceLocation location) const {
  const auto &sources = context.getSourceManager();
  const clang::SourceLocation expanded = sources.getExpansionLoc(location);
  const auto entry = sources.getFileEntryRefForID(sources.getFileID(expanded));
  const std::string path = entry ? fs::path(entry->getName().str()).lexically_normal().string() : "";
  return {path, static_cast<int>(sources.getExpansionLineNumber(location)),
          static_cast<int>(sources.getExpansionColumnNumber(location))};
}

bool parse_translation_unit(const CompileEntry &entry, const std::string &root,
                            const std::function<void(ParsedUnit &)> &use, const std::string *text) {
  const std::string shim = "/" + std::string(kShimName);
  std::vector<std::string> arguments = clang_arguments(entry, shim);
  arguments.insert(arguments.end() - 1, "-resource-dir=" + resource_folder());
  clang::FileSystemOptions options;
  options.WorkingDir = entry.command.folder;
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(shim, 0, llvm::MemoryBuffer::getMemBuffer(clang_shim()));
  if (text) memory->addFile(entry.command.source, 0, llvm::MemoryBuffer::getMemBufferCopy(*text));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  overlay->pushOverlay(memory);
  llvm::IntrusiveRefCntPtr<clang::FileManager> files(new clang::FileManager(options, overlay));
  bool used = false;
  SyntaxErrors errors;
  clang::tooling::ToolInvocation invocation(
      arguments, std::make_unique<Action>(cuda_root(entry), root, errors, use, used), files.get());
  invocation.setDiagnosticConsumer(&errors);
  invocation.run();  // ignored: it returns false after any error in the user's code
  return used;
}

}  // namespace cupilot::extract
