// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/data/promoted_parameters.h"

#include <array>
#include <string_view>

#include "annotate/support/text.h"

namespace cupilot::judge::data {

namespace {

struct WideVector {
  std::string_view name, wide;
  std::size_t lanes;
};
constexpr std::array kVectors{
    WideVector{"float2", "double2", 2},  WideVector{"float3", "double3", 3},
    WideVector{"float4", "double4", 4},  WideVector{"half2", "double2", 2},
    WideVector{"__half2", "double2", 2}, WideVector{"__nv_bfloat162", "double2", 2},
};

bool is_narrow(spec::ElementType type) {
  return type == spec::ElementType::f16 || type == spec::ElementType::bf16 || type == spec::ElementType::f32;
}

void widen(spec::Parameter &parameter, std::string_view type, std::size_t lanes) {
  if (!parameter.element_type.empty())
    parameter.type = replace_all(parameter.type, parameter.element_type, std::string(type));
  parameter.element_type = type;
  parameter.element_bytes = lanes * sizeof(double);
}

}  // namespace

std::vector<spec::Parameter> promoted_parameters(const std::vector<spec::Parameter> &parameters) {
  std::vector<spec::Parameter> wide = parameters;
  for (spec::Parameter &parameter : wide) {
    if (is_narrow(parameter.element)) {
      widen(parameter, "double", 1);
      parameter.element = spec::ElementType::f64;
    }
    if (parameter.element != spec::ElementType::opaque) continue;
    for (const WideVector &vector : kVectors)
      if (parameter.element_type == vector.name) {
        widen(parameter, vector.wide, vector.lanes);
        break;
      }
  }
  return wide;
}

}  // namespace cupilot::judge::data
