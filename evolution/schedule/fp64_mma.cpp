// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/fp64_mma.h"

#include <fmt/format.h>

#include <algorithm>

#include "evolution/schedule/tile_product.h"

namespace cupilot::schedule {
namespace {

class Fp64Mma : public TileProduct {
public:
  using TileProduct::TileProduct;

private:
  std::optional<std::string> unsuitable() const override {
    if (type() != "double") return "its sums are not double";
    return std::nullopt;
  }
  std::string head() const override {
    return "/// Adds the product of 8 x 4 and 4 x 8 elements.\n"
           "__device__ __forceinline__ void add_product(double (&sum)[2], double a, double b) {\n"
           "  asm(\"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};\"\n"
           "      : \"+d\"(sum[0]), \"+d\"(sum[1])\n"
           "      : \"d\"(a), \"d\"(b));\n}\n\n";
  }
  std::string places() const override {
    return "static_assert(kHeight % (kLefts * 8) == 0 && kWidth % (kRights * 4) == 0, \"whole warps\");\n"
           "const int $across = $thread / 32 % (kWidth / kRights / 4) * kRights * 4;\n"
           "const int $down = $thread / 32 / (kWidth / kRights / 4) * kLefts * 8;\n"
           "const int $eighth = $thread % 32 / 4, $quarter = $thread % 4;\n"
           "double $total[kLefts][kRights / 2][2] = {};\n";
  }
  std::string step() const override;
  Outputs outputs() const override {
    return {"kLefts", "$down + $i * 8 + $eighth", "kRights", "$across + $j / 2 * 8 + $quarter * 2 + $j % 2",
            "$total[$i][$j / 2][$j % 2]"};
  }
  /// Half a warp reads four places of four terms at once: they are in different banks.
  int padding(const Operand &) const override { return 4; }
  bool lies_along_sum(const Operand &side) const override { return side.along_sum; }
  std::vector<model::Knob> knobs() const override;
  std::string summary() const override {
    return "tiles of both operands in shared memory, products on tensor cores";
  }
};

std::string Fp64Mma::step() const {
  return fmt::format(
      "#pragma unroll\nfor (int $k = 0; $k < kTileK; $k += 4) {{\n"
      "  double $left_part[kLefts], $right_part[kRights / 2];\n"
      "  #pragma unroll\n  for (int $i = 0; $i < kLefts; ++$i)\n    $left_part[$i] = {};\n"
      "  #pragma unroll\n  for (int $j = 0; $j < kRights / 2; ++$j)\n    $right_part[$j] = {};\n"
      "  #pragma unroll\n  for (int $i = 0; $i < kLefts; ++$i)\n    #pragma unroll\n"
      "    for (int $j = 0; $j < kRights / 2; ++$j) add_product($total[$i][$j], $left_part[$i], "
      "$right_part[$j]);\n}}\n",
      element_of_tile(form().left, "$down + $i * 8 + $eighth", "$k + $quarter"),
      element_of_tile(form().right, "$across + $j * 8 + $eighth", "$k + $quarter"));
}

std::vector<model::Knob> Fp64Mma::knobs() const {
  const auto [m, n] = usual_tile();
  return {{"kTileM", {32, 64, 128}, m},
          {"kTileN", {32, 64, 128}, std::min(n, 64LL)},
          {"kResident", {1, 2}, 2},
          {"kTileK", {4, 8, 16}, 8},
          {"kM", {2, 4}, 4},
          {"kN", {4, 8}, 8}};
}

}  // namespace

Outcome write_fp64_mma(const spec::KernelSpec &spec) {
  auto form = contraction_of(spec.lifted);
  if (!form) return std::unexpected(form.error());
  return Fp64Mma(spec, std::move(*form)).run();
}

}  // namespace cupilot::schedule
