// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs whose documents come in later requests.

#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

#include "tests/printer_app/front/ipp_request_fixture.h"

namespace halftoned {
namespace {

class OpenJobTest : public IppRequestTest {};

TEST_F(OpenJobTest, AJobWithoutADocumentIsOverdueAMinuteLater) {
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

// It would be canceled with its document.
TEST_F(OpenJobTest, AnOverdueJobGetsNoDocument) {
  Start();
  OpenJobs& open = served_->front().open_jobs;
  EXPECT_EQ(Ask(IPP_OP_CREATE_JOB), IPP_STATUS_OK);
  const UserShares::JobKey job{"office", 1};
  const auto later = OpenJobs::Clock::now() + std::chrono::hours(1);
  EXPECT_EQ(open.TakeOverdue(later).size(), 1U);
  EXPECT_EQ(Ask(IPP_OP_SEND_DOCUMENT, kPdf, "x", 1),
            IPP_STATUS_ERROR_NOT_POSSIBLE);
  open.Forget(job);
  EXPECT_FALSE(open.Has(job));
  // Another job of this number is not forgotten.
  open.Add(job);
  open.Forget(job);
  EXPECT_TRUE(open.Has(job));
}

TEST_F(OpenJobTest, ARequestWithoutADocumentClosesAJobThatHasOne) {
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

TEST_F(OpenJobTest, AJobGetsOneDocumentAtATime) {
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

TEST_F(OpenJobTest, AClosedJobGetsNoDocument) {
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

}  // namespace
}  // namespace halftoned
