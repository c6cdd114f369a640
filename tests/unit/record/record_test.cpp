// SPDX-License-Identifier: Apache-2.0
#include "evolution/record/record.h"

#include <gmock/gmock.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/model/record_json.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::cases;
using namespace model;
using namespace record;
using namespace spec;
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;
using testing::UnorderedElementsAre;

Individual winner() {
  Individual individual;
  individual.id = "c0001";
  individual.variant = fake::scale_variant();
  individual.strategies = {"block-size", "wide-access"};
  individual.strategy_text = "256 threads, 128-bit access\nmore words";
  individual.knobs = {{"kThreads", {64, 128, 256}, 256}};
  individual.provider = "builtin";
  return individual;
}

Verdict faster(const std::vector<Case> &cases) {
  Verdict verdict;
  verdict.candidate = "c0001";
  verdict.kind = VerdictKind::faster;
  verdict.device.name = "NVIDIA H200";
  for (const auto &one : cases) verdict.cases_passed.push_back(one.id);
  Measurement measurement;
  measurement.workload = "big";
  measurement.original.median_us = 20;
  measurement.candidate.median_us = 10;
  measurement.candidate.samples_us = {10, 10, 10};
  measurement.speedup = 2;
  measurement.verdict = VerdictKind::faster;
  verdict.measurements = {measurement};
  return verdict;
}

Provenance provenance() {
  Provenance p;
  p.architecture = "sm_90";
  p.policy = "knobs";
  p.toolchain = "nvcc 13.0.88, g++ 12.2.0";
  p.command = "cupilot tune build";
  p.created = "2026-01-02T03:04:05Z";
  p.seed = 7;
  return p;
}

RecordFiles sample(const KernelSpec &spec = fake::scale_spec()) {
  const auto cases = make_cases(spec, {1}).value();
  return make_record(spec, cases, winner(), faster(cases), provenance()).value();
}

TEST(MakeRecord, CarriesTheEvidence) {
  const auto files = sample();
  const auto &record = files.record;
  EXPECT_EQ(record.arch, "sm_90");
  EXPECT_EQ(record.kernel_id, "kernel-1");
  EXPECT_EQ(record.verdict, "faster");
  ASSERT_EQ(record.measurements.size(), 1u);
  EXPECT_EQ(record.measurements[0].original_us, 20);
  EXPECT_EQ(record.measurements[0].samples, 3u);
  EXPECT_THAT(record.knobs, ElementsAre(Pair("kThreads", 256)));
  EXPECT_EQ(record.kernel.slice, "");
  EXPECT_EQ(record.created, "2026-01-02T03:04:05Z");
}

TEST(MakeRecord, TheVariantHasOneHeaderLineAndItsHash) {
  const auto files = sample();
  EXPECT_THAT(files.variant, StartsWith("// cupilot variant of demo.scale for sm_90 (record " +
                                        sha256(fake::scale_variant()).substr(0, 8) +
                                        "): 256 threads, 128-bit access\nconstexpr int kThreads"));
  EXPECT_EQ(files.record.variant_sha256, sha256(files.variant));
  auto again = winner();
  again.variant = files.variant;
  const auto spec = fake::scale_spec();
  const auto cases = make_cases(spec, {1}).value();
  EXPECT_EQ(make_record(spec, cases, again, faster(cases), provenance()).value().variant, files.variant);
}

TEST(MakeRecord, NeedsACaseThatPassed) {
  const auto spec = fake::scale_spec();
  const auto cases = make_cases(spec, {1}).value();
  auto verdict = faster({});
  const auto made = make_record(spec, cases, winner(), verdict, provenance());
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("lists no case that passed"));
}

