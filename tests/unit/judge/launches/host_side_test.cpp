// SPDX-License-Identifier: Apache-2.0
//
// Over a socket whose other end is this test: what is asked, how often, and what becomes of the answers.
#include "evolution/judge/launches/host_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <thread>

namespace cupilot {
using namespace judge::launches;
namespace {

using testing::HasSubstr;

/// Answers `load` with done and the n-th `record` with what it is told.
class FakeHost {
public:
  explicit FakeHost(std::function<LaunchList(const RecordQuestion &, int)> answer)
      : answer_(std::move(answer)) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_), 0);
    thread_ = std::jthread([this] { serve(); });
    recorder = std::make_shared<Recorder>(sockets_[0]);
  }
  ~FakeHost() {
    recorder.reset();
    ::shutdown(sockets_[1], SHUT_RDWR);
    thread_.join();
    ::close(sockets_[1]);
  }
  std::shared_ptr<Recorder> recorder;
  int asked = 0;

private:
  void serve() {
    std::vector<std::byte> bytes;
    while (receive_frame(sockets_[1], bytes, -1) == FrameEnd::whole) {
      const auto question = question_from(bytes);
      RecorderAnswer answer;
      if (question->what == RecorderQuestion::What::record)
        answer = {RecorderAnswer::What::list, answer_(question->record, asked++), {}};
      if (!send_frame(sockets_[1], to_bytes(answer))) return;
    }
  }
  std::function<LaunchList(const RecordQuestion &, int)> answer_;
  int sockets_[2] = {-1, -1};
  std::jthread thread_;
};

RecordQuestion question(std::uint32_t grid) {
  RecordQuestion question;
  question.grid = {grid, 1, 1};
  return question;
}

LaunchList list_of(const RecordQuestion &question) {
  LaunchList list;
  list.work.resize(1);
  list.work[0].grid = question.grid;
  return list;
}

TEST(HostSide, AsksEveryQuestionTwiceAndThenKnows) {
  FakeHost fake([](const RecordQuestion &asked, int) { return list_of(asked); });
  HostSide host({fake.recorder, {}}, {});
  for (int i = 0; i < 3; ++i)
    for (const std::uint32_t grid : {1u, 2u}) {
      const Recorded list = host.list(question(grid));
      ASSERT_TRUE(list);
      EXPECT_EQ(list->work[0].grid[0], grid);
    }
  EXPECT_EQ(fake.asked, 5) << "1 1, then 2 1 2";
}

TEST(HostSide, NoticesAnAnswerThatChangesLater) {
  FakeHost fake([](const RecordQuestion &asked, int number) {
    LaunchList list = list_of(asked);
    if (number == 3) list.work.clear();  // the first question, after the second
    return list;
  });
  HostSide host({fake.recorder, {}}, {});
  ASSERT_TRUE(host.list(question(1)));
  const Recorded second = host.list(question(2));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Fault::Kind::forbidden);
  EXPECT_THAT(second.error().text, HasSubstr("keeps state"));
}

TEST(HostSide, TheOriginalsKernelsAreNotItsOwn) {
  FakeHost fake([](const RecordQuestion &asked, int) { return list_of(asked); });
  LoadQuestion load;
  load.kernels = {{"k", {}}};
  LaunchList list;
  list.work.resize(1);
  list.work[0].kernel = "k";
  const HostSide own({fake.recorder, {}}, load), foreign({fake.recorder, {"k"}}, load);
  EXPECT_FALSE(own.check(list, {}, {}, true));
  const auto fault = foreign.check(list, {}, {}, true);
  ASSERT_TRUE(fault);
  EXPECT_THAT(fault->text, HasSubstr("original's kernel"));
}

}  // namespace
}  // namespace cupilot
