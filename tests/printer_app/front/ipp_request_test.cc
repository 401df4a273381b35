// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests through a complete front end, with a PAPPL that the test defines.

#include <gtest/gtest.h>

#include <chrono>
#include <climits>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

constexpr char kPdf[] = "application/pdf";
constexpr char kSubscription[] = "notify-subscription-id";

// A PAPPL that takes PDF and text, and numbers jobs from 1.
class Printer {
 public:
  Ipp operator()(ipp_t* request, const std::string& document) {
    Ipp answer(ippNewResponse(request));
    switch (ippGetOperation(request)) {
      case IPP_OP_GET_PRINTER_ATTRIBUTES: {
        const char* const formats[] = {kPdf, "text/plain"};
        ippAddStrings(answer.get(), IPP_TAG_PRINTER, IPP_TAG_MIMETYPE,
                      "document-format-supported", 2, nullptr, formats);
        ippAddString(answer.get(), IPP_TAG_PRINTER, IPP_TAG_URI,
                     "printer-uri-supported", nullptr,
                     "ipp://localhost/ipp/print/office");
        return answer;
      }
      case IPP_OP_GET_JOBS:
        for (const int job : active_) {
          ippAddInteger(answer.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "job-id",
                        job);
          ippAddSeparator(answer.get());
        }
        return answer;
      case IPP_OP_PRINT_JOB:
        ++last_;
        [[fallthrough]];
      case IPP_OP_SEND_DOCUMENT:
        EXPECT_TRUE(document.starts_with("halftoned document ")) << document;
        active_.insert(Number(request));
        return AnswerWithJob(request, Number(request));
      case IPP_OP_CREATE_JOB:
        active_.insert(++last_);
        return AnswerWithJob(request, last_);
      case IPP_OP_CREATE_PRINTER_SUBSCRIPTIONS:
      case IPP_OP_CREATE_JOB_SUBSCRIPTIONS:
        ippAddInteger(answer.get(), IPP_TAG_SUBSCRIPTION, IPP_TAG_INTEGER,
                      kSubscription, ++subscription_);
        subscriptions_.insert(subscription_);
        lease_ = ippGetInteger(
            ippFindAttribute(request, "notify-lease-duration", IPP_TAG_INTEGER),
            0);
        return answer;
      case IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES:
        if (!subscriptions_.contains(ippGetInteger(
                ippFindAttribute(request, kSubscription, IPP_TAG_INTEGER),
                0))) {
          ippSetStatusCode(answer.get(), IPP_STATUS_ERROR_NOT_FOUND);
        }
        return answer;
      case IPP_OP_GET_JOB_ATTRIBUTES:
        answer = AnswerWithJob(request, Number(request));
        ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_NAME,
                     "job-originating-user-name", nullptr, "bob");
        return answer;
      default:
        return answer;
    }
  }

  // The lease of the last subscription.
  int lease() const { return lease_; }
  void EndJobs() { active_.clear(); }
  void EndSubscription() { subscriptions_.erase(subscriptions_.begin()); }

 private:
  // The number of the job that the request is about.
  int Number(ipp_t* request) const {
    ipp_attribute_t* id = ippFindAttribute(request, "job-id", IPP_TAG_INTEGER);
    return id ? ippGetInteger(id, 0) : last_;
  }

  int last_ = 0;
  std::set<int> active_;
  int subscription_ = 0;
  int lease_ = 0;
  std::set<int> subscriptions_;
};

class IppRequestTest : public testing::Test {
 protected:
  void Start(FrontSettings settings = {}) {
    served_ = std::make_unique<ServedFront>(
        [this](ipp_t* request, const std::string& document) {
          return printer_(request, document);
        },
        std::move(settings));
  }
  // Sizes are in the unit of the limits of these tests.
  ipp_status_t Ask(ipp_op_t operation, const char* format = nullptr,
                   const std::string& document = "", int job = 0,
                   const Caller& caller = Somebody()) {
    last_ = served_->Ask(caller, RequestFor(operation, job, format), document);
    return last_ ? ippGetStatusCode(last_.get()) : IPP_STATUS_ERROR_INTERNAL;
  }
  ipp_status_t Print(size_t size = 1, const Caller& caller = Somebody()) {
    return Ask(IPP_OP_PRINT_JOB, kPdf, std::string(size, 'x'), 0, caller);
  }

  Printer printer_;
  std::unique_ptr<ServedFront> served_;
  Ipp last_;
};

TEST_F(IppRequestTest, ListsOfJobsAreLimitedForEachUser) {
  Start();
  const std::string user = Somebody().network;
  NetworkCounts& lists = served_->front().lists;
  for (int i = 0; i < Front::kMostListsOfNetwork; ++i) {
    EXPECT_EQ(Ask(IPP_OP_GET_JOBS), IPP_STATUS_OK);  // it leaves the count
    EXPECT_TRUE(lists.Enter(user));
  }
  const int asked = served_->pappl().Count(IPP_OP_GET_JOBS);
  EXPECT_EQ(Ask(IPP_OP_GET_JOBS), IPP_STATUS_ERROR_BUSY);
  EXPECT_EQ(Ask(IPP_OP_GET_NOTIFICATIONS), IPP_STATUS_ERROR_BUSY);
  EXPECT_EQ(served_->pappl().Count(IPP_OP_GET_NOTIFICATIONS), 0);
  EXPECT_EQ(served_->pappl().Count(IPP_OP_GET_JOBS), asked);
  lists.Leave(user);
  EXPECT_EQ(Ask(IPP_OP_GET_JOBS), IPP_STATUS_OK);
}

