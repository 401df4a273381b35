// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The DNS-SD entry of a printer. Pure.

#pragma once

#include <cups/ipp.h>

#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

struct Announcement {
  std::string name;
  std::string path;                // of its web page
  std::vector<std::string> texts;  // KEY=VALUE, of its TXT record

  bool operator==(const Announcement&) const = default;
};

// The attributes that it is made from.
inline constexpr const char* kAnnounced[] = {
    "color-supported", "document-format-supported", "printer-dns-sd-name",
    "printer-kind",    "printer-location",          "printer-make-and-model",
    "printer-uuid",    "sides-supported",           "urf-supported"};

// printer: the name in its address.
Announcement MakeAnnouncement(const std::string& printer, ipp_t* attributes);

// With the address of its web page. server: a host and a port.
std::vector<std::string> TextsAt(const std::string& server,
                                 const Announcement& printer);

// The name to use after this many names were already taken in the network: with
// the first label of the machine's name, then with more of the printer's. After
// these there is none: if all of them are taken, we give up.
std::string NameAfter(int conflicts, const Announcement& printer,
                      std::string_view machine);

}  // namespace halftoned
