// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "evolution/judge/bundle/worker_line.h"

#include "annotate/spec/json_convert.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot {
namespace {

constexpr int kWorkerVersion = 1;

WorkerLine event_from(const Json &json) {
  const auto event = json.value("event", std::string());
  const auto candidate = json.value("candidate", std::string());
  if (event == "built") return WorkerBuilt{candidate, json.value("seconds", 0.0)};
  if (event == "verdict") return WorkerVerdict{candidate};
  if (event == "error")
    return WorkerError{json.value("message", std::string("the worker gave no reason")),
                       json.value("input", false) ? Blame::user : Blame::environment};
  if (event == "done") return WorkerDone{};
  return WorkerOther{};
}

Result<WorkerLine> line_from(const Json &json) {
  if (!json.contains("cupilot_worker")) return event_from(json);
  if (json.at("cupilot_worker") != kWorkerVersion)
    return fail(fmt::format(
        "the worker uses version {} of the worker protocol and this program uses version {}; install "
        "both from the same release",
        json.at("cupilot_worker").dump(), kWorkerVersion));
  WorkerHello hello;
  hello.has_device = json.contains("device") && json.at("device").is_object();
  if (hello.has_device) json.at("device").get_to(hello.device);
  return hello;
}

}  // namespace

Result<WorkerLine> read_worker_line(std::string_view line) {
  try {
    const auto json = Json::parse(line);
    if (json.is_object()) return line_from(json);
  } catch (const Json::exception &) {
  }
  return fail(fmt::format("the worker wrote a line that this program does not understand: '{}'",
                          line.substr(0, 200)));
}

}  // namespace cupilot