TEST(MakeRecord, HasTheShapeTheLauncherReads) {
  const auto json = nlohmann::json::parse(to_json(sample().record));
  EXPECT_EQ(json.at("cupilot_record"), 1);
  EXPECT_EQ(json.at("arch"), "sm_90");
  EXPECT_EQ(json.at("estimate"), false);
  const auto &kernel = json.at("kernel");
  EXPECT_EQ(kernel.at("name"), "demo.scale");
  EXPECT_EQ(kernel.at("qualified_name"), "demo::scale");
  EXPECT_EQ(kernel.at("instantiation"), "scale");
  EXPECT_EQ(kernel.at("namespaces"), nlohmann::json({"demo", ""}));
  EXPECT_EQ(kernel.at("file"), "scale.cu");
  EXPECT_EQ(kernel.at("line"), 5);
  EXPECT_EQ(kernel.at("parameters").at(0),
            nlohmann::json({{"name", "x"}, {"type", "const float *__restrict__"}}));
  EXPECT_EQ(json.at("fingerprints").at(0).at("source"), "scale.cu");
  EXPECT_EQ(json.at("fingerprints").at(0).at("files").at(0).at("sha256"), "0123");
  EXPECT_EQ(json.at("guard").at("domain").at("rows"), nlohmann::json({1, 65}));
  EXPECT_EQ(json.at("guard").at("launch").at("grid").at(0), "(rows*cols + 255) / 256");
  EXPECT_EQ(json.at("guard").at("launch").at("shared_bytes"), "0");
  EXPECT_TRUE(json.at("guard").at("configurations").empty());
  EXPECT_EQ(json.at("variant_sha256").get<std::string>().size(), 64u);
}

TEST(Guard, DomainIsWhatWasVerified) {
  const auto spec = fake::scale_spec();
  const auto guard = make_guard(spec, make_cases(spec, {1}).value());
  EXPECT_THAT(guard.domain,
              UnorderedElementsAre(Pair("rows", std::pair<std::int64_t, std::int64_t>(1, 65)),
                                   Pair("cols", std::pair<std::int64_t, std::int64_t>(1, 1001))));
}

/// Two workloads far apart, both timed; the small one's neighbours and the large one's overlap.
std::vector<Case> two_sizes(const KernelSpec &spec, std::int64_t small, std::int64_t large) {
  std::vector<Case> cases;
  const auto add = [&](const std::string &id, const std::string &workload, std::int64_t rows) {
    Case one = make_cases(spec, {1}).value()[0];
    one.id = id;
    one.workload = workload;
    one.timed = id == workload;
    one.scalars["rows"] = rows;
    one.scalars["cols"] = std::int64_t{64};
    cases.push_back(one);
  };
  add("small", "small", small);
  add("small/rows-1", "small", small - 1);
  add("large", "large", large);
  add("large/rows+1", "large", large + 1);
  add("large/rows=1", "large", 1);
  return cases;
}

TEST(Guard, OneBoxForEachWorkloadOnWhichItIsFaster) {
  const auto spec = fake::scale_spec();
  const auto cases = two_sizes(spec, 16, 4096);
  const auto both = make_guard(spec, cases, {});
  ASSERT_TRUE(both);
  EXPECT_THAT(both->boxes, IsEmpty());
  EXPECT_EQ(both->domain.at("rows"), std::pair(std::int64_t{1}, std::int64_t{4097}));

  const auto large = make_guard(spec, cases, {"large"});
  ASSERT_TRUE(large) << large.error().message;
  ASSERT_EQ(large->boxes.size(), 1u);
  // Cut half way between 16 and 4096 in proportion: what is nearer to the loser is the original's.
  EXPECT_EQ(large->boxes[0].at("rows"), std::pair(std::int64_t{256}, std::int64_t{4097}));
  EXPECT_EQ(large->boxes[0].at("cols"), std::pair(std::int64_t{64}, std::int64_t{64}));
  EXPECT_EQ(large->domain, both->domain) << "it is right there, too";

  const auto small = make_guard(spec, cases, {"small"});
  ASSERT_TRUE(small);
  EXPECT_EQ(small->boxes[0].at("rows"), std::pair(std::int64_t{15}, std::int64_t{16}));
  EXPECT_EQ(make_guard(spec, cases, {"small", "large"})->boxes.size(), 2u);
}

