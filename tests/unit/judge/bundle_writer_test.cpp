// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/bundle/bundle_writer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

#include "annotate/support/files.h"
#include "evolution/judge/bundle/entry_source.h"
#include "evolution/judge/cases/cases.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::bundle;
using namespace judge::cases;
using namespace model;
using namespace spec;
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

BundleContent content(std::vector<std::string> ids = {"c0001", "c0002"}) {
  BundleContent c;
  c.id = "scale-1";
  c.architecture = "sm_90";
  c.spec = fake::scale_spec();
  c.cases = make_cases(c.spec, {1}).value();
  for (auto &id : ids) {
    Individual individual;
    individual.id = id;
    individual.variant = fake::scale_variant();
    c.individuals.push_back(individual);
  }
  return c;
}

class BundleWriter : public testing::Test {
protected:
  TemporaryFolder temporary = TemporaryFolder::create("cupilot-bundle").value();
  fs::path folder = temporary.path() / "bundle";
  void judged(const std::string &id) { ASSERT_TRUE(write_file_atomic(verdict_path(folder, id), "{}")); }
  bool has_verdict(const std::string &id) { return fs::exists(verdict_path(folder, id)); }
};

TEST_F(BundleWriter, WritesTheLayoutAndReadsItBack) {
  const auto written = write_bundle(folder, content());
  ASSERT_TRUE(written) << written.error().message;
  for (const auto *file : {"bundle.json", "include/cupilot/launch.cuh", "original/entry.cu",
                           "candidates/c0001/entry.cu", "candidates/c0002/variant.cuh"})
    EXPECT_TRUE(fs::is_regular_file(folder / file)) << file;
  const auto read = read_bundle(folder).value();
  EXPECT_EQ(read.id, "scale-1");
  EXPECT_EQ(read.kernel_id, "kernel-1");
  EXPECT_EQ(read.cases.size(), written->cases.size());
  EXPECT_EQ(read.candidates.size(), 2u);
  EXPECT_THAT(read_file(folder / "include/cupilot/launch.cuh").value(), HasSubstr("class Launch"));
}

TEST_F(BundleWriter, AFolderWithoutBundleJsonIsNoBundle) {
  ASSERT_TRUE(write_bundle(folder, content()));
  fs::remove(folder / "bundle.json");
  const auto read = read_bundle(folder);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("is not a bundle"));
}

TEST_F(BundleWriter, EveryCandidateHasCasesOfItsOwnConstants) {
  auto many = content();
  for (int i = 0; i < 60; ++i)
    many.individuals[0].variant += "// one\nif (cols == " + std::to_string(100 + 10 * i) + ") return;\n";
  many.individuals[1].variant += "if (cols == 777) return;\n";
  const auto written = write_bundle(folder, many);
  ASSERT_TRUE(written) << written.error().message;
  const auto is_made = [](const char *id) {
    return [id](const model::Case &one) { return one.id.ends_with(id); };
  };
  EXPECT_TRUE(std::ranges::any_of(written->reserve, is_made("/cols=777")));
  EXPECT_TRUE(std::ranges::any_of(written->reserve, is_made("/cols=110")));
}

TEST_F(BundleWriter, KeepsVerdictsOfUnchangedCandidates) {
  ASSERT_TRUE(write_bundle(folder, content()));
  judged("c0001"), judged("c0002");
  auto next = content({"c0001", "c0002", "c0003"});
  next.individuals[1].variant += "// changed\n";
  ASSERT_TRUE(write_bundle(folder, next));
  EXPECT_TRUE(has_verdict("c0001"));
  EXPECT_FALSE(has_verdict("c0002"));
  EXPECT_EQ(read_bundle(folder).value().candidates.size(), 3u);
}

TEST_F(BundleWriter, AnotherQuestionForgetsAllVerdicts) {
  ASSERT_TRUE(write_bundle(folder, content()));
  judged("c0001");
  auto next = content();
  next.request.seed = 99;
  ASSERT_TRUE(write_bundle(folder, next));
  EXPECT_FALSE(has_verdict("c0001"));
}

