// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/record_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "annotate/support/names.h"
#include "driver/launcher/condition.h"
#include "driver/launcher/json.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}
bool is_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::ranges::all_of(text, is_name_character);
}

/// "rms_norm", "rms_norm<float, (int)128>": names and template arguments, nothing that ends an expression.
bool is_instantiation(std::string_view text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_') &&
         std::ranges::all_of(text, [](char c) {
           return is_name_character(c) || std::string_view(" <>,:*&()-'[]").contains(c);
         });
}

/// "sm_90", "sm_90a", "sm_100f".
bool is_architecture(std::string_view text) {
  if (!text.starts_with("sm_")) return false;
  text.remove_prefix(3);
  if (!text.empty() && (text.back() == 'a' || text.back() == 'f')) text.remove_suffix(1);
  return text.size() >= 2 && text.size() <= 3 && std::ranges::all_of(text, is_digit);
}

bool is_expression(std::string_view text, const std::vector<std::string> &names) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_name_character(text[i])) {
      if (!std::string_view(" +-*/%<>&|^~!=?:(),").contains(text[i])) return false;
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && (is_name_character(text[end]) || text[end] == '\'')) ++end;
    const auto word = text.substr(i, end - i);
    if (!is_digit(word[0]) && word != "min" && word != "max" && std::ranges::find(names, word) == names.end())
      return false;
    i = end;
  }
  return !text.empty() && !text.contains("//") && !text.contains("/*") && !text.contains("++") &&
         !text.contains("--");
}

