// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/admission.h"

#include <security/pam_appl.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "printer_app/front/callers/callers.h"
#include "printer_app/front/callers/network.h"
#include "printer_app/front/rules/texts.h"

namespace halftoned {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kShortWait{1};

// A user of this machine, for PAM.
struct Password {
  std::string user;
  std::string text;
};

// PAM frees the answers.
int Converse(int count, const pam_message** messages, pam_response** answers,
             void* data) {
  const auto& password = *static_cast<const Password*>(data);
  *answers = static_cast<pam_response*>(
      std::calloc(static_cast<size_t>(count), sizeof(pam_response)));
  if (!*answers) return PAM_CONV_ERR;
  for (int i = 0; i < count; ++i) {
    const int style = messages[i]->msg_style;
    if (style == PAM_PROMPT_ECHO_ON) {
      (*answers)[i].resp = strdup(password.user.c_str());
    } else if (style == PAM_PROMPT_ECHO_OFF) {
      (*answers)[i].resp = strdup(password.text.c_str());
    }
  }
  return PAM_SUCCESS;
}

// From an Authorization header; nothing unless it is Basic.
std::optional<Password> PasswordIn(std::string_view authorization) {
  constexpr std::string_view kBasic = "basic ";
  if (LowerCase(authorization.substr(0, kBasic.size())) != kBasic) {
    return std::nullopt;
  }
  const std::string coded(authorization.substr(kBasic.size()));
  std::vector<char> room(coded.size() + 1);
  int size = static_cast<int>(room.size());
  if (!httpDecode64_2(room.data(), &size, coded.c_str())) return std::nullopt;
  const std::string_view text(room.data(), static_cast<size_t>(size));
  const size_t colon = text.find(':');
  if (colon == text.npos || colon == 0 || text.find('\0') != text.npos) {
    return std::nullopt;
  }
  return Password{std::string(text.substr(0, colon)),
                  std::string(text.substr(colon + 1))};
}

// An error: PAM refuses the password. service: of PAM. host: the client's, for
// PAM's log.
Result<void> Check(const Password& password, const std::string& service,
                   const std::string& host) {
  const pam_conv conversation = {Converse, const_cast<Password*>(&password)};
  pam_handle_t* pam = nullptr;
  if (pam_start(service.c_str(), password.user.c_str(), &conversation, &pam) !=
      PAM_SUCCESS) {
    return IoError("PAM cannot be used");
  }
  int status = pam_set_item(pam, PAM_RHOST, host.c_str());
  if (status == PAM_SUCCESS) status = pam_authenticate(pam, PAM_SILENT);
  if (status == PAM_SUCCESS) status = pam_acct_mgmt(pam, PAM_SILENT);
  const std::string reason = pam_strerror(pam, status);
  pam_end(pam, status);
  if (status != PAM_SUCCESS) return BadInput(reason);
  return {};
}

// Checks the password when its turn comes, and remembers whether it is right.
// Nothing: too many are waiting.
std::optional<Result<void>> CheckInTurn(Front& front, FrontClient& client,
                                        const Password& password) {
  const std::string& network = client.caller.network;
  const std::string site = SiteOf(network);
  const std::string user = network + ' ' + password.user;
  const auto asked = Clock::now();
  const bool is_proven = front.right_passwords.Has(user, asked);
  const bool is_suspect = !is_proven && front.wrong_passwords.Has(site, asked);
  NetworkCounts& checks =
      is_proven ? front.proven_checks : front.unproven_checks;
  if (!checks.Enter(network)) return std::nullopt;
  bool is_there = client.StartCheck();
  WorkSlots::Slot among_suspects(front.suspects_turns);
  WorkSlots::Slot turn(is_proven ? front.proven_turns : front.unproven_turns);
  if (is_there && is_suspect) among_suspects.Take(network);
  if (is_there) turn.Take(network);
  // One that has closed only its direction cannot be told from one that has
  // gone.
  const bool has_waited = Clock::now() - asked > kShortWait;
  is_there = is_there && !(has_waited && client.HasClosed());
  Result<void> checked =
      is_there ? Check(password, front.settings.auth_service, client.address())
               : BadInput("the client has gone");
  if (is_there && checked.ok()) {
    front.right_passwords.Add(user, Clock::now());
  } else if (is_there) {
    front.right_passwords.Remove(user);
    front.wrong_passwords.Add(site, Clock::now());
    front.log.Write(FrontLog::kWarn,
                    "No access for " + CleanText(password.user) + ", from " +
                        client.address() + ": " + checked.error().message + '.',
                    client.caller, FrontLog::kRefusal);
  }
  client.WaitForMore();
  checks.Leave(network);
  return checked;
}

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
  const auto checked = CheckInTurn(front, client, *password);
  if (!checked) return HTTP_STATUS_SERVICE_UNAVAILABLE;
  if (!checked->ok()) return HTTP_STATUS_UNAUTHORIZED;
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
  auto forbidden = ProvenCaller(front, client, proven);
  if (!forbidden &&
      !(printer ? front.MayPrint(proven, *printer) : proven.is_admin)) {
    forbidden = HTTP_STATUS_FORBIDDEN;
  }
  if (forbidden == HTTP_STATUS_FORBIDDEN) {
    const std::string& user =
        proven.name.empty() ? client.caller.place : proven.name;
    front.log.Write(FrontLog::kInfo,
                    user + " has no right to " +
                        (printer ? "print on " + *printer : "change printers") +
                        '.',
                    client.caller, FrontLog::kRefusal);
  }
  if (!forbidden) client.caller = proven;
  return forbidden;
}

}  // namespace halftoned
