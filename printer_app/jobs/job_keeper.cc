// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/job_keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <span>
#include <thread>
#include <vector>

#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/recovery.h"
#include "printer_app/jobs/spool.h"
#include "printer_app/jobs/state_file.h"
#include "printer_app/jobs/state_text.h"
#include "printer_app/jobs/turn_pages.h"
#include "printer_app/server/stop_signal.h"

namespace halftoned {
namespace {

// Time for a printing job to end when the application is to end.
constexpr int kSecondsToEnd = 60;

// Extension of a file that replaces another one once it is written.
constexpr const char* kNext = ".next";
// Extension of the pipe through which it comes.
constexpr const char* kPipe = ".pipe";

// paused: a set of numbers.
void ResumePrinter(pappl_printer_t* printer, void* paused) {
  if (static_cast<std::set<int>*>(paused)->contains(
          papplPrinterGetID(printer))) {
    papplPrinterPause(printer);
  } else {
    papplPrinterResume(printer);
  }
}

void AddNumber(pappl_printer_t* printer, void* numbers) {
  static_cast<std::set<int>*>(numbers)->insert(papplPrinterGetID(printer));
}

void PausePrinter(pappl_printer_t* printer, void* /*data*/) {
  papplPrinterPause(printer);
}

void AskWhetherItPrints(pappl_printer_t* printer, void* does_print) {
  if (papplPrinterGetState(printer) == IPP_PSTATE_PROCESSING) {
    *static_cast<bool*>(does_print) = true;
  }
}

}  // namespace

Result<void> JobKeeper::Begin(pappl_system_t* system) {
  system_ = system;
  umask(0077);
  closed_ = Descriptor(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  called_ = Descriptor(eventfd(0, EFD_CLOEXEC));
  stops_ = HeldStopSignals();
  if (!closed_.open() || !called_.open() || !stops_.open() ||
      inotify_add_watch(closed_.get(), folders_.spool.c_str(), IN_CLOSE_WRITE) <
          0) {
    return ErrnoError(ErrorCode::kIo, folders_.spool);
  }
  std::ifstream paused(folders_.PausedFile());
  for (int id = 0; paused >> id;) paused_.insert(id);
  HALFTONED_TRY(Load());
  papplSystemSetSaveCallback(system, OnSave, this);
  papplSystemSetEventCallback(system, OnEvent, this);
  papplSystemAddTimerCallback(system, 0, 0, OnStart, this);
  AddTurnPages(system, turns_);
  std::thread([this] { Watch(); }).detach();
  return {};
}

// PAPPL reads its corrected state from memory: the disk may be full.
Result<void> JobKeeper::Load() {
  HALFTONED_TRY_ASSIGN(const KeptState kept, ReadState(folders_));
  if (kept.text.empty()) return {};
  // The disk may be full.
  if (kept.printers > 0) {
    const Result<void> done = KeepAsLastGood(folders_);
    if (!done.ok()) {
      papplLog(system_, PAPPL_LOGLEVEL_WARN, "%s",
               done.error().message.c_str());
    }
  }
  had_printers_ = kept.printers > 0;
  const Recovery recovery =
      RecoverJobs(kept.text, folders_.spool, std::time(nullptr), has_crashed_);
  for (const std::string& note : recovery.notes) {
    papplLog(system_, PAPPL_LOGLEVEL_WARN, "%s", note.c_str());
  }
  const Descriptor state(memfd_create("printers.state", MFD_CLOEXEC));
  if (!state.open() ||
      !WriteFully(state.get(), std::as_bytes(std::span(recovery.state))).ok()) {
    return ErrnoError(ErrorCode::kIo, folders_.StateFile());
  }
  papplSystemLoadState(
      system_, ("/proc/self/fd/" + std::to_string(state.get())).c_str());
  return {};
}

bool JobKeeper::SaveNow() {
  const uint64_t mine = ++asked_;
  const std::lock_guard lock(saving_);
  if (saved_ >= mine) return true;
  const uint64_t all = asked_;
  if (!Save()) return false;
  saved_ = all;
  return true;
}

bool JobKeeper::Save() {
  const Result<int> printers = WriteState();
  if (!printers.ok()) {
    // First, since the log may be on the same disk.
    std::remove((folders_.StateFile() + kNext).c_str());
    papplLog(system_, PAPPL_LOGLEVEL_ERROR,
             "Printers and jobs cannot be saved: %s",
             printers.error().message.c_str());
    return false;
  }
  // The last one was deleted: none is lost.
  if (had_printers_ && *printers == 0) {
    std::remove(folders_.LastGoodFile().c_str());
  }
  had_printers_ = *printers > 0;
  RemoveOfOtherPrinters(folders_.spool, [this] {
    std::set<int> numbers;
    papplSystemIteratePrinters(system_, AddNumber, &numbers);
    return numbers;
  });
  RemoveForgottenDocuments(folders_.spool);
  return true;
}

Result<int> JobKeeper::WriteState() {
  const std::string file = folders_.StateFile();
  const std::string next = file + kNext;
  HALFTONED_TRY_ASSIGN(const std::string text,
                       StateText(system_, file + kPipe));
  HALFTONED_TRY_ASSIGN(const int printers, CountPrinters(text));
  HALFTONED_TRY_ASSIGN(Descriptor written,
                       Descriptor::Open(next, O_WRONLY | O_CREAT | O_TRUNC));
  HALFTONED_TRY(WriteFully(written.get(), std::as_bytes(std::span(text))));
  written.Close();
  if (!KeepAttributes(folders_.spool)) {
    return ErrnoError(ErrorCode::kIo, folders_.spool);
  }
  if (std::rename(next.c_str(), file.c_str()) != 0 || !SavePaused()) {
    return ErrnoError(ErrorCode::kIo, file);
  }
  return printers;
}

bool JobKeeper::SavePaused() {
  // To end, all are paused.
  if (!has_started_ || is_ending_) return true;
  const std::string next = folders_.PausedFile() + kNext;
  std::ofstream file(next, std::ios::binary | std::ios::trunc);
  {
    const std::lock_guard lock(pauses_);
    for (const int id : paused_) file << id << '\n';
  }
  file.close();
  return !file.fail() &&
         !std::rename(next.c_str(), folders_.PausedFile().c_str());
}

// A printer that cannot be reached is stopped, too, and PAPPL says the same of
// both afterwards.
void JobKeeper::NotePause(pappl_printer_t* printer, pappl_event_t event) {
  const std::lock_guard lock(pauses_);
  const int id = papplPrinterGetID(printer);
  if ((event & PAPPL_EVENT_PRINTER_STOPPED) != 0) {
    paused_.insert(id);
  } else if (papplPrinterGetState(printer) == IPP_PSTATE_IDLE ||
             (event & PAPPL_EVENT_PRINTER_DELETED) != 0) {
    paused_.erase(id);
  }
}

// Called with the job locked, often for writing, so only creation may save.
// Before a client is told that there is a job, the job has been saved.
void JobKeeper::OnEvent(pappl_system_t* /*system*/, pappl_printer_t* printer,
                        pappl_job_t* job, pappl_event_t event, void* data) {
  JobKeeper& keeper = *static_cast<JobKeeper*>(data);
  keeper.turns_.OnEvent(printer, job, event);
  constexpr unsigned kOfPauses = PAPPL_EVENT_PRINTER_STATE_CHANGED |
                                 PAPPL_EVENT_PRINTER_STOPPED |
                                 PAPPL_EVENT_PRINTER_DELETED;
  if ((event & kOfPauses) != 0) keeper.NotePause(printer, event);
  if (event == PAPPL_EVENT_JOB_CREATED) {
    keeper.SaveNow();
  } else if (event == PAPPL_EVENT_JOB_COMPLETED ||
             event == PAPPL_EVENT_JOB_STATE_CHANGED ||
             (event & PAPPL_EVENT_PRINTER_STATE_CHANGED) != 0) {
    if (event == PAPPL_EVENT_JOB_STATE_CHANGED &&
        papplJobGetState(job) == IPP_JSTATE_PROCESSING) {
      const char* document = papplJobGetFilename(job);  // none of raster
      if (document) MarkBegun(document);
    }
    eventfd_write(keeper.called_.get(), 1);
  }
}

bool JobKeeper::OnSave(pappl_system_t* /*system*/, void* data) {
  return static_cast<JobKeeper*>(data)->SaveNow();
}

// The main loop runs by now, and jobs may begin.
bool JobKeeper::OnStart(pappl_system_t* system, void* data) {
  JobKeeper& keeper = *static_cast<JobKeeper*>(data);
  const std::lock_guard lock(keeper.starting_);
  if (!keeper.is_ending_) {
    std::set<int> paused = keeper.paused_;  // which these calls change
    papplSystemIteratePrinters(system, ResumePrinter, &paused);
    keeper.has_started_ = true;
    keeper.turns_.Begin(system, keeper.folders_.TurnFile());
  }
  return false;
}

void JobKeeper::Watch() {
  pollfd waits[] = {{closed_.get(), POLLIN, 0},
                    {called_.get(), POLLIN, 0},
                    {stops_.get(), POLLIN, 0}};
  while (true) {
    if (poll(waits, 3, -1) <= 0) continue;
    // Saving closes files there, too.
    const bool is_marked = waits[0].revents && MarkDocuments();
    eventfd_t calls = 0;
    if (waits[1].revents) eventfd_read(called_.get(), &calls);
    if (is_marked || calls > 0) SaveNow();
    if (waits[2].revents) Stop();
  }
}

bool JobKeeper::MarkDocuments() {
  bool is_marked = false;
  alignas(inotify_event) char events[4096];
  const ssize_t size = read(closed_.get(), events, sizeof(events));
  for (ssize_t at = 0; at < size;) {
    const auto* event = reinterpret_cast<const inotify_event*>(events + at);
    if (event->len > 0 &&
        (IsDocument(event->name) || IsDocumentName(event->name))) {
      turns_.OnDocument();
    }
    if (event->len > 0 && IsDocument(event->name)) {
      MarkWhole(folders_.spool + '/' + event->name);
      is_marked = true;
    }
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
  }
  return is_marked;
}

// PAPPL itself would end the main loop, free what its jobs' threads use and
// delete documents that still wait.
void JobKeeper::Stop() {
  papplLog(system_, PAPPL_LOGLEVEL_INFO,
           "Ending after the pages that are printing.");
  {
    const std::lock_guard lock(starting_);
    is_ending_ = true;
    turns_.End();
    papplSystemIteratePrinters(system_, PausePrinter, nullptr);
  }
  for (int tenths = 0; tenths < 10 * kSecondsToEnd; ++tenths) {
    bool does_print = false;
    papplSystemIteratePrinters(system_, AskWhetherItPrints, &does_print);
    if (!does_print) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  SaveNow();
  papplLog(system_, PAPPL_LOGLEVEL_INFO, "Ended.");
  _exit(0);
}

}  // namespace halftoned
