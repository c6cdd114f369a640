// SPDX-License-Identifier: Apache-2.0
//
// cudaMemcpy and its forms. The asynchronous ones are done when they return, unless their stream is captured.

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/memory/copy.h"
#include "evolution/emulate/runtime/api/stream/stream.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

int copy_2d(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width,
            std::size_t height, int kind) {
  auto *const source = const_cast<std::byte *>(static_cast<const std::byte *>(from));
  if (width > to_pitch || width > from_pitch) return cupilot::emulate::runtime::abi::kInvalidPitchValue;
  return cupilot::emulate::runtime::copy_region({static_cast<std::byte *>(to), to_pitch, 0},
                                                {source, from_pitch, 0}, {width, height, 1}, kind);
}

cupilot::emulate::runtime::abi::Copy3D one_device(const cupilot::emulate::runtime::abi::Copy3DPeer &peer) {
  return {peer.source_array,
          peer.source_position,
          peer.source,
          peer.destination_array,
          peer.destination_position,
          peer.destination,
          peer.extent,
          cupilot::emulate::runtime::abi::kDeviceToDevice};
}

int captured(void *stream, std::function<int()> work) {
  return cupilot::emulate::runtime::submit(stream, cupilot::emulate::runtime::NodeKind::memcpy,
                                           std::move(work));
}

}  // namespace

extern "C" {

int cudaMemcpy(void *to, const void *from, std::size_t bytes, int kind) {
  return cupilot::emulate::runtime::call(
      [&] { return cupilot::emulate::runtime::copy_bytes(to, from, bytes, kind); });
}
CUPILOT_PER_THREAD(int, cudaMemcpy, _ptds, void *, const void *, std::size_t, int);

int cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, int kind, void *stream) {
  return cupilot::emulate::runtime::call([&] {
    return captured(stream, [=] { return cupilot::emulate::runtime::copy_bytes(to, from, bytes, kind); });
  });
}
CUPILOT_PER_THREAD(int, cudaMemcpyAsync, _ptsz, void *, const void *, std::size_t, int, void *);

int cudaMemcpyPeer(void *to, int, const void *from, int, std::size_t bytes) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::copy_bytes(to, from, bytes,
                                                 cupilot::emulate::runtime::abi::kDeviceToDevice);
  });
}
int cudaMemcpyPeerAsync(void *to, int, const void *from, int, std::size_t bytes, void *stream) {
  return cupilot::emulate::runtime::call([&] {
    return captured(stream, [=] {
      return cupilot::emulate::runtime::copy_bytes(to, from, bytes,
                                                   cupilot::emulate::runtime::abi::kDeviceToDevice);
    });
  });
}

int cudaMemcpy2D(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width,
                 std::size_t height, int kind) {
  return cupilot::emulate::runtime::call(
      [&] { return copy_2d(to, to_pitch, from, from_pitch, width, height, kind); });
}
CUPILOT_PER_THREAD(int, cudaMemcpy2D, _ptds, void *, std::size_t, const void *, std::size_t, std::size_t,
                   std::size_t, int);

int cudaMemcpy2DAsync(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, int kind, void *stream) {
  return cupilot::emulate::runtime::call([&] {
    return captured(stream, [=] { return copy_2d(to, to_pitch, from, from_pitch, width, height, kind); });
  });
}
CUPILOT_PER_THREAD(int, cudaMemcpy2DAsync, _ptsz, void *, std::size_t, const void *, std::size_t, std::size_t,
                   std::size_t, int, void *);

int cudaMemcpy3D(const cupilot::emulate::runtime::abi::Copy3D *copy) {
  return cupilot::emulate::runtime::call([&] { return cupilot::emulate::runtime::copy_3d(*copy); });
}
CUPILOT_PER_THREAD(int, cudaMemcpy3D, _ptds, const cupilot::emulate::runtime::abi::Copy3D *);

int cudaMemcpy3DAsync(const cupilot::emulate::runtime::abi::Copy3D *copy, void *stream) {
  return cupilot::emulate::runtime::call(
      [&] { return captured(stream, [copy = *copy] { return cupilot::emulate::runtime::copy_3d(copy); }); });
}
CUPILOT_PER_THREAD(int, cudaMemcpy3DAsync, _ptsz, const cupilot::emulate::runtime::abi::Copy3D *, void *);

int cudaMemcpy3DPeer(const cupilot::emulate::runtime::abi::Copy3DPeer *copy) {
  return cupilot::emulate::runtime::call(
      [&] { return cupilot::emulate::runtime::copy_3d(one_device(*copy)); });
}
CUPILOT_PER_THREAD(int, cudaMemcpy3DPeer, _ptds, const cupilot::emulate::runtime::abi::Copy3DPeer *);

int cudaMemcpy3DPeerAsync(const cupilot::emulate::runtime::abi::Copy3DPeer *copy, void *stream) {
  return cupilot::emulate::runtime::call([&] {
    return captured(stream, [copy = one_device(*copy)] { return cupilot::emulate::runtime::copy_3d(copy); });
  });
}
CUPILOT_PER_THREAD(int, cudaMemcpy3DPeerAsync, _ptsz, const cupilot::emulate::runtime::abi::Copy3DPeer *,
                   void *);

}  // extern "C"
