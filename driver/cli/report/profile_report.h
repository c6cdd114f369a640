// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a program as `cupilot profile` lists them: how much of the work each is, and whether cupilot
// can tune it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/project/project.h"
#include "driver/cli/report/output.h"
#include "evolution/capture/shapes.h"
#include "evolution/emulate/estimate/estimate.h"

namespace cupilot::cli::report {

/// What is remembered of the run, beside what the watcher wrote.
struct ProfiledRun {
  std::vector<std::string> program;
  std::string architecture;  ///< of the device; empty: not known
  bool cpu = false;
  int exit_code = 0;
};

/// In this order: no pragma yet; one is there; no launch that a build can swap is in its file; its launches
/// are given what no workload can say; its definition cannot be taken out; not in these sources.
enum class TuneState { tunable, annotated, not_swapped, no_workload, not_read, foreign };
const char *word(TuneState state);

struct ProfiledKernel {
  std::string kernel;
  std::uint64_t launches = 0;
  std::vector<capture::SeenShape> shapes;
  double work = 0;   ///< microseconds, or executed instructions
  double bytes = 0;  ///< read and written at least, by all launches; 0: not known
  const project::ProjectKernel *known = nullptr;
  const spec::Definition *definition = nullptr;
  TuneState state = TuneState::foreign;
  std::string detail;
};

struct Profile {
  ProfiledRun run;
  std::vector<ProfiledKernel> kernels;  ///< those with most work first
  std::optional<emulate::estimate::DeviceTable> device;
  std::uint64_t others = 0;  ///< launches that were counted, but not looked at
  double work = 0;

  double share(const ProfiledKernel &kernel) const { return work > 0 ? kernel.work / work : 0; }
};

/// `project` has every kernel of the sources, and has to outlive the result.
Profile profile_of(const ProfiledRun &run, const project::Project &project, const capture::Seen &seen);

std::string profile_text(const Profile &profile);
Json profile_json(const Profile &profile);

}  // namespace cupilot::cli::report
