// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests through a complete front end, with a PAPPL that tests ask for jobs.

#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "printer_app/front/pappl/turn_words.h"
#include "tests/printer_app/front/served_front.h"

namespace halftoned {

class IppRequestTest : public testing::Test {
 protected:
  static constexpr char kPdf[] = "application/pdf";
  static constexpr char kOwner[] = "job-originating-user-name";
  static constexpr char kSubscription[] = "notify-subscription-id";

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
          const char* const holds[] = {"no-hold", "indefinite", "night"};
          ippAddStrings(answer.get(), IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                        "job-hold-until-supported", 3, nullptr, holds);
          ippAddString(answer.get(), IPP_TAG_PRINTER, IPP_TAG_URI,
                       "printer-uri-supported", nullptr,
                       "ipp://localhost/ipp/print/office");
          return answer;
        }
        case IPP_OP_GET_JOBS:
          for (const int job : active_) {
            ippAddInteger(answer.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "job-id",
                          job);
            ippAddInteger(answer.get(), IPP_TAG_JOB, IPP_TAG_ENUM, "job-state",
                          IPP_JSTATE_HELD);
            ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD,
                         "job-hold-until", nullptr, holds_[job].c_str());
            ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_NAME, kOwner,
                         nullptr, "bob");
            ippAddSeparator(answer.get());
          }
          return answer;
        case IPP_OP_PRINT_JOB:
          ++last_;
          [[fallthrough]];
        case IPP_OP_SEND_DOCUMENT:
          EXPECT_TRUE(document.starts_with("halftoned document ")) << document;
          active_.insert(Number(request));
          holds_.emplace(Number(request), HoldOf(request));
          return AnswerWithJob(request, Number(request));
        case IPP_OP_CREATE_JOB:
          active_.insert(++last_);
          holds_.emplace(last_, HoldOf(request));
          return AnswerWithJob(request, last_);
        case IPP_OP_HOLD_JOB:
          holds_[Number(request)] = HoldOf(request);
          return answer;
        case IPP_OP_CREATE_PRINTER_SUBSCRIPTIONS:
        case IPP_OP_CREATE_JOB_SUBSCRIPTIONS:
          ippAddInteger(answer.get(), IPP_TAG_SUBSCRIPTION, IPP_TAG_INTEGER,
                        kSubscription, ++subscription_);
          subscriptions_[subscription_] = {UserOf(request), PrinterOf(request)};
          for (ipp_attribute_t* lease = ippFindAttribute(request, kLease, kInt);
               lease; lease = ippFindNextAttribute(request, kLease, kInt)) {
            lease_ = ippGetInteger(lease, 0);
          }
          return answer;
        case IPP_OP_GET_SUBSCRIPTION_ATTRIBUTES:
          DescribeSubscription(request, answer.get());
          return answer;
        case IPP_OP_GET_JOB_ATTRIBUTES:
          answer = AnswerWithJob(request, Number(request));
          ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_NAME, kOwner, nullptr,
                       "bob");
          if (!named_format_.empty()) {
            ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_MIMETYPE,
                         "document-format-supplied", nullptr,
                         named_format_.c_str());
          }
          return answer;
        default:
          return answer;
      }
    }

    // The lease of the last subscription.
    int lease() const { return lease_; }
    // From now on, all jobs have this format.
    void NameFormat(const std::string& format) { named_format_ = format; }
    void EndJobs() { active_.clear(); }
    void EndSubscription() { subscriptions_.erase(subscriptions_.begin()); }

   private:
    static constexpr char kLease[] = "notify-lease-duration";
    static constexpr ipp_tag_t kInt = IPP_TAG_INTEGER;
    struct Subscription {
      std::string user;
      std::string printer;
    };

    static std::string UserOf(ipp_t* request) {
      return TextIn(request, "requesting-user-name", IPP_TAG_NAME);
    }
    static std::string PrinterOf(ipp_t* request) {
      return TextIn(request, "printer-uri", IPP_TAG_URI);
    }
    // Through a printer's URI, it denies subscriptions of other printers.
    void DescribeSubscription(ipp_t* request, ipp_t* answer) {
      const auto found = subscriptions_.find(
          ippGetInteger(ippFindAttribute(request, kSubscription, kInt), 0));
      const std::string printer = PrinterOf(request);
      if (found == subscriptions_.end()) {
        ippSetStatusCode(answer, IPP_STATUS_ERROR_NOT_FOUND);
      } else if (!printer.empty() && printer != found->second.printer) {
        ippSetStatusCode(answer, IPP_STATUS_ERROR_NOT_POSSIBLE);
      } else {
        ippAddString(answer, IPP_TAG_SUBSCRIPTION, IPP_TAG_NAME,
                     "notify-subscriber-user-name", nullptr,
                     found->second.user.c_str());
      }
    }
    // The number of the job that the request is about.
    int Number(ipp_t* request) const {
      ipp_attribute_t* id =
          ippFindAttribute(request, "job-id", IPP_TAG_INTEGER);
      return id ? ippGetInteger(id, 0) : last_;
    }

    int last_ = 0;
    std::set<int> active_;
    std::map<int, std::string> holds_;
    std::string named_format_;
    int subscription_ = 0;
    int lease_ = 0;
    std::map<int, Subscription> subscriptions_;
  };

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

}  // namespace halftoned
