// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "evolution/judge/engine/recorder_process.h"
#include "evolution/judge/launches/host_side.h"

namespace cupilot {
using namespace judge::engine;
using namespace judge::launches;
namespace {

using testing::HasSubstr;

std::vector<std::byte> bytes_of(auto value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

LoadQuestion library(const std::string &name) {
  LoadQuestion question;
  question.library = CUPILOT_LIBRARIES "/liblaunches_" + name + ".so";
  question.kernels = {{"k", {4, 8}, 32, 0, 0, 0, 1024}};
  question.device.attributes = {{1, 1024}, {16, 132},   {39, 2048},      {81, 228 << 10}, {32, 1},
                                {33, 7},   {82, 65536}, {97, 227 << 10}, {106, 32},       {111, 1024}};
  return question;
}

RecordQuestion question(int what) {
  RecordQuestion question;
  question.grid = {6, 5, 4};
  question.block = {32, 2, 1};
  question.shared_bytes = 16;
  question.arguments = {bytes_of(what), bytes_of(std::uint64_t{0x1234'5678})};
  question.pointers = {1};
  question.scratch_most = 1 << 20;
  return question;
}

/// A process and the near end of its socket.
struct Running {
  explicit Running(long answer_ms = 10'000) {
    auto started = RecorderProcess::start(CUPILOT_LAUNCHES_PROGRAM);
    EXPECT_TRUE(started) << started.error().message;
    process = std::move(*started);
    recorder = std::make_shared<Recorder>(process->take_socket(), answer_ms);
  }
  Fault fault_of(int what) {
    EXPECT_FALSE(recorder->load(library("behaviours")));
    const Recorded answer = recorder->record(question(what));
    return answer ? Fault{Fault::Kind::wrong, "none", "a list came"} : process->explain(answer.error());
  }
  Fault load_fault(const std::string &name) {
    const auto fault = recorder->load(library(name));
    return fault ? process->explain(*fault) : Fault{Fault::Kind::wrong, "none", "it was loaded"};
  }
  std::unique_ptr<RecorderProcess> process;
  std::shared_ptr<Recorder> recorder;
};

TEST(Recorder, SaysWhatWouldBeLaunched) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const Recorded list = running.recorder->record(question(0));
  ASSERT_TRUE(list) << list.error().text;
  EXPECT_FALSE(list->declined);
  ASSERT_EQ(list->work.size(), 1u);
  const QueuedWork &work = list->work[0];
  EXPECT_EQ(work.kernel, "k");
  EXPECT_EQ(work.grid, (std::array<std::uint32_t, 3>{6, 5, 4}));
  EXPECT_EQ(work.block, (std::array<std::uint32_t, 3>{32, 2, 1}));
  EXPECT_EQ(work.shared_bytes, 16u);
  ASSERT_EQ(work.arguments.size(), 2u);
  EXPECT_EQ(work.arguments[1], bytes_of(std::uint64_t{0x1234'5678}));
}

TEST(Recorder, NotesWhatTheTracedLibraryExecutes) {
  Running running;
  LoadQuestion load = library("behaviours");
  load.traced = library("notes").library;
  ASSERT_FALSE(running.recorder->load(load));
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(running.recorder->record(question(0)));
  const auto trace = running.recorder->trace();
  ASSERT_TRUE(trace) << trace.error().text;
  EXPECT_EQ(trace->unknown, "");
  ASSERT_EQ(trace->steps.size(), 2u) << "into the function, and from its first block to its second";
  EXPECT_EQ(std::min(trace->steps[0].from, trace->steps[1].from), 0u);
  ASSERT_EQ(trace->comparisons.size(), 1u);
  EXPECT_TRUE(trace->comparisons[0].constant);
  EXPECT_EQ(trace->comparisons[0].left, 160);
  EXPECT_TRUE(trace->comparisons[0].greater);
  EXPECT_FALSE(trace->comparisons[0].equal);
  ASSERT_EQ(trace->switches.size(), 1u);
  ASSERT_EQ(trace->switches[0].labels.size(), 2u);
  EXPECT_FALSE(trace->switches[0].labels[0].seen);
  EXPECT_TRUE(trace->switches[0].labels[1].seen);
}

TEST(Recorder, TellsWhatEachCallDecides) {
  Running running;
  LoadQuestion load = library("behaviours");
  load.traced = library("notes").library;
  ASSERT_FALSE(running.recorder->load(load));
  RecordQuestion narrow = question(0), wide = question(0);
  wide.grid[0] = 161;
  const std::vector<RecordQuestion> calls{narrow, wide, narrow};
  const auto told = running.recorder->outcomes(calls);
  ASSERT_TRUE(told) << told.error().text;
  ASSERT_EQ(told->size(), 3u);
  EXPECT_EQ((*told)[0].host.size(), 5u) << "two blocks, a comparison and its order, a label";
  EXPECT_EQ((*told)[0].host, (*told)[2].host);
  EXPECT_NE((*told)[0].host, (*told)[1].host) << "160 is less, or greater";
  EXPECT_EQ((*told)[1].list.work.size(), 1u);
  EXPECT_TRUE(running.recorder->trace()->steps.empty()) << "they are none of the judged calls";
}

TEST(Recorder, TheJudgedLibraryCannotNoteAnything) {
  Running running;
  LoadQuestion load = library("notes");
  load.traced = library("behaviours").library;
  ASSERT_FALSE(running.recorder->load(load));
  ASSERT_TRUE(running.recorder->record(question(0)));
  const auto trace = running.recorder->trace();
  ASSERT_TRUE(trace);
  EXPECT_TRUE(trace->steps.empty());
  EXPECT_TRUE(trace->comparisons.empty());
}

TEST(Recorder, ALibraryThatDoesOtherWorkTellsNothing) {
  Running running;
  LoadQuestion load = library("behaviours");
  load.traced = library("notes").library;
  ASSERT_FALSE(running.recorder->load(load));
  const Recorded declined = running.recorder->record(question(1));
  ASSERT_TRUE(declined);
  EXPECT_TRUE(declined->declined) << "the first library decides";
  EXPECT_THAT(running.recorder->trace()->unknown, HasSubstr("queues other work"));
}

TEST(Recorder, ATracedLibraryThatDoesNotLoadIsNoFault) {
  for (const char *other : {"no_entry", "unknown_symbol", "nowhere"}) {
    Running running;
    LoadQuestion load = library("behaviours");
    load.traced = library(other).library;
    ASSERT_FALSE(running.recorder->load(load)) << other;
    EXPECT_TRUE(running.recorder->record(question(0))) << other;
    EXPECT_THAT(running.recorder->trace()->unknown, HasSubstr("the library that tells what is executed"))
        << other;
  }
}

TEST(Recorder, DeclinesAndErrorsGoThrough) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const Recorded declined = running.recorder->record(question(1));
  ASSERT_TRUE(declined);
  EXPECT_TRUE(declined->declined);
  const Recorded error = running.recorder->record(question(99));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->error, 700);
}

TEST(Recorder, ScratchMemoryHasThePlacesOfTheQuestion) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  RecordQuestion asked = question(6);
  const Recorded first = running.recorder->record(asked);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->scratch, (std::vector<std::uint64_t>{1000, 24}));
  asked.scratch = {{0x10'0000, 1000}, {0x20'0000, 24}};
  const Recorded second = running.recorder->record(asked);
  ASSERT_TRUE(second);
  ASSERT_EQ(second->work.size(), 2u);
  EXPECT_EQ(second->work[0].kind, QueuedWork::Kind::memset);
  EXPECT_EQ(second->work[0].address, 0x10'0000u);
  EXPECT_EQ(second->work[0].value, 7);
  EXPECT_EQ(second->work[1].arguments[1], bytes_of(std::uint64_t{0x20'0000}));
  asked.scratch_most = 1010;
  const Recorded little = running.recorder->record(asked);
  ASSERT_TRUE(little);
  EXPECT_TRUE(little->declined) << "l.scratch() gives nothing, so launch() returns false";
}

TEST(Recorder, AnswersWhatTheDeviceWould) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const Recorded list = running.recorder->record(question(8));
  ASSERT_TRUE(list);
  ASSERT_EQ(list->work.size(), 1u);
  EXPECT_EQ(list->work[0].grid[0], 8u * 132) << "2048 threads hold 8 blocks of 256";
  ASSERT_EQ(list->attributes.size(), 1u);
  EXPECT_EQ(list->attributes[0], (LaunchList::FunctionAttribute{"k", 8, 100000}));
}

TEST(Recorder, TheDeviceMayHaveFewerMultiprocessors) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  RecordQuestion asked = question(8);
  asked.fewer_processors = true;
  const Recorded list = running.recorder->record(asked);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->work[0].grid[0], 8u * 83);
}

TEST(Recorder, WhatSurroundsACallMayNotDecide) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const auto complaint = [&](int what) { return running.recorder->record(question(what)).value().complaint; };
  EXPECT_THAT(complaint(17), HasSubstr("when buffers lie at other addresses"));
  EXPECT_EQ(complaint(18), "") << "alignment may";
  EXPECT_THAT(complaint(19), HasSubstr("reads what lies on the stack"));
  EXPECT_THAT(complaint(20), HasSubstr("on another device of the same kind"));
  EXPECT_EQ(complaint(8), "") << "the number of multiprocessors may";
  EXPECT_THAT(complaint(21), HasSubstr("on another device of the same kind"));
  EXPECT_THAT(complaint(22), HasSubstr("on another device of the same kind"));
  EXPECT_THAT(complaint(23), HasSubstr("an error that it has not asked for yet"));
  EXPECT_EQ(complaint(24), "") << "it may decline";
  EXPECT_THAT(complaint(25), HasSubstr("without the scratch memory that it asked for"));
  EXPECT_EQ(complaint(6), "") << "it declines where there is no memory";
  EXPECT_THAT(complaint(26), HasSubstr("where its code or its stack lies elsewhere"));
  EXPECT_THAT(complaint(27), HasSubstr("where its code or its stack lies elsewhere"));
  EXPECT_THAT(complaint(28), HasSubstr("below its stack frame"));
}

TEST(Recorder, ManyPlacesAreTried) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  std::string complaint;
  for (int i = 0; i < 40 && complaint.empty(); ++i)
    complaint = running.recorder->record(question(29)).value().complaint;
  EXPECT_FALSE(complaint.empty()) << "40 questions are more than a thousand calls";
}

TEST(Recorder, AnotherStreamIsNoLaunch) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const Recorded list = running.recorder->record(question(7));
  ASSERT_TRUE(list);
  EXPECT_THAT(list->complaint, HasSubstr("another stream than l.stream"));
}

TEST(Recorder, TellsACrashFromAnExit) {
  const Fault crash = Running().fault_of(2);
  EXPECT_EQ(crash.kind, Fault::Kind::crashed);
  EXPECT_THAT(crash.text, HasSubstr("signal 11"));
  const Fault left = Running().fault_of(4);
  EXPECT_EQ(left.kind, Fault::Kind::crashed);
  EXPECT_THAT(left.text, HasSubstr("exit code 0"));
  const Fault early = Running().load_fault("leaves_at_once");
  EXPECT_EQ(early.kind, Fault::Kind::crashed);
  EXPECT_THAT(early.text, HasSubstr("exit code 5"));
}

TEST(Recorder, DoesNotWaitForEver) {
  const Fault fault = Running(300).fault_of(3);
  EXPECT_EQ(fault.kind, Fault::Kind::endless);
  EXPECT_THAT(fault.text, HasSubstr("does not return"));
}

TEST(Recorder, StopsWhatAHostSideMayNotDo) {
  for (const int what : {9, 10, 13}) {
    const Fault fault = Running().fault_of(what);
    EXPECT_EQ(fault.kind, Fault::Kind::forbidden) << what << ": " << fault.text;
    EXPECT_THAT(fault.text, HasSubstr("system call")) << what;
  }
  const Fault early = Running().load_fault("opens_file");
  EXPECT_EQ(early.kind, Fault::Kind::forbidden) << early.text;
}

TEST(Recorder, MemoryHasALimit) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const Recorded list = running.recorder->record(question(14));
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->declined) << "malloc gives nothing";
}

