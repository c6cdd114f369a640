// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/messages.h"

#include <gtest/gtest.h>

#include "evolution/judge/bundle/worker_line_fields.h"
#include "evolution/judge/engine/message_fields.h"
#include "tests/unit/filled.h"

namespace cupilot {
using namespace judge::bundle;
using namespace judge::cases;
using namespace judge::engine;
using namespace judge::launches;
using namespace model;
namespace {

TEST(Messages, OrdersSurvive) {
  Order order{Order::What::time, "text\n\"quoted\"", EntryRole::original};
  order.run.case_index = 3;
  order.run.setting = {nullptr, "special", 0xffffffffffffffffull, Placement::misaligned, 1};
  order.timing = {1.5, 0.01, 42, {7, 0xfffffffffffffff0ull}};
  order.content = 3;
  const auto line = to_line(order);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = order_from_line(line);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->text, order.text);
  EXPECT_EQ(read->role, EntryRole::original);
  EXPECT_EQ(read->run.setting.seed, order.run.setting.seed);
  EXPECT_EQ(read->run.setting.placement, Placement::misaligned);
  EXPECT_EQ(read->timing.order_seed, 42u);
  EXPECT_EQ(read->timing.seeds, order.timing.seeds);
  EXPECT_EQ(read->content, 3u);
}

/// Made from the descriptions: every member arrives.
TEST(Messages, EveryMemberGoesThere) {
  const auto order = filled<Order>();
  EXPECT_TRUE(order_from_line(to_line(order)).value() == order);
  const auto device = filled<DeviceReport>();
  EXPECT_TRUE(device_from_line(to_line(device)).value() == device);
  const auto run = filled<RunReport>();
  EXPECT_TRUE(run_from_line(to_line(run)).value() == run);
  const auto timing = filled<TimingReport>();
  EXPECT_TRUE(timing_from_line(to_line(timing)).value() == timing);
  const auto estimate = filled<EstimateReport>();
  EXPECT_TRUE(estimate_from_line(to_line(estimate)).value() == estimate);
  const auto coverage = filled<Coverage>();
  EXPECT_TRUE(coverage_from_line(to_line(coverage)).value() == coverage);
  const auto profile = filled<Profile>(kCountedProfile);
  EXPECT_TRUE(profile_from_line(to_line(profile)).value() == profile);
}

/// What the worker prints is what its caller reads.
TEST(WorkerLines, EveryMemberGoesThere) {
  const auto device = filled<DeviceReport>();
  const auto hello = std::get<WorkerHello>(read_worker_line(device_event(device)).value());
  EXPECT_TRUE(hello.device == device);
  const auto built = std::get<WorkerBuilt>(read_worker_line(built_event("c0001", 2.5)).value());
  EXPECT_TRUE(built == (WorkerBuilt{"c0001", 2.5}));
  const auto verdict = filled<Verdict>();
  EXPECT_EQ(std::get<WorkerVerdict>(read_worker_line(verdict_event(verdict)).value()).candidate,
            verdict.candidate);
  const auto error = std::get<WorkerError>(read_worker_line(error_event({"no GPU", Blame::user})).value());
  EXPECT_TRUE(error == (WorkerError{"no GPU", true}));
  EXPECT_TRUE(std::holds_alternative<WorkerDone>(read_worker_line(done_event()).value()));
}

TEST(WorkerLines, AreWrittenAsBefore) {
  EXPECT_EQ(built_event("c0001", 2.5), R"({"event":"built","candidate":"c0001","seconds":2.5})");
  EXPECT_EQ(error_event({"no GPU", Blame::user}), R"({"event":"error","message":"no GPU","input":true})");
  EXPECT_EQ(done_event(), R"({"event":"done"})");
  EXPECT_EQ(device_event({}).substr(0, 38), R"({"cupilot_worker":1,"device":{"name":")");
}

TEST(WorkerLines, MayLackMembersOrHaveUnknownOnes) {
  EXPECT_FALSE(std::get<WorkerHello>(read_worker_line(R"({"cupilot_worker":1})").value()).device);
  const auto error = std::get<WorkerError>(read_worker_line(R"({"event":"error","later":1})").value());
  EXPECT_EQ(error.message, "the worker gave no reason");
  EXPECT_FALSE(error.input);
  EXPECT_TRUE(std::holds_alternative<WorkerOther>(read_worker_line(R"({"event":"later"})").value()));
  EXPECT_FALSE(read_worker_line(R"({"cupilot_worker":2})"));
  EXPECT_FALSE(read_worker_line(R"({"event":"built","seconds":"x"})"));
  EXPECT_FALSE(read_worker_line("[]"));
}

TEST(Messages, OnlySamplesAndCountersAreBelieved) {
  TimingReport report;
  report.original.median_us = 1;
  EXPECT_EQ(timing_from_line(to_line(report)).value().original.median_us, 0);
  Profile profile;
  profile.roofline_class = "memory-bound";
  EXPECT_EQ(profile_from_line(to_line(profile)).value().roofline_class, "");
}

TEST(Messages, FailureIsAnErrorOfAnyAnswer) {
  const auto read = run_from_line(failed_line("cudaErrorIllegalAddress"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "cudaErrorIllegalAddress");
}

TEST(Messages, DamagedLinesAreErrors) {
  EXPECT_FALSE(run_from_line("{\"declined\":1"));
  EXPECT_FALSE(timing_from_line("{}"));
  EXPECT_FALSE(done_from_line("{\"ok\":\"yes\"}"));
}

TEST(Messages, FaultsAndLimitsGoThere) {
  Order order{Order::What::estimate};
  order.run.setting.waived = {"shared-race"};
  order.run.setting.instruction_budget = 1ull << 40;
  order.run.setting.seconds = 24;
  order.run.setting.manner = Manner::captured;
  order.run.setting.beside_family = "normal";
  order.run.setting.beside_seed = 1ull << 60;
  order.kernels = {{"_Z1kPf", 40, 8, 1024}};
  const auto read = order_from_line(to_line(order));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->what, Order::What::estimate);
  EXPECT_EQ(read->run.setting.waived, order.run.setting.waived);
  EXPECT_EQ(read->run.setting.instruction_budget, 1ull << 40);
  EXPECT_EQ(read->run.setting.seconds, 24);
  EXPECT_EQ(read->run.setting.manner, Manner::captured);
  EXPECT_EQ(read->run.setting.beside_family, "normal");
  EXPECT_EQ(read->run.setting.beside_seed, 1ull << 60);
  ASSERT_EQ(read->kernels.size(), 1u);
  EXPECT_EQ(read->kernels[0].registers, 40);
}

TEST(Messages, FaultsAndEstimatesComeBack) {
  RunReport run;
  run.faults = {{Fault::Kind::endless, "endless-loop", "variant.cuh:3: ...", false}};
  run.warp_instructions = 12345;
  const auto back = run_from_line(to_line(run));
  ASSERT_TRUE(back) << back.error().message;
  ASSERT_EQ(back->faults.size(), 1u);
  EXPECT_EQ(back->faults[0].kind, Fault::Kind::endless);
  EXPECT_EQ(back->faults[0].rule, "endless-loop");
  EXPECT_EQ(back->warp_instructions, 12345u);
  EstimateReport estimate;
  estimate.time = {12.5, "dram", {{"dram", 12}, {"alu", 3}}, 2, 8192, 264};
  const auto read = estimate_from_line(to_line(estimate));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->time.time_us, 12.5);
  EXPECT_EQ(read->time.parts_us, estimate.time.parts_us);
  EXPECT_EQ(read->time.blocks_run, 264u);
}

TEST(Messages, TimingKeepsSamplesAndReasons) {
  TimingReport report;
  report.original.samples_us = {1, 2};
  report.candidate.dropped = {{3, "sm clock 61 %"}};
  report.synchronised = true;
  report.launches = 24;
  report.too_short = "too short";
  report.outputs = {{40, 3, 2, 1, 0.25}, {}};
  const auto read = timing_from_line(to_line(report));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->original.samples_us, report.original.samples_us);
  ASSERT_EQ(read->candidate.dropped.size(), 1u);
  EXPECT_EQ(read->candidate.dropped[0].reason, "sm clock 61 %");
  EXPECT_TRUE(read->synchronised);
  EXPECT_EQ(read->launches, 24);
  EXPECT_EQ(read->too_short, "too short");
  ASSERT_EQ(read->outputs.size(), 2u);
  EXPECT_EQ(read->outputs[0].launches, 40u);
  EXPECT_EQ(read->outputs[0].differing, 3u);
  EXPECT_EQ(read->outputs[0].unwritten, 2u);
  EXPECT_EQ(read->outputs[0].not_finite, 1u);
  EXPECT_EQ(read->outputs[0].deviation, 0.25);
}

}  // namespace
}  // namespace cupilot
