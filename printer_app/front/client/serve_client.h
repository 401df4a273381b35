// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "printer_app/front/client/client.h"
#include "printer_app/front/front.h"

namespace halftoned {

// Answers one request after another, until the client has no more.
void ServeClient(Front& front, FrontClient& client);

}  // namespace halftoned
