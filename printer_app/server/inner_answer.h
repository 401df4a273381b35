// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's answers to questions of the front end (pages below /halftone-inner).

#pragma once

#include <pappl/pappl.h>

#include <string_view>

namespace halftoned {

bool AnswerFront(pappl_client_t* client, std::string_view body,
                 const char* type = "text/plain");
bool RefuseFront(pappl_client_t* client, http_status_t status);

}  // namespace halftoned
