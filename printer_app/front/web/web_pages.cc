// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/web/web_pages.h"

#include <cups/cups.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr std::string_view kOpen[] = {"/", "/style.css", "/favicon.png",
                                      "/navicon.png"};
constexpr std::string_view kInner = "halftone-inner";
// Names of PAPPL's pages and ours. If a printer had such a name, its deletion
// would remove the page.
constexpr std::string_view kTaken[] = {kInner,
                                       "addprinter",
                                       "apple-touch-icon.png",
                                       "config",
                                       "favicon.png",
                                       "ipp",
                                       "logfile.txt",
                                       "logs",
                                       "navicon.png",
                                       "network",
                                       "network-wifi",
                                       "security",
                                       "style.css",
                                       "tls-install-crt",
                                       "tls-new-crt",
                                       "tls-new-csr"};
constexpr std::string_view kOpenOfPrinter[] = {"/icon-sm.png", "/icon-md.png",
                                               "/icon-lg.png", "/supplies"};
constexpr std::string_view kTokenField = "name=\"session\" value=\"";

// PAPPL ignores case, and a slash at the end.
std::string Plain(std::string_view path) {
  std::string plain;
  for (const char c : LowerCase(path)) {
    if (c != '/' || !plain.ends_with('/')) plain += c;
  }
  if (plain.size() > 1 && plain.back() == '/') plain.pop_back();
  return plain;
}

}  // namespace

PageOfWeb PageAt(std::string_view path,
                 const std::vector<std::string>& printers) {
  const std::string plain = Plain(path);
  if (!plain.starts_with('/')) return {WebPage::kAdmin, ""};
  if (std::ranges::count(kOpen, plain)) return {WebPage::kOpen, ""};
  const size_t end = std::min(plain.find('/', 1), plain.size());
  const std::string name = plain.substr(1, end - 1);
  if (name == kInner) return {WebPage::kOwn, ""};
  if (!std::ranges::count(printers, name)) return {WebPage::kAdmin, ""};
  const std::string_view rest = std::string_view(plain).substr(end);
  if (std::ranges::count(kOpenOfPrinter, rest)) return {WebPage::kOpen, name};
  if (rest.empty() || rest == "/jobs") return {WebPage::kJobs, name};
  return {WebPage::kAdmin, name};
}

bool IsTaken(std::string_view key) {
  return std::ranges::count(kTaken, key) > 0;
}

bool IsFrontPage(std::string_view path) { return Plain(path) == "/"; }

bool AddsPrinters(std::string_view path) {
  return Plain(path) == "/addprinter";
}

bool Deletes(std::string_view path) { return Plain(path).ends_with("/delete"); }

bool CancelsJobs(std::string_view path) {
  const std::string plain = Plain(path);
  return plain.ends_with("/jobs") || plain.ends_with("/cancelall");
}

std::string KnownQuery(std::string_view query) {
  constexpr std::string_view kIndex = "job-index=";  // of the first job, from 1
  constexpr size_t kMostDigits = 6;
  if (query == "get-location") return std::string(query);
  if (!query.starts_with(kIndex)) return "";
  const std::string_view number = query.substr(kIndex.size());
  const bool is_number = !number.empty() && number.size() <= kMostDigits &&
                         number[0] != '0' &&
                         number.find_first_not_of("0123456789") == number.npos;
  return is_number ? std::string(query) : "";
}

std::string TokenFor(const Caller& caller, std::string_view token,
                     std::string_view key) {
  // Hashes twice, as HMAC does, against length extension.
  std::string text(key);
  text.append(caller.place).append(1, '\0');
  if (caller.has_password) text.append(caller.name);
  text.append(1, '\0').append(token);
  unsigned char inner[32], outer[32];
  char hex[2 * sizeof(outer) + 1];
  if (cupsHashData("sha2-256", text.data(), text.size(), inner,
                   sizeof(inner)) != sizeof(inner)) {
    std::abort();
  }
  text.assign(key).append(reinterpret_cast<const char*>(inner), sizeof(inner));
  if (cupsHashData("sha2-256", text.data(), text.size(), outer,
                   sizeof(outer)) != sizeof(outer)) {
    std::abort();
  }
  cupsHashString(outer, sizeof(outer), hex, sizeof(hex));
  return hex;
}

std::string WithTokensFor(const Caller& caller, std::string page,
                          std::string_view key) {
  for (size_t at = page.find(kTokenField); at != page.npos;
       at = page.find(kTokenField, at)) {
    at += kTokenField.size();
    const size_t end = page.find('"', at);
    if (end == page.npos) break;
    page.replace(at, end - at,
                 TokenFor(caller, page.substr(at, end - at), key));
  }
  return page;
}

}  // namespace halftoned
