// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/curl_transport.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "annotate/support/result.h"
#include "annotate/support/text.h"
#include "evolution/provider/http_access.h"

namespace cupilot::provider {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

HttpEnd::How how_it_ended(CURLcode code, CURL *easy) {
  using How = HttpEnd::How;
  long sent = 0;
  curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &sent);
  switch (code) {
    case CURLE_OK:
      return How::complete;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ISSUER_ERROR:
      return How::untrusted;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return How::impossible;
    default:
      return sent > 0 ? How::broken : How::unreachable;
  }
}

}  // namespace

/// One easy handle and the state of its callbacks; its address is fixed while curl knows it.
struct CurlTransport::Transfer {
  CURL *easy = nullptr;
  curl_slist *headers = nullptr;
  HttpRequest request;
  HttpHead head;
  int number = 0;
  std::vector<HttpNews> *news = nullptr;
  std::array<char, CURL_ERROR_SIZE> problem{};

  ~Transfer() {
    curl_easy_cleanup(easy);
    curl_slist_free_all(headers);
  }

  static std::size_t on_header(char *bytes, std::size_t, std::size_t count, void *self) {
    static_cast<Transfer *>(self)->header_line(trim({bytes, count}));
    return count;
  }
  static std::size_t on_body(char *bytes, std::size_t, std::size_t count, void *self) {
    auto *transfer = static_cast<Transfer *>(self);
    transfer->news->push_back({transfer->number, HttpBody{std::string(bytes, count)}});
    return count;
  }

  void header_line(std::string_view line) {
    if (line.starts_with("HTTP/")) {
      head = {};  // an interim response (100 Continue) may precede this one
    } else if (line.empty()) {
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      head.status = static_cast<int>(status);
      if (status >= 200) news->push_back({number, head});
    } else if (const auto colon = line.find(':'); colon != std::string_view::npos) {
      head.headers[lower_case(line.substr(0, colon))] = trim(line.substr(colon + 1));
    }
  }

  void prepare();
};

void CurlTransport::Transfer::prepare() {
  for (const auto &header : request.headers) headers = curl_slist_append(headers, header.c_str());
  headers = curl_slist_append(headers, "Expect:");  // no extra round trip before a large body
  const auto set = [this](CURLoption option, auto value) { curl_easy_setopt(easy, option, value); };
  set(CURLOPT_PRIVATE, this);
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_POST, 1L);
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  set(CURLOPT_POSTFIELDS, request.body.c_str());
  set(CURLOPT_HTTPHEADER, headers);
  set(CURLOPT_USERAGENT, "cupilot");
  set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_ERRORBUFFER, problem.data());
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);  // a redirect would forward the key
  // What is meant for this machine does not leave it, whatever proxy the environment names.
  if (on_this_machine(request.url)) set(CURLOPT_PROXY, "");
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_limit.count()));
  // A model may compute for minutes without sending a byte. TCP keep-alive shows whether its machine is
  // alive.
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_TCP_KEEPIDLE, 30L);
  set(CURLOPT_TCP_KEEPINTVL, 15L);
}

CurlTransport::CurlTransport() {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  CUPILOT_CHECK(ready == CURLE_OK);
  multi_ = curl_multi_init();
  CUPILOT_CHECK(multi_ != nullptr);
}

CurlTransport::~CurlTransport() {
  while (!transfers_.empty()) abandon(transfers_.begin()->first);
  curl_multi_cleanup(static_cast<CURLM *>(multi_));
}

int CurlTransport::start(HttpRequest request) {
  auto transfer = std::make_unique<Transfer>();
  transfer->easy = curl_easy_init();
  CUPILOT_CHECK(transfer->easy != nullptr);
  transfer->request = std::move(request);
  transfer->number = ++last_;
  transfer->news = &news_;
  transfer->prepare();
  curl_multi_add_handle(static_cast<CURLM *>(multi_), transfer->easy);
  transfers_[last_] = std::move(transfer);
  return last_;
}

void CurlTransport::abandon(int number) {
  const auto found = transfers_.find(number);
  if (found == transfers_.end()) return;
  curl_multi_remove_handle(static_cast<CURLM *>(multi_), found->second->easy);
  transfers_.erase(found);
  std::erase_if(news_, [&](const HttpNews &news) { return news.transfer == number; });
}

void CurlTransport::collect_ended() {
  int left = 0;
  while (CURLMsg *message = curl_multi_info_read(static_cast<CURLM *>(multi_), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    Transfer *transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    HttpEnd end{.how = how_it_ended(code, transfer->easy)};
    if (code != CURLE_OK)
      end.problem = transfer->problem[0] ? transfer->problem.data() : curl_easy_strerror(code);
    news_.push_back({transfer->number, std::move(end)});
    curl_multi_remove_handle(static_cast<CURLM *>(multi_), transfer->easy);
    transfers_.erase(transfer->number);
  }
}

void CurlTransport::wait_or_perform(std::chrono::milliseconds longest) {
  auto *multi = static_cast<CURLM *>(multi_);
  int running = 0;
  curl_multi_perform(multi, &running);
  collect_ended();
  if (!news_.empty()) return;
  curl_multi_poll(multi, nullptr, 0, static_cast<int>(longest.count()), nullptr);
  curl_multi_perform(multi, &running);
  collect_ended();
}

std::vector<HttpNews> CurlTransport::drive(std::chrono::milliseconds longest) {
  wait_or_perform(longest);
  return std::exchange(news_, {});
}

}  // namespace cupilot::provider
