// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/server_events.h"

#include <gtest/gtest.h>

namespace cupilot {
using namespace provider;
namespace {

const std::string kStream =
    ": a comment\n"
    "event: ping\ndata: {\"a\":1}\n\n"
    "event: nothing\n\n"
    "data:first\r\ndata: second\r\n\r\n"
    "id: 7\nretry: 10\ndata\n\n"
    "data: [DONE]";

std::string told(const std::vector<ServerEvent> &events) {
  std::string text;
  for (const auto &event : events) text += "(" + event.type + "|" + event.data + ")";
  return text;
}

const std::string kTold = "(ping|{\"a\":1})(|first\nsecond)(|)(|[DONE])";

TEST(ServerEvents, AreTheSameHoweverTheStreamIsCut) {
  for (std::size_t first = 0; first <= kStream.size(); ++first) {
    ServerEvents events;
    auto text = told(events.add(kStream.substr(0, first)));
    text += told(events.add(kStream.substr(first)));
    EXPECT_EQ(text + told(events.finish()), kTold) << first;
  }
  ServerEvents events;
  std::string text;
  for (const char byte : kStream) text += told(events.add({&byte, 1}));
  EXPECT_EQ(text + told(events.finish()), kTold);
}

TEST(ServerEvents, KnowWhatIsNoStream) {
  ServerEvents page;
  EXPECT_TRUE(page.add("<html>\n<body>data: no</body>\n").empty());
  EXPECT_FALSE(page.any());
  EXPECT_TRUE(page.finish().empty());
  ServerEvents stream;
  stream.add("data: x\n");
  EXPECT_TRUE(stream.any());
  EXPECT_EQ(stream.pending_bytes(), 1u);
  stream.add("data: yz");
  EXPECT_EQ(stream.pending_bytes(), 9u);
}

}  // namespace
}  // namespace cupilot
