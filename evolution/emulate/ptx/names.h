// SPDX-License-Identifier: Apache-2.0
//
// The names in one function's body: registers, variables and parameters by nested scope. A register of a
// range (%r<100>) is created when it is first used, so a range costs nothing however large it is.

#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::ptx {

struct Name {
  enum class Kind : std::uint8_t { none, reg, symbol };
  Kind kind = Kind::none;
  std::uint32_t index = 0;  ///< of the register
  std::uint32_t depth = 0;
  std::string_view symbol;  ///< unique in the function
};

class Names {
public:
  explicit Names(Function &function) : function_(function) { open(); }

  void open();
  void close();
  std::size_t depth() const { return scopes_.size(); }
  /// A number for the scope that is open now; labels are kept by it.
  std::uint32_t scope() const { return scopes_.back().number; }
  /// False: the name is taken in this scope.
  bool add_register(std::string_view name, const Type &type, std::uint8_t vector);
  bool add_range(std::string_view prefix, std::uint64_t count, const Type &type, std::uint8_t vector);
  bool add_symbol(std::string_view name, std::string_view unique);
  Name find(std::string_view name);

  void add_label(std::string_view name, std::uint32_t statement, bool &twice);
  /// The statement, or -1; looked for in `scope` and those around it, open or closed.
  std::int64_t label(std::string_view name, std::uint32_t scope) const;

  static constexpr std::size_t kMostScopes = 200;

private:
  struct Range {
    Type type;
    std::uint8_t vector = 1;
    std::uint64_t count = 0;
    std::uint32_t depth = 0;
  };
  struct Scope {
    std::uint32_t number = 0, deepest_range = 0;
    std::vector<std::pair<std::string_view, Name>> shadowed;  ///< what each name meant before
    std::vector<std::string_view> ranges;
  };
  using LabelKey = std::pair<std::uint32_t, std::string_view>;
  struct LabelHash {
    std::size_t operator()(const LabelKey &key) const {
      return std::hash<std::string_view>()(key.second) ^ key.first * 0x9e3779b97f4a7c15u;
    }
  };
  bool add(std::string_view name, Name meaning);
  Name from_range(std::string_view name, const Name &outer);
  void set(std::string_view name, const Name &meaning);

  Function &function_;
  std::vector<Scope> scopes_;
  std::vector<std::uint32_t> parents_;  ///< by scope number
  std::unordered_map<std::string_view, Name> names_;
  std::unordered_map<std::string_view, std::vector<Range>> ranges_;
  std::unordered_map<LabelKey, std::uint32_t, LabelHash> labels_;
};

}  // namespace cupilot::emulate::ptx
