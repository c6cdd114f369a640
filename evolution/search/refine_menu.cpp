// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/refine_menu.h"

namespace cupilot {
namespace {

constexpr const char *kMatmul =
    R"(Matrix product, in this order as far as it is not done:
- tile for shared memory: each block a tile of the output, operands staged by tiles of the sum's dimension
- a register tile for each thread (8 x 8 in two halves, say), outer products from registers
- 128-bit loads and stores; the operand whose rows are read across is stored transposed or padded
- asynchronous copies and two or more stages, so that loading and computing overlap
- block order that keeps tiles of both operands in L2 (swizzle); split of the sum where blocks are too few
- tensor cores only as far as the precision clause allows them
)";
constexpr const char *kAttention =
    R"(Attention, in this order as far as it is not done:
- one pass: tiles of keys and values against a tile of queries, running maximum and sum (online softmax)
- scores and probabilities stay in registers or shared memory, never in global memory
- a warp owns whole rows, so that maximum and sum need shuffles only
- tiles of keys and values through asynchronous copies, the next one while this one is used
- tensor cores only as far as the precision clause allows them
)";
constexpr const char *kConvolution =
    R"(Convolution, in this order as far as it is not done:
- input tiles with their halo in shared memory, filters in shared or constant memory
- several outputs a thread in registers, along channels and along the row
- 128-bit access along the contiguous dimension; loops over the filter unrolled for the sizes at hand
- asynchronous copies and two stages over the input channels
- layout of the tiles without bank conflicts
)";
constexpr const char *kDirectConvolution =
    R"(The convolution is still a direct loop nest: every output reads its whole window from memory. Before any tuning
this step must rewrite it structurally, and do nothing else:
- as an implicit matrix product: outputs x (channels x window), gathered by tiles into shared memory, with a register
  tile for each thread; or
- with input tiles and halo in shared memory that all outputs of a block share, several outputs a thread.
Numeric constants, unrolling and vector widths are not this step.
)";
constexpr const char *kReduction =
    R"(Reduction, in this order as far as it is not done:
- several elements a thread in registers, with independent partial sums, before any exchange
- 128-bit loads; consecutive threads at consecutive addresses
- shuffles within a warp, shared memory only between warps, one barrier
- a warp a row where rows are short, several blocks a row where rows are few and long
- one pass instead of two where the row fits in registers
)";
constexpr const char *kNormalisation =
    R"(Normalisation, in this order as far as it is not done:
- the row is read once and kept in registers between statistics and result
- a warp a row where it fits, else a block with one exchange between warps
- mean and variance in one pass that is stable (Welford, or around the first element)
- 128-bit access; weights read once a block where several rows share them
- several rows a block where rows are short
)";
constexpr const char *kLoss =
    R"(Loss, in this order as far as it is not done:
- elements and their sum in one kernel; partial sums in registers over many elements a thread
- 128-bit loads, a grid that fills the device once
- shuffles, then shared memory, then one value a block; a second small launch or ordered sum instead of many atomics
)";
constexpr const char *kElementwise =
    R"(Elementwise, in this order as far as it is not done:
- 128-bit loads and stores, the rest element by element
- several independent vectors a thread, all loads before the first use
- a grid that fills the device once with a stride loop, or as many blocks as there are vectors; measure which
- hints for data that is touched once (__ldcs, __stcs)
- index arithmetic without division; invariants out of the loop
)";
constexpr const char *kOther =
    R"(In this order as far as it is not done:
- remove passes over memory: what is written and read again stays in registers or shared memory
- coalesced and 128-bit access
- more independent work a thread, or more threads, whichever hides the latency
- shuffles instead of shared memory, fewer barriers
- constants known at the launch as compile-time constants, with the general path kept
)";
constexpr const char *kRedFlags =
    R"(Stay away from:
- two optimisations in one step, or an optimisation and a clean-up
- narrower types, fast-math intrinsics and reordered sums that the precision clause does not allow
- a special case for the sizes shown that other sizes fall through wrongly: return false for what is not handled
- spilling registers for a larger tile; barriers inside divergent branches
- giving up the structure reached so far in order to pass
)";

const char *menu_of(KernelPattern pattern) {
  switch (pattern) {
    case KernelPattern::matmul:
      return kMatmul;
    case KernelPattern::attention:
      return kAttention;
    case KernelPattern::convolution:
      return kConvolution;
    case KernelPattern::reduction:
      return kReduction;
    case KernelPattern::normalisation:
      return kNormalisation;
    case KernelPattern::loss:
      return kLoss;
    case KernelPattern::elementwise:
      return kElementwise;
    case KernelPattern::other:
      break;
  }
  return kOther;
}

}  // namespace

std::string refine_menu(KernelPattern pattern, bool still_direct) {
  return std::string(still_direct ? kDirectConvolution : menu_of(pattern)) + kRedFlags;
}

}  // namespace cupilot
