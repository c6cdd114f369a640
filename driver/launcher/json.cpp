// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/json.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace cupilot::launcher {
namespace {

/// Decides while the library parses which values it keeps, and refuses what it would accept but a record may
/// not have. Whatever is not kept takes no memory.
class Watcher {
public:
  explicit Watcher(std::span<const std::string_view> needed) : needed_(needed) {}

  bool operator()(int depth, Json::parse_event_t event, const Json &parsed) {
    using Event = Json::parse_event_t;
    constexpr int kDeepest = 64;
    if (depth >= kDeepest) problem_ = "it is nested too deeply";
    if (!problem_.empty()) return false;
    if (event == Event::key && depth == 1) skipping_ = is_needless(parsed.get_ref<const std::string &>());
    if (skipping_ && depth > 0) return false;
    if (event == Event::object_start) open_.emplace_back();
    if (event == Event::object_end) open_.pop_back();
    if (event == Event::key) add(parsed.get_ref<const std::string &>());
    return true;
  }
  const std::string &problem() const { return problem_; }

private:
  bool is_needless(std::string_view name) const {
    return !needed_.empty() && std::ranges::find(needed_, name) == needed_.end();
  }
  void add(const std::string &name) {
    if (!open_.back().insert(name).second) problem_ = "it has the member '" + name + "' twice in one object";
  }

  std::span<const std::string_view> needed_;
  bool skipping_ = false;                    ///< inside a member that is not needed
  std::vector<std::set<std::string>> open_;  ///< names of the members of every object not yet closed
  std::string problem_;
};

std::unexpected<Error> not_json(std::string_view text, std::size_t at) {
  return fail("not valid JSON at line " + std::to_string(1 + std::ranges::count(text.substr(0, at), '\n')));
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::span<const std::string_view> needed) {
  // the library takes it for the end of the text
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) return not_json(text, zero);
  try {
    Watcher watcher(needed);
    Json json = Json::parse(text, std::ref(watcher));
    if (!watcher.problem().empty()) return fail(watcher.problem());
    return json;
  } catch (const Json::parse_error &problem) {
    return not_json(text, problem.byte == 0 ? 0 : problem.byte - 1);
  } catch (const std::exception &problem) {
    return fail(std::string("not valid JSON: ") + problem.what());
  }
}

const Json &member(const Json &json, std::string_view name) {
  static const Json null;
  if (!json.is_object()) return null;
  const auto found = json.find(name);
  return found == json.end() ? null : *found;
}

const Json &elements(const Json &json) {
  static const Json none = Json::array();
  return json.is_array() ? json : none;
}

}  // namespace cupilot::launcher
