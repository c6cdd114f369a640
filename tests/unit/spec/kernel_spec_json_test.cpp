// SPDX-License-Identifier: Apache-2.0
#include "annotate/spec/kernel_spec_json.h"

#include <gtest/gtest.h>

#include "annotate/support/text.h"

namespace cupilot {
using namespace spec;
namespace {

KernelSpec full_spec() {
  KernelSpec spec;
  spec.name = "ns.k-float";
  spec.qualified_name = "ns::k";
  spec.instantiation = "k<float>";
  spec.namespaces = {"ns", ""};
  spec.symbol = "_ZN2ns1kIfEEvPT_";
  spec.place = {"k.cu", 4, 1};
  spec.parameters = {{"x", "const float *", true, true, false, ElementType::f32, "float", 4},
                     {"n", "int", false, false, false, ElementType::i32, "int", 4}};
  Workload workload{.id = "w", .set = {{"n", "1 << 20"}}, .check = true, .place = {"k.cu", 3, 9}};
  workload.buffers = {{"x", BufferRole::inout, "n", {FillKind::uniform, -1, 2, ""}, {"k.cu", 3, 30}}};
  workload.launch = {{"(n + 255) / 256", "1", "1"}, {"256", "1", "1"}, "4 * 256", true};
  spec.workloads = {workload};
  spec.workloads[0].weight = 0.25;
  spec.workloads[0].holdout = true;
  spec.precision = {PrecisionKind::relaxed, 1e-3, 0};
  spec.assumptions = {{"n % 4 == 0", {"k.cu", 2, 30}}};
  spec.deterministic = true;
  spec.launches = {{{"k.cu", 20, 3}, LaunchKind::graph, false}};
  spec.device_globals = {"table"};
  spec.slice = "__global__ void k();\n\"quoted\\\"\"\n";
  spec.kernel_id = "abc";
  spec.workload_id = "def";
  spec.fingerprint = {"k.cu", {{"k.cu", "00"}, {"../common.h", "11"}}, "22"};
  spec.command = {"/b", "/s/k.cu", "nvcc", {"-O3"}, {"sm_80", "compute_90"}};
  spec.facts = {.known = true, .has_loop = true, .named_loss = true, .products = 2, .product_depth = 3};
  return spec;
}

}  // namespace

TEST(KernelSpecJson, IsOneLineAndReadsBackTheSame) {
  const auto text = to_json(full_spec());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto back = kernel_spec_from_json(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), text);
  EXPECT_EQ(back->workloads[0].buffers[0].fill.b, 2);
  EXPECT_EQ(back->launches[0].kind, LaunchKind::graph);
  EXPECT_EQ(back->parameters[0].element, ElementType::f32);
  EXPECT_TRUE(back->workloads[0].launch.from_source);
  EXPECT_EQ(to_string(back->precision), "relaxed(0.001, 0)");
  EXPECT_EQ(back->assumptions.at(0).place.column, 30);
  EXPECT_EQ(back->workloads[0].weight, 0.25);
}

TEST(KernelSpecJson, RefusesOtherVersionsAndDamage) {
  const auto text = to_json(full_spec());
  EXPECT_EQ(
      kernel_spec_from_json(replace_all(text, "\"cupilot_spec\":1", "\"cupilot_spec\":2")).error().message,
      "'cupilot_spec' is version 2, this program reads 1");
  EXPECT_FALSE(kernel_spec_from_json(text.substr(0, text.size() / 2)));
  EXPECT_FALSE(kernel_spec_from_json("{}"));
  const auto unknown = kernel_spec_from_json(replace_all(text, "\"inout\"", "\"sideways\""));
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("workloads[0].buffers[0].role: unknown value 'sideways'"),
            std::string::npos)
      << unknown.error().message;
}

TEST(KernelSpecJson, FactsReadBackTheSame) {
  const auto back = kernel_spec_from_json(to_json(full_spec())).value().facts;
  EXPECT_TRUE(back.known && back.has_loop && back.named_loss);
  EXPECT_FALSE(back.sums || back.has_barrier || back.stores);
  EXPECT_EQ(back.products, 2);
  EXPECT_EQ(back.product_depth, 3);
}

TEST(KernelSpecJson, ASpecWithoutFactsIsReadAsUnknown) {
  KernelSpec spec = full_spec();
  spec.facts = {};
  const auto text = to_json(spec);
  EXPECT_EQ(text.find("facts"), std::string::npos);
  EXPECT_FALSE(kernel_spec_from_json(text).value().facts.known);
}

TEST(DiagnosticJson, ReadsBackTheSame) {
  const Diagnostic d{Severity::note, {"a.cu", 1, 2}, "m", "line", "way out"};
  EXPECT_EQ(diagnostic_from_json(to_json(d)).value(), d);
}

}  // namespace cupilot
