// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/record_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "annotate/directive/data_assumption.h"
#include "driver/launcher/json.h"
#include "driver/launcher/limits.h"
#include "driver/launcher/record_code.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;

/// What the reader below looks at; most of a record is evidence for people.
constexpr std::string_view kMembers[] = {"cupilot_record", "kernel",   "kernel_id",    "variant_sha256",
                                         "arch",           "estimate", "fingerprints", "guard"};

/// The name becomes a string of the program and a field of its log: it has no quotes and no control
/// characters.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c != '"' && c != '\\'; });
}

/// The string, or an integer as it is written; empty for anything else.
std::string text_of(const Json &json) {
  if (json.is_string()) return json.get<std::string>();
  return json.is_number_integer() ? json.dump() : std::string();
}

template <class Integer, class Number>
bool assign(Number number, Integer &out) {
  if (!std::in_range<Integer>(number)) return false;
  out = static_cast<Integer>(number);
  return true;
}

/// An integer, also one that is written as 1024.0.
template <class Integer>
bool to_integer(const Json &json, Integer &out) {
  if (json.is_number_float()) {
    const double number = json.get<double>();
    // up to 2^53 every integer is a double
    return std::fabs(number) <= 0x1p53 && number == std::floor(number) &&
           assign(static_cast<long long>(number), out);
  }
  if (json.is_number_unsigned()) return assign(json.get<unsigned long long>(), out);
  return json.is_number_integer() && assign(json.get<long long>(), out);
}

/// Reads member after member; the error names the first one that is missing or invalid.
class Reader {
public:
  Reader(const Json &json, const fs::path &path, const fs::path &root) : json_(json), root_(root) {
    record_.path = path;
    record_.variant_path = path.parent_path() / "variant.cuh";
  }

  Result<SwapRecord> read() {
    if (long long version = 0; !to_integer(member(json_, "cupilot_record"), version) || version != 1)
      return fail("member 'cupilot_record' is not 1: another version of cupilot wrote this record");
    kernel(member(json_, "kernel"));
    text(json_, "kernel_id", record_.kernel_id);
    text(json_, "variant_sha256", record_.variant_sha256);
    text(json_, "arch", record_.arch);
    require(parse_architecture(record_.arch).has_value(), "arch");
    record_.estimate = member(json_, "estimate") == true;
    for (const auto &fingerprint : elements(member(json_, "fingerprints"))) add_fingerprint(fingerprint);
    guard(member(json_, "guard"));
    if (!bad_.empty()) return fail(bad_);
    return std::move(record_);
  }

private:
  void require(bool good, std::string_view name) {
    if (!good && bad_.empty()) bad_ = "member '" + std::string(name) + "' is missing or invalid";
  }
  /// Text that becomes code: an error means that it is not the code it should be.
  void require(const Result<std::string> &code, std::string_view name) {
    if (!code && bad_.empty()) bad_ = "member '" + std::string(name) + "': " + code.error().message;
  }
  void text(const Json &object, std::string_view name, std::string &out) {
    const Json &json = member(object, name);
    out = text_of(json);
    require(json.is_string() && !out.empty(), name);
  }
  fs::path absolute(const std::string &path) const { return (root_ / path).lexically_normal(); }

  void kernel(const Json &kernel) {
    text(kernel, "name", record_.name);
    require(is_plain(record_.name), "name");
    text(kernel, "instantiation", record_.instantiation);
    require(instantiation_code(record_.instantiation), "instantiation");
    for (const auto &name : elements(member(kernel, "namespaces"))) {
      record_.namespaces.push_back(text_of(name));
      const bool anonymous = name.is_string() && record_.namespaces.back().empty();
      require(anonymous || is_identifier(record_.namespaces.back()), "namespaces");
    }
    std::string file;
    text(kernel, "file", file);
    record_.file = absolute(file);
    const Json &parameters = member(kernel, "parameters");
    require(parameters.is_array(), "parameters");
    for (const auto &parameter : elements(parameters))
      record_.parameters.push_back(text_of(member(parameter, "name")));
  }

  void add_fingerprint(const Json &json) {
    auto &fingerprint = record_.fingerprints.emplace_back();
    std::string source;
    text(json, "source", source);
    fingerprint.source = absolute(source);
    text(json, "macros", fingerprint.macros);
    const Json &files = elements(member(json, "files"));
    require(!files.empty(), "files");
    for (const auto &file : files)
      fingerprint.files.push_back({absolute(text_of(member(file, "path"))), text_of(member(file, "sha256"))});
  }

