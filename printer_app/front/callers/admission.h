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

// The client's caller becomes the user whose password it shows. Otherwise what
// the client is told.
std::optional<http_status_t> ProveUser(Front& front, FrontClient& client);

// The same. Nothing: the user may change printers or, with a printer's name,
// print there.
std::optional<http_status_t> AskPassword(
    Front& front, FrontClient& client,
    const std::optional<std::string>& printer);

}  // namespace halftoned
