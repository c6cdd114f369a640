// SPDX-License-Identifier: Apache-2.0
//
// A spec as cupilot-annotate would make it of a small kernel, for tests that need one and no Clang.

#pragma once

#include "annotate/spec/kernel_spec.h"

namespace cupilot::fake {
using namespace cupilot::spec;

inline Parameter pointer(const std::string &name, const std::string &type, bool constant) {
  Parameter p;
  p.name = name;
  p.type = type;
  p.pointer = true;
  p.const_pointee = constant;
  p.element = ElementType::f32;
  p.element_type = "float";
  p.element_bytes = 4;
  return p;
}

inline Parameter integer(const std::string &name, ElementType element = ElementType::i32,
                         const std::string &type = "int") {
  Parameter p;
  p.name = name;
  p.type = p.element_type = type;
  p.element = element;
  p.element_bytes = element == ElementType::i64 ? 8 : 4;
  return p;
}

inline Parameter real(const std::string &name) {
  Parameter p;
  p.name = name;
  p.type = p.element_type = "float";
  p.element = ElementType::f32;
  p.element_bytes = 4;
  return p;
}

inline BufferUse use(const std::string &parameter, BufferRole role, const std::string &extent) {
  BufferUse buffer;
  buffer.parameter = parameter;
  buffer.role = role;
  buffer.extent = extent;
  buffer.place = {"scale.cu", 3, 40};
  return buffer;
}

/// y[i] = a * x[i] for rows x cols elements, in the namespace demo and an anonymous one.
inline KernelSpec scale_spec() {
  KernelSpec spec;
  spec.name = "demo.scale";
  spec.qualified_name = "demo::scale";
  spec.instantiation = "scale";
  spec.namespaces = {"demo", ""};
  spec.symbol = "_ZN4demo12_GLOBAL__N_15scaleEPKfPffii";
  spec.place = {"scale.cu", 5, 1};
  spec.parameters = {pointer("x", "const float *__restrict__", true),
                     pointer("y", "float *__restrict__", false), real("a"), integer("rows"), integer("cols")};
  Workload workload;
  workload.id = "big";
  workload.place = {"scale.cu", 3, 1};
  workload.set = {{"rows", "64"}, {"cols", "1000"}, {"a", "0.5f"}};
  workload.buffers = {use("x", BufferRole::in, "rows*cols"), use("y", BufferRole::out, "rows*cols")};
  workload.launch.grid[0] = "(rows*cols + 255) / 256";
  workload.launch.block[0] = "256";
  workload.launch.from_source = true;
  spec.workloads = {workload};
  spec.slice = R"(namespace demo { namespace {
__global__ void scale(const float *__restrict__ x, float *__restrict__ y, float a, int rows, int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols) y[i] = a * x[i];
}
}}
)";
  spec.facts = {.known = true, .stores = true};
  spec.twin.source = R"(namespace demo { namespace {
__global__ void scale(const double *__restrict__ x, double *__restrict__ y, double a, int rows, int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols) y[i] = a * x[i];
}
}}
)";
  spec.twin.instantiation = "scale";
  spec.twin.types = {"const double *__restrict__", "double *__restrict__", "double", "int", "int"};
  spec.kernel_id = "kernel-1";
  spec.workload_id = "workload-1";
  spec.fingerprint = {"scale.cu", {{"scale.cu", "0123"}}, "4567"};
  spec.command.folder = "/build";
  spec.command.source = "/src/scale.cu";
  spec.command.compiler = "nvcc";
  spec.command.flags = {"-O3", "-std=c++17"};
  spec.command.architectures = {"sm_90"};
  return spec;
}

/// A variant of scale_spec() that the judge lets through.
inline std::string scale_variant(const std::string &extra = "") {
  return R"(constexpr int kThreads = 256;  // knob: 64 128 256
)" + extra +
         R"(__global__ void __launch_bounds__(kThreads) scale_one(const float *x, float *y, float a, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float a, int rows, int cols) {
  const int n = rows * cols;
  if (!l.aligned(4, x, y)) return false;
  scale_one<<<(n + kThreads - 1) / kThreads, kThreads, 0, l.stream>>>(x, y, a, n);
  return true;
}
)";
}

}  // namespace cupilot::fake
