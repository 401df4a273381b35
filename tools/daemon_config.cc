// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon_config.h"

#include <cstdlib>

namespace halftoned {

Result<DaemonConfig> ReadDaemonConfig() {
  const char* path = std::getenv("HALFTONED_CONF");
  HALFTONED_TRY_ASSIGN(const Config config,
                       ReadConfig(path ? path : HALFTONED_CONF_PATH));
  return config.daemon;
}

}  // namespace halftoned
