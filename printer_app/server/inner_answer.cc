// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/inner_answer.h"

namespace halftoned {

bool AnswerFront(pappl_client_t* client, std::string_view body,
                 const char* type) {
  if (!papplClientRespond(client, HTTP_STATUS_OK, nullptr, type, 0, 0)) {
    return false;
  }
  http_t* http = papplClientGetHTTP(client);
  return (body.empty() || httpWrite2(http, body.data(), body.size()) >= 0) &&
         httpWrite2(http, "", 0) >= 0;
}

bool RefuseFront(pappl_client_t* client, http_status_t status) {
  return papplClientRespond(client, status, nullptr, nullptr, 0, 0);
}

}  // namespace halftoned
