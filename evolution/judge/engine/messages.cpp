// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/messages.h"

#include <cmath>

#include "evolution/model/evidence_json.h"

namespace cupilot {

namespace {

/// What `read` throws (the library's exceptions on damaged text) becomes an error; so does the child's own
/// failure.
template <class T, class Read>
Result<T> parse(const std::string &line, Read read) {
  try {
    const Json json = Json::parse(line);
    if (const auto failed = json.find("failed"); failed != json.end())
      return fail(failed->get<std::string>());
    return read(json);
  } catch (const std::exception &problem) {
    return fail(std::string("unexpected line from the child process: ") + problem.what());
  }
}

/// JSON has no NaN or infinity.
double finite(double value) {
  return std::isfinite(value) ? value : 0;
}

Json samples_json(const SampleSet &set) {
  Json dropped = Json::array();
  for (const auto &sample : set.dropped)
    dropped.push_back(Json{{"time_us", sample.time_us}, {"reason", sample.reason}});
  return Json{{"samples_us", set.samples_us}, {"sm_clock_mhz", set.sm_clock_mhz}, {"dropped", dropped}};
}
SampleSet samples_from(const Json &json) {
  SampleSet set;
  json.at("samples_us").get_to(set.samples_us);
  json.at("sm_clock_mhz").get_to(set.sm_clock_mhz);
  for (const Json &sample : json.at("dropped"))
    set.dropped.push_back({sample.at("time_us").get<double>(), sample.at("reason").get<std::string>()});
  return set;
}

Json outputs_json(const std::vector<TimedOutputs> &outputs) {
  Json json = Json::array();
  for (const TimedOutputs &one : outputs)
    json.push_back(Json{{"launches", one.launches},
                        {"differing", one.differing},
                        {"unwritten", one.unwritten},
                        {"not_finite", one.not_finite},
                        {"deviation", finite(one.deviation)}});
  return json;
}
std::vector<TimedOutputs> outputs_from(const Json &json) {
  std::vector<TimedOutputs> outputs;
  for (const Json &one : json)
    outputs.push_back({one.at("launches"), one.at("differing"), one.at("unwritten"), one.at("not_finite"),
                       one.at("deviation")});
  return outputs;
}

Json faults_json(const std::vector<Fault> &faults) {
  Json json = Json::array();
  for (const Fault &fault : faults)
    json.push_back(Json{{"kind", static_cast<int>(fault.kind)},
                        {"rule", fault.rule},
                        {"text", fault.text},
                        {"waivable", fault.waivable}});
  return json;
}
std::vector<Fault> faults_from(const Json &json) {
  std::vector<Fault> faults;
  for (const Json &fault : json)
    faults.push_back({static_cast<Fault::Kind>(fault.at("kind").get<int>()), fault.at("rule"),
                      fault.at("text"), fault.at("waivable")});
  return faults;
}

Json kernels_json(const std::vector<KernelResources> &kernels) {
  Json json = Json::array();
  for (const KernelResources &kernel : kernels)
    json.push_back(Json{{"symbol", kernel.symbol},
                        {"registers", kernel.registers},
                        {"spill_bytes", kernel.spill_bytes},
                        {"shared_bytes", kernel.shared_bytes}});
  return json;
}
std::vector<KernelResources> kernels_from(const Json &json) {
  std::vector<KernelResources> kernels;
  for (const Json &kernel : json)
    kernels.push_back(
        {kernel.at("symbol"), kernel.at("registers"), kernel.at("spill_bytes"), kernel.at("shared_bytes")});
  return kernels;
}

}  // namespace

std::string to_line(const Order &order) {
  return one_line(Json{{"what", static_cast<int>(order.what)},
                       {"text", order.text},
                       {"role", static_cast<int>(order.role)},
                       {"case", order.run.case_index},
                       {"family", order.run.family},
                       {"seed", order.run.seed},
                       {"placement", static_cast<int>(order.run.placement)},
                       {"nudge", order.run.nudge},
                       {"slot", order.run.slot},
                       {"waived", order.run.waived},
                       {"instruction_budget", order.run.instruction_budget},
                       {"run_seconds", order.run.seconds},
                       {"manner", static_cast<int>(order.run.manner)},
                       {"promoted", order.run.promoted},
                       {"beside_family", order.run.beside_family},
                       {"beside_seed", order.run.beside_seed},
                       {"operands", static_cast<int>(order.run.operands)},
                       {"other_poison", order.run.other_poison},
                       {"kernels", kernels_json(order.kernels)},
                       {"seconds", order.timing.seconds},
                       {"relative_error", order.timing.relative_error},
                       {"order_seed", order.timing.order_seed},
                       {"seeds", order.timing.seeds},
                       {"content", order.content}});
}

Result<Order> order_from_line(const std::string &line) {
  return parse<Order>(line, [](const Json &json) {
    Order order;
    order.what = static_cast<Order::What>(json.at("what").get<int>());
    order.text = json.at("text");
    order.role = static_cast<EntryRole>(json.at("role").get<int>());
    order.run = {json.at("case"),        json.at("family"),
                 json.at("seed"),        static_cast<Placement>(json.at("placement").get<int>()),
                 json.at("nudge"),       json.at("slot"),
                 json.at("waived"),      json.at("instruction_budget"),
                 json.at("run_seconds"), static_cast<Manner>(json.at("manner").get<int>()),
                 json.at("promoted"),    json.at("beside_family"),
                 json.at("beside_seed"), static_cast<PrecisionKind>(json.at("operands").get<int>()),
                 json.at("other_poison")};
    order.kernels = kernels_from(json.at("kernels"));
    order.timing = {json.at("seconds"), json.at("relative_error"), json.at("order_seed"),
                    json.at("seeds").get<std::vector<std::uint64_t>>()};
    order.content = json.at("content");
    return order;
  });
}

std::string failed_line(const std::string &message) {
  return one_line(Json{{"failed", message}});
}
std::string done_line() {
  return one_line(Json{{"ok", true}});
}
std::string to_line(const DeviceReport &report) {
  Json json;
  to_json(json, report);
  return one_line(Json{{"device", json}});
}
std::string to_line(const RunReport &report) {
  return one_line(Json{{"declined", report.declined},
                       {"stained", report.stained},
                       {"modified", report.modified},
                       {"scratch_bytes", report.scratch_bytes},
                       {"faults", faults_json(report.faults)},
                       {"warp_instructions", report.warp_instructions}});
}
std::string to_line(const TimingReport &report) {
  return one_line(Json{{"original", samples_json(report.original)},
                       {"candidate", samples_json(report.candidate)},
                       {"stopped_because", report.stopped_because},
                       {"declined", report.declined},
                       {"faults", faults_json(report.faults)},
                       {"synchronised", report.synchronised},
                       {"events_us", report.events_us},
                       {"wall_us", report.wall_us},
                       {"batch", report.batch},
                       {"launches", report.launches},
                       {"too_short", report.too_short},
                       {"outputs", outputs_json(report.outputs)}});
}
std::string to_line(const Profile &profile) {
  Json counters = Json::object();
  for (const auto &[name, value] : profile.counters) counters[name] = finite(value);
  return one_line(Json{{"workload", profile.workload}, {"counters", counters}, {"note", profile.note}});
}

std::string to_line(const EstimateReport &report) {
  Json parts = Json::object();
  for (const auto &[name, value] : report.time.parts_us) parts[name] = finite(value);
  return one_line(Json{{"declined", report.declined},
                       {"time_us", finite(report.time.time_us)},
                       {"bound", report.time.bound},
                       {"parts_us", parts},
                       {"launches", report.time.launches},
                       {"blocks", report.time.blocks},
                       {"blocks_run", report.time.blocks_run},
                       {"faults", faults_json(report.faults)}});
}

Result<> done_from_line(const std::string &line) {
  CUPILOT_TRY(ok, parse<bool>(line, [](const Json &json) { return json.at("ok").get<bool>(); }));
  if (!ok) return fail("the child process answered no");
  return {};
}
Result<DeviceReport> device_from_line(const std::string &line) {
  return parse<DeviceReport>(line, [](const Json &json) {
    DeviceReport report;
    from_json(json.at("device"), report);
    return report;
  });
}
Result<RunReport> run_from_line(const std::string &line) {
  return parse<RunReport>(line, [](const Json &json) {
    RunReport report;
    json.at("declined").get_to(report.declined);
    json.at("stained").get_to(report.stained);
    json.at("modified").get_to(report.modified);
    json.at("scratch_bytes").get_to(report.scratch_bytes);
    report.faults = faults_from(json.at("faults"));
    json.at("warp_instructions").get_to(report.warp_instructions);
    return report;
  });
}
Result<TimingReport> timing_from_line(const std::string &line) {
  return parse<TimingReport>(line, [](const Json &json) {
    TimingReport report;
    report.original = samples_from(json.at("original"));
    report.candidate = samples_from(json.at("candidate"));
    json.at("stopped_because").get_to(report.stopped_because);
    json.at("declined").get_to(report.declined);
    report.faults = faults_from(json.at("faults"));
    json.at("synchronised").get_to(report.synchronised);
    json.at("events_us").get_to(report.events_us);
    json.at("wall_us").get_to(report.wall_us);
    json.at("batch").get_to(report.batch);
    json.at("launches").get_to(report.launches);
    json.at("too_short").get_to(report.too_short);
    report.outputs = outputs_from(json.at("outputs"));
    return report;
  });
}
Result<Profile> profile_from_line(const std::string &line) {
  return parse<Profile>(line, [](const Json &json) {
    Profile profile;
    json.at("workload").get_to(profile.workload);
    for (const auto &[name, value] : json.at("counters").items())
      profile.counters[name] = value.get<double>();
    json.at("note").get_to(profile.note);
    return profile;
  });
}
Result<EstimateReport> estimate_from_line(const std::string &line) {
  return parse<EstimateReport>(line, [](const Json &json) {
    EstimateReport report;
    json.at("declined").get_to(report.declined);
    json.at("time_us").get_to(report.time.time_us);
    json.at("bound").get_to(report.time.bound);
    for (const auto &[name, value] : json.at("parts_us").items())
      report.time.parts_us[name] = value.get<double>();
    json.at("launches").get_to(report.time.launches);
    json.at("blocks").get_to(report.time.blocks);
    json.at("blocks_run").get_to(report.time.blocks_run);
    report.faults = faults_from(json.at("faults"));
    return report;
  });
}

std::string device_event(const DeviceReport &report) {
  Json json;
  to_json(json, report);
  return one_line(Json{{"cupilot_worker", 1}, {"device", json}});
}
std::string built_event(const std::string &candidate, double seconds) {
  return one_line(Json{{"event", "built"}, {"candidate", candidate}, {"seconds", seconds}});
}
std::string verdict_event(const Verdict &verdict) {
  return one_line(Json{{"event", "verdict"},
                       {"candidate", verdict.candidate},
                       {"verdict", to_string(verdict.kind)},
                       {verdict.estimates.empty() ? "speedup" : "estimate",
                        verdict.estimates.empty() ? overall_speedup(verdict) : overall_estimate(verdict)}});
}
std::string error_event(const Error &error) {
  return one_line(
      Json{{"event", "error"}, {"message", error.message}, {"input", error.blame == Blame::user}});
}
std::string done_event() {
  return one_line(Json{{"event", "done"}});
}

}  // namespace cupilot
