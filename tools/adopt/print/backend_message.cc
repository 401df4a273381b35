// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/print/backend_message.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/text.h"
#include "base/text_file.h"

namespace halftoned {
namespace {

// Messages of the backends ipp, lpd, socket and usb. Connecting normally takes
// only a moment.
constexpr std::string_view kNoAnswer[] = {
    "Connecting to printer.",
    "The printer configuration is incorrect or the printer no longer exists.",
    "The printer did not respond.",
    "The printer is in use.",
    "The printer is not connected.",
    "The printer is not responding.",
    "The printer is unreachable at this time.",
    "The printer may not exist or is unavailable at this time.",
    R"(Unable to locate printer \"%s\".)",
    "Unable to locate printer.",
    "Waiting for printer to become available."};

// form: a string of a catalog, with at most one "%s".
bool HasForm(const std::string& message, std::string form) {
  std::erase(form, '\\');
  const size_t blank = form.find("%s");
  if (blank == form.npos) return message == OneLine(form);
  const std::string after = OneLine(form.substr(blank + 2));
  return message.size() >= blank + after.size() &&
         message.starts_with(form.substr(0, blank)) && message.ends_with(after);
}

// The translation of `text`; empty if there is none.
std::string Translated(const std::string& catalog, std::string_view text) {
  const std::string key = "\nmsgid \"" + std::string(text) + "\"\nmsgstr \"";
  const size_t at = catalog.find(key);
  if (at == catalog.npos) return "";
  const size_t begin = at + key.size();
  const size_t end = catalog.find("\"\n", begin);
  return end == catalog.npos ? "" : catalog.substr(begin, end - begin);
}

bool SaysNoAnswerIn(const std::string& catalog, const std::string& message) {
  return std::ranges::any_of(kNoAnswer, [&](std::string_view text) {
    const std::string form = Translated(catalog, text);
    return !form.empty() && HasForm(message, form);
  });
}

}  // namespace

bool SaysNoAnswer(const std::string& message, const std::string& catalogs) {
  const bool is_english =
      std::ranges::any_of(kNoAnswer, [&](std::string_view text) {
        return HasForm(message, std::string(text));
      });
  if (is_english || message.empty()) return is_english;
  std::error_code error;
  for (const auto& language :
       std::filesystem::directory_iterator(catalogs, error)) {
    const std::string name = language.path().filename();
    const auto catalog =
        ReadTextFile(language.path() / ("cups_" + name + ".po"));
    if (catalog.ok() && SaysNoAnswerIn(*catalog, message)) return true;
  }
  return false;
}

}  // namespace halftoned
