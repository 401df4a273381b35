// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/own_addresses.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr std::string_view kForPappl = "localhost";
constexpr std::string_view kBegin = "://";
// In jobs of earlier servers and in events, PAPPL writes these with the name
// that it knows.
constexpr std::string_view kOwn[] = {"job-printer-uri", "job-uri",
                                     "notify-printer-uri", "notify-system-uri"};

// "[2001:db8::1]:8000": the part before the port.
std::string_view WithoutPort(std::string_view host) {
  const size_t bracket = host.starts_with('[') ? host.find(']') : 0;
  const size_t colon = host.find(':', std::min(bracket, host.size()));
  return host.substr(0, std::min(colon, host.size()));
}

// is_own: whatever its host is.
std::string Written(std::string_view host, bool is_secure,
                    std::string_view address, bool is_own) {
  const size_t begin = address.find(kBegin);
  if (begin == address.npos) return "";
  std::string scheme(address.substr(0, begin));
  if (scheme == "ipp" || scheme == "http") {
    if (is_secure) scheme += 's';
  } else if (scheme != "ipps" && scheme != "https") {
    return "";
  }
  const std::string_view rest = address.substr(begin + kBegin.size());
  const std::string_view name = WithoutPort(rest.substr(0, rest.find('/')));
  if (!is_own && LowerCase(name) != kForPappl) return "";
  const bool has_port = WithoutPort(host).size() < host.size();
  return scheme.append(kBegin).append(host).append(rest.substr(
      has_port ? std::min(rest.find('/'), rest.size()) : name.size()));
}

}  // namespace

std::string HostForPappl(std::string_view host) {
  return std::string(kForPappl).append(host.substr(WithoutPort(host).size()));
}

std::string AddressFor(std::string_view host, bool is_secure,
                       std::string_view address) {
  return Written(host, is_secure, address, false);
}

void SetAddresses(std::string_view host, bool is_secure, ipp_t* ipp) {
  for (ipp_attribute_t* attribute = ippFirstAttribute(ipp); attribute;
       attribute = ippNextAttribute(ipp)) {
    const char* name = ippGetName(attribute);
    if (!name || std::string_view(name).ends_with("device-uri")) continue;
    const bool is_security = std::string_view(name) == "xri-security";
    const bool is_own = std::ranges::count(kOwn, name) > 0;
    for (int i = 0; i < ippGetCount(attribute); ++i) {
      if (ippGetValueTag(attribute) == IPP_TAG_BEGIN_COLLECTION) {
        SetAddresses(host, is_secure, ippGetCollection(attribute, i));
      } else if (ippGetValueTag(attribute) == IPP_TAG_URI) {
        const std::string address = Written(
            host, is_secure, ippGetString(attribute, i, nullptr), is_own);
        if (address.empty()) continue;
        ippSetString(ipp, &attribute, i, address.c_str());
      } else if (is_security && is_secure &&
                 ippGetValueTag(attribute) == IPP_TAG_KEYWORD) {
        ippSetString(ipp, &attribute, i, "tls");
      }
    }
  }
}

std::string WithLinksFor(const std::string& host, bool is_secure,
                         const std::string& page) {
  constexpr std::string_view kLink = "\"http";
  std::string written;
  size_t done = 0;
  for (size_t at = page.find(kLink); at != page.npos;
       at = page.find(kLink, done)) {
    const size_t end = std::min(page.find('"', at + 1), page.size());
    const std::string link = page.substr(at + 1, end - at - 1);
    const std::string address = AddressFor(host, is_secure, link);
    written.append(page, done, at + 1 - done);
    written += address.empty() ? link : address;
    done = end;
  }
  return written.append(page, done);
}

void MatchSecurities(ipp_t* answer, bool is_secure) {
  const int count = ippGetCount(
      ippFindAttribute(answer, "printer-uri-supported", IPP_TAG_URI));
  if (count == 0) return;
  ipp_attribute_t* securities =
      ippFindAttribute(answer, "uri-security-supported", IPP_TAG_KEYWORD);
  ipp_attribute_t* proofs =
      ippFindAttribute(answer, "uri-authentication-supported", IPP_TAG_KEYWORD);
  for (ipp_attribute_t* values : {securities, proofs}) {
    const int more = ippGetCount(values) - count;
    // libcups deletes no last value.
    if (more > 0) ippDeleteValues(answer, &values, 0, more);
  }
  for (int i = 0; i < ippGetCount(securities); ++i) {
    ippSetString(answer, &securities, i, is_secure ? "tls" : "none");
  }
}

}  // namespace halftoned
