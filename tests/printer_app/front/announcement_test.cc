// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/announce/announcement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "printer_app/front/rules/message.h"

namespace halftoned {
namespace {

Ipp Attributes(const std::string& uuid = "urn:uuid:01234567-89ab") {
  Ipp attributes(ippNew());
  ippAddString(attributes.get(), IPP_TAG_PRINTER, IPP_TAG_TEXT,
               "printer-make-and-model", nullptr, "Model");
  ippAddString(attributes.get(), IPP_TAG_PRINTER, IPP_TAG_URI, "printer-uuid",
               nullptr, uuid.c_str());
  const char* formats[] = {"application/octet-stream", "application/pdf",
                           "image/urf"};
  ippAddStrings(attributes.get(), IPP_TAG_PRINTER, IPP_TAG_MIMETYPE,
                "document-format-supported", 3, nullptr, formats);
  return attributes;
}

bool Has(const Announcement& printer, const std::string& text) {
  return std::ranges::count(printer.texts, text) == 1;
}

TEST(Announcement, HasWhatClientsAskFor) {
  const Ipp attributes = Attributes();
  const Announcement printer = MakeAnnouncement("Laser", attributes.get());
  EXPECT_EQ(printer.name, "Laser");
  for (const char* text :
       {"rp=ipp/print/Laser", "ty=Model", "product=(Model)",
        "note=", "pdl=application/pdf,image/urf", "UUID=01234567-89ab",
        "Color=F", "Duplex=F", "TLS=1.2", "txtvers=1"}) {
    EXPECT_TRUE(Has(printer, text)) << text;
  }
  const auto texts = TextsAt("host.local:8000", printer);
  EXPECT_EQ(texts.size(), printer.texts.size() + 1);
  EXPECT_EQ(texts.back(), "adminurl=http://host.local:8000/Laser/");
}

TEST(Announcement, HasANameThatSomebodyHasChosen) {
  const Ipp attributes = Attributes();
  ippAddString(attributes.get(), IPP_TAG_PRINTER, IPP_TAG_NAME,
               "printer-dns-sd-name", nullptr, "Upstairs");
  ippAddString(attributes.get(), IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
               "sides-supported", nullptr, "two-sided-long-edge");
  const Announcement printer = MakeAnnouncement("Laser", attributes.get());
  EXPECT_EQ(printer.name, "Upstairs");
  EXPECT_TRUE(Has(printer, "Duplex=T"));
}

TEST(Announcement, FitsIntoItsRecord) {
  const Ipp attributes = Attributes();
  std::string place;
  while (place.size() < 1000) place += "\u00e4";
  ippAddString(attributes.get(), IPP_TAG_PRINTER, IPP_TAG_TEXT,
               "printer-location", nullptr, place.c_str());
  ipp_attribute_t* urf =
      ippAddString(attributes.get(), IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                   "urf-supported", nullptr, "W8");
  for (int i = 1; i < 300; ++i)
    ippSetString(attributes.get(), &urf, i, "RS300");
  std::string name;
  while (name.size() < 100) name += "\u00e4";
  const Announcement printer = MakeAnnouncement(name, attributes.get());
  EXPECT_EQ(printer.name, name.substr(0, 62));
  for (const std::string& text : printer.texts) {
    EXPECT_LE(text.size(), 255U);
    EXPECT_NE(text.back(), ',');
    // No part of a character.
    EXPECT_TRUE(!text.starts_with("note=") || text.ends_with("\u00e4")) << text;
  }
  for (const int conflicts : {1, 2}) {
    const std::string other =
        NameAfter(conflicts, printer, std::string(80, 'm'));
    EXPECT_LE(other.size(), 63U);
    EXPECT_TRUE(other.ends_with("m)")) << other;
  }
}

TEST(Announcement, GivesUpANameThatIsTakenAgainAndAgain) {
  const Ipp attributes = Attributes();
  const Announcement printer = MakeAnnouncement("Laser", attributes.get());
  EXPECT_EQ(NameAfter(0, printer, "pi"), "Laser");
  EXPECT_EQ(NameAfter(1, printer, "pi.local"), "Laser (pi)");
  EXPECT_EQ(NameAfter(2, printer, "pi"), "Laser (pi 01234567)");
  EXPECT_EQ(NameAfter(3, printer, "pi"), "");
}

}  // namespace
}  // namespace halftoned
