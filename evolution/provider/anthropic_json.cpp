// SPDX-License-Identifier: Apache-2.0
//
// The dialect of Anthropic's messages, which llama.cpp and proxies also serve.
#include <utility>

#include "evolution/provider/dialect_json.h"

namespace cupilot::provider {
namespace {

constexpr const char *kTokenVariable = "ANTHROPIC_AUTH_TOKEN";  // a bearer token; the other: x-api-key
constexpr std::size_t kMostBlocks = 10'000;

StopReason anthropic_stop(const std::string &word) {
  if (word == "end_turn" || word == "stop_sequence") return StopReason::finished;
  if (word == "max_tokens" || word == "model_context_window_exceeded") return StopReason::length;
  if (word == "refusal") return StopReason::refusal;
  return StopReason::other;  // tool_use, pause_turn: not an answer to the question
}

/// Counts are cumulative: the last one of each kind is billed. Input is reported in three parts.
class UsageParts {
public:
  static void take(const spec::Json &usage, ServerUsage &into) {
    const long long before = into.in.value_or(0) - into.cached - into.cache_written;
    if (const auto read = count_member(usage, "cache_read_input_tokens")) into.cached = *read;
    if (const auto written = count_member(usage, "cache_creation_input_tokens"))
      into.cache_written = *written;
    const auto plain = count_member(usage, "input_tokens");
    if (plain || into.in) into.in = plain.value_or(before) + into.cached + into.cache_written;
    if (const auto out = count_member(usage, "output_tokens")) into.out = out;
  }
};

std::size_t block_index(const spec::Json &json) {
  const auto index = count_member(json, "index");
  if (!index || static_cast<std::size_t>(*index) >= kMostBlocks)
    throw std::runtime_error("a content block has no usable 'index'");
  return static_cast<std::size_t>(*index);
}

void start_message(const spec::Json &json, StreamedAnswer &answer) {
  const spec::Json &message = json.at("message");
  answer.model = text_member(message, "model");
  answer.id = text_member(message, "id");
  UsageParts::take(member_or_null(message, "usage"), answer.usage);
  answer.usage.out.reset();  // the count before the first text is not the billed one
}

void start_block(const spec::Json &json, StreamedAnswer &answer) {
  const auto index = block_index(json);
  if (answer.block_types.size() <= index) answer.block_types.resize(index + 1);
  const spec::Json &block = json.at("content_block");
  answer.block_types[index] = text_member(block, "type");
  if (answer.block_types[index] == "text") answer.text += text_member(block, "text");
}

/// Uses the block's type, not its position: reasoning may come before, between and after the text.
void take_delta(const spec::Json &json, StreamedAnswer &answer) {
  const auto index = block_index(json);
  if (index >= answer.block_types.size() || answer.block_types[index].empty())
    throw std::runtime_error("an event continues a content block that never began");
  const spec::Json &delta = json.at("delta");
  if (answer.block_types[index] == "text") {
    if (text_member(delta, "type") == "text_delta") answer.text += text_member(delta, "text");
  } else {
    for (const char *member : {"thinking", "partial_json"})
      answer.thought_bytes += text_member(delta, member).size();
  }
}

void end_message(const spec::Json &json, StreamedAnswer &answer) {
  const auto word = text_member(member_or_null(json, "delta"), "stop_reason");
  if (!word.empty()) answer.stop_word = word, answer.stop = anthropic_stop(word);
  UsageParts::take(member_or_null(json, "usage"), answer.usage);
}

class Anthropic final : public Dialect {
public:
  std::string name() const override { return kAnthropicProvider; }
  std::string path() const override { return "/v1/messages"; }
  std::string public_base() const override { return "https://api.anthropic.com"; }
  std::string base_variable() const override { return "ANTHROPIC_BASE_URL"; }
  std::vector<std::string> key_variables() const override { return {"ANTHROPIC_API_KEY", kTokenVariable}; }

  std::vector<std::string> key_headers(const std::string &variable, const std::string &key) const override {
    if (key.empty()) return {};
    return {(variable == kTokenVariable ? "Authorization: Bearer " : "x-api-key: ") + key};
  }
  std::vector<std::string> other_headers() const override { return {"anthropic-version: 2023-06-01"}; }

  std::string body(const HttpSettings &settings, const RoleRequest &request,
                   long long most_output_tokens) const override {
    spec::Json body = {{"model", settings.model}, {"max_tokens", most_output_tokens}, {"stream", true}};
    // The cache mark is at the end of the prefix: everything before it is cached, the prompt is not.
    if (!request.prefix.empty())
      body["system"] = spec::Json::array(
          {{{"type", "text"}, {"text", request.prefix}, {"cache_control", {{"type", "ephemeral"}}}}});
    body["messages"] = spec::Json::array({{{"role", "user"}, {"content", request.prompt}}});
    if (settings.temperature) body["temperature"] = *settings.temperature;
    if (!settings.effort.empty()) body["output_config"] = {{"effort", settings.effort}};
    return spec::one_line(body);
  }

  Result<void> take(const ServerEvent &event, StreamedAnswer &answer) const override {
    return read_event(event, [&](const spec::Json &json) {
      const auto type = text_member(json, "type");
      if (type.empty()) throw std::runtime_error("an event has no 'type'");
      if (type == "message_start") start_message(json, answer);
      if (type == "content_block_start") start_block(json, answer);
      if (type == "content_block_delta") take_delta(json, answer);
      if (type == "message_delta") end_message(json, answer);
      if (type == "message_stop") answer.ended = true;
      if (type == "error") answer.error = server_error_in(json);
    });
  }
};

}  // namespace

const Dialect &anthropic_dialect() {
  static const Anthropic dialect;
  return dialect;
}

}  // namespace cupilot::provider
