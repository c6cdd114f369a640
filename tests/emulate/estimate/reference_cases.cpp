// SPDX-License-Identifier: Apache-2.0
#include "tests/emulate/estimate/reference_cases.h"

#include <utility>

namespace cupilot::reference {

namespace {

using Extent = std::array<std::uint32_t, 3>;
using Arguments = std::vector<Argument>;

constexpr std::uint64_t kMiB = 1 << 20;
constexpr int kMi = 1 << 20;

Argument integer(std::int32_t value) {
  Argument argument;
  argument.integer = value;
  return argument;
}
Argument real(float value) {
  Argument argument;
  argument.kind = Argument::Kind::real;
  argument.real = value;
  return argument;
}
Argument buffer(std::uint64_t bytes, Fill fill, std::uint32_t limit = 0) {
  Argument argument;
  argument.kind = Argument::Kind::buffer;
  argument.bytes = bytes;
  argument.fill = fill;
  argument.limit = limit;
  return argument;
}
Argument floats(std::uint64_t count) {
  return buffer(4 * count, Fill::uniform);
}
Argument out(std::uint64_t bytes) {
  return buffer(bytes, Fill::none);
}

Extent line(std::uint64_t threads, std::uint32_t block) {
  return {static_cast<std::uint32_t>((threads + block - 1) / block), 1, 1};
}

/// `name` is the kernel's own unless it has a suffix after '/'.
ReferenceCase one(bool fresh, const std::string &name, Extent grid, Extent block, Arguments arguments,
                  std::uint32_t shared_bytes = 0) {
  return {name, name.substr(0, name.find('/')), fresh, grid, block, shared_bytes, std::move(arguments)};
}

// 256 MB arrays unless a number says otherwise.
constexpr int kN = 64 * kMi;

std::vector<ReferenceCase> streams() {
  const Argument x = floats(kN), y = out(4ull * kN);
  const Extent b256{256, 1, 1};
  return {
      one(false, "copy_scalar/b256", line(kN, 256), b256, {x, y, integer(kN)}),
      one(false, "copy_scalar/b32", line(kN, 32), {32, 1, 1}, {x, y, integer(kN)}),
      one(false, "copy_float4", line(kN / 4, 256), b256, {x, y, integer(kN / 4)}),
      one(false, "copy_stride32", line(kN, 256), b256, {x, y, integer(kN)}),
      one(false, "saxpy", line(kN, 256), b256, {real(2), x, floats(kN), integer(kN)}),
      one(false, "saxpy4", line(kN / 4, 256), b256, {real(2), x, floats(kN), integer(kN / 4)}),
      one(false, "aos", line(8 * kMi, 256), b256, {x, out(32 * kMiB), integer(8 * kMi)}),
      one(false, "soa", line(8 * kMi, 256), b256,
          {floats(8 * kMi), floats(8 * kMi), out(32 * kMiB), integer(8 * kMi)}),
      one(false, "ew_exp", line(kN, 256), b256, {x, y, integer(kN)}),
      one(false, "ew_exp4", line(kN / 4, 256), b256, {x, y, integer(kN / 4)}),
      one(false, "ew_exp_fast", line(kN, 256), b256, {x, y, integer(kN)}),
  };
}

std::vector<ReferenceCase> moves_and_sums() {
  const Argument x = floats(kN), y = out(4ull * kN);
  const Extent b256{256, 1, 1}, tiles{256, 256, 1}, tile{32, 8, 1};
  const int rows = 65536, columns = 1024, n = 8192;
  return {
      one(false, "transpose_naive", tiles, tile, {x, y, integer(n)}),
      one(false, "transpose_shared", tiles, tile, {x, y, integer(n)}),
      one(false, "transpose_padded", tiles, tile, {x, y, integer(n)}),
      one(false, "reduce_atomic", line(kN, 256), b256, {x, out(256), integer(kN)}),
      one(false, "reduce_tree", line(kN, 256), b256, {x, out(4ull * kN / 256), integer(kN)}),
      one(false, "reduce_shfl", {1056, 1, 1}, b256, {x, out(256), integer(kN)}),
      one(false, "reduce_shfl4", {1056, 1, 1}, b256, {x, out(256), integer(kN / 4)}),
      one(false, "rowsum_thread", line(rows, 256), b256,
          {x, out(4ull * rows), integer(rows), integer(columns)}),
      one(false, "rowsum_warp", line(rows * 32, 256), b256,
          {x, out(4ull * rows), integer(rows), integer(columns)}),
      one(false, "rowsum_warp4", line(rows * 32, 256), b256,
          {x, out(4ull * rows), integer(rows), integer(columns)}),
  };
}

std::vector<ReferenceCase> products_and_counts() {
  const int n = 2048, bodies = 32768;
  const Arguments square{floats(n * n), floats(n * n), out(4ull * n * n), integer(n)};
  const Argument keys = buffer(4ull * kN, Fill::bits), axis = floats(bodies);
  const Extent b256{256, 1, 1};
  return {
      one(false, "gemm_uncoalesced", {64, 64, 1}, {32, 32, 1}, square),
      one(false, "gemm_coalesced", {64, 64, 1}, {32, 32, 1}, square),
      one(false, "gemm_tile16", {128, 128, 1}, {16, 16, 1}, square),
      one(false, "gemm_tile32", {64, 64, 1}, {32, 32, 1}, square),
      one(false, "gemm_register", {16, 16, 1}, b256, square),
      one(false, "hist_global", line(kN, 256), b256, {keys, out(1024), integer(kN)}),
      one(false, "hist_shared", {1056, 1, 1}, b256, {keys, out(1024), integer(kN)}),
      one(false, "nbody_direct", line(bodies, 256), b256,
          {axis, axis, axis, axis, out(16ull * bodies), integer(bodies)}),
      one(false, "nbody_tiled", line(bodies, 256), b256,
          {floats(4 * bodies), out(16ull * bodies), integer(bodies)}),
  };
}

std::vector<ReferenceCase> fresh_arrays() {
  const Argument x = floats(kN), y = out(4ull * kN), bits = buffer(4ull * kN, Fill::bits);
  const Extent b256{256, 1, 1}, b128{128, 1, 1};
  const std::uint64_t options = 16 * kMi;
  const Argument option = buffer(4 * options, Fill::positive);
  return {
      one(true, "conv1d", line(32 * kMi, 256), b256,
          {floats(32 * kMi), floats(64), out(128 * kMiB), integer(32 * kMi), integer(33)}),
      one(true, "scan_block", line(kN, 1024), {1024, 1, 1}, {bits, y, integer(kN)}),
      one(true, "warp_prefix", line(kN, 128), b128, {bits, y, integer(kN)}),
      one(true, "gather", line(16 * kMi, 256), b256,
          {x, buffer(64 * kMiB, Fill::index, kN), out(64 * kMiB), integer(16 * kMi)}),
      one(true, "gather/l2", line(16 * kMi, 256), b256,
          {floats(4 * kMi), buffer(64 * kMiB, Fill::index, 4 * kMi), out(64 * kMiB), integer(16 * kMi)}),
      one(true, "scatter", line(16 * kMi, 256), b256,
          {floats(16 * kMi), buffer(64 * kMiB, Fill::index, kN), y, integer(16 * kMi)}),
      one(true, "bit_count", {2112, 1, 1}, b256, {bits, out(256), integer(kN)}),
      one(true, "half2_axpy", line(kN, 256), b256,
          {buffer(4ull * kN, Fill::half), buffer(4ull * kN, Fill::half), real(0.5f), integer(kN)}),
      one(true, "bf16_reduce", {1056, 1, 1}, b256,
          {buffer(4ull * kN, Fill::bf16), out(4 * 1056), integer(kN)}),
      one(true, "black_scholes", line(options, 256), b256,
          {option, option, option, out(4 * options), out(4 * options), integer(16 * kMi)}),
      one(true, "bigram_histogram", {528, 1, 1}, b256, {bits, out(16384), integer(kN)}, 16384),
      one(true, "argmax", {1056, 1, 1}, b256, {x, out(256), integer(kN)}),
      one(true, "rgb_to_gray", line(32 * kMi, 256), b256,
          {buffer(96 * kMiB, Fill::bits), out(32 * kMiB), integer(32 * kMi)}),
      one(true, "axpy_stride", line(16 * kMi, 256), b256,
          {x, floats(kN), real(3), integer(16 * kMi), integer(3)}),
      one(true, "bitonic_sort", line(16 * kMi, 1024), {512, 1, 1},
          {buffer(64 * kMiB, Fill::bits), out(64 * kMiB)}),
      one(true, "dropout", line(kN, 256), b256, {x, y, integer(12345), integer(kN)}),
      one(true, "polynomial_double", line(16 * kMi, 256), b256,
          {buffer(128 * kMiB, Fill::uniform), out(128 * kMiB), integer(16 * kMi)}),
      one(true, "relu_bytes", line(kN, 256), b256, {bits, y, integer(kN)}),
      one(true, "compact", line(kN, 256), b256, {x, y, out(256), integer(kN)}),
      one(true, "monte_carlo", {4096, 1, 1}, b256, {out(256), integer(2000)}),
  };
}

std::vector<ReferenceCase> fresh_matrices() {
  const Argument x = floats(kN), y = out(4ull * kN), taps = floats(64);
  const Extent b256{256, 1, 1}, b128{128, 1, 1}, tile{32, 8, 1};
  const int side = 4096;
  const Argument image = floats(side * side), picture = out(4ull * side * side);
  const int rows = 1 * kMi, few_rows = 256 * 1024;
  const Argument half = buffer(2ull * side * side, Fill::half);
  return {
      one(true, "batched_gemm32", {8192, 1, 1}, tile, {floats(8 * kMi), floats(8 * kMi), out(32 * kMiB)}),
      one(true, "conv2d_direct", {128, 512, 1}, tile, {image, taps, picture, integer(side), integer(side)}),
      one(true, "conv2d_tiled", {128, 256, 1}, {32, 16, 1},
          {image, taps, picture, integer(side), integer(side)}),
      one(true, "layer_norm", {16384, 1, 1}, b256, {x, floats(4096), y, integer(4096)}),
      one(true, "softmax_warp", line(65536 * 32, 128), b128, {x, y, integer(65536), integer(1024)}),
      one(true, "stencil3d", {12, 48, 384}, tile,
          {floats(384 * 384 * 384), out(4ull * 384 * 384 * 384), integer(384)}),
      one(true, "spmv_thread", line(rows, 256), b256,
          {buffer(4ull * rows + 256, Fill::rows, 16), buffer(64 * kMiB, Fill::index, rows), floats(16 * kMi),
           floats(rows), out(4ull * rows), integer(rows - 1)}),
      one(true, "spmv_warp", line(few_rows * 32, 256), b256,
          {buffer(4ull * few_rows + 256, Fill::rows, 96), buffer(96 * kMiB, Fill::index, few_rows),
           floats(24 * kMi), floats(few_rows), out(4ull * few_rows), integer(few_rows - 1)}),
      one(true, "int8_matvec", line(16384 * 32, 256), b256,
          {buffer(256 * kMiB, Fill::bits), buffer(16384, Fill::bits), out(65536), integer(16384),
           integer(4096)}),
      one(true, "transpose_half", {2048, 256, 1}, {16, 16, 1},
          {buffer(256 * kMiB, Fill::half), out(256 * kMiB), integer(4096), integer(32768)}),
      one(true, "matvec_columns", line(16384, 128), b128,
          {x, floats(4096), out(65536), integer(16384), integer(4096)}),
      one(true, "matvec_block", {8192, 1, 1}, b256, {x, floats(8192), out(32768), integer(2048)}),
      one(true, "mandelbrot", {256, 256, 1}, {16, 16, 1},
          {picture, integer(side), integer(side), integer(256)}),
      one(true, "bilinear_resize", {192, 768, 1}, tile,
          {image, out(4ull * 6144 * 6144), integer(side), integer(6144)}),
      one(true, "mma_gemm", {64, 64, 1}, b128, {half, half, picture, integer(side)}),
      one(true, "embedding_bag", line(16384 * 32, 256), b256,
          {floats(kN), buffer(4ull * 16384 * 32, Fill::index, kN / 128), out(8 * kMiB), integer(16384),
           integer(32)}),
      one(true, "max_pool", {128, 512, 1}, tile, {x, out(64 * kMiB), integer(8192)}),
      one(true, "column_means", line(8192, 256), b256, {x, out(32768), integer(8192), integer(8192)}),
  };
}

}  // namespace

std::vector<ReferenceCase> reference_cases() {
  std::vector<ReferenceCase> all;
  for (auto &group : {streams(), moves_and_sums(), products_and_counts(), fresh_arrays(), fresh_matrices()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace cupilot::reference
