// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests through a complete front end, with a PAPPL that the test defines.

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/printer_app/front/ipp_request_fixture.h"

namespace halftoned {
namespace {

TEST_F(IppRequestTest, ListsAreLimitedForEachUser) {
  Start();
  const std::string user = Somebody().network;
  NetworkCounts& lists = served_->front().lists;
  for (int i = 0; i < Front::kMostListsOfNetwork; ++i) {
    EXPECT_EQ(Ask(IPP_OP_GET_JOBS), IPP_STATUS_OK);  // it leaves the count
    EXPECT_TRUE(lists.Enter(user));
  }
  const int asked = served_->pappl().Count(IPP_OP_GET_JOBS);
  EXPECT_EQ(Ask(IPP_OP_GET_JOBS), IPP_STATUS_ERROR_BUSY);
  for (const ipp_op_t other :
       {IPP_OP_GET_NOTIFICATIONS, IPP_OP_CUPS_GET_PRINTERS}) {
    EXPECT_EQ(Ask(other), IPP_STATUS_ERROR_BUSY) << ippOpString(other);
    EXPECT_EQ(served_->pappl().Count(other), 0);
  }
  EXPECT_EQ(served_->pappl().Count(IPP_OP_GET_JOBS), asked);
  lists.Leave(user);
  EXPECT_EQ(Ask(IPP_OP_GET_JOBS), IPP_STATUS_OK);
}

TEST_F(IppRequestTest, ListsAreLimitedInAll) {
  Start();
  NetworkCounts& lists = served_->front().lists;
  for (int i = 0; i < Front::kMostLists; ++i) {
    EXPECT_TRUE(lists.Enter(std::to_string(i)));
  }
  EXPECT_EQ(Ask(IPP_OP_GET_JOBS), IPP_STATUS_ERROR_BUSY);
  Caller root = Somebody();
  root.is_trusted = true;
  EXPECT_EQ(Ask(IPP_OP_GET_JOBS, nullptr, "", 0, root), IPP_STATUS_OK);
  lists.Leave("0");
  EXPECT_EQ(Ask(IPP_OP_GET_JOBS), IPP_STATUS_OK);
}

TEST_F(IppRequestTest, AFormatThatThePrinterDoesNotAcceptIsRefusedImmediately) {
  Start();
  for (const ipp_op_t operation : {IPP_OP_PRINT_JOB, IPP_OP_VALIDATE_JOB,
                                   IPP_OP_CREATE_JOB, IPP_OP_SEND_DOCUMENT}) {
    const bool has_document =
        operation == IPP_OP_PRINT_JOB || operation == IPP_OP_SEND_DOCUMENT;
    EXPECT_EQ(Ask(operation, "application/vnd.other",
                  has_document ? std::string(1 << 20, 'x') : "", 1),
              IPP_STATUS_ERROR_DOCUMENT_FORMAT_NOT_SUPPORTED);
    ipp_attribute_t* refused =
        ippFindAttribute(last_.get(), "document-format", IPP_TAG_MIMETYPE);
    EXPECT_EQ(ippGetGroupTag(refused), IPP_TAG_UNSUPPORTED_GROUP);
    EXPECT_STREQ(ippGetString(refused, 0, nullptr), "application/vnd.other");
    EXPECT_EQ(served_->pappl().Count(operation), 0);
    EXPECT_TRUE(served_->Spool().empty());
  }
}

TEST_F(IppRequestTest, AcceptedAndUnnamedFormatsPass) {
  Start();
  for (const char* format :
       {kPdf, "text/plain", "application/octet-stream", (const char*)nullptr}) {
    EXPECT_EQ(Ask(IPP_OP_VALIDATE_JOB, format), IPP_STATUS_OK);
    EXPECT_EQ(Ask(IPP_OP_PRINT_JOB, format, "x"), IPP_STATUS_OK);
  }
  EXPECT_EQ(served_->pappl().Count(IPP_OP_PRINT_JOB), 4);
  // A request that has no document is not asked for its format.
  EXPECT_EQ(Ask(IPP_OP_GET_JOBS, "application/vnd.other"), IPP_STATUS_OK);
}

TEST_F(IppRequestTest, ADocumentOfUnknownFormatIsRefused) {
  FrontSettings settings;
  settings.user_jobs = 2;
  Start(std::move(settings));
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_OK);
  const auto send = [&](const char* found, const char* format) {
    served_->pappl().TellFormat(found);
    const ipp_status_t printed = Ask(IPP_OP_PRINT_JOB, format, "x");
    EXPECT_EQ(Ask(IPP_OP_SEND_DOCUMENT, format, "x", 1), printed);
    return printed;
  };
  constexpr ipp_status_t kRefused =
      IPP_STATUS_ERROR_DOCUMENT_FORMAT_NOT_SUPPORTED;
  for (const char* format :
       {"application/octet-stream", (const char*)nullptr}) {
    EXPECT_EQ(send("", format), kRefused);
    EXPECT_STREQ(TextIn(last_.get(), "status-message", IPP_TAG_TEXT),
                 "The format of the document is unknown.");
    EXPECT_EQ(send("application/vnd.other", format), kRefused);
    EXPECT_STREQ(TextIn(last_.get(), "document-format", IPP_TAG_MIMETYPE),
                 "application/vnd.other");
  }
  EXPECT_EQ(served_->pappl().Count(IPP_OP_PRINT_JOB), 0);
  EXPECT_EQ(served_->pappl().Count(IPP_OP_SEND_DOCUMENT), 0);
  EXPECT_TRUE(served_->Spool().empty());
  // Its job still waits for a document, and no other job counts.
  EXPECT_EQ(send("", kPdf), IPP_STATUS_OK);
}

TEST_F(IppRequestTest, ADocumentHasTheFormatThatCreateJobNames) {
  Start();
  served_->pappl().TellFormat("");
  for (const auto& [named, status] :
       {std::pair{"text/plain", IPP_STATUS_OK},
        std::pair{"application/octet-stream",
                  IPP_STATUS_ERROR_DOCUMENT_FORMAT_NOT_SUPPORTED}}) {
    printer_.NameFormat(named);
    EXPECT_EQ(Ask(IPP_OP_CREATE_JOB, named), IPP_STATUS_OK);
    const int job = ippGetInteger(
        ippFindAttribute(last_.get(), "job-id", IPP_TAG_INTEGER), 0);
    EXPECT_EQ(Ask(IPP_OP_SEND_DOCUMENT, nullptr, "x", job), status);
  }
}

TEST_F(IppRequestTest, APackedDocumentIsUnpackedOrRefused) {
  Start();
  ipp_op_t operation = IPP_OP_PRINT_JOB;
  const auto print = [&](ipp_tag_t tag,
                         const std::vector<const char*>& values) {
    Ipp request = RequestFor(operation, 0, kPdf);
    ippAddStrings(request.get(), IPP_TAG_OPERATION, tag, "Compression",
                  static_cast<int>(values.size()), nullptr, values.data());
    const Ipp answer = served_->Ask(Somebody(), std::move(request),
                                    operation == IPP_OP_PRINT_JOB ? "x" : "");
    return answer ? ippGetStatusCode(answer.get()) : IPP_STATUS_ERROR_INTERNAL;
  };
  EXPECT_EQ(print(IPP_TAG_KEYWORD, {"none"}), IPP_STATUS_OK);
  EXPECT_EQ(print(IPP_TAG_KEYWORD, {"gzip"}),
            IPP_STATUS_ERROR_COMPRESSION_ERROR);
  for (const auto& values : std::vector<std::vector<const char*>>{
           {"GZIP"}, {"compress"}, {"gzip", "none"}, {"none", "gzip"}}) {
    EXPECT_EQ(print(IPP_TAG_KEYWORD, values),
              IPP_STATUS_ERROR_COMPRESSION_NOT_SUPPORTED);
  }
  EXPECT_EQ(print(IPP_TAG_NAME, {"gzip"}),
            IPP_STATUS_ERROR_COMPRESSION_NOT_SUPPORTED);
  EXPECT_EQ(served_->pappl().Count(IPP_OP_PRINT_JOB), 1);
  operation = IPP_OP_VALIDATE_JOB;
  EXPECT_EQ(print(IPP_TAG_KEYWORD, {"gzip"}), IPP_STATUS_OK);
  EXPECT_EQ(print(IPP_TAG_KEYWORD, {"compress"}),
            IPP_STATUS_ERROR_COMPRESSION_NOT_SUPPORTED);
}

TEST_F(IppRequestTest, OnlyTheLogNamesFiles) {
  Start();
  std::filesystem::remove(served_->front().settings.spool);
  EXPECT_EQ(Print(), IPP_STATUS_ERROR_INTERNAL);
  EXPECT_STREQ(TextIn(last_.get(), "status-message", IPP_TAG_TEXT),
               "The document cannot be kept: No such file or directory");
}

TEST_F(IppRequestTest, AClientThatMustUseTlsIsToldOnlyThat) {
  FrontSettings settings;
  settings.auth_service = "halftone-no-such-service";
  Start(std::move(settings));
  const auto address = [&](const Caller& caller) {
    EXPECT_EQ(Ask(IPP_OP_GET_PRINTER_ATTRIBUTES, nullptr, "", 0, caller),
              IPP_STATUS_OK);
    return std::string(
        TextIn(last_.get(), "printer-uri-supported", IPP_TAG_URI));
  };
  Caller far;
  far.place = "192.0.2.1";
  EXPECT_EQ(address(far), "ipps://localhost:0/ipp/print/office");
  EXPECT_EQ(address(Somebody()), "ipp://localhost:0/ipp/print/office");
}

// A printer that does not answer makes PAPPL work on them for a minute.
TEST(IppRequestOfSystemTest, APrinterCanGoWhileAnotherIsAddedOrSought) {
  Front* front = nullptr;
  ServedFront served([&](ipp_t* request, const std::string&) {
    PrinterGate::Deletion deletion(front->gate, "office");
    deletion.WaitForItsRequests();
    deletion.WaitForAll();
    return Ipp(ippNewResponse(request));
  });
  front = &served.front();
  Caller admin = Somebody();
  admin.is_admin = true;
  for (const int operation : {int{IPP_OP_CREATE_PRINTER}, 0x402b}) {
    Ipp request(ippNewRequest(static_cast<ipp_op_t>(operation)));
    ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri",
                 nullptr, "ipp://localhost/ipp/system");
    ippAddString(request.get(), IPP_TAG_PRINTER, IPP_TAG_NAME, "printer-name",
                 nullptr, "hall");
    const Ipp answer = served.Ask(admin, std::move(request));
    ASSERT_NE(answer, nullptr);
    EXPECT_EQ(served.pappl().Count(static_cast<ipp_op_t>(operation)), 1);
  }
}

