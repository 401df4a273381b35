// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One job at a time for each printer, and the oldest first. PAPPL 1.3 means the
// former, too, but a job that waits may be started twice, by two clients at
// once, and the next one may start before the last one's device is closed:
// pages are printed twice, or the program ends. Of jobs that wait it takes the
// newest. These functions stand before PAPPL's own, in its own calls too. Where
// PAPPL no longer calls functions of these names, they do nothing.

#include <pappl/pappl.h>

#include <map>
#include <mutex>

#include "printer_app/interposed/client_reads.h"
#include "printer_app/interposed/deletion.h"
#include "printer_app/interposed/of_library.h"

namespace {

// The printer's lock. Printers are few; their locks stay.
std::mutex& LockOf(pappl_printer_t* printer) {
  static std::mutex lock;
  static std::map<pappl_printer_t*, std::mutex> locks;
  const std::lock_guard guard(lock);
  return locks[printer];
}

void FindOldest(pappl_job_t* job, void* found) {
  auto& oldest = *static_cast<pappl_job_t**>(found);
  if (papplJobGetState(job) == IPP_JSTATE_PENDING &&
      (!oldest || papplJobGetID(job) < papplJobGetID(oldest))) {
    oldest = job;
  }
}

}  // namespace

// The thread that PAPPL starts for one of the jobs from files that are pending.
extern "C" void* _papplJobProcess(pappl_job_t* newest) {
  pappl_printer_t* printer = papplJobGetPrinter(newest);
  const halftoned::PrinterUse use(printer);
  const std::lock_guard guard(LockOf(printer));
  pappl_job_t* job = nullptr;
  papplPrinterIterateActiveJobs(printer, FindOldest, &job, 1, 0);
  if (!job) return nullptr;
  auto* process = halftoned::OfLibrary(_papplJobProcess, "_papplJobProcess");
  return process ? process(job) : nullptr;
}

// A job of raster, which the client's thread prints as it comes.
extern "C" void _papplJobProcessRaster(pappl_job_t* job,
                                       pappl_client_t* client) {
  const std::lock_guard guard(LockOf(papplJobGetPrinter(job)));
  const halftoned::JobReads reads(job);
  auto* process =
      halftoned::OfLibrary(_papplJobProcessRaster, "_papplJobProcessRaster");
  if (process) process(job, client);
}
