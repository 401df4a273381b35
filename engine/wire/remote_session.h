// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session that lets halftoned do the work.

#ifndef HALFTONED_WIRE_REMOTE_SESSION_H_
#define HALFTONED_WIRE_REMOTE_SESSION_H_

#include <functional>
#include <memory>

#include "base/result.h"
#include "halftone/session.h"
#include "wire/remote_connection.h"

namespace halftoned::wire {

// Takes back a connection that can serve another page.
using GiveBack = std::function<void(std::unique_ptr<RemoteConnection>)>;

// No page is open on `connection`. Whether the daemon serves the page, the
// first answer tells.
Result<std::unique_ptr<Session>> OpenRemoteSession(
    const PageOrder& order, std::unique_ptr<RemoteConnection> connection,
    GiveBack give_back);

}  // namespace halftoned::wire

#endif  // HALFTONED_WIRE_REMOTE_SESSION_H_
