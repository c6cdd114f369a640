// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "annotate/spec/json_convert.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"
#include "evolution/model/verdict_json.h"
#include "evolution/provider/recording.h"

namespace cupilot {
namespace {

Json json_of(const RecordedQuestion &one) {
  Json json = {{"question", one.question},
               {"role", one.role},
               {"prompt_version", one.prompt_version},
               {"prefix", sha256(one.prefix)},
               {"prompt", one.prompt}};
  if (one.answer) json["answer"] = *one.answer;
  if (!one.failure.empty()) json["failure"] = one.failure;
  json["model"] = one.model;
  json["tokens_in"] = one.spent.tokens_in;
  json["tokens_cached"] = one.spent.tokens_cached;
  json["tokens_out"] = one.spent.tokens_out;
  json["usd"] = one.spent.usd;
  json["seconds"] = one.seconds;
  return json;
}

/// Reads line by line; what a line refers to stands before it.
class Reader {
public:
  Result<void> read(const Json &line) {
    if (line.contains("cupilot_recording")) return head(line);
    if (!headed_) return fail("the first line is not the head of a recording");
    if (line.contains("text")) return keep(line, "text", texts_);
    if (line.contains("variant") && line.contains("content"))
      return keep(line, "variant", recording.variants);
    if (line.contains("question")) return question(line);
    if (line.contains("verdict")) return verdict(line);
    return fail("neither a text, a question, a variant nor a verdict");
  }
  Recording recording;

private:
  using Texts = std::map<std::string, std::string>;

  Result<void> head(const Json &line) {
    if (headed_) return fail("a second head");
    if (line.at("cupilot_recording").get<int>() != 1)
      return fail("a recording of version " + line.at("cupilot_recording").dump() + ", this program reads 1");
    headed_ = true;
    line.at("kernel").get_to(recording.kernel);
    line.at("kernel_id").get_to(recording.kernel_id);
    line.at("architecture").get_to(recording.architecture);
    line.at("policy").get_to(recording.policy);
    optional_member(line, "options", recording.options);
    line.at("seed").get_to(recording.seed);
    line.at("provider").get_to(recording.provider);
    line.at("device").get_to(recording.device);
    optional_member(line, "history", recording.history);
    return {};
  }
  static Result<void> keep(const Json &line, const char *member, Texts &texts) {
    texts[line.at(member).get<std::string>()] = line.at("content").get<std::string>();
    return {};
  }
  Result<void> question(const Json &line) {
    RecordedQuestion one;
    line.at("question").get_to(one.question);
    line.at("role").get_to(one.role);
    line.at("prompt_version").get_to(one.prompt_version);
    const auto prefix = texts_.find(line.at("prefix").get<std::string>());
    if (prefix == texts_.end()) return fail("its prefix has no line before it");
    one.prefix = prefix->second;
    line.at("prompt").get_to(one.prompt);
    if (line.contains("answer")) one.answer = line.at("answer").get<std::string>();
    optional_member(line, "failure", one.failure);
    if (!one.answer && one.failure.empty()) return fail("neither an answer nor a failure");
    line.at("model").get_to(one.model);
    line.at("tokens_in").get_to(one.spent.tokens_in);
    line.at("tokens_cached").get_to(one.spent.tokens_cached);
    line.at("tokens_out").get_to(one.spent.tokens_out);
    line.at("usd").get_to(one.spent.usd);
    line.at("seconds").get_to(one.seconds);
    recording.questions.push_back(std::move(one));
    return {};
  }
  Result<void> verdict(const Json &line) {
    CUPILOT_TRY(judged, verdict_from_json(line.at("verdict").dump()));
    recording.verdicts.push_back(
        {line.at("variant").get<std::string>(), line.at("seed").get<std::uint64_t>(), std::move(judged)});
    return {};
  }

  bool headed_ = false;
  Texts texts_;
};

Result<void> read_line(Reader &reader, const std::string &line) {
  try {
    return reader.read(Json::parse(line));
  } catch (const std::exception &problem) {
    return fail(std::string("damaged JSON: ") + problem.what());
  }
}

}  // namespace

std::string question_sha256(const RoleRequest &request) {
  std::string text;
  for (const std::string *part :
       {&request.role, &request.prompt_version, &request.content, &request.prefix, &request.prompt})
    text += std::to_string(part->size()) + " " + *part;  // so that no two requests make one text
  return sha256(text);
}

std::string to_json_lines(const Recording &recording) {
  Json head = {{"cupilot_recording", 1},           {"kernel", recording.kernel},
               {"kernel_id", recording.kernel_id}, {"architecture", recording.architecture},
               {"policy", recording.policy},       {"options", recording.options},
               {"seed", recording.seed},           {"provider", recording.provider},
               {"device", recording.device}};
  if (!recording.history.empty()) head["history"] = recording.history;
  std::string lines = one_line(head) + "\n";
  std::set<std::string> said;
  for (const RecordedQuestion &one : recording.questions) {
    const std::string prefix = sha256(one.prefix);
    if (said.insert(prefix).second) lines += one_line(Json{{"text", prefix}, {"content", one.prefix}}) + "\n";
    lines += one_line(json_of(one)) + "\n";
  }
  for (const RecordedVerdict &one : recording.verdicts) {
    const auto variant = recording.variants.find(one.variant_sha256);
    if (variant != recording.variants.end() && said.insert(one.variant_sha256).second)
      lines += one_line(Json{{"variant", one.variant_sha256}, {"content", variant->second}}) + "\n";
    lines += one_line(Json{{"verdict", Json::parse(to_json(one.verdict))},
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
      return within("line " + std::to_string(number) + " of the recording", read.error());
  }
  if (number == 0 || reader.recording.kernel.empty()) return fail("the recording is empty");
  return std::move(reader.recording);
}

}  // namespace cupilot
