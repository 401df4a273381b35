// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "status/answer_http.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <span>
#include <string_view>

#include "base/descriptor.h"
#include "base/hosts.h"
#include "base/text.h"

namespace halftoned {
namespace {

using HttpClock = std::chrono::steady_clock;

constexpr size_t kMaxRequestBytes = 8192;
constexpr std::chrono::seconds kTimeForRequest(5);
constexpr const char* kOpenMetrics =
    "application/openmetrics-text; version=1.0.0; charset=utf-8";
constexpr const char* kPlain = "text/plain; charset=utf-8";

struct HttpAnswer {
  const char* status;
  const char* type;
  std::string body;
};

HttpAnswer Plainly(const char* status) {
  return {status, kPlain, std::string(status) + "\n"};
}

// Whether the request ends in an empty line.
bool IsWhole(std::string_view request) {
  return request.find("\r\n\r\n") != std::string_view::npos ||
         request.find("\n\n") != std::string_view::npos;
}

// Reads to the empty line, the end or the limit.
Result<std::string> ReadRequest(int in) {
  const auto end = HttpClock::now() + kTimeForRequest;
  std::string request;
  while (!IsWhole(request) && request.size() < kMaxRequestBytes) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - HttpClock::now());
    pollfd wait{in, POLLIN, 0};
    const int ready =
        left.count() > 0 ? ::poll(&wait, 1, static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Unavailable("no HTTP request arrived in time");
    std::array<char, 2048> room;
    const ssize_t bytes = ::read(in, room.data(), room.size());
    if (bytes < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (bytes < 0) return ErrnoError(ErrorCode::kIo, "cannot read the request");
    if (bytes == 0) break;
    request.append(room.data(), static_cast<size_t>(bytes));
  }
  return request;
}

std::string ValueOf(std::string_view metrics, const std::string& name) {
  const std::string start = "\n" + name + " ";
  const size_t at = metrics.find(start);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = metrics.substr(at + start.size());
  return std::string(rest.substr(0, rest.find('\n')));
}

HttpAnswer AnswerTo(std::string_view path,
                    const std::function<Result<std::string>()>& ask) {
  path = path.substr(0, path.find('?'));
  if (path != "/metrics" && path != "/load") return Plainly("404 Not Found");
  Result<std::string> metrics = ask();
  if (!metrics.ok()) {
    return {"503 Service Unavailable", kPlain, metrics.error().message + "\n"};
  }
  if (path == "/metrics") return {"200 OK", kOpenMetrics, std::move(*metrics)};
  const std::string load = ValueOf(*metrics, "halftoned_load");
  if (load.empty() || load == "+Inf") {
    return {"503 Service Unavailable", kPlain, "no worker is ready\n"};
  }
  return {"200 OK", kPlain, load + "\n"};
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t start = text.find_first_not_of(kSpace);
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(kSpace) + 1 - start);
}

// Every Host of a complete request must be ours. HTTP/1.0 requests need no
// Host, but browsers always send one.
bool AreHostsOurs(std::string_view request,
                  const std::vector<std::string>& names) {
  size_t at = 0;
  while ((at = request.find('\n', at)) != request.npos) {
    ++at;
    const std::string_view line =
        request.substr(at, request.find('\n', at) - at);
    const size_t colon = line.find(':');
    if (colon == line.npos ||
        LowerCase(Trimmed(line.substr(0, colon))) != "host") {
      continue;
    }
    if (!IsOurHost(Trimmed(line.substr(colon + 1)), names)) return false;
  }
  return true;
}

// Uses only the first line and Host.
HttpAnswer AnswerRequest(std::string_view request,
                         const std::vector<std::string>& names, bool& is_head,
                         const std::function<Result<std::string>()>& ask) {
  const std::string_view line =
      request.substr(0, request.find_first_of("\r\n"));
  const size_t after_method = line.find(' ');
  const size_t after_path = line.rfind(' ');
  if (after_method == std::string_view::npos || after_path <= after_method ||
      !line.substr(after_path + 1).starts_with("HTTP/1.")) {
    return Plainly("400 Bad Request");
  }
  if (!IsWhole(request)) {
    return Plainly(request.size() < kMaxRequestBytes
                       ? "400 Bad Request"
                       : "431 Request Header Fields Too Large");
  }
  if (!AreHostsOurs(request, names)) {
    return {"421 Misdirected Request", kPlain,
            "this machine does not have that name; see --http-name in "
            "halftone-status(1)\n"};
  }
  const std::string_view method = line.substr(0, after_method);
  is_head = method == "HEAD";
  if (!is_head && method != "GET") return Plainly("405 Method Not Allowed");
  return AnswerTo(line.substr(after_method + 1, after_path - after_method - 1),
                  ask);
}

}  // namespace

Result<void> AnswerHttp(int in, int out, const std::vector<std::string>& names,
                        const std::function<Result<std::string>()>& ask) {
  HALFTONED_TRY_ASSIGN(const std::string request, ReadRequest(in));
  bool is_head = false;
  const HttpAnswer answer = AnswerRequest(request, names, is_head, ask);
  std::string text =
      "HTTP/1.1 " + std::string(answer.status) +
      "\r\nContent-Type: " + answer.type +
      "\r\nContent-Length: " + std::to_string(answer.body.size()) +
      "\r\nAllow: GET, HEAD\r\nCache-Control: no-store"
      "\r\nConnection: close\r\n\r\n";
  if (!is_head) text += answer.body;
  return WriteFully(out, std::as_bytes(std::span(text)));
}

}  // namespace halftoned
