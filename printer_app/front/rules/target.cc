// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/target.h"

#include <cups/http.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr std::string_view kSystem = "/ipp/system";
constexpr std::string_view kPrinters = "/ipp/print";

// Empty if the text is no address.
std::string PathIn(const char* uri) {
  char scheme[64], user[256], host[HTTP_MAX_HOST], path[1024];
  int port = 0;
  if (!uri || httpSeparateURI(HTTP_URI_CODING_ALL, uri, scheme, sizeof(scheme),
                              user, sizeof(user), host, sizeof(host), &port,
                              path, sizeof(path)) < HTTP_URI_STATUS_OK) {
    return "";
  }
  return path;
}

// PAPPL keeps the address with the job, and shows it to others: only its path
// is the client's (own_addresses.h).
void NameLocalhost(ipp_t* request, ipp_attribute_t* attribute) {
  const std::string path = PathIn(ippGetString(attribute, 0, nullptr));
  char uri[4096];
  if (httpAssembleURI(HTTP_URI_CODING_ALL, uri, sizeof(uri), "ipp", nullptr,
                      "localhost", 0, path.c_str()) == HTTP_URI_STATUS_OK) {
    ippSetString(request, &attribute, 0, uri);
  }
}

// 0 if the text is none.
int JobIn(std::string_view text) {
  return std::max(0, ParseNumber<int>(text).value_or(0));
}

bool SetPrinter(IppTarget& target, std::string_view path) {
  if (path == "/") path = kPrinters;
  if (!path.starts_with(kPrinters)) return false;
  std::string_view rest = path.substr(kPrinters.size());
  if (!rest.empty() && rest[0] != '/') return false;
  if (!rest.empty()) rest.remove_prefix(1);
  target.printer = rest.substr(0, rest.find('/'));
  target.resource = std::string(kPrinters) +
                    (target.printer.empty() ? "" : "/" + target.printer);
  return true;
}

std::optional<IppTarget> FindTarget(ipp_t* request, ipp_attribute_t*& address) {
  IppTarget target;
  const auto find = [&](const char* name) {
    address = ippFindAttribute(request, name, IPP_TAG_URI);
    return address ? PathIn(ippGetString(address, 0, nullptr)) : "";
  };
  if (const std::string path = find("system-uri"); address) {
    target.is_system = true;
    target.resource = path;
    return path == kSystem ? std::optional(target) : std::nullopt;
  }
  if (const std::string path = find("printer-uri"); address) {
    target.job =
        ippGetInteger(ippFindAttribute(request, "job-id", IPP_TAG_INTEGER), 0);
    return SetPrinter(target, path) ? std::optional(target) : std::nullopt;
  }
  const std::string path = find("job-uri");
  const size_t slash = path.rfind('/');
  if (!address || slash == path.npos) return std::nullopt;
  target.job = JobIn(path.substr(slash + 1));
  if (target.job == 0 || !SetPrinter(target, path.substr(0, slash))) {
    return std::nullopt;
  }
  return target;
}

// kept: the address. If a job's number counts, the first one does.
void DeleteOthers(ipp_t* request, ipp_attribute_t* kept, bool has_number) {
  std::vector<ipp_attribute_t*> others;
  for (ipp_attribute_t* attribute = ippFirstAttribute(request); attribute;
       attribute = ippNextAttribute(request)) {
    const std::string_view name =
        ippGetName(attribute) ? ippGetName(attribute) : "";
    if (name == "job-id" && has_number &&
        ippGetValueTag(attribute) == IPP_TAG_INTEGER) {
      has_number = false;
    } else if (attribute != kept &&
               (name == "system-uri" || name == "printer-uri" ||
                name == "job-uri" || name == "job-id")) {
      others.push_back(attribute);
    }
  }
  for (ipp_attribute_t* other : others) ippDeleteAttribute(request, other);
}

}  // namespace

std::optional<IppTarget> SettleTarget(ipp_t* request) {
  ipp_attribute_t* address = nullptr;
  const std::optional<IppTarget> target = FindTarget(request, address);
  if (target) {
    DeleteOthers(request, address,
                 std::string_view("printer-uri") == ippGetName(address));
    NameLocalhost(request, address);
  }
  return target;
}

}  // namespace halftoned
