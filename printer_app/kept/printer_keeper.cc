// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/printer_keeper.h"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sstream>
#include <utility>

#include "printer_app/handover/job_lock.h"
#include "printer_app/kept/printers_text.h"
#include "printer_app/kept/whole_file.h"

namespace halftoned {
Result<std::string> PrinterKeeper::Read(pappl_system_t* system) {
  system_ = system;
  const std::string pauses = folders_.PausedFile();
  if (access(pauses.c_str(), F_OK) == 0 || errno != ENOENT) {
    HALFTONED_TRY_ASSIGN(saved_pauses_, ReadWhole(pauses));
  }
  std::istringstream pauses_text(saved_pauses_);
  int id = 0;
  for (std::string line; std::getline(pauses_text, line);) {
    if (std::sscanf(line.c_str(), "refuses %d", &id) == 1) {
      refusing_.insert(id);
    } else if (std::sscanf(line.c_str(), "%d", &id) == 1) {
      paused_.insert(id);
    }
  }
  HALFTONED_TRY_ASSIGN(KeptState kept, ReadState(folders_));
  had_printers_ = kept.printers > 0;
  if (had_printers_) {
    // The disk may be full.
    const Result<void> done = WriteWhole(folders_.LastGoodFile(), kept.text);
    if (!done.ok()) {
      papplLog(system_, PAPPL_LOGLEVEL_WARN, "%s",
               done.error().message.c_str());
    }
  }
  return std::move(kept.text);
}

std::set<int> PrinterKeeper::Loaded(const std::string& text) {
  std::set<int> numbers;
  std::vector<std::string> names;
  live_.ForEach([&](pappl_printer_t* printer) {
    numbers.insert(papplPrinterGetID(printer));
    names.emplace_back(papplPrinterGetName(printer));
  });
  for (PrinterText& printer : PrintersIn(text)) {
    const auto has_its_name = [&](const std::string& name) {
      return strcasecmp(name.c_str(), printer.name.c_str()) == 0;
    };
    if (printer.id <= 0 || numbers.contains(printer.id)) continue;
    if (std::ranges::any_of(names, has_its_name)) {
      papplLog(system_, PAPPL_LOGLEVEL_ERROR,
               "Two printers are named %s; number %d and its jobs are removed.",
               printer.name.c_str(), printer.id);
      continue;
    }
    const std::string why =
        printer.text.find('\n') > kLongestStateLine
            ? "its address is too long"
            : "the driver " + printer.driver + " cannot be used";
    papplLog(system_, PAPPL_LOGLEVEL_ERROR,
             "Printer %s and its jobs are missing until the next start: %s. "
             "Any new printer of this name replaces it.",
             printer.name.c_str(), why.c_str());
    numbers.insert(printer.id);
    absent_.push_back(std::move(printer));
  }
  return numbers;
}

bool PrinterKeeper::Save() {
  const uint64_t mine = ++asked_;
  const std::lock_guard lock(saving_);
  if (saved_ >= mine) return true;
  const uint64_t all = asked_;
  if (!SaveOnce()) return false;
  saved_ = all;
  return true;
}

bool PrinterKeeper::SaveOnce() {
  Descriptor copies = LockCopies(folders_.TurnFile());
  std::string text = PrintersText(system_, live_);
  copies.Close();
  for (const PrinterText& printer : absent_) text += printer.text;
  Result<void> done = WriteState(text);
  if (done.ok()) done = WritePauses();
  if (!done.ok()) {
    papplLog(system_, PAPPL_LOGLEVEL_ERROR, "Printers cannot be saved: %s",
             done.error().message.c_str());
  }
  return done.ok();
}

Result<void> PrinterKeeper::WriteState(const std::string& text) {
  if (text == saved_text_) return {};
  HALFTONED_TRY_ASSIGN(const int printers, CountPrinters(text));
  HALFTONED_TRY(WriteWhole(folders_.StateFile(), text));
  saved_text_ = text;
  // The user deleted the last printer, so no printer is lost.
  if (had_printers_ && printers == 0) {
    std::remove(folders_.LastGoodFile().c_str());
  }
  had_printers_ = printers > 0;
  return {};
}

Result<void> PrinterKeeper::WritePauses() {
  if (!has_pauses_) return {};
  std::set<int> refusing;
  live_.ForEach([&](pappl_printer_t* printer) {
    if (papplPrinterIsAcceptingJobs(printer)) return;
    refusing.insert(papplPrinterGetID(printer));
  });
  for (const PrinterText& printer : absent_) {
    if (refusing_.contains(printer.id)) refusing.insert(printer.id);
  }
  refusing_ = std::move(refusing);
  std::string text;
  {
    const std::lock_guard lock(pauses_);
    for (const int id : paused_) text += std::to_string(id) + '\n';
  }
  for (const int id : refusing_) {
    text += "refuses " + std::to_string(id) + '\n';
  }
  if (text == saved_pauses_) return {};
  HALFTONED_TRY(WriteWhole(folders_.PausedFile(), text));
  saved_pauses_ = text;
  return {};
}

// An unreachable printer is stopped, too, and PAPPL reports the same state for
// both.
void PrinterKeeper::NotePause(pappl_printer_t* printer, pappl_event_t event) {
  const std::lock_guard lock(pauses_);
  const int id = papplPrinterGetID(printer);
  if ((event & PAPPL_EVENT_PRINTER_STOPPED) != 0) {
    paused_.insert(id);
  } else if (papplPrinterGetState(printer) == IPP_PSTATE_IDLE ||
             (event & PAPPL_EVENT_PRINTER_DELETED) != 0) {
    paused_.erase(id);
  }
}

void PrinterKeeper::RestorePauses() {
  std::set<int> paused;
  {
    const std::lock_guard lock(pauses_);
    paused = paused_;  // which these calls change
  }
  live_.ForEach([&](pappl_printer_t* printer) {
    const int id = papplPrinterGetID(printer);
    if (refusing_.contains(id)) papplPrinterDisable(printer);
    if (paused.contains(id)) {
      papplPrinterPause(printer);
    } else {
      papplPrinterResume(printer);
    }
  });
  has_pauses_ = true;
}

void PrinterKeeper::PauseAll() {
  Save();
  has_pauses_ = false;
  live_.ForEach(papplPrinterPause);
}

}  // namespace halftoned
