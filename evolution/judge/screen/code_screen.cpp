// SPDX-License-Identifier: Apache-2.0
//
// Screens device code line by line. PTX and SASS both have one instruction or declaration per line, so no
// further grammar is needed. The rules are tables of words.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

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
constexpr Forbidden kForbidden[] = {
    {"%clock", kReadsClock},           {"%globaltimer", kReadsClock},
    {"SR_CLOCK", kReadsClock},         {"SR_GLOBALTIMER", kReadsClock},
    {"L2::evict_last", kStaysInCache}, {"L2::evict_unchanged", kStaysInCache},
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

struct Found {
  std::set<std::string_view> words;   ///< words of kForbidden that occur
  std::set<std::string> functions;    ///< imported functions
  std::set<std::string> variables;    ///< variables without an initial value, and textures
  std::set<std::string> outside;      ///< extern variables
  std::vector<std::string> kernels;   ///< entry names in order
  std::vector<std::string> examples;  ///< per class
  std::set<const Class *> classes;
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
    return std::move(found_);
  }

private:
  void line(std::string_view text) {
    if (text.starts_with("//") || text.empty()) return;
    if (text.starts_with('.') || text.starts_with("Function")) declaration(text);
    for (const auto &[word, reason] : kForbidden)
      if (in(text, word)) found_.words.insert(word);
    const auto word = operation(text);
    if (word.starts_with('.') || moves_a_constant(text)) return;
    for (std::size_t i = 0; i < std::size(kClasses); ++i)
      if (has_class(kClasses[i], word) && found_.classes.insert(&kClasses[i]).second)
        found_.examples[i] = std::string(word);
  }

  void declaration(std::string_view text) {
    if (in(text, ".entry")) found_.kernels.push_back(function_name(text, ".entry"));
    if (text.starts_with("Function :")) found_.kernels.push_back(std::string(trim(text.substr(10))));
    if (text.starts_with(".extern .func")) found_.functions.insert(function_name(text, ".func"));
    const bool global = text.starts_with(".global") || in(text.substr(0, 20), " .global");
    if (!global) return;
    const std::string name = without_hashes(declared(text));
    if (text.starts_with(".extern")) found_.outside.insert(name);
    const bool texture = in(text, ".texref") || in(text, ".surfref") || in(text, ".samplerref");
    if (!in(text, "=") || texture) found_.variables.insert(name);
  }

  Found found_;
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
  screen.kernels = mine.kernels;
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
