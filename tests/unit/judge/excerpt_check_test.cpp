// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/excerpt_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::engine;
using namespace judge::launches;
namespace {

using testing::HasSubstr;

class ExcerptTraffic : public testing::Test {
protected:
  ExcerptTraffic() {
    bundle_.parameters = fake::scale_spec().parameters;
    layout_.buffers = {{.parameter = 0, .role = spec::BufferRole::in, .bytes = 1 << 20},
                       {.parameter = 1, .role = spec::BufferRole::out, .bytes = 1 << 20}};
    original_.traffic = {{.buffer = 0, .least_read = 900e3, .place = {}},
                         {.buffer = 1, .least_written = 900e3, .most_written = 1 << 20, .place = {}}};
    candidate_.traffic = {{.buffer = 0, .most_read = 1 << 20, .place = {}},
                          {.buffer = 1, .most_written = 1 << 20, .place = "variant.cuh:7"}};
  }
  ExcerptAnswer check() const { return check_traffic(bundle_, layout_, original_, candidate_); }

  model::Bundle bundle_;
  judge::cases::CaseLayout layout_;
  Excerpt original_, candidate_;
};

TEST_F(ExcerptTraffic, AllOfAnOutputIsEnough) {
  EXPECT_EQ(check().problem, "");
  EXPECT_EQ(check().open, "");
}

TEST_F(ExcerptTraffic, LessIsWrongWithLineReasonAndWayOut) {
  candidate_.traffic[1].most_written = 128;
  const ExcerptAnswer answer = check();
  EXPECT_EQ(answer.kind, model::VerdictKind::wrong);
  EXPECT_THAT(answer.problem, HasSubstr("at most 128 bytes of 'y' (variant.cuh:7 writes it)"));
  EXPECT_THAT(answer.problem, HasSubstr("check the grid"));
}

TEST_F(ExcerptTraffic, ClearedBytesVouchForNothing) {
  candidate_.traffic[1].most_written = 128;
  candidate_.traffic[1].filled = 1 << 20;
  EXPECT_EQ(check().problem, "");
  EXPECT_THAT(check().open, HasSubstr("only set by the host side"));
}

TEST_F(ExcerptTraffic, BlocksThatDependOnOthersMayWriteLater) {
  candidate_.traffic[1].most_written = 0;
  candidate_.dependent = true;
  EXPECT_EQ(check().problem, "");
  EXPECT_THAT(check().open, HasSubstr("depend on each other"));
}

}  // namespace
}  // namespace cupilot
