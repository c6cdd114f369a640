// SPDX-License-Identifier: Apache-2.0

#include "annotate/rewrite/twin_edits.h"

#include <clang/AST/ASTContext.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>
#include <algorithm>
#include <string_view>

#include "annotate/directive/source_lexer.h"
#include "annotate/rewrite/slice_unit.h"

namespace cupilot::rewrite::twin {

using clang::Lexer;
using clang::SourceLocation;

TwinEdits::TwinEdits(const clang::ASTContext &context, const spec::KernelSpec &spec, const std::string &text,
                     Findings &out)
    : context_(context),
      sources_(context.getSourceManager()),
      begin_(slice_begin(sources_)),
      spec_(spec),
      text_(text),
      out_(out) {}

bool TwinEdits::is_ours(SourceLocation place) const {
  return place.isValid() && sources_.getFileID(sources_.getExpansionLoc(place)) == sources_.getMainFileID();
}

bool TwinEdits::is_ours(const clang::FunctionDecl &function) const {
  return function.getBuiltinID() == 0 && is_ours(function.getLocation());
}

bool TwinEdits::is_written_here(SourceLocation place) const {
  return place.isValid() && sources_.getFileID(sources_.getSpellingLoc(place)) == sources_.getMainFileID();
}

bool TwinEdits::is_replaced(std::size_t at) const {
  return std::ranges::any_of(out_.pieces,
                             [&](const auto &piece) { return piece.first <= at && at < piece.second.first; });
}

std::size_t TwinEdits::offset(SourceLocation place) const {
  return sources_.getFileOffset(sources_.getSpellingLoc(place)) - begin_;
}

std::size_t TwinEdits::token_end(SourceLocation place) const {
  const SourceLocation spelled = sources_.getSpellingLoc(place);
  return offset(place) + Lexer::MeasureTokenLength(spelled, sources_, context_.getLangOpts());
}

std::string TwinEdits::token_at(SourceLocation place) const {
  return text_.substr(offset(place), token_end(place) - offset(place));
}

std::pair<std::size_t, std::size_t> TwinEdits::range(SourceLocation first, SourceLocation last) const {
  return {offset(first), std::max(token_end(first), token_end(last))};
}

void TwinEdits::refuse(SourceLocation place, const std::string &reason) {
  SourceLocation shown = place;
  while (shown.isMacroID() && !is_written_here(shown)) shown = sources_.getImmediateMacroCallerLoc(shown);
  shown = sources_.getSpellingLoc(shown);
  const clang::PresumedLoc line = sources_.getPresumedLoc(shown);
  const bool named = line.isValid() && std::string_view(line.getFilename()) != kSlicePath;
  const unsigned number = line.isValid() ? line.getLine() : 0;
  out_.refusals.try_emplace(sources_.getFileOffset(shown) + 1,
                            named ? fmt::format("{}:{}: {}", line.getFilename(), number, reason)
                                  : fmt::format("line {}: {}", number, reason));
}

void TwinEdits::put(std::size_t begin, std::size_t end, const std::string &text, SourceLocation place) {
  const auto [there, fresh] = out_.pieces.try_emplace(begin, end, text);
  if (fresh || there->second.second == text) return;
  refuse(place, "a macro stands for different types in different places");
}

void TwinEdits::replace(SourceLocation first, SourceLocation last, const std::string &text) {
  if (!is_written_here(first) || !is_written_here(last)) return refuse_foreign(first);
  const auto [begin, end] = range(first, last);
  put(begin, end, text, first);
}

/// A macro of a library or of the command line is not in the slice's text, so it cannot be promoted.
void TwinEdits::refuse_foreign(SourceLocation place) {
  if (!place.isMacroID()) return;
  const std::string macro = Lexer::getImmediateMacroName(place, sources_, context_.getLangOpts()).str();
  for (const std::string &flag : spec_.command.flags)
    if (flag.starts_with(fmt::format("-D{}=", macro))) {
      out_.refusals[0] = fmt::format("the command line's {} names a floating-point type", flag);
      return;
    }
  refuse(place, fmt::format("the macro '{}' names a floating-point type", macro));
}

void TwinEdits::widen_macro(SourceLocation place) {
  while (place.isMacroID() && !is_written_here(place)) place = sources_.getImmediateMacroCallerLoc(place);
  if (!is_written_here(place)) return;
  const std::size_t end = token_end(place);
  const std::size_t next = text_.find_first_not_of(" \t", end);
  if (next != std::string::npos && text_[next] == '(') return;
  put(offset(place), end, fmt::format("static_cast<double>({})", token_at(place)), place);
  out_.single = true;
}

void TwinEdits::drop_explicit_instantiation(SourceLocation name) {
  if (!is_written_here(name) || name.isMacroID()) return;
  std::size_t begin = std::string::npos;
  for (const directive::RawToken &token : directive::lex_source(text_).tokens) {
    if (token.begin >= offset(name)) break;
    if (text_.substr(token.begin, token.end - token.begin) == "template") begin = token.begin;
  }
  const std::size_t end = text_.find(';', offset(name));
  if (begin != std::string::npos && end != std::string::npos) put(begin, end + 1, "", name);
}

}  // namespace cupilot::rewrite::twin
