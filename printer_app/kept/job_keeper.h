// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preserves printers and jobs when the process ends, however it ends.
//
// PAPPL writes its whole state half a minute after a change, over the old one,
// and does not report that a document has arrived. So each job has its own
// files (kept_jobs.h), which are written when the job is created, changes or
// ends, and a watcher marks each document in the spool as soon as it is closed.
// Printers have a separate file (printer_keeper.h).

#pragma once

#include <pappl/pappl.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "printer_app/front/front_log.h"
#include "printer_app/jobs/job_log.h"
#include "printer_app/jobs/job_turns.h"
#include "printer_app/kept/changed_jobs.h"
#include "printer_app/kept/kept_jobs.h"
#include "printer_app/kept/live_printers.h"
#include "printer_app/kept/printer_keeper.h"
#include "printer_app/server/folders.h"

namespace halftoned {

class JobKeeper {
 public:
  // has_crashed: the last process crashed. The log outlives the keeper.
  JobKeeper(const Folders& folders, bool has_crashed, const FrontLog& log)
      : folders_(folders),
        has_crashed_(has_crashed),
        log_(log),
        printers_(folders, live_),
        jobs_(folders.JobFolder(), folders.spool,
              [this](pappl_job_t* job) { LogEnd(log_, job); }),
        turns_(live_) {}
  JobKeeper(const JobKeeper&) = delete;
  JobKeeper& operator=(const JobKeeper&) = delete;

  // Loads the printers and jobs of the last process, and saves all changes from
  // then on. Call it before the system runs. This object and the system exist
  // until the process ends. If a file cannot be read, returns an error and
  // changes nothing. admin_group: replaces the saved one, unless it is empty.
  Result<void> Begin(pappl_system_t* system, const std::string& admin_group);

  const JobTurns& turns() const { return turns_; }
  LivePrinters& live() { return live_; }

 private:
  using Clock = std::chrono::steady_clock;
  // Work that is done at most once a second.
  struct Chore {
    bool is_wanted = false;
    Clock::time_point next;

    bool IsDue(Clock::time_point now) const { return is_wanted && next <= now; }
  };

  static void OnEvent(pappl_system_t* system, pappl_printer_t* printer,
                      pappl_job_t* job, pappl_event_t event, void* keeper);
  static bool OnSave(pappl_system_t* system, void* keeper);
  static bool OnReport(pappl_system_t* system, void* keeper);
  static bool OnStart(pappl_system_t* system, void* keeper);
  static bool OnSavePage(pappl_client_t* client, void* keeper);
  static bool OnEndsPage(pappl_client_t* client, void* keeper);
  static bool OnUnsavedPage(pappl_client_t* client, void* keeper);

  Result<void> Load(std::string admin_group);
  Result<void> GiveToPappl(const std::string& state);
  // Removes documents without a job. False: try again soon.
  bool Sweep();
  void OnJobEvent(pappl_job_t* job, pappl_event_t event);
  void Watch();
  bool Work();
  int Pause() const;
  void DoChores();
  void ReadFileEvents();
  void OnFile(const std::string& name, bool is_closed);
  void Update(JobNumber number);
  // Updates the jobs that could not be saved.
  void UpdateOutdated();
  // A line "JOB /NAME" for each.
  std::string LinesFor(const std::vector<JobNumber>& jobs);
  // PAPPL does not report the end of a job whose document it cannot write, or
  // of jobs that are canceled together.
  void EndOverdue();
  void End(pappl_job_t* job);
  // Calls `use` for the job, if it exists.
  template <typename Use>
  void Find(JobNumber number, Use use);
  // Logs an error. True if there is none.
  bool Check(const Result<void>& done, JobNumber number);
  void WantUpdate(JobNumber number);
  void WantReview() {
    review_ = {true, Clock::now() + std::chrono::seconds(1)};
  }
  bool AnyPrints();
  void Stop();

  const Folders folders_;
  const bool has_crashed_;
  const FrontLog& log_;
  pappl_system_t* system_ = nullptr;
  LivePrinters live_;
  PrinterKeeper printers_;
  KeptJobs jobs_;
  JobTurns turns_;
  Descriptor files_;     // reports documents
  Descriptor called_;    // an eventfd: something has changed
  Descriptor stops_;     // signals to end
  ChangedJobs changed_;  // jobs whose events could not read them
  Chore save_;           // of the watcher's thread
  Chore sweep_;          // removes documents without a job
  Chore review_;         // looks for jobs that have ended
  Chore ends_;           // saves ends that could not be saved
  Chore outdated_;       // saves jobs that could not be saved
  std::mutex starting_;
  std::atomic<bool> is_ending_ = false;
};

}  // namespace halftoned
