// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/announce/announcer.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "printer_app/front/front.h"
#include "printer_app/front/pappl/printer_jobs.h"

namespace halftoned {
namespace {

constexpr std::chrono::minutes kRetry{1};
// If other services have all names.
constexpr std::chrono::minutes kRetryNames{10};

}  // namespace

Announcer::Announcer(const Front& front)
    : front_(front), wakeup_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void Announcer::Run(int port) {
  port_ = port;
  Retry();
  while (true) {
    if (Pause() == 0) Retry();
    if (is_time_to_look_.exchange(false)) ReadPrinters();
    if (avahi_.is_running()) AnnounceDue();
    for (const auto& change : avahi_.Wait(wakeup_.get(), Pause())) Heed(change);
    uint64_t count = 0;
    (void)!read(wakeup_.get(), &count, sizeof(count));
  }
}

int Announcer::Pause() const {
  const bool is_running = avahi_.is_running();
  const bool has_all = std::ranges::none_of(
      entries_, [](const auto& entry) { return entry->is_given_up; });
  if (is_running && has_all) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      last_try_ + (is_running ? kRetryNames : kRetry) -
      std::chrono::steady_clock::now());
  return std::max(0, static_cast<int>(left.count()));
}

void Announcer::Retry() {
  last_try_ = std::chrono::steady_clock::now();
  if (!avahi_.is_running()) {
    avahi_.Connect();
    for (const auto& entry : entries_) {
      entry->group.clear();
      entry->is_due = true;
    }
  }
  for (const auto& entry : entries_) {
    if (!std::exchange(entry->is_given_up, false)) continue;
    entry->conflicts = 0;
    entry->is_due = true;
  }
}

void Announcer::Look() {
  is_time_to_look_ = true;
  const uint64_t one = 1;
  (void)!write(wakeup_.get(), &one, sizeof(one));
}

std::string Announcer::HostName() const {
  const std::lock_guard lock(mutex_);
  return host_name_;
}

void Announcer::ReadPrinters() {
  std::vector<std::unique_ptr<Entry>> entries;
  const std::vector<LivePrinter> printers = front_.Printers();
  // Without an answer, all stays as it is.
  if (printers.empty() && !front_.AnswersPages()) return;
  for (const LivePrinter& each : printers) {
    const Ipp request =
        PrinterJobs(front_.behind, "", "/ipp/print/" + each.name)
            .Request(IPP_OP_GET_PRINTER_ATTRIBUTES);
    ippAddStrings(request.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                  "requested-attributes", std::size(kAnnounced), nullptr,
                  kAnnounced);
    const auto answer = front_.behind.AskIpp(request.get(), {});
    if (!answer.ok()) continue;
    Announcement printer = MakeAnnouncement(each.name, answer->get());
    const auto found =
        std::ranges::find_if(entries_, [&printer](const auto& entry) {
          return entry && entry->printer == printer;
        });
    if (found != entries_.end()) {
      entries.push_back(std::move(*found));
    } else {
      entries.push_back(std::make_unique<Entry>(Entry{std::move(printer)}));
    }
  }
  std::swap(entries, entries_);
  for (const auto& gone : entries) {
    if (gone && !gone->group.empty()) avahi_.Free(gone->group);
  }
}

void Announcer::Heed(const Avahi::Change& change) {
  if (change.kind != Avahi::Change::kConflict) {
    front_.log.Write(FrontLog::kInfo, "Avahi does not announce printers now.");
  }
  for (const auto& entry : entries_) {
    switch (change.kind) {
      case Avahi::Change::kGone:
        entry->group.clear();
        break;
      case Avahi::Change::kPaused:
        if (!entry->group.empty()) avahi_.Reset(entry->group);
        break;
      case Avahi::Change::kConflict:
        if (entry->group != change.group) continue;
        ++entry->conflicts;
        break;
    }
    entry->is_due = true;
  }
}

void Announcer::AnnounceDue() {
  for (const auto& entry : entries_) {
    if (std::exchange(entry->is_due, false)) Announce(*entry);
  }
}

// Tries names until none is taken by another service of this machine. Those of
// others become known later (kConflict).
void Announcer::Announce(Entry& entry) {
  std::string machine = avahi_.HostName();
  if (machine.empty()) machine = front_.settings.host_name;
  {
    const std::lock_guard lock(mutex_);
    host_name_ = machine;
  }
  if (entry.group.empty()) entry.group = avahi_.NewGroup();
  for (;; ++entry.conflicts) {
    avahi_.Reset(entry.group);
    const std::string name = NameAfter(entry.conflicts, entry.printer, machine);
    const Result<bool> added = name.empty() ? BadInput("its names are in use")
                                            : AddAll(entry, name, machine);
    if (added.ok() && *added) return;
    if (added.ok()) continue;
    entry.is_given_up = true;
    front_.log.Write(FrontLog::kWarn,
                     "Printer " + entry.printer.name +
                         " is not announced: " + added.error().message + '.');
    return;
  }
}

Result<bool> Announcer::AddAll(const Entry& entry, const std::string& name,
                               const std::string& machine) {
  const std::vector<std::string> record =
      TextsAt(machine + ':' + std::to_string(port_), entry.printer);
  const auto add = [&](const char* type, int port,
                       const std::vector<std::string>& texts) {
    return avahi_.AddService(entry.group, name, type, port, texts);
  };
  // Keeps the name from servers of the older protocol, and has none itself.
  Result<bool> added = add("_printer._tcp", 0, {});
  for (const char* type : {"_ipp._tcp", "_ipps._tcp"}) {
    if (!front_.settings.has_tls && std::string_view(type) == "_ipps._tcp") {
      continue;
    }
    if (!added.ok() || !*added) return added;
    added = add(type, port_, record);
    for (const char* part : {"_print", "_universal"}) {
      if (!added.ok() || !*added) return added;
      added = avahi_.AddSubtype(entry.group, name, type,
                                (std::string(part) + "._sub.").append(type));
    }
  }
  if (!added.ok() || !*added) return added;
  return avahi_.Commit(entry.group);
}

}  // namespace halftoned
