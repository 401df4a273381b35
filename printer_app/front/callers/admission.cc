// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/admission.h"

#include "printer_app/front/callers/callers.h"
#include "printer_app/front/callers/passwords.h"

namespace halftoned {
namespace {

std::optional<http_status_t> ProvenCaller(Front& front, FrontClient& client,
                                          Caller& proven) {
  const FrontSettings& settings = front.settings;
  if (settings.auth_service.empty()) return HTTP_STATUS_FORBIDDEN;
  if (!client.caller.is_local && !client.is_encrypted()) {
    return settings.has_tls ? HTTP_STATUS_UPGRADE_REQUIRED
                            : HTTP_STATUS_FORBIDDEN;
  }
  const auto password = PasswordIn(client.Field(HTTP_FIELD_AUTHORIZATION));
  if (!password) return HTTP_STATUS_UNAUTHORIZED;
  const std::string& network = client.caller.network;
  if (!front.passwords.Enter(network)) return HTTP_STATUS_SERVICE_UNAVAILABLE;
  const bool is_right =
      client.StartWork() &&
      IsRight(*password, settings.auth_service, client.address());
  client.WaitForMore();
  front.passwords.Leave(network);
  if (!is_right) return HTTP_STATUS_UNAUTHORIZED;
  proven.name = password->user;
  proven.has_password = true;
  proven.place = client.caller.place;
  proven.network = client.caller.network;
  proven.is_admin = IsAdministrator(proven.name, front.Live().admin_group);
  return std::nullopt;
}

}  // namespace

std::optional<http_status_t> ProveUser(Front& front, FrontClient& client) {
  Caller proven;
  const auto forbidden = ProvenCaller(front, client, proven);
  if (!forbidden) client.caller = proven;
  return forbidden;
}

std::optional<http_status_t> AskPassword(
    Front& front, FrontClient& client,
    const std::optional<std::string>& printer) {
  Caller proven;
  if (const auto forbidden = ProvenCaller(front, client, proven)) {
    return forbidden;
  }
  const bool may = printer ? front.MayPrint(proven, *printer) : proven.is_admin;
  if (!may) return HTTP_STATUS_FORBIDDEN;
  client.caller = proven;
  return std::nullopt;
}

}  // namespace halftoned