/// A tall and a wide workload: what is tall and wide was never judged.
TEST(Guard, HasABoxForEachWorkloadThatIsLargestAlongAnAxis) {
  const auto spec = fake::scale_spec();
  std::vector<Case> cases;
  const auto add = [&](const std::string &workload, std::int64_t rows, std::int64_t cols) {
    Case one = make_cases(spec, {1}).value()[0];
    one.id = one.workload = workload;
    one.scalars["rows"] = rows;
    one.scalars["cols"] = cols;
    cases.push_back(one);
  };
  add("small", 16, 16);
  add("wide", 8, 4096);
  EXPECT_EQ(make_guard(spec, {cases[0]}).verified.size(), 0u);
  add("tall", 4096, 8);
  add("long", 4096, 7);
  const auto guard = make_guard(spec, cases);
  EXPECT_EQ(guard.domain.at("rows").second, 4096);
  using Range = std::pair<std::int64_t, std::int64_t>;
  EXPECT_THAT(
      guard.verified,
      UnorderedElementsAre(UnorderedElementsAre(Pair("rows", Range(8, 16)), Pair("cols", Range(7, 16))),
                           UnorderedElementsAre(Pair("rows", Range(8, 8)), Pair("cols", Range(7, 4096))),
                           UnorderedElementsAre(Pair("rows", Range(8, 4096)), Pair("cols", Range(7, 8)))))
      << "'long' lies in the box of 'tall'";
  cases.clear();
  add("small", 16, 16);
  add("large", 64, 4096);
  EXPECT_THAT(make_guard(spec, cases).verified, IsEmpty()) << "the domain says it all";
}

TEST(Guard, WhatNoLaunchCanTellApartIsNoGuard) {
  const auto spec = fake::scale_spec();
  const auto guard = make_guard(spec, two_sizes(spec, 4096, 4096), {"large"});
  ASSERT_FALSE(guard);
  EXPECT_THAT(guard.error().message, HasSubstr("have the same parameters"));
}

TEST(Guard, WorkloadsOfTheSameParametersAreToldApartByTheirGrids) {
  const auto spec = fake::scale_spec();
  auto cases = two_sizes(spec, 4096, 4096);
  for (Case &one : cases)
    if (one.workload == "large") one.grid[0] = 1u << 20;
  const auto guard = make_guard(spec, cases, {"large"});
  ASSERT_TRUE(guard) << guard.error().message;
  EXPECT_THAT(guard->boxes, IsEmpty());
  ASSERT_EQ(guard->configurations.size(), 1u);
  EXPECT_EQ(guard->configurations[0][0], 1u << 20);
  EXPECT_EQ(guard->launch.grid[0], "");
}

TEST(Guard, CarriesTheAssumptions) {
  auto spec = fake::scale_spec();
  spec.assumptions = {{"cols % 4 == 0", {"scale.cu", 3, 1}}};
  EXPECT_THAT(make_guard(spec, make_cases(spec, {1}).value()).assumptions, ElementsAre("cols % 4 == 0"));
}

TEST(Guard, PromisesAboutDataStandApart) {
  auto spec = fake::scale_spec();
  spec.assumptions = {{"finite(x)", {"scale.cu", 3, 1}}, {"cols % 4 == 0", {"scale.cu", 3, 1}}};
  const auto guard = make_guard(spec, make_cases(spec, {1}).value());
  EXPECT_THAT(guard.assumptions, ElementsAre("cols % 4 == 0"));
  EXPECT_THAT(guard.promises, ElementsAre("finite(x)"));
}

TEST(Guard, WritesOutTheWorkloadsOwnNames) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set.push_back({"threads", "128"});
  spec.workloads[0].set.push_back({"total", "rows*cols"});
  spec.workloads[0].launch.grid[0] = "(total + threads - 1) / threads";
  spec.workloads[0].launch.block[0] = "threads";
  const auto guard = make_guard(spec, make_cases(spec, {1}).value());
  EXPECT_EQ(guard.launch.grid[0], "((rows*cols) + (128) - 1) / (128)");
  EXPECT_EQ(guard.launch.block[0], "(128)");
  EXPECT_THAT(guard.configurations, IsEmpty());
}