TEST_F(IppRequestTest, ListsOfJobsAreLimitedInAll) {
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

TEST_F(IppRequestTest, AFormatThatThePrinterDoesNotTakeIsRefusedAtOnce) {
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

TEST_F(IppRequestTest, FormatsThatItTakesAndUnnamedOnesPass) {
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

TEST_F(IppRequestTest, AJobWithoutADocumentIsOverdueAMinuteLater) {
  Start();
  OpenJobs& open = served_->front().open_jobs;
  const auto now = OpenJobs::Clock::now();
  EXPECT_EQ(Print(), IPP_STATUS_OK);
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_OK);
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_OK);
  EXPECT_EQ(Ask(IPP_OP_SEND_DOCUMENT, kPdf, "x", 2), IPP_STATUS_OK);
  // Not while its document arrives, nor within a minute after a refused one.
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_OK);
  const UserShares::JobKey coming{"office", 4};
  open.Add(coming, now - OpenJobs::kMostOfWait);
  {
    const OpenJobs::Document document(open, coming);
    EXPECT_TRUE(open.TakeOverdue(now + std::chrono::hours(1)) ==
                std::vector<UserShares::JobKey>({{"office", 3}}));
  }
  EXPECT_TRUE(open.TakeOverdue(now + OpenJobs::kMostOfWait / 2).empty());
  EXPECT_TRUE(open.TakeOverdue(now + std::chrono::hours(1)) ==
              std::vector<UserShares::JobKey>({coming}));
}

TEST_F(IppRequestTest, ARequestWithoutADocumentClosesAJobThatHasOne) {
  Start();
  const auto close = [&](bool is_last) {
    Ipp request = RequestFor(IPP_OP_SEND_DOCUMENT, 1);
    ippAddBoolean(request.get(), IPP_TAG_OPERATION, "last-document", is_last);
    last_ = served_->Ask(Somebody(), std::move(request));
    return last_ ? ippGetStatusCode(last_.get()) : IPP_STATUS_ERROR_INTERNAL;
  };
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_OK);
  EXPECT_EQ(close(true), IPP_STATUS_ERROR_BAD_REQUEST);
  EXPECT_EQ(Ask(IPP_OP_SEND_DOCUMENT, kPdf, "x", 1), IPP_STATUS_OK);
  EXPECT_EQ(close(false), IPP_STATUS_ERROR_BAD_REQUEST);
  EXPECT_EQ(close(true), IPP_STATUS_OK);
  EXPECT_NE(ippFindAttribute(last_.get(), "job-state", IPP_TAG_ENUM), nullptr);
  EXPECT_EQ(served_->pappl().Count(IPP_OP_SEND_DOCUMENT), 1);
}

TEST_F(IppRequestTest, AJobGetsOneDocumentAtATime) {
  Start();
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_OK);
  OpenJobs& open = served_->front().open_jobs;
  {
    const OpenJobs::Document first(open, {"office", 1});
    EXPECT_TRUE(first.is_allowed());
    EXPECT_EQ(Ask(IPP_OP_SEND_DOCUMENT, kPdf, "x", 1),
              IPP_STATUS_ERROR_NOT_POSSIBLE);
    // The first document is still arriving.
    EXPECT_TRUE(open.TakeOverdue(OpenJobs::Clock::now() + std::chrono::hours(1))
                    .empty());
  }
  EXPECT_TRUE(served_->Spool().empty());
  EXPECT_EQ(Ask(IPP_OP_SEND_DOCUMENT, kPdf, "x", 1), IPP_STATUS_OK);
  EXPECT_EQ(served_->pappl().Count(IPP_OP_SEND_DOCUMENT), 1);
}

TEST_F(IppRequestTest, AClosedJobGetsNoDocument) {
  Start();
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_OK);
  {
    // This document is arriving when the job is closed.
    OpenJobs::Document document(served_->front().open_jobs, {"office", 1});
    EXPECT_TRUE(document.is_allowed());
    EXPECT_EQ(Ask(IPP_OP_CLOSE_JOB, nullptr, "", 1), IPP_STATUS_OK);
  }
  EXPECT_EQ(Ask(IPP_OP_SEND_DOCUMENT, kPdf, "x", 1),
            IPP_STATUS_ERROR_NOT_POSSIBLE);
  EXPECT_EQ(served_->pappl().Count(IPP_OP_SEND_DOCUMENT), 0);
  EXPECT_TRUE(served_->Spool().empty());
  // It ends as every job without a document.
  EXPECT_EQ(
      served_->front()
          .open_jobs.TakeOverdue(OpenJobs::Clock::now() + std::chrono::hours(1))
          .size(),
      1U);
}

