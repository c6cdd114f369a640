// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/prompt.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"
#include "evolution/model/role.h"
#include "prompt_texts.h"

namespace cupilot::role {
namespace {

constexpr std::string_view kHead = "cupilot-prompt ";
constexpr std::size_t kVersionDigits = 8;

std::unexpected<Error> at_line(const std::string &file, int line, const std::string &what) {
  return user_error(fmt::format("{}:{}: {}", file, line, what));
}

/// "{{name}}", "{{#name}}" or "{{/name}}", for messages.
std::string tag(std::string_view name, std::string_view sign = "") {
  return fmt::format("{{{{{}{}}}}}", sign, name);
}

bool is_name(std::string_view text) {
  const auto good = [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); };
  return !text.empty() && std::ranges::all_of(text, good);
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// A tag alone on its line is removed together with its line end.
bool alone_on_line(std::string_view text, std::size_t begin, std::size_t end) {
  const bool starts = begin == 0 || text[begin - 1] == '\n';
  return starts && end < text.size() && text[end] == '\n';
}

const std::string *value_of(const PromptValues &values, std::string_view name) {
  const auto found = std::ranges::find(values, name, [](const auto &value) { return value.first; });
  return found == values.end() ? nullptr : &found->second;
}

/// Values that are lines or blocks end with a line end; the prompt has its own.
std::string_view without_last_end(std::string_view value) {
  return value.ends_with('\n') ? value.substr(0, value.size() - 1) : value;
}

Result<void> check_places(const Prompt &prompt, const PromptKind &kind, const std::string &file) {
  const std::set<std::string> there = prompt.places();
  std::vector<std::string> known(kind.places.begin(), kind.places.end());
  for (const std::string &name : there)
    if (std::ranges::find(known, name) == known.end())
      return at_line(
          file, prompt.line_of(name),
          fmt::format("{} is not a placeholder of this prompt; {}", tag(name), did_you_mean(name, known)));
  for (const std::string &name : known)
    if (!there.contains(name))
      return at_line(file, 1, tag(name) + " is missing: the model would not get that part of the question");
  return {};
}

}  // namespace

Result<Prompt> Prompt::parse(std::string_view text, const std::string &file) {
  const std::string_view head = text.substr(0, text.find('\n'));
  const auto words = split(head, ' ');
  if (!head.starts_with(kHead) || words.size() != 3 || !is_name(words[1]) || !is_number(words[2]))
    return at_line(file, 1, "expected 'cupilot-prompt <name> <version>'");
  Prompt prompt;
  prompt.name_ = words[1];
  prompt.version_ = fmt::format("{} {}", words[1], words[2]);
  text.remove_prefix(std::min(text.size(), head.size() + 1));

  int line = 2;
  std::string open;  // the section that is open
  std::size_t copied = 0;
  while (true) {
    const std::size_t begin = text.find("{{", copied);
    const std::string_view words_before = text.substr(copied, begin - copied);
    if (!words_before.empty()) prompt.pieces_.push_back({Piece::Kind::text, std::string(words_before), line});
    if (begin == std::string_view::npos) break;
    line += static_cast<int>(std::ranges::count(words_before, '\n'));
    const std::size_t end = text.find("}}", begin);
    std::string_view name =
        end == std::string_view::npos ? std::string_view() : text.substr(begin + 2, end - begin - 2);
    const char sign = name.empty() ? ' ' : name.front();
    const bool is_tag = sign == '#' || sign == '/';
    if (is_tag) name.remove_prefix(1);
    if (!is_name(name)) return at_line(file, line, "'{{' does not begin a {{name}} of letters a-z and '_'");
    if (sign == '#' && !open.empty())
      return at_line(
          file, line,
          fmt::format("{} begins inside {}; sections cannot be nested", tag(name, "#"), tag(open, "#")));
    if (sign == '/' && open != name)
      return at_line(file, line, tag(name, "/") + " ends a section that is not open");
    if (is_tag) open = sign == '#' ? std::string(name) : "";
    prompt.pieces_.push_back({sign == '#'   ? Piece::Kind::section
                              : sign == '/' ? Piece::Kind::end
                                            : Piece::Kind::value,
                              std::string(name), line});
    copied = end + 2;
    if (is_tag && alone_on_line(text, begin, copied)) ++copied, ++line;
  }
  if (!open.empty())
    return at_line(file, line, fmt::format("{} is not ended by {}", tag(open, "#"), tag(open, "/")));
  return prompt;
}

std::set<std::string> Prompt::places() const {
  std::set<std::string> names;
  for (const Piece &piece : pieces_)
    if (piece.kind != Piece::Kind::text) names.insert(piece.text);
  return names;
}

int Prompt::line_of(std::string_view name) const {
  for (const Piece &piece : pieces_)
    if (piece.kind != Piece::Kind::text && piece.text == name) return piece.line;
  return 0;
}

std::string Prompt::fill(const PromptValues &values) const {
  std::string text;
  bool left_out = false;
  for (const Piece &piece : pieces_) {
    if (piece.kind == Piece::Kind::end) left_out = false;
    if (piece.kind == Piece::Kind::text && !left_out) text += piece.text;
    if (piece.kind != Piece::Kind::value && piece.kind != Piece::Kind::section) continue;
    const std::string *value = value_of(values, piece.text);
    CUPILOT_CHECK(value);
    if (piece.kind == Piece::Kind::section) left_out = value->empty();
    if (piece.kind == Piece::Kind::value && !left_out) text += without_last_end(*value);
  }
  for (const auto &value : values) CUPILOT_CHECK(line_of(value.first) > 0);
  return text;
}

const std::vector<PromptKind> &prompt_kinds() {
  static const std::vector<PromptKind> kinds{
      {"aligner", {"strategy", "variant"}},
      {"analyst", {"what", "most", "figures", "rules"}},
      {"critic", {"variant", "failure", "log", "passed", "digest"}},
      {"contract",
       {"kernel", "dialect", "cute", "architecture", "device", "precision", "precision_rule", "assumptions",
        "deterministic", "computes", "least", "workloads", "signature", "launch_header", "source"}},
      {"setting",
       {"kernel", "architecture", "device", "precision", "precision_rule", "assumptions", "deterministic",
        "computes", "least", "workloads"}},
      {"translator", {"strategy", "base", "base_score", "digest", "failed"}},
      {"refine", {"first", "base", "depth", "base_score", "best_score", "done", "digest", "menu"}},
      {"menu_matmul", {}},
      {"menu_attention", {}},
      {"menu_convolution", {}},
      {"menu_rows", {}},
      {"menu_elementwise", {}},
      {"menu_other", {}},
      {"strategist_initial", {"count", "roofline", "digest", "retrieved", "experience"}},
      {"strategist_crossover",
       {"roofline", "digest", "first", "first_score", "second", "second_score", "conflicts", "experience"}},
      {"strategist_extend", {"predicted", "observed", "realised", "roofline", "digest", "tried", "most"}},
      {"revisor_diagnose",
       {"attempt", "most", "strategy", "variant", "failure", "log", "build", "rejected", "wrong", "crashed",
        "timed_out"}},
      {"revisor_edit", {"strategy", "variant", "cause", "fix"}},
  };
  return kinds;
}

/// The prompts in use: the built-in ones, some of them replaced.
class PromptTable {
public:
  PromptTable() {
    for (const PromptText &built_in : kPromptTexts) {
      auto parsed = Prompt::parse(built_in.text, fmt::format("prompts/{}.md", built_in.name));
      CUPILOT_CHECK(parsed && parsed->name() == built_in.name);
      prompts_.emplace(built_in.name, std::move(*parsed));
    }
  }
  const Prompt &at(std::string_view name) const {
    const auto found = prompts_.find(name);
    CUPILOT_CHECK(found != prompts_.end());
    return found->second;
  }
  Result<void> replace(const std::filesystem::path &path) {
    const std::string file = path.string();
    const auto kind = std::ranges::find(prompt_kinds(), path.stem().string(), &PromptKind::name);
    if (kind == prompt_kinds().end()) {
      std::vector<std::string> names;
      for (const PromptKind &one : prompt_kinds()) names.emplace_back(one.name);
      return user_error(
          fmt::format("{}: there is no such prompt; {}", file, did_you_mean(path.stem().string(), names)));
    }
    CUPILOT_TRY(text, read_file(path));
    CUPILOT_TRY(parsed, Prompt::parse(text, file));
    if (parsed.name() != kind->name)
      return at_line(
          file, 1,
          fmt::format("the first line names the prompt '{}', but the file's name is that of the prompt '{}'",
                      parsed.name(), kind->name));
    CUPILOT_CHECKED(check_places(parsed, *kind, file));
    parsed.version_ += "-" + sha256(text).substr(0, kVersionDigits);
    prompts_.at(parsed.name()) = std::move(parsed);
    return {};
  }

private:
  std::map<std::string, Prompt, std::less<>> prompts_;
};

namespace {

/// Prompts are replaced only before the first question and are then read by all threads.
std::unique_ptr<const PromptTable> &table() {
  static std::unique_ptr<const PromptTable> in_use = std::make_unique<PromptTable>();
  return in_use;
}

}  // namespace

const Prompt &prompt(std::string_view name) {
  return table()->at(name);
}

Result<void> load_prompts(const std::filesystem::path &folder) {
  namespace fs = std::filesystem;
  std::error_code problem;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
    if (at->path().extension() == ".md") files.push_back(at->path());
  if (problem)
    return user_error(fmt::format("cannot read the prompts in '{}': {}", folder.string(), problem.message()));
  if (files.empty())
    return user_error(
        fmt::format("the folder '{}' has no prompt: expected files such as translator.md", folder.string()));
  std::ranges::sort(files);
  auto replaced = std::make_unique<PromptTable>();
  for (const fs::path &file : files) CUPILOT_CHECKED(replaced->replace(file));
  table() = std::move(replaced);
  return {};
}

Result<void> load_prompts_of_environment() {
  const char *folder = std::getenv("CUPILOT_PROMPTS");
  if (!folder || !*folder) return {};
  auto loaded = load_prompts(folder);
  if (!loaded) return within("$CUPILOT_PROMPTS", loaded.error());
  return {};
}

void forget_loaded_prompts() {
  table() = std::make_unique<PromptTable>();
}

provider::RoleRequest role_request(std::string_view name, std::string prefix, const PromptValues &values) {
  const Prompt &asked = prompt(name);
  const model::Role *role = model::role_of_prompt(name);
  CUPILOT_CHECK(role);
  provider::RoleRequest request;
  request.role = role->name;
  request.prefix = std::move(prefix);
  request.prompt = asked.fill(values);
  request.prompt_version = asked.version();
  return request;
}

}  // namespace cupilot::role
