// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/interposed/deletion.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "printer_app/interposed/of_library.h"

extern "C" struct _pappl_resource_s* _papplSystemFindResourceForPath(
    pappl_system_t* system, const char* path);

namespace halftoned {
namespace {

// A thread that PAPPL has started for a job uses its printer a moment later.
constexpr std::chrono::milliseconds kStartOfThread{200};
constexpr std::chrono::seconds kMostWaitOfClient{2};
// How long one that takes the name of a printer that goes waits for its end.
constexpr std::chrono::seconds kMostWait{10};

struct Uses {
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t next = 0;
  std::set<uint64_t> requests;                     // by number
  std::map<pappl_printer_t*, int> printers;        // how often by jobs
  std::map<pappl_printer_t*, std::string> doomed;  // with the path of its pages
};

// Never ends: threads use it as long as there is a process.
Uses& All() {
  static auto& uses = *new Uses;
  return uses;
}

bool IsDoomed(pappl_printer_t* printer) {
  Uses& uses = All();
  const std::lock_guard lock(uses.mutex);
  return uses.doomed.contains(printer);
}

std::string PathOf(pappl_printer_t* printer) {
  char path[1024] = "";
  papplPrinterGetPath(printer, nullptr, path, sizeof(path));
  return path;
}

// begun: the requests before this number may use it.
void FreeWhenUnused(pappl_printer_t* printer, uint64_t begun) {
  static auto* const free =
      halftoned::OfLibrary(papplPrinterDelete, "papplPrinterDelete");
  Uses& uses = All();
  const auto is_unused = [&] {
    return (uses.requests.empty() || *uses.requests.begin() >= begun) &&
           !uses.printers.contains(printer);
  };
  std::unique_lock lock(uses.mutex);
  do {
    uses.changed.wait(lock, is_unused);
    lock.unlock();
    std::this_thread::sleep_for(kStartOfThread);
    lock.lock();
  } while (!is_unused());
  lock.unlock();
  free(printer);
  lock.lock();
  uses.doomed.erase(printer);
  uses.changed.notify_all();
}

thread_local std::optional<uint64_t>
    request_number;                            // the number of this thread's
thread_local pappl_printer_t* gone = nullptr;  // that this request has deleted
thread_local bool is_of_client = false;
thread_local bool sees_all = false;  // printers, those that go too

void EndRequestUse() {
  if (!request_number) return;
  Uses& uses = All();
  const std::lock_guard lock(uses.mutex);
  uses.requests.erase(*request_number);
  request_number.reset();
  uses.changed.notify_all();
}

}  // namespace

void BeginRequestUse() {
  if (request_number) return;
  Uses& uses = All();
  const std::lock_guard lock(uses.mutex);
  request_number = uses.next++;
  uses.requests.insert(*request_number);
}

ClientThread::ClientThread() { is_of_client = true; }

ClientThread::~ClientThread() {
  is_of_client = false;
  gone = nullptr;
  EndRequestUse();
}

bool HasDeleted(pappl_printer_t* printer) { return printer == gone; }

PrinterUse::PrinterUse(pappl_printer_t* printer) : printer_(printer) {
  Uses& uses = All();
  const std::lock_guard lock(uses.mutex);
  ++uses.printers[printer];
}

PrinterUse::~PrinterUse() {
  Uses& uses = All();
  const std::lock_guard lock(uses.mutex);
  if (--uses.printers[printer_] == 0) uses.printers.erase(printer_);
  uses.changed.notify_all();
}

}  // namespace halftoned

using halftoned::All;

extern "C" void papplPrinterDelete(pappl_printer_t* printer) {
  halftoned::Uses& uses = All();
  uint64_t begun = 0;
  {
    const std::string path = halftoned::PathOf(printer);
    const std::lock_guard lock(uses.mutex);
    if (!uses.doomed.try_emplace(printer, path).second) return;
    begun = uses.next;
  }
  papplPrinterCancelAllJobs(printer);
  std::thread(halftoned::FreeWhenUnused, printer, begun).detach();
  // PAPPL does not use it after this. As a rule the next request finds it gone.
  halftoned::EndRequestUse();
  halftoned::gone = printer;
  std::unique_lock lock(uses.mutex);
  uses.changed.wait_for(lock, halftoned::kMostWaitOfClient,
                        [&] { return !uses.doomed.contains(printer); });
}

extern "C" pappl_printer_t* papplSystemFindPrinter(pappl_system_t* system,
                                                   const char* resource, int id,
                                                   const char* uri) {
  static auto* const find =
      halftoned::OfLibrary(papplSystemFindPrinter, "papplSystemFindPrinter");
  pappl_printer_t* printer = find(system, resource, id, uri);
  return printer && !halftoned::sees_all && halftoned::IsDoomed(printer)
             ? nullptr
             : printer;
}

// A web page. Those of a printer are below its path.
extern "C" struct _pappl_resource_s* _papplSystemFindResourceForPath(
    pappl_system_t* system, const char* path) {
  static auto* const find = halftoned::OfLibrary(
      _papplSystemFindResourceForPath, "_papplSystemFindResourceForPath");
  if (halftoned::is_of_client) halftoned::BeginRequestUse();
  const std::string page = std::string(path ? path : "") + '/';
  {
    halftoned::Uses& uses = All();
    const std::lock_guard lock(uses.mutex);
    for (const auto& [printer, folder] : uses.doomed) {
      if (!folder.empty() && page.starts_with(folder + '/')) return nullptr;
    }
  }
  return find(system, path);
}

// One of the same name takes its place once it is gone.
extern "C" pappl_printer_t* papplPrinterCreate(pappl_system_t* system, int id,
                                               const char* name,
                                               const char* driver,
                                               const char* device_id,
                                               const char* device_uri) {
  static auto* const create =
      halftoned::OfLibrary(papplPrinterCreate, "papplPrinterCreate");
  halftoned::Uses& uses = All();
  {
    std::unique_lock lock(uses.mutex);
    uses.changed.wait_for(lock, halftoned::kMostWait,
                          [&] { return uses.doomed.empty(); });
  }
  halftoned::sees_all = true;
  pappl_printer_t* printer =
      create(system, id, name, driver, device_id, device_uri);
  halftoned::sees_all = false;
  return printer;
}
