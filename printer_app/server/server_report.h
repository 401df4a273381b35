// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone-printer-app report [PORT]`: what `halftone check` tells of the
// servers that run, as its findings (check/finding.h).

#pragma once

namespace halftoned {

// port: of the service; 0 if it does not run. Starts no server. Returns the
// exit status.
int RunServerReport(int port);

}  // namespace halftoned
