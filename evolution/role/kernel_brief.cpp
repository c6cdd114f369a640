// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/kernel_brief.h"

#include <fmt/format.h>

#include "annotate/support/text.h"
#include "evolution/role/prompt.h"
#include "evolution/role/words.h"

namespace cupilot::role {
namespace {

std::string workload_text(const WorkloadBrief &workload) {
  std::string text =
      fmt::format("{}: {}; original launched with {}", workload.id, workload.sizes, workload.launch);
  if (!workload.timed) text += "; checked, not timed";
  if (workload.timed && workload.weight != 1) text += "; weight " + decimals(workload.weight, 2);
  for (const std::string &buffer : workload.buffers) text += "\n  " + buffer;
  return text;
}

std::string workloads_text(const KernelBrief &brief) {
  std::vector<std::string> texts;
  for (const WorkloadBrief &workload : brief.workloads) texts.push_back(workload_text(workload));
  return bullets(texts);
}

std::string computes_text(const KernelBrief &brief) {
  return brief.computes.empty() ? "" : fenced(brief.computes, "text");
}

/// What the precision clause means for the choice of instructions; the brief states what it allows.
std::string precision_rule(const KernelBrief &brief) {
  const std::string_view clause = brief.precision;
  if (clause.starts_with("tf32"))
    return "Products may run on tensor cores with tf32 operands; accumulators stay as wide as the "
           "original's.";
  if (clause.starts_with("half") || clause.starts_with("bf16"))
    return "Products may run on tensor cores with operands of that type; accumulators stay as wide as the "
           "original's.";
  if (clause.starts_with("relaxed"))
    return "Narrower arithmetic is allowed as far as every element stays within that tolerance.";
  return "So no product of floats as one tf32, half or bf16 product, and no fast-math form with a larger "
         "error. An emulation that is as exact is allowed: a float product as three tf32 or bf16 products of "
         "split operands (big*big + big*small + small*big), summed in float, with infinities and NaN minded.";
}

}  // namespace

std::string stable_prefix(const KernelBrief &brief) {
  return prompt("contract")
      .fill({{"kernel", brief.kernel},
             {"dialect", brief.dialect},
             {"cute", brief.dialect == kCuteDialect ? "yes" : ""},
             {"architecture", brief.architecture},
             {"device", bullets(brief.device)},
             {"precision", brief.precision},
             {"precision_rule", precision_rule(brief)},
             {"assumptions", bullets(brief.assumptions)},
             {"deterministic", brief.deterministic ? "yes" : ""},
             {"computes", computes_text(brief)},
             {"least", bullets(brief.least)},
             {"workloads", workloads_text(brief)},
             {"signature", fenced(brief.signature, "cuda")},
             {"launch_header", fenced(brief.launch_header, "cuda")},
             {"source", fenced(brief.source, "cuda")}});
}

std::string prefix_without_code(const KernelBrief &brief) {
  return prompt("setting").fill({{"kernel", brief.kernel},
                                 {"architecture", brief.architecture},
                                 {"device", bullets(brief.device)},
                                 {"precision", brief.precision},
                                 {"precision_rule", precision_rule(brief)},
                                 {"assumptions", bullets(brief.assumptions)},
                                 {"deterministic", brief.deterministic ? "yes" : ""},
                                 {"computes", computes_text(brief)},
                                 {"least", bullets(brief.least)},
                                 {"workloads", workloads_text(brief)}});
}

}  // namespace cupilot::role
