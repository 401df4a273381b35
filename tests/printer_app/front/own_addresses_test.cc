// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/own_addresses.h"

#include <cups/ipp.h>
#include <gtest/gtest.h>

#include <string>

#include "printer_app/front/rules/message.h"

namespace halftoned {
namespace {

// What an address becomes for a client that calls this server `host`.
std::string Told(const char* address, const char* host, bool is_secure,
                 const char* name = "printer-uri-supported") {
  const Ipp answer(ippNew());
  const Ipp inner(ippNew());
  for (ipp_t* each : {answer.get(), inner.get()}) {
    ippAddString(each, IPP_TAG_PRINTER, IPP_TAG_URI, name, nullptr, address);
  }
  ippAddCollection(answer.get(), IPP_TAG_PRINTER, "printer-xri-supported",
                   inner.get());
  SetAddresses(host, is_secure, answer.get());
  const auto text = [name](ipp_t* ipp) {
    return std::string(
        ippGetString(ippFindAttribute(ipp, name, IPP_TAG_URI), 0, nullptr));
  };
  ipp_attribute_t* xri = ippFindAttribute(answer.get(), "printer-xri-supported",
                                          IPP_TAG_BEGIN_COLLECTION);
  EXPECT_EQ(text(answer.get()), text(ippGetCollection(xri, 0)));
  return text(answer.get());
}

TEST(OwnAddresses, PapplHearsOnlyOfLocalhost) {
  for (const char* host : {"localhost:8000", "Desk.local.:8000",
                           "127.0.0.1:8000", "[2001:db8::1]:8000"}) {
    EXPECT_EQ(HostForPappl(host), "localhost:8000");
  }
  for (const char* host : {"desk", "192.0.2.1", "[::1]"}) {
    EXPECT_EQ(HostForPappl(host), "localhost");
  }
}

TEST(OwnAddresses, NameTheHostOfTheClient) {
  EXPECT_EQ(Told("ipp://localhost:8000/ipp/print/a", "desk:8000", false),
            "ipp://desk:8000/ipp/print/a");
  EXPECT_EQ(Told("ipp://localhost:8000/ipp/print/a", "desk:8000", true),
            "ipps://desk:8000/ipp/print/a");
  EXPECT_EQ(Told("http://LOCALHOST/a", "localhost:8000", true),
            "https://localhost:8000/a");
  EXPECT_EQ(Told("http://localhost:8000", "Desk", false), "http://Desk:8000");
  EXPECT_EQ(Told("ipp://localhost/ipp/print/a/1", "desk:8000", false),
            "ipp://desk:8000/ipp/print/a/1");
  for (const char* own : {"job-uri", "job-printer-uri", "notify-printer-uri",
                          "notify-system-uri"}) {
    EXPECT_EQ(
        Told("ipps://other.local:777/ipp/print/a/1", "desk:8000", false, own),
        "ipps://desk:8000/ipp/print/a/1");
  }
  EXPECT_EQ(Told("ipp://localhost:777/", "desk:8000", false),
            "ipp://desk:8000/");
  EXPECT_EQ(Told("ipp://localhost:8000/", "[2001:db8::1]:8000", true),
            "ipps://[2001:db8::1]:8000/");
  EXPECT_EQ(Told("http://localhost:8000/", "[::1]", false),
            "http://[::1]:8000/");
  EXPECT_EQ(Told("https://localhost:8000/", "desk", false),
            "https://desk:8000/");
  EXPECT_EQ(WithLinksFor("desk:8000", true,
                         "<a href=\"http://localhost:8000/x\">\"http://y/\"</a>"
                         "\"https://localhost/\" \"http://localhost"),
            "<a href=\"https://desk:8000/x\">\"http://y/\"</a>"
            "\"https://desk:8000/\" \"https://desk:8000");
}

TEST(OwnAddresses, OthersStay) {
  for (const char* address :
       {"urn:uuid:1", "ipp:/localhost/", "ippx://localhost/",
        "ipp://localhost.example:8000/", "http://host/",
        "socket://localhost:9100/", "ipp://[2001:db8::2]/", "http"}) {
    for (const char* host : {"host:8000", "[2001:db8::1]"}) {
      EXPECT_EQ(Told(address, host, true), address);
      EXPECT_EQ(Told(address, host, false), address);
    }
  }
  constexpr char kPrinter[] = "ipp://localhost/printers/a";
  EXPECT_EQ(Told(kPrinter, "host", true, "smi55357-device-uri"), kPrinter);
}

TEST(OwnAddresses, HaveOneSecurityEach) {
  for (const bool is_secure : {false, true}) {
    const Ipp answer(ippNew());
    const char* const securities[] = {"none", "tls"};
    const char* const proofs[] = {"requesting-user-name", "basic"};
    ippAddString(answer.get(), IPP_TAG_PRINTER, IPP_TAG_URI,
                 "printer-uri-supported", nullptr, "ipp://host/");
    ippAddStrings(answer.get(), IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                  "uri-security-supported", 2, nullptr, securities);
    ippAddStrings(answer.get(), IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                  "uri-authentication-supported", 2, nullptr, proofs);
    MatchSecurities(answer.get(), is_secure);
    ipp_attribute_t* security = ippFindAttribute(
        answer.get(), "uri-security-supported", IPP_TAG_KEYWORD);
    EXPECT_EQ(ippGetCount(security), 1);
    EXPECT_STREQ(ippGetString(security, 0, nullptr), securities[is_secure]);
    EXPECT_EQ(
        ippGetCount(ippFindAttribute(
            answer.get(), "uri-authentication-supported", IPP_TAG_KEYWORD)),
        1);
  }
}

}  // namespace
}  // namespace halftoned