TEST(IppRequestOfSystemTest, APrinterIsAddedWhileAnotherIsAskedWhatItIs) {
  std::vector<std::string> added;
  ServedFront served([&](ipp_t* request, const std::string&) {
    added.push_back(std::string(TextIn(request, "printer-name", IPP_TAG_NAME)) +
                    ": " + TextIn(request, "printer-device-id", IPP_TAG_TEXT));
    return Ipp(ippNewResponse(request));
  });
  const auto add = [&](const char* name, const char* driver, const char* uri) {
    Ipp request(ippNewRequest(IPP_OP_CREATE_PRINTER));
    const auto say = [&](ipp_tag_t group, ipp_tag_t tag, const char* what,
                         const char* value) {
      ippAddString(request.get(), group, tag, what, nullptr, value);
    };
    say(IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri",
        "ipp://localhost/ipp/system");
    say(IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "smi55357-driver", driver);
    say(IPP_TAG_OPERATION, IPP_TAG_URI, "smi55357-device-uri", uri);
    say(IPP_TAG_PRINTER, IPP_TAG_NAME, "printer-name", name);
    Caller admin = Somebody();
    admin.is_admin = true;
    EXPECT_NE(served.Ask(admin, std::move(request)), nullptr);
  };
  constexpr char kSlow[] = "dnssd://Slow%20one._ipp._tcp.local/?uuid=1";
  served.pappl().TellIds([&](const std::string& uri) {
    EXPECT_EQ(uri, kSlow);
    add("hall", "pcl5e", "socket://192.0.2.1");
    return std::string("MFG:Acme;MDL:1;");
  });
  add("slow", "auto", kSlow);
  add("Office", "auto", kSlow);  // refused without a question
  EXPECT_EQ(added,
            (std::vector<std::string>{"hall: ", "slow: MFG:Acme;MDL:1;"}));
}

