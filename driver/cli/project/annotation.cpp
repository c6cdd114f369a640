// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/annotation.h"

#include <nlohmann/json.hpp>

#include "annotate/spec/kernel_spec_json.h"
#include "annotate/support/process.h"
#include "driver/cli/project/programs.h"

namespace cupilot::cli::project {
namespace {

constexpr int kProtocol = 1;
constexpr std::chrono::seconds kFactsLimit{60};

Result<void> check_version(const std::string &line) {
  const auto hello = nlohmann::json::parse(line, nullptr, false);
  if (hello.is_object() && hello.contains("cupilot_annotate") && hello["cupilot_annotate"] == kProtocol)
    return {};
  return fail("cupilot-annotate has another version than cupilot ('" + line.substr(0, 60) +
              "'); install both programs together");
}

}  // namespace

Result<void> take_line(std::string_view line, Annotation &into) {
  const auto message = nlohmann::json::parse(line, nullptr, false);
  if (!message.is_object())
    return fail("cupilot-annotate printed an unexpected line: '" + std::string(line.substr(0, 60)) + "'");
  if (message.contains("spec")) {
    auto spec = spec::kernel_spec_from_json(message["spec"].dump());
    if (!spec) return within("reading a spec of cupilot-annotate", spec.error());
    into.specs.push_back(std::move(*spec));
  } else if (message.contains("diagnostic")) {
    auto diagnostic = spec::diagnostic_from_json(message["diagnostic"].dump());
    if (!diagnostic) return within("reading a diagnostic of cupilot-annotate", diagnostic.error());
    into.diagnostics.push_back(std::move(*diagnostic));
  } else if (message.contains("definition")) {
    auto definition = spec::definition_from_json(message["definition"].dump());
    if (!definition) return within("reading a definition of cupilot-annotate", definition.error());
    into.definitions.push_back(std::move(*definition));
  } else if (message.contains("done")) {
    into.done = true;
  }
  return {};  // unknown members, of a later version, are ignored
}

Result<Annotation> annotate(const std::vector<std::string> &arguments) {
  CUPILOT_TRY(program, find_annotate());
  std::vector<std::string> argv{program.string(), "scan"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  CUPILOT_TRY(child, LineProcess::start(argv));
  child.close_input();

  Annotation annotation;
  if (const auto hello = child.receive()) CUPILOT_CHECKED(check_version(*hello));
  while (const auto line = child.receive()) CUPILOT_CHECKED(take_line(*line, annotation));
  const auto end = child.wait();
  if (!annotation.done) return fail("cupilot-annotate ended early with " + end.describe());
  return annotation;
}

spec::CodeFacts facts_of_variant(const spec::KernelSpec &spec, const std::string &variant) {
  const auto program = find_annotate();
  if (!program) return {};
  spec::KernelSpec asked = spec;
  asked.slice = variant;
  ProcessRequest request;
  request.argv = {program->string(), "facts"};
  request.input = spec::to_json(asked);
  request.time_limit = kFactsLimit;
  const auto result = run_process(request);
  if (!result || !result->ok()) return {};
  const auto answer = spec::kernel_spec_from_json(result->out);
  return answer ? answer->facts : spec::CodeFacts{};
}

}  // namespace cupilot::cli::project
