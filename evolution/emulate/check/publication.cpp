// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/check/publication.h"

#include <sys/mman.h>

#include <algorithm>

namespace cupilot::emulate::check {

struct CellPage;

template <typename T>
LazyArray<T>::LazyArray(std::size_t count) : count_(std::max<std::size_t>(count, 1)) {
  void *data = mmap(nullptr, count_ * sizeof(T), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data != MAP_FAILED) data_ = static_cast<T *>(data);
}

template <typename T>
LazyArray<T>::~LazyArray() {
  if (data_) munmap(data_, count_ * sizeof(T));
}

template class LazyArray<std::byte>;
template class LazyArray<std::uint32_t>;
template class LazyArray<CellPage *>;

void Publication::publish(std::uint64_t block, std::uint32_t warp, std::uint32_t stamp) {
  __atomic_store_n(&stamps_[block * warps_ + warp], stamp, __ATOMIC_RELEASE);
  if (first(block) == 0) __atomic_store_n(&first_[block], now_.fetch_add(1) + 1, __ATOMIC_RELEASE);
}

}  // namespace cupilot::emulate::check