// PAPPL answers with 0 until it restarts.
TEST(IppRequestOfSystemTest, EachAnswerHasTheIdOfANewPrinter) {
  std::atomic<bool> is_named = true;
  ServedFront served([&](ipp_t* request, const std::string&) {
    Ipp answer(ippNewResponse(request));
    for (const char* name : {"hall", "Office"}) {
      if (std::string_view(name) != "hall") ippAddSeparator(answer.get());
      ippAddInteger(answer.get(), IPP_TAG_PRINTER, IPP_TAG_INTEGER,
                    "printer-id", name[0] == 'h' ? 7 : 0);
      if (!is_named) continue;
      ippAddString(answer.get(), IPP_TAG_PRINTER, IPP_TAG_NAME, "printer-name",
                   nullptr, name);
    }
    return answer;
  });
  const auto ids_of = [](ipp_t* answer, bool has_names) {
    std::string ids;
    for (ipp_attribute_t* each = ippFirstAttribute(answer); each;
         each = ippNextAttribute(answer)) {
      const std::string_view name = ippGetName(each) ? ippGetName(each) : "";
      if (name == "printer-id") ids += std::to_string(ippGetInteger(each, 0));
      EXPECT_TRUE(has_names || name != "printer-name");
    }
    return ids;
  };
  for (const ipp_op_t operation :
       {IPP_OP_GET_PRINTERS, IPP_OP_CUPS_GET_PRINTERS,
        IPP_OP_CUPS_GET_DEFAULT}) {
    for (const bool wants_names : {true, false}) {
      Ipp request(ippNewRequest(operation));
      ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri",
                   nullptr, "ipp://localhost/ipp/system");
      if (!wants_names) {
        ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                     "requested-attributes", nullptr, "printer-id");
      }
      const Ipp answer = served.Ask(Somebody(), std::move(request));
      EXPECT_EQ(ids_of(answer.get(), wants_names), "71");
    }
  }
  is_named = false;
  const Ipp of_printer =
      served.Ask(Somebody(), RequestFor(IPP_OP_GET_PRINTER_ATTRIBUTES));
  EXPECT_EQ(ids_of(of_printer.get(), false), "71");
}

