// SPDX-License-Identifier: Apache-2.0
//
// Text is printed in runs: consecutive kept tokens with the text between them. A preprocessor line ends a
// run. An include of a user file is replaced by the content of the file.

#include "annotate/extract/slice_printer.h"

#include <fmt/format.h>
#include <algorithm>

namespace cupilot::extract {
namespace {

// Gaps up to this many lines are printed as blank lines, which is easier to read than #line.
constexpr int kLargestBlankGap = 3;

class Printer {
public:
  Printer(const UnitText &unit, const std::set<ChunkId> &kept) : unit_(unit), kept_(kept) {}

  std::string run() {
    file(0);
    if (!at_line_start()) out_ += '\n';
    return std::move(out_);
  }

private:
  struct Run {
    unsigned begin = 0, end = 0;
    int chunk = -1;
  };

  bool at_line_start() const { return out_.empty() || out_.back() == '\n'; }

  void file(int index) {
    const UnitFile &source = unit_.files[static_cast<std::size_t>(index)];
    const directive::LineIndex lines(source.text);
    file_ = &source;
    lines_ = &lines;
    line_ = 0;  // forces a #line
    Run run;
    int done_directive = -1;
    const std::vector<Enclosure> empty = empty_enclosures(source, index);
    for (const directive::RawToken &token : source.raw.tokens) {
      if (token.line_directive >= 0) {
        if (token.line_directive == done_directive) continue;
        done_directive = token.line_directive;
        flush(run);
        const directive::PreprocessorLine &line =
            source.raw.directives[static_cast<std::size_t>(done_directive)];
        if (survives(source, line, index)) directive(line);
        continue;
      }
      const int chunk = chunk_of(source, token.begin);
      if (dropped(index, chunk) || stands_in(token.begin, empty)) {
        flush(run);
      } else if (run.end && run.chunk == chunk &&
                 (chunk >= 0 || lines.line(run.end - 1) == lines.line(token.begin))) {
        run.end = token.end;
      } else {
        flush(run);
        run = {token.begin, token.end, chunk};
      }
    }
    flush(run);
    file_ = nullptr;
  }

  bool dropped(int file, int chunk) const { return chunk >= 0 && !kept_.contains({file, chunk}); }

  /// Enclosures with nothing printed between their braces.
  std::vector<Enclosure> empty_enclosures(const UnitFile &source, int index) const {
    std::vector<Enclosure> empty = source.enclosures;
    const auto is_brace = [&](unsigned offset) { return stands_in(offset, source.enclosures); };
    for (const directive::RawToken &token : source.raw.tokens) {
      if (token.line_directive >= 0 || is_brace(token.begin) || dropped(index, chunk_of(source, token.begin)))
        continue;
      std::erase_if(empty, [&](const Enclosure &e) { return e.begin < token.begin && token.begin < e.end; });
    }
    return empty;
  }

  static bool stands_in(unsigned offset, const std::vector<Enclosure> &enclosures) {
    return std::ranges::any_of(enclosures, [&](const Enclosure &e) {
      return (e.begin <= offset && offset < e.open_end) || (e.close_begin <= offset && offset < e.end);
    });
  }

  /// In a removed declaration only macro definitions and includes, and their conditions, affect the rest.
  bool survives(const UnitFile &source, const directive::PreprocessorLine &line, int index) const {
    const int number = chunk_of(source, line.begin);
    if (!dropped(index, number)) return true;
    const Chunk &chunk = source.chunks[static_cast<std::size_t>(number)];
    const bool defines =
        std::ranges::any_of(source.raw.directives, [&](const directive::PreprocessorLine &other) {
          const bool inside = chunk.begin <= other.begin && other.begin < chunk.end;
          return inside &&
                 (other.keyword == "define" || other.keyword == "undef" || other.keyword == "include");
        });
    return defines && line.keyword != "pragma";
  }

  static int chunk_of(const UnitFile &source, unsigned offset) {
    auto after = std::ranges::upper_bound(source.chunks, offset, {}, &Chunk::begin);
    if (after == source.chunks.begin()) return -1;
    --after;
    return offset < after->end ? static_cast<int>(after - source.chunks.begin()) : -1;
  }

  void flush(Run &run) {
    if (run.end) text(run.begin, run.end);
    run = {};
  }

  /// Prints the bytes at the line number they have in the source.
  void text(unsigned begin, unsigned end) {
    const int line = lines_->line(begin);
    if (line == line_ && !at_line_start()) {
      out_ += ' ';
    } else {
      go_to(line);
      const unsigned first = lines_->line_begin(line);
      const std::string_view indent = std::string_view(file_->text).substr(first, begin - first);
      if (indent.find_first_not_of(" \t") == std::string_view::npos) out_ += indent;
    }
    out_.append(file_->text, begin, end - begin);
    line_ = lines_->line(end - 1);
  }

  void go_to(int line) {
    if (!at_line_start()) {
      out_ += '\n';
      ++line_;
    }
    if (line_ > 0 && line >= line_ && line - line_ <= kLargestBlankGap)
      out_.append(static_cast<std::size_t>(line - line_), '\n');
    else if (line != line_)
      out_ += fmt::format("#line {} \"{}\"\n", line, file_->display_path);
    line_ = line;
  }

  void directive(const directive::PreprocessorLine &line) {
    const std::string_view words = std::string_view(file_->text).substr(line.begin, line.end - line.begin);
    if (line.keyword == "pragma" && (mentions(words, "cupilot") || mentions(words, "once"))) return;
    if (line.keyword == "include") {
      const int number = lines_->line(line.begin);
      const auto found = std::ranges::find(file_->includes, number, &IncludedFile::line);
      if (found != file_->includes.end()) return inline_file(found->file);
    }
    if (!at_line_start()) {
      out_ += '\n';
      ++line_;
    }
    text(line.begin, line.end);
    out_ += '\n';
    ++line_;
  }

  static bool mentions(std::string_view words, std::string_view word) {
    const directive::RawTokens raw = directive::lex_source(words.substr(1));
    return raw.tokens.size() > 1 &&
           words.substr(1 + raw.tokens[1].begin, raw.tokens[1].end - raw.tokens[1].begin) == word;
  }

  void inline_file(int index) {
    if (index < 0) return;
    const UnitFile *outer_file = file_;
    const directive::LineIndex *outer_lines = lines_;
    file(index);
    file_ = outer_file;
    lines_ = outer_lines;
    if (!at_line_start()) out_ += '\n';
    line_ = 0;
  }

  const UnitText &unit_;
  const std::set<ChunkId> &kept_;
  const UnitFile *file_ = nullptr;
  const directive::LineIndex *lines_ = nullptr;
  int line_ = 0;  ///< source line of the next output line; 0: unknown
  std::string out_;
};

}  // namespace

std::string print_slice(const UnitText &unit, const std::set<ChunkId> &kept) {
  return Printer(unit, kept).run();
}

}  // namespace cupilot::extract
