// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of IPP messages on their way through the front.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "printer_app/front/rules/ipp_scan.h"
#include "printer_app/front/rules/job_filter.h"
#include "printer_app/front/rules/job_options.h"
#include "printer_app/front/rules/message.h"
#include "printer_app/front/rules/request_values.h"
#include "printer_app/front/rules/target.h"
#include "printer_app/front/rules/texts.h"
#include "tests/printer_app/front/ipp_length.h"

namespace halftoned {
namespace {

Ipp Request(ipp_op_t operation, const char* uri_name, const char* uri) {
  Ipp request(ippNew());
  ippSetOperation(request.get(), operation);
  ippSetRequestId(request.get(), 7);
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_CHARSET,
               "attributes-charset", nullptr, "utf-8");
  if (uri) {
    ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI, uri_name,
                 nullptr, uri);
  }
  return request;
}

std::string Value(int tag, std::string_view name, std::string_view value) {
  const auto length = [](size_t size) {
    return std::string{static_cast<char>(size >> 8), static_cast<char>(size)};
  };
  return static_cast<char>(tag) + length(name.size()) + std::string(name) +
         length(value.size()) + std::string(value);
}

std::string MessageOf(const std::string& values) {
  return std::string("\x02\x00\x00\x0b\x00\x00\x00\x01\x01", 9) + values +
         '\x03';
}

TEST(IppScan, FindsTheEndOfAMessage) {
  const Ipp request =
      Request(IPP_OP_PRINT_JOB, "printer-uri", "ipp://localhost/ipp/print/a");
  const std::string message = WriteIpp(request.get());
  EXPECT_EQ(LengthOf(message + "a document"), message.size());
  for (size_t size = 0; size < message.size(); ++size) {
    EXPECT_EQ(LengthOf(message.substr(0, size)), 0U);
  }
}

TEST(IppScan, RefusesLengthsThatDoNotFitTheTag) {
  for (const auto& [tag, size] : {std::pair{IPP_TAG_INTEGER, 4},
                                  {IPP_TAG_ENUM, 4},
                                  {IPP_TAG_BOOLEAN, 1},
                                  {IPP_TAG_DATE, 11},
                                  {IPP_TAG_RESOLUTION, 9},
                                  {IPP_TAG_RANGE, 8}}) {
    for (int given = 0; given < 16; ++given) {
      const std::string message = MessageOf(
          Value(tag, "x", std::string(static_cast<size_t>(given), 1)));
      EXPECT_EQ(LengthOf(message) > 0, given == size) << tag << ' ' << given;
    }
  }
  EXPECT_EQ(LengthOf(MessageOf(Value(IPP_TAG_KEYWORD, "x", {"a\0b", 3}))), 0U);
  EXPECT_EQ(LengthOf(MessageOf(Value(IPP_TAG_NAMELANG, "x", "abcd"))), 0U);
  EXPECT_EQ(LengthOf(MessageOf(Value(IPP_TAG_EXTENSION, "x", "abcd"))), 0U);
  EXPECT_EQ(LengthOf(MessageOf("\x0f")), 0U);
  std::string unknown = MessageOf("");
  EXPECT_GT(LengthOf(unknown), 0U);
  unknown[2] = '\xf9';  // an operation
  EXPECT_EQ(LengthOf(unknown), 0U);
}

