// SPDX-License-Identifier: Apache-2.0
//
// What all schedules' variants have in common: the head with its knobs, the parameters, and a launch() that
// tests what the lifted form needs before it does anything.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/spec/polynomial.h"
#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

[[nodiscard]] inline std::unexpected<Refusal> refuse(std::string reason, int line = 0) {
  return std::unexpected(Refusal{std::move(reason), line});
}

/// "const float *x, int rows" and "x, rows".
/// "const float *x", or without a name "const float *".
std::string declaration_text(const spec::Parameter &parameter, const std::string &name);
std::string parameter_list(const spec::KernelSpec &spec);
std::string argument_list(const spec::KernelSpec &spec);
/// The same for a kernel of the variant, which is also given the sizes of the launch that the form asks for.
std::string device_parameters(const spec::KernelSpec &spec);
std::string device_arguments(const spec::KernelSpec &spec);
/// The parameters of `spec`, and those sizes: "grid.x" of type int.
std::vector<spec::Parameter> with_launch_sizes(const spec::KernelSpec &spec);
const spec::Parameter *find_parameter(const spec::KernelSpec &spec, std::string_view name);

/// Text of an expression over parameters as the host side has them: `grid.x` is `l.grid.x`. Products are
/// computed in 64 bits.
std::string host_text(const spec::Expr &expr);
/// The same on the device, where axes are known, too.
std::string long_text(const spec::Expr &expr);

/// How many elements of a buffer the form touches, counted from its pointer: an upper bound over parameters,
/// if all indices are sums of products of axes and parameters that are not negative.
std::optional<spec::Polynomial> touched_elements(const spec::Lifted &lifted, std::string_view buffer);

/// The extent that the workloads declare for a buffer, for the host, if it is the same expression over
/// parameters in all.
std::optional<std::string> declared_elements(const spec::KernelSpec &spec, const std::string &buffer);
/// The host's text of how many elements a buffer has: as the workloads declare it, or as the form touches
/// them.
std::optional<std::string> extent_text(const spec::KernelSpec &spec, const std::string &buffer);

/// The conditions of launch(): `if (...) return false;`, one a line. Refuses if buffers would have to be
/// apart whose extent is not known.
std::expected<std::string, Refusal> launch_checks(const spec::KernelSpec &spec);

/// What a knob's declaration is: "constexpr int kBlock = 256;  // knob: 64 128 256".
std::string knob_lines(const std::vector<model::Knob> &knobs);

/// The whole file: head, knobs, `code` (device side, where `grid.x` is an argument), and `bool launch(const
/// cupilot::Launch &l, ...)` with the checks, then `body`, then `return true;`.
Outcome variant_of(const spec::KernelSpec &spec, std::string summary, std::vector<model::Knob> knobs,
                   const std::string &code, const std::string &body);

/// Lines of at most 110 columns, broken after commas and operators.
std::string wrapped(const std::string &text);
/// The text with `columns` spaces before every line that is not empty.
std::string indented(const std::string &text, int columns);
/// Replaces `$word` by a name like the word that nothing in the kernel has.
std::string with_fresh_names(const std::string &text, const spec::KernelSpec &spec);

}  // namespace cupilot::schedule
