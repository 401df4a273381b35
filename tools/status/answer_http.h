// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone status --http`: reads one HTTP request from standard input and
// answers it on standard output, as needed by systemd's sockets with Accept=yes
// and by inetd. It supports GET and HEAD for /metrics and /load, and closes the
// connection.
//
// A page in a browser can make any name resolve to this machine, and read the
// answers to requests for that name (DNS rebinding). So a request must name an
// address, localhost, the machine's own name, or a name from the administrator.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace halftoned {

// names: this machine's names (hosts.h). ask: asks the daemon for its metrics.
// Fails if the client does not send a request in time, or does not accept the
// response.
Result<void> AnswerHttp(int in, int out, const std::vector<std::string>& names,
                        const std::function<Result<std::string>()>& ask);

}  // namespace halftoned
