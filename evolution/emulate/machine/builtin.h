// SPDX-License-Identifier: Apache-2.0
//
// Functions of the device runtime that have no body in PTX: printf, assert, malloc and free. Private to
// machine/.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "evolution/emulate/machine/warp_run.h"

namespace cupilot::emulate::machine {

/// Executes a call of one of these functions for the current part of the warp.
void run_builtin(WarpRun &warp, const program::Step &step, const program::CallSite &site,
                 std::string_view name);

/// Copies from a generic address of one lane. Returns false when the lane may not read all of the bytes.
bool read_generic(Warp &warp, int lane, std::uint64_t address, void *to, std::size_t bytes);
/// Reads a string in device memory. Returns false when no terminating zero is found in readable memory.
bool read_text(Warp &warp, int lane, std::uint64_t address, std::string &text);

/// printf's text: `read` copies the next argument (4 or 8 bytes, as aligned in the argument buffer), `text`
/// reads a string at a device address; either may fail, and then "(null)" or zero is printed.
class FormatArguments {
public:
  virtual ~FormatArguments() = default;
  virtual bool next(void *to, std::size_t bytes) = 0;
  virtual bool text(std::uint64_t address, std::string &to) = 0;
};
/// Formats as the device does; returns the number of arguments used.
int format_text(const std::string &format, FormatArguments &arguments, std::string &out);

}  // namespace cupilot::emulate::machine
