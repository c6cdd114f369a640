// SPDX-License-Identifier: Apache-2.0
//
// A translation unit as text: the source, every inclusion of a user header, and where the top-level
// declarations are and what they declare. translation_unit.cpp makes it; slice.cpp cuts the slice from it. It
// uses no Clang class.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "annotate/directive/source_lexer.h"

namespace cupilot::extract {

/// The byte range [begin, end) of a top-level declaration. Chunks of one file are sorted and do not overlap.
struct Chunk {
  unsigned begin = 0, end = 0;
  std::vector<std::string> names;  ///< the chunk is kept if kept text mentions one of these
  std::vector<std::string> bound;  ///< its own parameters, which inside it refer to nothing else
  bool always = false;  ///< kept in every slice (using-directives, operators without a user-defined type)
  bool device_global = false;
};

/// `namespace x {` and its `}`. They are printed only if something between them is.
struct Enclosure {
  unsigned begin = 0, open_end = 0;   ///< from `namespace` to just after `{`
  unsigned close_begin = 0, end = 0;  ///< `}`
};

struct IncludedFile {
  int line = 0;
  int file = -1;  ///< index into UnitText::files; -1: skipped because of its include guard
};

/// One inclusion of a file. A header that is included twice has two entries.
struct UnitFile {
  std::string path;          ///< absolute
  std::string display_path;  ///< the path that #line shows
  std::string text;
  directive::RawTokens raw;
  std::vector<Chunk> chunks;
  std::vector<Enclosure> enclosures;
  std::vector<IncludedFile> includes;  ///< only user files
};

struct UnitText {
  std::vector<UnitFile> files;  ///< [0] is the source
  /// Macros that the user's files and the command line define: all their bodies in order, by name.
  std::map<std::string, std::vector<std::string>> macros;
};

struct ChunkId {
  int file = 0, chunk = 0;
  friend auto operator<=>(const ChunkId &, const ChunkId &) = default;
};

}  // namespace cupilot::extract