TEST(IppScan, RefusesWhatAParserTakesTooMuchMemoryFor) {
  const std::string begin = Value(IPP_TAG_BEGIN_COLLECTION, "", "") +
                            Value(IPP_TAG_MEMBERNAME, "", "m");
  const std::string end = Value(IPP_TAG_END_COLLECTION, "", "");
  const auto nested = [&](int depth) {
    std::string values = Value(IPP_TAG_BEGIN_COLLECTION, "x", "") +
                         Value(IPP_TAG_MEMBERNAME, "", "m");
    for (int i = 1; i < depth; ++i) values += begin;
    values += Value(IPP_TAG_INTEGER, "", "1234");
    for (int i = 0; i < depth; ++i) values += end;
    return MessageOf(values);
  };
  EXPECT_GT(LengthOf(nested(IppScan::kMostDepth)), 0U);
  EXPECT_EQ(LengthOf(nested(IppScan::kMostDepth + 1)), 0U);
  EXPECT_EQ(LengthOf(nested(20000)), 0U);
  EXPECT_EQ(LengthOf(MessageOf(end)), 0U);
  const std::string member = Value(IPP_TAG_MEMBERNAME, "", "m");
  EXPECT_EQ(LengthOf(MessageOf(member)), 0U);
  EXPECT_EQ(LengthOf(MessageOf(begin + member + end)), 0U);
  EXPECT_EQ(LengthOf(MessageOf(begin + end)), 0U);
  EXPECT_EQ(LengthOf(MessageOf(begin)), 0U);
  std::string many;
  for (int i = 0; i <= IppScan::kMostValues; ++i) {
    many += Value(IPP_TAG_BOOLEAN, "x", "1");
  }
  EXPECT_EQ(LengthOf(MessageOf(many)), 0U);
  std::string large;
  for (int i = 0; i < 20; ++i) {
    large += Value(IPP_TAG_TEXT, "x", std::string(32000, 'a'));
  }
  EXPECT_EQ(LengthOf(MessageOf(large)), 0U);
}

TEST(IppTarget, IsTheOneThatPapplFinds) {
  const Ipp system =
      Request(IPP_OP_GET_PRINTERS, "system-uri", "ipp://x/ipp/system");
  EXPECT_TRUE(SettleTarget(system.get())->is_system);
  const Ipp printer =
      Request(IPP_OP_GET_JOBS, "printer-uri", "ipp://x:1/ipp/print/office");
  EXPECT_EQ(SettleTarget(printer.get())->printer, "office");
  // By the name that PAPPL knows.
  EXPECT_EQ(std::string(ippGetString(
                ippFindAttribute(printer.get(), "printer-uri", IPP_TAG_URI), 0,
                nullptr)),
            "ipp://localhost/ipp/print/office");
  const Ipp job =
      Request(IPP_OP_CANCEL_JOB, "job-uri", "ipp://x/ipp/print/office/12");
  const auto target = SettleTarget(job.get());
  EXPECT_EQ(target->printer, "office");
  EXPECT_EQ(target->job, 12);
  EXPECT_EQ(target->resource, "/ipp/print/office");
  for (const char* wrong :
       {"ipp://x/other", "ipp://x/ipp/printer", "not an address"}) {
    const Ipp lost = Request(IPP_OP_GET_JOBS, "printer-uri", wrong);
    EXPECT_FALSE(SettleTarget(lost.get())) << wrong;
  }
  const Ipp none = Request(IPP_OP_GET_JOBS, nullptr, nullptr);
  EXPECT_FALSE(SettleTarget(none.get()));
}

TEST(IppTarget, IsTheOnlyOneThatStays) {
  const Ipp request =
      Request(IPP_OP_CANCEL_JOB, "job-uri", "ipp://x/ipp/print/office/12");
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri",
               nullptr, "ipp://x/ipp/print/other");
  for (const int job : {5, 6}) {
    ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER, "job-id",
                  job);
  }
  const auto target = SettleTarget(request.get());
  EXPECT_EQ(target->printer, "other");
  EXPECT_EQ(target->job, 5);
  EXPECT_FALSE(ippFindAttribute(request.get(), "job-uri", IPP_TAG_ZERO));
  ipp_attribute_t* number =
      ippFindAttribute(request.get(), "job-id", IPP_TAG_ZERO);
  EXPECT_EQ(ippGetInteger(number, 0), 5);
  EXPECT_FALSE(ippFindNextAttribute(request.get(), "job-id", IPP_TAG_ZERO));
}

