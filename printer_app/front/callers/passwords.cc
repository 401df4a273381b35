// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/callers/passwords.h"

#include <cups/http.h>
#include <security/pam_appl.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace halftoned {
namespace {

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

}  // namespace

std::optional<Password> PasswordIn(std::string_view authorization) {
  constexpr std::string_view kBasic = "Basic ";
  if (!authorization.starts_with(kBasic)) return std::nullopt;
  const std::string coded(authorization.substr(kBasic.size()));
  std::vector<char> room(coded.size() + 1);
  int size = static_cast<int>(room.size());
  httpDecode64_2(room.data(), &size, coded.c_str());
  const std::string_view text(room.data(), strnlen(room.data(), room.size()));
  const size_t colon = text.find(':');
  if (colon == text.npos || colon == 0) return std::nullopt;
  return Password{std::string(text.substr(0, colon)),
                  std::string(text.substr(colon + 1))};
}

bool IsRight(const Password& password, const std::string& service,
             const std::string& host) {
  const pam_conv conversation = {Converse, const_cast<Password*>(&password)};
  pam_handle_t* pam = nullptr;
  if (pam_start(service.c_str(), password.user.c_str(), &conversation, &pam) !=
      PAM_SUCCESS) {
    return false;
  }
  int status = pam_set_item(pam, PAM_RHOST, host.c_str());
  if (status == PAM_SUCCESS) status = pam_authenticate(pam, PAM_SILENT);
  if (status == PAM_SUCCESS) status = pam_acct_mgmt(pam, PAM_SILENT);
  pam_end(pam, status);
  return status == PAM_SUCCESS;
}

}  // namespace halftoned
