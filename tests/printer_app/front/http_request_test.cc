// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests as bytes, through a complete front end.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

using Texts = std::vector<std::string>;

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

  // The body in chunks, with this before the message's first byte.
  int PostChunks(const std::string& start, const std::string& end,
                 const std::string& fields = "",
                 ipp_op_t operation = IPP_OP_GET_JOBS) {
    const std::string body = WriteIpp(RequestFor(operation).get()) + "a page";
    char size[32];
    std::snprintf(size, sizeof(size), "%zX\r\n", body.size() - 1);
    return served_.Say(
        Somebody(),
        "POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/ipp\r\nTransfer-Encoding: chunked\r\n" +
            fields + "\r\n" + start + body[0] + "\r\n" + size + body.substr(1) +
            "\r\n" + end);
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
              count == 100 ? IPP_STATUS_OK_IGNORED_OR_SUBSTITUTED
                           : IPP_STATUS_ERROR_REQUEST_ENTITY);
  }
  EXPECT_EQ(served_.pappl().Count(IPP_OP_CREATE_JOB), 1);
}

TEST_F(HttpRequestTest, AJobHasNotTooManyValuesInCollections) {
  for (const int count : {50, 200}) {
    const Ipp media(ippNew());
    for (int i = 0; i < count; ++i) {
      ippAddInteger(media.get(), IPP_TAG_ZERO, IPP_TAG_INTEGER,
                    "media-top-margin", i);
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
  for (const char* coding : {"br", "deflate", "x-deflate", "gzip, br",
                             "gzip,gzip", "compress", "zstd"}) {
    EXPECT_EQ(Post("Content-Encoding: " + std::string(coding) + "\r\n"),
              HTTP_STATUS_UNSUPPORTED_MEDIATYPE)
        << coding;
  }
  EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), 2);
}

TEST_F(HttpRequestTest, AGzipBodyIsDecoded) {
  const std::string body = Gzip(WriteIpp(RequestFor(IPP_OP_GET_JOBS).get()));
  int taken = 0;
  for (const char* coding : {"gzip", "GZIP", "x-gzip", "X-Gzip"}) {
    const Texts answers = served_.SayAll(
        Somebody(), {"POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
                     "Content-Type: application/ipp\r\nContent-Encoding: " +
                     std::string(coding) + "\r\nContent-Length: " +
                     std::to_string(body.size()) + "\r\n\r\n" + body});
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_TRUE(answers[0].starts_with("HTTP/1.1 200 ")) << answers[0];
    EXPECT_NE(answers[0].find("\r\nAccept-Encoding: gzip, identity\r\n"),
              std::string::npos);
    EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), ++taken);
  }
}

TEST_F(HttpRequestTest, AGzipBodyIsNotDecodedToItsEndIfThatIsFar) {
  const std::string body = Gzip(WriteIpp(RequestFor(IPP_OP_GET_JOBS).get()) +
                                std::string(32 << 20, '\0'));
  const Texts answers = served_.SayAll(
      Somebody(), {"POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
                   "Content-Type: application/ipp\r\nContent-Encoding: gzip"
                   "\r\nContent-Length: " +
                   std::to_string(body.size()) + "\r\n\r\n" + body});
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_NE(answers[0].find("\r\nConnection: close\r\n"), std::string::npos);
}

TEST_F(HttpRequestTest, ChunksHaveOneSpelling) {
  const std::string end = "0\r\n\r\n";
  const std::string zeros(16, '0'), more(256, 'x');
  int taken = 0;
  for (const std::string& start :
       Texts{"1\r\n", "01\r\n", zeros.substr(1) + "1\r\n", "1;name=value\r\n",
             "1;" + more + "\r\n"}) {
    EXPECT_EQ(PostChunks(start, end), HTTP_STATUS_OK) << start;
    EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), ++taken);
  }
  for (const std::string& last : Texts{"00000\r\n\r\n", "0;x\r\n\r\n",
                                       "0\r\nName: value\r\nHost:\r\n\r\n"}) {
    EXPECT_EQ(PostChunks("1\r\n", last), HTTP_STATUS_OK) << last;
    EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), ++taken);
  }
  for (const std::string& start :
       Texts{"0x1\r\n", "+1\r\n", " 1\r\n", "1 \r\n", "-1\r\n", zeros + "1\r\n",
             "1;" + more + "x\r\n", "1;\x01\r\n", "1\n", "1\r\r\n", "\r\n1\r\n",
             "g\r\n", "8000000000000000\r\n", "10000000000000001\r\n", ";x\r\n",
             "\r\n"}) {
    EXPECT_EQ(PostChunks(start, end), HTTP_STATUS_BAD_REQUEST) << start;
  }
  EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), taken);
}

