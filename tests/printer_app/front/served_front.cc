// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/printer_app/front/served_front.h"

#include <cups/cups.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <zlib.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <thread>
#include <utility>

#include "printer_app/front/client/client.h"
#include "printer_app/front/client/listeners.h"
#include "printer_app/front/client/serve_client.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

std::string NewFolder() {
  std::string path = fs::temp_directory_path() / "front-XXXXXX";
  EXPECT_NE(mkdtemp(path.data()), nullptr);
  fs::create_directory(path + "/spool");
  return path;
}

}  // namespace

ServedFront::ServedFront(FakePappl::Answer answer, FrontSettings settings)
    : folder_(NewFolder()) {
  settings.folder = folder_;
  settings.spool = folder_ + "/spool";
  settings.host_name = "localhost";
  settings.log_file.clear();
  pappl_ =
      std::make_unique<FakePappl>(settings.SocketBehind(), std::move(answer));
  front_ = std::make_unique<Front>(std::move(settings));
  auto listener = ListenAtPath(Socket());
  EXPECT_TRUE(listener.ok());
  if (listener.ok()) listener_ = std::move(*listener);
}

ServedFront::~ServedFront() {
  pappl_.reset();
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::thread ServedFront::Serve(const Caller& caller) {
  return std::thread([this, caller] {
    std::unique_ptr<http_t, CloseHttp> http;
    while (!http) {  // another thread may accept the connection
      pollfd wait = {listener_.get(), POLLIN, 0};
      poll(&wait, 1, -1);
      http.reset(httpAcceptConnection(listener_.get(), 1));
    }
    FrontClient client(std::move(http), caller, 30, front_->work_slots,
                       front_->handshakes, front_->answers);
    ServeClient(*front_, client);
  });
}

int ServedFront::Say(const Caller& caller, const std::string& request) {
  std::thread server = Serve(caller);
  const std::unique_ptr<http_t, CloseHttp> http(
      httpConnect2(Socket().c_str(), 0, nullptr, AF_LOCAL,
                   HTTP_ENCRYPTION_NEVER, 1, 30000, nullptr));
  int status = 0;
  if (http &&
      WriteFully(httpGetFd(http.get()), std::as_bytes(std::span(request)))
          .ok()) {
    shutdown(httpGetFd(http.get()), SHUT_WR);
    char line[256] = "";
    if (httpGets(line, sizeof(line), http.get())) {
      std::sscanf(line, "HTTP/1.1 %d", &status);
    }
  }
  server.join();
  return status;
}

std::vector<std::string> ServedFront::SayAll(
    const Caller& caller, const std::vector<std::string>& requests) {
  std::thread server = Serve(caller);
  std::vector<std::string> answers;
  {
    const std::unique_ptr<http_t, CloseHttp> http(
        httpConnect2(Socket().c_str(), 0, nullptr, AF_LOCAL,
                     HTTP_ENCRYPTION_NEVER, 1, 30000, nullptr));
    for (const std::string& request : requests) {
      if (!WriteFully(httpGetFd(http.get()), std::as_bytes(std::span(request)))
               .ok()) {
        break;
      }
      answers.push_back(ReadMessage(httpGetFd(http.get())));
    }
  }
  server.join();
  return answers;
}

Ipp ServedFront::Ask(const Caller& caller, Ipp request,
                     const std::string& document) {
  std::thread server = Serve(caller);
  Ipp answer = SendTo(Socket(), std::move(request), document);
  server.join();
  return answer;
}

std::vector<std::string> ServedFront::Spool() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_ + "/spool")) {
    names.push_back(entry.path().filename());
  }
  return names;
}

Caller Somebody() {
  Caller caller;
  caller.is_local = true;
  caller.name = "bob";
  caller.place = caller.network = "uid 4711";
  return caller;
}

Ipp RequestFor(ipp_op_t operation, int job, const char* format) {
  Ipp request(ippNewRequest(operation));
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri",
               nullptr, "ipp://localhost/ipp/print/office");
  if (job > 0) {
    ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER, "job-id",
                  job);
  }
  if (format) {
    ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_MIMETYPE,
                 "document-format", nullptr, format);
  }
  return request;
}

std::string Gzip(std::string text, bool ends) {
  constexpr int kGzip = 15 + 16;
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8,
                         Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, ends ? Z_FINISH : Z_SYNC_FLUSH),
            ends ? Z_STREAM_END : Z_OK);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

Ipp SendTo(const std::string& socket, Ipp request,
           const std::string& document) {
  const std::unique_ptr<http_t, CloseHttp> http(
      httpConnect2(socket.c_str(), 0, nullptr, AF_LOCAL, HTTP_ENCRYPTION_NEVER,
                   1, 30000, nullptr));
  if (!http) return nullptr;
  const size_t length = ippLength(request.get()) + document.size();
  if (cupsSendRequest(http.get(), request.get(), "/ipp/print/office", length) !=
          HTTP_STATUS_CONTINUE ||
      (!document.empty() &&
       cupsWriteRequestData(http.get(), document.data(), document.size()) !=
           HTTP_STATUS_CONTINUE)) {
    return nullptr;
  }
  return Ipp(cupsGetResponse(http.get(), "/ipp/print/office"));
}

}  // namespace halftoned
