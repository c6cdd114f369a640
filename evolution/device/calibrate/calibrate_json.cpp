// SPDX-License-Identifier: Apache-2.0
#include "annotate/spec/json_convert.h"
#include "evolution/device/calibrate/calibrate.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot::device::calibrate {

constexpr auto fields_of(const Figure *) {
  using S = Figure;
  return fields(field("name", &S::name), field("at", &S::at), field("unit", &S::unit),
                field("value", &S::value));
}

namespace {

constexpr auto kCalibratedDevice = fields(
    field("name", &model::DeviceReport::name), field("architecture", &model::DeviceReport::architecture),
    field("driver", &model::DeviceReport::driver), field("runtime", &model::DeviceReport::runtime),
    field("copy_bandwidth_gbs", &model::DeviceReport::copy_bandwidth_gbs));

}  // namespace

/// Writes one figure per line, for reading and for diffs.
std::string calibration_json(const Calibration &calibration) {
  std::string text = "{\"cupilot_calibration\": 1,\n\"device\": " +
                     spec::one_line(spec::json_of(calibration.device, kCalibratedDevice)) +
                     ",\n\"properties\": " + spec::one_line(spec::json_of(calibration.properties)) +
                     ",\n\"figures\": [";
  const char *separator = "\n";
  for (const Figure &figure : calibration.figures) {
    text += separator + spec::one_line(spec::json_of(figure));
    separator = ",\n";
  }
  return text + "\n],\n\"failed\": " + spec::one_line(spec::json_of(calibration.failed)) + "}\n";
}

}  // namespace cupilot::device::calibrate
