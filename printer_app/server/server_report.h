// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone-printer-app report [PORT]`: the findings (check/finding.h) of
// `halftone check` about the running servers.

#pragma once

namespace halftoned {

// port: the service's; 0 if it does not run. Starts no server. Returns the exit
// status.
int RunServerReport(int port);

}  // namespace halftoned
