// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/chunks.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <algorithm>

#include "annotate/extract/slice.h"

namespace cupilot::extract {
namespace {

class Collector {
public:
  explicit Collector(ParsedUnit &unit) : unit_(unit), sources_(unit.context.getSourceManager()) {}

  std::vector<FunctionPlace> run() {
    walk(unit_.context.getTranslationUnitDecl());
    drop_pragma_calls();
    for (UnitFile &file : unit_.text.files) merge(file);
    for (UnitFile &file : unit_.text.files) add_explicit_instantiations(file);
    for (FunctionPlace &place : functions_) place.chunk.chunk = chunk_index(place);
    std::ranges::sort(functions_, {},
                      [](const FunctionPlace &p) { return std::pair(p.chunk.file, p.begin); });
    return std::move(functions_);
  }

private:
  /// Namespaces and extern "C" { } are traversed; their braces are not part of any chunk.
  void walk(const clang::DeclContext *context) {
    for (const clang::Decl *declaration : context->decls()) {
      if (declaration->isImplicit()) continue;
      const auto *linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration);
      if (llvm::isa<clang::NamespaceDecl>(declaration) || (linkage && linkage->hasBraces()))
        enter(declaration, linkage ? linkage->getRBraceLoc()
                                   : llvm::cast<clang::NamespaceDecl>(declaration)->getRBraceLoc());
      else
        add(declaration);
    }
  }

  void enter(const clang::Decl *scope, clang::SourceLocation closing) {
    Enclosure enclosure;
    const int file = unit_.file_of(scope->getBeginLoc(), enclosure.begin);
    const bool plain = file >= 0 && !scope->getBeginLoc().isMacroID() && !closing.isMacroID() &&
                       unit_.file_of(closing, enclosure.close_begin) == file;
    if (plain) {
      UnitFile &source = unit_.text.files[static_cast<std::size_t>(file)];
      const std::size_t open = source.text.find('{', enclosure.begin);
      enclosure.open_end = static_cast<unsigned>(open + 1);
      enclosure.end = enclosure.close_begin + 1;
      // `namespace a::b {` gives two declarations that share one pair of braces.
      const bool known =
          std::ranges::find(source.enclosures, enclosure.end, &Enclosure::end) != source.enclosures.end();
      if (!known && open < enclosure.close_begin) source.enclosures.push_back(enclosure);
    }
    walk(llvm::cast<clang::DeclContext>(scope));
  }

  void add(const clang::Decl *declaration) {
    if (llvm::isa<clang::EmptyDecl>(declaration)) return;
    Chunk chunk;
    const int file = range(declaration, chunk);
    if (file < 0) return;
    const clang::Decl *inner = declaration;
    if (const auto *linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration)) {
      if (linkage->decls_begin() == linkage->decls_end()) return;
      inner = *linkage->decls_begin();
    }
    describe(inner, chunk);
    remember_function(inner, file, chunk.begin);
    unit_.text.files[static_cast<std::size_t>(file)].chunks.push_back(std::move(chunk));
  }

