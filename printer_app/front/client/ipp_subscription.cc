// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests about subscriptions: whose they are, and how many a user can have.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "printer_app/front/client/ipp_request.h"
#include "printer_app/front/rules/message.h"

namespace halftoned {
namespace {

constexpr char kSubscription[] = "notify-subscription-id";

// The numbers of all subscriptions; nothing if PAPPL does not answer.
std::optional<std::set<int>> SubscriptionsOf(const Behind& behind) {
  const Ipp question(ippNewRequest(IPP_OP_GET_SUBSCRIPTIONS));
  ippAddString(question.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri",
               nullptr, "ipp://localhost/ipp/system");
  ippAddString(question.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
               "requested-attributes", nullptr, kSubscription);
  const auto answer = behind.AskIpp(question.get(), "localhost");
  if (!answer.ok()) return std::nullopt;
  std::set<int> ids;
  for (ipp_attribute_t* attribute =
           ippFindAttribute(answer->get(), kSubscription, IPP_TAG_INTEGER);
       attribute; attribute = ippFindNextAttribute(answer->get(), kSubscription,
                                                   IPP_TAG_INTEGER)) {
    ids.insert(ippGetInteger(attribute, 0));
  }
  return ids;
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
  const std::string user = WhoseShare().name;
  const std::lock_guard lock(subscriptions.mutex);
  if (!client_.caller.is_admin && !subscriptions.HasRoom(user)) {
    if (const auto ids = SubscriptionsOf(front_.behind)) {
      subscriptions.Keep(*ids);
    }
    if (!subscriptions.HasRoom(user)) {
      return Say(IPP_STATUS_ERROR_TOO_MANY_SUBSCRIPTIONS,
                 "User " + user + " has " +
                     std::to_string(UserSubscriptions::kMostOfUser) +
                     " subscriptions, which is the limit.");
    }
  }
  Ipp answer = AnswerOfPappl();
  ipp_attribute_t* id =
      ippFindAttribute(answer.get(), kSubscription, IPP_TAG_INTEGER);
  if (id) subscriptions.Add(ippGetInteger(id, 0), user);
  return answer;
}

}  // namespace halftoned