TEST(Recorder, ForgedAnswersAreFaults) {
  for (const int what : {11, 12}) {
    const Fault fault = Running().fault_of(what);
    EXPECT_EQ(fault.kind, Fault::Kind::forbidden) << what << ": " << fault.text;
  }
}

TEST(Recorder, NamesWhatDoesNotResolve) {
  const Fault fault = Running().load_fault("unknown_symbol");
  EXPECT_EQ(fault.kind, Fault::Kind::forbidden);
  EXPECT_THAT(fault.text, HasSubstr("'cudaMalloc'"));
  EXPECT_THAT(Running().load_fault("no_entry").text, HasSubstr("cupilot_entry"));
  EXPECT_THAT(Running().load_fault("missing_altogether").text, HasSubstr("does not load"));
}

TEST(Recorder, AHostSideThatKeepsStateShows) {
  Running running;
  HostSide host({running.recorder, {}}, library("behaviours"));
  ASSERT_TRUE(host.list(question(0)));
  const Recorded list = host.list(question(5));
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().kind, Fault::Kind::forbidden);
  EXPECT_THAT(list.error().text, HasSubstr("keeps state"));
  EXPECT_FALSE(host.list(question(0))) << "and it stays that way";
}

TEST(Recorder, TheDefaultStreamIsTriedToo) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const Recorded plain = running.recorder->record(question(0)),
                 other = running.recorder->record(question(15));
  ASSERT_TRUE(plain && other);
  EXPECT_EQ(plain->complaint, "");
  EXPECT_EQ(other->work.size(), 1u);
  EXPECT_THAT(other->complaint, HasSubstr("when l.stream is another stream"));
}

