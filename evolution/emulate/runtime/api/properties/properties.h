// SPDX-License-Identifier: Apache-2.0
//
// The properties that the device reports: the values of cudaDeviceAttr, and cudaDeviceProp of CUDA 12 and 13.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "evolution/emulate/runtime/device_model.h"

namespace cupilot::emulate::runtime {

/// cudaDeviceAttr; nullopt: no such attribute.
std::optional<int> device_attribute(const DeviceModel &model, int attribute);

enum class PropertiesLayout : std::uint8_t { cuda_12, cuda_13 };
inline constexpr std::size_t kProperties12 = 1032, kProperties13 = 1008;

/// A numeric field of cudaDeviceProp: its offset in each version (-1: not there), its size and the attribute
/// with its value.
struct Property {
  const char *name;
  int at_12, at_13, bytes;
  int attribute;
};
std::span<const Property> properties();

std::string device_name(const DeviceModel &model);
/// `to`: kProperties12 or kProperties13 bytes.
void write_properties(const DeviceModel &model, std::size_t memory_bytes, PropertiesLayout layout,
                      std::byte *to);

}  // namespace cupilot::emulate::runtime
