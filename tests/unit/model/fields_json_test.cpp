// SPDX-License-Identifier: Apache-2.0
//
// Made from the descriptions: whatever a struct holds comes back from JSON, and from the documents it is
// part of.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "annotate/spec/json_convert.h"
#include "annotate/spec/kernel_spec_json.h"
#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/model/bundle_fields.h"
#include "evolution/model/bundle_json.h"
#include "evolution/model/record_fields.h"
#include "evolution/model/record_json.h"
#include "evolution/model/verdict_fields.h"
#include "evolution/model/verdict_json.h"
#include "tests/unit/filled.h"

namespace cupilot {
using namespace model;
using namespace spec;
namespace {

using testing::HasSubstr;

template <class T>
struct EveryStruct : testing::Test {};
using Structs =
    testing::Types<SourcePlace, Diagnostic, Parameter, Fill, BufferUse, Assignment, LaunchShape, Workload,
                   LaunchSite, Precision, Assumption, Fingerprint::File, Fingerprint, CompileCommand,
                   CodeFacts, Twin, KernelSpec, SampleSet::Dropped, SampleSet, Measurement, EstimatedTime,
                   Estimate, OutputError, BuildReport, DeviceReport, Profile, FinalistCheck, Verdict,
                   StrategyOutcome, CaseBuffer, Case, BundleCandidate, JudgeRequest, Bundle, Guard,
                   RecordMeasurement, RecordEstimate, Record>;
TYPED_TEST_SUITE(EveryStruct, Structs);

TYPED_TEST(EveryStruct, ComesBackFromJson) {
  const auto value = filled<TypeParam>();
  EXPECT_FALSE(value == TypeParam{});
  TypeParam back{};
  const Json json = json_of(value);
  read_json_into(Json::parse(json.dump()), back);
  EXPECT_TRUE(back == value) << json << "\n" << json_of(back);
}

TYPED_TEST(EveryStruct, HasNoMemberAtItsDefaultOnceFilled) {
  const TypeParam value = filled<TypeParam>(), start{};
  for_each_item(described<TypeParam>(), [&](const auto &item) {
    if constexpr (requires { item.view; }) {
      EXPECT_FALSE(value.*item.member == start.*item.member) << item.name;
    }
  });
}

struct Grown {
  int one = 0;
  std::string two;
  std::array<int, 3> three{};
};
static_assert(aggregate_members<Grown>() == 3);
static_assert(members_of(fields(field("one", &Grown::one), field("two", &Grown::two))) == 2,
              "a description that forgets a member is told from a whole one");

TEST(Documents, CarryEveryMember) {
  const auto verdict = filled<Verdict>();
  EXPECT_TRUE(verdict_from_json(to_json(verdict)).value() == verdict);
  const auto bundle = filled<Bundle>();
  EXPECT_TRUE(bundle_from_json(to_json(bundle)).value() == bundle);
  const auto spec = filled<KernelSpec>();
  EXPECT_TRUE(kernel_spec_from_json(to_json(spec)).value() == spec);
  auto record = filled<Record>();
  EXPECT_TRUE(record_from_json(to_json(record)).value() == record);
  record.estimate = false;
  EXPECT_TRUE(record_from_json(to_json(record)).value() == record);
}

TEST(Documents, ErrorsSayThePathOfTheMember) {
  const auto complaint = [](const std::string &from, const std::string &to) {
    const auto read = verdict_from_json(replace_all(to_json(filled<Verdict>()), from, to));
    return read ? "none" : read.error().message;
  };
  EXPECT_THAT(complaint("\"samples_us\":[", "\"samples_us\":[\"x\","),
              HasSubstr("measurements[0].original.samples_us[0]: must be a number"));
  EXPECT_THAT(complaint("\"stopped_because\"", "\"stopped\""),
              HasSubstr("measurements[0]: no member 'stopped_because'"));
  EXPECT_THAT(complaint("\"outcome\":\"", "\"outcome\":\"x"),
              HasSubstr("finalist[0].outcome: unknown value"));
  EXPECT_THAT(complaint("\"dropped\":[", "\"dropped\":3,\"d\":["),
              HasSubstr("original.dropped: must be a list"));
}

/// Every record that stands in this repository is written again as it stands there.
TEST(Documents, CommittedRecordsAreWrittenByteForByte) {
  int records = 0;
  for (const char *folder : {"examples", "tests/level1/evolved"})
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(CUPILOT_SOURCE) / folder)) {
      if (entry.path().filename() != "record.json") continue;
      const auto text = read_file(entry.path()).value();
      const auto record = record_from_json(text);
      ASSERT_TRUE(record) << entry.path() << ": " << record.error().message;
      ++records;
      EXPECT_EQ(to_json(*record), text) << entry.path();
    }
  EXPECT_GE(records, 11);
}

}  // namespace
}  // namespace cupilot
