// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/ptx/declaration.h"

#include <fmt/format.h>

#include <algorithm>

namespace cupilot::emulate::ptx {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 48;

constexpr std::size_t kMostExtents = 16;

struct SpaceName {
  std::string_view word;
  Space space;
};
constexpr SpaceName kSpaces[] = {
    {"reg", Space::reg},       {"param", Space::param},        {"local", Space::local},
    {"shared", Space::shared}, {"shared::cta", Space::shared}, {"global", Space::global},
    {"const", Space::constant}};

struct TypeName {
  std::string_view word;
  char kind;
  std::uint16_t bits;
};
constexpr TypeName kTypes[] = {
    {"b32", 'b', 32},     {"u32", 'u', 32},       {"s32", 's', 32},    {"f32", 'f', 32},
    {"b64", 'b', 64},     {"u64", 'u', 64},       {"s64", 's', 64},    {"f64", 'f', 64},
    {"b8", 'b', 8},       {"u8", 'u', 8},         {"s8", 's', 8},      {"b16", 'b', 16},
    {"u16", 'u', 16},     {"s16", 's', 16},       {"f16", 'f', 16},    {"pred", 'p', 1},
    {"b128", 'b', 128},   {"f16x2", 'x', 32},     {"bf16", 'x', 16},   {"bf16x2", 'x', 32},
    {"tf32", 'x', 32},    {"e4m3", 'x', 8},       {"e5m2", 'x', 8},    {"e4m3x2", 'x', 16},
    {"e5m2x2", 'x', 16},  {"e2m1x2", 'x', 8},     {"e2m3x2", 'x', 16}, {"e3m2x2", 'x', 16},
    {"ue8m0x2", 'x', 16}, {"e4m3x4", 'x', 32},    {"e5m2x4", 'x', 32}, {"u16x2", 'x', 32},
    {"s16x2", 'x', 32},   {"u8x4", 'x', 32},      {"s8x4", 'x', 32},   {"texref", 'x', 64},
    {"surfref", 'x', 64}, {"samplerref", 'x', 64}};

/// Bytes of one element.
std::uint64_t element_bytes(const Type &type) {
  return std::max<std::uint64_t>(type.bits / 8, 1);
}

bool alignment(Lexer &lexer, std::uint32_t &result) {
  constexpr std::int64_t kMost = 1 << 16;
  const Token start = lexer.now();
  std::int64_t value = 0;
  if (!lexer.expect_integer(value, "an alignment")) return false;
  if (value <= 0 || value > kMost || (value & (value - 1)) != 0)
    return lexer.fail_at(start, "an alignment must be a power of two up to 65536");
  result = static_cast<std::uint32_t>(value);
  return true;
}

/// Says where a pointer parameter points; nothing of it is kept.
bool pointee(Lexer &lexer) {
  std::uint32_t ignored = 0;
  if (lexer.now().kind == TokenKind::dotted && space_of(lexer.now().text)) lexer.advance();
  return !lexer.accept_dotted("align") || alignment(lexer, ignored);
}

/// ".attribute(.managed)"
bool attribute(Lexer &lexer) {
  if (!lexer.expect('(')) return false;
  while (!lexer.at_end() && !lexer.is(')')) lexer.advance();
  return lexer.expect(')');
}

}  // namespace

Builder::Builder(std::string text, const std::string &name)
    : module([&] {
        Module made;
        made.text = std::make_shared<const std::string>(std::move(text));
        return made;
      }()),
      lexer(*module.text, name),
      locations(module) {}

std::string_view Builder::make(std::string text) {
  module.made.push_back(std::make_shared<const std::string>(std::move(text)));
  return *module.made.back();
}

std::optional<Space> space_of(std::string_view word) {
  for (const SpaceName &one : kSpaces)
    if (one.word == word) return one.space;
  return std::nullopt;
}

std::optional<Type> type_of(std::string_view word) {
  for (const TypeName &one : kTypes)
    if (one.word == word) return Type{one.kind, one.bits, word};
  return std::nullopt;
}

int integer_bits(std::string_view word) {
  const auto type = type_of(word);
  const bool integer = type && (type->kind == 'b' || type->kind == 's' || type->kind == 'u');
  return integer ? type->bits : 0;
}

bool declaration_head(Lexer &lexer, DeclarationHead &head) {
  while (lexer.now().kind == TokenKind::dotted) {
    const Token word = lexer.now();
    lexer.advance();
    if (const auto type = type_of(word.text)) {
      head.type = *type;
    } else if (word.text == "align") {
      if (!alignment(lexer, head.alignment)) return false;
    } else if (word.text == "v2" || word.text == "v4" || word.text == "v8") {
      head.vector = static_cast<std::uint8_t>(word.text[1] - '0');
    } else if (word.text == "ptr") {
      if (!pointee(lexer)) return false;
    } else if (word.text == "attribute") {
      if (!attribute(lexer)) return false;
    } else {
      return lexer.fail_at(word, fmt::format("'.{}' is not known in a declaration", shown(word.text)));
    }
  }
  return head.type.kind != 0 || lexer.unexpected("a type");
}

bool declarator(Lexer &lexer, const DeclarationHead &head, Variable &variable,
                std::vector<std::uint64_t> &extents) {
  const Token start = lexer.now();
  if (!lexer.expect_word(variable.name, "a name")) return false;
  variable.space = head.space;
  variable.type = head.type;
  variable.alignment = head.alignment;
  variable.elements = head.vector;
  const std::uint64_t bytes = element_bytes(head.type);
  if (head.vector > 1 && variable.alignment == 0)
    variable.alignment = static_cast<std::uint32_t>(bytes * head.vector);
  while (lexer.accept('[')) {
    std::int64_t extent = 0;
    if (!lexer.is(']') && !lexer.expect_integer(extent, "an extent")) return false;
    if (!lexer.expect(']')) return false;
    if (extent < 0 ||
        (extent > 0 && variable.elements > kMostBytes / bytes / static_cast<std::uint64_t>(extent)))
      return lexer.fail_at(start, fmt::format("'{}' is larger than any memory", shown(variable.name)));
    if (extents.size() == kMostExtents)
      return lexer.fail_at(start, fmt::format("the array '{}' has more than {} dimensions",
                                              shown(variable.name), kMostExtents));
    extents.push_back(static_cast<std::uint64_t>(extent));
    variable.elements *= static_cast<std::uint64_t>(extent);
  }
  if (head.vector > 1) extents.push_back(head.vector);
  variable.bytes = variable.elements * bytes;
  return true;
}

bool variable(Builder &builder, const DeclarationHead &head, Variable &variable) {
  std::vector<std::uint64_t> extents;
  if (!declarator(builder.lexer, head, variable, extents)) return false;
  return !builder.lexer.accept('=') || initialiser(builder, variable, std::move(extents));
}

bool parameter_list(Lexer &lexer, std::vector<Variable> &parameters) {
  if (!lexer.expect('(')) return false;
  if (lexer.accept(')')) return true;
  do {
    DeclarationHead head;
    const auto space = lexer.now().kind == TokenKind::dotted ? space_of(lexer.now().text) : std::nullopt;
    if (space != Space::param && space != Space::reg) return lexer.unexpected("a parameter");
    head.space = *space;
    lexer.advance();
    std::vector<std::uint64_t> extents;
    Variable one;
    if (!declaration_head(lexer, head) || !declarator(lexer, head, one, extents)) return false;
    parameters.push_back(std::move(one));
  } while (lexer.accept(','));
  return lexer.expect(')');
}

}  // namespace cupilot::emulate::ptx
