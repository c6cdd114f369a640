// SPDX-License-Identifier: Apache-2.0
//
// cupilot-cc and cupilot_tune() in a user's build, with the real nvcc and a fake runtime, for Ninja and Make.
// One project, configured once a generator; the steps of a test build on one another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "annotate/support/text.h"
#include "tuned_project.h"

namespace cupilot::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class NeedsNvcc : public testing::Environment {
  void SetUp() override {
    if (find_program("nvcc")) return;
    std::puts("skipped: there is no nvcc in PATH");
    std::exit(77);
  }
};
const auto *const kNeedsNvcc = testing::AddGlobalTestEnvironment(new NeedsNvcc);

/// What one form's launch was: "swapped+1000" or "original", and whether it is the configuration the user
/// asked for.
std::string outcome(const std::string &launches) {
  const auto first = launches.substr(0, launches.find('\n'));
  const auto number = first.substr(first.rfind(' ') + 1);
  if (!first.contains("fast_")) return first.starts_with("refused") ? "refused" : "original";
  if (!first.contains("grid 1,1,1 block 77,1,1")) return "odd: " + first;
  return "swapped " + number;
}

const std::vector<std::string> kSwappedForms = {
    "direct",   "macro",  "lambda",   "function pointer", "other translation unit", "anonymous namespace",
    "template", "header", "overload", "cudaLaunchKernel", "cudaLaunchKernelEx"};
const std::vector<std::string> kOriginalForms = {
    "other instantiation", "other overload",   "attributes", "other configuration",
    "outside domain",      "variant declines", "extern C",   "untuned"};

class LauncherBuild : public testing::TestWithParam<const char *> {
protected:
  void land_forms() {
    project.land({});
    project.land({.arch = "sm_80", .added = 2000});
    project.land({.name = "outer.hidden", .instantiation = "hidden", .namespaces = {"outer", ""}});
    project.land({.name = "outer.generic", .instantiation = "generic<float, 4>", .namespaces = {"outer"}});
    project.land({.name = "in_header", .instantiation = "in_header<float>", .file = "forms.h"});
    project.land({.name = "overloaded", .instantiation = "overloaded"});
    project.land({.name = "plain_c",
                  .instantiation = "plain_c",
                  .configurations = "[5,1,1,32,1,1,0],[9,1,1,64,1,1,0]"});
    project.land({.name = "guarded",
                  .instantiation = "guarded",
                  .guard = R"("assumptions":["n % 2 == 1 && - -n <= 1 << 40","n % (n - 4) == 0 || n > 1.5"],)"
                           R"("boxes":[{"n":[1,4]},{"n":[9,12]}],)"});
  }

  void expect_build(const std::vector<std::string> &objects, const Environment &environment = {}) {
    const auto built = project.build(environment);
    ASSERT_TRUE(built.ok()) << built.out << built.err;
    EXPECT_EQ(project.rebuilt(), objects) << built.out;
    messages = built.out + built.err;
  }

  std::string second(const Environment &environment = {}) {
    return outcome(split_lines(project.run(environment)["other translation unit"]).at(1));
  }

  TunedProject project{GetParam()};
  std::string messages;
};

void expect_all(std::map<std::string, std::string> run, const std::vector<std::string> &forms,
                const std::string &what) {
  for (const auto &form : forms) EXPECT_EQ(outcome(run[form]), what) << form << ": " << run[form];
}

