// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/announce/announcement.h"

#include <cstring>

#include "printer_app/front/rules/message.h"

namespace halftoned {
namespace {

constexpr size_t kLongestText = 255;  // KEY=VALUE
constexpr size_t kLongestName = 63;

bool IsWithin(char byte) { return (byte & 0xC0) == 0x80; }

// As many bytes as there is room for, and no part of a character.
std::string Shortened(std::string text, size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && IsWithin(text[most])) --most;
  text.resize(most);
  return text;
}

// The values with commas, as many as fit.
std::string ListOf(ipp_t* attributes, const char* name, size_t most) {
  ipp_attribute_t* found = ippFindAttribute(attributes, name, IPP_TAG_ZERO);
  std::string list;
  for (int i = 0; i < ippGetCount(found); ++i) {
    const char* value = ippGetString(found, i, nullptr);
    if (!value || std::strcmp(value, "application/octet-stream") == 0) continue;
    if (list.size() + 1 + std::strlen(value) > most) break;
    if (!list.empty()) list += ',';
    list += value;
  }
  return list;
}

}  // namespace

Announcement MakeAnnouncement(const std::string& printer, ipp_t* attributes) {
  Announcement made;
  made.path = '/' + printer + '/';
  const auto text = [attributes](const char* name) -> std::string {
    return TextIn(attributes, name, IPP_TAG_ZERO);
  };
  const auto add = [&made](const char* key, const std::string& value) {
    made.texts.push_back(
        Shortened(std::string(key) + '=' + value, kLongestText));
  };
  const auto add_list = [&](const char* key, const char* name) {
    const std::string list =
        ListOf(attributes, name, kLongestText - std::strlen(key) - 1);
    if (!list.empty()) add(key, list);
  };
  made.name = text("printer-dns-sd-name");
  if (made.name.empty()) made.name = printer;
  made.name = Shortened(made.name, kLongestName);
  const std::string model = text("printer-make-and-model");
  add("txtvers", "1");
  add("qtotal", "1");
  add("rp", "ipp/print/" + printer);
  add("ty", model);
  add("product", '(' + model + ')');
  add("note", text("printer-location"));
  add_list("pdl", "document-format-supported");
  add_list("kind", "printer-kind");
  add_list("URF", "urf-supported");
  constexpr std::string_view kUrn = "urn:uuid:";
  const std::string uuid = text("printer-uuid");
  if (uuid.starts_with(kUrn)) add("UUID", uuid.substr(kUrn.size()));
  ipp_attribute_t* color =
      ippFindAttribute(attributes, "color-supported", IPP_TAG_BOOLEAN);
  add("Color", ippGetBoolean(color, 0) ? "T" : "F");
  ipp_attribute_t* sides =
      ippFindAttribute(attributes, "sides-supported", IPP_TAG_KEYWORD);
  add("Duplex", ippContainsString(sides, "two-sided-long-edge") ? "T" : "F");
  add("TLS", "1.2");
  return made;
}

std::vector<std::string> TextsAt(const std::string& server,
                                 const Announcement& printer) {
  std::vector<std::string> texts = printer.texts;
  texts.push_back(
      Shortened("adminurl=http://" + server + printer.path, kLongestText));
  return texts;
}

std::string NameAfter(int conflicts, const Announcement& printer,
                      std::string_view machine) {
  if (conflicts == 0) return printer.name;
  std::string more(machine.substr(0, machine.find('.')));
  if (conflicts == 2) {
    for (const std::string& text : printer.texts) {
      if (text.starts_with("UUID=")) more += ' ' + text.substr(5, 8);
    }
  }
  if (conflicts > 2) return "";
  const std::string end = Shortened(" (" + more, kLongestName / 2) + ')';
  return Shortened(printer.name, kLongestName - end.size()) + end;
}

}  // namespace halftoned
