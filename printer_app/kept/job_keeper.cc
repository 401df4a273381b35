// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/job_keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <span>
#include <thread>

#include "base/text.h"
#include "printer_app/handover/job_lock.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/turn_pages.h"
#include "printer_app/kept/admin_group.h"
#include "printer_app/kept/recovery.h"
#include "printer_app/kept/spool.h"
#include "printer_app/kept/state_file.h"
#include "printer_app/server/stop_signal.h"

namespace halftoned {
namespace {

using namespace std::chrono_literals;

constexpr auto kTimeToEnd = 60s;  // for jobs that print, when the server ends
constexpr auto kLookAtPrinters = 100ms;  // then
constexpr auto kBetweenChores = 1s;
constexpr int kSecondsToReport = 30;  // PAPPL wakes up as often anyway

}  // namespace

Result<void> JobKeeper::Begin(pappl_system_t* system,
                              const std::string& admin_group) {
  system_ = system;
  umask(0077);
  files_ = Descriptor(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  called_ = Descriptor(eventfd(0, EFD_CLOEXEC));
  stops_ = HeldStopSignals();
  if (!files_.open() || !called_.open() || !stops_.open() ||
      inotify_add_watch(files_.get(), folders_.spool.c_str(),
                        IN_CLOSE_WRITE | IN_DELETE) < 0) {
    return ErrnoError(ErrorCode::kIo, folders_.spool);
  }
  HALFTONED_TRY(Load(admin_group));
  papplSystemSetSaveCallback(system, OnSave, this);
  papplSystemSetEventCallback(system, OnEvent, this);
  papplSystemAddTimerCallback(system, 0, 0, OnStart, this);
  papplSystemAddTimerCallback(system, 0, kSecondsToReport, OnReport, this);
  papplSystemAddResourceCallback(system, "/halftone-inner/save", "text/plain",
                                 OnSavePage, this);
  papplSystemAddResourceCallback(system, "/halftone-inner/ends", "text/plain",
                                 OnEndsPage, this);
  papplSystemAddResourceCallback(system, "/halftone-inner/unsaved",
                                 "text/plain", OnUnsavedPage, this);
  AddTurnPages(system, turns_);
  std::thread([this] { Watch(); }).detach();
  return {};
}

Result<void> JobKeeper::Load(std::string admin_group) {
  HALFTONED_TRY_ASSIGN(const std::string text, printers_.Read(system_));
  HALFTONED_TRY_ASSIGN(const JobRecords::Found found, jobs_.records().Read());
  const auto& records = found.lines;
  for (const std::string& name : found.damaged) {
    papplLog(system_, PAPPL_LOGLEVEL_ERROR,
             "The record %s is damaged: it is removed, and its job is lost.",
             Printable(name).c_str());
  }
  HALFTONED_TRY_ASSIGN(Recovery recovery,
                       RecoverJobs(WithJobs(text, records), folders_.spool,
                                   std::time(nullptr), has_crashed_));
  for (const std::string& note : recovery.notes) {
    papplLog(system_, PAPPL_LOGLEVEL_WARN, "%s", note.c_str());
  }
  for (const auto& [number, line] : recovery.ended) {
    Check(jobs_.records().Write(number, line, true), number);
  }
  // Earlier versions had no records of jobs.
  for (const auto& [number, line] : recovery.others) {
    if (records.contains(number)) continue;
    const bool has_ended =
        StateLine(line.substr(4)).Number("state") >= IPP_JSTATE_CANCELED;
    Check(jobs_.records().Write(number, line, has_ended), number);
  }
  const std::string saved_group = TakeAdminGroup(recovery.state);
  if (admin_group.empty()) admin_group = saved_group;
  if (!text.empty()) HALFTONED_TRY(GiveToPappl(recovery.state));
  if (!admin_group.empty() && !SetAdminGroup(system_, admin_group) &&
      !has_crashed_) {
    log_.Write(FrontLog::kWarn,
               "admin-group: this system has no group " + admin_group + '.');
  }
  live_.Begin(system_);
  const std::set<int> printers = printers_.Loaded(text);
  for (const auto& [number, line] : records) {
    if (!printers.contains(number.printer)) {
      jobs_.RemovePrinter(number.printer);
    }
  }
  HALFTONED_TRY(jobs_.Load(printers, records));
  Sweep();
  return {};
}

// PAPPL reads its corrected state from memory: the disk may be full.
Result<void> JobKeeper::GiveToPappl(const std::string& state) {
  const Descriptor file(memfd_create("printers.state", MFD_CLOEXEC));
  if (!file.open() ||
      !WriteFully(file.get(), std::as_bytes(std::span(state))).ok()) {
    return ErrnoError(ErrorCode::kIo, folders_.StateFile());
  }
  papplSystemLoadState(system_,
                       ("/proc/self/fd/" + std::to_string(file.get())).c_str());
  return {};
}

bool JobKeeper::Sweep() {
  const Result<bool> done = RemoveForgottenDocuments(folders_.spool);
  if (done.ok()) return *done;
  log_.Write(FrontLog::kWarn, "Documents without a job are not removed: " +
                                  done.error().message + '.');
  return true;
}

bool JobKeeper::Check(const Result<void>& done, JobNumber number) {
  if (done.ok()) return true;
  log_.Write(FrontLog::kError, "Job " + std::to_string(number.job) +
                                   " of printer " +
                                   std::to_string(number.printer) +
                                   " cannot be saved: " + done.error().message);
  return false;
}

void JobKeeper::OnEvent(pappl_system_t* /*system*/, pappl_printer_t* printer,
                        pappl_job_t* job, pappl_event_t event, void* data) {
  JobKeeper& keeper = *static_cast<JobKeeper*>(data);
  keeper.turns_.OnEvent(printer, job, event);
  constexpr unsigned kOfPauses = PAPPL_EVENT_PRINTER_STATE_CHANGED |
                                 PAPPL_EVENT_PRINTER_STOPPED |
                                 PAPPL_EVENT_PRINTER_DELETED;
  if ((event & kOfPauses) != 0) keeper.printers_.NotePause(printer, event);
  if ((event & PAPPL_EVENT_PRINTER_CREATED) != 0) {
    keeper.live_.Add(printer);
    LogPrinter(keeper.log_, printer, "added");
  }
  if ((event & PAPPL_EVENT_PRINTER_DELETED) != 0) {
    LogPrinter(keeper.log_, printer, "deleted");
    keeper.live_.Delete(printer);
    keeper.jobs_.RemovePrinter(papplPrinterGetID(printer));
  }
  if (job) {
    keeper.OnJobEvent(job, event);
  } else {
    eventfd_write(keeper.called_.get(), 1);
  }
}

bool JobKeeper::OnReport(pappl_system_t* /*system*/, void* data) {
  static_cast<JobKeeper*>(data)->log_.Report();
  return true;
}

// The job is locked: for reading when it was created, for writing in most other
// cases. The job is saved to disk before a client learns that it exists or has
// ended.
void JobKeeper::OnJobEvent(pappl_job_t* job, pappl_event_t event) {
  const JobNumber number = NumberOf(job);
  if (event == PAPPL_EVENT_JOB_CREATED) {
    if (!Check(jobs_.Begin(job), number)) WantUpdate(number);
  } else if (event == PAPPL_EVENT_JOB_COMPLETED) {
    End(job);
  } else if (event == PAPPL_EVENT_JOB_STATE_CHANGED) {
    // Raster that PAPPL streams has no document.
    const char* document = papplJobGetFilename(job);
    const bool has_begun = papplJobGetState(job) == IPP_JSTATE_PROCESSING;
    if (has_begun) {
      LogJob(log_, job, FrontLog::kInfo,
             std::string("Starts on ") +
                 papplPrinterGetName(papplJobGetPrinter(job)) + '.');
    }
    if (has_begun && document) {
      MarkBegun(document);
      if (jobs_.Has(number)) jobs_.NoteDocument(number, document);
    } else {
      WantUpdate(number);
    }
  }
}

// Updates the job soon, when it is not locked.
void JobKeeper::WantUpdate(JobNumber number) {
  changed_.Add(number);
  eventfd_write(called_.get(), 1);
}

// PAPPL calls this in the thread that accepts connections, so this only wakes
// the keeper's thread.
bool JobKeeper::OnSave(pappl_system_t* /*system*/, void* data) {
  eventfd_write(static_cast<JobKeeper*>(data)->called_.get(), 1);
  return true;
}

// The main loop is running, so jobs may begin.
bool JobKeeper::OnStart(pappl_system_t* /*system*/, void* data) {
  JobKeeper& keeper = *static_cast<JobKeeper*>(data);
  const std::lock_guard lock(keeper.starting_);
  if (!keeper.is_ending_) {
    keeper.printers_.RestorePauses();
    keeper.turns_.Begin(keeper.folders_.TurnFile());
  }
  return false;
}

void JobKeeper::Watch() {
  while (!Work()) {
  }
  Stop();
}

// Waits for work, and does it. True: the server is to end.
bool JobKeeper::Work() {
  pollfd waits[] = {{files_.get(), POLLIN, 0},
                    {called_.get(), POLLIN, 0},
                    {stops_.get(), POLLIN, 0}};
  if (poll(waits, is_ending_ ? 2 : 3, Pause()) < 0) return false;
  if (waits[0].revents) ReadFileEvents();
  if (waits[1].revents) {
    eventfd_t calls = 0;
    eventfd_read(called_.get(), &calls);
    save_.is_wanted = ends_.is_wanted = true;
  }
  // One at a time: a new document starts a job that many others do not delay.
  if (const auto job = changed_.TakeNext()) Update(*job);
  DoChores();
  return waits[2].revents != 0;
}

// Milliseconds until there is work; -1: none.
int JobKeeper::Pause() const {
  if (!changed_.empty()) return 0;
  const auto now = Clock::now();
  auto next = is_ending_ ? now + kLookAtPrinters : Clock::time_point::max();
  for (const Chore* chore : {&save_, &sweep_, &review_, &ends_, &outdated_}) {
    if (chore->is_wanted) next = std::min(next, chore->next);
  }
  if (next == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - now);
  return static_cast<int>(std::max<int64_t>(left.count(), 0));
}

void JobKeeper::DoChores() {
  const auto now = Clock::now();
  if (save_.IsDue(now)) {
    save_ = {false, now + kBetweenChores};
    printers_.Save();
  }
  if (review_.IsDue(now)) {
    review_ = {false, now + kBetweenChores};
    EndOverdue();
  }
  if (ends_.IsDue(now)) {
    const bool is_done = jobs_.SaveEnds();
    ends_ = {!is_done, Clock::now() + kBetweenChores};
  }
  if (outdated_.IsDue(now)) {
    outdated_ = {};
    UpdateOutdated();
  }
  if (sweep_.IsDue(now)) {
    const bool is_done = Sweep();
    sweep_ = {!is_done, Clock::now() + kBetweenChores};
  }
}

void JobKeeper::ReadFileEvents() {
  alignas(inotify_event) char events[4096];
  const ssize_t size = read(files_.get(), events, sizeof(events));
  for (ssize_t at = 0; at < size;) {
    const auto* event = reinterpret_cast<const inotify_event*>(events + at);
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    if (event->len > 0) {
      OnFile(event->name, (event->mask & IN_CLOSE_WRITE) != 0);
    } else if ((event->mask & IN_Q_OVERFLOW) != 0) {
      for (const JobNumber number : jobs_.Active()) changed_.Add(number);
      sweep_.is_wanted = true;
      turns_.OnDocument();
    }
  }
}

// PAPPL reports neither documents nor the ends of jobs canceled together.
void JobKeeper::OnFile(const std::string& name, bool is_closed) {
  const bool is_of_job = IsDocument(name);
  if (is_closed && (is_of_job || IsDocumentName(name))) turns_.OnDocument();
  if (!is_of_job) return;
  const JobNumber number = *JobOfFile(name);
  if (is_closed) {
    const std::string path = folders_.spool + '/' + name;
    MarkWhole(path);
    if (!jobs_.NoteDocument(number, path)) sweep_.is_wanted = true;
  }
  Update(number);
  if (!is_closed && jobs_.Has(number)) WantReview();
}

template <typename Use>
void JobKeeper::Find(JobNumber number, Use use) {
  live_.ForEach([&](pappl_printer_t* printer) {
    if (papplPrinterGetID(printer) != number.printer) return;
    pappl_job_t* job = papplPrinterFindJob(printer, number.job);
    if (job) use(job);
  });
}

void JobKeeper::Update(JobNumber number) {
  // Without the lock, a job's hold could end, and PAPPL would free the
  // attribute while this thread reads it.
  const Descriptor lock = LockJobs(folders_.TurnFile());
  const Descriptor copies = LockCopies(folders_.TurnFile());
  Find(number, [&](pappl_job_t* job) {
    const bool is_logged = jobs_.IsOutdated(number);
    const Result<void> done = jobs_.Update(job);
    if (done.ok()) return;
    if (!is_logged) Check(done, number);
    WantReview();
    ends_.is_wanted = true;
    if (!outdated_.is_wanted) outdated_ = {true, Clock::now() + kBetweenChores};
  });
}

void JobKeeper::UpdateOutdated() {
  for (const JobNumber number : jobs_.Outdated()) changed_.Add(number);
}

void JobKeeper::EndOverdue() {
  for (const JobNumber number : jobs_.Active()) {
    Find(number, [&](pappl_job_t* job) {
      if (papplJobGetState(job) >= IPP_JSTATE_CANCELED ||
          papplJobIsCanceled(job)) {
        End(job);
      }
    });
  }
}

// If it cannot be saved, the keeper's thread tries again.
void JobKeeper::End(pappl_job_t* job) {
  if (!Check(jobs_.End(job), NumberOf(job))) eventfd_write(called_.get(), 1);
}

bool JobKeeper::AnyPrints() {
  bool any = false;
  live_.ForEach([&](pappl_printer_t* printer) {
    // If a printer is unreachable, its job has not begun to print.
    any |= papplPrinterGetState(printer) == IPP_PSTATE_PROCESSING &&
           (papplPrinterGetReasons(printer) & PAPPL_PREASON_OFFLINE) == 0;
  });
  return any;
}

// Replaces PAPPL's own shutdown, which would end the main loop, free memory
// that threads of jobs use, and delete waiting documents.
void JobKeeper::Stop() {
  log_.Write(FrontLog::kInfo, "Ending after the pages that are printing.");
  {
    const std::lock_guard lock(starting_);
    is_ending_ = true;
    turns_.End();
    printers_.PauseAll();
  }
  const auto end = Clock::now() + kTimeToEnd;
  while (AnyPrints() && Clock::now() < end) Work();
  UpdateOutdated();
  while (const auto job = changed_.TakeNext()) Update(*job);
  jobs_.SaveEnds();
  for (const JobNumber number : jobs_.Outdated()) {
    log_.Write(FrontLog::kError,
               "Job " + std::to_string(number.job) + " of printer " +
                   std::to_string(number.printer) +
                   " is lost, or its last change: it cannot be saved.");
  }
  printers_.Save();
  log_.ReportAll();
  log_.Write(FrontLog::kInfo, "Ended.");
  _exit(0);
}

}  // namespace halftoned
