// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <set>

#include "annotate/spec/json_convert.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"
#include "evolution/model/verdict_json.h"
#include "evolution/provider/recording.h"

namespace cupilot::provider {

/// A question as a line. The prefix is given by its sha256; its text is on a line of its own.
constexpr auto fields_of(const RecordedQuestion *) {
  using S = RecordedQuestion;
  return fields(
      field("question", &S::question), field("role", &S::role), field("prompt_version", &S::prompt_version),
      unwritten(&S::prefix), computed("prefix", [](const S &one) { return sha256(one.prefix); }),
      field("prompt", &S::prompt), sparse("answer", &S::answer), sparse("failure", &S::failure),
      field("model", &S::model),
      inlined(&S::spent, fields(field("tokens_in", &Spending::tokens_in),
                                field("tokens_cached", &Spending::tokens_cached),
                                field("tokens_out", &Spending::tokens_out), field("usd", &Spending::usd))),
      field("seconds", &S::seconds));
}

namespace {

constexpr auto kRecordingHead =
    fields(field("kernel", &Recording::kernel), field("kernel_id", &Recording::kernel_id),
           field("architecture", &Recording::architecture), field("policy", &Recording::policy),
           later("options", &Recording::options), field("seed", &Recording::seed),
           field("provider", &Recording::provider), field("device", &Recording::device),
           sparse("history", &Recording::history));

/// Reads line by line; a line refers only to earlier lines.
class Reader {
public:
  Result<void> read(const spec::Json &line) {
    if (line.contains("cupilot_recording")) return head(line);
    if (!headed_) return fail("the first line is not the head of a recording");
    if (line.contains("text")) return keep(line, "text", texts_);
    if (line.contains("variant") && line.contains("content"))
      return keep(line, "variant", recording.variants);
    if (line.contains("question")) return question(line);
    if (line.contains("verdict")) return verdict(line);
    return fail("it is neither a text, a question, a variant nor a verdict");
  }
  Recording recording;

private:
  using Texts = std::map<std::string, std::string>;

  Result<void> head(const spec::Json &line) {
    if (headed_) return fail("it is a second head, but a recording has one");
    if (line.at("cupilot_recording").get<int>() != 1)
      return fail(fmt::format("the recording has version {}; this program reads version 1",
                              line.at("cupilot_recording").dump()));
    headed_ = true;
    spec::read_json_into(line, recording, {}, kRecordingHead);
    return {};
  }
  static Result<void> keep(const spec::Json &line, const char *member, Texts &texts) {
    texts[line.at(member).get<std::string>()] = line.at("content").get<std::string>();
    return {};
  }
  Result<void> question(const spec::Json &line) {
    RecordedQuestion one;
    spec::read_json_into(line, one);
    const auto prefix = texts_.find(line.at("prefix").get<std::string>());
    if (prefix == texts_.end())
      return fail("the text of the question's prefix is missing in the lines before it");
    one.prefix = prefix->second;
    if (!one.answer && one.failure.empty()) return fail("the question has neither an answer nor a failure");
    recording.questions.push_back(std::move(one));
    return {};
  }
  Result<void> verdict(const spec::Json &line) {
    CUPILOT_TRY(judged, model::verdict_from_json(line.at("verdict").dump()));
    recording.verdicts.push_back(
        {line.at("variant").get<std::string>(), line.at("seed").get<std::uint64_t>(), std::move(judged)});
    return {};
  }

  bool headed_ = false;
  Texts texts_;
};

Result<void> read_line(Reader &reader, const std::string &line) {
  try {
    return reader.read(spec::Json::parse(line));
  } catch (const std::exception &problem) {
    return fail(std::string("damaged JSON: ") + problem.what());
  }
}

}  // namespace

std::string question_sha256(const RoleRequest &request) {
  std::string text;
  for (const std::string *part :
       {&request.role, &request.prompt_version, &request.content, &request.prefix, &request.prompt})
    text += fmt::format("{} {}", part->size(), *part);  // the sizes make the text unique for each request
  return sha256(text);
}

std::string to_json_lines(const Recording &recording) {
  spec::Json head{{"cupilot_recording", 1}};
  spec::write_members(head, recording, kRecordingHead);
  std::string lines = spec::one_line(head) + "\n";
  std::set<std::string> said;
  for (const RecordedQuestion &one : recording.questions) {
    const std::string prefix = sha256(one.prefix);
    if (said.insert(prefix).second)
      lines += spec::one_line(spec::Json{{"text", prefix}, {"content", one.prefix}}) + "\n";
    lines += spec::one_line(spec::json_of(one)) + "\n";
  }
  for (const RecordedVerdict &one : recording.verdicts) {
    const auto variant = recording.variants.find(one.variant_sha256);
    if (variant != recording.variants.end() && said.insert(one.variant_sha256).second)
      lines +=
          spec::one_line(spec::Json{{"variant", one.variant_sha256}, {"content", variant->second}}) + "\n";
    lines += spec::one_line(spec::Json{{"verdict", spec::Json::parse(model::to_json(one.verdict))},
                                       {"variant", one.variant_sha256},
                                       {"seed", one.seed}}) +
             "\n";
  }
  return lines;
}

Result<Recording> recording_from(std::string_view json_lines) {
  Reader reader;
  std::size_t number = 0;
  for (const std::string &line : split_lines(json_lines)) {
    ++number;
    if (trim(line).empty()) continue;
    if (const auto read = read_line(reader, line); !read)
      return within(fmt::format("line {} of the recording", number), read.error());
  }
  if (number == 0 || reader.recording.kernel.empty()) return fail("the recording is empty");
  return std::move(reader.recording);
}

}  // namespace cupilot::provider
