// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/record_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/model/record_json.h"

namespace cupilot::launcher {
using namespace cupilot::model;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kRecord = R"X({
  "cupilot_record": 1, "arch": "sm_90", "estimate": false,
  "kernel": {"name": "ns.rms_norm", "qualified_name": "ns::rms_norm", "instantiation": "rms_norm<float, 128>",
             "namespaces": ["ns", ""], "symbol": "_Z", "file": "src/norm.cu", "line": 12,
             "parameters": [{"name": "x", "type": "const float *"}, {"name": "rows", "type": "int"}]},
  "kernel_id": "k", "workload_id": "w",
  "fingerprints": [{"source": "src/norm.cu", "macros": "m", "files": [{"path": "../shared/a.h", "sha256": "1"}]}],
  "guard": {"domain": {"rows": [1, 8193]},
            "launch": {"grid": ["(rows + 255) / 256", "1", "1"], "block": ["min(rows, 256)", "1", "1"], "shared_bytes": "0"},
            "configurations": []},
  "variant_sha256": "v", "evidence for people": [1, 2]
})X";

Result<SwapRecord> parsed(const std::string &text) {
  return parse_record(text, "/p/tuned/k/sm_90/record.json", "/p");
}
/// The record with one piece of its text exchanged.
Result<SwapRecord> changed(const std::string &from, const std::string &to) {
  EXPECT_TRUE(kRecord.contains(from)) << from;
  return parsed(replace_all(kRecord, from, to));
}
std::string complaint(const std::string &from, const std::string &to) {
  const auto record = changed(from, to);
  return record ? "accepted" : record.error().message;
}

TEST(ParseRecord, SeesThatARecordWasEstimated) {
  EXPECT_FALSE(parsed(kRecord)->estimate);
  // As evolution/model writes it: first of all.
  std::string text = replace_all(kRecord, "\"estimate\": false,", "");
  text = replace_all(text, "{\n  \"cupilot_record\"",
                     "{ \"estimate\": true, \"note\": \"never measured\",\n  \"cupilot_record\"");
  const auto record = parsed(text);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_TRUE(record->estimate);
}

TEST(ParseRecord, ReadsWhatABuildNeeds) {
  const auto record = parsed(kRecord);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->instantiation, "rms_norm<float, 128>");
  EXPECT_THAT(record->namespaces, ElementsAre("ns", ""));
  EXPECT_EQ(record->file, "/p/src/norm.cu");
  EXPECT_EQ(record->variant_path, "/p/tuned/k/sm_90/variant.cuh");
  EXPECT_EQ(record->fingerprints.at(0).files.at(0).path, "/shared/a.h");
  EXPECT_THAT(record->parameters, ElementsAre("x", "rows"));
  ASSERT_EQ(record->domain.size(), 1u);
  EXPECT_EQ(record->domain[0].greatest, 8193);
  EXPECT_EQ(record->launch[3], "min(rows, 256)");
}

TEST(ParseRecord, ReadsAssumptionsAndBoxesStrictly) {
  EXPECT_TRUE(parsed(kRecord)->assumptions.empty());
  const std::string guard = "\"guard\": {";
  const auto with = [&](const std::string &members) { return changed(guard, guard + members + ", "); };
  const auto good = with(R"("assumptions": ["rows % 4 == 0"], "boxes": [{"rows": [1, 4]}, {"rows": [9, 9]}],
               "verified": [{"rows": [1, 2]}])");
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_THAT(good->assumptions, ElementsAre("rows % 4 == 0"));
  ASSERT_EQ(good->boxes.size(), 2u);
  EXPECT_EQ(good->boxes[1][0].least, 9);
  ASSERT_EQ(good->verified.size(), 1u);
  EXPECT_EQ(good->verified[0][0].greatest, 2);
  EXPECT_TRUE(parsed(kRecord)->verified.empty()) << "older records have none";
  for (const std::string bad :
       {R"("assumptions": ["cols > 0"])", R"X("assumptions": ["rows > 0; f()"])X",
        R"("assumptions": "rows > 0")", R"("assumptions": [4])", R"("boxes": [{}])",
        R"("boxes": {"rows": [1, 4]})", R"("verified": [{}])", R"("verified": 4)", R"("boxes": [4])",
        R"("boxes": [{"cols": [1, 4]}])", R"("boxes": [{"rows": [1]}])"}) {
    const auto record = with(bad);
    ASSERT_FALSE(record) << bad;
    EXPECT_THAT(record.error().message, HasSubstr(bad.substr(1, 5))) << bad;
  }
}

TEST(ParseRecord, PromisesAreToldFromWhatWasRead) {
  const std::string guard = "\"guard\": {";
  const auto with = [&](const std::string &members) { return changed(guard, guard + members + ", "); };
  const auto good = with(R"X("promises": ["finite( x )", "range(x, -1e4, 2)"])X");
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_THAT(good->promises, ElementsAre("finite(x)", "range(x, -10000.000000, 2.000000)"));
  for (const std::string bad : {R"("promises": ["x > 0"])", R"X("promises": ["finite(x\nint y)"])X",
                                R"("promises": [4])", R"X("promises": "finite(x)")X"}) {
    const auto record = with(bad);
    ASSERT_FALSE(record) << bad;
    EXPECT_THAT(record.error().message, HasSubstr("promises")) << bad;
  }
}

