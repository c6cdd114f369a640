// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/tf32_three_products.h"

#include <fmt/format.h>

#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/frame.h"
#include "evolution/schedule/tile_product.h"

namespace cupilot::schedule {
namespace {

/// Whether all elements have 11 bits or fewer, so that one part is all of them.
bool is_narrow(const spec::Expr &element) {
  if (element.kind == spec::ExprKind::cast || element.kind == spec::ExprKind::call)
    return element.parts.size() == 1 && is_narrow(element.parts[0]);
  return element.kind == spec::ExprKind::load &&
         (element.type == "__half" || element.type == "half" || element.type == "__nv_bfloat16");
}

class Tf32ThreeProducts : public TileProduct {
public:
  using TileProduct::TileProduct;

private:
  std::optional<std::string> unsuitable() const override {
    if (type() != "float") return "its sums are not float";
    return std::nullopt;
  }
  std::string head() const override;
  std::string places() const override {
    return "static_assert(kHeight % (kLefts * 8) == 0 && kWidth % (kRights * 4) == 0, \"whole warps\");\n"
           "const int $across = $thread / 32 % (kWidth / kRights / 4) * kRights * 4;\n"
           "const int $down = $thread / 32 / (kWidth / kRights / 4) * kLefts * 8;\n"
           "const int $eighth = $thread % 32 / 4, $quarter = $thread % 4;\n"
           "float $total[kLefts / 2][kRights / 2][4] = {};\n";
  }
  std::string step() const override;
  Outputs outputs() const override {
    return {"kLefts", "$down + $i * 8 + $eighth", "kRights", "$across + $j / 2 * 8 + $quarter * 2 + $j % 2",
            "$total[$i / 2][$j / 2][$i % 2 * 2 + $j % 2]"};
  }
  int padding(const Operand &side) const override { return lies_along_sum(side) ? 4 : 8; }
  bool lies_along_sum(const Operand &side) const override { return side.along_sum; }
  /// An infinity has no two parts, nor has what is rounded to one.
  bool needs_finite() const override {
    return !is_narrow(form().left.element) || !is_narrow(form().right.element);
  }
  std::vector<model::Knob> knobs() const override;
  std::string summary() const override {
    return "each factor in two parts of 11 bits, three products of them on tensor cores, as exact as fp32";
  }
  std::string split_text(const Operand &side, const std::string &place, const std::string &term,
                         const std::string &at) const;
};

std::string Tf32ThreeProducts::head() const {
  std::string text;
  if (needs_finite())
    text =
        "/// x as high + low, both of 11 bits; NaN in low if x is not finite.\n"
        "__device__ __forceinline__ void split(float x, unsigned &high, unsigned &low) {\n"
        "  high = (__float_as_uint(x) + 0x1000) & 0xffffe000;\n"
        "  low = __float_as_uint(x - __uint_as_float(high)) & 0xffffe000;\n}\n\n";
  return text +
         "/// Adds the product of 16 x 8 and 8 x 8 elements.\n"
         "__device__ __forceinline__ void add_product(float (&sum)[4], const unsigned (&a)[4], const "
         "unsigned (&b)[2]) {\n"
         "  asm(\"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
         "{%8, %9}, \"\n"
         "      \"{%0, %1, %2, %3};\"\n"
         "      : \"+f\"(sum[0]), \"+f\"(sum[1]), \"+f\"(sum[2]), \"+f\"(sum[3])\n"
         "      : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"r\"(b[0]), \"r\"(b[1]));\n}\n\n";
}

/// An element's parts, to `$left_high` and so on at `at`.
std::string Tf32ThreeProducts::split_text(const Operand &side, const std::string &place,
                                          const std::string &term, const std::string &at) const {
  const char *name = &side == &form().left ? "left" : "right";
  const std::string element = element_of_tile(side, place, term);
  return is_narrow(side.element) ? fmt::format("${}_high{} = __float_as_uint({});\n", name, at, element)
                                 : fmt::format("split({2}, ${0}_high{1}, ${0}_low{1});\n", name, at, element);
}

/// Tensor cores cut off what they add, so each tile's sum begins at zero and is added to the total by itself,
/// and small products have a sum of their own.
std::string Tf32ThreeProducts::step() const {
  const Operand &left = form().left, &right = form().right;
  const auto declared = [](const char *name, const Operand &side, const char *extents) {
    return fmt::format("unsigned ${0}_high{1}{2};\n", name, extents,
                       is_narrow(side.element) ? "" : fmt::format(", ${}_low{}", name, extents));
  };
  std::string adding;
  const auto add = [&](const char *to, const char *of_left, const char *of_right) {
    adding += fmt::format(
        "#pragma unroll\nfor (int $j = 0; $j < kRights / 2; ++$j) add_product({}[$j], $left_{}, "
        "$right_{}[$k / 8][$j]);\n",
        to, of_left, of_right);
  };
  if (!is_narrow(left.element)) add("$small", "low", "high");
  if (!is_narrow(right.element)) add("$small", "high", "low");
  add("$part", "high", "high");
  const bool splits = needs_finite();
  return declared("right", right, "[kTileK / 8][kRights / 2][2]") +
         fmt::format(
             "#pragma unroll\nfor (int $k = 0; $k < kTileK; $k += 8) {{\n"
             "  #pragma unroll\n  for (int $j = 0; $j < kRights / 2; ++$j) {{\n"
             "    #pragma unroll\n    for (int $e = 0; $e < 2; ++$e)\n      {}  }}\n}}\n",
             split_text(right, "$across + $j * 8 + $eighth", "$k + $e * 4 + $quarter", "[$k / 8][$j][$e]")) +
         fmt::format(
             "#pragma unroll\nfor (int $i = 0; $i < kLefts / 2; ++$i) {{\n"
             "  float $part[kRights / 2][4] = {{}}{};\n"
             "  #pragma unroll\n  for (int $k = 0; $k < kTileK; $k += 8) {{\n    {}"
             "    #pragma unroll\n    for (int $e = 0; $e < 4; ++$e)\n      {}{}  }}\n"
             "  #pragma unroll\n  for (int $j = 0; $j < kRights / 2; ++$j) {{\n"
             "    #pragma unroll\n    for (int $e = 0; $e < 4; ++$e) $total[$i][$j][$e] += "
             "$part[$j][$e]{};\n  }}\n}}\n",
             splits ? ", $small[kRights / 2][4] = {}" : "", declared("left", left, "[4]"),
             split_text(left, "$down + $i * 16 + $e % 2 * 8 + $eighth", "$k + $e / 2 * 4 + $quarter", "[$e]"),
             indented(adding, 4), splits ? " + $small[$j][$e]" : "");
}

/// Gathered operands take longer to bring: more warps wait for them at once, each with fewer outputs.
std::vector<model::Knob> Tf32ThreeProducts::knobs() const {
  const auto [m, n] = usual_tile();
  const bool gathers = form().sum.size() > 1;
  // A warp is 8 kM rows high: of a tile of 32 rows there are none with kM 8.
  const bool low = m < 64;
  using Values = std::vector<long long>;
  return {{"kTileM", low ? Values{32, 64} : Values{64, 128}, m},
          {"kTileN", {32, 64, 128}, n},
          {"kResident", {1, 2}, gathers ? 2 : 1},
          {"kTileK", {8, 16}, 16},
          {"kM", low ? Values{2, 4} : Values{4, 8}, low ? 4 : 8},
          {"kN", {4, 8}, n >= 64 && !gathers ? 8 : 4}};
}

}  // namespace

Outcome write_tf32_three_products(const spec::KernelSpec &spec) {
  auto form = contraction_of(spec.lifted);
  if (!form) return std::unexpected(form.error());
  return Tf32ThreeProducts(spec, std::move(*form)).run();
}

}  // namespace cupilot::schedule
