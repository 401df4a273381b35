// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's web pages, by their paths. Pure.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "printer_app/front/rules/caller.h"

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

// path: decoded. printers: names, as KeyOf returns them.
PageOfWeb PageAt(std::string_view path,
                 const std::vector<std::string>& printers);

// True if the server has a page with this name (see KeyOf): printers must have
// other names.
bool IsTaken(std::string_view key);

// True if the path is that of the page that lists printers.
bool IsFrontPage(std::string_view path);

// True if the path is that of the page for new printers.
bool AddsPrinters(std::string_view path);

// True if the path is that of a page that deletes its printer.
bool Deletes(std::string_view path);

// True if the path is that of a page that cancels jobs.
bool CancelsJobs(std::string_view path);

// Returns the query if PAPPL's pages have links with it, and an empty one
// otherwise: pages of other sites can have links with any query.
std::string KnownQuery(std::string_view query);

// Makes a form token from PAPPL's token, which all callers on a machine share.
// The new token is for a user of this machine, or for an address and, if the
// caller has given a password, its user. key: the server's secret.
std::string TokenFor(const Caller& caller, std::string_view token,
                     std::string_view key);

// Replaces PAPPL's tokens in the forms of a page.
std::string WithTokensFor(const Caller& caller, std::string page,
                          std::string_view key);

}  // namespace halftoned
