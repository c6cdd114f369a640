// SPDX-License-Identifier: Apache-2.0
//
// Binds video instructions. For other instructions the decoder refuses operands that name a part of a
// register (%r1.b0).

#include <algorithm>
#include <iterator>

#include "evolution/emulate/lanes/arithmetic/video.h"
#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/lanes/lookup.h"

namespace cupilot::emulate::lanes {
namespace {

struct Named {
  std::string_view name;
  VideoOperation operation;
};
constexpr Named kOperations[] = {
    {"vadd", VideoOperation::add},      {"vsub", VideoOperation::sub}, {"vabsdiff", VideoOperation::absdiff},
    {"vmin", VideoOperation::min},      {"vmax", VideoOperation::max}, {"vshl", VideoOperation::shl},
    {"vshr", VideoOperation::shr},      {"vmad", VideoOperation::mad}, {"vset", VideoOperation::set},
    {"vavrg", VideoOperation::average},
};
constexpr std::string_view kComparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};

std::optional<VideoStep> operation_of(std::string_view name) {
  VideoStep step;
  if (name.ends_with('2') || name.ends_with('4')) {
    step.lanes = name.back() - '0';
    name.remove_suffix(1);
  }
  const auto *found = std::find_if(std::begin(kOperations), std::end(kOperations),
                                   [name](const Named &each) { return each.name == name; });
  if (found == std::end(kOperations)) return std::nullopt;
  step.operation = found->operation;
  if (step.lanes == 2) {
    step.select_a = {0, 1, 0, 0};
    step.select_b = {2, 3, 0, 0};
    step.written = 3;
  }
  return step;
}

bool read_modifier(VideoStep &step, std::string_view word) {
  const auto *compare = std::find(std::begin(kComparisons), std::end(kComparisons), word);
  if (compare != std::end(kComparisons)) {
    step.compare = static_cast<int>(compare - std::begin(kComparisons));
    return step.operation == VideoOperation::set;
  }
  if (word == "sat") return step.saturate = true;
  if (word == "wrap") return step.wrap = true;
  if (word == "clamp") return true;
  if (word == "po") return step.plus_one = true;
  if (word == "shr7" || word == "shr15") {
    step.shift = word == "shr7" ? 7 : 15;
    return true;
  }
  if (word == "add") step.second = VideoSecond::add;
  if (word == "min" && step.lanes == 1) step.second = VideoSecond::min;
  if (word == "max" && step.lanes == 1) step.second = VideoSecond::max;
  return step.second != VideoSecond::none;
}

/// {dtype} atype btype, then the modifiers.
bool read_words(VideoStep &step, const std::vector<std::string_view> &words) {
  const bool set = step.operation == VideoOperation::set;
  const std::size_t types = set ? 2 : 3;
  if (words.size() < 1 + types) return false;
  for (std::size_t i = 1; i <= types; ++i) {
    if (words[i] != "u32" && words[i] != "s32") return false;
  }
  step.signed_result = !set && words[1] == "s32";
  step.signed_a = words[types - 1] == "s32";
  step.signed_b = words[types] == "s32";
  return std::all_of(words.begin() + static_cast<std::ptrdiff_t>(1 + types), words.end(),
                     [&](std::string_view word) { return read_modifier(step, word); });
}

/// "b2", "h1", or nothing: the whole word.
std::optional<int> one_part(std::string_view part) {
  if (part.empty()) return 6;
  if (part.size() != 2 || (part[0] != 'b' && part[0] != 'h')) return std::nullopt;
  const int number = part[1] - '0';
  if (number < 0 || number >= (part[0] == 'b' ? 4 : 2)) return std::nullopt;
  return part[0] == 'b' ? number : 4 + number;
}

bool read_scalar_parts(VideoStep &step, const std::vector<ptx::Operand> &operands) {
  const std::optional<int> d = one_part(operands[0].name), a = one_part(operands[1].name),
                           b = one_part(operands[2].name);
  if (!d || !a || !b) return false;
  step.pick_a = *a;
  step.pick_b = *b;
  step.pick_result = *d;
  if (*d == 6) return true;
  if (step.second != VideoSecond::none || operands.size() != 4) return false;
  step.second = VideoSecond::insert;
  return true;
}

/// One digit a lane, upper lane first.
bool read_selection(std::array<std::uint8_t, 4> &select, std::string_view part, int lanes) {
  if (part.empty()) return true;
  if (part.size() != 1U + static_cast<unsigned>(lanes) || part[0] != (lanes == 2 ? 'h' : 'b')) return false;
  for (int lane = 0; lane < lanes; ++lane) {
    const int digit = part[static_cast<std::size_t>(lanes - lane)] - '0';
    if (digit < 0 || digit >= 2 * lanes) return false;
    select[static_cast<std::size_t>(lane)] = static_cast<std::uint8_t>(digit);
  }
  return true;
}

bool read_vector_parts(VideoStep &step, const std::vector<ptx::Operand> &operands) {
  std::string_view written = operands[0].name;
  if (!written.empty()) {
    if (written[0] != (step.lanes == 2 ? 'h' : 'b')) return false;
    written.remove_prefix(1);
    step.written = 0;
    for (const char digit : written) {
      if (digit < '0' || digit >= '0' + step.lanes) return false;
      step.written |= 1U << (digit - '0');
    }
  }
  return read_selection(step.select_a, operands[1].name, step.lanes) &&
         read_selection(step.select_b, operands[2].name, step.lanes);
}

/// Literals have no names.
bool read_parts(VideoStep &step, std::vector<ptx::Operand> operands) {
  for (ptx::Operand &operand : operands) {
    if (operand.kind != ptx::Operand::Kind::reg) operand.name = {};
  }
  if (operands.size() == 4 && !operands[3].name.empty()) return false;
  return step.lanes == 1 ? read_scalar_parts(step, operands) : read_vector_parts(step, operands);
}

}  // namespace

std::optional<program::Binding> bind_video(const program::BindRequest &request, program::Isa,
                                           std::string &why) {
  const ptx::Instruction &instruction = request.instruction;
  if (instruction.words.empty() || !instruction.words.front().starts_with('v')) return std::nullopt;
  std::optional<VideoStep> step = operation_of(instruction.words.front());
  if (!step) return std::nullopt;
  const std::size_t operands = instruction.operands.size();
  if (!read_words(*step, instruction.words) || operands < 3 || operands > 4 ||
      !read_parts(*step, instruction.operands)) {
    why = "this form of " + std::string(instruction.words.front());
    return std::nullopt;
  }
  program::Binding binding;
  binding.run = run_video;
  binding.uses = {{32, true, false}, {32, false, false}, {32, false, false}};
  if (operands == 4) binding.uses.push_back({32, false, false});
  binding.detail = std::make_shared<VideoStep>(*step);
  // Today's machines compose most of them.
  binding.cost = step->lanes == 1 ? 4.0F : 10.0F;
  return binding;
}

}  // namespace cupilot::emulate::lanes
