// SPDX-License-Identifier: Apache-2.0
//
// Writes bundles for run.py, as the search and `cupilot judge` do: cases from the spec, the static check
// first, the rest into a bundle. One request a line on stdin, its answer a line on stdout:
//   {"folder", "id", "spec": {...}, "executor": "cpu"|"gpu", "large": true|false, "seed",
//    "secret", "finalist", "candidates": [{"id", "text"}...]}
//   {"verdicts": [what the static check refused], "cases": N} or {"error": "..."}

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "annotate/spec/kernel_spec_json.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/judge/screen/static_check.h"
#include "evolution/model/verdict_json.h"

namespace cupilot {
using namespace judge::bundle;
using namespace judge::cases;
using namespace judge::screen;
using namespace model;
using namespace spec;
namespace {

using nlohmann::json;

/// Kernels here have a workload `small` for the CPU and a workload `large` that takes a GPU long enough. The
/// CPU gets it where a program asks for it: it compares some of its blocks.
void choose_workloads(KernelSpec &spec, bool cpu, bool large) {
  if (cpu && !large) std::erase_if(spec.workloads, [](const Workload &w) { return w.id == "large"; });
  for (Workload &workload : spec.workloads)
    if (!cpu && workload.id == "small") workload.check = true;
}

Result<json> write(const json &request) {
  CUPILOT_TRY(spec, kernel_spec_from_json(request.at("spec").dump()));
  const bool cpu = request.at("executor") == "cpu";
  choose_workloads(spec, cpu, request.value("large", false));
  BundleContent content;
  content.id = request.at("id");
  content.architecture = request.at("architecture");
  content.request.seed = request.at("seed");
  content.request.secret = request.at("secret");
  content.request.finalist = request.at("finalist");
  content.request.run_seconds = 30;
  content.request.timing_seconds = 1;
  CUPILOT_TRY(cases, make_cases(spec, {content.request.seed, content.request.secret},
                                cpu ? CaseCap::emulated : CaseCap::none));
  content.cases = cases;
  json verdicts = json::array();
  for (const json &candidate : request.at("candidates")) {
    Individual individual;
    individual.id = candidate.at("id");
    individual.variant = candidate.at("text");
    individual.provider = "hand";
    if (const auto refused = static_check(individual, spec))
      verdicts.push_back(json::parse(to_json(*refused)));
    else
      content.individuals.push_back(std::move(individual));
  }
  content.spec = std::move(spec);
  if (!content.individuals.empty())
    CUPILOT_CHECKED(write_bundle(request.at("folder").get<std::string>(), content));
  return json{
      {"verdicts", verdicts}, {"cases", content.cases.size()}, {"written", content.individuals.size()}};
}

/// The one place where json's exceptions become a value.
json answer(const std::string &line) {
  try {
    const auto written = write(json::parse(line));
    return written ? *written : json{{"error", written.error().message}};
  } catch (const std::exception &error) {
    return json{{"error", error.what()}};
  }
}

}  // namespace
}  // namespace cupilot

int main() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << cupilot::answer(line).dump() << std::endl;
  return 0;
}
