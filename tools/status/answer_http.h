// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone status --http`: answers one HTTP request, which comes on standard
// input, on standard output, as systemd's sockets with Accept=yes and inetd
// want it. It knows GET and HEAD of /metrics and /load, and ends the
// connection.
//
// A page in a browser can have any name lead to this machine, and read what is
// answered to that name (DNS rebinding). So a request must be to an address,
// localhost, the machine's own name, or one that the administrator has given.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace halftoned {

// names: of this machine (hosts.h). ask: asks the daemon for its metrics. An
// error if the client does not send a request in time, or does not take the
// answer.
Result<void> AnswerHttp(int in, int out, const std::vector<std::string>& names,
                        const std::function<Result<std::string>()>& ask);

}  // namespace halftoned
