// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "annotate/support/files.h"
#include "annotate/support/process.h"

namespace cupilot {
using namespace provider;
namespace {

namespace fs = std::filesystem;

/// Unpacks every recording below a folder into another one. Python's standard library reads xz, so that no
/// library is needed for it here.
constexpr const char *kUnpack = R"(
import lzma, pathlib, sys
for path in pathlib.Path(sys.argv[1]).rglob("*.jsonl.xz"):
    (pathlib.Path(sys.argv[2]) / path.stem).write_bytes(lzma.decompress(path.read_bytes()))
)";

/// The first line at which the two differ, for a message that a person can read.
std::size_t first_difference(const std::string &a, const std::string &b) {
  const auto [at, ignored] = std::ranges::mismatch(a, b);
  return 1 + static_cast<std::size_t>(std::count(a.begin(), at, '\n'));
}

TEST(Recording, EveryCommittedOneIsWrittenAgainByteForByte) {
  const auto folder = TemporaryFolder::create("recordings");
  ASSERT_TRUE(folder) << folder.error().message;
  ProcessRequest request;
  request.argv = {PYTHON, "-c", kUnpack, fs::path(SOURCE_ROOT) / "tests/level1", folder->path()};
  const auto unpacked = run_process(request);
  ASSERT_TRUE(unpacked && unpacked->ok()) << (unpacked ? unpacked->err : unpacked.error().message);

  std::size_t count = 0;
  for (const auto &entry : fs::directory_iterator(folder->path())) {
    SCOPED_TRACE(entry.path());
    const std::string text = read_file(entry.path()).value();
    const auto recording = recording_from(text);
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_FALSE(recording->questions.empty());
    EXPECT_FALSE(recording->verdicts.empty());
    const std::string again = to_json_lines(*recording);
    EXPECT_TRUE(again == text) << "differs at line " << first_difference(text, again);
    ++count;
  }
  EXPECT_GE(count, 24u);
}

}  // namespace
}  // namespace cupilot
