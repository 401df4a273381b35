// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The daemon's settings in halftoned.conf: its sockets, and the user that it
// runs as.

#ifndef HALFTONED_TOOLS_STATUS_DAEMON_CONFIG_H_
#define HALFTONED_TOOLS_STATUS_DAEMON_CONFIG_H_

#include "base/result.h"
#include "config/config.h"

namespace halftoned {

// The configuration in the file that $HALFTONED_CONF names, or in the installed
// one; the defaults where there is none. An error names the file and the line.
Result<DaemonConfig> ReadDaemonConfig();

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_STATUS_DAEMON_CONFIG_H_
