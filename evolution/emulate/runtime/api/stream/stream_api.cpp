// SPDX-License-Identifier: Apache-2.0
//
// Streams and events. Nothing is ever pending: queries answer that all is done, and the time between two
// events is the host's, as the emulator took it.

#include <algorithm>

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/stream/stream.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

int make(void **handle, unsigned flags, int priority) {
  *handle = cupilot::emulate::runtime::make_stream(
      flags, std::clamp(priority, cupilot::emulate::runtime::kHighestPriority, 0));
  return cupilot::emulate::runtime::abi::kSuccess;
}

/// A captured stream has nothing one could wait for.
int settled(void *handle) {
  const auto *stream = cupilot::emulate::runtime::find_stream(handle);
  if (!stream) return cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  return stream->capture ? cupilot::emulate::runtime::abi::kStreamCaptureUnsupported
                         : cupilot::emulate::runtime::abi::kSuccess;
}

int record(void *handle, void *stream_handle) {
  auto *const event = cupilot::emulate::runtime::find_event(handle);
  auto *const stream = cupilot::emulate::runtime::find_stream(stream_handle);
  if (!event || !stream) return cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  event->capture = stream->capture;
  event->tail = stream->tail;
  event->recorded = !stream->capture;
  event->time = std::chrono::steady_clock::now();
  return cupilot::emulate::runtime::abi::kSuccess;
}

/// Waiting for an event of a captured stream draws this one into the capture.
int wait(void *stream_handle, void *handle) {
  auto *const event = cupilot::emulate::runtime::find_event(handle);
  auto *const stream = cupilot::emulate::runtime::find_stream(stream_handle);
  if (!event || !stream) return cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  if (!event->capture) return cupilot::emulate::runtime::abi::kSuccess;
  if (!stream->capture) stream->capture = event->capture;
  if (stream->capture != event->capture) return cupilot::emulate::runtime::abi::kStreamCaptureInvalidated;
  stream->tail.insert(stream->tail.end(), event->tail.begin(), event->tail.end());
  return cupilot::emulate::runtime::abi::kSuccess;
}

int elapsed(float *milliseconds, void *from, void *to) {
  const auto *begin = cupilot::emulate::runtime::find_event(from);
  const auto *end = cupilot::emulate::runtime::find_event(to);
  if (!begin || !end || !begin->recorded || !end->recorded)
    return cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
  return cupilot::emulate::runtime::abi::kSuccess;
}

template <class Read>
int of_stream(void *handle, Read &&read) {
  return cupilot::emulate::runtime::call([&]() -> int {
    const auto *stream = cupilot::emulate::runtime::find_stream(handle);
    if (!stream) return cupilot::emulate::runtime::abi::kInvalidResourceHandle;
    read(*stream);
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}

}  // namespace

extern "C" {

int cudaStreamCreate(void **stream) {
  return cupilot::emulate::runtime::call([&] { return make(stream, 0, 0); });
}
int cudaStreamCreateWithFlags(void **stream, unsigned flags) {
  return cupilot::emulate::runtime::call([&] { return make(stream, flags, 0); });
}
int cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
  return cupilot::emulate::runtime::call([&] { return make(stream, flags, priority); });
}
int cudaStreamDestroy(void *stream) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::destroy_stream(stream)
               ? cupilot::emulate::runtime::abi::kSuccess
               : cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  });
}
int cudaStreamSynchronize(void *stream) {
  return cupilot::emulate::runtime::call([&] { return settled(stream); });
}
CUPILOT_PER_THREAD(int, cudaStreamSynchronize, _ptsz, void *);
int cudaStreamQuery(void *stream) {
  return cupilot::emulate::runtime::call([&] { return settled(stream); });
}
CUPILOT_PER_THREAD(int, cudaStreamQuery, _ptsz, void *);

int cudaStreamWaitEvent(void *stream, void *event, unsigned) {
  return cupilot::emulate::runtime::call([&] { return wait(stream, event); });
}
CUPILOT_PER_THREAD(int, cudaStreamWaitEvent, _ptsz, void *, void *, unsigned);

