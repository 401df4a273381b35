// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "status/daemon_config.h"

namespace halftoned {

Result<DaemonConfig> ReadDaemonConfig() {
  HALFTONED_TRY_ASSIGN(const Config config, ReadConfig(ConfPath()));
  return config.daemon;
}

}  // namespace halftoned
