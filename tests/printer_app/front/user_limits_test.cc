// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits for each user, and for other machines together.

#include <gtest/gtest.h>

#include <climits>
#include <string>
#include <utility>

#include "tests/printer_app/front/ipp_request_fixture.h"

namespace halftoned {
namespace {

class UserLimitsTest : public IppRequestTest {};

TEST_F(UserLimitsTest, JobsOfEachUserAreLimited) {
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

TEST_F(UserLimitsTest, BytesOfEachUserAreLimited) {
  FrontSettings settings;
  settings.user_bytes = 1 << 20;
  Start(std::move(settings));
  constexpr size_t kHalf = 1 << 19;
  EXPECT_EQ(Print(kHalf), IPP_STATUS_OK);
  EXPECT_EQ(Print(kHalf + 1), IPP_STATUS_ERROR_ACCOUNT_LIMIT_REACHED);
  EXPECT_EQ(served_->Spool().size(), 1U);
  // The refused document does not count.
  EXPECT_EQ(Print(kHalf), IPP_STATUS_OK);
  EXPECT_EQ(Print(1), IPP_STATUS_ERROR_ACCOUNT_LIMIT_REACHED);
  EXPECT_EQ(served_->pappl().Count(IPP_OP_PRINT_JOB), 2);
  printer_.EndJobs();
  EXPECT_EQ(Print(1 << 20), IPP_STATUS_OK);
}

TEST_F(UserLimitsTest, SubscriptionsOfEachUserAreLimited) {
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
    // PAPPL would take the lease, of decades.
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
    other.network = "192.0.2." + std::to_string(i);
    EXPECT_EQ(subscribe(other), IPP_STATUS_OK);
  }
  other.network = "192.0.2.250";
  EXPECT_EQ(subscribe(other), IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS);
  printer_.EndSubscription();
  EXPECT_EQ(subscribe(Somebody()), IPP_STATUS_OK);
  EXPECT_EQ(subscribe(Somebody()), IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS);
}

TEST(UserSubscriptionsTest, ASiteLeavesRoomForOthers) {
  UserSubscriptions subscriptions;
  int made = 0;
  const auto fill = [&](const std::string& start, const char* end) {
    for (int i = 0; i < 250; ++i) {
      const UserShares::User user{start + std::to_string(i) + end,
                                  UserShares::Group::kRemote};
      while (subscriptions.HasRoom(user)) subscriptions.Add(++made, user);
    }
    return made;
  };
  EXPECT_EQ(fill("2001:db8:0:", "::/64"), UserSubscriptions::kMostOfOthers / 2);
  EXPECT_EQ(fill("192.0.2.", ""), UserSubscriptions::kMostOfOthers);
}

TEST_F(UserLimitsTest, OtherMachinesCountByTheirNetwork) {
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

TEST_F(UserLimitsTest, AllJobsOfOtherMachinesAreLimited) {
  FrontSettings settings;
  settings.user_jobs = 1;
  Start(std::move(settings));
  Caller far;
  constexpr int kMost = UserShares::kMostOfGroup + 1;
  for (int i = 0; i < kMost; ++i) {
    far.network = "192.0.2." + std::to_string(i);
    EXPECT_EQ(Print(1, far), IPP_STATUS_OK);
  }
  far.network = "192.0.2." + std::to_string(kMost);
  EXPECT_EQ(Print(1, far), IPP_STATUS_ERROR_ACCOUNT_LIMIT_REACHED);
  EXPECT_EQ(Print(), IPP_STATUS_OK);
  printer_.EndJobs();
  EXPECT_EQ(Print(1, far), IPP_STATUS_OK);
}

TEST_F(UserLimitsTest, OtherMachinesHoldAPartOfTheirJobs) {
  FrontSettings settings;
  settings.user_jobs = 2;
  Start(std::move(settings));
  Caller far;
  far.name = "bob";
  int networks = 0;
  const auto ask = [&](ipp_op_t operation, int job, const char* hold) {
    far.network = "192.0.2." + std::to_string(++networks);
    Ipp request = RequestFor(operation, job);
    if (hold) {
      ippAddString(request.get(), job > 0 ? IPP_TAG_OPERATION : IPP_TAG_JOB,
                   IPP_TAG_KEYWORD, "job-hold-until", nullptr, hold);
    }
    last_ = served_->Ask(far, std::move(request));
    return last_ ? ippGetStatusCode(last_.get()) : IPP_STATUS_ERROR_INTERNAL;
  };
  constexpr auto kTooMuch = IPP_STATUS_ERROR_ACCOUNT_LIMIT_REACHED;
  EXPECT_EQ(ask(IPP_OP_CREATE_JOB, 0, "indefinite"), IPP_STATUS_OK);
  EXPECT_EQ(ask(IPP_OP_CREATE_JOB, 0, "no-hold"), IPP_STATUS_OK);
  EXPECT_EQ(ask(IPP_OP_HOLD_JOB, 2, nullptr), IPP_STATUS_OK);
  EXPECT_EQ(ask(IPP_OP_CREATE_JOB, 0, "night"), kTooMuch);
  EXPECT_EQ(ask(IPP_OP_CREATE_JOB, 0, nullptr), IPP_STATUS_OK);
  EXPECT_EQ(ask(IPP_OP_HOLD_JOB, 3, nullptr), kTooMuch);
  EXPECT_STREQ(
      TextIn(last_.get(), "status-message", IPP_TAG_TEXT),
      "Other machines, or users of CUPS, can hold 2 jobs together, which "
      "is the limit.");
  EXPECT_EQ(ask(IPP_OP_RELEASE_JOB, 1, nullptr), IPP_STATUS_OK);
  EXPECT_EQ(ask(IPP_OP_HOLD_JOB, 3, nullptr), IPP_STATUS_OK);
  EXPECT_EQ(ask(IPP_OP_HOLD_JOB, 1, nullptr), kTooMuch);
  far.is_admin = true;
  EXPECT_EQ(ask(IPP_OP_HOLD_JOB, 1, nullptr), IPP_STATUS_OK);
}

}  // namespace
}  // namespace halftoned
