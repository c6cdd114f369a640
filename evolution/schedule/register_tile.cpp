// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/register_tile.h"

#include <fmt/format.h>

#include "evolution/schedule/frame.h"
#include "evolution/schedule/tile_product.h"

namespace cupilot::schedule {
namespace {

class RegisterTile : public TileProduct {
public:
  using TileProduct::TileProduct;

private:
  std::optional<std::string> unsuitable() const override {
    if (type() != "float" && type() != "double") return "its sums are neither float nor double";
    return std::nullopt;
  }
  std::string places() const override {
    return fmt::format(
        "const int $down = $thread / (kWidth / kRights), $across = $thread % (kWidth / kRights);\n{} "
        "$total[kLefts][kRights] = "
        "{{}};\n",
        type());
  }
  std::string step() const override;
  Outputs outputs() const override {
    return {"kLefts", "$i / 4 * (kHeight / kLefts * 4) + $down * 4 + $i % 4", "kRights",
            "$j / 4 * (kWidth / kRights * 4) + $across * 4 + $j % 4", "$total[$i][$j]"};
  }
  int padding(const Operand &) const override { return 4; }
  std::vector<model::Knob> knobs() const override;
  std::string summary() const override {
    return "tiles of both operands in shared memory, a tile of outputs in each thread's registers";
  }
};

/// A thread's outputs are in groups of four, so that it reads its part of a tile in wide accesses.
std::string RegisterTile::step() const {
  return fmt::format(
      "#pragma unroll\nfor (int $k = 0; $k < kTileK; ++$k) {{\n"
      "  {0} $left_part[kLefts], $right_part[kRights];\n"
      "  #pragma unroll\n  for (int $i = 0; $i < kLefts; $i += 4)\n"
      "    reinterpret_cast<Four &>($left_part[$i]) =\n"
      "        reinterpret_cast<const Four &>($left_tile[$buffer][$k][$i * (kHeight / kLefts) + $down * "
      "4]);\n"
      "  #pragma unroll\n  for (int $j = 0; $j < kRights; $j += 4)\n"
      "    reinterpret_cast<Four &>($right_part[$j]) =\n"
      "        reinterpret_cast<const Four &>($right_tile[$buffer][$k][$j * (kWidth / kRights) + $across * "
      "4]);\n"
      "  #pragma unroll\n  for (int $i = 0; $i < kLefts; ++$i)\n    #pragma unroll\n"
      "    for (int $j = 0; $j < kRights; ++$j) $total[$i][$j] += $left_part[$i] * $right_part[$j];\n}}\n",
      type());
}

std::vector<model::Knob> RegisterTile::knobs() const {
  const auto [m, n] = usual_tile();
  const bool large = m * n >= 128LL * 64;
  const std::vector<long long> depths =
      type() == "double" ? std::vector<long long>{4, 8} : std::vector<long long>{8, 16};
  return {{"kTileM", {32, 64, 128}, m},
          {"kTileN", {32, 64, 128}, n},
          {"kResident", {1, 2}, 2},
          {"kTileK", depths, 8},
          {"kM", {4, 8}, large && m >= n ? 8 : 4},
          {"kN", {4, 8}, large && m < n ? 8 : 4}};
}

}  // namespace

Outcome write_register_tile(const spec::KernelSpec &spec) {
  auto form = contraction_of(spec.lifted);
  if (!form) return std::unexpected(form.error());
  return RegisterTile(spec, std::move(*form)).run();
}

}  // namespace cupilot::schedule