TEST_F(HttpRequestTest, ABodyEndsWithItsLastChunk) {
  const std::string next = "GET /config HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (const std::string& end :
       Texts{"", "0", "0\r\n", "0\n\n" + next, "0\r\n" + next,
             std::string(300, 'x') + "\r\n",
             "0\r\n" + std::string(5000, 'x') + "\r\n\r\n",
             "zz\r\n\r\n" + next}) {
    const int status = PostChunks("1\r\n", end, "", IPP_OP_PRINT_JOB);
    EXPECT_TRUE(status == 0 || status == HTTP_STATUS_BAD_REQUEST)
        << end << ": " << status;
  }
  EXPECT_EQ(served_.pappl().Count(IPP_OP_PRINT_JOB), 0);
  EXPECT_EQ(PostChunks("1\r\n", "0\r\n\r\n" + next, "", IPP_OP_PRINT_JOB),
            HTTP_STATUS_OK);
}

// The connection can be dropped until then, and the client can repeat it.
TEST_F(HttpRequestTest, ARequestHasNoEffectUntilAllOfItHasCome) {
  const std::string body =
      WriteIpp(RequestFor(IPP_OP_CREATE_JOB).get()) + "more";
  const auto create = [&](size_t missing) {
    return served_.Say(Somebody(),
                       "POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
                       "Content-Type: application/ipp\r\nContent-Length: " +
                           std::to_string(body.size() + missing) + "\r\n\r\n" +
                           body);
  };
  EXPECT_EQ(create(1), 0);
  EXPECT_EQ(served_.pappl().Count(IPP_OP_CREATE_JOB), 0);
  EXPECT_EQ(create(0), HTTP_STATUS_OK);
  EXPECT_EQ(served_.pappl().Count(IPP_OP_CREATE_JOB), 1);
}

TEST_F(HttpRequestTest, TheNextRequestWaitsForTheAnswer) {
  const std::string body = WriteIpp(RequestFor(IPP_OP_GET_JOBS).get());
  char size[32];
  std::snprintf(size, sizeof(size), "%zx\r\n", body.size());
  const std::string request =
      "POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
      "Content-Type: application/ipp\r\nTransfer-Encoding: chunked\r\n\r\n" +
      std::string(size) + body + "\r\n0\r\nContent-Type: text/plain\r\n\r\n";
  EXPECT_EQ(served_.Say(Somebody(), request + request), HTTP_STATUS_OK);
  EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), 1);
  const Texts answers = served_.SayAll(Somebody(), {request, "\r\n" + request});
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_TRUE(answers[1].starts_with("HTTP/1.1 200 ")) << answers[1];
  EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), 3);
}

TEST_F(HttpRequestTest, AHeadHasOneMeaning) {
  const std::string body = WriteIpp(RequestFor(IPP_OP_GET_JOBS).get());
  const std::string size =
      "Content-Length: " + std::to_string(body.size()) + "\r\n";
  const std::string host = "Host: localhost\r\n";
  const auto post = [&](const std::string& fields) {
    return served_.Say(Somebody(),
                       "POST /ipp/print/office HTTP/1.1\r\n"
                       "Content-Type: application/ipp\r\n" +
                           fields + "\r\n" + body);
  };
  EXPECT_EQ(post(host + size + "Accept: a\r\nAccept: \xc3\xa4,\tb\r\n"),
            HTTP_STATUS_OK);
  for (const std::string& fields : Texts{
           host + "Content-Length: 3\r\n" + size, host + size + size,
           host + "content-length:\r\n" + size,
           "Host: evil.example\r\n" + host + size, host + host + size,
           host + size + "Transfer-Encoding:\r\n",
           host + size + "Transfer-Encoding : chunked\r\n",
           host + size + "\vTransfer-Encoding: chunked\r\n",
           host + size + "X: y\rTransfer-Encoding: chunked\r\n",
           host + size + "X: y\nTransfer-Encoding: chunked\r\n",
           host + "Con\rtent-Length: 3\r\n" + size,
           host + size + " folded: line\r\n", host + size + ": none\r\n",
           host + size + std::string("X: \0\r\n", 6),
           host + size + "Authorization: a\r\nAuthorization: b\r\n",
           host + size + "Origin: http://localhost\r\nOrigin: http://x\r\n"}) {
    EXPECT_EQ(post(fields), HTTP_STATUS_BAD_REQUEST) << fields;
  }
  EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), 1);
}

// A page of ours sends none, but a script that has our origin could.
TEST_F(HttpRequestTest, IppFromABrowserIsRefused) {
  Caller root = Somebody();
  root.name = "root";
  root.is_trusted = true;
  const std::string body = WriteIpp(RequestFor(IPP_OP_CANCEL_JOB, 1).get());
  for (const std::string& host : Texts{"localhost", "192.0.2.1:8000"}) {
    const auto ask = [&](const std::string& fields) {
      return served_.Say(
          root, "POST /ipp/print/office HTTP/1.1\r\nHost: " + host +
                    "\r\nContent-Type: application/ipp\r\n"
                    "Content-Length: " +
                    std::to_string(body.size()) + "\r\n" + fields + "\r\n" +
                    body);
    };
    const int canceled = served_.pappl().Count(IPP_OP_CANCEL_JOB);
    EXPECT_EQ(ask("Origin: http://" + host + "\r\n"), HTTP_STATUS_FORBIDDEN);
    EXPECT_EQ(ask("Origin: null\r\n"), HTTP_STATUS_FORBIDDEN);
    EXPECT_EQ(served_.pappl().Count(IPP_OP_CANCEL_JOB), canceled);
    EXPECT_EQ(ask(""), HTTP_STATUS_OK);
    EXPECT_EQ(served_.pappl().Count(IPP_OP_CANCEL_JOB), canceled + 1);
  }
}

