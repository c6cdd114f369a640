// SPDX-License-Identifier: Apache-2.0
//
// HttpTransport with libcurl. One multi handle is driven in the caller's thread, and connections are reused
// for later questions. Redirects are not followed, certificates are verified, and curl's own environment
// variables select a proxy.

#pragma once

#include <map>
#include <memory>

#include "evolution/provider/http_transport.h"

namespace cupilot::provider {

class CurlTransport : public HttpTransport {
public:
  CurlTransport();
  ~CurlTransport() override;
  CurlTransport(const CurlTransport &) = delete;
  CurlTransport &operator=(const CurlTransport &) = delete;

  TimePoint now() const override { return std::chrono::steady_clock::now(); }
  std::chrono::system_clock::time_point date() const override { return std::chrono::system_clock::now(); }
  int start(HttpRequest request) override;
  void abandon(int transfer) override;
  std::vector<HttpNews> drive(std::chrono::milliseconds longest) override;

private:
  struct Transfer;
  void collect_ended();
  void wait_or_perform(std::chrono::milliseconds longest);

  void *multi_;
  int last_ = 0;
  std::map<int, std::unique_ptr<Transfer>> transfers_;
  std::vector<HttpNews> news_;
};

}  // namespace cupilot::provider
