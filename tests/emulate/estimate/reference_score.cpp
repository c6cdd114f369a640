// SPDX-License-Identifier: Apache-2.0
#include "tests/emulate/estimate/reference_score.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace cupilot::reference {

namespace {

std::vector<double> ranks(const std::vector<double> &values) {
  std::vector<double> found;
  for (const double value : values) {
    const auto below = std::ranges::count_if(values, [&](double other) { return other < value; });
    const auto same = std::ranges::count(values, value);
    found.push_back(static_cast<double>(below) + (static_cast<double>(same) - 1) / 2);
  }
  return found;
}

}  // namespace

double spearman(const std::vector<Row> &rows) {
  std::vector<double> measured, estimated;
  for (const Row &row : rows) {
    measured.push_back(row.measured);
    estimated.push_back(row.estimated);
  }
  const auto a = ranks(measured), b = ranks(estimated);
  const double mean = (static_cast<double>(rows.size()) - 1) / 2;
  double both = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    both += (a[i] - mean) * (b[i] - mean);
    squares_a += (a[i] - mean) * (a[i] - mean);
    squares_b += (b[i] - mean) * (b[i] - mean);
  }
  return squares_a > 0 && squares_b > 0 ? both / std::sqrt(squares_a * squares_b) : 0;
}

double geometric_error(const std::vector<Row> &rows) {
  double sum = 0;
  for (const Row &row : rows) sum += std::abs(std::log(row.estimated / row.measured));
  return rows.empty() ? 1 : std::exp(sum / static_cast<double>(rows.size()));
}

std::map<std::string, double> read_measured(const std::string &text) {
  std::map<std::string, double> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("kernel") && json.contains("time_us"))
      found[json["kernel"].get<std::string>()] = json["time_us"].get<double>();
  }
  return found;
}

}  // namespace cupilot::reference
