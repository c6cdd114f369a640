// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/recorder_protocol.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>

#include "evolution/judge/launches/byte_stream.h"

namespace cupilot::judge::launches {

namespace {

constexpr std::uint64_t kMostText = 64 << 10, kMostItems = 64 << 10, kMostBytes = kMostFrameBytes;

void put(ByteWriter &to, const LoadedKernel &facts) {
  to.text(facts.symbol);
  to.list(facts.parameter_bytes, [&](std::uint32_t bytes) { to.number(bytes); });
  for (const int value : {facts.registers, facts.static_shared_bytes, facts.local_bytes, facts.constant_bytes,
                          facts.most_threads})
    to.number(value);
}

LoadedKernel get_facts(ByteReader &from) {
  LoadedKernel facts;
  facts.symbol = from.text(kMostText);
  from.list(kMostItems, [&] { facts.parameter_bytes.push_back(from.number<std::uint32_t>()); });
  for (int *value : {&facts.registers, &facts.static_shared_bytes, &facts.local_bytes, &facts.constant_bytes,
                     &facts.most_threads})
    *value = from.number<int>();
  return facts;
}

LoadQuestion get_load(ByteReader &from) {
  LoadQuestion load;
  load.library = from.text(kMostText);
  load.traced = from.text(kMostText);
  from.list(kMostItems, [&] { load.kernels.push_back(get_facts(from)); });
  from.list(kMostItems, [&] {
    const int attribute = from.number<int>();
    load.device.attributes.emplace_back(attribute, from.number<int>());
  });
  return load;
}

RecordQuestion get_record(ByteReader &from) {
  RecordQuestion record;
  for (auto *dimensions : {&record.grid, &record.block})
    for (std::uint32_t &size : *dimensions) size = from.number<std::uint32_t>();
  record.shared_bytes = from.number<std::uint64_t>();
  from.list(kMostItems, [&] { record.arguments.push_back(from.bytes(kMostBytes)); });
  from.list(kMostItems, [&] { record.pointers.push_back(from.number<std::uint32_t>()); });
  from.list(kMostItems, [&] { record.pointer_bytes.push_back(from.number<std::uint64_t>()); });
  record.fewer_processors = from.flag();
  from.list(kMostItems, [&] {
    const auto address = from.number<std::uint64_t>();
    record.scratch.push_back({address, from.number<std::uint64_t>()});
  });
  record.scratch_most = from.number<std::uint64_t>();
  return record;
}

void put(ByteWriter &to, const RecordQuestion &question) {
  for (const auto *dimensions : {&question.grid, &question.block})
    for (const std::uint32_t size : *dimensions) to.number(size);
  to.number(question.shared_bytes);
  to.list(question.arguments, [&](const auto &argument) { to.bytes(argument); });
  to.list(question.pointers, [&](std::uint32_t index) { to.number(index); });
  to.list(question.pointer_bytes, [&](std::uint64_t bytes) { to.number(bytes); });
  to.flag(question.fewer_processors);
  to.list(question.scratch, [&](const MemoryRange &piece) {
    to.number(piece.address);
    to.number(piece.bytes);
  });
  to.number(question.scratch_most);
}

void put(ByteWriter &to, const HostComparison &one) {
  to.number(one.site);
  to.number(one.bytes);
  for (const bool flag : {one.constant, one.real, one.less, one.equal, one.greater, one.below, one.above,
                          one.left_fixed, one.right_fixed})
    to.flag(flag);
  to.number(one.left);
  to.number(one.right);
  to.number(one.real_left);
  to.number(one.real_right);
}

HostComparison get_comparison(ByteReader &from) {
  HostComparison one;
  one.site = from.number<std::uint32_t>();
  one.bytes = from.number<std::uint32_t>();
  for (bool *flag : {&one.constant, &one.real, &one.less, &one.equal, &one.greater, &one.below, &one.above,
                     &one.left_fixed, &one.right_fixed})
    *flag = from.flag();
  one.left = from.number<std::int64_t>();
  one.right = from.number<std::int64_t>();
  one.real_left = from.number<double>();
  one.real_right = from.number<double>();
  return one;
}

void put(ByteWriter &to, const HostTrace &trace) {
  to.list(trace.steps, [&](const HostStep &step) {
    to.number(step.from);
    to.number(step.to);
  });
  to.list(trace.comparisons, [&](const HostComparison &one) { put(to, one); });
  to.list(trace.switches, [&](const HostSwitch &one) {
    to.number(one.site);
    to.list(one.labels, [&](const HostLabel &label) {
      to.number(label.value);
      to.flag(label.seen);
    });
  });
  to.text(trace.unknown);
}

HostTrace get_trace(ByteReader &from) {
  HostTrace trace;
  from.list(kMostItems, [&] {
    const auto before = from.number<std::uint32_t>();
    trace.steps.push_back({before, from.number<std::uint32_t>()});
  });
  from.list(kMostItems, [&] { trace.comparisons.push_back(get_comparison(from)); });
  from.list(kMostItems, [&] {
    HostSwitch one;
    one.site = from.number<std::uint32_t>();
    from.list(kMostItems, [&] {
      const auto value = from.number<std::int64_t>();
      one.labels.push_back({value, from.flag()});
    });
    trace.switches.push_back(std::move(one));
  });
  trace.unknown = from.text(kMostText);
  return trace;
}

Result<> get_outcomes(ByteReader &from, std::uint64_t most_bytes, std::vector<CallOutcomes> &calls) {
  Result<> read;
  from.list(kMostItems, [&] {
    CallOutcomes call;
    auto list = launch_list_from(from.bytes(most_bytes));
    if (list)
      call.list = std::move(*list);
    else
      read = std::unexpected(list.error());
    from.list(kMostItems, [&] { call.host.push_back(from.number<std::uint64_t>()); });
    calls.push_back(std::move(call));
  });
  return read;
}

/// Milliseconds left until `end`; -1 means no limit, as for poll().
int left_until(std::chrono::steady_clock::time_point end, bool for_ever) {
  if (for_ever) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  return left.count() > 0 ? static_cast<int>(left.count()) : 0;
}

}  // namespace

std::vector<std::byte> to_bytes(const LoadQuestion &question) {
  ByteWriter to;
  to.number(RecorderQuestion::What::load);
  to.text(question.library);
  to.text(question.traced);
  to.list(question.kernels, [&](const LoadedKernel &facts) { put(to, facts); });
  to.list(question.device.attributes, [&](const auto &attribute) {
    to.number(attribute.first);
    to.number(attribute.second);
  });
  return to.take();
}

std::vector<std::byte> trace_question() {
  ByteWriter to;
  to.number(RecorderQuestion::What::trace);
  return to.take();
}

std::vector<std::byte> to_bytes(const RecordQuestion &question) {
  ByteWriter to;
  to.number(RecorderQuestion::What::record);
  put(to, question);
  return to.take();
}

std::vector<std::byte> outcomes_question(std::span<const RecordQuestion> calls) {
  ByteWriter to;
  to.number(RecorderQuestion::What::outcomes);
  to.list(calls, [&](const RecordQuestion &call) { put(to, call); });
  return to.take();
}

Result<RecorderQuestion> question_from(std::span<const std::byte> bytes) {
  ByteReader from(bytes);
  RecorderQuestion question;
  const auto what = from.number<std::uint8_t>();
  if (what > static_cast<std::uint8_t>(RecorderQuestion::What::outcomes)) return fail("unknown question");
  question.what = static_cast<RecorderQuestion::What>(what);
  if (question.what == RecorderQuestion::What::load)
    question.load = get_load(from);
  else if (question.what == RecorderQuestion::What::record)
    question.record = get_record(from);
  else if (question.what == RecorderQuestion::What::outcomes)
    from.list(kMostItems, [&] { question.calls.push_back(get_record(from)); });
  if (!from.complete()) return fail("damaged question");
  return question;
}

std::vector<std::byte> to_bytes(const RecorderAnswer &answer) {
  ByteWriter to;
  to.number(answer.what);
  if (answer.what == RecorderAnswer::What::list)
    to.bytes(to_bytes(answer.list));
  else if (answer.what == RecorderAnswer::What::trace)
    put(to, answer.trace);
  else if (answer.what == RecorderAnswer::What::outcomes)
    to.list(answer.calls, [&](const CallOutcomes &call) {
      to.bytes(to_bytes(call.list));
      to.list(call.host, [&](std::uint64_t one) { to.number(one); });
    });
  else
    to.text(answer.text);
  return to.take();
}

Result<RecorderAnswer> answer_from(std::span<const std::byte> bytes) {
  ByteReader from(bytes);
  RecorderAnswer answer;
  const auto what = from.number<std::uint8_t>();
  if (what > static_cast<std::uint8_t>(RecorderAnswer::What::failed))
    return fail("an unknown kind of answer");
  answer.what = static_cast<RecorderAnswer::What>(what);
  std::vector<std::byte> list;
  if (answer.what == RecorderAnswer::What::trace) {
    answer.trace = get_trace(from);
  } else if (answer.what == RecorderAnswer::What::outcomes) {
    CUPILOT_CHECKED(get_outcomes(from, bytes.size(), answer.calls));
  } else if (answer.what == RecorderAnswer::What::list) {
    list = from.bytes(bytes.size());
  } else {
    answer.text = from.text(kMostText);
  }
  if (!from.complete()) return fail("a damaged answer");
  if (answer.what != RecorderAnswer::What::list) return answer;
  CUPILOT_TRY(read, launch_list_from(list));
  answer.list = std::move(read);
  return answer;
}

bool send_frame(int socket, std::span<const std::byte> bytes) {
  ByteWriter frame;
  frame.number(static_cast<std::uint32_t>(bytes.size()));
  std::vector<std::byte> all = frame.take();
  all.insert(all.end(), bytes.begin(), bytes.end());
  for (std::size_t sent = 0; sent < all.size();) {
    const ssize_t count = ::send(socket, all.data() + sent, all.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

FrameEnd receive_frame(int socket, std::vector<std::byte> &bytes, long wait_ms) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait_ms);
  std::uint32_t size = 0;
  bytes.resize(sizeof size);
  bool has_size = false;
  for (std::size_t got = 0;;) {
    if (got == bytes.size()) {
      if (has_size) return FrameEnd::whole;
      std::memcpy(&size, bytes.data(), sizeof size);
      if (size > kMostFrameBytes) return FrameEnd::garbled;
      bytes.resize(size);
      has_size = true, got = 0;
      continue;
    }
    pollfd waiting{socket, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, left_until(end, wait_ms < 0));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return FrameEnd::late;
    const ssize_t count = ::recv(socket, bytes.data() + got, bytes.size() - got, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return FrameEnd::closed;
    got += static_cast<std::size_t>(count);
  }
}

}  // namespace cupilot::judge::launches
