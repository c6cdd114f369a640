// SPDX-License-Identifier: Apache-2.0
//
// Screens device code line by line. PTX and SASS both have one instruction or declaration per line, so no
// further grammar is needed. The rules are tables of words.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include "annotate/support/names.h"
#include "annotate/support/text.h"
#include "evolution/judge/screen/binary_screen.h"
#include "evolution/judge/screen/shared_library.h"

namespace cupilot::judge::screen {
namespace {

struct Forbidden {
  std::string_view word, reason;
};
constexpr std::string_view kReadsClock =
    "reads a clock or timer, which lets a kernel behave by time or by how it is measured";
constexpr std::string_view kStaysInCache =
    "asks the cache to keep data beyond the launch; the next launch would look faster than it is";
constexpr std::string_view kTellsLaunches =
    "asks which launch or which part of the device this is, which differs between a judge and a program; "
    "calculate "
    "with blockIdx and threadIdx";
constexpr std::string_view kThrowsAway =
    "throws away or downgrades what the cache holds, which may be other kernels' data; leave it out";
/// Not found by its text: a cache policy may also be a number, and that of evict_last pins lines, too.
constexpr std::string_view kUnknownPolicy = "L2::cache_hint, whose policy no createpolicy makes";
/// Policies as CUTLASS writes them (cute/arch/copy_sm90_desc.hpp): evict_normal and evict_first.
constexpr std::string_view kHarmlessPolicies[] = {"1152921504606846976", "1364590687093260288"};
constexpr Forbidden kForbidden[] = {
    {"%gridid", kTellsLaunches},
    {"%smid", kTellsLaunches},
    {"%nsmid", kTellsLaunches},
    {"%warpid", kTellsLaunches},
    {"%nwarpid", kTellsLaunches},
    {kUnknownPolicy, kStaysInCache},
    {"SR_GRIDID", kTellsLaunches},
    {"SR_VIRTUALSMID", kTellsLaunches},
    {"%current_graph_", kTellsLaunches},
    {"%envreg", kTellsLaunches},
    {"%total_smem_size", kTellsLaunches},
    {"%aggr_smem_size", kTellsLaunches},
    {"%pm", kTellsLaunches},
    {"applypriority.", kThrowsAway},
    {"createpolicy.cvt", kStaysInCache},
    {"%clock", kReadsClock},
    {"%globaltimer", kReadsClock},
    {"SR_CLOCK", kReadsClock},
    {"SR_GLOBALTIMER", kReadsClock},
    {"L2::evict_last", kStaysInCache},
    {"L2::evict_unchanged", kStaysInCache},
    {"discard.", kThrowsAway},
};

/// Functions that device code imports; __assertfail belongs to assert().
constexpr Forbidden kFunctions[] = {
    {"vprintf", "prints"},
    {"malloc", "allocates memory in a kernel; use l.scratch(bytes)"},
    {"free", "allocates memory in a kernel; use l.scratch(bytes)"},
    {"cudaLaunchDevice", "launches kernels from a kernel"},
    {"cudaGetParameterBuffer", "launches kernels from a kernel"},
    {"cudaCGGetIntrinsicHandle", ""},
    {"cudaCGSynchronize", ""},
    {"__assertfail", ""},
};

struct Class {
  bool InstructionClasses::*which;
  std::string_view name;
  std::array<std::string_view, 2> all;   ///< the operation has all of these that are not empty
  std::array<std::string_view, 3> none;  ///< and has none of these
};
using C = InstructionClasses;
constexpr Class kClasses[] = {
    {&C::fp8_matrix, "8-bit floating-point tensor cores", {"mma", "e4m3"}, {}},
    {&C::fp8_matrix, "8-bit floating-point tensor cores", {"mma", "e5m2"}, {}},
    {&C::fp8_matrix, "8-bit floating-point tensor cores", {"QGMMA", ""}, {}},
    {&C::fp8_matrix, "8-bit floating-point tensor cores", {"QMMA", ""}, {}},
    {&C::tf32_matrix, "TF32 tensor cores", {"mma.", ".tf32"}, {}},
    {&C::tf32_matrix, "TF32 tensor cores", {"MMA", ".TF32"}, {}},
    {&C::half_matrix, "half-precision tensor cores", {"mma.", ".f16"}, {"tf32", "e4m3", "e5m2"}},
    {&C::half_matrix, "half-precision tensor cores", {"mma.", ".bf16"}, {}},
    {&C::half_matrix, "half-precision tensor cores", {"HMMA.", ""}, {"TF32", "", ""}},
    {&C::half_matrix, "half-precision tensor cores", {"HGMMA.", ""}, {"TF32", "", ""}},
    {&C::bf16_arithmetic, "bfloat16 arithmetic", {".bf16", ""}, {"mma", "ld", "st"}},
    {&C::bf16_arithmetic, "bfloat16 arithmetic", {"H", "2.BF16"}, {"MMA", "", ""}},
    {&C::bf16_arithmetic, "bfloat16 arithmetic", {"F2F", ".BF16"}, {}},
    {&C::bf16_arithmetic, "bfloat16 arithmetic", {"F2FP.BF16", ""}, {}},
    {&C::half_arithmetic, "half-precision arithmetic", {".f16", ""}, {"mma", "ld", "st"}},
    {&C::half_arithmetic, "half-precision arithmetic", {"HADD2", ""}, {"BF16", "F32", ""}},
    {&C::half_arithmetic, "half-precision arithmetic", {"HMUL2", ""}, {"BF16", "", ""}},
    {&C::half_arithmetic, "half-precision arithmetic", {"HFMA2", ""}, {"BF16", "", ""}},
    {&C::half_arithmetic, "half-precision arithmetic", {"F2FP.F16", ""}, {}},
    {&C::approximate, "approximate functions", {".approx", ""}, {"ex2.", "", ""}},
    {&C::flush_to_zero, "flushing of subnormal numbers", {".ftz", ""}, {"ex2.", "", ""}},
};

bool in(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

/// The operation, "fma.rn.f32" in PTX or "HFMA2.MMA" in SASS: the first word that is neither an address nor a
/// predicate.
std::string_view operation(std::string_view line) {
  for (line = trim(line); !line.empty();) {
    const auto end = std::min(line.find_first_of(" \t;"), line.size());
    const auto word = line.substr(0, end);
    if (!word.starts_with("/*") && !word.starts_with('@') && !word.starts_with('{')) return word;
    line = trim(line.substr(std::min(end + 1, line.size())));
  }
  return {};
}

/// The compiler also uses this instruction to move constants: `HFMA2 R5, -RZ, RZ, 0, 0`.
bool moves_a_constant(std::string_view line) {
  return in(line, "HFMA2") && in(line, "-RZ, RZ");
}

bool has_class(const Class &one, std::string_view word) {
  const auto present = [&](std::string_view part) { return part.empty() || in(word, part); };
  const auto absent = [&](std::string_view part) {
    // Instructions that only move data begin with "ld" or "st".
    return part.empty() || (part.size() == 2 ? !word.starts_with(part) : !in(word, part));
  };
  return std::ranges::all_of(one.all, present) && std::ranges::all_of(one.none, absent);
}

/// PTX ISA, `atom` and `red`: .add of .f32 in global memory flushes subnormal inputs and results; in shared
/// memory it does not.
bool is_flushing_atomic(std::string_view word) {
  const bool ptx = word.starts_with("atom.") || word.starts_with("red.");
  if (ptx) return in(word, ".add") && in(word, ".f32") && !in(word, ".shared");
  return (word.starts_with("RED") || word.starts_with("ATOM")) && in(word, ".ADD.F32.FTZ");
}

/// Not the approximate functions: the compiler's own expf() has one that flushes.
bool is_flushing_arithmetic(std::string_view word) {
  const auto begins = [&](std::string_view with) { return word.starts_with(with); };
  constexpr std::array<std::string_view, 4> kArithmetic{"add.", "sub.", "mul.", "fma."};
  return in(word, ".ftz") && std::ranges::any_of(kArithmetic, begins);
}

/// Not loads, stores, moves, choices and exchanges, whatever they call the type.
bool is_floating_arithmetic(std::string_view word) {
  constexpr std::string_view kMoving[] = {"ld",   "st",   "mov", "selp", "slct",
                                          "shfl", "prmt", "cp.", "FSEL", "F2FP.PACK"};
  const auto begins = [&](std::string_view with) { return word.starts_with(with); };
  if (word.starts_with('.') || std::ranges::any_of(kMoving, begins)) return false;
  constexpr std::string_view kTypes[] = {".f16", ".bf16", ".f32", ".f64", ".tf32",
                                         ".F16", ".BF16", ".F32", ".F64"};
  if (std::ranges::any_of(kTypes, [&](std::string_view type) { return in(word, type); })) return true;
  constexpr std::string_view kOperations[] = {
      "FADD", "FMUL", "FFMA", "FSET", "FMNMX", "FCHK", "FSWZ", "DADD", "DMUL",  "DFMA",  "DSET", "DMNMX",
      "HADD", "HMUL", "HFMA", "HSET", "HMNMX", "MUFU", "HMMA", "DMMA", "HGMMA", "QGMMA", "F2",   "I2F"};
  return std::ranges::any_of(kOperations, begins);
}

/// Names may contain a hash of their file, which differs between two entries.
std::string without_hashes(std::string_view name) {
  constexpr std::size_t kHashDigits = 8;
  std::string text(name);
  for (const std::string_view mark : {"_INTERNAL_", "_GLOBAL__N__", "_cu_"})
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      const auto from = at + mark.size();
      const auto end = std::min(text.find_first_not_of("0123456789abcdef", from), text.size());
      if (end - from >= kHashDigits) text.erase(from, kHashDigits);
    }
  const auto digits = text.find("_INTERNAL_");
  if (digits != std::string::npos) {
    auto from = digits;  // the length of the name precedes it
    while (from > 0 && text[from - 1] >= '0' && text[from - 1] <= '9') --from;
    text.erase(from, digits - from);
  }
  return text;
}

/// The declared name: the last word before `[`, `=`, `(`, `;` or the end.
std::string declared(std::string_view line) {
  line = line.substr(0, line.find_first_of("[=;,"));
  line = trim(line);
  const auto blank = line.find_last_of(" \t)");
  return std::string(blank == line.npos ? line : line.substr(blank + 1));
}

/// ".visible .entry name(" or ".extern .func (.param .b32 r) name": returns what follows the word.
std::string function_name(std::string_view line, std::string_view word) {
  line = trim(line.substr(line.find(word) + word.size()));
  if (line.starts_with('(')) line = trim(line.substr(std::min(line.find(')') + 1, line.size())));
  return std::string(line.substr(0, line.find_first_of(" \t(;")));
}

bool starts_with_any(std::string_view word, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return word.starts_with(start); });
}

