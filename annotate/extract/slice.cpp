// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/slice.h"

#include <algorithm>

#include "annotate/extract/slice_printer.h"

namespace cupilot::extract {
namespace {

std::string_view text_of(const UnitFile &file, const directive::RawToken &token) {
  return std::string_view(file.text).substr(token.begin, token.end - token.begin);
}

/// The index of the chunk that contains an offset, -1 when no chunk does.
int chunk_at(const UnitFile &file, unsigned offset) {
  auto after = std::ranges::upper_bound(file.chunks, offset, {}, &Chunk::begin);
  if (after == file.chunks.begin()) return -1;
  --after;
  return offset < after->end ? static_cast<int>(after - file.chunks.begin()) : -1;
}

/// A chunk that contains only one end of an #if ... #endif cannot be removed, because the rest would not
/// parse in another compilation pass.
bool balanced(const UnitFile &file, const Chunk &chunk) {
  int depth = 0;
  for (const directive::PreprocessorLine &line : file.raw.directives) {
    if (line.begin < chunk.begin || line.begin >= chunk.end) continue;
    if (line.keyword.starts_with("if")) ++depth;
    if (line.keyword == "endif") --depth;
    const bool branch = line.keyword.starts_with("el");
    if (depth < 0 || (branch && depth == 0)) return false;
  }
  return depth == 0;
}

class Pruner {
public:
  Pruner(const UnitText &unit, const SliceRequest &request) : unit_(unit), request_(request) {
    for (int f = 0; f < static_cast<int>(unit.files.size()); ++f)
      for (int c = 0; c < static_cast<int>(unit.files[at(f)].chunks.size()); ++c)
        for (const std::string &name : unit.files[at(f)].chunks[at(c)].names)
          declared_[name].push_back({f, c});
  }

  void run() {
    for (int f = 0; f < static_cast<int>(unit_.files.size()); ++f) seed(f);
    for (const std::string &name : request_.mentioned) mention(name);
    keep(request_.kernel);
    while (!fresh_.empty()) {
      const std::string name = std::move(fresh_.back());
      fresh_.pop_back();
      if (const auto found = declared_.find(name); found != declared_.end())
        std::ranges::for_each(found->second, [&](ChunkId id) { keep(id); });
      if (const auto macro = unit_.macros.find(name); macro != unit_.macros.end())
        std::ranges::for_each(macro->second, [&](const std::string &body) { mention_all(body); });
    }
  }

  std::set<ChunkId> kept;
  std::set<std::string> mentioned;

private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  void mention(const std::string &name) {
    if (mentioned.insert(name).second) fresh_.push_back(name);
  }

  void mention_all(const std::string &text) {
    for (const directive::RawToken &token : directive::lex_source(text).tokens)
      if (token.identifier) mention(text.substr(token.begin, token.end - token.begin));
  }

  /// Text that no declaration covers (namespaces, inactive regions) is kept, and so is what it names.
  void seed(int f) {
    const UnitFile &file = unit_.files[at(f)];
    for (const directive::RawToken &token : file.raw.tokens)
      if (token.identifier && token.line_directive < 0 && chunk_at(file, token.begin) < 0)
        mention(std::string(text_of(file, token)));
    for (int c = 0; c < static_cast<int>(file.chunks.size()); ++c)
      if (file.chunks[at(c)].always || !balanced(file, file.chunks[at(c)])) keep({f, c});
  }

  void keep(ChunkId id) {
    if (!kept.insert(id).second) return;
    const UnitFile &file = unit_.files[at(id.file)];
    const Chunk &chunk = file.chunks[at(id.chunk)];
    auto token = std::ranges::lower_bound(file.raw.tokens, chunk.begin, {}, &directive::RawToken::begin);
    for (std::string_view before; token != file.raw.tokens.end() && token->begin < chunk.end; ++token) {
      const std::string_view text = text_of(file, *token);
      if (token->identifier && may_name_a_chunk(text, before, chunk)) mention(std::string(text));
      before = text;
    }
  }

  /// Members and the chunk's own parameters do not refer to other chunks, unless a macro has the same name.
  bool may_name_a_chunk(std::string_view text, std::string_view before, const Chunk &chunk) const {
    if (unit_.macros.contains(std::string(text)) || before == "::") return true;
    return before != "." && before != "->" && std::ranges::find(chunk.bound, text) == chunk.bound.end();
  }

  const UnitText &unit_;
  const SliceRequest &request_;
  std::map<std::string, std::vector<ChunkId>> declared_;
  std::vector<std::string> fresh_;
};

/// The kept declarations in source order, then the macros they use, sorted by name.
std::vector<std::string> identity_of(const UnitText &unit, const Pruner &pruner) {
  std::vector<std::string> parts;
  for (const ChunkId id : pruner.kept) {
    const UnitFile &file = unit.files[static_cast<std::size_t>(id.file)];
    const Chunk &chunk = file.chunks[static_cast<std::size_t>(id.chunk)];
    auto token = std::ranges::lower_bound(file.raw.tokens, chunk.begin, {}, &directive::RawToken::begin);
    for (; token != file.raw.tokens.end() && token->begin < chunk.end; ++token)
      parts.emplace_back(text_of(file, *token));
  }
  for (const std::string &name : pruner.mentioned) {
    const auto macro = unit.macros.find(name);
    if (macro == unit.macros.end()) continue;
    parts.push_back("#define " + name);
    for (const std::string &body : macro->second)
      for (const directive::RawToken &token : directive::lex_source(body).tokens)
        parts.push_back(body.substr(token.begin, token.end - token.begin));
  }
  return parts;
}

}  // namespace

Slice cut_slice(const UnitText &unit, const SliceRequest &request) {
  Pruner pruner(unit, request);
  pruner.run();
  Slice slice;
  slice.text = print_slice(unit, pruner.kept);
  if (!request.appended.empty()) slice.text += request.appended + "\n";
  slice.identity = identity_of(unit, pruner);
  slice.kept = std::move(pruner.kept);
  slice.mentioned = std::move(pruner.mentioned);
  return slice;
}

void add_explicit_instantiations(UnitFile &file) {
  std::vector<Chunk> found;
  const auto &tokens = file.raw.tokens;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (text_of(file, tokens[i]) != "template" || text_of(file, tokens[i + 1]) == "<") continue;
    if (tokens[i].line_directive >= 0 || chunk_at(file, tokens[i].begin) >= 0) continue;
    std::size_t begin = i, end = i;
    if (i > 0 && text_of(file, tokens[i - 1]) == "extern") --begin;
    while (end + 1 < tokens.size() && text_of(file, tokens[end]) != ";") ++end;
    found.push_back({.begin = tokens[begin].begin, .end = tokens[end].end});
    i = end;
  }
  file.chunks.insert(file.chunks.end(), found.begin(), found.end());
  std::ranges::sort(file.chunks, {}, &Chunk::begin);
}

}  // namespace cupilot::extract
