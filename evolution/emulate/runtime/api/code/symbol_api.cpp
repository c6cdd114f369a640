// SPDX-License-Identifier: Apache-2.0
//
// __device__, __constant__ and managed variables by the address of their host shadow.

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/code/registry.h"
#include "evolution/emulate/runtime/api/memory/copy.h"
#include "evolution/emulate/runtime/api/stream/stream.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

int find_symbol(const void *symbol, cupilot::emulate::runtime::VariablePlace &place) {
  const auto *variable = cupilot::emulate::runtime::find_host_variable(symbol);
  if (!variable) return cupilot::emulate::runtime::abi::kInvalidSymbol;
  int code = cupilot::emulate::runtime::abi::kSuccess;
  const auto program = variable->image->program(code);
  if (!program) return code;
  const auto found = cupilot::emulate::runtime::find_variable(*program, variable->name);
  if (!found)
    return cupilot::emulate::runtime::refuse(cupilot::emulate::runtime::abi::kInvalidSymbol,
                                             found.error().message);
  place = *found;
  if (!place.bytes) place.bytes = variable->bytes;
  return cupilot::emulate::runtime::abi::kSuccess;
}

int part_of_symbol(const void *symbol, std::size_t bytes, std::size_t offset, std::byte *&address) {
  cupilot::emulate::runtime::VariablePlace place;
  if (const int code = find_symbol(symbol, place)) return code;
  if (offset > place.bytes || bytes > place.bytes - offset)
    return cupilot::emulate::runtime::abi::kInvalidValue;
  address = reinterpret_cast<std::byte *>(place.address) + offset;
  return cupilot::emulate::runtime::abi::kSuccess;
}

int copy_to_symbol(const void *symbol, const void *from, std::size_t bytes, std::size_t offset, int kind) {
  std::byte *address = nullptr;
  if (const int code = part_of_symbol(symbol, bytes, offset, address)) return code;
  return cupilot::emulate::runtime::copy_bytes(address, from, bytes, kind);
}

int copy_from_symbol(void *to, const void *symbol, std::size_t bytes, std::size_t offset, int kind) {
  std::byte *address = nullptr;
  if (const int code = part_of_symbol(symbol, bytes, offset, address)) return code;
  return cupilot::emulate::runtime::copy_bytes(to, address, bytes, kind);
}

}  // namespace

extern "C" {

int cudaGetSymbolAddress(void **address, const void *symbol) {
  return cupilot::emulate::runtime::call([&] {
    cupilot::emulate::runtime::VariablePlace place;
    const int code = find_symbol(symbol, place);
    *address = reinterpret_cast<void *>(place.address);
    return code;
  });
}
int cudaGetSymbolSize(std::size_t *bytes, const void *symbol) {
  return cupilot::emulate::runtime::call([&] {
    cupilot::emulate::runtime::VariablePlace place;
    const int code = find_symbol(symbol, place);
    *bytes = place.bytes;
    return code;
  });
}

int cudaMemcpyToSymbol(const void *symbol, const void *from, std::size_t bytes, std::size_t offset,
                       int kind) {
  return cupilot::emulate::runtime::call([&] { return copy_to_symbol(symbol, from, bytes, offset, kind); });
}
CUPILOT_PER_THREAD(int, cudaMemcpyToSymbol, _ptds, const void *, const void *, std::size_t, std::size_t, int);

int cudaMemcpyFromSymbol(void *to, const void *symbol, std::size_t bytes, std::size_t offset, int kind) {
  return cupilot::emulate::runtime::call([&] { return copy_from_symbol(to, symbol, bytes, offset, kind); });
}
CUPILOT_PER_THREAD(int, cudaMemcpyFromSymbol, _ptds, void *, const void *, std::size_t, std::size_t, int);

int cudaMemcpyToSymbolAsync(const void *symbol, const void *from, std::size_t bytes, std::size_t offset,
                            int kind, void *stream) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::submit(stream, cupilot::emulate::runtime::NodeKind::memcpy, [=] {
      return copy_to_symbol(symbol, from, bytes, offset, kind);
    });
  });
}
CUPILOT_PER_THREAD(int, cudaMemcpyToSymbolAsync, _ptsz, const void *, const void *, std::size_t, std::size_t,
                   int, void *);

int cudaMemcpyFromSymbolAsync(void *to, const void *symbol, std::size_t bytes, std::size_t offset, int kind,
                              void *stream) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::submit(stream, cupilot::emulate::runtime::NodeKind::memcpy, [=] {
      return copy_from_symbol(to, symbol, bytes, offset, kind);
    });
  });
}
CUPILOT_PER_THREAD(int, cudaMemcpyFromSymbolAsync, _ptsz, void *, const void *, std::size_t, std::size_t, int,
                   void *);

}  // extern "C"
