// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Admits a user who gives a password, by PAM, over a connection that nobody
// else can read.

#pragma once

#include <cups/http.h>

#include <optional>
#include <string>

#include "printer_app/front/client/client.h"
#include "printer_app/front/front.h"

namespace halftoned {

// Checks the client's password. If it is right, its user becomes the client's
// caller; otherwise returns the status for the client.
std::optional<http_status_t> ProveUser(Front& front, FrontClient& client);

// As ProveUser, but the user also needs the right to change printers or, if
// `printer` has a name, to print there.
std::optional<http_status_t> AskPassword(
    Front& front, FrontClient& client,
    const std::optional<std::string>& printer);

}  // namespace halftoned
