// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts one job at a time for each printer, the oldest first. A job whose
// document is still arriving waits for jobs whose documents are complete.
//
// PAPPL 1.3 also intends one job at a time, but it starts a waiting job twice
// if two threads look for one at the same time, starts a job before the device
// of the last one is closed, and starts the newest job first. So each job is
// held (hold.h), and PAPPL gets the oldest one when the thread of the last job
// has ended.
//
// Jobs that were printing when the program crashed print one at a time
// (suspect_turn.h). While such a job waits for the others, the next jobs of its
// printer may print.
//
// While there is no room for temporary files, jobs that need none come first.
//
// A job that PAPPL was given but has not begun must not be touched. Therefore
// all code that changes jobs or printers locks (flock) the same file.

#pragma once

#include <pappl/pappl.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "printer_app/jobs/suspect_turn.h"
#include "printer_app/kept/live_printers.h"

namespace halftoned {

// The object exists until the process ends.
class JobTurns {
 public:
  // `live` outlives this object.
  explicit JobTurns(LivePrinters& live) : live_(live) {}
  JobTurns(const JobTurns&) = delete;
  JobTurns& operator=(const JobTurns&) = delete;

  // Lets jobs begin. lock_file: created if it is missing.
  void Begin(std::string lock_file);

  // Call it for PAPPL's events, in the thread where they happen.
  void OnEvent(pappl_printer_t* printer, pappl_job_t* job, pappl_event_t event);

  // Call it when a document has arrived, because PAPPL does not report that.
  // The client already has its reply, or gets it soon.
  void OnDocument();

  // Lets no more jobs begin.
  void End();

  LivePrinters& live() { return live_; }

  // True if a job with a complete document waits for the printer; nothing if
  // jobs are being changed. Does not block. Without room for temporary files,
  // jobs that need them do not count.
  std::optional<bool> HasWaiting(pappl_printer_t* printer,
                                 bool has_room = true) const;

  // Cancels the printer's jobs, and waits until PAPPL uses the printer only for
  // requests of clients. False if that takes too long. In both cases, no more
  // jobs begin there.
  bool LetGo(pappl_printer_t* printer, std::chrono::milliseconds most);

 private:
  friend class JobThread;

  struct Turn {
    pappl_printer_t* printer = nullptr;
    pappl_job_t* job = nullptr;
    bool is_suspect = false;
  };
  // A search for the jobs whose turn it is.
  struct Search {
    JobTurns& turns;
    std::vector<Turn> found;
    bool may_be_suspect;    // no other suspect prints
    bool is_timed = false;  // see NextTurns

    void Look(pappl_printer_t* printer);
    std::optional<Turn> NextOf(pappl_printer_t* printer);
  };
  struct Place {
    bool is_taken = false;    // a job was given to PAPPL, or prints
    bool is_closing = false;  // the printer is being deleted
    uint64_t begun = 0;       // jobs that have begun
  };

  void Run();
  // The jobs whose turn it is. is_timed: set if other jobs wait for a time of
  // day, or for a suspect.
  std::vector<Turn> NextTurns(bool& is_timed);
  void Give(const Turn& turn);
  bool IsFree(pappl_printer_t* printer);
  bool MaySuspectBegin();
  void EndThread(pappl_printer_t* printer);

  LivePrinters& live_;
  std::string lock_file_;
  std::mutex giving_;  // held while jobs are chosen and given
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<pappl_printer_t*, Place> places_;
  SuspectTurn suspect_turn_;
  bool has_news_ = true;
  bool looks_again_ = false;  // set: search again shortly
  bool has_ended_ = false;
};

}  // namespace halftoned