/// Accesses of global memory, and calls, behind which there may be some.
bool touches_memory(std::string_view word) {
  if (starts_with_any(
          word, {"LDG", "STG", "ATOMG", "ATOM.", "RED.", "LD.", "ST.", "UBLKCP", "UTMA", "CALL", "call"}))
    return true;
  if (word.starts_with("cp.")) return !in(word, "commit") && !in(word, "wait");
  const bool other_space =
      in(word, ".param") || in(word, ".shared") || in(word, ".local") || in(word, ".const");
  return starts_with_any(word, {"ld.", "st.", "atom.", "red."}) && !other_space;
}

struct Found {
  std::set<std::string_view> words;   ///< words of kForbidden that occur
  std::set<std::string> functions;    ///< imported functions
  std::set<std::string> variables;    ///< variables without an initial value, and textures
  std::set<std::string> outside;      ///< extern variables
  std::vector<std::string> kernels;   ///< entry names in order
  std::set<std::string> impatient;    ///< CodeScreen::impatient
  std::vector<std::string> examples;  ///< per class
  std::set<const Class *> classes;
  bool flushing_atomics = false, flushing_arithmetic = false, floating_arithmetic = false;
};

class ScreenReader {
public:
  Found read(std::string_view text) {
    found_.examples.resize(std::size(kClasses));
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      line(trim(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    function_ends();
    return std::move(found_);
  }

private:
  void line(std::string_view text) {
    if (text.starts_with("//") || text.empty()) return;
    if (text.starts_with('.') || text.starts_with("Function")) declaration(text);
    for (const auto &[word, reason] : kForbidden)
      if (in(text, word)) found_.words.insert(word);
    policy(text);
    const auto word = operation(text);
    if (in_kernel_) follow_waits(text);
    if (word.starts_with('.') || moves_a_constant(text)) return;
    found_.floating_arithmetic = found_.floating_arithmetic || is_floating_arithmetic(word);
    found_.flushing_atomics = found_.flushing_atomics || is_flushing_atomic(word);
    found_.flushing_arithmetic = found_.flushing_arithmetic || is_flushing_arithmetic(word);
    for (std::size_t i = 0; i < std::size(kClasses); ++i)
      if (has_class(kClasses[i], word) && found_.classes.insert(&kClasses[i]).second)
        found_.examples[i] = std::string(word);
  }

  /// Whether every way to an instruction of a kernel leads through a wait. Code that is branched to before a
  /// wait has not waited, wherever it stands; what follows a jump and is branched to after the wait only has.
  void follow_waits(std::string_view text) {
    while (!text.empty()) {
      const auto end = std::min(text.find(';'), text.size());
      std::string_view statement = trim(text.substr(0, end));
      for (auto name = label_of(statement); !name.empty(); name = label_of(statement)) {
        label(name);
        statement = trim(statement.substr(statement.find(':') + 1));
      }
      follow_wait(statement);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  /// "$L__BB0_2:" or "{ skip: mov.b32 ...", but not "ld.global.L2::cache_hint".
  static std::string_view label_of(std::string_view &statement) {
    while (statement.starts_with('{') || statement.starts_with('}')) statement = trim(statement.substr(1));
    const auto colon = statement.find(':');
    const auto is_of_name = [](char c) { return is_name_character(c) || c == '$' || c == '%'; };
    if (colon == statement.npos || !std::ranges::all_of(statement.substr(0, colon), is_of_name)) return {};
    return statement.substr(0, colon);
  }
  void follow_wait(std::string_view text) {
    const auto word = operation(text);
    if (word.empty()) return;
    if (!waited_ && touches_memory(word)) found_.impatient.insert(found_.kernels.back());
    const bool always = !in(text, "@");
    if ((word.starts_with("griddepcontrol.wait") || word.starts_with("ACQBULK")) && always) waited_ = true;
    if (word.starts_with("bra") && !waited_) branch(trim(text.substr(text.find(word) + word.size())));
    if (word.starts_with("brx") && !waited_) found_.impatient.insert(found_.kernels.back());
    jumped_ = always && (word.starts_with("bra") || word.starts_with("ret") || word.starts_with("exit"));
  }
  void label(std::string_view name) {
    if (without_wait_.contains(name))
      waited_ = false;
    else if (jumped_)
      waited_ = true;  // until a branch that has not waited comes back here, see branch()
    if (waited_) with_wait_.insert(name);
    jumped_ = false;
  }
  void branch(std::string_view target) {
    if (with_wait_.contains(target)) found_.impatient.insert(found_.kernels.back());
    without_wait_.insert(target);
  }

  /// A policy is the last operand of what uses it. Its register is harmless when every instruction of the
  /// function that writes it makes a harmless policy.
  void policy(std::string_view text) {
    if (in(text, ".entry") || in(text, ".func")) function_ends();
    const auto comma = text.rfind(','), end = text.rfind(';');
    if (in(text, "L2::cache_hint")) {
      const bool whole = comma != text.npos && end != text.npos && comma < end;
      const auto used = whole ? trim(text.substr(comma + 1, end - comma - 1)) : std::string_view();
      if (!is_harmless(used)) policies_.insert(used);
      return;
    }
    const auto word = operation(text);
    if (comma == text.npos || end == text.npos || comma > end) return;
    const auto operands = text.substr(std::min(text.find(word) + word.size(), text.size()));
    const auto target = trim(operands.substr(0, operands.find(',')));
    const bool number =
        word.starts_with("mov.") && is_harmless(trim(text.substr(comma + 1, end - comma - 1)));
    (word.starts_with("createpolicy.") || number ? harmless_ : others_).insert(target);
  }
  void function_ends() {
    for (const auto used : policies_)
      if (!harmless_.contains(used) || others_.contains(used)) found_.words.insert(kUnknownPolicy);
    policies_.clear(), harmless_.clear(), others_.clear();
  }
  static bool is_harmless(std::string_view number) {
    return std::ranges::find(kHarmlessPolicies, number) != std::end(kHarmlessPolicies);
  }

  void declaration(std::string_view text) {
    if (in(text, ".func")) in_kernel_ = false;
    const bool ptx = in(text, ".entry"), machine_code = text.starts_with("Function :");
    if (ptx) found_.kernels.push_back(function_name(text, ".entry"));
    if (machine_code) found_.kernels.push_back(std::string(trim(text.substr(10))));
    if (ptx || machine_code) {
      in_kernel_ = true, waited_ = jumped_ = false;
      with_wait_.clear(), without_wait_.clear();
    }
    if (text.starts_with(".extern .func")) found_.functions.insert(function_name(text, ".func"));
    const bool global = text.starts_with(".global") || in(text.substr(0, 20), " .global");
    if (!global) return;
    const std::string name = without_hashes(declared(text));
    if (text.starts_with(".extern")) found_.outside.insert(name);
    const bool texture = in(text, ".texref") || in(text, ".surfref") || in(text, ".samplerref");
    if (!in(text, "=") || texture) found_.variables.insert(name);
  }

  Found found_;
  std::set<std::string_view> policies_, harmless_, others_;  ///< registers of this function
  bool in_kernel_ = false;
  bool waited_ = false;  ///< at this line the kernel has waited for the work in front of it
  bool jumped_ = false;  ///< the line before leads elsewhere
  std::set<std::string_view> with_wait_, without_wait_;  ///< labels
};

std::string_view why_function(const std::string &name) {
  for (const auto &[word, reason] : kFunctions)
    if (name.starts_with(word)) return reason;
  return "is not in the candidate";
}

void compare(const Found &mine, const Found &theirs, CodeScreen &screen) {
  for (const auto &[word, reason] : kForbidden)
    if (mine.words.contains(word) && !theirs.words.contains(word))
      screen.findings.push_back({fmt::format("{} ({})", reason, word)});
  for (const auto &name : mine.functions)
    if (const auto why = why_function(name); !theirs.functions.contains(name) && !why.empty())
      screen.findings.push_back({fmt::format("a kernel calls '{}', which {}", name, why)});
  for (const auto &name : mine.variables)
    if (!theirs.variables.contains(name))
      screen.findings.push_back({fmt::format(
          "the device variable '{}' keeps state between launches; use l.scratch(bytes), or __shared__",
          name)});
  for (const auto &name : mine.outside)
    if (!theirs.outside.contains(name))
      screen.findings.push_back({fmt::format("'{}' is outside the variant", name)});
}

void classify(const Found &mine, const Found &theirs, InstructionClasses &classes) {
  const auto original_has = [&](const Class &one) {
    return std::ranges::any_of(theirs.classes, [&](const Class *other) { return other->which == one.which; });
  };
  for (std::size_t i = 0; i < std::size(kClasses); ++i) {
    const Class &one = kClasses[i];
    if (!mine.classes.contains(&one) || original_has(one) || classes.*one.which) continue;
    classes.*one.which = true;
    classes.told += fmt::format("{}{} ({})", classes.told.empty() ? "" : ", ", one.name, mine.examples[i]);
  }
}

}  // namespace

CodeScreen screen_code(std::string_view candidate, std::string_view original) {
  const Found mine = ScreenReader().read(candidate), theirs = ScreenReader().read(original);
  CodeScreen screen;
  compare(mine, theirs, screen);
  classify(mine, theirs, screen.classes);
  screen.flushing = {mine.flushing_atomics || theirs.flushing_atomics, theirs.flushing_arithmetic};
  screen.moves_only = !mine.kernels.empty() && !mine.floating_arithmetic && mine.functions.empty();
  screen.kernels = mine.kernels;
  screen.impatient.assign(mine.impatient.begin(), mine.impatient.end());
  return screen;
}

std::string uncompressed_ptx(std::span<const std::byte> library) {
  const auto read = read_shared_library(library);
  if (!read) return {};
  const std::string_view code(reinterpret_cast<const char *>(read->device_code.data()),
                              read->device_code.size());
  std::string all;
  for (auto at = code.find(".version "); at != code.npos; at = code.find(".version ", at + 1)) {
    const auto end = std::min(code.find('\0', at), code.size());
    all += std::string(code.substr(at, end - at)) + "\n";
  }
  return all;
}

}  // namespace cupilot::judge::screen