TEST(ParseRecord, ReadsWhatPublishingWrites) {
  Record written;
  written.arch = "sm_90a";
  written.kernel.name = "k";
  written.kernel.instantiation = "k<4>";
  written.kernel.namespaces = {"ns"};
  written.kernel.place.file = "k.cu";
  written.kernel.parameters = {{.name = "n", .type = "int"}};
  written.kernel_id = "id";
  written.fingerprints = {{.source = "k.cu", .files = {{"k.cu", "1"}}, .macros = "m"}};
  written.guard.domain = {{"n", {-1, 9}}};
  written.guard.assumptions = {"n != 3"};
  written.guard.boxes = {{{"n", {1, 2}}}};
  written.guard.verified = {{{"n", {-1, 5}}}};
  written.guard.configurations = {{1, 2, 3, 4, 5, 6, 7}};
  written.guard.launch.grid = {"", "", ""};
  written.variant_sha256 = "v";
  const auto read = parsed(to_json(written));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->arch, "sm_90a");
  EXPECT_EQ(read->instantiation, "k<4>");
  EXPECT_EQ(read->fingerprints.at(0).files.at(0).path, "/p/k.cu");
  EXPECT_EQ(read->domain.at(0).least, -1);
  EXPECT_EQ(read->verified.at(0).at(0).greatest, 5);
  EXPECT_EQ(read->configurations.at(0)[6], 7u);
}

/// What the launcher read of a domain or a box, as evolution/model has it.
std::map<std::string, std::pair<std::int64_t, std::int64_t>> as_box(const std::vector<DomainRange> &ranges) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> box;
  for (const auto &range : ranges) box[range.parameter] = {range.least, range.greatest};
  return box;
}

/// Both readers of one record's text must have understood the same.
void expect_same(const SwapRecord &read, const Record &record, const std::filesystem::path &root) {
  const auto path = [&](const std::string &file) { return (root / file).lexically_normal(); };
  EXPECT_EQ(read.name, record.kernel.name);
  EXPECT_EQ(read.instantiation, record.kernel.instantiation);
  EXPECT_EQ(read.arch, record.arch);
  EXPECT_EQ(read.kernel_id, record.kernel_id);
  EXPECT_EQ(read.estimate, record.estimate);
  EXPECT_EQ(read.namespaces, record.kernel.namespaces);
  EXPECT_EQ(read.file, path(record.kernel.place.file));
  EXPECT_EQ(read.variant_sha256, record.variant_sha256);
  ASSERT_EQ(read.parameters.size(), record.kernel.parameters.size());
  for (std::size_t i = 0; i < read.parameters.size(); ++i)
    EXPECT_EQ(read.parameters[i], record.kernel.parameters[i].name);
  ASSERT_EQ(read.fingerprints.size(), record.fingerprints.size());
  for (std::size_t i = 0; i < read.fingerprints.size(); ++i) {
    const auto &mine = read.fingerprints[i];
    const auto &theirs = record.fingerprints[i];
    EXPECT_EQ(mine.source, path(theirs.source));
    EXPECT_EQ(mine.macros, theirs.macros);
    ASSERT_EQ(mine.files.size(), theirs.files.size());
    for (const auto &file : mine.files)
      EXPECT_TRUE(std::ranges::any_of(theirs.files, [&](const auto &other) {
        return file.path == path(other.path) && file.sha256 == other.sha256;
      })) << file.path;
  }
  EXPECT_EQ(read.assumptions, record.guard.assumptions);
  EXPECT_EQ(as_box(read.domain), record.guard.domain);
  ASSERT_EQ(read.boxes.size(), record.guard.boxes.size());
  for (std::size_t i = 0; i < read.boxes.size(); ++i) EXPECT_EQ(as_box(read.boxes[i]), record.guard.boxes[i]);
  ASSERT_EQ(read.verified.size(), record.guard.verified.size());
  for (std::size_t i = 0; i < read.verified.size(); ++i)
    EXPECT_EQ(as_box(read.verified[i]), record.guard.verified[i]);
  const auto &launch = record.guard.launch;
  const std::vector<std::string> written{launch.grid[0],     launch.grid[1],  launch.grid[2],
                                         launch.block[0],    launch.block[1], launch.block[2],
                                         launch.shared_bytes};
  EXPECT_EQ(std::vector(read.launch.begin(), read.launch.end()), written);
  ASSERT_EQ(read.configurations.size(), record.guard.configurations.size());
  for (std::size_t i = 0; i < read.configurations.size(); ++i)
    EXPECT_TRUE(std::ranges::equal(read.configurations[i], record.guard.configurations[i]));
}

