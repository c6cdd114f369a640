// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/shapes.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/capture/seen_json.h"
#include "evolution/capture/watcher.h"

namespace cupilot::capture {
namespace {

namespace fs = std::filesystem;

using Key = std::tuple<std::string, std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>, std::uint64_t,
                       std::vector<std::string>>;

Key key_of(const SeenLaunch &launch) {
  std::vector<std::string> values;
  for (const SeenScalar &scalar : launch.scalars)
    if (scalar.whole) values.push_back(scalar.value);
  return {launch.kernel, launch.grid, launch.block, launch.shared_bytes, values};
}

void widen(std::optional<std::uint64_t> &end, const std::optional<std::uint64_t> &other) {
  if (other) end = std::max(end.value_or(0), *other);
}

/// Of two launches of a shape.
void merge(SeenBuffer &into, const SeenBuffer &other) {
  into.null = into.null || other.null;
  into.bytes = std::min(into.bytes, other.bytes);
  into.reads_input = into.reads_input || other.reads_input;
  widen(into.read_end, other.read_end);
  widen(into.written_end, other.written_end);
}

struct Gathered {
  SeenShape shape;
  std::uint64_t looks = 0;
  double first_work = 0;  ///< of the first look in each process, which may include loading the kernel's code
  std::uint64_t first_looks = 0;
  std::map<std::int64_t, std::uint64_t> numbers;  ///< of the shape, in each process
};

class Reader {
public:
  Seen run(const std::vector<fs::path> &files) {
    for (const fs::path &file : files) {
      const auto name = file.filename().string();
      const auto text = read_file(file);
      if (!text) continue;
      if (name.starts_with(kCountsPrefix)) counts(name, *text);
      if (name.starts_with(kLaunchesPrefix)) launches(*text);
    }
    Seen seen;
    seen.damaged = damaged_;
    for (auto &[key, gathered] : shapes_) seen.shapes.push_back(counted(gathered));
    for (const auto &[process, numbers] : counts_)
      for (const auto launches : numbers) seen.others += launches;
    std::ranges::stable_sort(seen.shapes, [](const SeenShape &a, const SeenShape &b) {
      return std::tuple(a.first.kernel, -a.work) < std::tuple(b.first.kernel, -b.work);
    });
    return seen;
  }

private:
  void counts(const std::string &name, const std::string &text) {
    auto &numbers = counts_[std::atoll(name.c_str() + std::strlen(kCountsPrefix))];
    numbers.resize(text.size() / sizeof numbers[0]);
    std::memcpy(numbers.data(), text.data(), numbers.size() * sizeof numbers[0]);
  }

  void launches(const std::string &text) {
    for (const std::string &line : split_lines(text)) {
      if (trim(line).empty()) continue;
      auto launch = launch_from_json(line);
      if (!launch) {  // the last line of a process that was killed
        ++damaged_;
        continue;
      }
      const auto key = key_of(*launch);
      Gathered &gathered = shapes_[key];
      const bool fresh = gathered.numbers.insert_or_assign(launch->process, launch->shape).second;
      (fresh ? gathered.first_work : gathered.shape.work) += launch->work;
      gathered.first_looks += fresh;
      if (gathered.looks++ == 0) {
        gathered.shape.first = std::move(*launch);
        continue;
      }
      auto &buffers = gathered.shape.first.buffers;
      for (std::size_t i = 0; i < std::min(buffers.size(), launch->buffers.size()); ++i)
        merge(buffers[i], launch->buffers[i]);
    }
  }

  /// Takes its launches out of the counts.
  SeenShape counted(Gathered &gathered) {
    for (const auto &[process, number] : gathered.numbers)
      if (number < counts_[process].size())
        gathered.shape.launches += std::exchange(counts_[process][number], 0);
    gathered.shape.launches = std::max(gathered.shape.launches, gathered.looks);
    const auto later = gathered.looks - gathered.first_looks;
    const double mean = later > 0 ? gathered.shape.work / static_cast<double>(later)
                                  : gathered.first_work / static_cast<double>(gathered.first_looks);
    gathered.shape.work = mean * static_cast<double>(gathered.shape.launches);
    return std::move(gathered.shape);
  }

  std::map<Key, Gathered> shapes_;
  std::map<std::int64_t, std::vector<std::uint64_t>> counts_;
  std::size_t damaged_ = 0;
};

}  // namespace

Result<Seen> read_seen(const fs::path &folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto &entry : fs::directory_iterator(folder, failed)) files.push_back(entry.path());
  if (failed) return fail("cannot read '" + folder.string() + "': " + failed.message());
  std::ranges::sort(files);
  return Reader().run(files);
}

}  // namespace cupilot::capture
