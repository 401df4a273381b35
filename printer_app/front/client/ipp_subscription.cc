// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests about subscriptions: whose they are, and how many a user can have.

#include <string>
#include <vector>

#include "printer_app/front/client/ipp_request.h"
#include "printer_app/front/rules/message.h"

namespace halftoned {
namespace {

constexpr char kSubscription[] = "notify-subscription-id";
// Seconds. PAPPL promises not to exceed it, and does.
constexpr int kLongestLease = 86400;

// True also if PAPPL does not answer. (It does not list subscriptions of jobs.)
bool Exists(const Behind& behind, int id) {
  const Ipp question(ippNewRequest(IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES));
  ippAddString(question.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri",
               nullptr, "ipp://localhost/ipp/system");
  ippAddInteger(question.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER,
                kSubscription, id);
  ippAddString(question.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
               "requested-attributes", nullptr, kSubscription);
  const auto answer = behind.AskIpp(question.get(), "localhost");
  return !answer.ok() ||
         ippGetStatusCode(answer->get()) != IPP_STATUS_ERROR_NOT_FOUND;
}

void ShortenLease(ipp_t* request) {
  ipp_attribute_t* lease =
      ippFindAttribute(request, "notify-lease-duration", IPP_TAG_INTEGER);
  if (lease && ippGetInteger(lease, 0) > kLongestLease) {
    ippSetInteger(request, &lease, 0, kLongestLease);
  }
}

}  // namespace

bool IppRequest::MayTouchSubscriptions() {
  if (client_.caller.is_admin || client_.caller.is_trusted) return true;
  std::vector<int> ids;
  for (const char* name :
       {"notify-subscription-id", "notify-subscription-ids"}) {
    ipp_attribute_t* numbers =
        ippFindAttribute(request_.get(), name, IPP_TAG_INTEGER);
    for (int i = 0; i < ippGetCount(numbers); ++i) {
      ids.push_back(ippGetInteger(numbers, i));
    }
  }
  for (const int id : ids) {
    const Ipp question = Jobs().Request(IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES);
    ippAddInteger(question.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER,
                  "notify-subscription-id", id);
    const auto answer = front_.behind.AskIpp(question.get(), "localhost");
    if (!answer.ok()) return false;
    // PAPPL refuses numbers of no subscription itself.
    if (IsDone(answer->get()) &&
        TextIn(answer->get(), "notify-subscriber-user-name", IPP_TAG_NAME) !=
            user_) {
      return false;
    }
  }
  return true;
}

Ipp IppRequest::CreateSubscription() {
  UserSubscriptions& subscriptions = front_.subscriptions;
  const UserShares::User user = WhoseShare();
  ShortenLease(request_.get());
  const std::lock_guard lock(subscriptions.mutex);
  if (!client_.caller.is_admin && !subscriptions.HasRoom(user)) {
    subscriptions.Look(user, [&](int id) { return Exists(front_.behind, id); });
    if (!subscriptions.HasRoom(user)) {
      return Say(IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS,
                 "User " + user.name + " has " +
                     std::to_string(UserSubscriptions::kMostOfUser) +
                     " subscriptions, or other machines have " +
                     std::to_string(UserSubscriptions::kMostOfOthers) +
                     ", which is the limit.");
    }
  }
  Ipp answer = AnswerOfPappl();
  ipp_attribute_t* id =
      ippFindAttribute(answer.get(), kSubscription, IPP_TAG_INTEGER);
  if (id) subscriptions.Add(ippGetInteger(id, 0), user);
  return answer;
}

}  // namespace halftoned
