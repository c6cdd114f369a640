// SPDX-License-Identifier: Apache-2.0
//
// Device tables and calibrations as JSON texts. Exceptions of the JSON library are caught here.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "evolution/emulate/estimate/derive.h"

namespace cupilot::emulate::estimate {

namespace {

using Json = nlohmann::json;

std::string text_of(const Json &json, const char *key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

void read_numbers(const Json &json, std::map<std::string, double> &into) {
  for (const auto &[name, value] : json.items())
    if (value.is_number()) into[name] = value.get<double>();
}

Result<Json> parsed(const std::string &text, const char *mark, const std::string &name) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return user_error(name + ": this is not a JSON object");
  if (!json.contains(mark) || !json[mark].is_number_integer() || json[mark] != 1)
    return user_error(fmt::format(
        "{}: the field \"{}\" is missing or is not 1, the version that is read here", name, mark));
  return json;
}

}  // namespace

Result<CalibrationFigures> read_calibration(const std::string &text) {
  CUPILOT_TRY(json, parsed(text, "cupilot_calibration", "calibration"));
  CalibrationFigures read;
  if (!json.contains("device") || !json["device"].is_object())
    return user_error("calibration: the object \"device\" is missing");
  const Json &device = json["device"];
  read.device = text_of(device, "name");
  read.architecture = text_of(device, "architecture");
  read.copy_bandwidth_gbs = device.value("copy_bandwidth_gbs", 0.0);
  if (json.contains("properties") && json["properties"].is_object())
    read_numbers(json["properties"], read.properties);
  if (!json.contains("figures") || !json["figures"].is_array())
    return user_error("calibration: the array \"figures\" is missing");
  for (const Json &figure : json["figures"]) {
    if (!figure.is_object() || !figure.contains("value") || !figure["value"].is_number()) continue;
    CalibrationFigure one{text_of(figure, "name"), {}, figure["value"].get<double>()};
    if (figure.contains("at") && figure["at"].is_object()) read_numbers(figure["at"], one.at);
    read.figures.push_back(std::move(one));
  }
  return read;
}

Result<DeviceTable> read_device_table(const std::string &text, const std::string &name) {
  CUPILOT_TRY(json, parsed(text, "cupilot_device", name));
  DeviceTable table{text_of(json, "name"), text_of(json, "architecture"), text_of(json, "source"), {}};
  if (json.contains("values") && json["values"].is_object()) read_numbers(json["values"], table.values);
  for (const DeviceKey &key : device_keys()) {
    const auto found = table.values.find(key.name);
    if (found == table.values.end())
      return user_error(fmt::format("{}: there is no value for '{}' ({})", name, key.name, key.meaning));
    if (!(found->second >= 0)) return user_error(fmt::format("{}: '{}' is negative", name, key.name));
  }
  return table;
}

std::string device_table_json(const DeviceTable &table) {
  std::string text = "{\"cupilot_device\": 1,\n\"name\": " + Json(table.name).dump() +
                     ",\n\"architecture\": " + Json(table.architecture).dump() +
                     ",\n\"source\": " + Json(table.source).dump() + ",\n\"values\": {";
  const char *separator = "\n";
  for (const DeviceKey &key : device_keys()) {
    text += fmt::format("{}  \"{}\": {:.6g}", separator, key.name, table.values.at(key.name));
    separator = ",\n";
  }
  return text + "\n}}\n";
}

}  // namespace cupilot::emulate::estimate
