// SPDX-License-Identifier: Apache-2.0
//
// The instructions ld and st: what their bind function decides once, and the handlers it picks from.
// Private to machine/.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "evolution/emulate/machine/load_store_transfer.h"
#include "evolution/emulate/machine/warp.h"
#include "evolution/emulate/program/binding.h"

namespace cupilot::emulate {

/// Step::detail of ld and st.
struct LoadStore {
  LoadTransfer load;
  StoreTransfer store;
  Access access;
  std::uint8_t address = 0;  ///< flattened operand; the values are the operands from `values` on
  std::uint8_t values = 0;
  std::uint32_t stride = 0;  ///< of a call's parameter: bytes from one lane's copy to the next
};

/// Where the address comes from.
enum class AddressKind : std::uint8_t {
  global64,  ///< global and constant space: 64-bit registers
  shared32,
  shared64,
  local32,
  local64,
  generic64,
  parameter,  ///< of the entry, named: the same for all lanes, inside for sure
  frame       ///< a call's parameter: in the frame
};
Handler load_handler(AddressKind kind);
Handler store_handler(AddressKind kind);

/// The small instructions around memory (load_store_minor.cpp): fences, hints, questions about addresses.
std::optional<Binding> bind_memory_minor(const BindRequest &request, std::string &why);

}  // namespace cupilot::emulate
