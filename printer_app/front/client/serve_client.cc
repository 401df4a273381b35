// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/serve_client.h"

#include <strings.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/hosts.h"
#include "printer_app/front/client/ipp_request.h"
#include "printer_app/front/web/web_request.h"

namespace halftoned {
namespace {

bool Refuse(FrontClient& client, http_status_t status) {
  client.RespondStatus(status);
  return false;
}

bool IsIpp(const FrontClient& client) {
  return client.method() == HTTP_STATE_POST &&
         client.Field(HTTP_FIELD_CONTENT_TYPE) == "application/ipp";
}

// A form that another site's page sends has that site's origin.
bool IsFromOwnPage(const FrontClient& client, const std::string& host) {
  const std::string origin = client.Field(HTTP_FIELD_ORIGIN);
  return IsFromHost(origin.empty() ? client.Field(HTTP_FIELD_REFERER) : origin,
                    host, client.is_encrypted());
}

// Why the request is refused; empty if it is not. Browsers send an Origin with
// each POST, and IPP clients never do. A page of ours sends no IPP, but a
// service worker of a server that had our port before could.
std::string WhatForbidsPost(const FrontClient& client,
                            const std::string& host) {
  if (IsIpp(client)) {
    return client.Field(HTTP_FIELD_ORIGIN).empty()
               ? ""
               : "A web page sent an IPP request.";
  }
  return IsFromOwnPage(client, host) ? "" : "A form came from another site.";
}

bool WantsEncryption(const FrontClient& client) {
  return !strcasecmp(client.Field(HTTP_FIELD_CONNECTION).c_str(), "Upgrade") &&
         client.Field(HTTP_FIELD_UPGRADE).find("TLS/") != std::string::npos &&
         !client.is_encrypted();
}

// libcups decodes gzip, but not in chunks. Its deflate is not that of HTTP.
bool HasKnownCoding(const FrontClient& client) {
  const std::string coding = client.Field(HTTP_FIELD_CONTENT_ENCODING);
  if (client.is_chunked()) return coding.empty() || coding == "identity";
  constexpr std::string_view kKnown[] = {"", "gzip", "identity", "x-gzip"};
  return std::ranges::count(kKnown, coding) > 0;
}

// The one that it does not know; empty if it knows all that the request names.
std::string ForeignHost(const Front& front, const FrontClient& client) {
  const std::string host = client.Field(HTTP_FIELD_HOST);
  if (!front.IsOurHost(host)) return '"' + host + '"';
  const std::string& target = client.target_host();
  return target.empty() || front.IsOurHost(target) ? "" : '"' + target + '"';
}

bool ServeRequest(Front& front, FrontClient& client) {
  if (!client.HasClearSize()) return Refuse(client, HTTP_STATUS_BAD_REQUEST);
  const std::string foreign = ForeignHost(front, client);
  if (!foreign.empty()) {
    front.log.Write(FrontLog::kWarn, "Bad Host " + foreign + '.',
                    client.caller);
    return Refuse(client, HTTP_STATUS_BAD_REQUEST);
  }
  const std::string host = client.Field(HTTP_FIELD_HOST);
  // A site can have a name or an address of this machine lead to it or to us,
  // and so have a user's browser give it our pages.
  if (client.caller.is_local && !IsThisMachine(host)) {
    client.caller.is_lured = true;
    if (!IsIpp(client)) {
      client.caller.is_trusted = false;
      client.caller.name.clear();
    }
  }
  if (WantsEncryption(client) &&
      (!front.settings.has_tls || !client.Encrypt(front.certificate))) {
    return Refuse(client, HTTP_STATUS_NOT_IMPLEMENTED);
  }
  if (client.method() == HTTP_STATE_OPTIONS) {
    return client.Respond(HTTP_STATUS_OK,
                          {{"allow", "GET, HEAD, OPTIONS, POST"}}, {});
  }
  if (client.method() == HTTP_STATE_POST) {
    const std::string why_not = WhatForbidsPost(client, host);
    if (!why_not.empty()) {
      front.log.Write(FrontLog::kWarn, why_not, client.caller);
      return Refuse(client, HTTP_STATUS_FORBIDDEN);
    }
  }
  if (!HasKnownCoding(client)) {
    return Refuse(client, HTTP_STATUS_UNSUPPORTED_MEDIATYPE);
  }
  client.Decode();
  if (!client.Continue()) return false;
  return IsIpp(client) ? IppRequest(front, client).Serve()
                       : WebRequest(front, client).Serve();
}

}  // namespace

void ServeClient(Front& front, FrontClient& client) {
  const Caller caller = client.caller;
  if (!caller.is_trusted) client.UseSlotsOf(caller.network);
  if (front.settings.has_tls && !client.EncryptIfItBegins(front.certificate)) {
    return;
  }
  while (client.ReadRequest() && ServeRequest(front, client)) {
    // A password is good for its request.
    client.caller = caller;
  }
}

}  // namespace halftoned