TEST_F(IppRequestTest, AUserHasSoManyJobs) {
  FrontSettings settings;
  settings.user_jobs = 3;
  Start(std::move(settings));
  EXPECT_EQ(Print(), IPP_STATUS_OK);
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_OK);
  EXPECT_EQ(Print(), IPP_STATUS_OK);
  for (const ipp_op_t operation : {IPP_OP_PRINT_JOB, IPP_OP_CREATE_JOB}) {
    EXPECT_EQ(Ask(operation, kPdf, operation == IPP_OP_PRINT_JOB ? "x" : ""),
              IPP_STATUS_ERROR_ACCOUNT_LIMIT_REACHED);
  }
  EXPECT_EQ(served_->Spool().size(), 2U);
  // The document of a job that is counted already.
  EXPECT_EQ(Ask(IPP_OP_SEND_DOCUMENT, kPdf, "x", 2), IPP_STATUS_OK);
  // Others print.
  Caller other = Somebody();
  other.name = "carol";
  EXPECT_EQ(Print(1, other), IPP_STATUS_OK);
  printer_.EndJobs();
  EXPECT_EQ(Print(), IPP_STATUS_OK);
}

TEST_F(IppRequestTest, AUserHasSoManyBytes) {
  FrontSettings settings;
  settings.user_bytes = 1 << 20;
  Start(std::move(settings));
  constexpr size_t kHalf = 1 << 19;
  EXPECT_EQ(Print(kHalf), IPP_STATUS_OK);
  EXPECT_EQ(Print(kHalf + 1), IPP_STATUS_ERROR_ACCOUNT_LIMIT_REACHED);
  EXPECT_EQ(served_->Spool().size(), 1U);
  // What was refused does not count.
  EXPECT_EQ(Print(kHalf), IPP_STATUS_OK);
  EXPECT_EQ(Print(1), IPP_STATUS_ERROR_ACCOUNT_LIMIT_REACHED);
  EXPECT_EQ(served_->pappl().Count(IPP_OP_PRINT_JOB), 2);
  printer_.EndJobs();
  EXPECT_EQ(Print(1 << 20), IPP_STATUS_OK);
}

TEST_F(IppRequestTest, AUserHasSoManySubscriptions) {
  Start();
  const auto subscribe = [&](const Caller& caller, bool is_of_job = false) {
    Ipp request = RequestFor(is_of_job ? IPP_OP_CREATE_JOB_SUBSCRIPTIONS
                                       : IPP_OP_CREATE_PRINTER_SUBSCRIPTIONS);
    if (is_of_job) {
      ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER,
                    "notify-job-id", 1);
    }
    ippAddString(request.get(), IPP_TAG_SUBSCRIPTION, IPP_TAG_KEYWORD,
                 "notify-pull-method", nullptr, "ippget");
    // PAPPL would keep it for decades.
    ippAddInteger(request.get(), IPP_TAG_SUBSCRIPTION, IPP_TAG_INTEGER,
                  "notify-lease-duration", INT_MAX);
    last_ = served_->Ask(caller, std::move(request));
    return last_ ? ippGetStatusCode(last_.get()) : IPP_STATUS_ERROR_INTERNAL;
  };
  EXPECT_EQ(Print(), IPP_STATUS_OK);
  for (int i = 0; i < UserSubscriptions::kMostOfUser; ++i) {
    EXPECT_EQ(subscribe(Somebody(), i % 2 == 0), IPP_STATUS_OK);
    EXPECT_NE(ippFindAttribute(last_.get(), kSubscription, IPP_TAG_INTEGER),
              nullptr);
  }
  for (const bool is_of_job : {false, true}) {
    EXPECT_EQ(subscribe(Somebody(), is_of_job),
              IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS);
  }
  EXPECT_EQ(printer_.lease(), 86400);
  // Together, other machines leave some to users of this machine.
  Caller other;
  for (int i = 0; i < UserSubscriptions::kMostOfOthers; ++i) {
    other.network = "192.0.2." + std::to_string(i / 10);
    EXPECT_EQ(subscribe(other), IPP_STATUS_OK);
  }
  other.network = "192.0.2.250";
  EXPECT_EQ(subscribe(other), IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS);
  printer_.EndSubscription();
  EXPECT_EQ(subscribe(Somebody()), IPP_STATUS_OK);
  EXPECT_EQ(subscribe(Somebody()), IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS);
}

TEST_F(IppRequestTest, OtherMachinesCountByTheirNetwork) {
  FrontSettings settings;
  settings.user_jobs = 1;
  Start(std::move(settings));
  Caller far;
  far.place = "2001:db8::1";
  far.network = "2001:db8::/64";
  EXPECT_EQ(Print(1, far), IPP_STATUS_OK);
  far.place = "2001:db8::2";
  EXPECT_EQ(Print(1, far), IPP_STATUS_ERROR_ACCOUNT_LIMIT_REACHED);
  far.network = "2001:db8:0:1::/64";
  EXPECT_EQ(Print(1, far), IPP_STATUS_OK);
}

TEST_F(IppRequestTest, AClientThatMustUseTlsHearsOfNothingElse) {
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
