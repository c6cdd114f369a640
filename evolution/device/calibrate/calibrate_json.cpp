// SPDX-License-Identifier: Apache-2.0
#include "annotate/spec/json_convert.h"
#include "evolution/device/calibrate/calibrate.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot {

constexpr auto fields_of(const Figure *) {
  using S = Figure;
  return fields(field("name", &S::name), field("at", &S::at), field("unit", &S::unit),
                field("value", &S::value));
}

namespace {

constexpr auto kCalibratedDevice =
    fields(field("name", &DeviceReport::name), field("architecture", &DeviceReport::architecture),
           field("driver", &DeviceReport::driver), field("runtime", &DeviceReport::runtime),
           field("copy_bandwidth_gbs", &DeviceReport::copy_bandwidth_gbs));

}  // namespace

/// Writes one figure per line, for reading and for diffs.
std::string calibration_json(const Calibration &calibration) {
  std::string text = "{\"cupilot_calibration\": 1,\n\"device\": " +
                     one_line(json_of(calibration.device, kCalibratedDevice)) +
                     ",\n\"properties\": " + one_line(json_of(calibration.properties)) + ",\n\"figures\": [";
  const char *separator = "\n";
  for (const Figure &figure : calibration.figures) {
    text += separator + one_line(json_of(figure));
    separator = ",\n";
  }
  return text + "\n],\n\"failed\": " + one_line(json_of(calibration.failed)) + "}\n";
}

}  // namespace cupilot
