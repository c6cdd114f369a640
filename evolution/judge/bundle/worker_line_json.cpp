// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "evolution/judge/bundle/worker_line.h"

#include "annotate/spec/json_convert.h"
#include "evolution/judge/bundle/worker_line_fields.h"

namespace cupilot::judge::bundle {
namespace {

template <Described Line>
WorkerLine line_as(const spec::Json &json) {
  Line line;
  spec::read_json_into(json, line);
  return line;
}

Result<WorkerLine> line_from(const spec::Json &json) {
  if (json.contains(kWorkerTag)) {
    if (json.at(kWorkerTag) == kWorkerVersion) return line_as<WorkerHello>(json);
    return fail(fmt::format(
        "the worker uses version {} of the worker protocol and this program uses version {}; install "
        "both from the same release",
        json.at(kWorkerTag).dump(), kWorkerVersion));
  }
  const auto event = json.value("event", std::string());
  if (event == "built") return line_as<WorkerBuilt>(json);
  if (event == "verdict") return line_as<WorkerVerdict>(json);
  if (event == "error") return line_as<WorkerError>(json);
  return event == "done" ? WorkerLine(WorkerDone{}) : WorkerOther{};
}

}  // namespace

Result<WorkerLine> read_worker_line(std::string_view line) {
  try {
    const auto json = spec::Json::parse(line);
    if (json.is_object()) return line_from(json);
  } catch (const std::exception &) {
  }
  return fail(fmt::format("the worker wrote a line that this program does not understand: '{}'",
                          line.substr(0, 200)));
}

}  // namespace cupilot::judge::bundle
