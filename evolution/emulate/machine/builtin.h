// SPDX-License-Identifier: Apache-2.0
//
// Functions of the device runtime that have no body in PTX: printf, assert, malloc and free. Private to
// machine/.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "evolution/emulate/machine/warp_run.h"

namespace cupilot::emulate {

/// Executes a call of one of them for the current part.
void run_builtin(WarpRun &warp, const Step &step, const CallSite &site, std::string_view name);

/// Copies from a generic address of one lane; false: not all of it is memory of that lane's.
bool read_generic(Warp &warp, int lane, std::uint64_t address, void *to, std::size_t bytes);
/// A string in device memory; false: it has no end within reach.
bool read_text(Warp &warp, int lane, std::uint64_t address, std::string &text);

/// printf's text: `read` copies the next argument (4 or 8 bytes, as aligned in the argument buffer), `text`
/// reads a string at a device address; either may say that there is none, then "(null)" or zero is printed.
class FormatArguments {
public:
  virtual ~FormatArguments() = default;
  virtual bool next(void *to, std::size_t bytes) = 0;
  virtual bool text(std::uint64_t address, std::string &to) = 0;
};
/// Formats as the device does; returns the number of arguments used.
int format_text(const std::string &format, FormatArguments &arguments, std::string &out);

}  // namespace cupilot::emulate
