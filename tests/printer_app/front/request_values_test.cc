// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/request_values.h"

#include <gtest/gtest.h>

#include <climits>
#include <memory>
#include <string>
#include <vector>

#include "printer_app/front/rules/message.h"

namespace halftoned {
namespace {

using Message = std::unique_ptr<ipp_t, decltype(&ippDelete)>;

Message Make() { return {ippNew(), ippDelete}; }

void AddPaper(ipp_t* paper) {
  ippAddString(paper, IPP_TAG_ZERO, IPP_TAG_KEYWORD, "media-size-name", nullptr,
               "iso_a4_210x297mm");
  ippAddString(paper, IPP_TAG_ZERO, IPP_TAG_NAME, "media-type", nullptr,
               "stationery");
  ippAddInteger(paper, IPP_TAG_ZERO, IPP_TAG_INTEGER, "media-left-margin", 400);
}

TEST(RequestValues, ThoseOfTheStandardsStay) {
  const Message request = Make();
  const Message paper = Make();
  AddPaper(paper.get());
  ippAddCollection(request.get(), IPP_TAG_JOB, "media-col", paper.get());
  ippAddInteger(request.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "copies", 2);
  ippAddResolution(request.get(), IPP_TAG_PRINTER, "printer-resolution-default",
                   IPP_RES_PER_INCH, 300, 300);
  ippAddString(request.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, "halftone-type",
               nullptr, "fine");
  ippAddInteger(request.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "unknown", 1);
  EXPECT_EQ(LeaveOutWrongValues(request.get()), std::vector<std::string>());
  EXPECT_TRUE(ippFindAttribute(request.get(), "media-col", IPP_TAG_ZERO));
  EXPECT_TRUE(ippFindAttribute(request.get(), "unknown", IPP_TAG_ZERO));
}

TEST(RequestValues, PapersHaveALength) {
  for (const int length : {-1, 0, 1, 29700, 10'000'000, 10'000'001, INT_MAX}) {
    const Message request = Make();
    const Message paper = Make();
    const Message size = Make();
    ippAddInteger(size.get(), IPP_TAG_ZERO, IPP_TAG_INTEGER, "y-dimension",
                  length);
    ippAddCollection(paper.get(), IPP_TAG_ZERO, "media-size", size.get());
    ippAddCollection(request.get(), IPP_TAG_PRINTER, "media-col-default",
                     paper.get());
    const bool is_one = length > 0 && length <= 10'000'000;
    EXPECT_EQ(LeaveOutWrongValues(request.get()).empty(), is_one) << length;
    EXPECT_EQ(ippFirstAttribute(request.get()) != nullptr, is_one) << length;
  }
}

TEST(RequestValues, KeywordsAreNotRepeated) {
  const Message request = Make();
  std::vector<const char*> names(900, "all");
  names[3] = names[700] = "media-col-database";
  ipp_attribute_t* wanted = ippAddStrings(
      request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "requested-attributes",
      static_cast<int>(names.size()), nullptr, names.data());
  ippAddString(request.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, "sides", nullptr,
               "one-sided");
  const char* const papers[] = {"na_letter_8.5x11in", "iso_a4_210x297mm",
                                "na_letter_8.5x11in"};
  ipp_attribute_t* trays =
      ippAddStrings(request.get(), IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                    "media-ready", 3, nullptr, papers);
  EXPECT_TRUE(LeaveOutWrongValues(request.get()).empty());
  EXPECT_EQ(ippGetCount(trays), 3);
  ASSERT_EQ(ippGetCount(wanted), 2);
  EXPECT_STREQ(ippGetString(wanted, 0, nullptr), "media-col-database");
  EXPECT_STREQ(ippGetString(wanted, 1, nullptr), "all");
  EXPECT_TRUE(ippFindAttribute(request.get(), "sides", IPP_TAG_KEYWORD));
}

TEST(RequestValues, SubscriptionsAreNamedOnce) {
  const int ids[] = {7, 3, 7};
  for (const int count : {2, 3}) {
    const Message request = Make();
    ippAddIntegers(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER,
                   "notify-subscription-ids", count, ids);
    EXPECT_EQ(LeaveOutWrongValues(request.get()).empty(), count == 2);
  }
}

TEST(RequestValues, OtherKindsAreLeftOut) {
  for (const char* name :
       {"media", "sides", "output-bin", "document-format", "job-name",
        "print-color-mode-default", "printer-geo-location", "media-ready",
        "requesting-user-name", "printer-resolution", "page-ranges"}) {
    const Message request = Make();
    ippAddInteger(request.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, name, 7);
    ippAddInteger(request.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "copies", 2);
    EXPECT_EQ(LeaveOutWrongValues(request.get()),
              std::vector<std::string>{std::string(name) +
                                       " has the wrong type: integer"});
    EXPECT_FALSE(ippFindAttribute(request.get(), name, IPP_TAG_ZERO)) << name;
    EXPECT_TRUE(ippFindAttribute(request.get(), "copies", IPP_TAG_ZERO));
  }
  const Message request = Make();
  ippAddString(request.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, "copies", nullptr,
               "two");
  ippAddOutOfBand(request.get(), IPP_TAG_JOB, IPP_TAG_NOVALUE, "media");
  EXPECT_EQ(LeaveOutWrongValues(request.get()).size(), 2U);
}

TEST(RequestValues, MembersThatPapplDoesNotReadAreLeftOut) {
  const Message request = Make();
  const Message media = Make();
  ippAddInteger(media.get(), IPP_TAG_ZERO, IPP_TAG_INTEGER, "media-top-margin",
                0);
  ippAddString(media.get(), IPP_TAG_ZERO, IPP_TAG_KEYWORD, "media-color",
               nullptr, "blue");
  ippAddCollection(request.get(), IPP_TAG_JOB, "media-col", media.get());
  EXPECT_EQ(LeaveOutWrongValues(request.get()).size(), 0U);
  ipp_t* left = ippGetCollection(
      ippFindAttribute(request.get(), "media-col", IPP_TAG_ZERO), 0);
  EXPECT_TRUE(ippFindAttribute(left, "media-top-margin", IPP_TAG_ZERO));
  EXPECT_FALSE(ippFindAttribute(left, "media-color", IPP_TAG_ZERO));
}

TEST(RequestValues, OnlyTheServerSaysWhoseAJobIsAndHowItFares) {
  for (const char* name : {"job-originating-user-name", "job-name",
                           "job-state-message", "job-uuid", "time-at-creation",
                           "document-format-supplied", "Job-State"}) {
    const Message request = Make();
    ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_NAME, "job-name",
                 nullptr, "title");
    ippAddString(request.get(), IPP_TAG_JOB, IPP_TAG_NAME, name, nullptr, "x");
    ippAddInteger(request.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "job-priority",
                  2);
    EXPECT_EQ(LeaveOutWrongValues(request.get()).size(), 1U) << name;
    ipp_attribute_t* title =
        ippFindAttribute(request.get(), "job-name", IPP_TAG_NAME);
    ASSERT_TRUE(title);
    EXPECT_EQ(ippGetGroupTag(title), IPP_TAG_OPERATION);
    EXPECT_FALSE(std::string(name) != "job-name" &&
                 ippFindAttribute(request.get(), name, IPP_TAG_ZERO));
    EXPECT_TRUE(ippFindAttribute(request.get(), "job-priority", IPP_TAG_ZERO));
  }
}

TEST(RequestValues, UrisFitIntoPapplsState) {
  for (const int quotes : {500, 501}) {
    const Message request = Make();
    ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI,
                 "smi55357-device-uri", nullptr,
                 ("socket://localhost/?x=" + std::string(quotes, '"')).c_str());
    EXPECT_EQ(LeaveOutWrongValues(request.get()).empty(), quotes == 500);
  }
  EXPECT_TRUE(IsTooLongUri(std::string(512, '\\')));
}

