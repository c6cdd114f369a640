// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/ptx/parser.h"

#include <fmt/format.h>

#include "evolution/emulate/ptx/body.h"
#include "evolution/emulate/ptx/declaration.h"

namespace cupilot::emulate::ptx {
namespace {

struct Linkage {
  bool external = false, weak = false;
};

class ModuleParser {
public:
  ModuleParser(std::string text, const std::string &name)
      : builder_(std::move(text), name), lexer_(builder_.lexer) {}

  Result<Module> run() {
    while (!lexer_.at_end() && statement()) continue;
    if (!lexer_.failed() && builder_.module.version.empty())
      lexer_.fail("this is not PTX: .version is missing");
    if (lexer_.failed()) return user_error(lexer_.error());
    builder_.locations.finish();
    apply_aliases();
    return std::move(builder_.module);
  }

private:
  bool statement() {
    const Token start = lexer_.now();
    if (lexer_.accept(';')) return true;
    if (start.kind == TokenKind::sign && start.sign == '@') return skip_dwarf_line(start.line);
    if (start.kind != TokenKind::dotted) return lexer_.unexpected("a directive");
    lexer_.advance();
    if (start.text == "version") return version();
    if (builder_.module.version.empty())
      return lexer_.fail_at(start, "this is not PTX: .version must come first");
    if (start.text == "target") return target();
    if (start.text == "address_size") return address_size();
    if (start.text == "file") return builder_.locations.file(lexer_);
    if (start.text == "loc") return builder_.locations.loc(lexer_);
    if (start.text == "section") return section();
    if (start.text == "pragma") return pragma();
    if (start.text == "alias") return alias();
    return linked(start);
  }

  /// "@@DWARF .byte ..." of old compilers.
  bool skip_dwarf_line(std::uint32_t line) {
    while (!lexer_.at_end() && lexer_.now().line == line) lexer_.advance();
    return !lexer_.failed();
  }

  bool version() {
    if (lexer_.now().kind != TokenKind::real && lexer_.now().kind != TokenKind::integer)
      return lexer_.unexpected("a version");
    builder_.module.version = lexer_.now().text;
    lexer_.advance();
    return true;
  }

  bool target() {
    std::string_view word;
    if (!lexer_.expect_word(builder_.module.target, "a target")) return false;
    while (lexer_.accept(','))
      if (!lexer_.expect_word(word, "a target")) return false;
    return true;
  }

  bool address_size() {
    const Token start = lexer_.now();
    std::int64_t bits = 0;
    if (!lexer_.expect_integer(bits, "32 or 64")) return false;
    return bits == 64 || lexer_.fail_at(start, "only .address_size 64 is supported");
  }

  bool section() {
    while (!lexer_.at_end() && !lexer_.is('{')) lexer_.advance();
    while (!lexer_.at_end() && !lexer_.is('}')) lexer_.advance();
    return lexer_.expect('}');
  }

  bool pragma() {
    while (lexer_.now().kind == TokenKind::string || lexer_.is(',')) lexer_.advance();
    return lexer_.expect(';');
  }

  bool alias() {
    std::string_view from, to;
    if (!lexer_.expect_word(from, "a name") || !lexer_.expect(',') || !lexer_.expect_word(to, "a name"))
      return false;
    if (from != to) builder_.module.aliases[from] = to;
    return lexer_.expect(';');
  }

  /// A variable or function with its linkage; `word` was the first of it.
  bool linked(Token word) {
    Linkage linkage;
    for (;; word = lexer_.now(), lexer_.advance()) {
      if (word.kind != TokenKind::dotted) return lexer_.fail_at(word, "expected a declaration");
      if (word.text == "entry" || word.text == "func") return function(word, linkage);
      if (word.text == "reg") return lexer_.fail_at(word, "registers outside functions are not supported");
      if (const auto space = space_of(word.text)) return variables(*space, linkage);
      if (word.text == "tex") return variables(Space::global, linkage);
      linkage.external |= word.text == "extern";
      linkage.weak |= word.text == "weak" || word.text == "common";
      if (word.text != "extern" && word.text != "visible" && word.text != "weak" && word.text != "common")
        return lexer_.fail_at(word, fmt::format("the directive '.{}' is not known", shown(word.text)));
    }
  }

  bool variables(Space space, const Linkage &linkage) {
    DeclarationHead head;
    head.space = space;
    if (!declaration_head(lexer_, head)) return false;
    do {
      const Token start = lexer_.now();
      Variable one;
      if (!variable(builder_, head, one)) return false;
      one.external = linkage.external;
      if (!keep(std::move(one), linkage, start)) return false;
    } while (lexer_.accept(','));
    return lexer_.expect(';');
  }