Ipp AnswerWithJobs() {
  Ipp answer(ippNew());
  ippAddString(answer.get(), IPP_TAG_OPERATION, IPP_TAG_CHARSET,
               "attributes-charset", nullptr, "utf-8");
  int id = 0;
  for (const char* owner : {"alice", "bob"}) {
    if (id++) ippAddSeparator(answer.get());
    ippAddInteger(answer.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "job-id", id);
    ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_NAME, "job-name", nullptr,
                 owner);
    ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_NAME,
                 "job-originating-user-name", nullptr, owner);
    ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, "media", nullptr,
                 "a4");
  }
  return answer;
}

int CountOf(ipp_t* ipp, const char* name) {
  int count = 0;
  for (auto* each = ippFindAttribute(ipp, name, IPP_TAG_ZERO); each;
       each = ippFindNextAttribute(ipp, name, IPP_TAG_ZERO)) {
    ++count;
  }
  return count;
}

TEST(JobFilter, WithholdsWhatIsPrivate) {
  const Ipp jobs = AnswerWithJobs();
  const Ipp answer = WithholdJobs(jobs.get(), Caller{}, "alice", {});
  EXPECT_EQ(CountOf(answer.get(), "attributes-charset"), 1);
  EXPECT_EQ(CountOf(answer.get(), "job-id"), 2);
  EXPECT_EQ(CountOf(answer.get(), "media"), 1);
  EXPECT_EQ(CountOf(answer.get(), "job-originating-user-name"), 1);
  EXPECT_STREQ(
      ippGetString(ippFindAttribute(answer.get(), "job-name", IPP_TAG_ZERO), 0,
                   nullptr),
      "alice");
  const Ipp nobody = WithholdJobs(jobs.get(), Caller{.is_local = true}, "", {});
  EXPECT_EQ(CountOf(nobody.get(), "job-id"), 2);
  EXPECT_EQ(CountOf(nobody.get(), "job-name"), 0);
  const Ipp all = WithholdJobs(jobs.get(), Caller{.is_admin = true}, "root",
                               {"job-originating-user-name"});
  EXPECT_EQ(CountOf(all.get(), "job-name"), 2);
  EXPECT_EQ(CountOf(all.get(), "job-originating-user-name"), 0);
}

TEST(JobFilter, EventsTellNamesOfOwnJobsAlone) {
  const Ipp events(ippNew());
  for (const char* owner : {"alice", "bob"}) {
    for (const char* name :
         {"job-name", "job-originating-user-name", "notify-text"}) {
      ippAddString(events.get(), IPP_TAG_EVENT_NOTIFICATION, IPP_TAG_NAME, name,
                   nullptr, owner);
    }
    ippAddInteger(events.get(), IPP_TAG_EVENT_NOTIFICATION, IPP_TAG_INTEGER,
                  "notify-job-id", 1);
    ippAddSeparator(events.get());
  }
  const Ipp answer = WithholdEvents(events.get(), Caller{}, "alice");
  EXPECT_EQ(CountOf(answer.get(), "notify-job-id"), 2);
  for (const char* name :
       {"job-name", "job-originating-user-name", "notify-text"}) {
    EXPECT_EQ(CountOf(answer.get(), name), 1);
    EXPECT_STREQ(
        ippGetString(ippFindAttribute(answer.get(), name, IPP_TAG_ZERO), 0,
                     nullptr),
        "alice");
  }
}

TEST(JobFilter, AsksForOwnersWhereAClientDoesNot) {
  const Ipp request =
      Request(IPP_OP_GET_JOBS, "printer-uri", "ipp://x/ipp/print/a");
  EXPECT_EQ(AskForMore(request.get()), AddedNames());
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
               "requested-attributes", nullptr, "job-id");
  EXPECT_EQ(AskForMore(request.get()),
            AddedNames({"job-originating-user-name"}));
  EXPECT_EQ(AskForMore(request.get()), AddedNames());
}

