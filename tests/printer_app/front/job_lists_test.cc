// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A PAPPL that misses printers and jobs, because its threads disturb one
// another.

#include <gtest/gtest.h>

#include <atomic>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

using Numbers = std::vector<int>;

class JobListsTest : public testing::Test {
 protected:
  Ipp Answer(ipp_t* request) {
    if (ippGetOperation(request) == IPP_OP_GET_JOBS) return List(request);
    if (ippGetOperation(request) == IPP_OP_PRINT_JOB) {
      return Misses() ? Miss(request) : AnswerWithJob(request, 1);
    }
    return Ipp(ippNewResponse(request));
  }
  bool Misses() { return misses_ > 0 && misses_-- > 0; }
  static Ipp Miss(ipp_t* request) {
    Ipp answer(ippNewResponse(request));
    ippSetStatusCode(answer.get(), IPP_STATUS_ERROR_NOT_FOUND);
    ippAddString(answer.get(), IPP_TAG_OPERATION, IPP_TAG_TEXT,
                 "status-message", nullptr,
                 "printer-uri ipp://localhost/ipp/print/office not found.");
    return answer;
  }
  Ipp List(ipp_t* request) {
    Ipp answer(ippNewResponse(request));
    const std::string which = TextIn(request, "which-jobs", IPP_TAG_KEYWORD);
    EXPECT_NE(which, "all");
    Numbers jobs = which == "completed" ? ended_ : active_;
    limits_.push_back(
        ippGetInteger(ippFindAttribute(request, "limit", IPP_TAG_INTEGER), 0));
    if (Misses()) jobs.back() = jobs.front();
    bool is_first = true;
    for (const int job : jobs) {
      if (!std::exchange(is_first, false)) ippAddSeparator(answer.get());
      ippAddInteger(answer.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "job-id", job);
      ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_NAME, "job-name", nullptr,
                   "a name");
    }
    return answer;
  }

  // The numbers of the jobs that a client gets; limit: 0 for none.
  Numbers Ask(const char* which, int limit = 0, bool is_trusted = false) {
    Ipp request = RequestFor(IPP_OP_GET_JOBS);
    ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                 "which-jobs", nullptr, which);
    if (limit > 0) {
      ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER, "limit",
                    limit);
    }
    Caller caller = Somebody();
    caller.is_trusted = is_trusted;
    const Ipp answer = served_.Ask(caller, std::move(request));
    Numbers numbers;
    for (ipp_attribute_t* each = ippFirstAttribute(answer.get()); each;
         each = ippNextAttribute(answer.get())) {
      const char* name = ippGetName(each);
      if (name && std::string(name) == "job-id") {
        numbers.push_back(ippGetInteger(each, 0));
      }
    }
    return numbers;
  }

  std::atomic<int> misses_ = 0;  // remaining
  Numbers limits_;               // of the lists that PAPPL was asked for
  Numbers active_ = {5, 4};
  Numbers ended_ = {3, 2, 1};
  ServedFront served_{
      [this](ipp_t* request, const std::string&) { return Answer(request); }};
};

TEST_F(JobListsTest, APrinterThatPapplMissesIsAskedForAgain) {
  const auto print = [&] {
    const Ipp answer =
        served_.Ask(Somebody(), RequestFor(IPP_OP_PRINT_JOB), "x");
    return ippGetStatusCode(answer.get());
  };
  misses_ = 3;
  EXPECT_EQ(print(), IPP_STATUS_OK);
  EXPECT_EQ(served_.pappl().Count(IPP_OP_PRINT_JOB), 4);
  EXPECT_EQ(served_.Spool().size(), 1U);
  // If the printer does not exist, the attempts end.
  misses_ = 1000;
  EXPECT_EQ(print(), IPP_STATUS_ERROR_NOT_FOUND);
  EXPECT_EQ(served_.Spool().size(), 1U);
}

TEST_F(JobListsTest, AListWithAJobTwiceIsAskedForAgain) {
  misses_ = 2;
  EXPECT_EQ(Ask("completed"), ended_);
  EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), 3);
}

TEST_F(JobListsTest, AllJobsAreThoseOfTheTwoOtherLists) {
  EXPECT_EQ(Ask("not-completed"), active_);
  EXPECT_EQ(Ask("all"), Numbers({5, 4, 3, 2, 1}));
  EXPECT_EQ(Ask("all", 3), Numbers({5, 4, 3}));
  EXPECT_EQ(Ask("all", 2), active_);
  // A job that ends between the two requests.
  ended_ = {4, 3, 2, 1};
  EXPECT_EQ(Ask("all"), Numbers({5, 4, 3, 2, 1}));
  active_ = {};
  EXPECT_EQ(Ask("all"), ended_);
  EXPECT_EQ(Ask("not-completed"), Numbers());
}

TEST_F(JobListsTest, OtherGroupsStayInTheFront) {
  const auto ask = [&](std::initializer_list<ipp_tag_t> groups) {
    Ipp request = RequestFor(IPP_OP_GET_JOBS);
    for (const ipp_tag_t group : groups) {
      ippAddInteger(request.get(), group, IPP_TAG_INTEGER, "copies", 1);
    }
    return ippGetStatusCode(served_.Ask(Somebody(), std::move(request)).get());
  };
  EXPECT_EQ(ask({IPP_TAG_JOB}), IPP_STATUS_OK);
  EXPECT_EQ(limits_, Numbers({500}));
  EXPECT_EQ(ask({IPP_TAG_PRINTER, IPP_TAG_JOB}), IPP_STATUS_ERROR_BAD_REQUEST);
  EXPECT_EQ(served_.pappl().Count(IPP_OP_GET_JOBS), 1);
}

TEST_F(JobListsTest, AListIsShort) {
  for (const int limit : {0, 500, 501, 100000}) Ask("completed", limit);
  Ask("not-completed", 3);
  EXPECT_EQ(limits_, Numbers({500, 500, 500, 500, 3}));
  limits_.clear();
  Ask("completed", 0, true);
  Ask("completed", 100000, true);
  EXPECT_EQ(limits_, Numbers({0, 100000}));
  limits_.clear();
  EXPECT_EQ(served_.Say(Somebody(),
                        "GET /office/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            HTTP_STATUS_OK);
  EXPECT_EQ(limits_, Numbers({100, 100}));
}

}  // namespace
}  // namespace halftoned
