// SPDX-License-Identifier: Apache-2.0

#include "tests/emulate/opcodes/emulated.h"

#include <cstring>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/memory/memory.h"
#include "evolution/emulate/ptx/parser.h"

namespace cupilot::opcodes {
namespace {

struct Parameters {
  std::uint64_t in, out, scratch;
  std::uint32_t mask;
};

Result<std::shared_ptr<const emulate::program::Program>> decoded(const Form &form, Variant variant,
                                                                 emulate::program::Isa isa) {
  Result<emulate::ptx::Module> module = emulate::ptx::parse(module_text(form, variant), "form.ptx");
  if (!module) return std::unexpected(module.error());
  Result<std::shared_ptr<const emulate::program::Program>> program = emulate::program::decode(
      std::make_shared<const emulate::ptx::Module>(std::move(*module)), emulate::lanes::families(), isa);
  if (program && !(*program)->unsupported.empty())
    return fail("not supported: " + (*program)->unsupported.front().what);
  return program;
}

/// Device memory of all runs: making it is not free.
emulate::memory::Memory &device_memory() {
  static const std::unique_ptr<emulate::memory::Memory> memory =
      std::move(*emulate::memory::Memory::make(std::uint64_t{256} << 20));
  return *memory;
}

/// A device copy of rows for the time of a run.
class DeviceBytes {
public:
  explicit DeviceBytes(std::size_t bytes)
      : address_(*device_memory().allocate(bytes, "rows")), bytes_(bytes) {
    std::memset(data(), 0, bytes_);
  }
  ~DeviceBytes() { (void)device_memory().free(address_); }
  DeviceBytes(const DeviceBytes &) = delete;
  DeviceBytes &operator=(const DeviceBytes &) = delete;
  void *data() const { return reinterpret_cast<void *>(address_); }
  std::uint64_t address() const { return address_; }

private:
  std::uint64_t address_;
  std::size_t bytes_;
};

std::string first_finding(const emulate::machine::LaunchResult &result) {
  return result.findings.empty() ? "the launch did not complete"
                                 : emulate::machine::describe(result.findings.front());
}

}  // namespace

Result<> run_emulated(const Form &form, Variant variant, emulate::program::Isa isa,
                      const std::vector<WarpRows> &operands, std::uint32_t mask, std::vector<WarpRows> &out) {
  const Result<std::shared_ptr<const emulate::program::Program>> program = decoded(form, variant, isa);
  if (!program) return std::unexpected(program.error());
  const std::size_t bytes = operands.size() * sizeof(WarpRows);
  const DeviceBytes in(bytes), results(bytes), scratch(operands.size() * form.scratch_bytes + 16);
  std::memcpy(in.data(), operands.data(), bytes);
  std::memcpy(results.data(), out.data(), bytes);
  Result<std::shared_ptr<emulate::machine::LoadedProgram>> loaded =
      emulate::machine::LoadedProgram::load(*program, device_memory());
  if (!loaded) return std::unexpected(loaded.error());

  const Parameters parameters{in.address(), results.address(), scratch.address(), mask};
  emulate::machine::LaunchRequest request;
  request.function = (*program)->entries.at("form");
  request.grid = {static_cast<std::uint32_t>(operands.size()), 1, 1};
  request.block = {kWarp, 1, 1};
  request.parameters = std::span(reinterpret_cast<const std::byte *>(&parameters),
                                 (*program)->functions[request.function].parameter_bytes);
  emulate::machine::LaunchOptions options;
  options.threads = 1;
  const emulate::machine::LaunchResult result =
      emulate::machine::launch(**loaded, device_memory(), request, options);
  if (!result.completed) return fail(first_finding(result));
  std::memcpy(out.data(), results.data(), bytes);
  return {};
}

}  // namespace cupilot::opcodes
