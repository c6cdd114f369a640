// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/bundle/twin.h"

#include <algorithm>

#include "evolution/judge/bundle/entry_source.h"
#include "evolution/judge/bundle/promotion.h"
#include "evolution/judge/bundle/twin_words.h"
#include "evolution/judge/data/promoted_parameters.h"

namespace cupilot {

namespace {

std::string foreign_buffer(const KernelSpec &spec) {
  const auto promoted = promoted_parameters(spec.parameters);
  for (std::size_t i = 0; i < promoted.size(); ++i) {
    if (promoted[i].element != ElementType::opaque || !promoted[i].pointer) continue;
    const bool vector = promoted[i].element_type != spec.parameters[i].element_type;
    if (vector || is_integer_type(promoted[i].element_type) || promoted[i].element_type.starts_with("double"))
      continue;
    return "'" + promoted[i].name + "' holds '" + promoted[i].element_type +
           "', whose members cannot be widened";
  }
  return "";
}

/// Macros of the command line reach the promoted text unpromoted.
std::string narrow_macro(const KernelSpec &spec) {
  for (const std::string &flag : spec.command.flags) {
    const auto value = flag.find('=');
    if (!flag.starts_with("-D") || value == std::string::npos) continue;
    if (const auto word = flag.substr(value + 1); float_type_of(word) != FloatType::none)
      return "the command line's " + flag + " names a floating type";
  }
  return "";
}

std::set<std::string> floating_names(const KernelSpec &spec) {
  std::set<std::string> names;
  for (const Parameter &parameter : spec.parameters)
    if (is_floating(parameter.element) || float_type_of(parameter.element_type) != FloatType::none)
      names.insert(parameter.name);
  return names;
}

bool half_is_type(const KernelSpec &spec) {
  const auto uses = [](const Parameter &p) { return p.element == ElementType::f16; };
  return spec.slice.find("cuda_fp16") != std::string::npos || std::ranges::any_of(spec.parameters, uses);
}

/// The spec of the twin: the same kernel over promoted text.
struct PromotedSpec {
  KernelSpec spec;
  Promotion slice;
};
PromotedSpec promoted_spec(const KernelSpec &spec) {
  const bool half = half_is_type(spec);
  const auto names = floating_names(spec);
  PromotedSpec made{spec, promote(spec.slice, names, half)};
  const auto wide = [&](const std::string &text) {
    Promotion part = promote(text, names, half);
    made.slice.single |= part.single;
    made.slice.sixteen |= part.sixteen;
    return std::move(part.text);
  };
  made.spec.slice = made.slice.text;
  made.spec.instantiation = wide(spec.instantiation);
  for (Parameter &parameter : made.spec.parameters) parameter.type = wide(parameter.type);
  return made;
}

std::string nothing_to_promote(const KernelSpec &spec, const Promotion &slice) {
  const auto is_f64 = [](const Parameter &p) { return p.element == ElementType::f64; };
  if (slice.wide || std::ranges::any_of(spec.parameters, is_f64))
    return "the kernel computes in fp64 already";
  return "the kernel computes with integers only";
}

}  // namespace

Twin make_twin(const KernelSpec &spec) {
  if (auto foreign = foreign_buffer(spec); !foreign.empty()) return {"", std::move(foreign)};
  if (auto macro = narrow_macro(spec); !macro.empty()) return {"", std::move(macro)};
  const PromotedSpec promoted = promoted_spec(spec);
  if (!promoted.slice.missing.empty()) return {"", promoted.slice.missing};
  if (!promoted.slice.single && !promoted.slice.sixteen)
    return {"", nothing_to_promote(spec, promoted.slice)};
  return {twin_entry(promoted.spec, promoted.slice.sixteen), ""};
}

}  // namespace cupilot