  bool keep(Variable &&one, const Linkage &linkage, const Token &start) {
    std::vector<Variable> &all = builder_.module.variables;
    if (builder_.functions.contains(one.name)) return twice(one.name, start);
    const auto [known, fresh] = builder_.variables.emplace(one.name, static_cast<std::uint32_t>(all.size()));
    if (fresh) {
      all.push_back(std::move(one));
      return true;
    }
    Variable &before = all[known->second];
    if (!before.external && !one.external && !linkage.weak) return twice(one.name, start);
    if (!one.external) before = std::move(one);
    return true;
  }

  bool twice(std::string_view name, const Token &start) {
    return lexer_.fail_at(start, fmt::format("'{}' is declared twice", shown(name)));
  }

  bool function(const Token &word, const Linkage &linkage) {
    Function one;
    one.entry = word.text == "entry";
    one.weak = linkage.weak;
    one.line = word.line;
    while (lexer_.is_dotted("attribute")) skip_attribute();
    if (lexer_.is('(') && !parameter_list(lexer_, one.returns)) return false;
    const Token start = lexer_.now();
    if (!lexer_.expect_word(one.name, "the name of a function")) return false;
    if (lexer_.is('(') && !parameter_list(lexer_, one.parameters)) return false;
    while (lexer_.now().kind == TokenKind::dotted)
      if (!property(one)) return false;
    if (builder_.variables.contains(one.name)) return twice(one.name, start);
    return define(std::move(one), start);
  }

  void skip_attribute() {
    lexer_.advance();
    while (!lexer_.at_end() && !lexer_.accept(')')) lexer_.advance();
  }

  /// ".maxntid 128, 1, 1", ".noreturn", ".pragma "..."": a word and what belongs to it.
  bool property(Function &one) {
    const Token word = lexer_.now();
    if (word.text == "attribute") {
      skip_attribute();
      return true;
    }
    lexer_.advance();
    if (word.text == "pragma") return pragma();
    std::uint32_t numbers[3] = {1, 1, 1};
    for (std::size_t i = 0; lexer_.now().kind == TokenKind::integer; ++i) {
      if (i == 3) return lexer_.unexpected("at most three numbers");
      if (lexer_.now().integer < 0 || lexer_.now().integer > 0x7fffffff)
        return lexer_.fail("this number is too large");
      numbers[i] = static_cast<std::uint32_t>(lexer_.now().integer);
      lexer_.advance();
      if (!lexer_.accept(',')) break;
    }
    for (const auto &[name, place] : {std::pair{"maxntid", one.max_threads},
                                      {"reqntid", one.required_threads},
                                      {"reqnctapercluster", one.cluster}})
      if (word.text == name) std::copy(numbers, numbers + 3, place);
    if (word.text == "minnctapersm") one.min_blocks = numbers[0];
    if (word.text == "maxnreg") one.max_registers = numbers[0];
    if (word.text == "noreturn") one.noreturn = true;
    return true;
  }

  bool define(Function &&one, const Token &start) {
    std::vector<Function> &all = builder_.module.functions;
    const auto [known, fresh] = builder_.functions.emplace(one.name, static_cast<std::uint32_t>(all.size()));
    const std::uint32_t index = known->second;
    one.declared_only = lexer_.accept(';');
    if (fresh) {
      Function placeholder;
      placeholder.name = one.name;
      placeholder.declared_only = true;
      all.push_back(std::move(placeholder));
    }
    if (one.declared_only) {
      if (all[index].declared_only) all[index] = std::move(one);
      return true;
    }
    if (!all[index].declared_only) return twice(one.name, start);
    if (!Body(builder_, one).parse()) return false;
    all[index] = std::move(one);
    return true;
  }

  /// The aliasee may itself be an alias; a circle ends after a few steps.
  std::string_view aliasee(std::string_view name) const {
    const auto &aliases = builder_.module.aliases;
    for (int steps = 0; steps < 8; ++steps) {
      const auto found = aliases.find(name);
      if (found == aliases.end()) break;
      name = found->second;
    }
    return name;
  }
  void apply(Operand &operand) const {
    if (operand.kind == Operand::Kind::symbol) operand.name = aliasee(operand.name);
    for (Operand &part : operand.parts) apply(part);
  }
  void apply_aliases() {
    if (builder_.module.aliases.empty()) return;
    for (Function &function : builder_.module.functions) {
      for (Instruction &instruction : function.body)
        for (Operand &operand : instruction.operands) apply(operand);
      for (auto &[name, targets] : function.targets)
        for (Operand &operand : targets) apply(operand);
    }
    for (Variable &variable : builder_.module.variables)
      for (Variable::Relocation &one : variable.relocations) one.symbol = aliasee(one.symbol);
  }

  Builder builder_;
  Lexer &lexer_;
};

}  // namespace

Result<Module> parse(std::string text, const std::string &name) {
  return ModuleParser(std::move(text), name).run();
}

}  // namespace cupilot::emulate::ptx
