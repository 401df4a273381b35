// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone status --http`: answers one HTTP request, which comes on standard
// input, on standard output, as systemd's sockets with Accept=yes and inetd
// want it. It knows GET and HEAD of /metrics and /load, and ends the
// connection.

#ifndef HALFTONED_TOOLS_STATUS_ANSWER_HTTP_H_
#define HALFTONED_TOOLS_STATUS_ANSWER_HTTP_H_

#include <functional>
#include <string>

#include "base/result.h"

namespace halftoned {

// ask: asks the daemon for its metrics. An error if the client does not send a
// request in time, or does not take the answer.
Result<void> AnswerHttp(int in, int out,
                        const std::function<Result<std::string>()>& ask);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_STATUS_ANSWER_HTTP_H_
