// SPDX-License-Identifier: Apache-2.0
//
// The dialect of OpenAI's chat completions, which llama.cpp, vLLM, Ollama, LiteLLM and others also serve.
#include <array>
#include <cstdlib>
#include <utility>

#include "evolution/provider/dialect_json.h"

namespace cupilot::provider {
namespace {

StopReason openai_stop(const std::string &word) {
  if (word == "length") return StopReason::length;
  if (word == "content_filter") return StopReason::filtered;
  if (word == "tool_calls" || word == "function_call") return StopReason::other;
  return StopReason::finished;  // "stop"; local servers use words of their own ("eos")
}

void take_usage(const spec::Json &usage, ServerUsage &into) {
  if (usage.is_null()) return;
  if (const auto in = count_member(usage, "prompt_tokens")) into.in = in;
  if (const auto out = count_member(usage, "completion_tokens")) into.out = out;
  const spec::Json &details = member_or_null(usage, "prompt_tokens_details");
  if (const auto cached = count_member(details, "cached_tokens")) into.cached = *cached;
  if (const auto written = count_member(details, "cache_write_tokens")) into.cache_written = *written;
}

void take_choice(const spec::Json &choice, StreamedAnswer &answer) {
  if (!choice.is_object()) throw std::runtime_error("a member of 'choices' is not an object");
  if (count_member(choice, "index").value_or(0) != 0) return;
  const spec::Json &delta = member_or_null(choice, "delta");
  if (!delta.is_null() && !delta.is_object()) throw std::runtime_error("member 'delta' is not an object");
  answer.text += text_member(delta, "content");
  for (const char *thought : {"reasoning_content", "reasoning"})
    if (const spec::Json &text = member_or_null(delta, thought); text.is_string())
      answer.thought_bytes += text.get_ref<const std::string &>().size();
  const auto refusal = text_member(delta, "refusal");
  answer.thought_bytes += refusal.size();
  answer.refused = answer.refused || !refusal.empty();
  if (const auto word = text_member(choice, "finish_reason"); !word.empty())
    answer.stop_word = word, answer.stop = answer.refused ? StopReason::refusal : openai_stop(word);
}

class OpenAi final : public Dialect {
public:
  std::string name() const override { return kOpenaiProvider; }
  std::string path() const override { return "/v1/chat/completions"; }
  std::string public_base() const override { return "https://api.openai.com"; }
  std::string base_variable() const override { return "OPENAI_BASE_URL"; }
  std::vector<std::string> key_variables() const override { return {"OPENAI_API_KEY"}; }

  std::vector<std::string> key_headers(const std::string &, const std::string &key) const override {
    if (key.empty()) return {};
    return {"Authorization: Bearer " + key};
  }

  std::vector<std::string> other_headers() const override {
    using Row = std::pair<const char *, const char *>;
    std::vector<std::string> headers;
    for (const auto &[variable, header] :
         {Row{"OPENAI_ORG_ID", "OpenAI-Organization: "}, Row{"OPENAI_PROJECT_ID", "OpenAI-Project: "}})
      if (const char *value = std::getenv(variable); value && *value)
        headers.push_back(std::string(header) + value);
    return headers;
  }

  std::string body(const HttpSettings &settings, const RoleRequest &request,
                   long long most_output_tokens) const override {
    spec::Json messages = spec::Json::array();
    if (!request.prefix.empty()) messages.push_back({{"role", "system"}, {"content", request.prefix}});
    if (!request.prompt.empty() || request.prefix.empty())
      messages.push_back({{"role", "user"}, {"content", request.prompt}});
    spec::Json body = {{"model", settings.model},
                       {"messages", std::move(messages)},
                       {"stream", true},
                       {"stream_options", {{"include_usage", true}}},
                       {"max_completion_tokens", most_output_tokens}};
    if (settings.temperature) body["temperature"] = *settings.temperature;
    if (!settings.effort.empty()) body["reasoning_effort"] = settings.effort;
    return spec::one_line(body);
  }

  Result<void> take(const ServerEvent &event, StreamedAnswer &answer) const override {
    if (event.data == "[DONE]") {
      answer.ended = true;
      return {};
    }
    return read_event(event, [&](const spec::Json &json) {
      if (!member_or_null(json, "error").is_null()) {
        answer.error = server_error_in(json);
        return;
      }
      const spec::Json &choices = member_or_null(json, "choices"), &usage = member_or_null(json, "usage");
      if (!choices.is_array() && usage.is_null())
        throw std::runtime_error("a chunk has neither 'choices' nor 'usage'");
      if (auto model = text_member(json, "model"); !model.empty()) answer.model = std::move(model);
      if (auto id = text_member(json, "id"); !id.empty()) answer.id = std::move(id);
      if (auto print = text_member(json, "system_fingerprint"); !print.empty())
        answer.fingerprint = std::move(print);
      for (const spec::Json &choice : choices) take_choice(choice, answer);
      take_usage(usage, answer.usage);
    });
  }
};

}  // namespace

const Dialect &openai_dialect() {
  static const OpenAi dialect;
  return dialect;
}

}  // namespace cupilot::provider
