// SPDX-License-Identifier: Apache-2.0
//
// Small PTX texts run from a test: one module, device buffers, launches.

#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/ptx/parser.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::program;

class Device {
public:
  /// `text` without the module's head; line 1 is its first line.
  explicit Device(const std::string &text) {
    memory = std::move(*Memory::make(std::uint64_t{64} << 20));
    auto module = ptx::parse(".version 8.4 .target sm_90 .address_size 64 " + text, "test.ptx");
    EXPECT_TRUE(module) << module.error().message;
    if (!module) return;
    auto decoded = decode(std::make_shared<const ptx::Module>(std::move(*module)), families());
    EXPECT_TRUE(decoded) << decoded.error().message;
    if (!decoded) return;
    program = *decoded;
    for (const Unsupported &one : program->unsupported) ADD_FAILURE() << "not supported: " << one.what;
    loaded = *LoadedProgram::load(program, *memory);
    options.threads = 1;
    options.print = [this](std::string_view more) { printed += more; };
  }

  template <typename T>
  std::uint64_t buffer(const std::vector<T> &values, bool track = false) {
    const std::uint64_t address = *memory->allocate(values.size() * sizeof(T), "'buffer'", track);
    std::memcpy(reinterpret_cast<void *>(address), values.data(), values.size() * sizeof(T));
    return address;
  }
  template <typename T>
  std::vector<T> read(std::uint64_t address, std::size_t count) const {
    std::vector<T> values(count);
    std::memcpy(values.data(), reinterpret_cast<const void *>(address), count * sizeof(T));
    return values;
  }

  /// Parameters are 64 bits each.
  LaunchResult run(const std::string &kernel, std::array<std::uint32_t, 3> grid,
                   std::array<std::uint32_t, 3> block, const std::vector<std::uint64_t> &parameters,
                   std::uint32_t dynamic_shared = 0) {
    LaunchRequest request;
    request.function = program->entries.at(kernel);
    request.grid = grid;
    request.block = block;
    request.dynamic_shared_bytes = dynamic_shared;
    request.parameters = std::as_bytes(std::span(parameters));
    return launch(*loaded, *memory, request, options);
  }
  LaunchResult run(const std::string &kernel, std::uint32_t grid, std::uint32_t block,
                   const std::vector<std::uint64_t> &parameters, std::uint32_t dynamic_shared = 0) {
    return run(kernel, {grid, 1, 1}, {block, 1, 1}, parameters, dynamic_shared);
  }

  std::unique_ptr<Memory> memory;
  std::shared_ptr<const Program> program;
  std::shared_ptr<LoadedProgram> loaded;
  LaunchOptions options;
  std::string printed;
};

inline std::string texts(const LaunchResult &result) {
  std::string text;
  for (const Finding &finding : result.findings) text += describe(finding) + "\n";
  return text;
}

/// A kernel `k(out, in)` with %tid.x in %r0, the address of out[tid] in %rd2, of in[0] in %rd1; 32-bit
/// values.
inline std::string kernel(const std::string &body) {
  return R"(.visible .entry k(.param .u64 out, .param .u64 in) {
    .reg .pred %p<16>; .reg .b16 %h<8>; .reg .b32 %r<40>; .reg .b64 %rd<20>;
    ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in];
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd2, %r0, 4; add.u64 %rd2, %rd0, %rd2;
)" + body +
         "\n ret; }\n";
}

inline std::vector<std::uint32_t> run_kernel(const std::string &text, std::uint32_t threads,
                                             std::vector<std::uint32_t> in = {0}) {
  Device device(text);
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(threads, 0xdead));
  const LaunchResult result = device.run("k", 1, threads, {out, device.buffer(in)});
  EXPECT_TRUE(result.completed);
  EXPECT_EQ(texts(result), "");
  return device.read<std::uint32_t>(out, threads);
}

}  // namespace cupilot::emulate