TEST_P(LauncherBuild, SwapsEveryFormOnItsArchitectureOnly) {
  land_forms();
  ASSERT_TRUE(project.configure().ok());
  expect_build({"forms", "second", "untuned"});
  EXPECT_THAT(messages, Not(HasSubstr("warning")));

  auto hit = project.run({{"FAKE_CC", "9.0"}, {"CUPILOT_LOG", "1"}});
  expect_all(hit, kSwappedForms, "swapped 1003");
  expect_all(hit, kOriginalForms, "original");
  EXPECT_EQ(outcome(hit["listed configuration"]), "swapped 1003");
  expect_all(hit, {"in the first box"}, "swapped 1003");
  expect_all(hit, {"in the second box"}, "swapped 1009");
  expect_all(hit, {"between the boxes", "broken assumption"}, "original");
  EXPECT_THAT(hit["stderr"], HasSubstr("guarded (sm_90): original: an assumption does not hold\n"));
  EXPECT_THAT(hit["stderr"],
              HasSubstr("guarded (sm_90): original: the variant is not faster at this size\n"));
  EXPECT_THAT(hit["cudaLaunchKernel"], HasSubstr("result 0"));
  EXPECT_EQ(outcome(hit["invalid configuration"]), "refused");
  EXPECT_THAT(hit["invalid configuration"], HasSubstr("block 2048,1,1 shared 0 int 3\nresult 9"));
  EXPECT_THAT(hit["zero configuration"], HasSubstr("refused _Z5plainPfi grid 0,1,1"));
  EXPECT_THAT(hit["stderr"], HasSubstr("plain (sm_90): swapped\n"));
  EXPECT_THAT(hit["stderr"],
              HasSubstr("plain (sm_90): original: the launch configuration is not the verified one\n"));
  EXPECT_THAT(hit["stderr"], HasSubstr("plain (sm_90): 7 x swapped\n"));

  auto other = project.run({{"FAKE_CC", "8.0"}});
  expect_all(other, {"direct", "macro", "lambda", "other translation unit", "cudaLaunchKernel"},
             "swapped 2003");
  expect_all(other, {"anonymous namespace", "template", "header", "overload", "untuned"}, "original");

  for (const char *miss : {"8.6", "12.0", "none"}) {
    auto run = project.run({{"FAKE_CC", miss}});
    if (std::string_view(miss) == "none") {
      EXPECT_THAT(run["invalid configuration"], HasSubstr("result 100"));
      continue;
    }
    expect_all(run, kSwappedForms, "original");
    expect_all(run, kOriginalForms, "original");
    EXPECT_THAT(run["direct"], HasSubstr("_Z5plainPfi grid 3,1,1 block 32,1,1 shared 0 int 3"));
  }
  auto off = project.run({{"CUPILOT_ORIGINAL", "1"}, {"CUPILOT_LOG", "1"}});
  expect_all(off, kSwappedForms, "original");
  EXPECT_THAT(off["stderr"], HasSubstr("CUPILOT_ORIGINAL is set"));
  EXPECT_THAT(project.run({})["stderr"], IsEmpty());
}

TEST_P(LauncherBuild, RebuildsExactlyTheObjectsOfARecord) {
  project.land({});
  ASSERT_TRUE(project.configure().ok());
  expect_build({"forms", "second", "untuned"});
  EXPECT_EQ(second(), "original");
  expect_build({});
  const bool ninja = std::string_view(GetParam()) == "Ninja";
  EXPECT_THAT(messages, HasSubstr(ninja ? "no work to do" : "Built target app"));

  RecordText record{.name = "in_second", .instantiation = "in_second", .source = "second.cu"};
  project.land(record);  // where no record was
  expect_build({"second"});
  EXPECT_EQ(second(), "swapped 1003");
  expect_build({});

  record.added = 3000;
  project.land(record);
  expect_build({"second"});
  EXPECT_EQ(second(), "swapped 3003");

  record.arch = "sm_86";  // not compiled here: concerns nobody
  project.land(record);
  expect_build({});

  fs::remove_all(project.record("in_second").parent_path());
  expect_build({"second"});
  EXPECT_EQ(second(), "original");
  expect_build({});

  fs::remove_all(project.source() / "tuned");
  expect_build({"forms"});
  expect_build({});
}

/// What does not depend on the generator.
class NinjaBuild : public LauncherBuild {};

