// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's printers, one after another. PAPPL's own iteration locks the system
// meanwhile; a thread that aborts a job locks its printer, then the job, and
// then the system, so the two would wait for each other. Here nothing is locked
// but this object, which a deletion waits for.

#pragma once

#include <pappl/pappl.h>

#include <mutex>
#include <set>
#include <vector>

namespace halftoned {

class LivePrinters {
 public:
  LivePrinters() = default;
  LivePrinters(const LivePrinters&) = delete;
  LivePrinters& operator=(const LivePrinters&) = delete;

  template <typename Use>
  void ForEach(pappl_system_t* system, Use use) {
    const std::lock_guard lock(mutex_);
    std::vector<pappl_printer_t*> printers;
    papplSystemIteratePrinters(
        system,
        [](pappl_printer_t* printer, void* list) {
          static_cast<std::vector<pappl_printer_t*>*>(list)->push_back(printer);
        },
        &printers);
    for (pappl_printer_t* printer : printers) {
      if (!deleted_.contains(papplPrinterGetID(printer))) use(printer);
    }
  }

  // Call it for the event: PAPPL frees the printer soon.
  void Delete(pappl_printer_t* printer) {
    const std::lock_guard lock(mutex_);
    deleted_.insert(papplPrinterGetID(printer));
  }

 private:
  std::mutex mutex_;
  std::set<int> deleted_;  // numbers, which PAPPL does not use again
};

}  // namespace halftoned
