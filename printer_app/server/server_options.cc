// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/server_options.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "base/text.h"

namespace halftoned {
namespace {

struct NamedOption {
  std::string_view name;
  unsigned added;
  unsigned taken;
};

constexpr NamedOption kServerOptions[] = {
    {"none", 0, PAPPL_SOPTIONS_WEB_INTERFACE},
    {"no-web-interface", 0, PAPPL_SOPTIONS_WEB_INTERFACE},
    {"web-log", PAPPL_SOPTIONS_WEB_LOG, 0},
    {"web-network", PAPPL_SOPTIONS_WEB_NETWORK, 0},
    {"web-remote", PAPPL_SOPTIONS_WEB_REMOTE, 0},
    {"no-tls", PAPPL_SOPTIONS_NO_TLS, 0},
};

constexpr std::string_view kKnown[] = {
    "admin-group",    "after-crash",    "answer-timeout",  "auth-service",
    "client-timeout", "file-devices",   "listen-hostname", "log-file",
    "log-level",      "page-timeout",   "private-server",  "server-hostname",
    "server-memory",  "server-options", "server-port",     "spool-directory",
    "user-jobs",      "user-spool"};

constexpr std::string_view kLevels[] = {"debug", "info", "warn", "error",
                                        "fatal"};

}  // namespace

// Ignoring such an option could leave a server open that should require
// passwords.
std::string ServerOptions::Fault() const {
  for (const cups_option_t& option :
       std::span(options_, static_cast<size_t>(count_))) {
    const std::string name = option.name;
    if (std::ranges::find(kKnown, name) == std::end(kKnown)) {
      return name + ": no such option of the server";
    }
    if (!*option.value) return name + ": has no value";
  }
  return "";
}

std::optional<pappl_soptions_t> ServerOptions::Server() const {
  unsigned flags = PAPPL_SOPTIONS_MULTI_QUEUE | PAPPL_SOPTIONS_WEB_INTERFACE;
  const char* value = Find("server-options");
  std::string_view left = value ? value : "";
  while (!left.empty()) {
    const size_t end = std::min(left.find(','), left.size());
    const std::string_view word = left.substr(0, end);
    const auto* found =
        std::ranges::find(kServerOptions, word, &NamedOption::name);
    if (found == std::end(kServerOptions)) return std::nullopt;
    flags = (flags & ~found->taken) | found->added;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return flags;
}

std::string ServerOptions::LogFile(const Folders& folders) const {
  const char* file = Find("log-file");
  return file ? file : folders.LogFile();
}

std::optional<pappl_loglevel_t> ServerOptions::Level() const {
  const char* value = Find("log-level");
  if (!value) return PAPPL_LOGLEVEL_WARN;
  const auto* found = std::ranges::find(kLevels, std::string_view(value));
  if (found == std::end(kLevels)) return std::nullopt;
  return static_cast<pappl_loglevel_t>(PAPPL_LOGLEVEL_DEBUG +
                                       (found - kLevels));
}

std::optional<bool> ServerOptions::Truth(const char* name) const {
  const char* text = Find(name);
  const std::string_view value = text ? text : "false";
  if (value != "true" && value != "false") return std::nullopt;
  return value == "true";
}

std::optional<int> ServerOptions::Number(const char* name, int most,
                                         int otherwise) const {
  const char* value = Find(name);
  if (!value) return otherwise;
  const auto number = ParseNumber<int>(value);
  return number >= 1 && number <= most ? number : std::nullopt;
}

}  // namespace halftoned
