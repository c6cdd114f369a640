// SPDX-License-Identifier: Apache-2.0
//
// A model's server and the time it takes, by script: no sockets, no sleeping. Replies are taken in the order
// requests are started; time goes on only where the provider waits.

#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "evolution/provider/http_transport.h"

namespace cupilot {
using namespace provider;

struct ScriptedReply {
  int status = 200;  ///< 0: no head, the end alone
  std::map<std::string, std::string> headers;
  std::vector<std::string> bodies;
  HttpEnd end;
  std::chrono::milliseconds first{10}, between{10};  ///< until the head; between head, bodies and end
  bool never_ends = false;                           ///< silence after the last body
};

/// What tests look at after the provider, which owns its transport, is gone.
struct ScriptedServer {
  std::deque<ScriptedReply> replies;
  std::vector<HttpRequest> requests;
  std::vector<std::chrono::milliseconds> starts;  ///< since the beginning
  std::size_t in_flight = 0, most_in_flight = 0, abandoned = 0;
  std::chrono::milliseconds time{0};
  std::chrono::milliseconds longest_drive{0};
};

class ScriptedTransport final : public HttpTransport {
public:
  explicit ScriptedTransport(ScriptedServer &server) : server_(server) {}

  TimePoint now() const override { return TimePoint(server_.time); }
  std::chrono::system_clock::time_point date() const override {
    return std::chrono::system_clock::from_time_t(1767323045) + server_.time;  // 2026-01-02 03:04:05 UTC
  }

  int start(HttpRequest request) override {
    server_.requests.push_back(std::move(request));
    server_.starts.push_back(server_.time);
    server_.most_in_flight = std::max(server_.most_in_flight, ++server_.in_flight);
    ScriptedReply reply{.status = 0, .end = {HttpEnd::How::unreachable, "the script is at its end"}};
    if (!server_.replies.empty()) reply = std::move(server_.replies.front()), server_.replies.pop_front();
    schedule(++last_, std::move(reply));
    return last_;
  }

  void abandon(int transfer) override {
    if (std::erase_if(due_, [&](const Due &due) { return due.news.transfer == transfer; }) > 0 ||
        std::erase(silent_, transfer) > 0)
      ++server_.abandoned, --server_.in_flight;
  }

  std::vector<HttpNews> drive(std::chrono::milliseconds longest) override {
    server_.longest_drive = std::max(server_.longest_drive, longest);
    const auto next = std::ranges::min_element(due_, {}, &Due::when);
    if (next == due_.end() || next->when > server_.time + longest) {
      server_.time += longest;
      return {};
    }
    server_.time = std::max(server_.time, next->when);
    std::vector<HttpNews> news{std::move(next->news)};
    due_.erase(next);
    if (std::holds_alternative<HttpEnd>(news[0].what)) --server_.in_flight;
    return news;
  }

private:
  struct Due {
    std::chrono::milliseconds when;
    HttpNews news;
  };

  void schedule(int transfer, ScriptedReply reply) {
    auto when = server_.time + reply.first;
    const auto add = [&](auto what) {
      due_.push_back({when, {transfer, std::move(what)}});
      when += reply.between;
    };
    if (reply.status) add(HttpHead{reply.status, reply.headers});
    for (auto &body : reply.bodies) add(HttpBody{std::move(body)});
    if (reply.never_ends)
      silent_.push_back(transfer);
    else
      add(reply.end);
  }

  ScriptedServer &server_;
  int last_ = 0;
  std::vector<Due> due_;
  std::vector<int> silent_;
};

}  // namespace cupilot
