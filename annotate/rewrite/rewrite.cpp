// SPDX-License-Identifier: Apache-2.0
//
// Requests and answers: assigns rules to engines and turns a draft into a variant file.

#include "annotate/rewrite/rewrite.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/draft.h"
#include "annotate/rewrite/parse.h"
#include "annotate/spec/kernel_spec_json.h"
#include "annotate/support/text.h"

namespace cupilot::rewrite {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kRules{kBlockSize, kGridStride, kWideAccess, kWarpPerRow, kPadShared};

struct Request {
  spec::KernelSpec spec;
  std::vector<std::string> rules;  ///< in canonical order, without duplicates
};

std::string answer_error(const std::string &message) {
  return Json{{"cupilot_rewrite", 1}, {"error", message}}.dump();
}

std::string answer_refused(const std::vector<Refusal> &refusals) {
  Json list = Json::array();
  for (const Refusal &refusal : refusals)
    list.push_back({{"rule", refusal.rule}, {"reason", refusal.reason}, {"line", refusal.line}});
  return Json{{"cupilot_rewrite", 1}, {"refused", list}}.dump();
}

std::string knob_line(const Knob &knob) {
  std::string line = fmt::format("constexpr int {} = {};  // knob:", knob.name, knob.value);
  for (const int value : knob.values) line += fmt::format(" {}", value);
  return line + "\n";
}

std::string variant_text(const Request &request, const Kernel &kernel, const Draft &draft) {
  std::string text = fmt::format("// cupilot variant of {}: {} (rules: {})\n", request.spec.qualified_name,
                                 draft.what, join(request.rules, ", "));
  for (const Knob &knob : draft.knobs) text += knob_line(knob);
  for (const std::string &alias : kernel.aliases) text += alias + "\n";
  return text + "\n" + draft.code;
}

std::string answer_draft(const Request &request, const Kernel &kernel, const Draft &draft) {
  Json knobs = Json::array();
  for (const Knob &knob : draft.knobs)
    knobs.push_back({{"name", knob.name}, {"values", knob.values}, {"value", knob.value}});
  return Json{{"cupilot_rewrite", 1},
              {"variant", variant_text(request, kernel, draft)},
              {"knobs", knobs},
              {"applied", request.rules},
              {"summary", draft.what}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool uses_tiles(const Kernel &kernel) {
  const Effects effects = effects_of(kernel, kernel.body);
  return effects.shared || (effects.collective && effects.collective->text == "__syncthreads");
}

/// The rules that no engine can combine or that do not fit the kernel's shape.
std::vector<Refusal> misfits(const Job &job, bool tiles) {
  std::vector<Refusal> out;
  const auto misfit = [&](const char *rule, const char *reason) {
    if (job.wants(rule)) out.push_back({rule, reason, job.kernel.line});
  };
  if (job.wants(kWarpPerRow)) {
    misfit(kGridStride, "several items per thread and a team of lanes per row exclude each other");
    misfit(kPadShared, "the kernel works on rows and has no shared tile to pad");
  } else if (tiles) {
    misfit(kWideAccess, "the kernel works on shared tiles, not on one independent item per thread");
  } else {
    misfit(kPadShared, "the kernel has no shared array of two or more dimensions");
  }
  return out;
}

std::expected<Draft, std::vector<Refusal>> run_engine(const Job &job) {
  const bool tiles = uses_tiles(job.kernel);
  if (std::vector<Refusal> misfit = misfits(job, tiles); !misfit.empty())
    return std::unexpected(std::move(misfit));
  const bool items = job.wants(kGridStride) || job.wants(kWideAccess);
  Outcome outcome = job.wants(kWarpPerRow) ? rewrite_rows(job)
                    : tiles                ? rewrite_tiles(job)
                    : items                ? rewrite_items(job)
                                           : rewrite_threads(job);
  if (!outcome) return std::unexpected(std::vector{std::move(outcome).error()});
  return std::move(*outcome);
}

Result<Request> read_request(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("cupilot_rewrite") || json["cupilot_rewrite"] != 1)
    return user_error("not a rewrite request: an object with \"cupilot_rewrite\":1 is expected");
  if (!json.contains("spec") || !json.contains("rules") || !json["rules"].is_array())
    return user_error("a rewrite request needs \"spec\" and a list \"rules\"");
  CUPILOT_TRY(spec, spec::kernel_spec_from_json(json["spec"].dump()));
  Request request{std::move(spec), {}};
  for (const Json &rule : json["rules"])
    if (!rule.is_string() || std::ranges::find(kRules, rule.get<std::string>()) == kRules.end())
      return user_error(fmt::format("unknown rule {}; known rules: {}", rule.dump(),
                                    join(std::vector<std::string>(kRules.begin(), kRules.end()), ", ")));
  for (const std::string rule : kRules)
    if (std::ranges::find(json["rules"], Json(rule)) != json["rules"].end()) request.rules.push_back(rule);
  if (request.rules.empty()) return user_error("a rewrite request names at least one rule");
  return request;
}

}  // namespace

std::string rewrite_request(std::string_view request_json) {
  const Result<Request> request = read_request(request_json);
  if (!request) return answer_error(request.error().message);
  const Result<Kernel> kernel = parse_kernel(request->spec);
  if (!kernel) {
    std::vector<Refusal> all;
    for (const std::string &rule : request->rules)
      all.push_back({rule, kernel.error().message, request->spec.place.line});
    return answer_refused(all);
  }
  const Job job{request->spec, *kernel, {request->rules.begin(), request->rules.end()}};
  const auto draft = run_engine(job);
  return draft ? answer_draft(*request, *kernel, *draft) : answer_refused(draft.error());
}

std::string list_rules() {
  return Json{{"cupilot_rules", 1}, {"rules", kRules}}.dump();
}

}  // namespace cupilot::rewrite
