// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "annotate/support/files.h"
#include "evolution/emulate/estimate/derive.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::estimate;
namespace {

using testing::HasSubstr;

/// The user's data folder is an empty one of the test's own.
class DeviceTables : public testing::Test {
protected:
  void SetUp() override {
    auto folder = TemporaryFolder::create("cupilot-devices-test");
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    setenv("XDG_DATA_HOME", folder_->path().c_str(), 1);
  }
  void write_own(const DeviceTable &table, const std::string &name) {
    std::filesystem::create_directories(user_tables_folder());
    ASSERT_TRUE(write_file_atomic(user_tables_folder() + "/" + name, device_table_json(table)));
  }
  std::optional<TemporaryFolder> folder_;
};

TEST_F(DeviceTables, KeysAreDifferentAndExplained) {
  std::set<std::string> names;
  for (const DeviceKey &key : device_keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_STRNE(key.meaning, "") << key.name;
  }
}

TEST_F(DeviceTables, EveryBuiltInOneIsCompleteAndHasASource) {
  const auto tables = built_in_tables();
  std::set<std::string> architectures;
  for (const DeviceTable &table : tables) {
    EXPECT_EQ(table.values.size(), device_keys().size()) << table.name;
    EXPECT_FALSE(table.source.empty()) << table.name;
    architectures.insert(table.architecture);
  }
  EXPECT_EQ(architectures, (std::set<std::string>{"sm_80", "sm_86", "sm_89", "sm_90", "sm_100"}));
}

TEST_F(DeviceTables, AnArchitectureMeansItsCalibratedTable) {
  const auto table = device_table("sm_90");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->name, "NVIDIA H200");
  ASSERT_TRUE(device_table("sm_90_h100"));
  EXPECT_EQ(device_table("sm_90_h100")->name, "NVIDIA H100");
  EXPECT_EQ(device_table("sm_90a")->name, "NVIDIA H200");
  EXPECT_FALSE(device_table("sm_a"));
  EXPECT_EQ(device_table("NVIDIA A100")->architecture, "sm_80");
}

TEST_F(DeviceTables, TheUsersOwnComesFirst) {
  auto own = *device_table("sm_90");
  own.values["dram_gbs"] = 1234;
  write_own(own, "sm_90_mine.json");
  EXPECT_EQ(device_table("sm_90")->values.at("dram_gbs"), 1234);
  EXPECT_EQ(device_table("sm_90_mine")->values.at("dram_gbs"), 1234);
  EXPECT_NE(device_table("sm_90_h200")->values.at("dram_gbs"), 1234);
}

TEST_F(DeviceTables, ADamagedOneOfTheUsersIsAnErrorOnlyWhenItIsMeant) {
  std::filesystem::create_directories(user_tables_folder());
  ASSERT_TRUE(write_file_atomic(user_tables_folder() + "/broken.json", "{"));
  EXPECT_TRUE(device_table("sm_90"));
  const auto table = device_table("broken");
  ASSERT_FALSE(table);
  EXPECT_THAT(table.error().message, HasSubstr("broken.json"));
}

TEST_F(DeviceTables, UnknownNamesGetTheKnownOnes) {
  const auto table = device_table("sm_12");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().blame, Blame::user);
  EXPECT_THAT(table.error().message, HasSubstr("sm_90_h200"));
  EXPECT_THAT(table.error().message, HasSubstr("cupilot calibrate"));
}

TEST_F(DeviceTables, AMissingValueIsNamed) {
  auto text = device_table_json(*device_table("sm_90"));
  text.replace(text.find("dram_gbs"), 8, "drum_gbs");
  const auto table = read_device_table(text, "x.json");
  ASSERT_FALSE(table);
  EXPECT_THAT(table.error().message, HasSubstr("x.json: there is no value for 'dram_gbs'"));
}

}  // namespace
}  // namespace cupilot::emulate
