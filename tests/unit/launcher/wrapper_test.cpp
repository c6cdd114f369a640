// SPDX-License-Identifier: Apache-2.0
//
// The texts; that nvcc takes them and that they decide rightly, tests/cli/launcher shows.
#include "driver/launcher/wrapper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot::launcher {
namespace {

using testing::HasSubstr;
using testing::Not;

Swap swap() {
  Swap made;
  made.record.name = "outer.k";
  made.record.instantiation = "k<float>";
  made.record.arch = "sm_90";
  made.record.namespaces = {"outer", ""};
  made.record.parameters = {"x", "rows", "unused"};
  made.record.domain = {{"rows", -9223372036854775807LL - 1, 8193}};
  made.record.launch = {"(rows + 255) / 256", "1", "1", "256", "1", "1", "0"};
  made.record.variant_path = "/p/tuned/k/sm_90/variant.cuh";
  made.variant = "__global__ void fast() { }\n";
  return made;
}

TEST(WrapperTexts, IncludeTheSourceUnchangedBetweenOurParts) {
  const auto texts = wrapper_texts("/p/x.cu", {swap()}, "/support", "/b/x.o.cupilot");
  EXPECT_THAT(texts.wrapper, HasSubstr("#include \"/support/cupilot/relabel.cuh\"\n#include \"/p/x.cu\"\n"
                                       "#include \"/b/x.o.cupilot/epilogue.cuh\"\n"));
  EXPECT_THAT(texts.epilogue, HasSubstr("#include \"/b/x.o.cupilot/slot0.cuh\"\n"));
  EXPECT_THAT(texts.slots.at(0), HasSubstr("#line 1 \"/p/tuned/k/sm_90/variant.cuh\"\n"));
  EXPECT_THAT(texts.slots.at(0), HasSubstr("__CUDA_ARCH__ == 900"));
}

TEST(WrapperTexts, OpenTheKernelsNamespacesAndNameItFromOutside) {
  const auto text = wrapper_texts("/p/x.cu", {swap(), swap()}, "/s", "/b").epilogue;
  EXPECT_THAT(text, HasSubstr("namespace outer { namespace { namespace cupilot_variant_1 { namespace { "));
  EXPECT_THAT(text, HasSubstr("{\"outer.k\", \"sm_90\", 90, &::outer::cupilot_variant_1::cupilot_original<"));
  EXPECT_THAT(text, HasSubstr("return {entries, 2};"));
}

TEST(WrapperTexts, GuardTestsDomainAndConfiguration) {
  auto made = swap();
  const auto text = wrapper_texts("/p/x.cu", {made}, "/s", "/b").epilogue;
  EXPECT_THAT(text, HasSubstr("rows = cupilot_signature::integer<1>(cupilot_arguments);"));
  EXPECT_THAT(text, HasSubstr("!rows.between((-9223372036854775807LL - 1), 8193LL)"));
  EXPECT_THAT(text, HasSubstr("!::cupilot::detail::same(cupilot_l.grid.x, (rows + 255) / 256)"));
  EXPECT_THAT(text, Not(HasSubstr("unused")));
  made.record.launch = {};
  made.record.configurations = {{4, 1, 1, 256, 1, 1, 0}};
  EXPECT_THAT(wrapper_texts("/p/x.cu", {made}, "/s", "/b").epilogue,
              HasSubstr("{4ULL, 1ULL, 1ULL, 256ULL, 1ULL, 1ULL, 0ULL, },"));
}

TEST(WrapperTexts, NoMacroOfTheVariantReachesTheGuard) {
  auto made = swap();
  made.variant = "#define between(a, b) holds()\n" + made.variant + "#if 0\n#undef between\n#endif\n";
  const auto text = wrapper_texts("/p/x.cu", {made}, "/s", "/b").epilogue;
  const auto undefined = text.find("slot0.cuh\"\n#undef between\n");
  EXPECT_NE(undefined, std::string::npos) << text;
  EXPECT_LT(undefined, text.find("rows.between("));
}

TEST(WrapperTexts, GuardTestsAssumptionsAndBoxes) {
  auto made = swap();
  EXPECT_THAT(wrapper_texts("/p/x.cu", {made}, "/s", "/b").epilogue, Not(HasSubstr("Number")));
  made.record.assumptions = {"rows % 4 == 0", "rows > unused"};
  made.record.boxes = {{{"rows", 1, 4}, {"unused", 7, 7}}, {{"rows", 100, 200}}};
  const auto text = wrapper_texts("/p/x.cu", {made}, "/s", "/b").epilogue;
  EXPECT_THAT(text, HasSubstr("const ::cupilot::detail::Number cupilot_p2 = cupilot_signature::number<2>("));
  EXPECT_THAT(text, HasSubstr("!(cupilot_p1 > cupilot_p2).holds()) return "
                              "::cupilot::detail::assumption_broken;"));
  EXPECT_THAT(text, HasSubstr("if (!(rows.between(1LL, 4LL) && unused.between(7LL, 7LL)) &&\n"
                              "      !(rows.between(100LL, 200LL)))\n"
                              "    return ::cupilot::detail::outside_boxes;"));
  EXPECT_THAT(text, HasSubstr("unused = cupilot_signature::integer<2>"));
}

TEST(WrapperTexts, GuardTestsTheVerifiedBoxes) {
  auto made = swap();
  made.record.verified = {{{"rows", 1, 4}, {"unused", 1, 7}}, {{"rows", 1, 200}, {"unused", 1, 2}}};
  const auto text = wrapper_texts("/p/x.cu", {made}, "/s", "/b").epilogue;
  EXPECT_THAT(text, HasSubstr("if (!(rows.between(1LL, 4LL) && unused.between(1LL, 7LL)) &&\n"
                              "      !(rows.between(1LL, 200LL) && unused.between(1LL, 2LL)))\n"
                              "    return ::cupilot::detail::outside_domain;"));
  EXPECT_THAT(text, HasSubstr("unused = cupilot_signature::integer<2>"));
}

TEST(WrapperTexts, GuardTellsWhatItCannotTest) {
  auto made = swap();
  made.record.promises = {"finite(x)"};
  EXPECT_THAT(wrapper_texts("/p/x.cu", {made}, "/s", "/b").epilogue,
              HasSubstr("// promised by the pragma, and not tested at a launch: finite(x)\n"));
}

}  // namespace
}  // namespace cupilot::launcher
