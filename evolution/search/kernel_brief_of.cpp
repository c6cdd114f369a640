// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/kernel_brief_of.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>

#include "annotate/spec/lifted_text.h"
#include "annotate/support/text.h"
#include "evolution/judge/bundle/launch_header.h"
#include "evolution/judge/cases/evaluate_case.h"
#include "evolution/judge/screen/lexer.h"
#include "evolution/role/device_facts.h"
#include "evolution/search/least.h"

namespace cupilot::search {
namespace {

/// The text between two tokens without comments; a continued line keeps its backslash.
std::string gap_without_comments(std::string_view gap) {
  std::string text;
  for (std::size_t at = 0; at < gap.size();) {
    if (gap.substr(at).starts_with("//")) {
      bool spliced = false;
      for (; at < gap.size() && (spliced || gap[at] != '\n'); ++at)
        if (gap[at] == '\n')
          spliced = false;
        else if (gap[at] != '\r')
          spliced = gap[at] == '\\';
    } else if (gap.substr(at).starts_with("/*")) {
      const std::size_t end = gap.find("*/", at + 2);
      at = end == std::string_view::npos ? gap.size() : end + 2;
      text += ' ';
    } else {
      text += gap[at++];
    }
  }
  return text;
}

/// Removes blanks at line ends and repeated empty lines.
std::string tidy_lines(const std::string &text) {
  std::string tidy;
  bool empty_before = true;
  for (const std::string &line : split_lines(text)) {
    const std::size_t end = line.find_last_not_of(" \t\r");
    const bool empty = end == std::string::npos;
    if (empty && empty_before) continue;
    tidy += (empty ? "" : line.substr(0, end + 1)) + "\n";
    empty_before = empty;
  }
  return tidy;
}

std::string signature_of(const spec::KernelSpec &spec) {
  std::string text = "bool launch(const cupilot::Launch &l";
  for (const spec::Parameter &parameter : spec.parameters) {
    // In a pointer to an array or to a function the name is inside the type.
    const std::size_t inside = parameter.type.find("(*");
    if (inside != std::string::npos)
      text += fmt::format(", {}{}{}", parameter.type.substr(0, inside + 2), parameter.name,
                          parameter.type.substr(inside + 2));
    else
      text +=
          fmt::format(", {}{}{}", parameter.type, parameter.type.ends_with('*') ? "" : " ", parameter.name);
  }
  return text + ")";
}

std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string value_text(const std::variant<std::int64_t, double> &value) {
  if (const auto *integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  return number(std::get<double>(value));
}

std::string bytes_text(double bytes) {
  if (bytes < 1e4) return fmt::format("{:.0f} bytes", bytes);
  if (bytes < 1e7) return fmt::format("{:.0f} KB", bytes / 1e3);
  return fmt::format("{:.0f} MB", bytes / 1e6);
}

/// Parameters with their values, then names that only the workload's own expressions use.
std::string sizes_text(const spec::KernelSpec &spec, const spec::Workload &workload,
                       const model::Case &values) {
  std::vector<std::string> parts;
  for (const spec::Parameter &parameter : spec.parameters)
    if (const auto found = values.scalars.find(parameter.name); found != values.scalars.end())
      parts.push_back(fmt::format("{} = {}", parameter.name, value_text(found->second)));
  for (const spec::Assignment &one : workload.set)
    if (!values.scalars.contains(one.name)) parts.push_back(fmt::format("{} = {}", one.name, one.expression));
  return join(parts, ", ");
}

std::string launch_text(const model::Case &values) {
  const auto three = [](const std::array<std::uint32_t, 3> &size) {
    return fmt::format("{} x {} x {}", size[0], size[1], size[2]);
  };
  return fmt::format("grid {}, block {}, {} bytes of shared memory", three(values.grid), three(values.block),
                     values.shared_bytes);
}

std::string buffer_text(const spec::KernelSpec &spec, const model::CaseBuffer &buffer) {
  std::string text =
      fmt::format("{} {}: {}", spec::to_string(buffer.role), buffer.parameter, buffer.elements);
  const auto parameter = std::ranges::find(spec.parameters, buffer.parameter, &spec::Parameter::name);
  if (parameter == spec.parameters.end()) return text;
  return fmt::format(
      "{} {}, {}", text, parameter->element_type,
      bytes_text(static_cast<double>(buffer.elements) * static_cast<double>(parameter->element_bytes)));
}

role::WorkloadBrief workload_brief(const spec::KernelSpec &spec, const spec::Workload &workload,
                                   const Result<model::Case> &values) {
  role::WorkloadBrief brief{.id = workload.id, .timed = !workload.check, .weight = workload.weight};
  if (!values) {  // the judge reports what is wrong with it
    for (const spec::Assignment &one : workload.set)
      brief.sizes += fmt::format("{}{} = {}", brief.sizes.empty() ? "" : ", ", one.name, one.expression);
    return brief;
  }
  brief.sizes = sizes_text(spec, workload, *values);
  brief.launch = launch_text(*values);
  for (const model::CaseBuffer &buffer : values->buffers) brief.buffers.push_back(buffer_text(spec, buffer));
  return brief;
}

/// "llama: 268 MB moved, 1.3e+08 floating-point operations, ..."; empty: how much there is to compute is not
/// known.
std::string least_text(const spec::KernelSpec &spec, const spec::Workload &workload,
                       const model::Case &values) {
  const Least least = least_of(spec, values);
  if (!least.work) return "";
  return fmt::format("{}: {} moved, {:.2g} floating-point operations, {:.2g} divisions, roots and calls",
                     workload.id, bytes_text(least.bytes), least.work->arithmetic, least.work->special);
}

std::string precision_text(const spec::Precision &precision) {
  const std::string rounded =
      ": operands of products may be rounded to that type; sums and everything else are kept in the "
      "original's";
  switch (precision.kind) {
    case spec::PrecisionKind::same:
      return "same: nothing may be computed in a type narrower than the original's. Against the same "
             "computation in double precision the root mean square error of every output may be at most 4 "
             "times the original's own, the largest error at most 8 times; integers must be equal";
    case spec::PrecisionKind::tf32:
      return "tf32" + rounded;
    case spec::PrecisionKind::half:
      return "half" + rounded;
    case spec::PrecisionKind::bf16:
      return "bf16" + rounded;
    case spec::PrecisionKind::relaxed:
      break;
  }
  return fmt::format("{}: each output element may deviate from the exact value by {} + {} x its magnitude",
                     spec::to_string(precision), number(precision.absolute), number(precision.relative));
}

std::string launch_declarations() {
  const std::string_view header = judge::bundle::launch_header();
  const std::size_t begin = header.find("namespace cupilot");
  return std::string(header.substr(begin == std::string_view::npos ? 0 : begin));
}

}  // namespace

std::string without_comments(std::string_view code) {
  const judge::screen::TokenList list = judge::screen::tokenize(code);
  std::string text;
  std::size_t end = 0;
  for (const judge::screen::CodeToken &token : list.tokens) {
    text += gap_without_comments(code.substr(end, token.begin - end));
    text += code.substr(token.begin, token.end - token.begin);
    end = token.end;
  }
  return tidy_lines(text);
}

role::KernelBrief kernel_brief_of(const spec::KernelSpec &spec, const std::string &architecture,
                                  const PolicySettings &settings) {
  role::KernelBrief brief{.kernel = spec.name,
                          .source = without_comments(spec.slice),
                          .signature = signature_of(spec),
                          .launch_header = launch_declarations(),
                          .precision = precision_text(spec.precision),
                          .deterministic = spec.deterministic,
                          .architecture = architecture,
                          .device = role::device_facts(architecture),
                          .pattern = role::pattern_of(spec.facts),
                          .dialect = settings.dialect};
  for (const spec::Assumption &one : spec.assumptions) brief.assumptions.push_back(one.expression);
  const bool told = settings.form && !spec.lifted.body.empty();
  if (told) brief.computes = spec::to_text(spec.lifted);
  for (const spec::Workload &workload : spec.workloads) {
    if (workload.holdout) continue;
    const auto values = judge::cases::evaluate_case(spec, workload, {});
    brief.workloads.push_back(workload_brief(spec, workload, values));
    const std::string least = told && values ? least_text(spec, workload, *values) : "";
    if (!least.empty()) brief.least.push_back(least);
  }
  return brief;
}

}  // namespace cupilot::search
