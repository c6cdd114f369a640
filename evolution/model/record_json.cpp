// SPDX-License-Identifier: Apache-2.0
#include "evolution/model/record_json.h"

#include <algorithm>
#include <cmath>

#include "annotate/spec/json_convert.h"
#include "evolution/model/record_fields.h"

namespace cupilot::model {
namespace {

/// Rounds to six significant digits: no measurement is more precise, and diffs stay readable.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::fabs(value))));
  return std::round(value * scale) / scale;
}

bool is_flat(const spec::Json &json) {
  return std::ranges::none_of(json, [](const spec::Json &item) { return item.is_structured(); });
}

/// Indents by two spaces and writes arrays of plain values on one line, for reviewers.
void write(const spec::Json &json, const std::string &indent, std::string &text) {
  if (!json.is_structured() || json.empty() || (json.is_array() && is_flat(json))) {
    text += json.dump(-1, ' ', false, spec::Json::error_handler_t::replace);
    return;
  }
  const std::string inner = indent + "  ";
  text += json.is_array() ? "[" : "{";
  const char *separator = "\n";
  for (const auto &[key, value] : json.items()) {
    text += separator + inner;
    if (json.is_object()) text += spec::Json(key).dump() + ": ";
    write(value, inner, text);
    separator = ",\n";
  }
  text += "\n" + indent + (json.is_array() ? "]" : "}");
}

/// Rounds all numbers below `json`, except weights, which the developer wrote.
void round_figures(spec::Json &json) {
  if (json.is_number_float()) json = rounded(json.get<double>());
  if (!json.is_structured()) return;
  for (auto &[key, value] : json.items())
    if (key != "weight") round_figures(value);
}

/// This must be the first thing a person sees in the file. The parser accepts the members in any order.
constexpr const char *kEstimateHead =
    "{ \"estimate\": true, \"note\": \"made from estimates of the CPU executor, never measured on a GPU\",\n";

}  // namespace

std::string to_json(const Record &record) {
  spec::Json json = spec::document_of("cupilot_record", 1, record);
  for (const char *measured : {"measurements", "estimates", "errors", "counters"})
    if (const auto found = json.find(measured); found != json.end()) round_figures(*found);
  round_figures(json["judge"]["finalist"]);
  if (const auto cost = json["search"].find("cost_usd"); cost != json["search"].end()) round_figures(*cost);
  if (record.estimate) json.erase("estimate");  // already written in the head
  std::string text;
  write(json, "", text);
  if (record.estimate) text.replace(0, 2, kEstimateHead);  // "{\n"
  return text + "\n";
}

Result<Record> record_from_json(std::string_view text) {
  return spec::read_document<Record>(text, "cupilot_record", 1);
}

}  // namespace cupilot::model
