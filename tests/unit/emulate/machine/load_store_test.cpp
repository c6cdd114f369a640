// SPDX-License-Identifier: Apache-2.0
// Loads and stores of every type and width, in every space, side by side, from one address and anywhere.
#include <gtest/gtest.h>

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
namespace {

/// `k(out, in)`: %rd1 is in + tid * in_bytes, %rd2 is out + tid * out_bytes; then `body`.
std::string sized_kernel(unsigned in_bytes, unsigned out_bytes, const std::string &body,
                         const std::string &declarations = "") {
  return ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
         ".reg .b16 %h<9>; .reg .b32 %r<19>; .reg .b64 %rd<19>; .reg .f32 %f<9>; .reg .pred %p<3>;\n" +
         declarations +
         "mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
         "mul.wide.u32 %rd3, %r1, " +
         std::to_string(in_bytes) + "; add.s64 %rd1, %rd1, %rd3; mul.wide.u32 %rd3, %r1, " +
         std::to_string(out_bytes) + "; add.s64 %rd2, %rd2, %rd3;\n" + body + "\nret; }\n";
}

struct Extension {
  const char *type;
  unsigned bytes;
  bool sign;
};

/// Full and partial warps, lanes side by side and spread out.
void expect_extension(const Extension &from, unsigned register_bits, unsigned threads, unsigned stride) {
  const std::string reg = register_bits == 16 ? "%h1" : register_bits == 32 ? "%r2" : "%rd4";
  Device device(sized_kernel(from.bytes * stride, register_bits / 8,
                             std::string("ld.global.") + from.type + " " + reg + ", [%rd1]; st.global.b" +
                                 std::to_string(register_bits) + " [%rd2], " + reg + ";"));
  std::vector<std::uint8_t> in(std::size_t{64} * 8 * stride);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i * 37 + 101);
  const std::uint64_t input = device.buffer(in), output = device.buffer(std::vector<std::uint8_t>(512));
  const LaunchResult result = device.run("k", 1, threads, {output, input});
  ASSERT_TRUE(result.completed) << texts(result);
  const auto got = device.read<std::uint8_t>(output, 512);
  for (unsigned t = 0; t < threads; ++t) {
    std::uint64_t value = 0;
    std::memcpy(&value, in.data() + std::size_t{t} * from.bytes * stride, from.bytes);
    if (from.sign && (value >> (from.bytes * 8 - 1) & 1))
      value |= from.bytes == 8 ? 0 : ~std::uint64_t{0} << (from.bytes * 8);
    ASSERT_EQ(std::memcmp(&value, got.data() + std::size_t{t} * register_bits / 8, register_bits / 8), 0)
        << from.type << " into " << register_bits << " bits, thread " << t << " of " << threads;
  }
}

TEST(Load, ExtendsIntoWiderRegisters) {
  constexpr Extension kTypes[] = {{"u8", 1, false},  {"s8", 1, true},   {"b8", 1, false}, {"u16", 2, false},
                                  {"s16", 2, true},  {"u32", 4, false}, {"s32", 4, true}, {"b32", 4, false},
                                  {"u64", 8, false}, {"b64", 8, false}};
  for (const Extension &type : kTypes)
    for (const unsigned bits : {16u, 32u, 64u})
      for (const unsigned threads : {32u, 20u})
        for (const unsigned stride : {1u, 3u})
          if (bits / 8 >= type.bytes) expect_extension(type, bits, threads, stride);
}

TEST(Load, OneAddressForAllLanes) {
  Device device(sized_kernel(0, 4, "ld.global.u32 %r2, [%rd1+4]; st.global.u32 [%rd2], %r2;"));
  const auto in = device.buffer<std::uint32_t>({5, 77}), out = device.buffer(std::vector<std::uint32_t>(32));
  ASSERT_TRUE(device.run("k", 1, 32, {out, in}).completed);
  EXPECT_EQ(device.read<std::uint32_t>(out, 32), std::vector<std::uint32_t>(32, 77));
}

TEST(Load, VectorsAndSinks) {
  Device device(sized_kernel(16, 8,
                             "ld.global.L1::no_allocate.L2::128B.v4.u32 {%r2, _, %r4, %r5}, [%rd1];\n"
                             "add.u32 %r2, %r2, %r5; st.global.wt.v2.u32 [%rd2], {%r2, %r4};"));
  std::vector<std::uint32_t> in(128);
  for (std::uint32_t i = 0; i < 128; ++i) in[i] = i * i;
  for (const std::uint32_t threads : {32u, 9u}) {
    const auto input = device.buffer(in), out = device.buffer(std::vector<std::uint32_t>(64));
    ASSERT_TRUE(device.run("k", 1, threads, {out, input}).completed);
    const auto got = device.read<std::uint32_t>(out, 64);
    for (std::uint32_t t = 0; t < threads; ++t) {
      EXPECT_EQ(got[2 * t], in[4 * t] + in[4 * t + 3]);
      EXPECT_EQ(got[2 * t + 1], in[4 * t + 2]);
    }
  }
}

