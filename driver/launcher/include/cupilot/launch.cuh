// SPDX-License-Identifier: Apache-2.0
//
// What a variant sees of the launch it may replace. Included by the wrapper after the user's file and by the
// judge's candidate files; C++14 upward; no state, no library but the CUDA runtime.

#pragma once

#include <cuda_runtime.h>

namespace cupilot {

/// One intercepted launch. `scratch` memory lives until the variant's work on `stream` is done.
class Launch {
public:
  Launch(dim3 grid_dim, dim3 block_dim, size_t shared, cudaStream_t on)
      : grid(grid_dim), block(block_dim), shared_bytes(shared), stream(on) {}
  Launch(const Launch &) = delete;
  Launch &operator=(const Launch &) = delete;
  ~Launch() {
    for (int i = 0; i < used_; ++i) (void)cudaFreeAsync(pieces_[i], stream);
  }

  const dim3 grid, block;     ///< as the user configured the original
  const size_t shared_bytes;  ///< dynamic shared memory, bytes
  const cudaStream_t stream;

  /// True when every pointer is a multiple of `bytes`.
  template <class... Pointers>
  bool aligned(size_t bytes, Pointers... pointers) const {
    const size_t addresses[] = {reinterpret_cast<size_t>(pointers)...};
    for (const size_t address : addresses)
      if (address % bytes) return false;
    return true;
  }

  /// True when [a, a+a_bytes) and [b, b+b_bytes) have no byte in common.
  static bool disjoint(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
    const char *x = static_cast<const char *>(a), *y = static_cast<const char *>(b);
    return x + a_bytes <= y || y + b_bytes <= x;
  }

  /// Stream-ordered device memory, at most 8 pieces a launch; null when there is none: then return false.
  void *scratch(size_t bytes) const {
    if (used_ == 8) return nullptr;
    void *piece = nullptr;
    if (cudaMallocAsync(&piece, bytes, stream) != cudaSuccess) {
      (void)cudaGetLastError();
      return nullptr;
    }
    scratch_bytes_ += bytes;
    return pieces_[used_++] = piece;
  }
  size_t scratch_bytes() const { return scratch_bytes_; }

private:
  mutable void *pieces_[8] = {};
  mutable int used_ = 0;
  mutable size_t scratch_bytes_ = 0;
};

}  // namespace cupilot
