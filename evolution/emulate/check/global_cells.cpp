// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/check/global_cells.h"

#include <algorithm>

namespace cupilot::emulate::check {
namespace {

constexpr std::size_t kPagesOfSlab = 64;

/// The arrays of one page, one after the other. The size of each is a multiple of the system's page, so the
/// arrays of second readers take no memory until they are used.
std::size_t bytes_of_page(std::size_t granules) {
  return granules * (3 * sizeof(Cell) + 3 * sizeof(std::uint32_t));
}

Cells cells_at(std::byte *from, std::size_t granules) {
  auto *cells = reinterpret_cast<Cell *>(from);
  auto *pcs = reinterpret_cast<std::uint32_t *>(from + 2 * granules * sizeof(Cell));
  auto *second = reinterpret_cast<Cell *>(pcs + 2 * granules);
  return {.writer = cells,
          .reader = cells + granules,
          .second = second,
          .writer_pc = pcs,
          .reader_pc = pcs + granules,
          .second_pc = reinterpret_cast<std::uint32_t *>(second + granules)};
}

}  // namespace

GlobalCells::GlobalCells(const memory::Memory &memory)
    : begin_(memory.begin()), end_(memory.end()), pages_((end_ - begin_) / kPage + 1) {}

std::uint32_t GlobalCells::number_threads(std::uint64_t count) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  if (count > kMost - kFirst) return 0;
  if (next_thread_ + count > kMost) {
    // All numbers were used, so the old cells are discarded.
    for (auto &unused : unused_) unused.clear();
    all_.clear();
    slabs_.clear();
    next_thread_ = kFirst;
  }
  const auto first = static_cast<std::uint32_t>(next_thread_);
  next_thread_ += count;
  return first;
}

void GlobalCells::end_launch() {
  for (const std::uint64_t index : touched_) pages_[index] = nullptr;
  touched_.clear();
  for (CellPage *page : in_launch_) unused_[page->shift].push_back(page);
  in_launch_.clear();
}

CellPage *GlobalCells::take(unsigned shift) {
  auto &unused = unused_[shift];
  if (unused.empty()) {
    const std::size_t granules = kPage >> shift, bytes = bytes_of_page(granules);
    LazyArray<std::byte> slab(bytes * kPagesOfSlab);
    if (!slab) return nullptr;
    for (std::size_t i = kPagesOfSlab; i-- > 0;) {
      all_.push_back(std::make_unique<CellPage>());
      all_.back()->cells = cells_at(slab.data() + i * bytes, granules);
      all_.back()->shift = shift;
      unused.push_back(all_.back().get());
    }
    slabs_.push_back(std::move(slab));
  }
  CellPage *page = unused.back();
  unused.pop_back();
  page->written = false;
  page->read = false;
  in_launch_.push_back(page);
  return page;
}

CellPage *GlobalCells::make_page(std::uint64_t index, unsigned bytes) {
  std::lock_guard lock(making_);
  CellPage *page = pages_[index];
  unsigned shift = page ? page->shift : 2;
  while ((1u << shift) > bytes) --shift;
  if (page && page->shift <= shift) return page;
  CellPage *made = take(shift);
  if (!made) return nullptr;
  if (page)
    split(*page, *made);
  else
    touched_.push_back(index);
  __atomic_store_n(&pages_[index], made, __ATOMIC_RELEASE);
  return made;
}

/// Each part of a wide granule inherits its remembered accesses.
void GlobalCells::split(const CellPage &from, CellPage &to) const {
  const unsigned by = from.shift - to.shift;
  for (std::size_t i = 0; i < kPage >> to.shift; ++i) {
    const Cells old = from.cells.at(i >> by), fresh = to.cells.at(i);
    *fresh.writer = *old.writer;
    *fresh.reader = *old.reader;
    *fresh.writer_pc = *old.writer_pc;
    *fresh.reader_pc = *old.reader_pc;
    if (!(*old.reader & kMore)) continue;
    *fresh.second = *old.second;
    *fresh.second_pc = *old.second_pc;
  }
  to.written = from.written.load();
  to.read = from.read.load();
}

}  // namespace cupilot::emulate::check