TEST(RequestValues, SoAreCollectionsWithSuchAMember) {
  for (const char* name : {"media-source", "media-type", "media-size-name",
                           "media-tracking", "media-size"}) {
    const Message request = Make();
    const Message paper = Make();
    ippAddInteger(paper.get(), IPP_TAG_ZERO, IPP_TAG_INTEGER, name, 7);
    ippAddCollection(request.get(), IPP_TAG_JOB, "media-col", paper.get());
    EXPECT_EQ(LeaveOutWrongValues(request.get()),
              std::vector<std::string>{std::string("media-col: ") + name +
                                       " has the wrong type: integer"});
    EXPECT_FALSE(ippFindAttribute(request.get(), "media-col", IPP_TAG_ZERO));
  }
}

TEST(RequestValues, SoArePapersThatThereAreNotAndMoreThanThereIsRoomFor) {
  const Message request = Make();
  const Message paper = Make();
  ippAddString(paper.get(), IPP_TAG_ZERO, IPP_TAG_KEYWORD, "media-size-name",
               nullptr, "no-such-paper");
  ippAddCollection(request.get(), IPP_TAG_PRINTER, "media-col-default",
                   paper.get());
  EXPECT_EQ(LeaveOutWrongValues(request.get()),
            std::vector<std::string>{
                "media-col-default: media-size-name names an unknown paper"});

  const Message ready = Make();
  const Message a4 = Make();
  AddPaper(a4.get());
  std::vector<const ipp_t*> papers(100, a4.get());
  ippAddCollections(ready.get(), IPP_TAG_PRINTER, "media-col-ready",
                    static_cast<int>(papers.size()), papers.data());
  EXPECT_EQ(
      LeaveOutWrongValues(ready.get()),
      std::vector<std::string>{"media-col-ready has too many values, or none"});
}

