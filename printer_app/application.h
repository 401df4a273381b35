// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State that PAPPL's callbacks share. It lives as long as the process.

#pragma once

#include <pappl/pappl.h>

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/unix_socket.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/run/pool.h"
#include "print/engines/job_engines.h"
#include "print/render/page_memory.h"
#include "printer_app/front/front_log.h"
#include "printer_app/front/pappl/user_shares.h"
#include "printer_app/kept/job_keeper.h"
#include "printer_app/memory_shares.h"
#include "printer_app/pictures/picture_disk.h"
#include "printer_app/pictures/picture_memory.h"
#include "printer_app/system_driver/system_drivers.h"

namespace halftoned {

struct Application;

// Data that PAPPL keeps for us per printer, because its name for a driver may
// be auto.
struct PrinterDriver {
  const Application& application;
  const Driver& driver;
};

struct Application {
  // ppd_folder: holds adopted PPD files. is_server: this process is the server,
  // and only the server may touch printers and jobs. The sub-command `drivers`
  // also creates a system.
  Application(const std::string& ppd_folder, bool is_server)
      : may_serve(is_server), system_drivers(ppd_folder) {}

  const bool may_serve;
  SystemDrivers system_drivers;
  Pool pool;
  EngineList engines = LocalEngines(pool);
  DaemonUse daemon = ReadDaemonUse();
  PictureMemory picture_memory{MemoryForPictures(MemoryOfProcess())};
  PictureDisk picture_disk{
      [] { return UserShares::RoomOf(papplGetTempDir()); }};
  PageMemory sheet_memory{MemoryForSheets(MemoryOfProcess()), kWorkOnSheets};
  std::vector<pappl_pr_driver_t> drivers;
  std::string spool;                // set before the first job
  std::string turn_file;            // job_lock.h; set before the first printer
  std::optional<FrontLog> log;      // only in a server
  std::optional<JobKeeper> keeper;  // only in a server; refers to the log
  // Where PAPPL listens; only in a server.
  std::optional<SocketAddress> inner_socket;
  // Whether a printer may be a file: any file of the server's user. Set before
  // the first printer exists.
  bool has_file_devices = false;
  // The time that a job has for a page while other jobs wait. Set before the
  // first job.
  std::chrono::seconds page_timeout{};

  // The reference stays valid.
  const PrinterDriver& With(const Driver& driver) {
    const std::lock_guard lock(mutex_);
    return printer_drivers_.try_emplace(&driver, PrinterDriver{*this, driver})
        .first->second;
  }

 private:
  std::mutex mutex_;
  std::map<const Driver*, const PrinterDriver> printer_drivers_;
};

}  // namespace halftoned
