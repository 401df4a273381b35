// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HALFTONED_PRINTER_APP_FRONT_CLIENT_SERVE_CLIENT_H_
#define HALFTONED_PRINTER_APP_FRONT_CLIENT_SERVE_CLIENT_H_

#include "printer_app/front/client/client.h"
#include "printer_app/front/front.h"

namespace halftoned {

// Answers one request after another, until the client has no more.
void ServeClient(Front& front, FrontClient& client);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_FRONT_CLIENT_SERVE_CLIENT_H_