/// An integer, also one written as 1024.0.
template <class Integer>
bool to_integer(const Json &json, Integer &out) {
  if (!json.is(Json::Kind::number)) return false;
  std::string_view text = json.text();
  if (const auto dot = text.find('.');
      dot != std::string_view::npos && text.find_first_not_of('0', dot + 1) == std::string_view::npos)
    text = text.substr(0, dot);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

/// Reads member after member; the first that is missing or odd is named by the error.
class Reader {
public:
  Reader(const Json &json, const fs::path &path, const fs::path &root) : json_(json), root_(root) {
    record_.path = path;
    record_.variant_path = path.parent_path() / "variant.cuh";
  }

  Result<SwapRecord> read() {
    if (long long version = 0; !to_integer(json_["cupilot_record"], version) || version != 1)
      return fail("member 'cupilot_record' is not 1: a record of another version of cupilot");
    kernel(json_["kernel"]);
    text(json_, "kernel_id", record_.kernel_id);
    text(json_, "variant_sha256", record_.variant_sha256);
    text(json_, "arch", record_.arch);
    require(is_architecture(record_.arch), "arch");
    record_.estimate = json_["estimate"].truth();
    for (const auto &fingerprint : json_["fingerprints"].elements()) add_fingerprint(fingerprint);
    guard(json_["guard"]);
    if (!bad_.empty()) return fail("member '" + bad_ + "' is missing or not as expected");
    return std::move(record_);
  }

private:
  void require(bool good, std::string_view member) {
    if (!good && bad_.empty()) bad_ = member;
  }
  void text(const Json &object, std::string_view member, std::string &out) {
    require(object[member].is(Json::Kind::string) && !object[member].text().empty(), member);
    out = object[member].text();
  }
  fs::path absolute(const std::string &path) const { return (root_ / path).lexically_normal(); }

  void kernel(const Json &kernel) {
    text(kernel, "name", record_.name);
    text(kernel, "instantiation", record_.instantiation);
    require(is_instantiation(record_.instantiation), "instantiation");
    require(!std::ranges::any_of(record_.name, [](char c) { return c == '"' || c == '\\' || c < ' '; }),
            "name");
    for (const auto &name : kernel["namespaces"].elements()) {
      require(name.text().empty() || is_identifier(name.text()), "namespaces");
      record_.namespaces.push_back(name.text());
    }
    std::string file;
    text(kernel, "file", file);
    record_.file = absolute(file);
    require(kernel["parameters"].is(Json::Kind::array), "parameters");
    for (const auto &parameter : kernel["parameters"].elements())
      record_.parameters.push_back(parameter["name"].text());
  }

  void add_fingerprint(const Json &json) {
    auto &fingerprint = record_.fingerprints.emplace_back();
    std::string source;
    text(json, "source", source);
    fingerprint.source = absolute(source);
    text(json, "macros", fingerprint.macros);
    require(!json["files"].elements().empty(), "files");
    for (const auto &file : json["files"].elements())
      fingerprint.files.push_back({absolute(file["path"].text()), file["sha256"].text()});
  }

  void guard(const Json &guard) {
    require(guard.is(Json::Kind::object), "guard");
    assumptions(guard["assumptions"]);
    record_.domain = ranges(guard["domain"], "domain");
    list_or_nothing(guard["boxes"], "boxes");
    for (const auto &box : guard["boxes"].elements()) {
      record_.boxes.push_back(ranges(box, "boxes"));
      require(!record_.boxes.back().empty(), "boxes");
    }
    const Json &launch = guard["launch"];
    for (std::size_t i = 0; i < 7; ++i)
      record_.launch[i] = i < 6 ? dimension(launch, i) : launch["shared_bytes"].text();
    for (const auto &configuration : guard["configurations"].elements()) add_configuration(configuration);
    const bool by_list = std::ranges::any_of(record_.launch, &std::string::empty);
    if (by_list) record_.launch = {};
    // neither expressions nor a list would mean "any configuration", which nobody verified
    require(by_list
                ? !record_.configurations.empty()
                : std::ranges::all_of(record_.launch,
                                      [&](const auto &e) { return is_expression(e, record_.parameters); }),
            "launch");
  }

  /// A member that is there must be what it should be: it restricts.
  void list_or_nothing(const Json &json, std::string_view member) {
    require(json.is(Json::Kind::null) || json.is(Json::Kind::array), member);
  }

  void assumptions(const Json &json) {
    list_or_nothing(json, "assumptions");
    for (const auto &assumption : json.elements()) {
      require(assumption.is(Json::Kind::string) &&
                  condition_code(assumption.text(), record_.parameters).has_value(),
              "assumptions");
      record_.assumptions.push_back(assumption.text());
    }
  }

  std::vector<DomainRange> ranges(const Json &json, std::string_view member) {
    std::vector<DomainRange> made;
    for (const auto &[name, range] : json.members()) {
      DomainRange &entry = made.emplace_back();
      entry.parameter = name;
      require(is_identifier(name) && std::ranges::find(record_.parameters, name) != record_.parameters.end(),
              member);
      require(range.elements().size() == 2 && to_integer(range.elements()[0], entry.least) &&
                  to_integer(range.elements()[1], entry.greatest),
              member);
    }
    return made;
  }

  static std::string dimension(const Json &launch, std::size_t i) {
    const auto &axes = launch[i < 3 ? "grid" : "block"].elements();
    return axes.size() == 3 ? axes[i % 3].text() : std::string();
  }

  void add_configuration(const Json &json) {
    auto &configuration = record_.configurations.emplace_back();
    require(json.elements().size() == 7, "configurations");
    for (std::size_t i = 0; i < 7 && i < json.elements().size(); ++i)
      require(to_integer(json.elements()[i], configuration[i]), "configurations");
  }

  const Json &json_;
  const fs::path &root_;
  SwapRecord record_;
  std::string bad_;
};

std::vector<fs::path> sorted_entries(const fs::path &folder) {
  std::vector<fs::path> entries;
  std::error_code failed;
  for (fs::directory_iterator i(folder, failed), end; !failed && i != end; i.increment(failed))
    entries.push_back(i->path());
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

Result<SwapRecord> parse_record(std::string_view text, const fs::path &path, const fs::path &root) {
  CUPILOT_TRY(json, Json::parse(text));
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
