// SPDX-License-Identifier: Apache-2.0
//
// A kernel in fewer words: what C++ lets people write shorter is written out before the kernel is lifted, so
// that the lifter knows one way to say each thing.

#pragma once

#include <string>

#include "annotate/rewrite/syntax.h"
#include "annotate/spec/kernel_spec.h"

namespace cupilot::lift {

/// Ranks, sizes, barriers and exchanges of cooperative groups as threadIdx, blockDim and shuffles. True:
/// there are such groups, and what is written now is right for blocks of one dimension only.
bool write_out_groups(rewrite::Kernel &kernel);

/// The operator of `reduce(warp, value, plus<float>())`, of which all threads of the warp have the result:
/// "+", "max", "min"; empty: it is another call.
std::string warp_reduction(const rewrite::Node &call);
/// `value` of it.
rewrite::Node reduced_value(const rewrite::Node &call);

/// One statement for each effect: `a = b = c`, `x += y = z`, `p++, q++` and steps of loops that move more
/// than the counter become statements of their own; functions of the user's file that return records, change
/// their arguments or take shared memory stand where they are called.
void separate_effects(rewrite::Kernel &kernel);

/// `if (a < b) return a; return b;` at the end of a function as `return a < b ? a : b;`, and where more than
/// that is done before one returns, `if (...) { ...; result = a; } else { ...; result = b; } return result;`
void join_returns(rewrite::Kernel &kernel);

/// Structures and CUDA vectors that a thread holds become one variable for each member. Those whose address
/// is taken or that are passed to what the slice does not show stay.
void split_records(rewrite::Kernel &kernel);

/// A thread that builds several sums in an array, `for i: acc[i] += a[i] * b`, builds one after the other:
/// the loops over elements go outwards, around all that follows, and the array becomes a number. Where
/// anything goes from one element to another, the array stays.
void move_arrays_outward(rewrite::Kernel &kernel);

/// What threads keep in variables that change together becomes folds. Of the largest value and its place,
/// which threads look for together, one key by "max": arguments.h says what it is. Of the largest value and
/// the sum of exponentials below it (online softmax), two that do not depend on each other: kWhole stands for
/// what the largest is in the end. Of number, mean and squares around it (Welford), three. `finite`: no
/// infinity is read; where one may be, sums of exponentials that it makes NaN stay as they are.
struct PairsJoined {
  bool any = false;
  int poisoned = 0;  ///< the line of such a sum
};
PairsJoined join_pairs(rewrite::Kernel &kernel, bool finite);

/// Pointers to parts of the shared memory that is sized at launch, `float *sums = memory + n`, become arrays
/// of their own, where every part begins elsewhere. That none reaches into the next is taken for granted:
/// what the lifter knows of an element is what was written by that name.
void name_shared_parts(rewrite::Kernel &kernel);

/// `flat[row * 8 + col]`, where all elements of an array are counted so, becomes `flat[row][col]`.
void give_arrays_rows(rewrite::Kernel &kernel);

/// Pointers and whole numbers that a loop moves evenly, `for (int k = 0; k < n; ++k) { sum += *p; p += w; }`,
/// are written as how far they have got: `p[k * w]`. What they are behind the loop stands there.
void close_inductions(rewrite::Kernel &kernel);
/// The call of nobody's function that says how often a loop goes round: `trips(begin, end, step)`.
inline constexpr const char *kTrips = "trips";

/// A `switch` of which every case ends in `break` as `if (v == 0) ... else if (v == 1) ...`.
void write_out_switches(rewrite::Kernel &kernel);

/// Of arrays of a thread that are tables of a few numbers, each element is chosen where it is read.
void write_out_tables(rewrite::Kernel &kernel);
/// Arrays of a thread that begin with zeros get them by loops. Whether there are any.
bool write_out_zeros(rewrite::Kernel &kernel);

/// `float v = 0; if (i < n) v = x[i];` as `float v = i < n ? x[i] : 0;`, where threads cooperate.
void join_initials(rewrite::Kernel &kernel);

/// `if (i < n) { float d = x[i] - y[i]; v = d * d; }` as `if (i < n) v = (x[i] - y[i]) * (x[i] - y[i]);`,
/// where threads go on together with what each of them has: outside of loops, and where nothing else is done.
void write_out_choices(rewrite::Kernel &kernel);

/// `if (threadIdx.x == 0 && row < rows)` as `if (row < rows) if (threadIdx.x == 0)`, where threads share
/// memory: what says which threads go on stands alone.
void part_conditions(rewrite::Kernel &kernel);

/// Whether threads are counted by warps or by a collective of CUB: along x, whatever the block's shape.
bool counts_by_warps(const rewrite::Kernel &kernel);
/// x for y and y for x, of threads, blocks and their sizes.
void exchange_dimensions(rewrite::Kernel &kernel);
void exchange_dimensions(spec::KernelSpec &spec);
void exchange_dimensions(spec::Lifted &form);

/// `if (row >= rows) continue; rest` in a loop as `if (!(row >= rows)) { rest }`, where the rest uses an
/// array of the thread.
void branch_past_continues(rewrite::Kernel &kernel);

/// `if (row >= rows) break;` at the beginning of a loop's body, where `row` grows with the counter, is
/// written as `continue`: no iteration that comes after does anything.
void continue_past_ends(rewrite::Kernel &kernel);

}  // namespace cupilot::lift
