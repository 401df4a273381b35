// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests as bytes, through a complete front end.

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <utility>

#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

class HttpRequestTest : public testing::Test {
 protected:
  int Get(const std::string& target, const std::string& fields = "") {
    return served_.Say(
        Somebody(),
        "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n");
  }
  int Post(const std::string& fields) {
    const std::string body = WriteIpp(RequestFor(IPP_OP_GET_JOBS).get());
    return served_.Say(Somebody(),
                       "POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
                       "Content-Type: application/ipp\r\nContent-Length: " +
                           std::to_string(body.size()) + "\r\n" + fields +
                           "\r\n" + body);
  }

  ServedFront served_{[](ipp_t* request, const std::string&) {
    return Ipp(ippNewResponse(request));
  }};
};

TEST_F(HttpRequestTest, AnAbsoluteTargetIsOfThisServer) {
  // The client has no right to see the page.
  for (const char* target :
       {"/config", "http://localhost/config", "https://127.0.0.1:8631/config",
        "ipp://[::1]/config"}) {
    EXPECT_EQ(Get(target), HTTP_STATUS_FORBIDDEN) << target;
  }
  for (const char* target :
       {"http://evil.example/config", "http://localhost@evil.example/config",
        "http://evil.example", "http:///config", "https://evil.local?/config",
        "http://localhost.evil.example/config"}) {
    EXPECT_EQ(Get(target), HTTP_STATUS_BAD_REQUEST) << target;
  }
}

TEST_F(HttpRequestTest, NothingPrecedesTls) {
  const std::string upgrade =
      "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
      "Upgrade: TLS/1.2\r\n\r\n";
  EXPECT_EQ(served_.Say(Somebody(), upgrade), HTTP_STATUS_SWITCHING_PROTOCOLS);
  EXPECT_EQ(served_.Say(Somebody(), upgrade + "GET / HTTP/1.1\r\n\r\n"),
            HTTP_STATUS_NOT_IMPLEMENTED);
}

TEST_F(HttpRequestTest, AJobHasNotTooManyOptions) {
  for (const int count : {100, 200}) {
    Ipp request = RequestFor(IPP_OP_CREATE_JOB);
    for (int i = 0; i < count; ++i) {
      ippAddString(request.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD,
                   ("option-" + std::to_string(i)).c_str(), nullptr,
                   std::string(100, 'x').c_str());
    }
    const Ipp answer = served_.Ask(Somebody(), std::move(request));
    EXPECT_EQ(ippGetStatusCode(answer.get()),
              count == 100 ? IPP_STATUS_OK : IPP_STATUS_ERROR_REQUEST_ENTITY);
  }
  EXPECT_EQ(served_.pappl().Count(IPP_OP_CREATE_JOB), 1);
}

TEST_F(HttpRequestTest, AJobHasNotTooManyValuesInCollections) {
  for (const int count : {50, 200}) {
    const Ipp media(ippNew());
    for (int i = 0; i < count; ++i) {
      ippAddInteger(media.get(), IPP_TAG_ZERO, IPP_TAG_INTEGER,
                    ("unknown-" + std::to_string(i)).c_str(), i);
    }
    Ipp request = RequestFor(IPP_OP_CREATE_JOB);
    ippAddCollection(request.get(), IPP_TAG_JOB, "media-col", media.get());
    const Ipp answer = served_.Ask(Somebody(), std::move(request));
    EXPECT_EQ(ippGetStatusCode(answer.get()),
              count == 50 ? IPP_STATUS_OK : IPP_STATUS_ERROR_REQUEST_ENTITY);
  }
  EXPECT_EQ(served_.pappl().Count(IPP_OP_CREATE_JOB), 1);
}

TEST(HttpRequests, CollectionsThatNobodyKnowsAreLeftOut) {
  std::atomic<bool> came = false;
  ServedFront served([&](ipp_t* request, const std::string&) {
    if (ippFindAttribute(request, "overrides", IPP_TAG_ZERO)) came = true;
    return Ipp(ippNewResponse(request));
  });
  const Ipp override(ippNew());
  Ipp request = RequestFor(IPP_OP_CREATE_JOB);
  ippAddCollection(request.get(), IPP_TAG_JOB, "overrides", override.get());
  const Ipp answer = served.Ask(Somebody(), std::move(request));
  EXPECT_EQ(ippGetStatusCode(answer.get()),
            IPP_STATUS_OK_IGNORED_OR_SUBSTITUTED);
  EXPECT_FALSE(came);
}

TEST_F(HttpRequestTest, AJobThatWouldWaitForAPasswordIsRefused) {
  for (const ipp_op_t operation : {IPP_OP_PRINT_JOB, IPP_OP_CREATE_JOB}) {
    Ipp request = RequestFor(operation);
    ippAddOctetString(request.get(), IPP_TAG_OPERATION, "job-password", "1234",
                      4);
    const Ipp answer = served_.Ask(Somebody(), std::move(request), "a page");
    EXPECT_EQ(ippGetStatusCode(answer.get()),
              IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES);
    EXPECT_EQ(served_.pappl().Count(operation), 0);
  }
}

TEST_F(HttpRequestTest, ABodyHasACodingThatIsDecoded) {
  EXPECT_EQ(Post(""), HTTP_STATUS_OK);
  EXPECT_EQ(Post("Content-Encoding: identity\r\n"), HTTP_STATUS_OK);
  for (const char* coding : {"br", "GZIP", "gzip, br", "compress", "zstd"}) {
    EXPECT_EQ(Post("Content-Encoding: " + std::string(coding) + "\r\n"),
              HTTP_STATUS_UNSUPPORTED_MEDIATYPE)
        << coding;
  }
  EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), 2);
}

}  // namespace
}  // namespace halftoned
