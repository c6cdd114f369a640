// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace cupilot {
namespace fs = std::filesystem;

TEST(Files, WhatIsWrittenIsRead) {
  const auto folder = TemporaryFolder::create("cupilot-test");
  ASSERT_TRUE(folder);
  const auto path = folder->path() / "a" / "b.txt";
  const std::string content = std::string("line\n\0rest", 10) + std::string(100000, 'x');
  ASSERT_TRUE(write_file_atomic(path, content));
  EXPECT_EQ(read_file(path).value(), content);
  ASSERT_TRUE(write_file_atomic(path, "new"));
  EXPECT_EQ(read_file(path).value(), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1) << "no file left aside";
}

TEST(Files, ErrorsNameTheFile) {
  const auto missing = read_file("/nonexistent/file");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "cannot read '/nonexistent/file': No such file or directory");
  const auto folder = read_file("/");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message, "cannot read '/': it is a folder");
  EXPECT_FALSE(write_file_atomic("/proc/cupilot/x", "y"));
}

TEST(Files, OnlyARegularFileOfASensibleSizeIsRead) {
  const auto folder = TemporaryFolder::create("cupilot-test").value();
  const auto at = [&](const char *name) { return folder.path() / name; };
  ASSERT_TRUE(write_file_atomic(at("ten"), "0123456789"));
  EXPECT_EQ(read_regular_file(at("ten"), 10).value(), "0123456789");
  EXPECT_EQ(read_regular_file(at("ten"), 9).error().message,
            "cannot read '" + at("ten").string() + "': it has more than 9 bytes");
  EXPECT_FALSE(read_regular_file("/proc/self/maps", 10)) << "a file that says it is empty";
  EXPECT_TRUE(read_regular_file("/proc/self/maps", 1 << 20));
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  fs::create_symlink("loop", at("loop"));
  for (const fs::path &path : {at("pipe"), at("loop"), folder.path(), fs::path("/dev/zero"), at("missing")})
    EXPECT_FALSE(read_regular_file(path, 1 << 20)) << path;
}

TEST(Files, ATemporaryFolderGoesAway) {
  fs::path kept;
  {
    const auto folder = TemporaryFolder::create("cupilot-test");
    kept = folder->path();
    EXPECT_TRUE(fs::is_directory(kept));
  }
  EXPECT_FALSE(fs::exists(kept));
}

TEST(FileLock, ExcludesASecondHolderAndNamesTheFirst) {
  const auto folder = TemporaryFolder::create("cupilot-test");
  const auto path = folder->path() / "lock";
  {
    const auto first = FileLock::acquire(path);
    ASSERT_TRUE(first);
    const auto second = FileLock::acquire(path);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("process " + std::to_string(::getpid())), std::string::npos);
    EXPECT_EQ(second.error().blame, Blame::user);
  }
  EXPECT_TRUE(FileLock::acquire(path));
}

}  // namespace cupilot
