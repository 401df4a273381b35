// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/turn_words.h"

#include <gtest/gtest.h>

#include <string>

namespace halftoned {
namespace {

constexpr int kHeld = IPP_JSTATE_HELD;
constexpr const char* kReason = "job-hold-until-specified";

Ipp Request(ipp_op_t operation) {
  Ipp request(ippNewRequest(operation));
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_MIMETYPE,
               "document-format", nullptr, "image/urf");
  return request;
}

std::string TextOf(const Ipp& ipp, const char* name) {
  const char* text =
      ippGetString(ippFindAttribute(ipp.get(), name, IPP_TAG_ZERO), 0, nullptr);
  return text ? text : "";
}

int StateOf(const Ipp& ipp) {
  return ippGetInteger(ippFindAttribute(ipp.get(), "job-state", IPP_TAG_ENUM),
                       0);
}

// What a client's word for a new job becomes.
std::string Becomes(const char* word) {
  Ipp request = Request(IPP_OP_PRINT_JOB);
  if (word) {
    ippAddString(request.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, "job-hold-until",
                 nullptr, word);
  }
  return TextOf(ForTurns(std::move(request)), "job-hold-until");
}

void AddJob(const Ipp& answer, int state, const char* reason,
            const char* hold) {
  ippAddInteger(answer.get(), IPP_TAG_JOB, IPP_TAG_ENUM, "job-state", state);
  ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, "job-state-reasons",
               nullptr, reason);
  if (hold) {
    ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, "job-hold-until",
                 nullptr, hold);
  }
}

Ipp Answer(int state, const char* reason, const char* hold) {
  Ipp answer(ippNew());
  ippSetStatusCode(answer.get(), IPP_STATUS_OK);
  AddJob(answer, state, reason, hold);
  return answer;
}

// libcups reads no message in which the same group begins twice.
TEST(TurnWords, StandWithinTheirGroupThoughSeveralOthersFollow) {
  Ipp request = Request(IPP_OP_HOLD_JOB);
  for (const int number : {1, 2}) {
    ippAddSeparator(request.get());
    ippAddInteger(request.get(), IPP_TAG_EVENT_NOTIFICATION, IPP_TAG_INTEGER,
                  "notify-job-id", number);
  }
  const Ipp read = ParseIpp(WriteIpp(ForTurns(std::move(request)).get()));
  ASSERT_TRUE(read);
  EXPECT_EQ(TextOf(read, "job-hold-until"), "indefinite");
}

TEST(TurnWords, NewJobsAreHeld) {
  EXPECT_EQ(Becomes(nullptr), "halftone-turn");
  EXPECT_EQ(Becomes("no-hold"), "halftone-turn");
  EXPECT_EQ(Becomes("night"), "halftone-night");
  EXPECT_EQ(Becomes("indefinite"), "indefinite");
  for (const char* word :
       {"halftone-at-0", "halftone-night", "halftone-turn"}) {
    EXPECT_EQ(Becomes(word), "indefinite") << word;
  }
}

TEST(TurnWords, ATimeIsAWord) {
  Ipp request = Request(IPP_OP_CREATE_JOB);
  ippAddDate(request.get(), IPP_TAG_JOB, "job-hold-until-time",
             ippTimeToDate(1795000000));
  request = ForTurns(std::move(request));
  EXPECT_EQ(TextOf(request, "job-hold-until"), "halftone-at-1795000000");
  EXPECT_FALSE(
      ippFindAttribute(request.get(), "job-hold-until-time", IPP_TAG_ZERO));
  const Ipp answer = ForClients(
      Answer(kHeld, kReason, "halftone-at-1795000000"), true, "halftone-turn");
  EXPECT_EQ(
      ippDateToTime(ippGetDate(
          ippFindAttribute(answer.get(), "job-hold-until-time", IPP_TAG_DATE),
          0)),
      1795000000);
  EXPECT_EQ(StateOf(answer), kHeld);
}

TEST(TurnWords, GroupsStayInTheirOrder) {
  Ipp request = Request(IPP_OP_PRINT_JOB);
  ippAddInteger(request.get(), IPP_TAG_SUBSCRIPTION, IPP_TAG_INTEGER,
                "notify-lease-duration", 60);
  request = ForTurns(std::move(request));
  ipp_tag_t last = IPP_TAG_OPERATION;
  for (ipp_attribute_t* each = ippFirstAttribute(request.get()); each;
       each = ippNextAttribute(request.get())) {
    EXPECT_GE(ippGetGroupTag(each), last);
    last = ippGetGroupTag(each);
  }
  EXPECT_EQ(last, IPP_TAG_SUBSCRIPTION);
}

TEST(TurnWords, ReleasedJobsWaitForTheirTurn) {
  const Ipp request = ForTurns(Request(IPP_OP_RELEASE_JOB));
  EXPECT_EQ(ippGetOperation(request.get()), IPP_OP_HOLD_JOB);
  EXPECT_EQ(TextOf(request, "job-hold-until"), "halftone-turn");
  EXPECT_EQ(TextOf(ForTurns(Request(IPP_OP_HOLD_JOB)), "job-hold-until"),
            "indefinite");
}