TEST_P(NinjaBuild, TroubleMeansTheOriginalAndOneWarning) {
  RecordText record{.name = "in_second", .instantiation = "in_second", .source = "second.cu"};
  project.land(record);
  ASSERT_TRUE(project.configure().ok());
  expect_build({"forms", "second", "untuned"});
  EXPECT_EQ(second(), "swapped 1003");

  const auto path = project.record("in_second");
  const auto good = read_file(path).value();
  const auto warnings = [&] {
    std::size_t count = 0;
    for (const auto &line : split_lines(messages)) count += line.contains("cupilot-cc: warning:");
    return count;
  };
  ASSERT_TRUE(write_file_atomic(path, good.substr(0, good.size() / 2)));
  expect_build({"second"});
  EXPECT_EQ(warnings(), 1u);
  EXPECT_THAT(messages, HasSubstr(path.string() + "' is damaged"));
  EXPECT_EQ(second(), "original");

  // a variant somebody edited is not the one that was judged
  ASSERT_TRUE(write_file_atomic(path, good));
  const auto variant = path.parent_path() / "variant.cuh";
  const auto judged = read_file(variant).value();
  ASSERT_TRUE(write_file_atomic(variant, judged + "// edited\n"));
  expect_build({"second"});
  EXPECT_THAT(messages, HasSubstr("not the variant that was judged"));
  EXPECT_EQ(second(), "original");
  ASSERT_TRUE(write_file_atomic(variant, judged));

  fs::remove(variant);
  expect_build({"second"});
  EXPECT_THAT(messages, HasSubstr("cannot read '" + variant.string() + "'"));
  ASSERT_TRUE(write_file_atomic(variant, judged));
  expect_build({"second"});
  EXPECT_EQ(second(), "swapped 1003");

  // variants that do not compile, or not with this signature
  record.extra_condition = "there_is_no_such_name";
  project.land(record);
  expect_build({"second"});
  EXPECT_EQ(warnings(), 1u);
  EXPECT_THAT(messages, HasSubstr("a variant does not compile here"));
  EXPECT_EQ(second(), "original");
  record.extra_condition = "n == 13";
  project.land(record);
  expect_build({"second"});
  EXPECT_EQ(second(), "swapped 1003");
  EXPECT_THAT(messages, Not(HasSubstr("warning")));
}

TEST_P(NinjaBuild, KeepsScratchMemoryBetweenLaunches) {
  project.land({.extra_condition = "!l.scratch(4096)"});
  ASSERT_TRUE(project.configure().ok());
  expect_build({"forms", "second", "untuned"});

  const auto memory = [&](const Environment &environment) {
    auto run = project.run(environment);
    std::string lines;
    for (const char *form : {"direct", "macro"})
      for (const auto &line : split_lines(run[form]))
        if (!line.starts_with("launch")) lines += line + "; ";
    return lines;
  };
  // the threshold of the device's pool is raised once, and not where the program has set one
  EXPECT_EQ(memory({}), "scratch 4096; pool keeps 67108864; scratch freed; scratch 4096; scratch freed; ");
  EXPECT_EQ(memory({{"FAKE_POOL_KEEPS", "1000"}}),
            "scratch 4096; scratch freed; scratch 4096; scratch freed; ");
  EXPECT_EQ(memory({{"CUPILOT_ORIGINAL", "1"}}), "");
}

TEST_P(NinjaBuild, LeavesAloneWhatAWrapperOrAVariantWouldBreak) {
  RecordText record{.name = "in_second", .instantiation = "in_second", .source = "second.cu"};
  record.extra_condition = "(untuned(x), n == 13)";  // second.cu does not need it, so it may be nowhere
  project.land(record);
  ASSERT_TRUE(project.configure().ok());
  expect_build({"forms", "second", "untuned"});
  EXPECT_THAT(messages, HasSubstr("the variant needs '_Z7untunedPf', which the source does not need"));
  EXPECT_EQ(second(), "original");

  // all of this source would be lost behind a wrapper
  const auto source = project.source() / "second.cu";
  ASSERT_TRUE(
      write_file_atomic(source, "#if __INCLUDE_LEVEL__ == 0\n" + read_file(source).value() + "#endif\n"));
  record.extra_condition = "n == 13";
  project.land(record);
  expect_build({"second"}, {{"CUPILOT_EXPLAIN", "1"}});
  EXPECT_THAT(messages, HasSubstr("second.cu:1 asks for __INCLUDE_LEVEL__"));
  EXPECT_EQ(second(), "original");
}

