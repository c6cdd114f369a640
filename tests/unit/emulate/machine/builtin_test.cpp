// SPDX-License-Identifier: Apache-2.0
// Device printf, assert, malloc and free.

#include "evolution/emulate/machine/builtin.h"
#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
namespace {

class Listed : public FormatArguments {
public:
  explicit Listed(std::vector<std::uint64_t> values) : values_(std::move(values)) {}
  bool next(void *to, std::size_t bytes) override {
    if (at_ == values_.size()) return false;
    std::memcpy(to, &values_[at_++], bytes);
    return true;
  }
  bool text(std::uint64_t address, std::string &to) override {
    to = "text" + std::to_string(address);
    return address != 13;
  }

private:
  std::vector<std::uint64_t> values_;
  std::size_t at_ = 0;
};

std::string formatted(const std::string &format, std::vector<std::uint64_t> values, int *used = nullptr) {
  Listed arguments(std::move(values));
  std::string out;
  const int count = format_text(format, arguments, out);
  if (used) *used = count;
  return out;
}

TEST(Format, EveryConversion) {
  const std::uint64_t pi = std::bit_cast<std::uint64_t>(3.14159265);
  EXPECT_EQ(formatted("%d %i %u", {std::uint64_t(-5), 7, 0xffffffff}), "-5 7 4294967295");
  EXPECT_EQ(formatted("%x %X %o %#x", {255, 255, 8, 16}), "ff FF 10 0x10");
  EXPECT_EQ(formatted("%lld %llu %ld %zu %jx", {std::uint64_t(-1), ~0ull, 5, 6, 255}),
            "-1 18446744073709551615 5 6 ff");
  EXPECT_EQ(formatted("%hd %hhu", {70000, 300}), "4464 44");
  EXPECT_EQ(formatted("%f %.2f %8.3f %-8.1e|%g %a", {pi, pi, pi, pi, pi, std::bit_cast<std::uint64_t>(1.0)}),
            "3.141593 3.14    3.142 3.1e+00 |3.14159 0x1p+0");
  EXPECT_EQ(formatted("%c%c %s %5s|%-6s|%.2s %%", {'o', 'k', 1, 2, 3, 4}), "ok text1 text2|text3 |te %");
  EXPECT_EQ(formatted("%*d %.*f", {5, 42, 1, pi}), "   42 3.1");
  EXPECT_EQ(formatted("%p", {0x1234}), "0x1234");
}

TEST(Format, WhatMakesNoSenseIsPrintedAsItIs) {
  int used = 0;
  EXPECT_EQ(formatted("%", {}), "%");
  EXPECT_EQ(formatted("%y %d", {3}, &used), "%y 3");
  EXPECT_EQ(used, 1);
  EXPECT_EQ(formatted("%s %s %d", {0, 13}), "(null) (null) 0");
  EXPECT_LT(formatted("%999999999d", {1}).size(), 5000u);
  EXPECT_EQ(formatted("%n", {1}), "%n");
}

const std::string kRuntime = R"(
  .extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
  .extern .func (.param .b64 r) malloc(.param .b64 n);
  .extern .func free(.param .b64 p);
  .extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
  .global .align 1 .b8 format[15] = {37, 100, 32, 37, 46, 49, 102, 32, 37, 108, 108, 117, 37, 115, 0};
  .global .align 1 .b8 word[4] = {104, 101, 121, 0};
)";

TEST(Builtin, PrintfReadsItsBufferInLocalMemory) {
  Device device(kRuntime + R"(.visible .entry k(.param .u64 out) { .local .align 8 .b8 buffer[32];
    .reg .b32 %r<4>; .reg .b64 %rd<9>;
    mov.u64 %rd1, buffer; cvta.local.u64 %rd2, %rd1; mov.u32 %r1, %tid.x;
    st.local.u32 [%rd1], %r1; st.local.f64 [%rd1+8], 0d3FF8000000000000; st.local.u64 [%rd1+16], 12345678901;
    mov.u64 %rd3, word; st.local.u64 [%rd1+24], %rd3; mov.u64 %rd4, format;
    { .param .b64 p0; st.param.b64 [p0], %rd4; .param .b64 p1; st.param.b64 [p1], %rd2; .param .b32 r0;
      call (r0), vprintf, (p0, p1); ld.param.b32 %r2, [r0]; }
    ld.param.u64 %rd5, [out]; st.global.u32 [%rd5], %r2; ret; })");
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>{0});
  EXPECT_EQ(texts(device.run("k", 1, 2, {out})), "");
  EXPECT_EQ(device.printed, "0 1.5 12345678901hey1 1.5 12345678901hey");
  EXPECT_EQ(device.read<std::uint32_t>(out, 1)[0], 4u);
}