TEST(TurnWords, RasterHasAnotherName) {
  EXPECT_EQ(TextOf(ForTurns(Request(IPP_OP_SEND_DOCUMENT)), "document-format"),
            "image/x-urf");
  EXPECT_EQ(TextOf(ForTurns(Request(IPP_OP_VALIDATE_JOB)), "document-format"),
            "image/urf");
  Ipp answer = Answer(kHeld, kReason, nullptr);
  ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_MIMETYPE,
               "document-format-supplied", nullptr, "image/x-urf");
  EXPECT_EQ(TextOf(ForClients(std::move(answer), true, "halftone-turn"),
                   "document-format-supplied"),
            "image/urf");
}

TEST(TurnWords, FormatsOfPapplAreNotOffered) {
  Ipp answer(ippNew());
  constexpr const char* kFormats[] = {"image/x-urf", "image/urf", "image/png"};
  ippAddStrings(answer.get(), IPP_TAG_PRINTER, IPP_TAG_MIMETYPE,
                "document-format-supported", 3, nullptr, kFormats);
  answer = ForClients(std::move(answer), true, "");
  ipp_attribute_t* formats = ippFindAttribute(
      answer.get(), "document-format-supported", IPP_TAG_MIMETYPE);
  EXPECT_EQ(ippGetCount(formats), 2);
  EXPECT_FALSE(ippContainsString(formats, "image/x-urf"));
}

TEST(TurnWords, ReasonsThatPapplLeavesOutAreAdded) {
  const auto reason = [](int state, const char* hold, const char* message) {
    Ipp answer(ippNew());
    ippAddInteger(answer.get(), IPP_TAG_JOB, IPP_TAG_ENUM, "job-state", state);
    if (message) {
      ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_TEXT, "job-state-message",
                   nullptr, message);
    }
    return TextOf(ForClients(std::move(answer), true, hold),
                  "job-state-reasons");
  };
  EXPECT_EQ(reason(kHeld, "halftone-turn", "Job held."), "none");
  EXPECT_EQ(reason(kHeld, "indefinite", "Job held."), kReason);
  EXPECT_EQ(reason(IPP_JSTATE_PROCESSING, "halftone-turn", "Job printing."),
            "none");
  // Nobody asked for them.
  EXPECT_EQ(reason(kHeld, "indefinite", nullptr), "");
}

TEST(TurnWords, AJobThatWaitsForItsTurnIsPending) {
  const Ipp answer =
      ForClients(Answer(kHeld, kReason, "halftone-turn"), true, "");
  EXPECT_EQ(StateOf(answer), IPP_JSTATE_PENDING);
  EXPECT_EQ(TextOf(answer, "job-state-reasons"), "none");
  EXPECT_EQ(TextOf(answer, "job-hold-until"), "");
}

TEST(TurnWords, AJobThatSomebodyHoldsIsHeld) {
  const Ipp answer =
      ForClients(Answer(kHeld, kReason, "indefinite"), false, "halftone-turn");
  EXPECT_EQ(StateOf(answer), kHeld);
  EXPECT_EQ(TextOf(answer, "job-state-reasons"), kReason);
  EXPECT_EQ(TextOf(answer, "job-hold-until"), "");
  const Ipp unsaid =
      ForClients(Answer(kHeld, kReason, nullptr), true, "indefinite");
  EXPECT_EQ(StateOf(unsaid), kHeld);
}

// PAPPL has kept it over a restart.
TEST(TurnWords, AJobWithoutAWordWaitsForItsTurn) {
  EXPECT_EQ(StateOf(ForClients(Answer(kHeld, kReason, nullptr), true,
                               "halftone-turn")),
            IPP_JSTATE_PENDING);
}

TEST(TurnWords, AJobThatPrintsIsUnchanged) {
  const Ipp answer =
      ForClients(Answer(IPP_JSTATE_PROCESSING, "job-printing", nullptr), true,
                 "halftone-turn");
  EXPECT_EQ(StateOf(answer), IPP_JSTATE_PROCESSING);
  EXPECT_EQ(TextOf(answer, "job-state-reasons"), "job-printing");
}

TEST(TurnWords, EachJobOfAListIsItsOwn) {
  Ipp answer = Answer(kHeld, kReason, "indefinite");
  ippAddSeparator(answer.get());
  AddJob(answer, kHeld, kReason, "halftone-turn");
  answer = ForClients(std::move(answer), true, "halftone-turn");
  ipp_attribute_t* state =
      ippFindAttribute(answer.get(), "job-state", IPP_TAG_ENUM);
  EXPECT_EQ(ippGetInteger(state, 0), kHeld);
  state = ippFindNextAttribute(answer.get(), "job-state", IPP_TAG_ENUM);
  EXPECT_EQ(ippGetInteger(state, 0), IPP_JSTATE_PENDING);
}

TEST(TurnWords, HoldsAreAskedForWithOtherAttributes) {
  Ipp request(ippNewRequest(IPP_OP_GET_JOBS));
  EXPECT_TRUE(AskForHolds(request.get()));
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
               "requested-attributes", nullptr, "job-state");
  EXPECT_FALSE(AskForHolds(request.get()));
  EXPECT_TRUE(ippContainsString(
      ippFindAttribute(request.get(), "requested-attributes", IPP_TAG_KEYWORD),
      "job-hold-until"));
}

}  // namespace
}  // namespace halftoned
