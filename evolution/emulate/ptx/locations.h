// SPDX-License-Identifier: Apache-2.0
//
// Reads the directives .loc and .file, which give places in the user's source. Each place is stored once,
// with the chain of calls that were inlined.

#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "evolution/emulate/ptx/lexer.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::ptx {

class Locations {
public:
  explicit Locations(Module &module) : module_(module) { module_.locations.resize(1); }

  /// Parse what follows ".loc" and ".file".
  bool loc(Lexer &lexer);
  bool file(Lexer &lexer);
  /// The place of the next instruction.
  std::uint32_t now() const { return now_; }
  void begin_function() { now_ = 0; }
  /// Every location's file exists, if only with an empty name: nvcc names the files at the end of the text.
  void finish();

private:
  struct Hash {
    std::size_t operator()(const Location &l) const {
      std::uint64_t h = l.file * 0x9e3779b97f4a7c15u;
      h = (h ^ l.line) * 0xff51afd7ed558ccdu;
      h = (h ^ l.column) * 0xc4ceb9fe1a85ec53u;
      return (h ^ l.inlined_at) * 0x9e3779b97f4a7c15u;
    }
  };
  struct Equal {
    bool operator()(const Location &a, const Location &b) const {
      return a.file == b.file && a.line == b.line && a.column == b.column && a.inlined_at == b.inlined_at;
    }
  };
  bool place(Lexer &lexer, Location &place);
  bool inlined(Lexer &lexer, Location &place);
  std::uint32_t keep(const Location &place);
  std::uint32_t commented(std::string_view chain);
  std::uint32_t file_named(std::string_view name);
  std::optional<std::uint32_t> same_file(const std::vector<std::uint32_t> &files,
                                         std::string_view name) const;

  Module &module_;
  std::uint32_t now_ = 0, highest_file_ = 0;
  std::vector<std::string_view>
      names_;  ///< files that comments name; numbers from kFirstNamed on, until finish()
  std::unordered_map<std::string_view, std::uint32_t> name_numbers_;
  std::unordered_map<Location, std::uint32_t, Hash, Equal> known_;
  std::unordered_map<Location, std::uint32_t, Hash, Equal> latest_;  ///< by place alone
};

}  // namespace cupilot::emulate::ptx
