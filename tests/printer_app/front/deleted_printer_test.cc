// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests whose printer is deleted meanwhile.

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "printer_app/front/client/client.h"
#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

class DeletedPrinterTest : public testing::Test {
 protected:
  // The printer is deleted as soon as PAPPL gets the request.
  void DeleteAt(ipp_op_t operation) { at_ = operation; }
  PrinterGate::Deletion& deletion() { return *deletion_; }

  ServedFront served_{[this](ipp_t* request, const std::string&) {
    if (ippGetOperation(request) == at_) {
      deletion_.emplace(served_.front().gate, "office");
      is_going_.set_value();
    }
    return Ipp(ippNewResponse(request));
  }};
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

TEST_F(DeletedPrinterTest, ADocumentThatArrivesIsRefused) {
  // The front end asks for the formats once the attributes have arrived.
  DeleteAt(IPP_OP_GET_PRINTER_ATTRIBUTES);
  const std::string message =
      WriteIpp(RequestFor(IPP_OP_PRINT_JOB, 0, "application/pdf").get());
  const std::unique_ptr<http_t, CloseHttp> http(
      httpConnect2(served_.Socket().c_str(), 0, nullptr, AF_LOCAL,
                   HTTP_ENCRYPTION_NEVER, 1, 30000, nullptr));
  ASSERT_NE(http, nullptr);
  std::thread server = served_.Serve(Somebody());
  const auto send = [&](const std::string& bytes) {
    EXPECT_TRUE(
        WriteFully(httpGetFd(http.get()), std::as_bytes(std::span(bytes)))
            .ok());
  };
  send(
      "POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
      "Content-Type: application/ipp\r\nConnection: close\r\n"
      "Content-Length: " +
      std::to_string(message.size() + 8) + "\r\n\r\n" + message + "half");
  is_going_.get_future().wait();
  // It does not wait for the rest.
  deletion().WaitForItsRequests();
  send("half");
  const std::string answer = ReadMessage(httpGetFd(http.get()));
  server.join();
  ASSERT_FALSE(answer.empty());
  const Ipp parsed = ParseIpp(answer.substr(answer.find("\r\n\r\n") + 4));
  ASSERT_NE(parsed, nullptr) << answer;
  EXPECT_EQ(ippGetStatusCode(parsed.get()), IPP_STATUS_ERROR_NOT_FOUND);
  EXPECT_EQ(served_.pappl().Count(IPP_OP_PRINT_JOB), 0);
  EXPECT_TRUE(served_.Spool().empty());
}

}  // namespace
}  // namespace halftoned
