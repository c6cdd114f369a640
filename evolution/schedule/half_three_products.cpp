// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/half_three_products.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/frame.h"
#include "evolution/schedule/tile_product.h"

namespace cupilot::schedule {
namespace {

/// A word of shared or global memory stands for an element: its high half in the lower 16 bits, its low half,
/// which counts 2^-11, in the upper ones. Everything below is code of the variant.
constexpr const char *kHead =
    R"(/// What is known of the elements of an operand's buffer: sizes as bits of floats.
struct Range {
  unsigned largest;   ///< that is finite
  unsigned lost;      ///< the most that an element's parts lack, beyond the 22 bits that they always have
  unsigned losing;    ///< how many elements lack something
  unsigned vanished;  ///< how many are not zero, but their parts are
};

/// The power of two that brings the largest element to 2^14 or more, below 2^15.
__device__ __forceinline__ int $power_of(const Range &range) {
  return range.largest == 0 ? 0 : min(126, 141 - static_cast<int>(range.largest >> 23));
}

__device__ __forceinline__ float $two_to(int power) {
  return __uint_as_float(static_cast<unsigned>(127 + power) << 23);
}

/// Which sums are computed once more: those that are not finite or, as bits of the factors are lost, so small
/// that it may matter.
struct Doubt {
  float least;
  bool vanished;
  __device__ __forceinline__ bool about(float sum) const {
    return !isfinite(sum) || (fabsf(sum) < least && (sum != 0 || vanished));
  }
};

__device__ __forceinline__ Doubt $doubt_of(const Range *ranges, int terms) {
  float lost = 0;
  for (int side = 0; side < 2; ++side)
    lost += __uint_as_float(ranges[side].lost) * min(ranges[side].losing, static_cast<unsigned>(terms)) *
            __uint_as_float(ranges[1 - side].largest);
  return {lost * 0x1p20f, ranges[0].vanished + ranges[1].vanished > 0};
}

/// Adds the product of 16 x 16 and 16 x 8 elements.
__device__ __forceinline__ void $add_product(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// The high parts of two elements, and the low ones.
__device__ __forceinline__ void $pair_up(unsigned first, unsigned second, unsigned &high, unsigned &low) {
  high = __byte_perm(first, second, 0x5410);
  low = __byte_perm(first, second, 0x7632);
}

/// Copies to shared memory, while the thread goes on; zero where there is nothing.
__device__ __forceinline__ void $copy_word(unsigned *to, const unsigned *from, bool is_there) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(is_there ? 4 : 0)
               : "memory");
}

__device__ __forceinline__ void $copy_four_words(unsigned *to, const unsigned *from, int are_there) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(are_there * 4)
               : "memory");
}

/// A buffer of floats and what is made of it.
struct Source {
  const float *from;
  long long count;
  unsigned *parts;
};

/// Finds the largest element of both operands' buffers.
__global__ void __launch_bounds__(256) $find_largest(Source left, Source right, Range *ranges) {
  const Source source = blockIdx.y == 0 ? left : right;
  const long long step = gridDim.x * 256LL;
  unsigned largest = 0;
  #pragma unroll 8
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < source.count; i += step) {
    const unsigned size = __float_as_uint(source.from[i]) & 0x7fffffff;
    if (size < 0x7f800000) largest = max(largest, size);
  }
  largest = __reduce_max_sync(~0u, largest);
  if (threadIdx.x % 32 == 0) atomicMax(&ranges[blockIdx.y].largest, largest);
}