TEST_F(IppRequestTest, ACancellationThatCannotBeSavedIsAnError) {
  Start();
  Caller root = Somebody();
  root.is_admin = true;
  constexpr int kNone = 0, kCanceled = 1, kOther = 2;
  EXPECT_EQ(Print(), IPP_STATUS_OK);
  for (const int unsaved : {kNone, kCanceled, kOther}) {
    served_->pappl().LoseEnd(unsaved);
    for (const ipp_op_t operation :
         {IPP_OP_CANCEL_JOB, IPP_OP_CANCEL_JOBS, IPP_OP_CANCEL_MY_JOBS}) {
      const bool cancels_it =
          unsaved == kCanceled ||
          (unsaved == kOther && operation == IPP_OP_CANCEL_JOBS);
      EXPECT_EQ(Ask(operation, nullptr, "", kCanceled, root),
                cancels_it ? IPP_STATUS_ERROR_INTERNAL : IPP_STATUS_OK)
          << ippOpString(operation) << unsaved;
    }
  }
}

TEST_F(IppRequestTest, AJobThatCannotBeSavedIsCanceled) {
  Start();
  EXPECT_EQ(Print(), IPP_STATUS_OK);
  const auto documents = served_->Spool();
  served_->pappl().LoseJob(2);
  EXPECT_EQ(Print(), IPP_STATUS_ERROR_INTERNAL);
  EXPECT_EQ(served_->Spool(), documents);
  served_->pappl().LoseJob(3);
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_ERROR_INTERNAL);
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_OK);
  EXPECT_EQ(served_->pappl().Count(IPP_OP_CANCEL_JOB), 2);
}

// As while PAPPL restarts.
TEST(IppRequestWithoutPapplTest, WhatIsNotKnownIsRefused) {
  ServedFront served([](ipp_t* request, const std::string&) -> Ipp {
    const ipp_op_t operation = ippGetOperation(request);
    // Whose it is remains unknown; all else would be done.
    const bool is_question = operation == IPP_OP_GET_JOB_ATTRIBUTES ||
                             operation == IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES;
    return is_question ? nullptr : AnswerWithJob(request, 1);
  });
  for (const ipp_op_t operation :
       {IPP_OP_CANCEL_JOB, IPP_OP_HOLD_JOB, IPP_OP_RELEASE_JOB,
        IPP_OP_SEND_DOCUMENT, IPP_OP_CLOSE_JOB}) {
    const Ipp answer = served.Ask(Somebody(), RequestFor(operation, 1));
    ASSERT_NE(answer, nullptr);
    EXPECT_EQ(ippGetStatusCode(answer.get()), IPP_STATUS_ERROR_NOT_AUTHORIZED);
    EXPECT_EQ(served.pappl().Count(operation), 0);
  }
  for (const ipp_op_t operation :
       {IPP_OP_CANCEL_SUBSCRIPTION, IPP_OP_RENEW_SUBSCRIPTION,
        IPP_OP_GET_NOTIFICATIONS}) {
    Ipp request = RequestFor(operation);
    ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER,
                  operation == IPP_OP_GET_NOTIFICATIONS
                      ? "notify-subscription-ids"
                      : "notify-subscription-id",
                  1);
    const Ipp answer = served.Ask(Somebody(), std::move(request));
    ASSERT_NE(answer, nullptr);
    EXPECT_EQ(ippGetStatusCode(answer.get()), IPP_STATUS_ERROR_NOT_AUTHORIZED);
    EXPECT_EQ(served.pappl().Count(operation), 0);
  }
}

}  // namespace
}  // namespace halftoned
