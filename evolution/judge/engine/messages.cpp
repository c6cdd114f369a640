// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/messages.h"

#include <cmath>

#include "annotate/spec/json_convert.h"
#include "evolution/judge/bundle/worker_line_fields.h"
#include "evolution/judge/engine/message_fields.h"

namespace cupilot::judge::engine {
namespace {

/// Parses a line with `read`. An exception (damaged text) becomes an error, and so does a failure that the
/// child reports.
template <class T, class Read>
Result<T> parse(const std::string &line, Read read) {
  try {
    const spec::Json json = spec::Json::parse(line);
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
  return parse<T>(line, [](const spec::Json &json, T &value) { spec::read_json_into(json, value); });
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
  spec::Json json{{"event", event}};
  spec::write_members(json, value, described<T>());
  return spec::one_line(json);
}

}  // namespace

std::string to_line(const Order &order) {
  return spec::one_line(spec::json_of(order));
}
Result<Order> order_from_line(const std::string &line) {
  return parse<Order>(line);
}

std::string failed_line(const std::string &message) {
  return spec::one_line(spec::Json{{"failed", message}});
}
std::string done_line() {
  return spec::one_line(spec::Json{{"ok", true}});
}
std::string to_line(const model::DeviceReport &report) {
  return spec::one_line(spec::Json{{"device", spec::json_of(report)}});
}
std::string to_line(const launches::RunReport &report) {
  return spec::one_line(spec::json_of(report));
}
std::string to_line(const launches::TimingReport &report) {
  launches::TimingReport sent = report;
  for (launches::TimedOutputs &outputs : sent.outputs) make_finite(outputs.deviation);
  return spec::one_line(spec::json_of(sent));
}
std::string to_line(const model::Profile &profile) {
  model::Profile sent = profile;
  make_finite(sent.counters);
  return spec::one_line(spec::json_of(sent, launches::kCountedProfile));
}
std::string to_line(const launches::EstimateReport &report) {
  launches::EstimateReport sent = report;
  make_finite(sent.time.time_us);
  make_finite(sent.time.parts_us);
  return spec::one_line(spec::json_of(sent));
}
std::string to_line(const launches::HostTrace &trace) {
  launches::HostTrace sent = trace;
  for (launches::HostComparison &one : sent.comparisons)
    make_finite(one.real_left), make_finite(one.real_right);
  return spec::one_line(spec::json_of(sent));
}
std::string to_line(const launches::Coverage &coverage) {
  return spec::one_line(spec::json_of(coverage));
}
std::string to_line(const launches::Excerpt &excerpt) {
  return spec::one_line(spec::json_of(excerpt));
}
std::string to_line(const std::vector<cases::ExploredCall> &calls) {
  return spec::one_line(spec::json_of(ExploredCalls{calls}));
}

Result<> done_from_line(const std::string &line) {
  CUPILOT_TRY(ok, parse<bool>(line, [](const spec::Json &json, bool &good) { json.at("ok").get_to(good); }));
  if (!ok) return fail("the child process answered no");
  return {};
}
Result<model::DeviceReport> device_from_line(const std::string &line) {
  return parse<model::DeviceReport>(line, [](const spec::Json &json, model::DeviceReport &report) {
    spec::read_json_into(json.at("device"), report);
  });
}
Result<launches::RunReport> run_from_line(const std::string &line) {
  return parse<launches::RunReport>(line);
}
Result<launches::TimingReport> timing_from_line(const std::string &line) {
  return parse<launches::TimingReport>(line);
}
Result<model::Profile> profile_from_line(const std::string &line) {
  return parse<model::Profile>(line, [](const spec::Json &json, model::Profile &profile) {
    spec::read_json_into(json, profile, {}, launches::kCountedProfile);
  });
}
Result<launches::EstimateReport> estimate_from_line(const std::string &line) {
  return parse<launches::EstimateReport>(line);
}
Result<launches::HostTrace> host_trace_from_line(const std::string &line) {
  return parse<launches::HostTrace>(line);
}
Result<launches::Coverage> coverage_from_line(const std::string &line) {
  return parse<launches::Coverage>(line);
}
Result<launches::Excerpt> excerpt_from_line(const std::string &line) {
  return parse<launches::Excerpt>(line);
}
Result<std::vector<cases::ExploredCall>> calls_from_line(const std::string &line) {
  CUPILOT_TRY(answer, parse<ExploredCalls>(line));
  return std::move(answer.calls);
}

std::string device_event(const model::DeviceReport &report) {
  return spec::one_line(
      spec::document_of(bundle::kWorkerTag, bundle::kWorkerVersion, bundle::WorkerHello{report}));
}
std::string built_event(const std::string &candidate, double seconds) {
  return event_line("built", bundle::WorkerBuilt{candidate, seconds});
}
std::string verdict_event(const model::Verdict &verdict) {
  return spec::one_line(spec::Json{
      {"event", "verdict"},
      {"candidate", verdict.candidate},
      {"verdict", model::to_string(verdict.kind)},
      {verdict.estimates.empty() ? "speedup" : "estimate",
       verdict.estimates.empty() ? model::overall_speedup(verdict) : model::overall_estimate(verdict)}});
}
std::string error_event(const Error &error) {
  return event_line("error", bundle::WorkerError{error.message, error.blame == Blame::user});
}
std::string done_event() {
  return spec::one_line(spec::Json{{"event", "done"}});
}

}  // namespace cupilot::judge::engine
