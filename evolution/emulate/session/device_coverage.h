// SPDX-License-Identifier: Apache-2.0
//
// From the steps that launches executed to the coverage of a variant's device code. Code counts for the
// innermost place in variant.cuh of the calls that were inlined; code without one (the slice, headers) does
// not count. Conditions count only where they stand in the variant's text themselves.
//
// What a condition guards is told by the places of that code, so that way of a branch counts as idle. An
// empty way and both values of a choice are told by nothing else; they count where something is compared with
// a constant. Both ways count where floating data decide, seen on finite data (Condition::data).
//
// Not counted: code that no thread of any launch can come to (thread_values.h), jumps and returns, blocks
// that end in a failed assertion or a trap, and the test that nvcc adds to 64-bit divisions to do a short
// one.

#pragma once

#include <set>

#include "evolution/emulate/machine/step_marks.h"
#include "evolution/emulate/program/program.h"
#include "evolution/judge/launches/coverage.h"

namespace cupilot::emulate::session {

/// Both may be empty: nothing was executed.
struct CoverageMarks {
  const machine::StepMarks &all;
  const machine::StepMarks &finite;  ///< of runs on data without NaN and infinities
};
/// `compared_addresses`: comparisons that have to be seen both
/// ways like those with a constant (AddressUse::compared).
judge::launches::Coverage device_coverage(const program::Program &program, const CoverageMarks &marks,
                                          const std::set<const ptx::Instruction *> &compared_addresses = {});

}  // namespace cupilot::emulate::session
