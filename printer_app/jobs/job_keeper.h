// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps jobs beyond the end of the process, however it ends.
//
// PAPPL writes its state every half minute at most, over the old one, and tells
// nobody that a document has come. So the state is written whole beside the old
// one whenever a job comes, begins or ends, and a watcher marks each document
// of the spool as soon as it is closed: before that its client has no answer.

#pragma once

#include <pappl/pappl.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "printer_app/jobs/job_turns.h"
#include "printer_app/server/folders.h"

namespace halftoned {

class JobKeeper {
 public:
  // has_crashed: the process before ended by itself.
  JobKeeper(Folders folders, bool has_crashed)
      : folders_(std::move(folders)), has_crashed_(has_crashed) {}
  JobKeeper(const JobKeeper&) = delete;
  JobKeeper& operator=(const JobKeeper&) = delete;

  // Loads what was kept, and keeps from then on. Before the system runs; this
  // object and the system exist until the process ends. An error if the state
  // cannot be read; nothing of it has changed then.
  Result<void> Begin(pappl_system_t* system);

  const JobTurns& turns() const { return turns_; }

 private:
  static void OnEvent(pappl_system_t* system, pappl_printer_t* printer,
                      pappl_job_t* job, pappl_event_t event, void* keeper);
  static bool OnSave(pappl_system_t* system, void* keeper);
  static bool OnStart(pappl_system_t* system, void* keeper);

  Result<void> Load();
  // Saves all that the system knows by now. If many threads call it at once,
  // one saves for all. False if it cannot be written.
  bool SaveNow();
  bool Save();  // with saving_ held
  // Gives the number of its printers.
  Result<int> WriteState();
  // PAPPL forgets which printers are paused.
  bool SavePaused();
  void NotePause(pappl_printer_t* printer, pappl_event_t event);
  void Watch();
  // Whether there was one.
  bool MarkDocuments();
  void Stop();

  const Folders folders_;
  const bool has_crashed_;
  pappl_system_t* system_ = nullptr;
  JobTurns turns_;
  std::mutex saving_;
  std::atomic<uint64_t> asked_ = 0;  // calls of SaveNow()
  bool had_printers_ = false;        // as loaded or last saved
  uint64_t saved_ = 0;               // up to which call; of saving_
  Descriptor closed_;                // tells of documents
  Descriptor called_;                // an eventfd: the state is to be saved
  Descriptor stops_;                 // signals to end
  std::mutex starting_;
  std::mutex pauses_;
  std::set<int> paused_;  // by numbers, as the last process left them at first
  std::atomic<bool> has_started_ = false;  // its printers
  std::atomic<bool> is_ending_ = false;
};

}  // namespace halftoned
