// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PAPPL's callbacks share, for as long as the process lives.

#ifndef HALFTONED_PRINTER_APP_APPLICATION_H_
#define HALFTONED_PRINTER_APP_APPLICATION_H_

#include <pappl/pappl.h>

#include <optional>
#include <string>
#include <vector>

#include "halftone/cpu/local_engines.h"
#include "halftone/run/pool.h"
#include "printer_app/job_engines.h"
#include "printer_app/job_keeper.h"
#include "printer_app/system_driver/system_drivers.h"

namespace halftoned {

struct Application {
  // ppd_folder: with adopted PPD files.
  explicit Application(const std::string& ppd_folder)
      : system_drivers(ppd_folder) {}

  const SystemDrivers system_drivers;
  Pool pool;
  EngineList engines = LocalEngines(pool);
  DaemonUse daemon = ReadDaemonUse();
  std::vector<pappl_pr_driver_t> drivers;
  std::optional<JobKeeper> keeper;  // of a server
};

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_APPLICATION_H_
