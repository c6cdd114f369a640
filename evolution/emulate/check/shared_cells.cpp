// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/check/shared_cells.h"

#include <algorithm>

namespace cupilot::emulate::check {

SharedCells::SharedCells(std::uint32_t bytes, bool races) : bytes_(races ? bytes : 0) {
  if (races) allocate();
}

void SharedCells::allocate() {
  const std::size_t count = (bytes_ >> shift_) + 1;
  storage_.assign(3 * count, 0);
  pcs_.assign(3 * count, 0);
  cells_ = {storage_.data(), storage_.data() + count, storage_.data() + 2 * count,
            pcs_.data(),     pcs_.data() + count,     pcs_.data() + 2 * count};
}

void SharedCells::split() {
  const std::vector<Cell> cells = std::move(storage_);
  const std::vector<std::uint32_t> pcs = std::move(pcs_);
  const std::size_t before = cells.size() / 3;
  --shift_;
  allocate();
  const std::size_t count = storage_.size() / 3;
  for (std::size_t array = 0; array < 3; ++array)
    for (std::size_t i = 0; i < count; ++i) {
      storage_[array * count + i] = cells[array * before + i / 2];
      pcs_[array * count + i] = pcs[array * before + i / 2];
    }
}

void SharedCells::forget() {
  std::fill(storage_.begin(), storage_.end(), 0);
}

void AsyncCopies::issue(std::uint32_t thread, std::uint64_t address, std::uint8_t bytes) {
  copies_.push_back({.address = address, .thread = thread, .group = groups_[thread], .bytes = bytes});
}

}  // namespace cupilot::emulate::check
