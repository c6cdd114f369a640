// SPDX-License-Identifier: Apache-2.0
//
// Starts tests/fakes/model_server.py and tells it what to do.

#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "annotate/support/process.h"

namespace cupilot {

using Json = nlohmann::ordered_json;

class ModelServer {
public:
  explicit ModelServer(const std::string &key) {
    ::setenv("MODEL_SERVER_KEY", key.c_str(), 1);
    auto process = LineProcess::start({CUPILOT_PYTHON, CUPILOT_MODEL_SERVER});
    ::unsetenv("MODEL_SERVER_KEY");
    if (!process) return;
    process_ = std::move(*process);
    const auto ports = receive();
    port_ = ports.value("port", 0), tls_port_ = ports.value("tls_port", 0);
  }

  bool works() const { return port_ != 0; }
  std::string base() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::string other_name() const { return "http://localhost:" + std::to_string(port_); }
  /// "" where no certificate can be made.
  std::string tls_base() const { return tls_port_ ? "https://127.0.0.1:" + std::to_string(tls_port_) : ""; }

  void script(const Json &steps) { EXPECT_EQ(ask({{"do", "script"}, {"steps", steps}}), "ok"); }
  Json log() { return ask({{"do", "log"}}); }

private:
  Json ask(const Json &order) {
    EXPECT_TRUE(process_->send(order.dump()));
    return receive();
  }
  Json receive() {
    const auto line = process_->receive(std::chrono::seconds(20));
    return line ? Json::parse(*line) : Json::object();
  }

  std::optional<LineProcess> process_;
  int port_ = 0, tls_port_ = 0;
};

}  // namespace cupilot
