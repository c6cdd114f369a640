// SPDX-License-Identifier: Apache-2.0
//
// cudaMemset and its forms.

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/memory/copy.h"
#include "evolution/emulate/runtime/api/stream/stream.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

int fill(void *to, int value, std::size_t bytes) {
  return cupilot::emulate::runtime::fill_region({static_cast<std::byte *>(to), bytes, bytes}, {bytes, 1, 1},
                                                static_cast<unsigned>(value), 1);
}
int fill_2d(void *to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  if (height > 1 && pitch < width) return cupilot::emulate::runtime::abi::kInvalidPitchValue;
  return cupilot::emulate::runtime::fill_region({static_cast<std::byte *>(to), pitch, 0}, {width, height, 1},
                                                static_cast<unsigned>(value), 1);
}
int fill_3d(const cupilot::emulate::runtime::abi::PitchedPointer &to, int value,
            const cupilot::emulate::runtime::abi::Extent &extent) {
  const auto rows = to.ysize ? to.ysize : extent.height;
  return cupilot::emulate::runtime::fill_region(
      {static_cast<std::byte *>(to.pointer), to.pitch, to.pitch * rows},
      {extent.width, extent.height, extent.depth}, static_cast<unsigned>(value), 1);
}
int captured(void *stream, std::function<int()> work) {
  return cupilot::emulate::runtime::submit(stream, cupilot::emulate::runtime::NodeKind::memset,
                                           std::move(work));
}

}  // namespace

extern "C" {

int cudaMemset(void *to, int value, std::size_t bytes) {
  return cupilot::emulate::runtime::call([&] { return fill(to, value, bytes); });
}
CUPILOT_PER_THREAD(int, cudaMemset, _ptds, void *, int, std::size_t);

int cudaMemsetAsync(void *to, int value, std::size_t bytes, void *stream) {
  return cupilot::emulate::runtime::call(
      [&] { return captured(stream, [=] { return fill(to, value, bytes); }); });
}
CUPILOT_PER_THREAD(int, cudaMemsetAsync, _ptsz, void *, int, std::size_t, void *);

int cudaMemset2D(void *to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return cupilot::emulate::runtime::call([&] { return fill_2d(to, pitch, value, width, height); });
}
CUPILOT_PER_THREAD(int, cudaMemset2D, _ptds, void *, std::size_t, int, std::size_t, std::size_t);

int cudaMemset2DAsync(void *to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      void *stream) {
  return cupilot::emulate::runtime::call(
      [&] { return captured(stream, [=] { return fill_2d(to, pitch, value, width, height); }); });
}
CUPILOT_PER_THREAD(int, cudaMemset2DAsync, _ptsz, void *, std::size_t, int, std::size_t, std::size_t, void *);

int cudaMemset3D(cupilot::emulate::runtime::abi::PitchedPointer to, int value,
                 cupilot::emulate::runtime::abi::Extent extent) {
  return cupilot::emulate::runtime::call([&] { return fill_3d(to, value, extent); });
}
CUPILOT_PER_THREAD(int, cudaMemset3D, _ptds, cupilot::emulate::runtime::abi::PitchedPointer, int,
                   cupilot::emulate::runtime::abi::Extent);

int cudaMemset3DAsync(cupilot::emulate::runtime::abi::PitchedPointer to, int value,
                      cupilot::emulate::runtime::abi::Extent extent, void *stream) {
  return cupilot::emulate::runtime::call(
      [&] { return captured(stream, [=] { return fill_3d(to, value, extent); }); });
}
CUPILOT_PER_THREAD(int, cudaMemset3DAsync, _ptsz, cupilot::emulate::runtime::abi::PitchedPointer, int,
                   cupilot::emulate::runtime::abi::Extent, void *);

}  // extern "C"