TEST(JobFilter, AsksForReasonsAndTheirMessageTogether) {
  const char* const names[] = {"job-state-reasons", "job-state-message"};
  for (const bool is_first : {false, true}) {
    const Ipp request =
        Request(IPP_OP_GET_JOB_ATTRIBUTES, "job-uri", "ipp://x/ipp/print/a/1");
    ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                 "requested-attributes", nullptr, names[is_first]);
    const AddedNames added = AskForMore(request.get());
    EXPECT_EQ(added,
              AddedNames({"job-originating-user-name", names[!is_first]}));
    const Ipp answer(ippNewResponse(request.get()));
    for (const char* name : names) {
      ippAddString(answer.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, name, nullptr,
                   "none");
    }
    for (const bool is_own : {false, true}) {
      const Ipp told = WithholdJobs(answer.get(), Caller{.is_admin = is_own},
                                    "alice", added);
      EXPECT_STREQ(ippGetName(ippFirstAttribute(told.get())),
                   "attributes-charset");
      EXPECT_EQ(CountOf(told.get(), names[is_first]), 1);
      EXPECT_EQ(CountOf(told.get(), names[!is_first]), 0);
    }
  }
}

TEST(JobFilter, LimitsAListInTheFirstGroup) {
  Ipp request = Request(IPP_OP_GET_JOBS, "printer-uri", "ipp://x/ipp/print/a");
  ippAddInteger(request.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "copies", 1);
  LimitJobs(request, 500);
  const Ipp parsed = ParseIpp(WriteIpp(request.get()));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(ippGetInteger(
                ippFindAttribute(parsed.get(), "limit", IPP_TAG_INTEGER), 0),
            500);
}

TEST(JobOptions, WithoutAValueOfThePrinterAreTakenOut) {
  const Ipp request =
      Request(IPP_OP_PRINT_JOB, "printer-uri", "ipp://x/ipp/print/a");
  const auto add = [&](const char* name, const char* value) {
    ippAddString(request.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, name, nullptr,
                 value);
  };
  add("halftone-type", "no-such-type");
  add("halftone-text-edges", "auto");
  add("paper-path", "rear");
  add("unknown-to-all", "1");
  EXPECT_EQ(OptionsOfPrinters(request.get()),
            (std::vector<std::string>{"paper-path", "unknown-to-all"}));
  const Ipp printer(ippNew());
  ippAddString(printer.get(), IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
               "paper-path-supported", nullptr, "front");
  const Ipp taken = TakeUnknown(request.get(), printer.get());
  ASSERT_TRUE(taken);
  EXPECT_FALSE(ippFindAttribute(request.get(), "halftone-type", IPP_TAG_ZERO));
  EXPECT_FALSE(ippFindAttribute(request.get(), "paper-path", IPP_TAG_ZERO));
  EXPECT_TRUE(
      ippFindAttribute(request.get(), "halftone-text-edges", IPP_TAG_ZERO));
  EXPECT_FALSE(ippFindAttribute(request.get(), "unknown-to-all", IPP_TAG_ZERO));
  EXPECT_FALSE(TakeUnknown(request.get(), printer.get()));

  Ipp answer = AnswerWithJobs();
  AnswerUnknown(taken.get(), false, answer);
  EXPECT_EQ(ippGetStatusCode(answer.get()),
            IPP_STATUS_OK_IGNORED_OR_SUBSTITUTED);
  // Groups come in the standard's order.
  const std::string message = WriteIpp(answer.get());
  EXPECT_LT(message.find("halftone-type"), message.find("job-id"));
  EXPECT_EQ(CountOf(answer.get(), "job-id"), 2);
}