  void guard(const Json &guard) {
    require(guard.is_object(), "guard");
    assumptions(member(guard, "assumptions"));
    promises(member(guard, "promises"));
    record_.domain = ranges(member(guard, "domain"), "domain");
    boxes(member(guard, "boxes"), "boxes", record_.boxes);
    boxes(member(guard, "verified"), "verified", record_.verified);
    for (const auto &configuration : elements(member(guard, "configurations")))
      add_configuration(configuration);
    launch(member(guard, "launch"));
  }

  void launch(const Json &launch) {
    for (std::size_t i = 0; i < 7; ++i)
      record_.launch[i] = i < 6 ? dimension(launch, i) : text_of(member(launch, "shared_bytes"));
    if (std::ranges::any_of(record_.launch, &std::string::empty)) {
      record_.launch = {};
      // neither expressions nor a list would mean "any configuration", which nobody verified
      require(!record_.configurations.empty(), "launch");
      return;
    }
    for (const auto &expression : record_.launch)
      require(launch_code(expression, record_.parameters), "launch");
  }

  /// A member that is there must be what it should be, because it restricts where the variant may run.
  const Json &list_or_nothing(const Json &json, std::string_view name) {
    require(json.is_null() || json.is_array(), name);
    return elements(json);
  }

  void assumptions(const Json &json) {
    for (const auto &assumption : list_or_nothing(json, "assumptions")) {
      require(assumption.is_string(), "assumptions");
      record_.assumptions.push_back(text_of(assumption));
      require(condition_code(record_.assumptions.back(), record_.parameters), "assumptions");
    }
  }

  /// Printed from what was read: nothing else of the record gets into the generated text.
  void promises(const Json &json) {
    for (const auto &promise : list_or_nothing(json, "promises")) {
      require(promise.is_string(), "promises");
      const auto said = directive::data_assumption(text_of(promise));
      require(said.has_value(), "promises");
      if (!said) continue;
      record_.promises.push_back(said->ranged
                                     ? "range(" + said->parameter + ", " + std::to_string(said->low) + ", " +
                                           std::to_string(said->high) + ")"
                                     : "finite(" + said->parameter + ")");
    }
  }

  void boxes(const Json &json, std::string_view name, std::vector<std::vector<DomainRange>> &to) {
    for (const auto &box : list_or_nothing(json, name)) {
      to.push_back(ranges(box, name));
      require(!to.back().empty(), name);
    }
  }

  std::vector<DomainRange> ranges(const Json &json, std::string_view name) {
    std::vector<DomainRange> made;
    if (!json.is_object()) return made;
    for (const auto &[parameter, range] : json.items()) {
      DomainRange &entry = made.emplace_back();
      entry.parameter = parameter;
      require(is_identifier(parameter) &&
                  std::ranges::find(record_.parameters, parameter) != record_.parameters.end(),
              name);
      const Json &ends = elements(range);
      require(ends.size() == 2 && to_integer(ends[0], entry.least) && to_integer(ends[1], entry.greatest),
              name);
    }
    return made;
  }

  static std::string dimension(const Json &launch, std::size_t i) {
    const Json &axes = elements(member(launch, i < 3 ? "grid" : "block"));
    return axes.size() == 3 ? text_of(axes[i % 3]) : std::string();
  }

  void add_configuration(const Json &json) {
    auto &configuration = record_.configurations.emplace_back();
    const Json &numbers = elements(json);
    require(numbers.size() == 7, "configurations");
    for (std::size_t i = 0; i < 7 && i < numbers.size(); ++i)
      require(to_integer(numbers[i], configuration[i]), "configurations");
  }

  const Json &json_;
  const fs::path &root_;
  SwapRecord record_;
  std::string bad_;
};

std::vector<fs::path> sorted_entries(const fs::path &folder) {
  std::vector<fs::path> entries;
  std::error_code failed;
  for (fs::directory_iterator i(folder, failed), end;
       !failed && i != end && entries.size() < kMostRecordEntries; i.increment(failed))
    entries.push_back(i->path());
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

Result<SwapRecord> parse_record(std::string_view text, const fs::path &path, const fs::path &root) {
  CUPILOT_TRY(json, parse_json(text, kMembers));
  return Reader(json, path, root).read();
}

std::vector<fs::path> find_records(const fs::path &records) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto &kernel : sorted_entries(records))
    for (const auto &arch : sorted_entries(kernel))
      if (auto path = arch / "record.json"; fs::is_regular_file(path, ignored))
        found.push_back(std::move(path));
  return found;
}

}  // namespace cupilot::launcher
