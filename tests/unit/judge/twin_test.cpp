// SPDX-License-Identifier: Apache-2.0
//
// What the judge does with the twin in a spec; how cupilot-annotate makes one: tests/cases/twin.
#include <gmock/gmock.h>

#include "annotate/spec/kernel_spec_json.h"
#include "evolution/judge/bundle/entry_source.h"
#include "evolution/judge/data/promoted_parameters.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::bundle;
using namespace judge::data;
using namespace spec;
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PromotedParameters, FloatsBecomeDoublesAndVectorsKeepTheirLanes) {
  std::vector<Parameter> parameters{fake::pointer("x", "const float *__restrict__", true), fake::integer("n"),
                                    fake::real("a")};
  Parameter vector = fake::pointer("v", "float4 *", false);
  vector.element = ElementType::opaque, vector.element_type = "float4", vector.element_bytes = 16;
  parameters.push_back(vector);
  const auto wide = promoted_parameters(parameters);
  EXPECT_EQ(wide[0].element, ElementType::f64);
  EXPECT_EQ(wide[0].element_bytes, 8u);
  EXPECT_EQ(wide[0].type, "const double *__restrict__");
  EXPECT_EQ(wide[1].type, "int");
  EXPECT_EQ(wide[2].element, ElementType::f64);
  EXPECT_EQ(wide[3].element_type, "double4");
  EXPECT_EQ(wide[3].element_bytes, 32u);
}

TEST(TwinEntry, IsTheEntryOfThePromotedSlice) {
  const KernelSpec spec = fake::scale_spec();
  EXPECT_EQ(twin_missing(spec), "");
  const std::string entry = twin_entry(spec);
  EXPECT_THAT(entry, HasSubstr("void (*kernel)(const double *, double *, double, int, int) = scale;"));
  EXPECT_THAT(entry, HasSubstr("__global__ void scale(const double *__restrict__ x"));
  EXPECT_THAT(entry, HasSubstr("(2 * call->shared_bytes)"));
  EXPECT_THAT(entry, Not(HasSubstr("cupilot_half_tag"))) << "only where there are 16-bit types";
}

TEST(TwinEntry, SixteenBitTypesHaveTheirPreludeAndMoreSharedMemory) {
  KernelSpec spec = fake::scale_spec();
  spec.twin.sixteen = true;
  const std::string entry = twin_entry(spec);
  EXPECT_THAT(entry, HasSubstr("cupilot_half_tag"));
  EXPECT_THAT(entry, HasSubstr("(4 * call->shared_bytes)"));
}

TEST(TwinEntry, ASpecWithoutTwinSaysWhy) {
  KernelSpec spec = fake::scale_spec();
  spec.twin = {.missing = "norm.cu:3: a union may read the bits of a float"};
  EXPECT_EQ(twin_missing(spec), "norm.cu:3: a union may read the bits of a float");
  spec.twin = {};
  const auto old = kernel_spec_from_json(to_json(spec));
  ASSERT_TRUE(old);
  EXPECT_EQ(twin_missing(*old), "the spec was made by an older cupilot-annotate");
}

TEST(TwinEntry, ComesBackFromTheSpecsFile) {
  const KernelSpec spec = fake::scale_spec();
  const auto back = kernel_spec_from_json(to_json(spec));
  ASSERT_TRUE(back);
  EXPECT_EQ(twin_entry(*back), twin_entry(spec));
}

}  // namespace
}  // namespace cupilot
