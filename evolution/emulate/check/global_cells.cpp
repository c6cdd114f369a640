// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/check/global_cells.h"

namespace cupilot::emulate {
namespace {

constexpr std::uint64_t kManyBytes = 16u << 20;

}  // namespace

GlobalCells::GlobalCells(const Memory &memory)
    : begin_(memory.begin()), end_(memory.end()), splits_((end_ - begin_) / kPage + 1) {
  available_ = static_cast<bool>(splits_);
  const bool large = memory.used() > kManyBytes;
  for (unsigned i = 0; i < 3 && available_; ++i) {
    Level &level = levels_[i];
    const std::uint64_t count = ((end_ - begin_) >> (2 - i)) + 1;
    for (auto *array : {&level.writer, &level.reader, &level.second}) {
      *array = LazyArray<Cell>(count);
      available_ = available_ && *array;
      if (large) array->prefer_large_pages();
    }
    for (auto *array : {&level.writer_pc, &level.reader_pc, &level.second_pc}) {
      *array = LazyArray<std::uint32_t>(count);
      available_ = available_ && *array;
      if (large) array->prefer_large_pages();
    }
    level.cells = {level.writer.data(),    level.reader.data(),    level.second.data(),
                   level.writer_pc.data(), level.reader_pc.data(), level.second_pc.data()};
  }
}

std::uint32_t GlobalCells::number_threads(std::uint64_t count) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  if (count > kMost - kLanesOfFirst) return 0;
  if (next_thread_ + count > kMost) {
    for (Level &level : levels_)
      for (auto *array : {&level.writer, &level.reader, &level.second}) array->zero();
    next_thread_ = kLanesOfFirst;
  }
  const auto first = static_cast<std::uint32_t>(next_thread_);
  next_thread_ += count;
  return first;
}

void GlobalCells::split(std::uint64_t address) {
  std::lock_guard lock(splitting_);
  const std::uint64_t page = (address - begin_) / kPage;
  const unsigned level = splits_[page];
  if (level == 2) return;
  const unsigned shift = 2 - level;
  const Cells from = cells(begin_ + page * kPage, shift), to = cells(begin_ + page * kPage, shift - 1);
  for (std::uint64_t i = 0; i < kPage >> shift; ++i)
    for (std::uint64_t half = 2 * i; half < 2 * i + 2; ++half) {
      // What was never touched stays untouched: its pages cost memory.
      if (from.writer[i] || to.writer[half]) to.writer[half] = from.writer[i];
      if (from.reader[i] || to.reader[half]) to.reader[half] = from.reader[i];
      if (from.second[i] || to.second[half]) to.second[half] = from.second[i];
      if (from.writer[i]) to.writer_pc[half] = from.writer_pc[i];
      if (from.reader[i]) to.reader_pc[half] = from.reader_pc[i];
      if (from.second[i]) to.second_pc[half] = from.second_pc[i];
    }
  __atomic_store_n(&splits_[page], static_cast<std::uint8_t>(level + 1), __ATOMIC_RELEASE);
}

}  // namespace cupilot::emulate
