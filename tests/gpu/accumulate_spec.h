// SPDX-License-Identifier: Apache-2.0
//
// A spec as cupilot-annotate would make it of a kernel with 16-bit elements, a buffer that is read and
// written, an integer output and scalars of two kinds: machines with a GPU have no Clang.

#pragma once

#include <string>

#include "annotate/spec/kernel_spec.h"

namespace cupilot {
using namespace spec;

inline Parameter accumulate_pointer(const std::string &name, const std::string &type, ElementType element,
                                    std::size_t bytes) {
  Parameter made;
  made.name = name;
  made.type = type;
  made.pointer = true;
  made.const_pointee = type.starts_with("const");
  made.element = element;
  made.element_bytes = bytes;
  return made;
}
inline Parameter accumulate_scalar(const std::string &name, const std::string &type, ElementType element) {
  Parameter made;
  made.name = name;
  made.type = type;
  made.element = element;
  made.element_type = type;
  made.element_bytes = 4;
  return made;
}

inline KernelSpec accumulate_spec() {
  KernelSpec spec;
  spec.name = spec.qualified_name = "ml::accumulate";
  spec.name = "ml.accumulate";
  spec.instantiation = "accumulate";
  spec.namespaces = {"ml"};
  spec.parameters = {accumulate_pointer("x", "const __half *", ElementType::f16, 2),
                     accumulate_pointer("y", "__half *", ElementType::f16, 2),
                     accumulate_pointer("signs", "int *", ElementType::i32, 4),
                     accumulate_scalar("alpha", "float", ElementType::f32),
                     accumulate_scalar("n", "int", ElementType::i32)};
  spec.slice =
      "#include <cuda_fp16.h>\n"
      "namespace ml {\n"
      "__global__ void accumulate(const __half *x, __half *y, int *signs, float alpha, int n) {\n"
      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {\n"
      "    const float value = __half2float(x[i]);\n"
      "    y[i] = __float2half(alpha * value + __half2float(y[i]));\n"
      "    signs[i] = value > 0 ? 1 : value < 0 ? -1 : 0;\n"
      "  }\n"
      "}\n"
      "}\n";
  spec.twin.source =
      "#include <cuda_fp16.h>\n"
      "namespace ml {\n"
      "__global__ void accumulate(const cupilot_twin___half *x, cupilot_twin___half *y, int *signs, double "
      "alpha, int n) {\n"
      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {\n"
      "    const double value = cupilot_twin___half2float(x[i]);\n"
      "    y[i] = cupilot_twin___float2half(alpha * value + cupilot_twin___half2float(y[i]));\n"
      "    signs[i] = value > 0 ? 1 : value < 0 ? -1 : 0;\n"
      "  }\n"
      "}\n"
      "}\n";
  spec.twin.instantiation = "accumulate";
  spec.twin.types = {"const cupilot_twin___half *", "cupilot_twin___half *", "int *", "double", "int"};
  spec.twin.sixteen = true;
  spec.kernel_id = "hand";
  spec.command.flags = {"-std=c++17"};
  return spec;
}

}  // namespace cupilot
