// SPDX-License-Identifier: Apache-2.0
//
// The instructions ld and st: the decisions that their bind function makes once, and the handlers it chooses
// from. Private to machine/.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "evolution/emulate/machine/load_store_transfer.h"
#include "evolution/emulate/machine/warp.h"
#include "evolution/emulate/program/binding.h"

namespace cupilot::emulate::machine {

/// Step::detail of ld and st.
struct LoadStore {
  LoadTransfer load;
  StoreTransfer store;
  Access access;
  std::uint8_t address = 0;  ///< index of the flattened address operand; the values begin at operand `values`
  std::uint8_t values = 0;
  std::uint32_t stride = 0;  ///< for a call's parameter: bytes from one lane's copy to the next
};

/// Where the address comes from.
enum class AddressKind : std::uint8_t {
  global64,  ///< global and constant space, in 64-bit registers
  shared32,
  shared64,
  local32,
  local64,
  generic64,
  parameter,  ///< a named parameter of the entry: the same for all lanes, always within bounds
  frame       ///< a parameter of a call, which is in the frame
};
program::Handler load_handler(AddressKind kind);
program::Handler store_handler(AddressKind kind);

/// The small instructions around memory (load_store_minor.cpp): fences, hints, address queries.
std::optional<program::Binding> bind_memory_minor(const program::BindRequest &request, std::string &why);

}  // namespace cupilot::emulate::machine
