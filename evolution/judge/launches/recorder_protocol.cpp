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
  from.list(kMostItems, [&] {
    const auto address = from.number<std::uint64_t>();
    record.scratch.push_back({address, from.number<std::uint64_t>()});
  });
  record.scratch_most = from.number<std::uint64_t>();
  return record;
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
  to.list(question.kernels, [&](const LoadedKernel &facts) { put(to, facts); });
  to.list(question.device.attributes, [&](const auto &attribute) {
    to.number(attribute.first);
    to.number(attribute.second);
  });
  return to.take();
}

std::vector<std::byte> to_bytes(const RecordQuestion &question) {
  ByteWriter to;
  to.number(RecorderQuestion::What::record);
  for (const auto *dimensions : {&question.grid, &question.block})
    for (const std::uint32_t size : *dimensions) to.number(size);
  to.number(question.shared_bytes);
  to.list(question.arguments, [&](const auto &argument) { to.bytes(argument); });
  to.list(question.scratch, [&](const MemoryRange &piece) {
    to.number(piece.address);
    to.number(piece.bytes);
  });
  to.number(question.scratch_most);
  return to.take();
}

Result<RecorderQuestion> question_from(std::span<const std::byte> bytes) {
  ByteReader from(bytes);
  RecorderQuestion question;
  const auto what = from.number<std::uint8_t>();
  if (what > static_cast<std::uint8_t>(RecorderQuestion::What::record)) return fail("unknown question");
  question.what = static_cast<RecorderQuestion::What>(what);
  if (question.what == RecorderQuestion::What::load)
    question.load = get_load(from);
  else
    question.record = get_record(from);
  if (!from.complete()) return fail("damaged question");
  return question;
}

std::vector<std::byte> to_bytes(const RecorderAnswer &answer) {
  ByteWriter to;
  to.number(answer.what);
  if (answer.what == RecorderAnswer::What::list)
    to.bytes(to_bytes(answer.list));
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
  if (answer.what != RecorderAnswer::What::list) {
    answer.text = from.text(kMostText);
    if (!from.complete()) return fail("a damaged answer");
    return answer;
  }
  const std::vector<std::byte> list = from.bytes(bytes.size());
  if (!from.complete()) return fail("a damaged answer");
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
