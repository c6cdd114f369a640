// SPDX-License-Identifier: Apache-2.0
//
// Initial values of variables: numbers into bytes, addresses into relocations. Rows of an array of arrays may
// be given incomplete; clang gives an address inside bytes byte by byte, as 0xFF(x), 0xFF00(x), ...

#include <fmt/format.h>

#include <bit>

#include "evolution/emulate/ptx/constant.h"
#include "evolution/emulate/ptx/declaration.h"

namespace cupilot::emulate::ptx {
namespace {

/// No text may ask for more zeros than this, by rows that are mostly empty.
constexpr std::uint64_t kMostPadding = std::uint64_t{256} << 20;

class Initialiser {
public:
  Initialiser(Builder &builder, Variable &variable, std::vector<std::uint64_t> extents)
      : builder_(builder),
        lexer_(builder.lexer),
        variable_(variable),
        extents_(std::move(extents)),
        width_(variable.type.bits < 8 ? 1 : variable.type.bits / 8u) {}

  bool run() {
    const Token start = lexer_.now();
    const bool open = !extents_.empty() && extents_[0] == 0;
    if (!lexer_.is('{')) return element();
    if (variable_.type.kind == 'x' && variable_.type.name.ends_with("ref")) return skip_braces();
    if (extents_.empty()) extents_.push_back(1);
    if (!braces(0)) return false;
    if (open) return close_open_array();
    return variable_.value.size() <= variable_.bytes ||
           lexer_.fail_at(start, fmt::format("'{}' has too many initial values", shown(variable_.name)));
  }

private:
  /// Bytes of one member of the array at this depth.
  std::uint64_t member_bytes(std::size_t depth) const {
    std::uint64_t bytes = width_;
    for (std::size_t i = depth + 1; i < extents_.size(); ++i) bytes *= extents_[i];
    return bytes;
  }

  /// name[] = {...}: as many members as were given.
  bool close_open_array() {
    const std::uint64_t member = member_bytes(0);
    const std::uint64_t count = member == 0 ? 0 : (variable_.value.size() + member - 1) / member;
    variable_.elements = count * (member / width_);
    variable_.bytes = count * member;
    return true;
  }

  bool pad(std::uint64_t size) {
    if (size <= variable_.value.size()) return true;
    builder_.padding += size - variable_.value.size();
    if (builder_.padding > kMostPadding) return lexer_.fail("the initial values need too much memory");
    variable_.value.resize(size);
    return true;
  }

  bool braces(std::size_t depth) {
    const Token start = lexer_.now();
    if (!lexer_.expect('{')) return false;
    if (depth >= extents_.size())
      return lexer_.fail_at(start, "the braces are nested deeper than the array has dimensions");
    if (lexer_.accept('}')) return true;
    const std::uint64_t from = variable_.value.size();
    for (std::uint64_t i = 0;; ++i) {
      if (lexer_.is('{')) {
        if (!pad(from + i * member_bytes(depth)) || !braces(depth + 1)) return false;
      } else if (!element()) {
        return false;
      }
      if (!lexer_.accept(',')) return lexer_.expect('}');
    }
  }

  void append(std::uint64_t bits, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i)
      variable_.value.push_back(i < 8 ? static_cast<std::uint8_t>(bits >> 8 * i) : 0);
  }

  bool element() {
    if (lexer_.now().kind == TokenKind::word && lexer_.now().text != "WARP_SZ") return address(width_, 0);
    const Token start = lexer_.now();
    Constant value;
    if (!begins_constant(lexer_)) return lexer_.unexpected("an initial value");
    // A mask before an address would read as a call: 0xFF00(symbol).
    if (start.kind == TokenKind::integer && lexer_.following() == '(') {
      lexer_.advance();
      return masked(start);
    }
    if (!constant(lexer_, value)) return false;
    append(bits_of(value), width_);
    return true;
  }

  std::uint64_t bits_of(const Constant &value) const {
    if (variable_.type.kind == 'f' && variable_.type.bits == 32)
      return value.real && value.bits == 32
                 ? static_cast<std::uint64_t>(value.integer)
                 : std::bit_cast<std::uint32_t>(static_cast<float>(value.as_double()));
    if (variable_.type.kind == 'f' && variable_.type.bits == 64)
      return value.real && value.bits == 64 ? static_cast<std::uint64_t>(value.integer)
                                            : std::bit_cast<std::uint64_t>(value.as_double());
    return static_cast<std::uint64_t>(value.integer);
  }

  bool masked(const Token &mask) {
    const auto bits = static_cast<std::uint64_t>(mask.integer);
    const int shift = bits == 0 ? 0 : std::countr_zero(bits);
    if (shift % 8 != 0 || bits >> shift != 0xff || width_ != 1)
      return lexer_.fail_at(mask, "only single bytes of an address can be selected");
    return lexer_.expect('(') && address(1, static_cast<std::uint8_t>(shift / 8)) && lexer_.expect(')');
  }

  /// "sym", "sym+8", "generic(sym)+8"; `part`: which byte of it, when width is 1.
  bool address(std::size_t width, std::uint8_t part) {
    const Token start = lexer_.now();
    Variable::Relocation one;
    one.at = variable_.value.size();
    one.bytes = static_cast<std::uint8_t>(width);
    if (!lexer_.expect_word(one.symbol, "the name of a variable or function")) return false;
    if (one.symbol == "generic" && lexer_.accept('(')) {
      one.generic = true;
      if (!lexer_.expect_word(one.symbol, "the name of a variable") || !addend(one.addend) ||
          !lexer_.expect(')'))
        return false;
    }
    if (!addend(one.addend)) return false;
    append(0, width);
    return part == 0 ? keep(one) : extend(one, part, start);
  }

  bool addend(std::int64_t &sum) {
    std::int64_t value = 0;
    if (!lexer_.is('+') && !lexer_.is('-')) return true;
    if (lexer_.is('+')) lexer_.advance();
    if (!integer_constant(lexer_, value, "an offset")) return false;
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(value));
    return true;
  }

  bool keep(const Variable::Relocation &one) {
    variable_.relocations.push_back(one);
    return true;
  }

  /// The next byte of an address whose bytes before it came just now.
  bool extend(const Variable::Relocation &one, std::uint8_t part, const Token &start) {
    const bool any = !variable_.relocations.empty();
    if (!any || variable_.relocations.back().symbol != one.symbol ||
        variable_.relocations.back().addend != one.addend || variable_.relocations.back().bytes != part ||
        variable_.relocations.back().at + part != one.at)
      return lexer_.fail_at(start, "the bytes of an address must come in order, lowest first");
    ++variable_.relocations.back().bytes;
    return true;
  }

  /// Textures and samplers are described by words: { addr_mode_0 = clamp_to_edge }.
  bool skip_braces() {
    while (!lexer_.at_end() && !lexer_.is('}')) lexer_.advance();
    return lexer_.expect('}');
  }

  Builder &builder_;
  Lexer &lexer_;
  Variable &variable_;
  std::vector<std::uint64_t> extents_;
  std::size_t width_;
};

}  // namespace

bool initialiser(Builder &builder, Variable &variable, std::vector<std::uint64_t> extents) {
  return Initialiser(builder, variable, std::move(extents)).run();
}

}  // namespace cupilot::emulate::ptx
