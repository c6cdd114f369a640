// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/host_listing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "annotate/support/text.h"

namespace cupilot::judge::tools {

namespace {

using Operator = launches::HostValue::Operator;

constexpr std::string_view kFile = "variant.cuh", kRecorder = "__sanitizer_cov_trace_";
/// Begins a launch; the kernel's stub is called if it returns 0.
constexpr std::string_view kPush = "__cudaPushCallConfiguration";
/// Numbers of places that the labels of one `switch` take.
constexpr std::uint32_t kLabels = 64;

struct Instruction {
  std::uint64_t address = 0, next = 0;
  std::string_view name;
  std::uint64_t target = 0;  ///< of a jump or call; what is named behind an operand
  std::string_view symbol;   ///< its name, without "@plt"
  std::string_view operands;
  std::uint32_t line = 0;  ///< of the variant; 0: another file's
};

struct Function {
  std::string_view name;
  std::vector<Instruction> code;
};

bool is_jump(std::string_view name) {
  return name == "jmp" || name == "jmpq";
}
bool is_branch(std::string_view name) {
  return name.starts_with('j') && !is_jump(name);
}
bool is_call(std::string_view name) {
  return name == "call" || name == "callq";
}

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return problem == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

/// "2180 <name@plt>", "0xd86(%rip),%xmm1  # 40b0 <name+0x20>".
void read_target(Instruction &to) {
  const auto open = to.operands.rfind('<'), close = to.operands.rfind('>');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return;
  to.symbol = to.operands.substr(open + 1, close - open - 1);
  to.symbol = to.symbol.substr(0, to.symbol.find_first_of("@+"));
  const auto before = trim(to.operands.substr(0, open));
  const auto blank = before.find_last_of(" \t");
  to.target = hexadecimal(blank == std::string_view::npos ? before : before.substr(blank + 1)).value_or(0);
}

/// "  3143:\tpush   %rbp"
std::optional<Instruction> read_instruction(std::string_view line) {
  const auto colon = line.find(":\t");
  if (colon == std::string_view::npos) return std::nullopt;
  const auto address = hexadecimal(trim(line.substr(0, colon)));
  if (!address) return std::nullopt;
  Instruction one;
  one.address = *address;
  std::string_view rest = trim(line.substr(colon + 2));
  for (const std::string_view prefix : {"bnd ", "notrack "})
    if (rest.starts_with(prefix)) rest = trim(rest.substr(prefix.size()));
  const auto blank = std::min(rest.find_first_of(" \t"), rest.size());
  one.name = rest.substr(0, blank);
  one.operands = trim(rest.substr(blank));
  read_target(one);
  return one;
}

/// "/tmp/x/variant.cuh:17 (discriminator 1)" -> 17; 0: a line of another file; nullopt: no place.
std::optional<std::uint32_t> read_place(std::string_view line) {
  if (const auto open = line.find(" (discriminator"); open != std::string_view::npos)
    line = line.substr(0, open);
  const auto colon = line.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == line.size()) return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(line.data() + colon + 1, line.data() + line.size(), number);
  if (problem != std::errc() || end != line.data() + line.size()) return std::nullopt;
  std::string_view file = line.substr(0, colon);
  if (const auto slash = file.rfind('/'); slash != std::string_view::npos) file = file.substr(slash + 1);
  return file == kFile ? number : 0;
}

std::vector<Function> read_functions(std::string_view listing) {
  std::vector<Function> functions;
  std::uint32_t line_now = 0;
  while (!listing.empty()) {
    const auto end = std::min(listing.find('\n'), listing.size());
    const std::string_view line = listing.substr(0, end);
    listing.remove_prefix(std::min(end + 1, listing.size()));
    if (line.ends_with(">:") && line.find(" <") != std::string_view::npos) {
      const auto open = line.find(" <") + 2;
      functions.push_back({line.substr(open, line.size() - open - 2), {}});
      line_now = 0;
    } else if (functions.empty()) {
      continue;
    } else if (auto one = read_instruction(line)) {
      one->line = line_now;
      auto &code = functions.back().code;
      if (!code.empty()) code.back().next = one->address;
      code.push_back(*one);
    } else if (const auto place = read_place(line)) {
      line_now = *place;
    }
  }
  std::erase_if(functions, [](const Function &one) { return one.code.empty(); });
  return functions;
}

/// Whether an outcome of this name (of "sete" and "je": "e") is one of the operators, and which.
std::optional<Operator> operator_of(std::string_view condition) {
  static constexpr std::array<std::pair<std::string_view, Operator>, 14> kNames{
      {{"e", Operator::equal},
       {"z", Operator::equal},
       {"np", Operator::equal},
       {"ne", Operator::not_equal},
       {"nz", Operator::not_equal},
       {"p", Operator::not_equal},
       {"l", Operator::less},
       {"le", Operator::less_equal},
       {"g", Operator::greater},
       {"ge", Operator::greater_equal},
       {"b", Operator::below},
       {"be", Operator::not_above},
       {"a", Operator::above},
       {"ae", Operator::not_below}}};
  const auto found = std::ranges::find(kNames, condition, &std::pair<std::string_view, Operator>::first);
  return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

class ListingReader {
public:
  ListingReader(std::vector<Function> functions, const screen::QuietLines &quiet)
      : functions_(std::move(functions)), quiet_(quiet) {
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      by_name_.try_emplace(functions_[i].name, i);
      for (const Instruction &one : functions_[i].code) instructions_[one.address] = &one;
      by_address_[functions_[i].code.front().address] = i;
    }
  }

  launches::HostCode read(const std::set<std::uint64_t> &taken) {
    for (const int line : quiet_.declines) code_.declines.insert(static_cast<std::uint32_t>(line));
    if (!by_name_.contains("cupilot_entry")) {
      code_.unknown = "the listing of the library shows no cupilot_entry";
      return std::move(code_);
    }
    for (const std::size_t index : reachable(taken)) read_function(functions_[index]);
    if (code_.blocks.empty()) code_.unknown = "the listing of the library shows no code of the variant";
    return std::move(code_);
  }

private:
  /// Where a function is mentioned counts as a call.
  std::set<std::size_t> reachable(const std::set<std::uint64_t> &taken) const {
    std::vector<std::size_t> next{by_name_.at("cupilot_entry")};
    for (const std::uint64_t address : taken)
      if (const auto found = by_address_.find(address); found != by_address_.end())
        next.push_back(found->second);
    std::set<std::size_t> all;
    while (!next.empty()) {
      const std::size_t index = next.back();
      next.pop_back();
      if (!all.insert(index).second) continue;
      for (const Instruction &one : functions_[index].code) {
        if (const auto known = by_address_.find(one.target); known != by_address_.end())
          next.push_back(known->second);
        if (const auto known = by_name_.find(one.symbol); known != by_name_.end())
          next.push_back(known->second);
      }
    }
    return all;
  }

  /// The compiler gives each __device__ function a host side that calls exit, which no variant may, and each
  /// kernel one that calls its stub: <<<>>> goes through it, cudaLaunchKernelEx asks for its address only.
  static bool is_stand_in(const Function &function) {
    return std::ranges::any_of(function.code, [](const Instruction &one) {
      return is_call(one.name) && (one.symbol == "exit" || one.symbol.contains("__device_stub__"));
    });
  }

  /// Instructions that a call of the function may come to. What is left runs when an exception passes, which
  /// no variant throws.
  static std::set<std::uint64_t> ordinary_code(const Function &function) {
    std::map<std::uint64_t, const Instruction *> code;
    for (const Instruction &one : function.code) code[one.address] = &one;
    std::vector<std::uint64_t> next{function.code.front().address};
    if (std::ranges::any_of(function.code, [](const Instruction &one) {
          return is_jump(one.name) && one.operands.starts_with('*');
        }))
      for (const Instruction &one : function.code) next.push_back(one.address);  // it may go anywhere
    std::set<std::uint64_t> found;
    while (!next.empty()) {
      const auto at = code.find(next.back());
      next.pop_back();
      if (at == code.end() || !found.insert(at->first).second) continue;
      const Instruction &one = *at->second;
      if (is_jump(one.name) || is_branch(one.name)) next.push_back(one.target);
      const bool ends = is_jump(one.name) || one.name.starts_with("ret") || one.name == "ud2" ||
                        one.name == "hlt" || (is_call(one.name) && one.symbol == "_Unwind_Resume");
      if (!ends) next.push_back(one.next);
    }
    return found;
  }

  void read_function(const Function &function) {
    if (is_stand_in(function)) return;
    const std::set<std::uint64_t> ordinary = ordinary_code(function);
    numbers_.clear();
    statuses_ = count_statuses(function);
    block_ = nullptr;
    pending_ = 0;
    called_ = {};
    for (const Instruction &one : function.code)
      if (ordinary.contains(one.address))
        take(one);
      else
        finish_block();
    finish_block();
  }

  /// Comparisons with a constant of the size of a status, by line.
  static std::map<std::uint32_t, int> count_statuses(const Function &function) {
    std::map<std::uint32_t, int> counts;
    for (const Instruction &one : function.code)
      if (one.line && one.symbol == "__sanitizer_cov_trace_const_cmp4") ++counts[one.line];
    return counts;
  }

  void take(const Instruction &one) {
    if (is_call(one.name) && one.symbol.starts_with(kRecorder)) {
      read_recorder_call(one);
      return;
    }
    if (!block_) return;
    if (!branched_ && one.line) add_line(one.line);
    if (is_call(one.name)) called_ = one.symbol, pending_ = 0;
    if (is_branch(one.name)) {
      if (!branched_) block_->comparison = pending_, real_branch_ = pending_ && real_;
      branched_ = &one;
      pending_ = 0;
      targets_.push_back(one.target);
    } else if (is_jump(one.name) || one.name.starts_with("ret") || one.name == "ud2" || one.name == "hlt") {
      if (branched_ && is_jump(one.name)) targets_.push_back(one.target);
      finish_block();
    } else if (pending_) {
      read_value(one);
    }
  }

  void read_recorder_call(const Instruction &one) {
    const std::string_view what = one.symbol.substr(kRecorder.size());
    const auto site = static_cast<std::uint32_t>(one.next);
    if (what == "pc") {
      finish_block();
      if (one.next == 0) return;
      code_.blocks.push_back({});
      block_ = &code_.blocks.back();
      block_->site = site;
      launches_ = called_ == kPush;
      called_ = {};
      if (one.line) add_line(one.line);
      return;
    }
    if (!block_) return;
    if (one.line) add_line(one.line);
    if (what == "switch") {
      chooses_ = true;
      if (one.line) code_.switches.push_back({site, place(one.line, kLabels)});
    } else {
      launches_ = launches_ || called_ == kPush;  // it asks whether a launch was configured
      pending_ = site;
      real_ = what == "cmpf" || what == "cmpd";
    }
  }

  /// The first instruction behind a comparison that takes its outcome.
  void read_value(const Instruction &one) {
    std::optional<Operator> is;
    if (one.name.starts_with("set")) is = operator_of(one.name.substr(3));
    const bool sign = one.operands.starts_with("$0x1f") || one.operands.starts_with("$0x3f");
    if (one.name.starts_with("shr") && sign) is = Operator::less;  // x < 0 is the bit of the sign
    if (!is) return;
    if (one.line && !launches_) code_.values.push_back({pending_, *is, place(one.line, 1)});
    pending_ = 0;
  }

  void add_line(std::uint32_t line) {
    auto &lines = block_->lines;
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }

  launches::HostPlace place(std::uint32_t line, std::uint32_t numbers) {
    const std::uint32_t number = numbers_[line] + 1;
    numbers_[line] += numbers;
    const auto known = quiet_.status.find(static_cast<int>(line));
    const auto comparisons = statuses_.find(line);
    const bool status = known != quiet_.status.end() && comparisons != statuses_.end() &&
                        comparisons->second <= known->second;
    return {line, number, status};
  }

  /// The block that begins at this address, over jumps; 0: there is none.
  std::uint32_t block_at(std::uint64_t address) const {
    constexpr int kMostJumps = 8;
    for (int i = 0; i < kMostJumps; ++i) {
      const auto found = instructions_.find(address);
      if (found == instructions_.end()) return 0;
      const Instruction &one = *found->second;
      if (is_call(one.name) && one.symbol == "__sanitizer_cov_trace_pc")
        return static_cast<std::uint32_t>(one.next);
      const bool passed = one.name.starts_with("nop") || one.name == "endbr64";
      if (!passed && !is_jump(one.name)) return 0;
      address = passed ? one.next : one.target;
    }
    return 0;
  }

  void finish_block() {
    if (block_ && branched_ && branched_->line && !chooses_ && !launches_) add_ways();
    block_ = nullptr;
    branched_ = nullptr;
    targets_.clear();
    chooses_ = launches_ = false;
    pending_ = 0;
  }

  void add_ways() {
    const std::uint32_t jump = block_at(branched_->target);
    std::set<std::uint32_t> ways{jump, block_at(branched_->next)};
    for (const std::uint64_t target : targets_) ways.insert(block_at(target));
    const std::uint32_t line = branched_->line;
    if (ways.size() != 2 || ways.contains(0)) return;
    const std::uint32_t other = *ways.begin() == jump ? *ways.rbegin() : *ways.begin();
    block_->place = place(line, 1);
    // Compilers jump around what a condition guards, and back to the begin of a loop.
    const auto known = jumps_when_true();
    block_->place.guessed = !known;
    const auto is = operator_of(branched_->name.substr(1));
    block_->narrow = block_->comparison && is && launches::is_narrow(*is, real_branch_);
    block_->ways = known.value_or(branched_->target < branched_->address) ? std::vector{jump, other}
                                                                          : std::vector{other, jump};
  }

  /// Where the text has one operator of the jump's kind, the two are compared. Of real numbers "above" is
  /// what a condition asks for. Otherwise nobody knows.
  std::optional<bool> jumps_when_true() const {
    const auto is = operator_of(branched_->name.substr(1));
    if (!is || block_->comparison == 0) return std::nullopt;
    const auto text = quiet_.operators.find(static_cast<int>(branched_->line));
    const auto has = [&](std::string_view name) {
      return text != quiet_.operators.end() && text->second.contains(name);
    };
    if (has("!")) return std::nullopt;
    if (*is == Operator::equal || *is == Operator::not_equal) {
      if (has("==") == has("!=")) return std::nullopt;
      return has("==") == (*is == Operator::equal);
    }
    if (real_branch_) return *is == Operator::above || *is == Operator::not_below;
    const bool less = has("<") || has("<="), greater = has(">") || has(">=");
    if (less == greater) return std::nullopt;
    const bool asks_less = *is == Operator::less || *is == Operator::less_equal || *is == Operator::below ||
                           *is == Operator::not_above;
    return less == asks_less;
  }

  const std::vector<Function> functions_;
  const screen::QuietLines &quiet_;
  std::map<std::string_view, std::size_t> by_name_;
  std::map<std::uint64_t, std::size_t> by_address_;
  std::map<std::uint64_t, const Instruction *> instructions_;
  launches::HostCode code_;

  // of the function that is read
  std::map<std::uint32_t, std::uint32_t> numbers_;
  std::map<std::uint32_t, int> statuses_;
  launches::HostBlock *block_ = nullptr;
  const Instruction *branched_ = nullptr;
  std::vector<std::uint64_t> targets_;
  std::string_view called_;
  std::uint32_t pending_ = 0;
  bool chooses_ = false, launches_ = false, real_ = false, real_branch_ = false;
};

}  // namespace

launches::HostCode read_host_listing(std::string_view listing, const std::set<std::uint64_t> &taken,
                                     const screen::QuietLines &quiet) {
  if (listing.find("file format elf64-x86-64") == std::string_view::npos)
    return {.unknown = "it is read for x86-64 only"};
  return ListingReader(read_functions(listing), quiet).read(taken);
}

}  // namespace cupilot::judge::tools
