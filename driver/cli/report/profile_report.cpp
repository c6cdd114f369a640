// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/profile_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "driver/cli/text/figures.h"
#include "driver/cli/text/lookup.h"
#include "driver/cli/text/table.h"
#include "evolution/capture/workloads.h"

namespace cupilot::cli::report {
namespace {

namespace fs = std::filesystem;

/// "void scale<float>(float*)" is a launch of "scale".
std::string function_name(std::string name) {
  int depth = 0;
  std::string plain;
  for (const char c : name) {
    if (c == '(' && depth == 0) break;
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  const auto blank = plain.rfind(' ');
  return blank == std::string::npos ? plain : plain.substr(blank + 1);
}

/// Where accesses were not told, a pointer's own allocation; of what is not `const`, both directions.
double bytes_of(const spec::KernelSpec &kernel, const capture::SeenLaunch &launch) {
  double bytes = 0;
  for (const auto &buffer : launch.buffers) {
    if (buffer.read_end || buffer.written_end) {
      bytes += static_cast<double>(buffer.reads_input ? buffer.read_end.value_or(0) : 0) +
               static_cast<double>(buffer.written_end.value_or(0));
      continue;
    }
    const auto parameter = std::ranges::find(kernel.parameters, buffer.parameter, &spec::Parameter::name);
    const bool both = parameter != kernel.parameters.end() && !parameter->const_pointee;
    bytes += static_cast<double>(buffer.bytes) * (both ? 2 : 1);
  }
  return bytes;
}

class ProfileReader {
public:
  ProfileReader(const project::Project &project, const capture::Seen &seen) : project_(project) {
    for (const auto &shape : seen.shapes) {
      ProfiledKernel &row = rows_[shape.first.kernel];
      row.kernel = shape.first.kernel;
      row.launches += shape.launches;
      row.work += shape.work;
      row.shapes.push_back(shape);
    }
  }

  std::vector<ProfiledKernel> run() {
    std::vector<ProfiledKernel> made;
    for (auto &[name, row] : rows_) {
      find(row);
      if (row.known)
        for (const auto &shape : row.shapes)
          row.bytes += bytes_of(row.known->spec, shape.first) * static_cast<double>(shape.launches);
      judge(row);
      made.push_back(std::move(row));
    }
    std::ranges::stable_sort(made, std::greater{}, &ProfiledKernel::work);
    return made;
  }

private:
  void find(ProfiledKernel &row) const {
    const auto known = std::ranges::find_if(
        project_.kernels, [&](const auto &kernel) { return kernel.spec.name == row.kernel; });
    if (known != project_.kernels.end()) row.known = &*known;
    const auto name = function_name(row.kernel);
    const auto definition = std::ranges::find_if(project_.definitions, [&](const auto &one) {
      return row.known ? one.place == row.known->spec.place : one.name == name;
    });
    if (definition != project_.definitions.end()) row.definition = &*definition;
  }

  void judge(ProfiledKernel &row) const {
    if (!row.definition) return;
    const auto is = [&](TuneState state, std::string detail) {
      row.state = state;
      row.detail = std::move(detail);
    };
    if (!row.known)
      return is(TuneState::not_read, row.definition->problem.empty() ? "its definition cannot be taken out"
                                                                     : row.definition->problem);
    const auto workloads = capture::workloads_of(row.known->spec, row.shapes);
    if (workloads.text.empty()) return is(TuneState::no_workload, workloads.missing);
    if (std::ranges::none_of(row.known->spec.launches, &spec::LaunchSite::caught))
      return is(TuneState::not_swapped,
                row.known->spec.launches.empty()
                    ? "it is launched from another file than its own, where a build cannot swap it"
                    : "its launches are of a kind that a build cannot swap; `cupilot scan` lists them");
    is(row.definition->annotated ? TuneState::annotated : TuneState::tunable, without_target(row));
  }

  /// A swap needs the target's build to ask for it.
  std::string without_target(const ProfiledKernel &row) const {
    if (!project_.build) return "";
    const auto &targets = project_.build->targets;
    const bool tuned = std::ranges::any_of(targets, [&](const auto &target) {
      return text::contains(target.sources, fs::path(row.known->spec.command.source));
    });
    return tuned ? "" : "a build swaps it only if its target calls cupilot_tune() in CMakeLists.txt";
  }

  const project::Project &project_;
  std::map<std::string, ProfiledKernel> rows_;
};

/// Microseconds that the device's memory takes for all launches; 0: not known.
double floor_of(const ProfiledKernel &row, const std::optional<emulate::estimate::DeviceTable> &device) {
  if (!device) return 0;
  const auto found = device->values.find("dram_gbs");
  return found == device->values.end() ? 0 : row.bytes / (1e3 * found->second);
}

std::string bytes_text(double bytes) {
  static constexpr const char *kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1000;
  return bytes == 0 ? "-" : fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

std::string long_time_text(double microseconds) {
  if (microseconds >= 1e6) return fmt::format("{:.3g} s", microseconds / 1e6);
  return microseconds >= 1e3 ? fmt::format("{:.3g} ms", microseconds / 1e3)
                             : fmt::format("{:.3g} us", microseconds);
}

std::string place_text(const ProfiledKernel &row) {
  return row.definition ? row.definition->place.file + ":" + std::to_string(row.definition->place.line) : "-";
}

}  // namespace

const char *word(TuneState state) {
  static constexpr const char *kWords[] = {"tunable",     "annotated", "not_swapped",
                                           "no_workload", "not_read",  "foreign"};
  return kWords[static_cast<int>(state)];
}

Profile profile_of(const ProfiledRun &run, const project::Project &project, const capture::Seen &seen) {
  Profile profile{.run = run, .others = seen.others};
  profile.kernels = ProfileReader(project, seen).run();
  for (const auto &kernel : profile.kernels) profile.work += kernel.work;
  if (auto device = emulate::estimate::device_table(run.architecture)) profile.device = std::move(*device);
  return profile;
}

std::string profile_text(const Profile &profile) {
  if (profile.kernels.empty()) return "no kernel was launched\n";
  using text::Align;
  text::Table table({{"kernel"},
                     {"place"},
                     {"launches", Align::right},
                     {"shapes", Align::right},
                     {profile.run.cpu ? "instructions" : "time", Align::right},
                     {"share", Align::right},
                     {"moves", Align::right},
                     {"floor", Align::right},
                     {profile.run.cpu ? "" : "over floor", Align::right},
                     {"state"}});
  std::vector<std::pair<std::string, std::string>> details;  ///< what is said, and of which kernels
  for (const auto &row : profile.kernels) {
    const double floor = floor_of(row, profile.device);
    table.add({row.kernel, place_text(row), std::to_string(row.launches), std::to_string(row.shapes.size()),
               profile.run.cpu ? fmt::format("{:.3g}", row.work) : long_time_text(row.work),
               text::share_text(profile.share(row)), bytes_text(row.bytes),
               floor > 0 ? long_time_text(floor) : "-",
               profile.run.cpu ? ""
               : floor > 0     ? fmt::format("{:.1f}x", row.work / floor)
                               : "-",
               word(row.state)});
    if (row.detail.empty()) continue;
    const auto said = std::ranges::find(details, row.detail, &std::pair<std::string, std::string>::first);
    if (said == details.end())
      details.emplace_back(row.detail, row.kernel);
    else
      said->second += ", " + row.kernel;
  }
  std::string notes;
  for (const auto &[detail, kernels] : details) notes += "\n" + kernels + ": " + detail;
  return table.text() + (notes.empty() ? "" : notes + "\n");
}

Json profile_json(const Profile &profile) {
  auto list = Json::array();
  for (const auto &row : profile.kernels)
    list.push_back({{"kernel", row.kernel},
                    {"place", row.definition ? place_text(row) : ""},
                    {"launches", row.launches},
                    {"shapes", row.shapes.size()},
                    {"work", row.work},
                    {"share", profile.share(row)},
                    {"bytes", row.bytes},
                    {"floor_us", floor_of(row, profile.device)},
                    {"state", word(row.state)},
                    {"detail", row.detail}});
  return {{"cupilot_profile", 1},
          {"program", profile.run.program},
          {"exit_code", profile.run.exit_code},
          {"unit", profile.run.cpu ? "instructions" : "us"},
          {"architecture", profile.run.architecture},
          {"other_launches", profile.others},
          {"kernels", list}};
}

}  // namespace cupilot::cli::report
