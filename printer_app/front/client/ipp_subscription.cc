// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests about subscriptions: whose they are, and how many a user can have.

#include <mutex>
#include <string>
#include <vector>

#include "printer_app/front/client/ipp_request.h"
#include "printer_app/front/rules/caller.h"
#include "printer_app/front/rules/message.h"

namespace halftoned {
namespace {

constexpr char kSubscription[] = "notify-subscription-id";
constexpr char kSubscriber[] = "notify-subscriber-user-name";
// Seconds. PAPPL promises not to exceed it, and does.
constexpr int kLongestLease = 86400;

// Asks PAPPL for a subscription's owner. (PAPPL does not list subscriptions of
// jobs.) A printer's URI would not do: PAPPL denies subscriptions of other
// printers there, but hands out their events.
Result<Ipp> AskAbout(const Behind& behind, const std::string& network, int id) {
  const Ipp question(ippNewRequest(IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES));
  ippAddString(question.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri",
               nullptr, "ipp://localhost/ipp/system");
  ippAddInteger(question.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER,
                kSubscription, id);
  ippAddString(question.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
               "requested-attributes", nullptr, kSubscriber);
  return behind.AskIpp(question.get(), {.network = network});
}

// True also if PAPPL does not answer.
bool Exists(const Behind& behind, int id) {
  const auto answer = AskAbout(behind, "", id);
  return !answer.ok() ||
         ippGetStatusCode(answer->get()) != IPP_STATUS_ERROR_NOT_FOUND;
}

void ShortenLease(ipp_t* request) {
  ipp_attribute_t* lease =
      ippFindAttribute(request, "notify-lease-duration", IPP_TAG_INTEGER);
  if (ippGetInteger(lease, 0) > kLongestLease) {
    ippSetInteger(request, &lease, 0, kLongestLease);
  }
}

}  // namespace

// PAPPL gets no request about a subscription that does not exist: another user
// could create it meanwhile.
Ipp IppRequest::RefuseSubscriptions() {
  if (client_.caller.is_admin || client_.caller.is_trusted) return nullptr;
  for (const char* name : {kSubscription, "notify-subscription-ids"}) {
    ipp_attribute_t* numbers =
        ippFindAttribute(request_.get(), name, IPP_TAG_INTEGER);
    for (int i = 0; i < ippGetCount(numbers); ++i) {
      const int id = ippGetInteger(numbers, i);
      const auto found = AskAbout(front_.behind, client_.caller.network, id);
      if (found.ok() && !IsDone(found->get())) {
        Ipp refusal =
            Say(IPP_STATUS_ERROR_NOT_FOUND,
                "Subscription " + std::to_string(id) + " does not exist.");
        ippAddInteger(refusal.get(), IPP_TAG_UNSUPPORTED_GROUP, IPP_TAG_INTEGER,
                      name, id);
        return refusal;
      }
      if (!found.ok() ||
          !MayTouch(client_.caller, user_,
                    TextIn(found->get(), kSubscriber, IPP_TAG_NAME))) {
        return Say(
            IPP_STATUS_ERROR_NOT_AUTHORIZED,
            "Subscription " + std::to_string(id) + " is another user's.");
      }
    }
  }
  return nullptr;
}

// Users who have room do not wait for it: it holds the mutex only in between.
void IppRequest::ForgetEndedSubscriptions() {
  UserSubscriptions& subscriptions = front_.subscriptions;
  front_.look_at_subscriptions.Do([&] {
    std::unique_lock lock(subscriptions.mutex);
    const std::vector<int> ids = subscriptions.Ids();
    lock.unlock();
    for (const int id : ids) {
      if (Exists(front_.behind, id)) continue;
      lock.lock();
      subscriptions.Forget(id);
      lock.unlock();
    }
  });
}

Ipp IppRequest::CreateSubscription() {
  UserSubscriptions& subscriptions = front_.subscriptions;
  const UserShares::User user = WhoseShare();
  ShortenLease(request_.get());
  std::unique_lock lock(subscriptions.mutex);
  const auto has_room = [&] {
    return client_.caller.is_admin || subscriptions.HasRoom(user);
  };
  if (!has_room()) {
    lock.unlock();
    ForgetEndedSubscriptions();
    lock.lock();
  }
  if (!has_room()) {
    return Say(IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS,
               "User " + user.name + " has " +
                   std::to_string(UserSubscriptions::kMostOfUser) +
                   " subscriptions, or other machines have " +
                   std::to_string(UserSubscriptions::kMostOfOthers) +
                   ", which is the limit.");
  }
  Ipp answer = AnswerOfPappl();
  ipp_attribute_t* id =
      ippFindAttribute(answer.get(), kSubscription, IPP_TAG_INTEGER);
  if (id) subscriptions.Add(ippGetInteger(id, 0), user);
  return answer;
}

}  // namespace halftoned