/// Makes the two parts of all elements. What is not finite has NaN among them, or an infinity.
__global__ void __launch_bounds__(256) $split(Source left, Source right, Range *ranges) {
  const Source source = blockIdx.y == 0 ? left : right;
  Range &range = ranges[blockIdx.y];
  const long long step = gridDim.x * 256LL;
  const int power = $power_of(range);
  const float scale = $two_to(power), back = $two_to(-power);
  unsigned lost = 0, losing = 0, vanished = 0;
  #pragma unroll 8
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < source.count; i += step) {
    const float x = source.from[i], scaled = x * scale;
    unsigned high, low;
    float of_high, of_low;
    asm("{.reg .b16 half; cvt.rn.f16.f32 half, %2; cvt.f32.f16 %1, half; mov.b32 %0, {half, half};}"
        : "=r"(high), "=f"(of_high)
        : "f"(scaled));
    const float rest = scaled - of_high;
    asm("{.reg .b16 half; cvt.rn.f16.f32 half, %2; cvt.f32.f16 %1, half; mov.b32 %0, {half, half};}"
        : "=r"(low), "=f"(of_low)
        : "f"(rest * 2048));
    source.parts[i] = __byte_perm(high, low, 0x5410);
    const float size = fabsf(scaled), missing = fabsf(fmaf(of_low, -0x1p-11f, rest));
    if (x != 0 && (size < 0x1p-60f || missing > 0x1p-22f * size)) {
      lost = max(lost, __float_as_uint(size < 0x1p-60f ? fabsf(x) : missing * back));
      ++losing;
      if (of_high == 0 && of_low == 0) ++vanished;
    }
  }
  lost = __reduce_max_sync(~0u, lost);
  losing = __reduce_add_sync(~0u, losing);
  vanished = __reduce_add_sync(~0u, vanished);
  if (threadIdx.x % 32 == 0 && losing > 0) {
    atomicMax(&range.lost, lost);
    atomicAdd(&range.losing, losing);
    atomicAdd(&range.vanished, vanished);
  }
}

)";

class HalfThreeProducts : public TileProduct {
public:
  using TileProduct::TileProduct;

private:
  std::optional<std::string> unsuitable() const override;
  std::string head() const override { return kHead; }
  std::string places() const override {
    return "static_assert(kHeight % (kLefts * 8) == 0 && kWidth % (kRights * 4) == 0, \"whole warps\");\n"
           "const int $across = $thread / 32 % (kWidth / kRights / 4) * kRights * 4;\n"
           "const int $down = $thread / 32 / (kWidth / kRights / 4) * kLefts * 8;\n"
           "const int $eighth = $thread % 32 / 4, $quarter = $thread % 4;\n"
           "float $total[kLefts / 2][kRights / 2][4] = {}, $small[kLefts / 2][kRights / 2][4] = {};\n";
  }
  std::string step() const override;
  /// Where neighbours in memory are outputs, a thread's places in two groups of eight are neighbours, so that
  /// it reads both at once.
  Outputs outputs() const override {
    return {"kLefts",
            lies_along_sum(form().left) ? "$down + $i * 8 + $eighth"
                                        : "$down + $i / 2 * 16 + $eighth * 2 + $i % 2",
            "kRights",
            lies_along_sum(form().right) ? "$across + $j / 2 * 8 + $quarter * 2 + $j % 2"
                                         : "$across + $j / 4 * 16 + $quarter * 4 + $j % 2 * 2 + $j / 2 % 2",
            "$total[$i / 2][$j / 2][$i % 2 * 2 + $j % 2]"};
  }
  int padding(const Operand &side) const override { return lies_along_sum(side) ? 8 : 4; }
  bool lies_along_sum(const Operand &side) const override { return side.along_sum; }
  bool needs_finite() const override { return true; }
  bool copies() const override { return true; }
  std::string parts_of_operands() const override;
  std::pair<std::string, std::string> also_given() const override {
    return {", const Range *__restrict__ $ranges", ", $ranges"};
  }
  std::string after_steps() const override;
  std::string doubt() const override {
    return "const Doubt $doubt = $doubt_of($ranges, " + spec::to_text(count_of(form().sum)) + ");\n";
  }
  std::string is_doubtful(const std::string &sum) const override { return "$doubt.about(" + sum + ")"; }
  std::vector<model::Knob> knobs() const override;
  std::string summary() const override {
    return "each factor in two halves of 11 bits, three products of them on tensor cores, as exact as fp32";
  }
  std::string two_words(const char *name, const Operand &side, const std::string &place,
                        const std::string &term) const;
  std::string left_fragment() const;
  std::string right_fragments() const;
};

