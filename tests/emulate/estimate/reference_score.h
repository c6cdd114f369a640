// SPDX-License-Identifier: Apache-2.0
//
// How well estimates agree with measured times.

#pragma once

#include <map>
#include <string>
#include <vector>

namespace cupilot::reference {

struct Row {
  std::string name;
  double measured = 0, estimated = 0;
};

/// Rank correlation; ties share their mean rank.
double spearman(const std::vector<Row> &rows);
/// exp of the mean |log(estimated / measured)|: 1 is perfect.
double geometric_error(const std::vector<Row> &rows);
/// Lines {"kernel": "saxpy", "fresh": false, "time_us": 230.4}; others are ignored.
std::map<std::string, double> read_measured(const std::string &text);

}  // namespace cupilot::reference
