// SPDX-License-Identifier: Apache-2.0
//
// What the statements of a lifted form access, and the values its sizes usually have.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/spec/polynomial.h"
#include "evolution/schedule/work.h"

namespace cupilot::schedule {

struct Access {
  std::string buffer, type;
  spec::Expr index;
  bool stored = false;
};

/// What every run of the statements accesses: outside of branches, choices and inner loops.
std::vector<Access> certain_accesses(const std::vector<spec::Statement> &body);
/// These, and what may as well be read where nothing needs it: an element of the same place as one of these,
/// in a buffer that is as long in every workload.
std::vector<Access> harmless_accesses(const spec::KernelSpec &spec, const std::vector<spec::Statement> &body);
/// All of them, and those of inner loops.
std::vector<Access> all_accesses(const std::vector<spec::Statement> &body);

bool has_load(const spec::Expr &expr);
bool has_load(const std::vector<spec::Statement> &body);

bool same_index(const spec::Expr &a, const spec::Expr &b);
/// Whether a step of `axis` is a step to the next element.
bool is_unit(const spec::Expr &index, std::string_view axis);
/// Whether it goes up or down by one: `cols - 1 - axis`.
bool are_neighbours(const spec::Expr &index, std::string_view axis);
/// The axis's multiple in the index; nullopt if it is none.
std::optional<spec::Polynomial> pitch_of(const spec::Expr &index, std::string_view axis);

/// end - begin
spec::Expr extent_of(const spec::Statement &loop);
/// An expression as an operand of `*`, `/` and `%`.
std::string factor_text(const spec::Expr &expr);
/// "(n) % kVector == 0", for the host.
std::string divisible_text(const spec::Expr &expr);
/// Code that starts the one where a condition holds and the other where not; the first if there is none.
std::string either_start(const std::string &condition, const std::string &first, const std::string &other);
/// Whether what the kernel itself needs makes the expression a multiple of a number: it accesses vectors.
bool is_multiple(const spec::KernelSpec &spec, const spec::Expr &expr, long long of);
/// Whether the buffer begins at a multiple of as many elements wherever the kernel itself works.
bool begins_at_multiple(const spec::KernelSpec &spec, std::string_view buffer, long long of);
/// Lines that give each axis its value: the last one varies fastest. They use up the variable `from`; `cast`:
/// it is unsigned.
std::string unpack_text(const std::vector<const spec::Statement *> &axes, const std::string &from, bool cast);
/// Why the axes cannot be numbered from 0 on, if they cannot.
std::optional<std::string> unsuitable_axes(const std::vector<const spec::Statement *> &axes);
/// The product of their extents.
spec::Expr count_of(const std::vector<const spec::Statement *> &axes);

/// The parameters' values in a workload, and `grid.x` to `block.z`; what cannot be evaluated is missing.
Values values_of(const spec::Workload &workload);
/// Those of the timed workload of the greatest weight.
Values typical_values(const spec::KernelSpec &spec);

/// The integer that all workloads give a parameter.
std::optional<std::int64_t> only_value(const spec::KernelSpec &spec, const std::string &parameter);

/// Parameters that the compiler is given as constants, so that short loops are unrolled.
using FixedSizes = std::vector<std::pair<std::string, std::int64_t>>;
/// Those that short loops (at most 32 iterations) end at, which have the same value in all workloads.
FixedSizes fixed_sizes(const spec::KernelSpec &spec, const std::vector<const spec::Statement *> &loops);
/// The kernel's parameters without the names of these, "const int R = 3;" for each, and what launch() tests.
std::string parameters_without(const spec::KernelSpec &spec, const FixedSizes &fixed);
std::string fixed_constants(const FixedSizes &fixed);
std::string fixed_checks(const FixedSizes &fixed);

}  // namespace cupilot::schedule
