// SPDX-License-Identifier: Apache-2.0
//
// Bundles as evolution/judge writes them, from a spec, run by the real worker: 16-bit elements, a buffer that
// is read and written, an integer output, scalars of two kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accumulate_spec.h"
#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/bundle/executor.h"
#include "evolution/judge/data/input_family.h"
#include "row_norm_bundle.h"

namespace cupilot {
using namespace judge::bundle;
using namespace judge::data;
using namespace model;
using namespace spec;
namespace {

Case accumulate_case(const std::string &id, std::int64_t n, bool timed) {
  const auto elements = static_cast<std::uint64_t>(n);
  Case made;
  made.id = id;
  made.workload = "w";
  made.timed = timed;
  made.scalars = {{"alpha", 0.75}, {"n", n}};
  made.buffers = {{"x", BufferRole::in, elements, {}},
                  {"y", BufferRole::inout, elements, {}},
                  {"signs", BufferRole::out, elements, {}}};
  made.grid = {4, 1, 1};
  made.block = {64, 1, 1};
  made.families = input_families();
  return made;
}

Individual individual(const std::string &id, const std::string &body) {
  Individual made;
  made.id = id;
  made.variant =
      "constexpr int kThreads = 256;  // knob: 128 256 512\n"
      "__global__ void accumulate_more(const __half *x, __half *y, int *signs, float alpha, int n) {\n"
      "  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {\n" +
      body +
      "    signs[i] = (value > 0) - (value < 0);\n"
      "  }\n"
      "}\n"
      "bool launch(const cupilot::Launch &l, const __half *x, __half *y, int *signs, float alpha, int n) {\n"
      "  accumulate_more<<<(n + kThreads - 1) / kThreads, kThreads, 0, l.stream>>>(x, y, signs, alpha, n);\n"
      "  return true;\n"
      "}\n";
  return made;
}

TEST(WrittenBundle, RunsThroughTheLocalExecutor) {
  auto folder = TemporaryFolder::create("cupilot-gpu-written");
  ASSERT_TRUE(folder);
  BundleContent content;
  content.id = "written";
  content.architecture = gpu_architecture();
  content.spec = accumulate_spec();
  content.cases = {accumulate_case("w", 1 << 22, true), accumulate_case("w/n=1", 1, false),
                   accumulate_case("w/n=1009", 1009, false)};
  content.individuals = {
      individual("wide_grid",
                 "    const float value = __half2float(x[i]);\n    y[i] = __float2half(alpha * value + "
                 "__half2float(y[i]));\n"),
      individual("not_accumulated",
                 "    const float value = __half2float(x[i]);\n    y[i] = __float2half(alpha * value);\n"),
      individual("wrong_sign",
                 "    const float value = -__half2float(x[i]);\n    y[i] = __float2half(-alpha * value + "
                 "__half2float(y[i]));\n")};
  content.request.seed = 5;
  content.request.timing_seconds = 1;
  ASSERT_TRUE(write_bundle(folder->path(), content));

  JudgeEvents quiet;
  LocalOptions options;
  options.worker = CUPILOT_WORKER_PROGRAM;
  const auto verdicts = LocalExecutor(options).judge(folder->path(), quiet);
  ASSERT_TRUE(verdicts) << verdicts.error().message;
  ASSERT_EQ(verdicts->size(), 3u);
  for (const Verdict &v : *verdicts)
    std::printf("%s: %s, %s\n", v.candidate.c_str(), to_string(v.kind), v.reason.c_str());
  EXPECT_EQ((*verdicts)[0].kind, VerdictKind::faster);
  EXPECT_EQ((*verdicts)[0].cases_passed.size(), 3u);
  EXPECT_EQ((*verdicts)[1].kind, VerdictKind::wrong);
  EXPECT_THAT((*verdicts)[1].reason, testing::HasSubstr("output 'y'"));
  EXPECT_EQ((*verdicts)[2].kind, VerdictKind::wrong);
  EXPECT_THAT((*verdicts)[2].reason, testing::HasSubstr("output 'signs'"));
}

}  // namespace
}  // namespace cupilot
