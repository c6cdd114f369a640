// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "evolution/device/calibrate/calibrate.h"

namespace cupilot {

/// Writes one figure per line, for reading and for diffs.
std::string calibration_json(const Calibration &calibration) {
  using Json = nlohmann::ordered_json;
  const DeviceReport &device = calibration.device;
  const Json head{{"name", device.name},
                  {"architecture", device.architecture},
                  {"driver", device.driver},
                  {"runtime", device.runtime},
                  {"copy_bandwidth_gbs", device.copy_bandwidth_gbs}};
  std::string text = "{\"cupilot_calibration\": 1,\n\"device\": " + head.dump() +
                     ",\n\"properties\": " + Json(calibration.properties).dump() + ",\n\"figures\": [";
  const char *separator = "\n";
  for (const Figure &figure : calibration.figures) {
    const Json line{{"name", figure.name}, {"at", figure.at}, {"unit", figure.unit}, {"value", figure.value}};
    text += separator + line.dump();
    separator = ",\n";
  }
  return text + "\n],\n\"failed\": " + Json(calibration.failed).dump() + "}\n";
}

}  // namespace cupilot