TEST(Store, ConstantsAndNarrowParts) {
  Device device(
      sized_kernel(0, 8,
                   "mov.u32 %r2, 0x12345678; st.global.u8 [%rd2], %r2; st.global.u8 [%rd2+1], 255;\n"
                   "st.global.u16 [%rd2+2], %r2; st.global.f32 [%rd2+4], 0f3F800000;"));
  const auto out = device.buffer(std::vector<std::uint64_t>(32));
  ASSERT_TRUE(device.run("k", 1, 32, {out, out}).completed);
  EXPECT_EQ(device.read<std::uint64_t>(out, 32), std::vector<std::uint64_t>(32, 0x3f8000005678ff78));
}

TEST(SharedMemory, ByOffsetAndByGenericAddress) {
  Device device(sized_kernel(4, 4,
                             "mov.u32 %r3, tile; shl.b32 %r4, %r1, 2; add.u32 %r5, %r3, %r4;\n"
                             "ld.global.u32 %r6, [%rd1]; st.shared.u32 [%r5], %r6; bar.sync 0;\n"
                             "xor.b32 %r7, %r4, 124; cvt.u64.u32 %rd5, %r7; cvta.shared.u64 %rd6, %rd5;\n"
                             "mov.u64 %rd7, tile; add.s64 %rd6, %rd6, %rd7; isspacep.shared %p1, %rd6;\n"
                             "ld.u32 %r8, [%rd6]; @!%p1 mov.u32 %r8, 0; st.global.u32 [%rd2], %r8;",
                             ".shared .align 4 .b8 tile[128];\n"));
  std::vector<std::uint32_t> in(32);
  for (std::uint32_t i = 0; i < 32; ++i) in[i] = 100 + i;
  const auto input = device.buffer(in), out = device.buffer(std::vector<std::uint32_t>(32));
  const LaunchResult result = device.run("k", 1, 32, {out, input});
  ASSERT_TRUE(result.completed) << texts(result);
  EXPECT_EQ(device.read<std::uint32_t>(out, 32), std::vector<std::uint32_t>(in.rbegin(), in.rend()));
}

TEST(LocalMemory, EveryLaneHasItsOwn) {
  Device device(
      sized_kernel(4, 4,
                   "ld.global.u32 %r2, [%rd1]; mov.u64 %rd5, own; and.b32 %r3, %r1, 3; shl.b32 %r3, %r3, 2;\n"
                   "cvt.u64.u32 %rd6, %r3; add.s64 %rd5, %rd5, %rd6; st.local.u32 [%rd5], %r2;\n"
                   "cvta.local.u64 %rd7, %rd5; ld.u32 %r4, [%rd7]; add.u32 %r4, %r4, 1;\n"
                   "st.global.u32 [%rd2], %r4;",
                   ".local .align 4 .b8 own[16];\n"));
  std::vector<std::uint32_t> in(32), want(32);
  for (std::uint32_t i = 0; i < 32; ++i) want[i] = (in[i] = i * 3) + 1;
  const auto input = device.buffer(in), out = device.buffer(std::vector<std::uint32_t>(32));
  const LaunchResult result = device.run("k", 1, 32, {out, input});
  ASSERT_TRUE(result.completed) << texts(result);
  EXPECT_EQ(device.read<std::uint32_t>(out, 32), want);
}

TEST(Memory, QualifiersAndSmallInstructions) {
  Device device(sized_kernel(
      4, 4,
      "ld.volatile.global.u32 %r2, [%rd1]; ld.relaxed.gpu.global.u32 %r3, [%rd1]; ld.acquire.sys.u32 "
      "%r4, [%rd1];\n"
      "ld.global.nc.L2::256B.u32 %r5, [%rd1]; ldu.global.u32 %r6, [%rd1]; ld.weak.global.cs.u32 %r7, "
      "[%rd1];\n"
      "createpolicy.fractional.L2::evict_last.b64 %rd8, 1.0; ld.global.L2::cache_hint.u32 %r8, "
      "[%rd1], %rd8;\n"
      "prefetch.global.L2 [%rd1]; fence.acq_rel.gpu; membar.gl; fence.proxy.async; discard.global.L2 "
      "[%rd1], 128;\n"
      "add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5; add.u32 %r2, %r2, %r6;\n"
      "add.u32 %r2, %r2, %r7; add.u32 %r2, %r2, %r8; st.release.gpu.global.u32 [%rd2], %r2;"));
  const auto in = device.buffer(std::vector<std::uint32_t>(32, 3)),
             out = device.buffer(std::vector<std::uint32_t>(32));
  const LaunchResult result = device.run("k", 1, 32, {out, in});
  ASSERT_TRUE(result.completed) << texts(result);
  EXPECT_EQ(device.read<std::uint32_t>(out, 32), std::vector<std::uint32_t>(32, 21));
}

}  // namespace
}  // namespace cupilot::emulate
