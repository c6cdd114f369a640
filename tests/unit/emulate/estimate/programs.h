// SPDX-License-Identifier: Apache-2.0
//
// Small kernels in PTX, decoded, for the tests of the estimate.

#pragma once

#include <gtest/gtest.h>

#include <string>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/ptx/parser.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::program;

/// A kernel `k` with these parameters ("u64 x, u32 n") and body; registers %r<20> %rd<20> %f<40> %p<8>.
inline std::shared_ptr<const Program> program_of(const std::string &parameters, const std::string &body) {
  std::string list;
  for (std::size_t at = 0; at < parameters.size();) {
    const std::size_t end = std::min(parameters.find(", ", at), parameters.size());
    list += std::string(list.empty() ? "" : ",\n") + ".param ." + parameters.substr(at, end - at);
    at = end + 2;
  }
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(" + list +
      ")\n{\n.reg .pred %p<8>;\n.reg .b32 %r<20>;\n.reg .f32 %f<40>;\n.reg .b64 %rd<20>;\n" + body + "\n}\n";
  auto module = ptx::parse(text, "test.ptx");
  EXPECT_TRUE(module) << module.error().message;
  if (!module) return nullptr;
  auto program = decode(std::make_shared<const ptx::Module>(std::move(*module)), families());
  EXPECT_TRUE(program) << program.error().message;
  return program ? *program : nullptr;
}

/// y[i] = x[i] for i below n, `width` bytes a thread (4 or 16).
inline std::shared_ptr<const Program> copy_program(int width) {
  const bool wide = width == 16;
  return program_of("u64 x, u64 y, u32 n",
                    "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\nld.param.u32 %r4, [n];\n"
                    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
                    "mad.lo.s32 %r5, %r1, %r2, %r3;\nsetp.ge.s32 %p1, %r5, %r4;\n@%p1 bra END;\n"
                    "mul.wide.s32 %rd3, %r5, " +
                        std::to_string(width) + ";\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n" +
                        (wide ? "ld.global.nc.v4.f32 {%f1,%f2,%f3,%f4}, [%rd4];\nst.global.v4.f32 [%rd5], "
                                "{%f1,%f2,%f3,%f4};\n"
                              : "ld.global.nc.f32 %f1, [%rd4];\nst.global.f32 [%rd5], %f1;\n") +
                        "END:\nret;");
}

}  // namespace cupilot::emulate