TEST(Guard, WhatParametersCannotSayBecomesAList) {
  auto spec = fake::scale_spec();
  spec.parameters.erase(spec.parameters.begin() + 3);  // rows is not passed: the kernel cannot tell the grid
  const auto cases = make_cases(spec, {1}).value();
  const auto guard = make_guard(spec, cases);
  EXPECT_EQ(guard.launch.grid[0], "");
  EXPECT_EQ(guard.launch.shared_bytes, "");
  ASSERT_FALSE(guard.configurations.empty());
  EXPECT_THAT(guard.configurations, testing::Contains(std::array<std::uint64_t, 7>{250, 1, 1, 256, 1, 1, 0}));
  EXPECT_FALSE(guard.domain.contains("rows"));
}

TEST(Guard, WorkloadsThatDisagreeBecomeAList) {
  auto spec = fake::scale_spec();
  spec.workloads.push_back(spec.workloads[0]);
  spec.workloads[1].id = "other";
  spec.workloads[1].launch.block[0] = "512";
  EXPECT_EQ(make_guard(spec, make_cases(spec, {1}).value()).launch.block[0], "");
}

class Published : public testing::Test {
protected:
  TemporaryFolder temporary = TemporaryFolder::create("cupilot-record").value();
  fs::path records = temporary.path() / "tuned";
  fs::path folder = records / "demo.scale" / "sm_90";
  std::vector<std::string> entries(const fs::path &of) {
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(of)) names.push_back(entry.path().filename().string());
    return names;
  }
};

TEST_F(Published, LoadsBackWhatWasPublished) {
  const auto files = sample();
  const auto published = publish(files, records);
  ASSERT_TRUE(published) << published.error().message;
  EXPECT_THAT(entries(folder), UnorderedElementsAre("record.json", "variant.cuh"));
  EXPECT_THAT(entries(folder.parent_path()), ElementsAre("sm_90"));
  const auto all = load_records(records);
  EXPECT_THAT(all.diagnostics, IsEmpty());
  ASSERT_EQ(all.records.size(), 1u);
  EXPECT_EQ(all.records[0].variant, files.variant);
  EXPECT_EQ(to_json(all.records[0].record), to_json(files.record));
}

TEST_F(Published, ReplacesAnOldRecordWhole) {
  ASSERT_TRUE(publish(sample(), records));
  ASSERT_TRUE(write_file_atomic(folder / "left-over", "x"));
  ASSERT_TRUE(write_file_atomic(folder.parent_path() / ".sm_90.part" / "variant.cuh", "a killed publish"));
  auto spec = fake::scale_spec();
  spec.kernel_id = "kernel-2";
  ASSERT_TRUE(publish(sample(spec), records));
  EXPECT_THAT(entries(folder), UnorderedElementsAre("record.json", "variant.cuh"));
  EXPECT_THAT(entries(folder.parent_path()), ElementsAre("sm_90"));
  EXPECT_EQ(load_record(folder).value().record.kernel_id, "kernel-2");
}

TEST_F(Published, KilledAtAnyMomentLeavesAWholeRecord) {
  auto second = fake::scale_spec();
  second.kernel_id = "kernel-2";
  const auto a = sample(), b = sample(second);
  ASSERT_TRUE(publish(a, records));
  for (int round = 0; round < 20; ++round) {
    const auto child = ::fork();
    if (child == 0)
      while (true)
        if (!publish(b, records) || !publish(a, records)) ::_exit(1);
    ::usleep(static_cast<useconds_t>(500 + round * 137));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));  // it did not fail on what the one before it left
    const auto all = load_records(records);
    ASSERT_THAT(all.diagnostics, IsEmpty());
    ASSERT_EQ(all.records.size(), 1u);
  }
}

