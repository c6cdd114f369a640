// SPDX-License-Identifier: Apache-2.0
//
// Hardware counters of one launch. Before every pass the buffers get their first content again and the cache
// is flushed.
#include "evolution/device/counters/counters.h"
#include "evolution/device/kernels/cuda_call.h"
#include "evolution/device/session_cuda.h"
#include "evolution/judge/time/roofline.h"

namespace cupilot::device {

namespace {

std::string note_of(const counters::Counters &counters) {
  std::string note;
  for (const std::string &name : counters.unknown)
    note += (note.empty() ? "not on this device: " : ", ") + name;
  return note;
}

}  // namespace

model::Profile CudaSession::profile(judge::launches::Entry &entry,
                                    const std::vector<spec::Parameter> &parameters,
                                    const judge::launches::Setting &setting) {
  model::Profile profile;
  profile.workload = setting.which->workload;
  const auto collected = [&]() -> Result<counters::Counters> {
    CUPILOT_CHECKED(start_stopwatch());
    CUPILOT_CHECKED(memory_->prepare(parameters, setting));
    CUPILOT_CHECKED(memory_->keep_inouts());
    const timing::Stopwatch::Launch launch = launcher(entry, *setting.which);
    const auto counted = [&]() -> Result<> {
      CUPILOT_CHECKED(launch());
      CUPILOT_CUDA("running a counted launch", cudaDeviceSynchronize());
      return {};
    };
    const auto prepare = [&]() -> Result<> {
      CUPILOT_CHECKED(memory_->restore());
      CUPILOT_CHECKED(stopwatch_->flush());
      CUPILOT_CUDA("preparing a counted launch", cudaDeviceSynchronize());
      return {};
    };
    CUPILOT_CHECKED(counted());  // a first launch loads modules outside the counted range
    return counters::collect_counters(judge::time::profile_metrics(), prepare, counted);
  }();
  if (!collected) {
    profile.note = collected.error().message;
    return profile;
  }
  profile.counters = collected->values;
  profile.note = note_of(*collected);
  return profile;
}

}  // namespace cupilot::device
