// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps printers and their settings beyond the end of the process. The file is
// written whole beside the old one, and only if something has changed.

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
  // `live` outlives it.
  PrinterKeeper(Folders folders, LivePrinters& live)
      : folders_(std::move(folders)), live_(live) {}
  PrinterKeeper(const PrinterKeeper&) = delete;
  PrinterKeeper& operator=(const PrinterKeeper&) = delete;

  // The text of the last process. If it cannot be read, returns an error and
  // changes nothing.
  Result<std::string> Read(pappl_system_t* system);
  // PAPPL has loaded what it could of the text. The other printers, whose
  // drivers are missing, stay in the file for the next start. Gives the numbers
  // of all.
  std::set<int> Loaded(const std::string& text);

  // Saves all that the system knows by now. If many threads call it at once,
  // one saves for all. False if it cannot be written.
  bool Save();

  // PAPPL forgets which printers are paused. Call it for its events.
  void NotePause(pappl_printer_t* printer, pappl_event_t event);
  // Pauses those that were paused, and resumes the others.
  void RestorePauses();
  // All printers are paused from now on, to end.
  void PauseAll();

 private:
  bool SaveOnce();  // with saving_ held
  Result<void> WriteState(const std::string& text);
  Result<void> WritePauses();

  const Folders folders_;
  LivePrinters& live_;
  pappl_system_t* system_ = nullptr;
  std::vector<PrinterText> absent_;  // their drivers are missing
  std::mutex saving_;
  std::atomic<uint64_t> asked_ = 0;  // calls of Save()
  uint64_t saved_ = 0;               // up to which call; of saving_
  std::string saved_text_;           // what is in the files; of saving_
  std::string saved_pauses_;
  bool had_printers_ = false;  // as loaded or last saved
  std::mutex pauses_;
  std::set<int> paused_;  // by numbers, as the last process left them at first
  std::atomic<bool> has_pauses_ = false;  // of this process
};

}  // namespace halftoned