TEST(RequestValues, ThereIsOneSubscriptionAtMost) {
  const Ipp request(ippNewRequest(IPP_OP_CREATE_PRINTER_SUBSCRIPTIONS));
  EXPECT_FALSE(HasSeveralSubscriptions(request.get()));
  for (const bool has_several : {false, true}) {
    if (has_several) ippAddSeparator(request.get());
    for (const char* name : {"notify-pull-method", "notify-events"}) {
      ippAddString(request.get(), IPP_TAG_SUBSCRIPTION, IPP_TAG_KEYWORD, name,
                   nullptr, "ippget");
    }
    EXPECT_EQ(HasSeveralSubscriptions(request.get()), has_several);
  }
}

TEST(RequestValues, AnAttributeCountsOnceWhateverItsGroupAndCase) {
  const Message request = Make();
  ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_ENUM,
                "Orientation-Requested", 3);
  ippAddInteger(request.get(), IPP_TAG_JOB, IPP_TAG_ENUM,
                "orientation-requested", 99);
  ippAddString(request.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, "Vendor", nullptr,
               "a");
  ippAddString(request.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, "vendor", nullptr,
               "b");
  EXPECT_EQ(LeaveOutWrongValues(request.get()),
            (std::vector<std::string>{"orientation-requested is repeated",
                                      "vendor is repeated"}));
  ipp_attribute_t* const known =
      ippFindAttribute(request.get(), "orientation-requested", IPP_TAG_ZERO);
  EXPECT_STREQ(ippGetName(known), "orientation-requested");
  EXPECT_EQ(ippGetInteger(known, 0), 3);
  EXPECT_STREQ(ippGetName(ippNextAttribute(request.get())), "Vendor");
  EXPECT_FALSE(ippNextAttribute(request.get()));
}

TEST(RequestValues, TheTypesOfNamesInCapitalsAreChecked) {
  const Message request = Make();
  const Message paper = Make();
  ippAddInteger(paper.get(), IPP_TAG_ZERO, IPP_TAG_INTEGER, "Media-Source", 7);
  ippAddCollection(request.get(), IPP_TAG_JOB, "MEDIA-COL", paper.get());
  ippAddInteger(request.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "SIDES", 7);
  EXPECT_EQ(LeaveOutWrongValues(request.get()).size(), 2U);
  EXPECT_FALSE(ippFirstAttribute(request.get()));
}

TEST(RequestValues, NothingIsInNothing) {
  EXPECT_EQ(LeaveOutWrongValues(nullptr), std::vector<std::string>());
}

}  // namespace
}  // namespace halftoned