TEST_P(NinjaBuild, AsksOnceWhenTheSourceChanged) {
  const RecordText record{
      .name = "in_second", .instantiation = "in_second", .source = "second.cu", .kernel_id = "k7"};
  project.land(record);
  const auto source = project.source() / "second.cu", annotate = project.source() / "annotate",
             asked = project.source() / "asked";
  ASSERT_TRUE(project.configure().ok());
  ASSERT_TRUE(append_line(source, "// a comment"));
  expect_build({"forms", "second", "untuned"},
               {{"PATH", std::getenv("PATH")}, {"CUPILOT_ANNOTATE", "/nowhere"}});
  EXPECT_THAT(messages, HasSubstr("was made from a different version of the sources"));
  EXPECT_EQ(second(), "original");

  const auto answer = [&](const std::string &id) {
    ASSERT_TRUE(write_file_atomic(annotate, "#!/bin/sh\necho \"$@\" >>" + asked.string() +
                                                "\nprintf 'cupilot_identify 1\\nin_second\\tin_second\\t" +
                                                id + "\\n'\n"));
    fs::permissions(annotate, fs::perms::owner_all);
  };
  const Environment fake{{"CUPILOT_ANNOTATE", annotate.string()}};
  answer("k7");
  ASSERT_TRUE(append_line(source, "// another"));
  expect_build({"second"}, fake);
  EXPECT_EQ(second(), "swapped 1003");
  fs::last_write_time(source, fs::file_time_type::clock::now());
  expect_build({"second"}, fake);
  EXPECT_EQ(second(), "swapped 1003");
  const auto questions = split_lines(read_file(asked).value());
  ASSERT_EQ(questions.size(), 1u);
  EXPECT_THAT(questions[0],
              HasSubstr("identify --root " + project.source().string() + " " + source.string() + " -- "));

  answer("k8");  // the kernel itself changed: stale
  ASSERT_TRUE(append_line(source, "// and another"));
  expect_build({"second"}, fake);
  EXPECT_EQ(second(), "original");

  answer("k7");
  ASSERT_TRUE(append_line(source, "// once more"));
  expect_build({"second"}, {{"CUPILOT_ANNOTATE", annotate.string()}, {"CUPILOT_DISABLE", "1"}});
  EXPECT_EQ(second(), "original");
}

TEST_P(NinjaBuild, WorksBehindOtherLaunchersAndWithOtherFlags) {
  const RecordText record{.name = "in_second", .instantiation = "in_second", .source = "second.cu"};
  project.land(record);
  const auto object = project.source() / "second.o";
  const std::vector<std::string> spellings = {"-rdc=true",    "-default-stream=per-thread",
                                              "-G -g",        "-std=c++20 -O3",
                                              "-arch=sm_90a", "-arch=compute_90"};
  for (const auto &flags : spellings) {
    ProcessRequest request;
    request.argv = {CUPILOT_PROGRAMS "/cupilot-cc",
                    "--records",
                    project.source() / "tuned",
                    "--annotate",
                    "/nowhere",
                    "--",
                    "/usr/bin/env",
                    "nvcc",
                    "-DFORMS=1",
                    "-c",
                    project.source() / "second.cu",
                    "-o",
                    object};
    for (const auto &flag : split(flags, ' ')) request.argv.push_back(flag);
    if (!flags.contains("-arch")) request.argv.push_back("-arch=sm_90");
    const auto result = run_process(request).value();
    ASSERT_TRUE(result.ok()) << flags << result.err;
    if (flags.contains("-std")) {  // another macro hash: nothing may be assumed
      EXPECT_THAT(result.err, HasSubstr("was made from a different version")) << flags;
      continue;
    }
    EXPECT_EQ(result.err, "") << flags;
    const auto text = read_file(object).value();
    EXPECT_TRUE(
        text.contains(flags.contains("per-thread") ? "__cudaLaunchKernel_ptsz" : "__cudaLaunchKernel"));
    EXPECT_TRUE(text.contains("cupilot_launch_kernel")) << flags;
    fs::remove(object);
  }
}

std::string generator_name(const testing::TestParamInfo<const char *> &generator) {
  return std::string_view(generator.param) == "Ninja" ? "Ninja" : "Make";
}
INSTANTIATE_TEST_SUITE_P(Generators, LauncherBuild, testing::Values("Ninja", "Unix Makefiles"),
                         generator_name);
INSTANTIATE_TEST_SUITE_P(Generators, NinjaBuild, testing::Values("Ninja"), generator_name);

}  // namespace
}  // namespace cupilot::test
