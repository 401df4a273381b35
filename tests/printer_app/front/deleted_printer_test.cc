// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests whose printer is deleted meanwhile.

#include <cups/cups.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "printer_app/front/client/client.h"
#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

class DeletedPrinterTest : public testing::Test {
 protected:
  // The printer is deleted as soon as PAPPL gets the request.
  void DeleteAt(ipp_op_t operation) { at_ = operation; }
  PrinterGate::Deletion& deletion() { return *deletion_; }

  // The answer to a Print-Job request whose body continues after `part`, which
  // begins with the last fields of its head.
  std::string AnswerToPart(const std::string& part) {
    const std::unique_ptr<http_t, CloseHttp> http(
        httpConnect2(served_.Socket().c_str(), 0, nullptr, AF_LOCAL,
                     HTTP_ENCRYPTION_NEVER, 1, 30000, nullptr));
    if (!http) return "";
    is_going_ = {};
    std::thread server = served_.Serve(Somebody());
    const std::string request =
        "POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/ipp\r\n" +
        part;
    EXPECT_TRUE(
        WriteFully(httpGetFd(http.get()), std::as_bytes(std::span(request)))
            .ok());
    is_going_.get_future().wait();
    // It does not wait for the rest.
    deletion().WaitForItsRequests();
    std::string answer = ReadMessage(httpGetFd(http.get()));
    shutdown(httpGetFd(http.get()), SHUT_RDWR);
    server.join();
    deletion_.reset();
    return answer;
  }

  ServedFront served_{[this](ipp_t* request, const std::string&) {
    if (ippGetOperation(request) == at_) {
      deletion_.emplace(served_.front().gate, "office");
      is_going_.set_value();
    }
    Ipp answer(ippNewResponse(request));
    for (int i = 0; i < texts_; ++i) {
      ippAddString(answer.get(), IPP_TAG_OPERATION, IPP_TAG_TEXT,
                   ("text-" + std::to_string(i)).c_str(), nullptr,
                   std::string(1000, 't').c_str());
    }
    return answer;
  }};
  int texts_ = 0;  // in each answer
  std::promise<void> is_going_;

 private:
  ipp_op_t at_ = IPP_OP_GET_JOBS;
  std::optional<PrinterGate::Deletion> deletion_;
};

TEST_F(DeletedPrinterTest, ACompleteRequestIsAnswered) {
  DeleteAt(IPP_OP_GET_JOBS);
  const Ipp answer = served_.Ask(Somebody(), RequestFor(IPP_OP_GET_JOBS));
  ASSERT_NE(answer, nullptr);
  EXPECT_EQ(ippGetStatusCode(answer.get()), IPP_STATUS_OK);
  const Ipp next = served_.Ask(Somebody(), RequestFor(IPP_OP_GET_JOBS));
  EXPECT_EQ(ippGetStatusCode(next.get()), IPP_STATUS_ERROR_NOT_FOUND);
}

TEST_F(DeletedPrinterTest, AnAnswerWaitsForASlowClient) {
  DeleteAt(IPP_OP_GET_JOBS);
  texts_ = 4000;
  const std::unique_ptr<http_t, CloseHttp> http(
      httpConnect2(served_.Socket().c_str(), 0, nullptr, AF_LOCAL,
                   HTTP_ENCRYPTION_NEVER, 1, 30000, nullptr));
  ASSERT_NE(http, nullptr);
  std::thread server = served_.Serve(Somebody());
  const Ipp request = RequestFor(IPP_OP_GET_JOBS);
  EXPECT_EQ(cupsSendRequest(http.get(), request.get(), "/ipp/print/office",
                            ippLength(request.get())),
            HTTP_STATUS_CONTINUE);
  is_going_.get_future().wait();
  // Longer than the server looks for deletions while it reads.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const Ipp answer(cupsGetResponse(http.get(), "/ipp/print/office"));
  shutdown(httpGetFd(http.get()), SHUT_RDWR);
  server.join();
  ASSERT_NE(answer, nullptr);
  EXPECT_NE(ippFindAttribute(answer.get(), "text-3999", IPP_TAG_TEXT), nullptr);
}

std::string Chunk(const std::string& bytes) {
  std::ostringstream chunk;
  chunk << std::hex << bytes.size() << "\r\n" << bytes << "\r\n";
  return chunk.str();
}

// The client may be silent, and at any place of the body.
TEST_F(DeletedPrinterTest, ADocumentThatArrivesIsRefusedAtOnce) {
  // The front end asks for the formats once the attributes have arrived.
  DeleteAt(IPP_OP_GET_PRINTER_ATTRIBUTES);
  const std::string part =
      WriteIpp(RequestFor(IPP_OP_PRINT_JOB, 0, "application/pdf").get()) +
      "half";
  const std::string size =
      "Content-Length: " + std::to_string(part.size() + 4) + "\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const std::string gzip = "Content-Encoding: gzip\r\n";
  for (const auto& [fields, body] :
       std::vector<std::pair<std::string, std::string>>{
           {size, part},
           {chunked, Chunk(part)},
           {chunked, Chunk(part) + "4"},
           {gzip + size, Gzip(part, false)}}) {
    const std::string answer = AnswerToPart(fields + "\r\n" + body);
    ASSERT_FALSE(answer.empty()) << fields;
    const Ipp parsed = ParseIpp(answer.substr(answer.find("\r\n\r\n") + 4));
    ASSERT_NE(parsed, nullptr) << answer;
    EXPECT_EQ(ippGetStatusCode(parsed.get()), IPP_STATUS_ERROR_NOT_FOUND);
    EXPECT_EQ(served_.pappl().Count(IPP_OP_PRINT_JOB), 0);
    EXPECT_TRUE(served_.Spool().empty());
  }
}

}  // namespace
}  // namespace halftoned
