// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of PAPPL's printers. Searches of PAPPL's own list disturb one another:
// threads that only read it share the list's current element, so one of them
// can miss a printer and see another one twice. PAPPL also locks the system
// during a search; a thread that aborts a job locks its printer, then the job,
// and then the system, so the two threads could deadlock. Therefore PAPPL's
// events update this list, and a search locks only this object. Deletions wait
// for that lock.

#pragma once

#include <pappl/pappl.h>
#include <strings.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace halftoned {

class LivePrinters {
 public:
  LivePrinters() = default;
  LivePrinters(const LivePrinters&) = delete;
  LivePrinters& operator=(const LivePrinters&) = delete;

  // Adds the existing printers. Call it before other threads use the system.
  void Begin(pappl_system_t* system) {
    papplSystemIteratePrinters(
        system,
        [](pappl_printer_t* printer, void* live) {
          static_cast<LivePrinters*>(live)->Add(printer);
        },
        this);
  }
  // Call these two for PAPPL's events. PAPPL frees the printer after Delete.
  void Add(pappl_printer_t* printer) {
    const std::lock_guard lock(mutex_);
    printers_.insert(
        std::ranges::lower_bound(printers_, NameOf(printer), {}, NameOf),
        printer);
  }
  void Delete(pappl_printer_t* printer) {
    const std::lock_guard lock(mutex_);
    std::erase(printers_, printer);
  }

  // Ordered by name.
  template <typename Use>
  void ForEach(Use use) {
    const std::lock_guard lock(mutex_);
    for (pappl_printer_t* printer : printers_) use(printer);
  }
  // Only for callers that know that no printer is being deleted.
  std::vector<pappl_printer_t*> All() {
    const std::lock_guard lock(mutex_);
    return printers_;
  }
  // Finds a printer by the last part of its URI; null if there is none.
  pappl_printer_t* Find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    for (pappl_printer_t* printer : printers_) {
      if (strcasecmp(PathOf(printer).c_str(), ("/" + name).c_str()) == 0) {
        return printer;
      }
    }
    return nullptr;
  }
  // "/NAME"
  static std::string PathOf(pappl_printer_t* printer) {
    char path[1024] = "";
    papplPrinterGetPath(printer, nullptr, path, sizeof(path));
    return path;
  }

 private:
  static std::string_view NameOf(pappl_printer_t* printer) {
    return papplPrinterGetName(printer);
  }

  std::mutex mutex_;
  std::vector<pappl_printer_t*> printers_;
};

}  // namespace halftoned