TEST(ParseRecord, UnderstandsEveryCommittedRecordAsTuningDoes) {
  namespace fs = std::filesystem;
  const fs::path root = SOURCE_ROOT;
  std::vector<fs::path> folders{root / "tests/level1/evolved"};
  for (const auto &example : fs::directory_iterator(root / "examples"))
    folders.push_back(example.path() / "tuned");
  std::size_t count = 0;
  for (const auto &folder : folders)
    for (const auto &path : find_records(folder)) {
      SCOPED_TRACE(path);
      const auto text = read_file(path);
      ASSERT_TRUE(text);
      const auto read = parse_record(*text, path, folder.parent_path());
      const auto record = record_from_json(*text);
      ASSERT_TRUE(read) << read.error().message;
      ASSERT_TRUE(record) << record.error().message;
      expect_same(*read, *record, folder.parent_path());
      ++count;
    }
  EXPECT_GE(count, 11u);
}

TEST(ParseRecord, TakesAListWhereThereIsNoExpression) {
  const auto record = changed(R"X("(rows + 255) / 256")X", R"("")");
  EXPECT_FALSE(record) << "neither expression nor list would mean any configuration";
  auto text = replace_all(kRecord, R"X("(rows + 255) / 256")X", R"("")");
  const auto listed =
      parsed(replace_all(text, R"("configurations": [])", R"("configurations": [[4,1,1,256,1,1,0]])"));
  ASSERT_TRUE(listed);
  EXPECT_EQ(listed->configurations.at(0)[3], 256u);
  EXPECT_EQ(listed->launch[3], "") << "the list alone counts then";
}

TEST(ParseRecord, TakesIntegersOnly) {
  const auto greatest = [](const std::string &number) {
    const auto record = changed("8193]", number + "]");
    return record ? std::to_string(record->domain.at(0).greatest) : "refused";
  };
  EXPECT_EQ(greatest("1024.0"), "1024");
  EXPECT_EQ(greatest("-7"), "-7");
  EXPECT_EQ(greatest("9223372036854775807"), "9223372036854775807");
  for (const char *bad : {"8193.5", "9223372036854775808", "1e300", "\"4\"", "true", "null", "[4]"})
    EXPECT_EQ(greatest(bad), "refused") << bad;
  auto text = replace_all(kRecord, R"X("(rows + 255) / 256")X", R"("")");
  const auto listed = [&](const std::string &number) {
    return parsed(replace_all(text, R"("configurations": [])",
                              R"("configurations": [[4,1,1,256,1,1,)" + number + "]]"));
  };
  EXPECT_EQ(listed("18446744073709551615")->configurations.at(0)[6], ~0ULL);
  EXPECT_EQ(listed("16.0")->configurations.at(0)[6], 16u);
  EXPECT_FALSE(listed("-1"));
  EXPECT_FALSE(listed("-1.0"));
}

TEST(ParseRecord, SaysWhyAnExpressionIsRefused) {
  EXPECT_EQ(complaint("min(rows, 256)", "rows; x"), "member 'launch': 'rows; x': unexpected ';'");
  EXPECT_EQ(complaint("min(rows, 256)", "rows + cols"),
            "member 'launch': 'rows + cols' names 'cols', which is not a parameter");
}

TEST(ParseRecord, RefusesAMemberThatIsThereTwice) {
  EXPECT_EQ(complaint("\"domain\": {", "\"domain\": {\"rows\": [1, 2], "),
            "it has the member 'rows' twice in one object");
}

TEST(ParseRecord, NamesWhatIsMissing) {
  EXPECT_THAT(complaint("\"cupilot_record\": 1", "\"cupilot_record\": 2"), HasSubstr("another version"));
  for (const char *member :
       {"kernel_id", "variant_sha256", "instantiation", "guard", "parameters", "launch", "macros"})
    EXPECT_THAT(complaint("\"" + std::string(member) + "\"", "\"other\""),
                HasSubstr("'" + std::string(member) + "'"));
  EXPECT_THAT(complaint("8193]", "8193.5]"), HasSubstr("'domain'"));
}

TEST(ParseRecord, LetsNothingIntoTheGeneratedCodeButNamesAndExpressions) {
  for (const char *expression : {"system(rows)", "rows; x", "rows + cols", "rows /* */", "rows++", "\\\"",
                                 "1 // rows", "rows.x", "rows[0]", "{rows}", ""})
    EXPECT_THAT(complaint("min(rows, 256)", expression), testing::AnyOf(HasSubstr("'launch'"))) << expression;
  EXPECT_THAT(complaint("\"ns\", \"\"", "\"ns{}\""), HasSubstr("'namespaces'"));
  EXPECT_THAT(complaint("rms_norm<float, 128>", "rms_norm;"), HasSubstr("'instantiation'"));
  EXPECT_THAT(complaint("\"arch\": \"sm_90\"", "\"arch\": \"90\""), HasSubstr("'arch'"));
  EXPECT_THAT(complaint("ns.rms_norm", "a\\\"b"), HasSubstr("'name'"));
  EXPECT_THAT(complaint("\"domain\": {\"rows\"", "\"domain\": {\"cols\""), HasSubstr("'domain'"));
}

}  // namespace
}  // namespace cupilot::launcher
