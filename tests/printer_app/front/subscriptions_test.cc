// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subscriptions are for their owner alone, and cost PAPPL little.

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/printer_app/front/ipp_request_fixture.h"

namespace halftoned {
namespace {

class SubscriptionsTest : public IppRequestTest {
 protected:
  static constexpr ipp_op_t kOfOne[] = {IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES,
                                        IPP_OP_RENEW_SUBSCRIPTION,
                                        IPP_OP_CANCEL_SUBSCRIPTION};

  static Caller Named(const std::string& name) {
    Caller caller = Somebody();
    caller.name = name;
    return caller;
  }
  static Ipp RequestTo(const std::string& printer, ipp_op_t operation) {
    Ipp request = RequestFor(operation);
    ipp_attribute_t* uri =
        ippFindAttribute(request.get(), "printer-uri", IPP_TAG_URI);
    ippSetString(request.get(), &uri, 0,
                 ("ipp://localhost/ipp/print/" + printer).c_str());
    return request;
  }

  ipp_status_t Send(const Caller& caller, Ipp request) {
    last_ = served_->Ask(caller, std::move(request));
    return last_ ? ippGetStatusCode(last_.get()) : IPP_STATUS_ERROR_INTERNAL;
  }
  // The number of a new subscription at the office.
  int Subscribe(const Caller& caller) {
    EXPECT_EQ(Send(caller, RequestFor(IPP_OP_CREATE_PRINTER_SUBSCRIPTIONS)),
              IPP_STATUS_OK);
    return ippGetInteger(
        ippFindAttribute(last_.get(), kSubscription, IPP_TAG_INTEGER), 0);
  }
  // said: a name in the request, unless it is empty.
  ipp_status_t AskForEvents(const Caller& caller, const std::string& printer,
                            const std::vector<int>& ids,
                            const std::string& said = "") {
    Ipp request = RequestTo(printer, IPP_OP_GET_NOTIFICATIONS);
    ippAddIntegers(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER,
                   "notify-subscription-ids", static_cast<int>(ids.size()),
                   ids.data());
    if (!said.empty()) {
      ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_NAME,
                   "requesting-user-name", nullptr, said.c_str());
    }
    return Send(caller, std::move(request));
  }
  ipp_status_t AskForOne(const Caller& caller, const std::string& printer,
                         ipp_op_t operation, int id) {
    Ipp request = RequestTo(printer, operation);
    ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER,
                  kSubscription, id);
    return Send(caller, std::move(request));
  }
  int Served(ipp_op_t operation) const {
    return served_->pappl().Count(operation);
  }
};

TEST_F(SubscriptionsTest, AreForTheirOwnerWhicheverPrinterIsAsked) {
  Start();
  const Caller bob = Named("bob"), zoe = Named("zoe");
  const int bobs = Subscribe(bob), zoes = Subscribe(zoe);
  for (const char* printer : {"office", "other"}) {
    for (const std::vector<int>& ids :
         {std::vector{bobs}, {bobs, zoes}, {zoes, bobs}, {bobs, 99}}) {
      EXPECT_EQ(AskForEvents(zoe, printer, ids),
                IPP_STATUS_ERROR_NOT_AUTHORIZED);
    }
    for (const ipp_op_t operation : kOfOne) {
      const int before = Served(operation);  // the front end asks too
      EXPECT_EQ(AskForOne(zoe, printer, operation, bobs),
                IPP_STATUS_ERROR_NOT_AUTHORIZED);
      EXPECT_EQ(Served(operation) - before,
                operation == IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES ? 1 : 0);
    }
  }
  EXPECT_EQ(Served(IPP_OP_GET_NOTIFICATIONS), 0);
  Caller admin = Named("root");
  admin.is_admin = true;
  for (const char* printer : {"office", "other"}) {
    EXPECT_EQ(AskForEvents(bob, printer, {bobs}), IPP_STATUS_OK);
    EXPECT_EQ(AskForEvents(admin, printer, {bobs, zoes}), IPP_STATUS_OK);
  }
  EXPECT_EQ(AskForOne(bob, "office", IPP_OP_CANCEL_SUBSCRIPTION, bobs),
            IPP_STATUS_OK);
  EXPECT_EQ(Served(IPP_OP_GET_NOTIFICATIONS), 4);
  EXPECT_EQ(Served(IPP_OP_CANCEL_SUBSCRIPTION), 1);
}

TEST_F(SubscriptionsTest, ANameOfAnotherMachineIsTheOneThatItSays) {
  Start();
  const int bobs = Subscribe(Named("bob"));
  const Caller far;
  for (const char* said : {"", "BOB", "zoe"}) {
    EXPECT_EQ(AskForEvents(far, "other", {bobs}, said),
              IPP_STATUS_ERROR_NOT_AUTHORIZED);
  }
  EXPECT_EQ(AskForEvents(far, "other", {bobs}, "bob"), IPP_STATUS_OK);
}

// Another user could create them before PAPPL looks.
TEST_F(SubscriptionsTest, ThatDoNotExistAreRefusedWithoutPappl) {
  Start();
  const Caller bob = Named("bob");
  const int bobs = Subscribe(bob);
  EXPECT_EQ(AskForEvents(bob, "office", {bobs, 99}),
            IPP_STATUS_ERROR_NOT_FOUND);
  EXPECT_EQ(
      ippGetInteger(ippFindAttribute(last_.get(), "notify-subscription-ids",
                                     IPP_TAG_INTEGER),
                    0),
      99);
  EXPECT_EQ(Served(IPP_OP_GET_NOTIFICATIONS), 0);
  for (const ipp_op_t operation :
       {IPP_OP_RENEW_SUBSCRIPTION, IPP_OP_CANCEL_SUBSCRIPTION}) {
    EXPECT_EQ(AskForOne(bob, "office", operation, 99),
              IPP_STATUS_ERROR_NOT_FOUND);
    EXPECT_EQ(Served(operation), 0);
  }
}

TEST_F(SubscriptionsTest, OverTheLimitPapplIsAskedOnceForAllWhoWait) {
  constexpr int kClients = 4;
  Start();
  const Caller bob = Named("bob");
  for (int i = 0; i < UserSubscriptions::kMostOfUser; ++i) Subscribe(bob);
  std::vector<std::thread> clients;
  SharedLook& look = served_->front().look_at_subscriptions;
  look.Do([&] {
    for (int i = 0; i < kClients; ++i) {
      clients.emplace_back([&] {
        const Ipp answer =
            served_->Ask(bob, RequestFor(IPP_OP_CREATE_PRINTER_SUBSCRIPTIONS));
        EXPECT_EQ(ippGetStatusCode(answer.get()),
                  IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS);
      });
    }
    while (look.waiting() < kClients) std::this_thread::yield();
    EXPECT_EQ(Served(IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES), 0);
    EXPECT_GT(Subscribe(Named("zoe")), 0);
  });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(Served(IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES),
            UserSubscriptions::kMostOfUser + 1);
}

TEST_F(SubscriptionsTest, ARequestThatNamesManyAsksNothing) {
  Start();
  const Caller bob = Named("bob");
  std::vector<int> ids(UserSubscriptions::kMostOfUser + 1);
  std::iota(ids.begin(), ids.end(), Subscribe(bob));
  AskForEvents(bob, "office", ids);
  EXPECT_EQ(Served(IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES), 0);
  ids.pop_back();
  EXPECT_EQ(AskForEvents(bob, "office", ids), IPP_STATUS_ERROR_NOT_FOUND);
  EXPECT_EQ(Served(IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES), 2);
}

}  // namespace
}  // namespace halftoned