/// One stream in 61 is among those of a few questions only.
TEST(Recorder, StreamsOfProgramsAreTriedToo) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  std::string complaint;
  for (int i = 0; i < 40 && complaint.empty(); ++i) {
    const Recorded list = running.recorder->record(question(30));
    ASSERT_TRUE(list) << list.error().text;
    complaint = list->complaint;
  }
  EXPECT_THAT(complaint, HasSubstr("when l.stream is another stream"));
}

TEST(Recorder, ArithmeticOfAProgramIsTriedToo) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const Recorded list = running.recorder->record(question(31));
  ASSERT_TRUE(list);
  EXPECT_THAT(list->complaint, HasSubstr("takes subnormal numbers for zero"));
}

TEST(Recorder, RoundingOfAProgramIsTriedToo) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const Recorded list = running.recorder->record(question(32));
  ASSERT_TRUE(list);
  EXPECT_THAT(list->complaint, HasSubstr("rounds up or towards zero"));
}

TEST(Recorder, FarBelowTheFrameIsNoMemory) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const Recorded list = running.recorder->record(question(16));
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().kind, Fault::Kind::crashed);
}

TEST(Recorder, ManyQuestionsHaveTheSameAnswer) {
  Running running;
  ASSERT_FALSE(running.recorder->load(library("behaviours")));
  const Recorded first = running.recorder->record(question(0));
  ASSERT_TRUE(first);
  for (int i = 0; i < 200; ++i) {
    const Recorded again = running.recorder->record(question(0));
    ASSERT_TRUE(again);
    ASSERT_EQ(again->work.size(), first->work.size());
    for (std::size_t k = 0; k < first->work.size(); ++k)
      ASSERT_EQ(again->work[k].arguments, first->work[k].arguments);
  }
}

}  // namespace
}  // namespace cupilot
