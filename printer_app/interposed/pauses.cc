// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/interposed/pauses.h"

#include <pappl/pappl.h>

#include <mutex>

#include "printer_app/interposed/of_library.h"

namespace halftoned {
namespace {

std::mutex pauses_lock;
std::set<int> paused_printers;

}  // namespace

std::set<int> PausedPrinters() {
  const std::lock_guard guard(pauses_lock);
  return paused_printers;
}

}  // namespace halftoned

extern "C" void papplPrinterPause(pappl_printer_t* printer) {
  static auto* const pause =
      halftoned::OfLibrary(papplPrinterPause, "papplPrinterPause");
  {
    const int id = papplPrinterGetID(printer);
    const std::lock_guard guard(halftoned::pauses_lock);
    halftoned::paused_printers.insert(id);
  }
  pause(printer);
}

extern "C" void papplPrinterResume(pappl_printer_t* printer) {
  static auto* const resume =
      halftoned::OfLibrary(papplPrinterResume, "papplPrinterResume");
  {
    const int id = papplPrinterGetID(printer);
    const std::lock_guard guard(halftoned::pauses_lock);
    halftoned::paused_printers.erase(id);
  }
  resume(printer);
}