std::optional<std::string> HalfThreeProducts::unsuitable() const {
  if (type() != "float") return "its sums are not float";
  if (form().sum.size() > 1) return "its factors are no matrices";
  for (const Operand *side : {&form().left, &form().right}) {
    if (side->element.kind != spec::ExprKind::load || side->element.type != "float")
      return "a factor is no element of a buffer of floats";
    if (!side->conditions.empty()) return "its factors are no matrices";
    if (!declared_elements(kernel(), side->element.text))
      return "how many elements '" + side->element.text + "' has is not declared";
  }
  return std::nullopt;
}

/// Reads two neighbours of a tile.
std::string HalfThreeProducts::two_words(const char *name, const Operand &side, const std::string &place,
                                         const std::string &term) const {
  return fmt::format("const uint2 {} = reinterpret_cast<const uint2 &>({});\n", name,
                     element_of_tile(side, place, term));
}

/// The parts of 16 places of the left tile at 16 terms.
std::string HalfThreeProducts::left_fragment() const {
  const Operand &side = form().left;
  const std::string declared = "unsigned $left_high[4], $left_low[4];\n#pragma unroll\n";
  if (lies_along_sum(side))
    return declared + "for (int $e = 0; $e < 4; ++$e) {\n" +
           indented(two_words("$two", side, "$down + $i * 16 + $e % 2 * 8 + $eighth",
                              "$k + $e / 2 * 8 + $quarter * 2") +
                        "$pair_up($two.x, $two.y, $left_high[$e], $left_low[$e]);\n",
                    2) +
           "}\n";
  const std::string place = "$down + $i * 16 + $eighth * 2", term = "$k + $e * 8 + $quarter * 2";
  return declared + "for (int $e = 0; $e < 2; ++$e) {\n" +
         indented(two_words("$one", side, place, term) + two_words("$next", side, place, term + " + 1") +
                      "$pair_up($one.x, $next.x, $left_high[$e * 2], $left_low[$e * 2]);\n"
                      "$pair_up($one.y, $next.y, $left_high[$e * 2 + 1], $left_low[$e * 2 + 1]);\n",
                  2) +
         "}\n";
}

/// Those of all places of the right tile that the warp needs.
std::string HalfThreeProducts::right_fragments() const {
  const Operand &side = form().right;
  const bool along = lies_along_sum(side);
  const std::string term = "$k + $e * 8 + $quarter * 2";
  const std::string body =
      along ? two_words("$two", side, "$across + $j * 8 + $eighth", term) +
                  "$pair_up($two.x, $two.y, $right_high[$j][$e], $right_low[$j][$e]);\n"
            : two_words("$one", side, "$across + $j * 8 + $eighth * 2", term) +
                  two_words("$next", side, "$across + $j * 8 + $eighth * 2", term + " + 1") +
                  "$pair_up($one.x, $next.x, $right_high[$j][$e], $right_low[$j][$e]);\n"
                  "$pair_up($one.y, $next.y, $right_high[$j + 1][$e], $right_low[$j + 1][$e]);\n";
  return fmt::format(
      "unsigned $right_high[kRights / 2][2], $right_low[kRights / 2][2];\n"
      "#pragma unroll\nfor (int $j = 0; $j < kRights / 2; {}) {{\n"
      "  #pragma unroll\n  for (int $e = 0; $e < 2; ++$e) {{\n{}  }}\n}}\n",
      along ? "++$j" : "$j += 2", indented(body, 4));
}

/// Tensor cores cut off what they add: sums of 16 large products begin at zero and are added to the total by
/// themselves, and small products, which count 2^-11, have a sum of their own.
std::string HalfThreeProducts::step() const {
  const auto add = [](const char *to, const char *of_left, const char *of_right) {
    return fmt::format(
        "#pragma unroll\nfor (int $j = 0; $j < kRights / 2; ++$j) $add_product({}[$j], $left_{}, "
        "$right_{}[$j]);\n",
        to, of_left, of_right);
  };
  return "#pragma unroll\nfor (int $k = 0; $k < kTileK; $k += 16) {\n" + indented(right_fragments(), 2) +
         "  #pragma unroll\n  for (int $i = 0; $i < kLefts / 2; ++$i) {\n" +
         indented(left_fragment() + "float $part[kRights / 2][4] = {};\n" + add("$small[$i]", "low", "high") +
                      add("$part", "high", "high") + add("$small[$i]", "high", "low") +
                      "#pragma unroll\nfor (int $j = 0; $j < kRights / 2; ++$j) {\n"
                      "  #pragma unroll\n"
                      "  for (int $e = 0; $e < 4; ++$e) $total[$i][$j][$e] += $part[$j][$e];\n}\n",
                  4) +
         "  }\n}\n";
}

