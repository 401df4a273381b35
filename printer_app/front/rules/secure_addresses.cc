// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/secure_addresses.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace halftoned {
namespace {

// "[2001:db8::1]:8000": the part before the port.
std::string_view WithoutPort(std::string_view host) {
  const size_t bracket = host.starts_with('[') ? host.find(']') : 0;
  const size_t colon = host.find(':', std::min(bracket, host.size()));
  return host.substr(0, std::min(colon, host.size()));
}

// Empty if it is not ours, or secure already.
std::string Secure(std::string_view address, std::string_view host) {
  for (const std::string_view scheme : {"ipp", "http"}) {
    if (!address.starts_with(scheme)) continue;
    std::string_view rest = address.substr(scheme.size());
    constexpr std::string_view kBegin = "://";
    if (!rest.starts_with(kBegin)) continue;
    rest.remove_prefix(kBegin.size());
    const std::string_view authority =
        rest.substr(0, std::min(rest.find('/'), rest.size()));
    if (LowerCase(WithoutPort(authority)) == host) {
      return std::string(scheme).append("s").append(
          address.substr(scheme.size()));
    }
  }
  return "";
}

void MakeSecure(ipp_t* ipp, std::string_view host) {
  for (ipp_attribute_t* attribute = ippFirstAttribute(ipp); attribute;
       attribute = ippNextAttribute(ipp)) {
    const char* name = ippGetName(attribute);
    if (!name || std::string_view(name).ends_with("device-uri")) continue;
    const bool is_security = std::string_view(name) == "xri-security";
    for (int i = 0; i < ippGetCount(attribute); ++i) {
      if (ippGetValueTag(attribute) == IPP_TAG_BEGIN_COLLECTION) {
        MakeSecure(ippGetCollection(attribute, i), host);
      } else if (ippGetValueTag(attribute) == IPP_TAG_URI) {
        const std::string secure =
            Secure(ippGetString(attribute, i, nullptr), host);
        if (secure.empty()) continue;
        ippSetString(ipp, &attribute, i, secure.c_str());
      } else if (is_security && ippGetValueTag(attribute) == IPP_TAG_KEYWORD) {
        ippSetString(ipp, &attribute, i, "tls");
      }
    }
  }
}

}  // namespace

void MakeAddressesSecure(ipp_t* answer, const std::string& host) {
  MakeSecure(answer, LowerCase(WithoutPort(host)));
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
