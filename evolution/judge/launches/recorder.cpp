// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/recorder.h"

#include <fmt/format.h>

#include <unistd.h>

#include <string>
#include <vector>

namespace cupilot::judge::launches {

namespace {

Fault fault(Fault::Kind kind, const std::string &text, std::string_view rule = "host") {
  return {kind, std::string(rule), text};
}

}  // namespace

Recorder::~Recorder() {
  if (socket_ >= 0) ::close(socket_);
}

std::unexpected<Fault> Recorder::lost(Fault fault) {
  fault_ = fault;
  return std::unexpected(std::move(fault));
}

std::expected<RecorderAnswer, Fault> Recorder::ask(std::span<const std::byte> question) {
  if (fault_) return std::unexpected(*fault_);
  (void)send_frame(socket_, question);  // if the process is gone, the read below fails
  std::vector<std::byte> bytes;
  switch (receive_frame(socket_, bytes, answer_ms_)) {
    case FrameEnd::late:
      return lost(fault(Fault::Kind::endless,
                        fmt::format("the host side does not return within {} s: launch() may only queue work",
                                    answer_ms_ / 1000)));
    case FrameEnd::closed:
      return lost(fault(Fault::Kind::crashed, "the host side has ended", kHostEnded));
    case FrameEnd::garbled:
      return lost(fault(Fault::Kind::forbidden, "the host side answers in the judge's name"));
    case FrameEnd::whole:
      break;
  }
  auto answer = answer_from(bytes);
  if (!answer)
    return lost(fault(Fault::Kind::forbidden,
                      "the host side answers in the judge's name: " + answer.error().message));
  switch (answer->what) {
    case RecorderAnswer::What::refused:
      return lost(fault(Fault::Kind::forbidden, "the host side " + answer->text));
    case RecorderAnswer::What::failed:
      return lost(fault(Fault::Kind::crashed, "the host side cannot run: " + answer->text));
    default:
      return std::move(*answer);
  }
}

std::optional<Fault> Recorder::load(const LoadQuestion &question) {
  const auto answer = ask(to_bytes(question));
  if (!answer) return answer.error();
  if (answer->what == RecorderAnswer::What::done) return std::nullopt;
  return lost(fault(Fault::Kind::forbidden, "the host side answers in the judge's name")).error();
}

Recorded Recorder::record(const RecordQuestion &question) {
  auto answer = ask(to_bytes(question));
  if (!answer) return std::unexpected(answer.error());
  if (answer->what == RecorderAnswer::What::list) return std::move(answer->list);
  return lost(fault(Fault::Kind::forbidden, "the host side answers in the judge's name"));
}

std::expected<HostTrace, Fault> Recorder::trace() {
  auto answer = ask(trace_question());
  if (!answer) return std::unexpected(answer.error());
  if (answer->what == RecorderAnswer::What::trace) return std::move(answer->trace);
  return lost(fault(Fault::Kind::forbidden, "the host side answers in the judge's name"));
}

std::expected<std::vector<CallOutcomes>, Fault> Recorder::outcomes(std::span<const RecordQuestion> calls) {
  auto answer = ask(outcomes_question(calls));
  if (!answer) return std::unexpected(answer.error());
  if (answer->what == RecorderAnswer::What::outcomes && answer->calls.size() == calls.size())
    return std::move(answer->calls);
  return lost(fault(Fault::Kind::forbidden, "the host side answers in the judge's name"));
}

}  // namespace cupilot::judge::launches
