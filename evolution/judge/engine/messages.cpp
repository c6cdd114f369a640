// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/messages.h"

#include <cmath>

#include "annotate/spec/json_convert.h"
#include "evolution/judge/bundle/worker_line_fields.h"
#include "evolution/judge/engine/message_fields.h"

namespace cupilot {
namespace {

/// Parses a line with `read`. An exception (damaged text) becomes an error, and so does a failure that the
/// child reports.
template <class T, class Read>
Result<T> parse(const std::string &line, Read read) {
  try {
    const Json json = Json::parse(line);
    if (const auto failed = json.find("failed"); failed != json.end())
      return fail(failed->get<std::string>());
    T value{};
    read(json, value);
    return value;
  } catch (const std::exception &problem) {
    return fail(std::string("unexpected line from the child process: ") + problem.what());
  }
}
template <Described T>
Result<T> parse(const std::string &line) {
  return parse<T>(line, [](const Json &json, T &value) { read_json_into(json, value); });
}

/// JSON has no NaN or infinity.
void make_finite(double &value) {
  if (!std::isfinite(value)) value = 0;
}
void make_finite(std::map<std::string, double> &values) {
  for (auto &[name, value] : values) make_finite(value);
}

template <Described T>
std::string event_line(const char *event, const T &value) {
  Json json{{"event", event}};
  write_members(json, value, described<T>());
  return one_line(json);
}

}  // namespace

std::string to_line(const Order &order) {
  return one_line(json_of(order));
}
Result<Order> order_from_line(const std::string &line) {
  return parse<Order>(line);
}

std::string failed_line(const std::string &message) {
  return one_line(Json{{"failed", message}});
}
std::string done_line() {
  return one_line(Json{{"ok", true}});
}
std::string to_line(const DeviceReport &report) {
  return one_line(Json{{"device", json_of(report)}});
}
std::string to_line(const RunReport &report) {
  return one_line(json_of(report));
}
std::string to_line(const TimingReport &report) {
  TimingReport sent = report;
  for (TimedOutputs &outputs : sent.outputs) make_finite(outputs.deviation);
  return one_line(json_of(sent));
}
std::string to_line(const Profile &profile) {
  Profile sent = profile;
  make_finite(sent.counters);
  return one_line(json_of(sent, kCountedProfile));
}
std::string to_line(const EstimateReport &report) {
  EstimateReport sent = report;
  make_finite(sent.time.time_us);
  make_finite(sent.time.parts_us);
  return one_line(json_of(sent));
}

Result<> done_from_line(const std::string &line) {
  CUPILOT_TRY(ok, parse<bool>(line, [](const Json &json, bool &good) { json.at("ok").get_to(good); }));
  if (!ok) return fail("the child process answered no");
  return {};
}
Result<DeviceReport> device_from_line(const std::string &line) {
  return parse<DeviceReport>(
      line, [](const Json &json, DeviceReport &report) { read_json_into(json.at("device"), report); });
}
Result<RunReport> run_from_line(const std::string &line) {
  return parse<RunReport>(line);
}
Result<TimingReport> timing_from_line(const std::string &line) {
  return parse<TimingReport>(line);
}
Result<Profile> profile_from_line(const std::string &line) {
  return parse<Profile>(
      line, [](const Json &json, Profile &profile) { read_json_into(json, profile, {}, kCountedProfile); });
}
Result<EstimateReport> estimate_from_line(const std::string &line) {
  return parse<EstimateReport>(line);
}

std::string device_event(const DeviceReport &report) {
  return one_line(document_of(kWorkerTag, kWorkerVersion, WorkerHello{report}));
}
std::string built_event(const std::string &candidate, double seconds) {
  return event_line("built", WorkerBuilt{candidate, seconds});
}
std::string verdict_event(const Verdict &verdict) {
  return one_line(Json{{"event", "verdict"},
                       {"candidate", verdict.candidate},
                       {"verdict", to_string(verdict.kind)},
                       {verdict.estimates.empty() ? "speedup" : "estimate",
                        verdict.estimates.empty() ? overall_speedup(verdict) : overall_estimate(verdict)}});
}
std::string error_event(const Error &error) {
  return event_line("error", WorkerError{error.message, error.blame == Blame::user});
}
std::string done_event() {
  return one_line(Json{{"event", "done"}});
}

}  // namespace cupilot
