// SPDX-License-Identifier: Apache-2.0
//
// A translation unit as text: the source, every user header as it was included, where top-level declarations
// stand and what they declare. Made by the parse (translation_unit.cpp), cut by slice.cpp. Names no Clang
// class.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "annotate/directive/source_lexer.h"

namespace cupilot {

/// A top-level declaration's bytes, [begin, end). Chunks of one file are sorted and do not overlap.
struct Chunk {
  unsigned begin = 0, end = 0;
  std::vector<std::string> names;  ///< any of them mentioned in kept text keeps the chunk
  std::vector<std::string> bound;  ///< its own parameters: inside, these names mean nothing else
  bool always = false;  ///< kept in every slice (using-directives, operators without a type of the user)
  bool device_global = false;
};

/// `namespace x {` and its `}`: printed only around something.
struct Enclosure {
  unsigned begin = 0, open_end = 0;   ///< from `namespace` to behind `{`
  unsigned close_begin = 0, end = 0;  ///< `}`
};

struct IncludedFile {
  int line = 0;
  int file = -1;  ///< index into UnitText::files; -1: its guard kept it out
};

/// One inclusion of a file; a header included twice stands here twice.
struct UnitFile {
  std::string path;          ///< absolute
  std::string display_path;  ///< what #line says
  std::string text;
  RawTokens raw;
  std::vector<Chunk> chunks;
  std::vector<Enclosure> enclosures;
  std::vector<IncludedFile> includes;  ///< of user files only
};

struct UnitText {
  std::vector<UnitFile> files;  ///< [0] is the source
  /// Bodies of macros the user's files and command line define, in order.
  std::map<std::string, std::vector<std::string>> macros;
};

struct ChunkId {
  int file = 0, chunk = 0;
  friend auto operator<=>(const ChunkId &, const ChunkId &) = default;
};

}  // namespace cupilot