TEST_F(Published, RefusesAVariantThatWasNotJudged) {
  auto files = sample();
  files.variant += " ";
  EXPECT_FALSE(publish(files, records));
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(Published, DamagedRecordsAreNamedAndTheOthersLoad) {
  ASSERT_TRUE(publish(sample(), records));
  auto other = fake::scale_spec();
  other.name = "other";
  ASSERT_TRUE(publish(sample(other), records));
  ASSERT_TRUE(write_file_atomic(folder / "variant.cuh", "// edited by hand\n"));
  fs::create_directories(records / "half" / "sm_90");
  ASSERT_TRUE(write_file_atomic(records / "half" / "sm_90" / "record.json", "{\"cupilot_record\": 1,"));
  fs::create_directories(records / "demo.scale" / ".sm_80.part");
  const auto all = load_records(records);
  ASSERT_EQ(all.records.size(), 1u);
  EXPECT_EQ(all.records[0].record.kernel.name, "other");
  ASSERT_EQ(all.diagnostics.size(), 2u);
  EXPECT_THAT(render(all.diagnostics[0]), HasSubstr((folder / "record.json").string()));
  EXPECT_THAT(all.diagnostics[0].message, HasSubstr("is not the variant that was judged"));
  EXPECT_THAT(all.diagnostics[1].place.file, HasSubstr("half"));
}

TEST_F(Published, ARecordInTheWrongFolderIsDamaged) {
  ASSERT_TRUE(publish(sample(), records));
  fs::rename(folder, records / "demo.scale" / "sm_80");
  EXPECT_THAT(load_record(records / "demo.scale" / "sm_80").error().message, HasSubstr("it is for sm_90"));
}

TEST_F(Published, AMissingFolderIsEmpty) {
  const auto all = load_records(records);
  EXPECT_THAT(all.records, IsEmpty());
  EXPECT_THAT(all.diagnostics, IsEmpty());
}

TEST_F(Published, StatusTellsWhatChanged) {
  const auto spec = fake::scale_spec();
  EXPECT_EQ(status_of(records, spec, "sm_90").state, RecordState::missing);
  ASSERT_TRUE(publish(sample(), records));
  EXPECT_EQ(status_of(records, spec, "sm_90").state, RecordState::fits);
  EXPECT_EQ(status_of(records, spec, "sm_100").state, RecordState::missing);
  EXPECT_EQ(status_of(records, spec, "sm_90", "nvcc 12.8.61, g++ 12.2.0").state,
            RecordState::other_toolchain);
  auto changed = spec;
  changed.workload_id = "workload-2";
  EXPECT_EQ(status_of(records, changed, "sm_90").state, RecordState::workloads_changed);
  changed.kernel_id = "kernel-2";
  EXPECT_EQ(status_of(records, changed, "sm_90").state, RecordState::stale);
  ASSERT_TRUE(write_file_atomic(folder / "record.json", "[]"));
  EXPECT_EQ(status_of(records, spec, "sm_90").state, RecordState::damaged);
}

TEST_F(Published, WritableIsToldBeforeTuning) {
  EXPECT_TRUE(check_writable(records));
  EXPECT_FALSE(fs::exists(records));  // asking leaves nothing behind
  ASSERT_TRUE(write_file_atomic(records, "a file"));
  EXPECT_THAT(check_writable(records).error().message, HasSubstr("it is not a folder"));
}

TEST_F(Published, AnUnwritableFolderIsOneClearError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directories(records);
  fs::permissions(records, fs::perms::owner_read | fs::perms::owner_exec);
  const auto writable = check_writable(records);
  fs::permissions(records, fs::perms::owner_all);
  ASSERT_FALSE(writable);
  EXPECT_THAT(writable.error().message, HasSubstr("Permission denied"));
  EXPECT_EQ(writable.error().blame, Blame::user);
}

TEST(CheckWritable, AFolderBelowAFileOrTheKernelsIsRefused) {
  EXPECT_THAT(check_writable("/proc/cupilot/tuned").error().message,
              HasSubstr("cannot write records into '/proc/cupilot/tuned'"));
}

}  // namespace
}  // namespace cupilot
