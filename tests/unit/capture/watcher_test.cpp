// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "annotate/support/files.h"
#include "evolution/capture/seen_json.h"
#include "evolution/capture/shapes.h"

namespace cupilot::capture {
namespace {

using testing::SizeIs;

/// Memory of this process, all of it one allocation of 64 floats.
class OwnMemory final : public WatchedMemory {
public:
  std::vector<float> values = std::vector<float>(64, 1.f);
  std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(values.data()); }
  std::optional<Allocation> allocation(std::uint64_t address) override {
    if (address < begin() || address >= begin() + 256) return std::nullopt;
    return Allocation{begin(), 256};
  }
  bool read(std::uint64_t address, std::span<std::byte> into) override {
    std::memcpy(into.data(), reinterpret_cast<const void *>(address), into.size());
    return true;
  }
};

class Watching : public testing::Test {
protected:
  void SetUp() override { watch({.take = 1}); }

  void watch(Watch watch) {
    watch.kernels = {{"k",
                      "_Z1kPfi",
                      {{"x", "float *", true, false, false, spec::ElementType::f32, "float", 4},
                       {"n", "int", false, false, false, spec::ElementType::i32, "int", 4}}}};
    ASSERT_TRUE(write_file_atomic(folder.path() / kWatchFile, to_json(watch)));
    watcher = std::move(*Watcher::of_folder(folder.path().string()));
  }

  void launch(int n, float result, double work = 10) {
    const std::uint64_t address = memory.begin() + 16;
    Call call{watcher->find("_Z1kPfi"), {4, 1, 1}, {32, 1, 1}, 0, {}};
    call.arguments = {std::as_bytes(std::span(&address, 1)), std::as_bytes(std::span(&n, 1))};
    const auto shape = watcher->count(call);
    if (!shape) return;
    auto look = watcher->before(call, *shape, memory);
    memory.values[4] = result;
    watcher->after(look.seen, work);
  }

  TemporaryFolder folder = std::move(*TemporaryFolder::create("cupilot-watcher-test"));
  std::unique_ptr<Watcher> watcher;
  OwnMemory memory;
};

TEST_F(Watching, KernelsAreFoundByTheNamesThatNvccMakes) {
  EXPECT_TRUE(watcher->find("_Z1kPfi"));
  EXPECT_TRUE(watcher->find("_ZN38_INTERNAL_9c1f1a2b_6_app_cu_1f2e3d4c_91kEPfi"));
  EXPECT_TRUE(watcher->find("_ZN12_GLOBAL__N_11kEPfi"));
  EXPECT_FALSE(watcher->find("_Z1kPf"));
  EXPECT_FALSE(watcher->find("_Z5otherPfi"));
}

TEST_F(Watching, OtherKernelsAreCountedByTheirNamesIfTheyAreWanted) {
  watch({.others = true});
  const auto *const other = watcher->find("_Z5otherIfEvPT_i");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->name, "void other<float>(float*, int)");
  EXPECT_EQ(watcher->find("_Z5otherIfEvPT_i"), other);
  const auto shape = watcher->count({other, {2, 1, 1}, {32, 1, 1}, 0, {}});
  ASSERT_TRUE(shape);
  auto look = watcher->before({other, {2, 1, 1}, {32, 1, 1}, 0, {}}, *shape, memory);
  watcher->after(look.seen, 3);
  launch(60, 2);
  const auto seen = read_seen(folder.path());
  ASSERT_TRUE(seen);
  ASSERT_THAT(seen->shapes, SizeIs(2));
  EXPECT_EQ(seen->shapes[1].first.kernel, other->name);
  EXPECT_THAT(seen->shapes[1].first.buffers, SizeIs(0));
}

TEST_F(Watching, TheFirstLaunchMayHaveLoadedTheKernel) {
  watch({.take = 3});
  launch(60, 2, 500);
  for (int i = 0; i < 4; ++i) launch(60, 2, i == 0 ? 11 : 13);
  const auto seen = read_seen(folder.path());
  ASSERT_TRUE(seen);
  ASSERT_THAT(seen->shapes, SizeIs(1));
  EXPECT_EQ(seen->shapes[0].work, 5 * 12);
}

TEST_F(Watching, LooksAtSomeLaunchesAndCountsAll) {
  for (int i = 0; i < 7; ++i) launch(60, 2);
  launch(8, 1);
  const auto seen = read_seen(folder.path());
  ASSERT_TRUE(seen);
  ASSERT_THAT(seen->shapes, SizeIs(2));
  const SeenShape &most = seen->shapes[0];
  EXPECT_EQ(most.launches, 7u);
  EXPECT_EQ(most.work, 70);
  EXPECT_EQ(most.first.scalars[0].value, "60");
  EXPECT_EQ(most.first.buffers[0].bytes, 240u);           // behind the pointer
  EXPECT_EQ(most.first.buffers[0].contents.greatest, 1);  // before the launch
  EXPECT_EQ(seen->others, 0u);
}

TEST_F(Watching, AForkedProcessIsCountedToo) {
  launch(60, 2);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 3; ++i) launch(60, 2);
    _exit(0);  // as one that is killed: nothing is written at the end
  }
  waitpid(child, nullptr, 0);
  const auto seen = read_seen(folder.path());
  ASSERT_TRUE(seen);
  ASSERT_THAT(seen->shapes, SizeIs(1));
  EXPECT_EQ(seen->shapes[0].launches, 4u);
}

TEST_F(Watching, ALineCutOffLosesNoOther) {
  launch(60, 2);
  ASSERT_TRUE(append_line(folder.path() / "launches.1", "{\"cupilot_launch\":1,\"kern"));
  const auto seen = read_seen(folder.path());
  ASSERT_TRUE(seen);
  EXPECT_THAT(seen->shapes, SizeIs(1));
  EXPECT_EQ(seen->damaged, 1u);
}

TEST(Watcher, AFolderWithoutAWatchIsSaid) {
  const auto none = Watcher::of_folder("/nowhere");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, testing::HasSubstr("/nowhere/watch.json"));
}

}  // namespace
}  // namespace cupilot::capture