  int range(const clang::Decl *declaration, Chunk &chunk) {
    unsigned last = 0;
    const int file = unit_.file_of(declaration->getBeginLoc(), chunk.begin);
    const clang::SourceLocation end = sources_.getExpansionRange(declaration->getEndLoc()).getEnd();
    if (file < 0 || unit_.file_of(end, last) != file || last < chunk.begin) return -1;
    const std::string &text = unit_.text.files[static_cast<std::size_t>(file)].text;
    chunk.end = last + clang::Lexer::MeasureTokenLength(end, sources_, unit_.context.getLangOpts());
    chunk.begin = before_attributes(text, chunk.begin);
    std::size_t next = text.find_first_not_of(" \t\r\n", chunk.end);
    // `int n(4);` ends for Clang with the 4.
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
        variable && variable->getInitStyle() == clang::VarDecl::CallInit && next != std::string::npos &&
        text[next] == ')') {
      chunk.end = static_cast<unsigned>(next + 1);
      next = text.find_first_not_of(" \t\r\n", chunk.end);
    }
    if (next != std::string::npos && text[next] == ';') chunk.end = static_cast<unsigned>(next + 1);
    return file;
  }

  /// The start of `[[...]]` in front of the declaration, which Clang's source range does not include.
  static unsigned before_attributes(const std::string &text, unsigned begin) {
    while (true) {
      const std::size_t last = begin ? text.find_last_not_of(" \t\r\n", begin - 1) : std::string::npos;
      if (last == std::string::npos || last == 0 || text[last] != ']' || text[last - 1] != ']') return begin;
      const std::size_t open = text.rfind("[[", last);
      if (open == std::string::npos) return begin;
      begin = static_cast<unsigned>(open);
    }
  }

  void describe(const clang::Decl *declaration, Chunk &chunk) {
    if (const auto *tmpl = llvm::dyn_cast<clang::TemplateDecl>(declaration)) {
      add_name(tmpl, chunk);
      for (const clang::NamedDecl *parameter : *tmpl->getTemplateParameters()) bind(parameter, chunk);
      if (tmpl->getTemplatedDecl()) describe(tmpl->getTemplatedDecl(), chunk);
      return;
    }
    if (llvm::isa<clang::UsingDirectiveDecl, clang::FileScopeAsmDecl>(declaration)) chunk.always = true;
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      describe_function(function, chunk);
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      add_owner(variable->getDeclContext(), chunk);
      chunk.device_global =
          variable->hasAttr<clang::CUDADeviceAttr>() || variable->hasAttr<clang::CUDAConstantAttr>();
    }
    if (const auto *enumeration = llvm::dyn_cast<clang::EnumDecl>(declaration))
      for (const auto *enumerator : enumeration->enumerators()) add_name(enumerator, chunk);
    // Members of an anonymous union are names of the enclosing scope.
    if (const auto *record = llvm::dyn_cast<clang::RecordDecl>(declaration);
        record && !record->getIdentifier())
      for (const auto *field : record->fields()) add_name(field, chunk);
    if (const auto *named = llvm::dyn_cast<clang::NamedDecl>(declaration)) add_name(named, chunk);
  }

  /// A use of an operator does not mention its name, so the types of its parameters serve as names.
  void describe_function(const clang::FunctionDecl *function, Chunk &chunk) {
    add_owner(function->getDeclContext(), chunk);
    for (const clang::ParmVarDecl *parameter : function->parameters()) bind(parameter, chunk);
    if (function->getIdentifier() || !chunk.names.empty()) return;
    for (const clang::ParmVarDecl *parameter : function->parameters()) {
      const clang::Type *type = parameter->getType().getNonReferenceType().getTypePtr();
      while (type->isPointerType()) type = type->getPointeeType().getTypePtr();
      if (const auto *tag = type->getAsTagDecl()) add_name(tag, chunk);
    }
    if (chunk.names.empty()) chunk.always = true;
  }

  /// A member defined outside its class is kept when the class is kept.
  static void add_owner(const clang::DeclContext *context, Chunk &chunk) {
    if (const auto *record = llvm::dyn_cast<clang::RecordDecl>(context)) add_name(record, chunk);
  }

  static void bind(const clang::NamedDecl *parameter, Chunk &chunk) {
    if (const auto *identifier = parameter->getIdentifier())
      chunk.bound.push_back(identifier->getName().str());
  }

  static void add_name(const clang::NamedDecl *named, Chunk &chunk) {
    if (const auto *identifier = named->getIdentifier()) chunk.names.push_back(identifier->getName().str());
    if (llvm::isa<clang::CXXDeductionGuideDecl>(named))
      chunk.names.push_back(
          llvm::cast<clang::CXXDeductionGuideDecl>(named)->getDeducedTemplate()->getName().str());
  }

  void remember_function(const clang::Decl *declaration, int file, unsigned begin) {
    if (const auto *tmpl = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration))
      functions_.push_back({tmpl->getTemplatedDecl(), true, {file, -1}, begin});
    else if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      functions_.push_back({function, false, {file, -1}, begin});
  }

  /// `CUPILOT_PRAGMA(...)` is text between declarations. A chunk without a name removes it from slices.
  void drop_pragma_calls() {
    for (const RecordedPragma &pragma : unit_.pragmas) {
      if (pragma.end <= pragma.begin) continue;
      UnitFile &file = unit_.text.files[static_cast<std::size_t>(pragma.file)];
      const bool inside = std::ranges::any_of(
          file.chunks, [&](const Chunk &c) { return c.begin < pragma.begin && pragma.begin < c.end; });
      if (!inside) file.chunks.push_back({.begin = pragma.begin, .end = pragma.end});
    }
  }

  /// `int a, b;` and `struct S {} s;` are several declarations in one range; their chunks are merged.
  static void merge(UnitFile &file) {
    std::ranges::stable_sort(file.chunks, {}, &Chunk::begin);
    std::vector<Chunk> merged;
    for (Chunk &chunk : file.chunks) {
      if (merged.empty() || chunk.begin >= merged.back().end) {
        merged.push_back(std::move(chunk));
        continue;
      }
      Chunk &last = merged.back();
      last.end = std::max(last.end, chunk.end);
      last.names.insert(last.names.end(), chunk.names.begin(), chunk.names.end());
      last.bound.clear();
      last.always = last.always || chunk.always;
      last.device_global = last.device_global || chunk.device_global;
    }
    file.chunks = std::move(merged);
  }

  int chunk_index(const FunctionPlace &place) const {
    const auto &chunks = unit_.text.files[static_cast<std::size_t>(place.chunk.file)].chunks;
    const auto after = std::ranges::upper_bound(chunks, place.begin, {}, &Chunk::begin);
    return static_cast<int>(after - chunks.begin()) - 1;
  }

  ParsedUnit &unit_;
  const clang::SourceManager &sources_;
  std::vector<FunctionPlace> functions_;
};

}  // namespace

std::vector<FunctionPlace> find_chunks(ParsedUnit &unit) {
  return Collector(unit).run();
}

}  // namespace cupilot::extract