int cudaStreamGetFlags(void *stream, unsigned *flags) {
  return of_stream(stream, [&](const cupilot::emulate::runtime::Stream &found) { *flags = found.flags; });
}
CUPILOT_PER_THREAD(int, cudaStreamGetFlags, _ptsz, void *, unsigned *);
int cudaStreamGetPriority(void *stream, int *priority) {
  return of_stream(stream,
                   [&](const cupilot::emulate::runtime::Stream &found) { *priority = found.priority; });
}
CUPILOT_PER_THREAD(int, cudaStreamGetPriority, _ptsz, void *, int *);
int cudaStreamGetId(void *stream, unsigned long long *id) {
  return of_stream(stream, [&](const cupilot::emulate::runtime::Stream &found) { *id = found.id; });
}
CUPILOT_PER_THREAD(int, cudaStreamGetId, _ptsz, void *, unsigned long long *);
int cudaStreamGetDevice(void *stream, int *device) {
  return of_stream(stream, [&](const cupilot::emulate::runtime::Stream &) { *device = 0; });
}
CUPILOT_PER_THREAD(int, cudaStreamGetDevice, _ptsz, void *, int *);

// hints about caches and scheduling
int cudaStreamSetAttribute(void *stream, int, const void *) {
  return of_stream(stream, [](const cupilot::emulate::runtime::Stream &) {});
}
CUPILOT_PER_THREAD(int, cudaStreamSetAttribute, _ptsz, void *, int, const void *);
int cudaStreamCopyAttributes(void *stream, void *) {
  return of_stream(stream, [](const cupilot::emulate::runtime::Stream &) {});
}
CUPILOT_PER_THREAD(int, cudaStreamCopyAttributes, _ptsz, void *, void *);

int cudaLaunchHostFunc(void *stream, cupilot::emulate::runtime::abi::HostFunction function, void *data) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::submit(stream, cupilot::emulate::runtime::NodeKind::host, [=]() -> int {
      function(data);
      return cupilot::emulate::runtime::abi::kSuccess;
    });
  });
}
CUPILOT_PER_THREAD(int, cudaLaunchHostFunc, _ptsz, void *, cupilot::emulate::runtime::abi::HostFunction,
                   void *);

int cudaStreamAddCallback(void *stream, void (*function)(void *, int, void *), void *data, unsigned) {
  return cupilot::emulate::runtime::call([&]() -> int {
    if (const int code = settled(stream)) return code;
    function(stream, cupilot::emulate::runtime::abi::kSuccess, data);
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}
CUPILOT_PER_THREAD(int, cudaStreamAddCallback, _ptsz, void *, void (*)(void *, int, void *), void *,
                   unsigned);

int cudaEventCreateWithFlags(void **event, unsigned flags) {
  return cupilot::emulate::runtime::call([&] {
    *event = cupilot::emulate::runtime::make_event(flags);
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}
int cudaEventCreate(void **event) {
  return cudaEventCreateWithFlags(event, 0);
}
int cudaEventDestroy(void *event) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::destroy_event(event)
               ? cupilot::emulate::runtime::abi::kSuccess
               : cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  });
}
int cudaEventRecord(void *event, void *stream) {
  return cupilot::emulate::runtime::call([&] { return record(event, stream); });
}
CUPILOT_PER_THREAD(int, cudaEventRecord, _ptsz, void *, void *);
int cudaEventRecordWithFlags(void *event, void *stream, unsigned) {
  return cudaEventRecord(event, stream);
}
CUPILOT_PER_THREAD(int, cudaEventRecordWithFlags, _ptsz, void *, void *, unsigned);
int cudaEventQuery(void *event) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::find_event(event)
               ? cupilot::emulate::runtime::abi::kSuccess
               : cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  });
}
int cudaEventSynchronize(void *event) {
  return cudaEventQuery(event);
}
int cudaEventElapsedTime(float *milliseconds, void *from, void *to) {
  return cupilot::emulate::runtime::call([&] { return elapsed(milliseconds, from, to); });
}
int cudaEventElapsedTime_v2(float *milliseconds, void *from, void *to) {
  return cudaEventElapsedTime(milliseconds, from, to);
}

}  // extern "C"
