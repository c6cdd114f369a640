// SPDX-License-Identifier: Apache-2.0
//
// Derives a device table from what `cupilot-worker --calibrate` measured. The committed calibrations and a
// user's own GPU use the same steps.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/estimate/estimate.h"

namespace cupilot::emulate::estimate {

struct CalibrationFigure {
  std::string name;
  std::map<std::string, double> at;
  double value = 0;
};
struct CalibrationFigures {
  std::string device, architecture;
  double copy_bandwidth_gbs = 0;
  std::map<std::string, double> properties;
  std::vector<CalibrationFigure> figures;
};

Result<CalibrationFigures> read_calibration(const std::string &json);
/// Errors name the figure that is missing.
Result<DeviceTable> derive_table(const CalibrationFigures &calibration, std::string source);

Result<DeviceTable> read_device_table(const std::string &json, const std::string &name);
/// Ends in a newline, one value a line.
std::string device_table_json(const DeviceTable &table);
/// ~/.local/share/cupilot/devices, or below XDG_DATA_HOME; empty when neither is known.
std::string user_tables_folder();

}  // namespace cupilot::emulate::estimate
