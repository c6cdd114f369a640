// SPDX-License-Identifier: Apache-2.0
//
// The bind functions of the two families of instructions that the machine executes itself: memory access and
// control flow. lanes/families.h has all other families and the list of all. See program/binding.h for what a
// bind function returns.

#pragma once

#include <optional>
#include <string>

#include "evolution/emulate/program/binding.h"
#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::machine {

/// ld, st, prefetch, fences, and address queries (isspacep, mapa)
std::optional<program::Binding> bind_memory(const program::BindRequest &, program::Isa, std::string &why);
/// bra, call, ret, exit, trap, barriers of blocks, nanosleep
std::optional<program::Binding> bind_control(const program::BindRequest &, program::Isa, std::string &why);

}  // namespace cupilot::emulate::machine