TEST_F(HttpRequestTest, OtherSitesGetNothingFromPages) {
  const auto head = [&](const std::string& request) {
    const Texts answers = served_.SayAll(
        Somebody(), {request + " HTTP/1.1\r\nHost: localhost\r\n\r\n"});
    return answers.empty() ? ""
                           : answers[0].substr(0, answers[0].find("\r\n\r\n"));
  };
  for (const char* request : {"GET /", "GET /config"}) {
    const std::string fields = head(request);
    for (const char* field :
         {"\r\nCross-Origin-Resource-Policy: same-origin\r\n",
          "\r\nContent-Security-Policy: frame-src 'none'\r\n",
          "\r\nContent-Security-Policy: frame-ancestors 'none'",
          "\r\nClear-Site-Data: \"storage\"\r\n"}) {
      EXPECT_NE(fields.find(field), fields.npos) << fields;
    }
  }
  // Clearing takes the browser a moment.
  EXPECT_EQ(head("OPTIONS *").find("Clear-Site-Data"), std::string::npos);
}

TEST_F(HttpRequestTest, CookiesThatAreTooLongAreCleared) {
  const auto get = [&](size_t size) {
    const Texts answers = served_.SayAll(
        Somebody(), {"GET /config HTTP/1.1\r\nHost: localhost\r\nCookie: a=" +
                     std::string(size, 'x') + "\r\n\r\n"});
    return answers.empty() ? "" : answers[0];
  };
  EXPECT_TRUE(get(20000).starts_with("HTTP/1.1 403 "));
  for (const size_t size : {size_t{32740}, size_t{40000}, size_t{80000}}) {
    const std::string answer = get(size);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 431 ")) << answer;
    EXPECT_NE(answer.find("\r\nclear-site-data: \"cookies\"\r\n"), answer.npos);
  }
}

// LeakSanitizer looks at the memory of libcups' decoder.
TEST_F(HttpRequestTest, ACodedBodyThatIsNotReadTakesNoMemory) {
  for (const char* coding : {"gzip", "deflate", "br"}) {
    const std::string head =
        "POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/ipp\r\nContent-Encoding: " +
        std::string(coding) + "\r\n";
    for (const char* rest :
         {"\r\n", "Content-Length: 100\r\n\r\n",
          "Content-Length: 100\r\n\r\nnot packed",
          "Content-Length: 100\r\nHost: evil.example\r\n\r\n",
          "Transfer-Encoding: chunked\r\n\r\n"}) {
      EXPECT_NE(served_.Say(Somebody(), head + rest), HTTP_STATUS_OK);
    }
  }
}

TEST_F(HttpRequestTest, ABodyHasOneSize) {
  for (const char* field :
       {"Content-Length: 10\r\n", "Transfer-Encoding: chunked\r\n",
        "Content-Encoding: gzip\r\n"}) {
    EXPECT_GE(PostChunks("1\r\n", "0\r\n\r\n", field), HTTP_STATUS_BAD_REQUEST)
        << field;
  }
  const std::string body = WriteIpp(RequestFor(IPP_OP_GET_JOBS).get());
  const std::string size = std::to_string(body.size());
  const auto post = [&](const std::string& field) {
    return served_.Say(Somebody(),
                       "POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
                       "Content-Type: application/ipp\r\n" +
                           field + "\r\n" + body);
  };
  EXPECT_EQ(post("Content-Length: " + size + "\r\n"), HTTP_STATUS_OK);
  for (const std::string& field : Texts{
           "Content-Length: +" + size + "\r\n",
           "Content-Length: " + size + " 1\r\n",
           "Content-Length: " + size + ", " + size + "\r\n", std::string(),
           "Content-Length: -1\r\n", "Content-Length: 9223372036854775807\r\n",
           "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: identity\r\n"}) {
    EXPECT_EQ(post(field), HTTP_STATUS_BAD_REQUEST) << field;
  }
  EXPECT_EQ(Get("/config", "Content-Length: 0\r\n"), HTTP_STATUS_FORBIDDEN);
  EXPECT_EQ(Get("/config", "Content-Length: 5\r\n"), HTTP_STATUS_BAD_REQUEST);
  EXPECT_EQ(Get("/config", "Transfer-Encoding: chunked\r\n"),
            HTTP_STATUS_BAD_REQUEST);
  EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), 1);
}

}  // namespace
}  // namespace halftoned
