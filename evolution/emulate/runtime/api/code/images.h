// SPDX-License-Identifier: Apache-2.0
//
// Device code of the program: fat binaries registered by its constructors, and modules that it loads
// itself. PTX is parsed when one of its kernels or variables is first needed.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/runtime/device.h"
#include "evolution/emulate/runtime/fat_binary.h"

namespace cupilot::emulate::runtime {

class Image {
public:
  explicit Image(std::vector<const void *> containers) : containers_(std::move(containers)) {}
  explicit Image(std::string ptx) : ptx_(std::move(ptx)) {}
  explicit Image(std::vector<std::byte> container) : own_(std::move(container)) {}

  /// The loaded program, or an error code whose message has been printed (once).
  std::shared_ptr<machine::LoadedProgram> program(int &code);
  /// The same, but the caller receives the message.
  Result<std::shared_ptr<machine::LoadedProgram>> try_program();

private:
  Result<std::shared_ptr<machine::LoadedProgram>> load();
  Result<std::vector<std::vector<FatEntry>>> sources() const;
  Result<ptx::Module> parse_best(const std::vector<FatEntry> &entries, unsigned architecture);

  std::vector<const void *> containers_;  ///< the linked one first, then those of separately compiled objects
  std::string ptx_;
  std::vector<std::byte> own_;  ///< the bytes of a container read from a file
  std::shared_ptr<machine::LoadedProgram> program_;
  int code_ = 0;  ///< while loading: the error code if the current step fails
};

/// The address and size of a global or constant variable, by its PTX name.
struct VariablePlace {
  std::uint64_t address = 0, bytes = 0;
};
Result<VariablePlace> find_variable(const machine::LoadedProgram &program, const std::string &name);

}  // namespace cupilot::emulate::runtime