TEST_F(BundleWriter, RefusesIdsThatAreNoFolderNames) {
  EXPECT_FALSE(write_bundle(folder, content({"../c1"})));
  EXPECT_FALSE(write_bundle(folder, content({"c1", "c1"})));
  EXPECT_FALSE(fs::exists(folder / "bundle.json"));
}

TEST_F(BundleWriter, SaysWhenItCannotWrite) {
  ASSERT_TRUE(write_file_atomic(folder, "a file"));
  const auto written = write_bundle(folder, content());
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr(folder.string()));
}

TEST(Entry, PutsTheVariantIntoTheKernelsNamespaces) {
  Individual individual;
  individual.variant = fake::scale_variant();
  const auto text = candidate_entry(fake::scale_spec(), individual);
  EXPECT_THAT(
      text,
      HasSubstr("namespace demo {\nnamespace {\nnamespace cupilot_variant {\n#line 1 \"variant.cuh\"\n"));
  EXPECT_THAT(text, HasSubstr("return ::demo::cupilot_run(call);"));
  EXPECT_THAT(text, HasSubstr("bool (*launch)(const ::cupilot::Launch &, const float *, float *, "
                              "float, int, int) = cupilot_variant::launch;"));
}

/// Otherwise a variant could ask by overloads which of the two compiles it.
TEST(Entry, HasTheHeadersOfTheLaunchersWrapper) {
  const auto text = candidate_entry(fake::scale_spec(), Individual());
  const auto begin = text.substr(0, text.find("namespace cupilot_variant"));
  for (const char *name : {"dispatch", "checked", "number"}) {
    const auto header =
        read_file(fmt::format("{}/driver/launcher/include/cupilot/{}.cuh", SOURCE_ROOT, name));
    ASSERT_TRUE(header);
    std::istringstream lines(*header);
    for (std::string line; std::getline(lines, line);) {
      const bool library = line.starts_with("#include <") && !line.contains("cuda_runtime");
      if (library) {
        EXPECT_THAT(begin, HasSubstr(line + "\n"));
      }
    }
  }
}

TEST(Entry, NoMacroOfTheVariantReachesTheGeneratedCode) {
  Individual individual;
  individual.variant =
      fake::scale_variant("#define A(x) \\\n  x\n#  define /* */ launched 1\n#define A(x) x\n");
  const auto text = candidate_entry(fake::scale_spec(), individual);
  const auto undefined = text.find("#undef A\n#undef launched\n#line");
  EXPECT_NE(undefined, std::string::npos) << text;
  EXPECT_LT(undefined, text.find("cupilot_run"));
}

TEST(Entry, LineDirectivesOfOurOwnLinesAreRight) {
  const auto text = original_entry(fake::scale_spec());
  const std::string mark = "\"entry.cu\"\n";
  const auto at = text.find(mark);
  ASSERT_NE(at, std::string::npos);
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  EXPECT_THAT(text, HasSubstr("#line " + std::to_string(line + 1) + " \"entry.cu\""));
}

TEST(BundleFlags, PathsBecomeAbsolute) {
  CompileCommand command;
  command.folder = "/build";
  command.flags = {"-Iinc",        "-I",       "../src", "-isystem", "/opt/x",
                   "-isystem=rel", "-include", "pre.h",  "-DX=1"};
  EXPECT_THAT(bundle_flags(command),
              ElementsAre("-I", "/build/inc", "-I", "/src", "-isystem", "/opt/x", "-isystem", "/build/rel",
                          "-include", "/build/pre.h", "-DX=1"));
}

TEST(BundleFlags, WarningsStayWarnings) {
  CompileCommand command;
  command.flags = {"-O3",          "-Xcompiler", "-Wall,-Werror", "-Werror",
                   "all-warnings", "-Xcompiler", "-fopenmp",      "--use_fast_math"};
  EXPECT_THAT(bundle_flags(command), ElementsAre("-O3", "-Xcompiler", "-fopenmp", "--use_fast_math"));
}

}  // namespace
}  // namespace cupilot
