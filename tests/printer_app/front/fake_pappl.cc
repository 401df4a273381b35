// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/printer_app/front/fake_pappl.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "printer_app/front/client/listeners.h"
#include "tests/printer_app/front/ipp_length.h"

namespace halftoned {
std::string ReadMessage(int connection) {
  constexpr std::string_view kLength = "Content-Length: ";
  std::string all;
  size_t wanted = std::string::npos;
  char room[16 << 10];
  while (all.size() < wanted) {
    const ssize_t size = recv(connection, room, sizeof(room), 0);
    if (size <= 0) return "";
    all.append(room, static_cast<size_t>(size));
    const size_t end = all.find("\r\n\r\n");
    if (end == all.npos) continue;
    const size_t length = all.find(kLength);
    wanted =
        end + 4 +
        (length < end ? std::stoul(all.substr(length + kLength.size())) : 0);
  }
  return all;
}

FakePappl::FakePappl(const std::string& socket, Answer answer)
    : answer_(std::move(answer)) {
  auto listener = ListenAtPath(socket);
  EXPECT_TRUE(listener.ok());
  if (listener.ok()) listener_ = std::move(*listener);
  accepting_ = std::thread([this] { Serve(); });
}

FakePappl::~FakePappl() {
  shutdown(listener_.get(), SHUT_RDWR);
  accepting_.join();
  for (std::thread& thread : threads_) thread.join();
}

void FakePappl::Serve() {
  while (true) {
    pollfd wait = {listener_.get(), POLLIN, 0};
    poll(&wait, 1, -1);
    Descriptor connection(
        accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection.open()) return;
    threads_.emplace_back(
        [this, given = std::move(connection)] { ServeOne(given); });
  }
}

void FakePappl::ServeOne(const Descriptor& connection) {
  const std::string request = ReadMessage(connection.get());
  const std::string body = request.empty() ? "" : BodyFor(request);
  if (body.empty()) return;
  const std::string answer =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body;
  (void)WriteFully(connection.get(), std::as_bytes(std::span(answer))).ok();
}

std::string FakePappl::BodyFor(const std::string& request) {
  if (request.starts_with("GET /halftone-inner/printers")) {
    return "1 none /office\n";
  }
  if (request.starts_with("GET /halftone-inner/settings")) {
    return "admin-group=\nhost-name=localhost\n";
  }
  if (request.starts_with("GET /halftone-inner/save")) return "saved\n";
  const auto line = [](int job) {
    return job == 0 ? "\n" : std::to_string(job) + " /Office\n";
  };
  if (request.starts_with("GET /halftone-inner/ends")) {
    return line(unsaved_end_);
  }
  if (request.starts_with("GET /halftone-inner/unsaved")) {
    return line(unsaved_job_);
  }
  if (request.starts_with("GET /halftone-inner/format?")) {
    return format_ + '\n';
  }
  constexpr std::string_view kIdOf = "GET /halftone-inner/device-id?";
  if (request.starts_with(kIdOf) && tell_id_) {
    const std::string uri = request.substr(kIdOf.size());
    return tell_id_(uri.substr(0, uri.find(' ')));
  }
  if (request.starts_with("GET ")) return std::string(kBytesOfPage, ' ');
  const std::string body = request.substr(request.find("\r\n\r\n") + 4);
  const size_t length = LengthOf(body);
  const Ipp message = ParseIpp(body.substr(0, length));
  EXPECT_TRUE(length > 0 && message) << request.substr(0, 100);
  if (!message) return "";
  {
    const std::lock_guard lock(mutex_);
    operations_.push_back(ippGetOperation(message.get()));
  }
  const Ipp answer = answer_(message.get(), body.substr(length));
  return answer ? WriteIpp(answer.get()) : "";
}

int FakePappl::Count(ipp_op_t operation) const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(
      std::ranges::count(operations_, static_cast<int>(operation)));
}

Ipp AnswerWithJob(ipp_t* request, int id) {
  Ipp answer(ippNewResponse(request));
  ippAddInteger(answer.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "job-id", id);
  ippAddInteger(answer.get(), IPP_TAG_JOB, IPP_TAG_ENUM, "job-state",
                IPP_JSTATE_HELD);
  return answer;
}

}  // namespace halftoned
