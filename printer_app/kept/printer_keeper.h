// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps printers and their settings when the process ends. Writes a complete
// new file next to the old one, and only if something has changed.

#pragma once

#include <pappl/pappl.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "printer_app/kept/live_printers.h"
#include "printer_app/kept/state_file.h"
#include "printer_app/server/folders.h"

namespace halftoned {

class PrinterKeeper {
 public:
  // `live` outlives the keeper.
  PrinterKeeper(Folders folders, LivePrinters& live)
      : folders_(std::move(folders)), live_(live) {}
  PrinterKeeper(const PrinterKeeper&) = delete;
  PrinterKeeper& operator=(const PrinterKeeper&) = delete;

  // The text that the last process saved. If it cannot be read, returns an
  // error and changes nothing.
  Result<std::string> Read(pappl_system_t* system);
  // Call it when PAPPL has loaded the text. Printers whose drivers are missing
  // are not loaded, but stay in the file for the next start. Returns the
  // numbers of all printers.
  std::set<int> Loaded(const std::string& text);

  // Saves the current state of the system. If several threads call it at the
  // same time, one saves for all. False if the file cannot be written.
  bool Save();

  // Call it for PAPPL's events. PAPPL itself does not save which printers are
  // paused.
  void NotePause(pappl_printer_t* printer, pappl_event_t event);
  // Pauses the printers that were paused, and resumes the others. Those that
  // refused new jobs refuse them again.
  void RestorePauses();
  // Pauses all printers, because the process is about to end.
  void PauseAll();

 private:
  bool SaveOnce();  // with saving_ held
  Result<void> WriteState(const std::string& text);
  Result<void> WritePauses();

  const Folders folders_;
  LivePrinters& live_;
  pappl_system_t* system_ = nullptr;
  std::vector<PrinterText> absent_;  // printers without their drivers
  std::mutex saving_;
  std::atomic<uint64_t> asked_ = 0;  // calls of Save()
  // The last call of Save() that is saved; guarded by saving_.
  uint64_t saved_ = 0;
  // The contents of the files; guarded by saving_.
  std::string saved_text_;
  std::string saved_pauses_;
  // The numbers of printers that refuse new jobs; at first as saved by the last
  // process.
  std::set<int> refusing_;
  bool had_printers_ = false;  // as loaded or last saved
  std::mutex pauses_;
  std::set<int> paused_;  // numbers; at first those of the last process
  std::atomic<bool> has_pauses_ = false;  // of this process
};

}  // namespace halftoned