std::string HalfThreeProducts::after_steps() const {
  return "// Back to the factors' scale, in two steps, as one might be out of a float's range.\n"
         "const int $power = $power_of($ranges[0]) + $power_of($ranges[1]);\n"
         "const float $once = $two_to(-($power / 2)), $again = $two_to($power / 2 - $power);\n"
         "#pragma unroll\nfor (int $i = 0; $i < kLefts / 2; ++$i) {\n"
         "  #pragma unroll\n  for (int $j = 0; $j < kRights / 2; ++$j) {\n"
         "    #pragma unroll\n    for (int $e = 0; $e < 4; ++$e)\n"
         "      $total[$i][$j][$e] = fmaf($small[$i][$j][$e], 0x1p-11f, $total[$i][$j][$e]) * $once * "
         "$again;\n  }\n}\n";
}

std::string HalfThreeProducts::parts_of_operands() const {
  const std::string &left = form().left.element.text, &right = form().right.element.text;
  return fmt::format(
      "const long long $left_count = {0}, $right_count = {1};\n"
      "Range *$ranges = static_cast<Range *>($l.scratch(2 * sizeof(Range)));\n"
      "unsigned *$left_parts = static_cast<unsigned *>($l.scratch($left_count * sizeof(unsigned)));\n"
      "unsigned *$right_parts = static_cast<unsigned *>($l.scratch($right_count * sizeof(unsigned)));\n"
      "if ($ranges == nullptr || $left_parts == nullptr || $right_parts == nullptr) return false;\n"
      "if (cudaMemsetAsync($ranges, 0, 2 * sizeof(Range), $l.stream) != cudaSuccess) return false;\n"
      "const Source $left_source{{{2}, $left_count, $left_parts}}, $right_source{{{3}, $right_count, "
      "$right_parts}};\n"
      "const long long $pieces = (($left_count > $right_count ? $left_count : $right_count) + 2047) / 2048;\n"
      "const dim3 $grid(static_cast<unsigned>($pieces < 1056 ? $pieces : 1056), 2);\n"
      "$find_largest<<<$grid, 256, 0, $l.stream>>>($left_source, $right_source, $ranges);\n"
      "$split<<<$grid, 256, 0, $l.stream>>>($left_source, $right_source, $ranges);\n",
      declared_elements(kernel(), left).value_or("0"), declared_elements(kernel(), right).value_or("0"), left,
      right);
}

std::vector<model::Knob> HalfThreeProducts::knobs() const {
  const auto [m, n] = usual_tile();
  // A warp is 8 kM rows high: of a tile of 32 rows there are none with kM 8.
  const bool low = m < 64;
  using Values = std::vector<long long>;
  return {{"kTileM", low ? Values{32, 64} : Values{64, 128}, m},
          {"kTileN", {32, 64, 128}, std::min(n, 64LL)},
          {"kResident", {1, 2}, 2},
          {"kTileK", {16, 32}, 32},
          {"kStages", {2, 3, 4}, 3},
          {"kM", low ? Values{2, 4} : Values{4, 8}, low ? 4 : 8},
          {"kN", {4, 8}, n >= 64 ? 8 : 4}};
}

}  // namespace

Outcome write_half_three_products(const spec::KernelSpec &spec) {
  auto form = contraction_of(spec.lifted);
  if (!form) return std::unexpected(form.error());
  return HalfThreeProducts(spec, std::move(*form)).run();
}

}  // namespace cupilot::schedule