TEST(Builtin, PrintfOfAWildPointerIsAFinding) {
  Device device(kRuntime + R"(.visible .entry k() {
    { .param .b64 p0; st.param.b64 [p0], 77; .param .b64 p1; st.param.b64 [p1], 0; .param .b32 r0;
      call (r0), vprintf, (p0, p1); }
    ret; })");
  const LaunchResult result = device.run("k", 1, 1, {});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_bounds);
}

TEST(Builtin, AnAssertionNamesItsPlace) {
  Device device(kRuntime + R"(
    .global .align 1 .b8 message[6] = {120, 32, 62, 32, 48, 0};
    .visible .entry k() { .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<4>;
    mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 5; @%p1 bra end;
    mov.u64 %rd1, message; mov.u64 %rd2, word;
    { .param .b64 p0; st.param.b64 [p0], %rd1; .param .b64 p1; st.param.b64 [p1], %rd2;
      .param .b32 p2; st.param.b32 [p2], 17; .param .b64 p3; st.param.b64 [p3], %rd2; .param .b64 p4; st.param.b64 [p4], 1;
      call __assertfail, (p0, p1, p2, p3, p4); }
    end: ret; })");
  const LaunchResult result = device.run("k", 1, 32, {});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::assertion);
  EXPECT_EQ(result.findings[0].message, "hey:17: hey: assertion 'x > 0' failed");
  EXPECT_EQ(result.findings[0].thread.thread[0], 5u);
}

const std::string kAllocate = R"(
    cvt.u64.u32 %rd5, SIZE;
    { .param .b64 p0; st.param.b64 [p0], %rd5; .param .b64 r0; call (r0), malloc, (p0); ld.param.b64 %rd6, [r0]; }
)";
const std::string kFree = R"({ .param .b64 p0; st.param.b64 [p0], %rd6; call free, (p0); }
)";
std::string allocate(const std::string &size) {
  std::string text = kAllocate;
  return text.replace(text.find("SIZE"), 4, size);
}

TEST(Builtin, MallocGivesEachThreadItsOwn) {
  const auto out = run_kernel(kRuntime + kernel(allocate("16") + R"(
    st.u32 [%rd6+12], %r0; bar.sync 0; ld.u32 %r1, [%rd6+12]; st.global.u32 [%rd2], %r1;)" +
                                                kFree),
                              64);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i);
}

TEST(Builtin, MallocAnswersNullWhenTheHeapIsFull) {
  Device device(kRuntime + kernel(allocate("4096") + "cvt.u32.u64 %r1, %rd6; st.global.u32 [%rd2], %r1;"));
  device.options.heap_bytes = 10000;
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(4));
  EXPECT_EQ(texts(device.run("k", 1, 4, {out, out})), "");
  const auto got = device.read<std::uint32_t>(out, 4);
  EXPECT_NE(got[1], 0u);
  EXPECT_EQ(got[2], 0u);
}

TEST(Builtin, WritingPastAPieceAndFreeingItTwiceAreFound) {
  Device past(kRuntime + kernel(allocate("16") + "st.u32 [%rd6+16], %r0;"));
  const LaunchResult result = past.run("k", 1, 1, {0, 0});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_bounds);
  Device twice(kRuntime + kernel(allocate("16") + kFree + kFree));
  const LaunchResult second = twice.run("k", 1, 1, {0, 0});
  ASSERT_EQ(second.findings.size(), 1u);
  EXPECT_EQ(second.findings[0].kind, FindingKind::scratch_misuse);
}

}  // namespace
}  // namespace cupilot::emulate
