// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "printer_app/front/web/forms.h"
#include "printer_app/front/web/job_page.h"
#include "printer_app/front/web/offered.h"
#include "printer_app/front/web/web_pages.h"
#include "tests/printer_app/front/served_front.h"

namespace halftoned {
namespace {

TEST(WebForm, IsReadAndWritten) {
  const std::string body = "a=1+2%2B&b%5B=%0A%c3%A4&&c&d=%zz";
  const WebForm form = ParseForm(body);
  EXPECT_EQ(
      form,
      (WebForm{{"a", "1 2+"}, {"b[", " \xc3\xa4"}, {"c", ""}, {"d", "%zz"}}));
  EXPECT_EQ(ParseForm(WriteForm(form)), form);
  EXPECT_EQ(FieldOf(form, "a"), "1 2+");
  EXPECT_EQ(FieldOf(form, "x"), "");
  EXPECT_EQ(FieldOf(ParseForm("uri=a&URI=b&Uri=c"), "uri"), "c");
}

TEST(WebForm, HasNotTooManyFields) {
  ServedFront served([](ipp_t* request, const std::string&) {
    return Ipp(ippNewResponse(request));
  });
  const auto post = [&](int fields) {
    std::string body = "a=1";
    for (int i = 1; i < fields; ++i) body += "&b" + std::to_string(i);
    return served.Say(Somebody(),
                      "POST /config HTTP/1.1\r\nHost: localhost\r\n"
                      "Referer: http://localhost/\r\n"
                      "Content-Type: application/x-www-form-urlencoded\r\n"
                      "Content-Length: " +
                          std::to_string(body.size()) + "\r\n\r\n" + body);
  };
  EXPECT_NE(post(500), HTTP_STATUS_BAD_REQUEST);
  EXPECT_EQ(post(502), HTTP_STATUS_BAD_REQUEST);
}

TEST(WebForm, HasWhatItsPageOffers) {
  const char page[] =
      "<form><input type=\"hidden\" name=\"session\" value=\"t\">"
      "<select name=\"roll-size\" onChange=\"f('x');\"><option "
      "value=\"custom\">Other</option><option value=\"a&quot;4\" "
      "selected>A4</option></select><input type=\"number\" "
      "name=\"roll-custom-width\" min=\"0.75\" max=\"101.60\" "
      "value=\"4.00\"><input type=\"radio\" id=\"i\" "
      "name=\"roll-custom-units\" value=\"in\" checked><input type=\"radio\" "
      "name=\"roll-custom-units\" value=\"mm\"><input type=\"text\" "
      "name=\"place\" value=\"\">";
  const auto what = [&](const char* body) {
    return WhatIsNotOffered(ParseForm(body), page);
  };
  for (const char* body :
       {"", "session=x&place={&other=1", "roll-size=a%224",
        "roll-size=a%224&roll-custom-width=",
        "roll-size=custom&roll-custom-width=100.5&roll-custom-units=mm"}) {
    EXPECT_EQ(what(body), "") << body;
  }
  for (const char* body :
       {"roll-size=", "roll-size=b5", "roll-size=a%224&roll-size={",
        "roll-custom-units=km", "roll-custom-width=nan", "roll-custom-width=0",
        "roll-custom-width=1e1", "roll-custom-width=101.7",
        "roll-custom-width=4{"}) {
    EXPECT_NE(what(body), "") << body;
  }
  EXPECT_NE(what("Roll-Size=b5"), "");
  EXPECT_NE(what("ROLL-size=custom&roll-custom-units=mm"), "");
  EXPECT_NE(what("roll-size=custom&roll-custom-units=mm&roll-custom-width=4&"
                 "Roll-Custom-Width="),
            "");
  EXPECT_EQ(what("roll-size=custom&roll-custom-units=mm"),
            "A custom size needs roll-custom-width.");
  EXPECT_EQ(what("roll-size=custom&roll-custom-units=mm&roll-custom-width="),
            "A custom size needs roll-custom-width.");
  for (const char* broken : {"<select name=\"x", "<option value=\"", "<", ""}) {
    EXPECT_EQ(WhatIsNotOffered({{"y", "z"}}, broken), "") << broken;
  }
}

TEST(WebPage, IsClosedUnlessItIsKnown) {
  const std::vector<std::string> printers = {"office", "halftone-inner.x",
                                             "x.strings"};
  const auto page = [&](const char* path) { return PageAt(path, printers); };
  for (const char* open :
       {"/", "//", "/style.css", "/office/icon-md.png", "/Office/SUPPLIES"}) {
    EXPECT_EQ(page(open).page, WebPage::kOpen) << open;
  }
  for (const char* jobs :
       {"/office", "/office/", "/OFFICE/Jobs", "//office//jobs//"}) {
    EXPECT_EQ(page(jobs).page, WebPage::kJobs) << jobs;
    EXPECT_EQ(page(jobs).printer, "office");
  }
  for (const char* admin :
       {"", "office", "/config", "/addprinter", "/security", "/office/config",
        "/office/cancelall", "/office/delete", "/other", "/other/jobs",
        "/logfile.txt", "/office/jobs/x", "/en.strings"}) {
    EXPECT_EQ(page(admin).page, WebPage::kAdmin) << admin;
  }
  for (const char* jobs : {"/halftone-inner.x", "/x.strings"}) {
    EXPECT_EQ(page(jobs).page, WebPage::kJobs) << jobs;
  }
  EXPECT_EQ(page("/halftone-inner").page, WebPage::kOwn);
  EXPECT_EQ(page("/halftone-inner/settings").page, WebPage::kOwn);
  EXPECT_EQ(page("//Halftone-Inner/token/").page, WebPage::kOwn);
  EXPECT_TRUE(Deletes("/office/Delete/"));
  EXPECT_TRUE(AddsPrinters("/AddPrinter/"));
  EXPECT_FALSE(AddsPrinters("/office/addprinter"));
}

TEST(KnownQuery, IsOfLinksThatPagesHave) {
  for (const char* query :
       {"job-index=1", "job-index=999999", "get-location"}) {
    EXPECT_EQ(KnownQuery(query), query);
  }
  for (const char* query :
       {"", "job-index=", "job-index=-1", "job-index=0", "job-index=01",
        "job-index=1000000", "job-index=%00", "job-index=1&job-index=-1",
        "x=1&job-index=1", "Job-Index=-1", "job-id=1", "get-location=1"}) {
    EXPECT_EQ(KnownQuery(query), "") << query;
  }
}

TEST(FormToken, IsOfOneCallerAlone) {
  const Caller caller{.place = "uid 1"};
  const std::string alice = TokenFor(caller, "t", "key");
  EXPECT_NE(alice, TokenFor(Caller{.place = "uid 2"}, "t", "key"));
  EXPECT_NE(alice, TokenFor(caller, "u", "key"));
  EXPECT_NE(alice, TokenFor(caller, "t", "yek"));
  // Users of one address.
  Caller other{.has_password = true, .name = "alice", .place = "uid 1"};
  const std::string proven = TokenFor(other, "t", "key");
  EXPECT_NE(proven, alice);
  other.name = "bob";
  EXPECT_NE(proven, TokenFor(other, "t", "key"));
  const std::string page =
      "<input name=\"session\" value=\"t\">x<input name=\"session\" "
      "value=\"t\"><input name=\"session\" value=\"torn";
  const std::string changed = WithTokensFor(caller, page, "key");
  EXPECT_EQ(changed, "<input name=\"session\" value=\"" + alice +
                         "\">x<input name=\"session\" value=\"" + alice +
                         "\"><input name=\"session\" value=\"torn");
}

TEST(JobPage, NamesOwnJobsAlone) {
  const std::vector<JobOfPrinter> jobs = {{1, 3, "alice", "<b>plan"},
                                          {2, 3, "bob", "secret"},
                                          {3, 9, "alice", "done"}};
  const Caller alice{.is_local = true, .name = "alice"};
  const std::string page = JobPage("office", jobs, alice, "said", "token");
  EXPECT_NE(page.find("&lt;b&gt;plan"), page.npos);
  EXPECT_EQ(page.find("secret"), page.npos);
  EXPECT_EQ(page.find("bob"), page.npos);
  EXPECT_NE(page.find("Withheld"), page.npos);
  EXPECT_NE(page.find("name=\"job-id\" value=\"1\""), page.npos);
  EXPECT_EQ(page.find("name=\"job-id\" value=\"2\""), page.npos);
  EXPECT_EQ(page.find("name=\"job-id\" value=\"3\""), page.npos);
}

}  // namespace
}  // namespace halftoned