TEST(JobOptions, HaveTypesOfLibcupsfilters) {
  const auto is_known = [](const char* type, const char* name,
                           ipp_op_t operation, ipp_tag_t group) {
    const Ipp request = Request(operation, "printer-uri", "ipp://x/");
    ippAddString(request.get(), group, IPP_TAG_KEYWORD, name, nullptr, type);
    return !TakeUnknown(request.get(), nullptr);
  };
  for (const char* type :
       {"Stochastic", "dithering", "spot-106-45-20-80", "spot-106-45-21"}) {
    EXPECT_EQ(is_known(type, "halftone-type", IPP_OP_PRINT_JOB, IPP_TAG_JOB),
              !std::string_view(type).ends_with("21"));
  }
  EXPECT_FALSE(is_known("spot", "halftone-type-default",
                        IPP_OP_SET_PRINTER_ATTRIBUTES, IPP_TAG_PRINTER));
}

TEST(Texts, HaveOneLineAndAnEnd) {
  EXPECT_EQ(OneLine("a\nb\r\tc\x7f"), "a b  c ");
  EXPECT_EQ(CleanText(std::string(300, 'a')).size(), 255U);
  // A control character of ISO 6429, and one that turns the direction.
  EXPECT_EQ(CleanText("a\xc2\x9b"
                      "31mb\xe2\x80\xae"
                      "c\xc3\xa4"),
            "a??31mb???c\xc3\xa4");
  EXPECT_EQ(CleanText(std::string(254, 'a') + "\xc3\xa4"),
            std::string(254, 'a'));
  const Ipp request = Request(IPP_OP_PRINT_JOB, "printer-uri", "ipp://x/\n");
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_MIMETYPE,
               "document-format", nullptr, "IMAGE/Png");
  CleanTexts(request.get());
  EXPECT_STREQ(ippGetString(ippFindAttribute(request.get(), "document-format",
                                             IPP_TAG_ZERO),
                            0, nullptr),
               "image/png");
}

TEST(Texts, HaveOneSpellingWithoutAccentsOnTheirOwnAndFormsOfLetters) {
  for (const char* text :
       {"Laser 1", "Gr\u00fcner Gang", "\u00e9", "\u0410", "\u0131dt", "\u30ac",
        "\ud55c\uae00", "\u4e2d", "\u0e01\u0e33"}) {
    EXPECT_TRUE(HasOneSpelling(text)) << text;
  }
  for (const char* text :
       {"Gru\u0308ner", "e\u0301", "\uff29dt", "\ufb01t", "\u212b",
        "\u30ab\u3099", "\u1112\u1161\u11ab", "\uf900", "\U0001d400"}) {
    EXPECT_FALSE(HasOneSpelling(text)) << text;
  }
}

TEST(Texts, OfNamesInCapitalsMeanTheSameToRulesAsToPappl) {
  const Ipp request =
      Request(IPP_OP_PRINT_JOB, "Printer-URI", "ipp://x/ipp/print/office");
  ippAddInteger(request.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER, "Job-Id", 5);
  const Ipp other(ippNew());
  ippAddInteger(other.get(), IPP_TAG_ZERO, IPP_TAG_INTEGER, "Media-Source", 7);
  ippAddCollection(request.get(), IPP_TAG_JOB, "MEDIA-COL", other.get());
  ippAddInteger(request.get(), IPP_TAG_JOB, IPP_TAG_INTEGER, "zeMode", 1);
  CleanTexts(request.get());
  EXPECT_STREQ(
      ippGetName(ippFindAttribute(request.get(), "zeMode", IPP_TAG_INTEGER)),
      "zeMode");
  EXPECT_EQ(LeaveOutWrongValues(request.get()),
            std::vector<std::string>{
                "media-col: media-source has the wrong type: integer"});
  EXPECT_FALSE(ippFindAttribute(request.get(), "media-col", IPP_TAG_ZERO));
  ippAddString(request.get(), IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri",
               nullptr, "ipp://x/ipp/print/other");
  EXPECT_EQ(SettleTarget(request.get())->printer, "office");
  EXPECT_EQ(SettleTarget(request.get())->job, 5);
  EXPECT_EQ(CountOf(request.get(), "printer-uri"), 1);
}

}  // namespace
}  // namespace halftoned
