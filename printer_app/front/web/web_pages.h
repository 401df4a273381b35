// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's web pages, by their paths. Pure.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

enum class WebPage : uint8_t {
  kOpen,   // anybody may see it
  kJobs,   // shows jobs; each sees its own
  kOwn,    // between the front end and PAPPL
  kAdmin,  // all others
};

struct PageOfWeb {
  WebPage page;
  std::string printer;  // whose page it is; empty: of none, or of all
};

// path: decoded. printers: names, as KeyOf has them.
PageOfWeb PageAt(std::string_view path,
                 const std::vector<std::string>& printers);

// Whether the server has pages of this name (KeyOf), so that no printer may.
bool IsTaken(std::string_view key);

// Whether a printer's page deletes it.
bool Deletes(std::string_view path);

// The query for PAPPL: only if its pages link to it. A page of another
// site can link to anything.
std::string KnownQuery(std::string_view query);

// A token for forms of this caller alone, from PAPPL's, which all callers of a
// machine share. key: the server's secret.
std::string TokenFor(std::string_view place, std::string_view token,
                     std::string_view key);

// Replaces PAPPL's tokens in the forms of a page.
std::string WithTokensFor(std::string_view place, std::string page,
                          std::string_view key);

}  // namespace halftoned
