// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/job_turns.h"

#include <ctime>
#include <limits>
#include <string_view>
#include <thread>
#include <utility>

#include "base/descriptor.h"
#include "printer_app/devices/device_schemes.h"
#include "printer_app/documents/document_job.h"
#include "printer_app/documents/job_room.h"
#include "printer_app/handover/hold.h"
#include "printer_app/handover/job_lock.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/kept/spool.h"

namespace halftoned {

// Destroyed when the thread that PAPPL started for a job ends: by then PAPPL
// has closed the device and no longer uses the printer.
class JobThread {
 public:
  ~JobThread() {
    if (turns_) turns_->EndThread(printer_);
  }
  void Begin(JobTurns& turns, pappl_printer_t* printer) {
    turns_ = &turns;
    printer_ = printer;
  }

 private:
  JobTurns* turns_ = nullptr;
  pappl_printer_t* printer_ = nullptr;
};

namespace {

using namespace std::chrono_literals;

// The interval while a job waits for a time of day.
constexpr auto kLookAtClock = 20s;
constexpr auto kLookAgain = 1s;
constexpr auto kLookForStart = 20ms;
// A job that PAPPL has not begun in this time is held again.
constexpr auto kLongestStart = 10s;
// Attempts to read a list of jobs while other threads read it.
constexpr int kMostLooks = 100;

thread_local JobThread job_thread;

std::string_view HoldOf(pappl_job_t* job) {
  const char* hold =
      ippGetString(papplJobGetAttribute(job, "job-hold-until"), 0, nullptr);
  return hold ? hold : "";
}

bool NeedsRoom(pappl_job_t* job) {
  const char* format = papplJobGetFormat(job);
  return format && IsDocumentFormat(format);
}

// The jobs that count.
struct Counted {
  bool is_whole = false;       // only those with whole documents
  bool may_be_suspect = true;  // otherwise no suspects
  bool has_room = true;        // otherwise none that needs temporary files
};

struct Oldest {
  Counted counted;
  pappl_job_t* job = nullptr;
  bool has_suspect = false;  // one that does not count
  bool is_timed = false;
  time_t now = std::time(nullptr);
  // PAPPL passes the newest job first. Threads that iterate its list at the
  // same time disturb one another (live_printers.h): then PAPPL misses a job,
  // and passes null or another job twice.
  int last = std::numeric_limits<int>::max();
  bool has_missed = false;
};

void FindOldest(pappl_job_t* job, void* found) {
  auto& oldest = *static_cast<Oldest*>(found);
  const int id = papplJobGetID(job);
  oldest.has_missed |= id <= 0 || id >= std::exchange(oldest.last, id);
  if (papplJobGetState(job) != IPP_JSTATE_HELD || !papplJobGetFilename(job)) {
    return;
  }
  const auto may_begin = MayBegin(HoldOf(job), oldest.now);
  if (may_begin && !*may_begin) oldest.is_timed = true;
  if (!may_begin.value_or(false) ||
      (oldest.job && id > papplJobGetID(oldest.job)) ||
      (!oldest.counted.has_room && NeedsRoom(job)) ||
      (oldest.counted.is_whole && IsArriving(papplJobGetFilename(job)))) {
    return;
  }
  if (!oldest.counted.may_be_suspect && IsSuspect(papplJobGetFilename(job))) {
    oldest.has_suspect = true;
  } else {
    oldest.job = job;
  }
}

Oldest OldestOf(pappl_printer_t* printer, const Counted& counted) {
  Oldest oldest;
  for (int i = 0; i < kMostLooks; ++i) {
    oldest = {counted};
    papplPrinterIterateActiveJobs(printer, FindOldest, &oldest, 1, 0);
    if (!oldest.has_missed) break;
  }
  return oldest;
}

}  // namespace

void JobTurns::Begin(std::string lock_file) {
  lock_file_ = std::move(lock_file);
  std::thread([this] { Run(); }).detach();
}

void JobTurns::OnEvent(pappl_printer_t* printer, pappl_job_t* job,
                       pappl_event_t event) {
  const std::lock_guard lock(mutex_);
  if ((event & PAPPL_EVENT_PRINTER_DELETED) != 0) {
    places_.erase(printer);
    suspect_turn_.End(printer);
    EndKeptStream(printer);
  } else if (event == PAPPL_EVENT_JOB_STATE_CHANGED &&
             papplJobGetState(job) == IPP_JSTATE_PROCESSING) {
    Place& place = places_[printer];
    place.is_taken = true;
    ++place.begun;
    job_thread.Begin(*this, printer);
  }
  has_news_ = true;
  changed_.notify_all();
}

void JobTurns::OnDocument() {
  const std::lock_guard lock(mutex_);
  has_news_ = looks_again_ = true;
  changed_.notify_all();
}

void JobTurns::EndThread(pappl_printer_t* printer) {
  const std::lock_guard lock(mutex_);
  places_[printer].is_taken = false;
  suspect_turn_.End(printer);
  has_news_ = true;
  changed_.notify_all();
}

void JobTurns::End() {
  const std::lock_guard giving(giving_);
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
}

bool JobTurns::LetGo(pappl_printer_t* printer, std::chrono::milliseconds most) {
  {
    const std::lock_guard giving(giving_);
    const std::lock_guard lock(mutex_);
    places_[printer].is_closing = true;
  }
  papplPrinterCancelAllJobs(printer);
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, most,
                           [&] { return !places_[printer].is_taken; });
}

void JobTurns::Run() {
  bool is_timed = false;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      const auto has_news = [this] { return has_news_; };
      if (std::exchange(looks_again_, false) && !has_news_) {
        changed_.wait_for(lock, kLookAgain, has_news);
      } else if (is_timed) {
        changed_.wait_for(lock, kLookAtClock, has_news);
      } else {
        changed_.wait(lock, has_news);
      }
      has_news_ = false;
      if (has_ended_) return;
    }
    const std::lock_guard giving(giving_);
    const Descriptor lock = LockJobs(lock_file_);
    is_timed = false;
    for (const Turn& turn : NextTurns(is_timed)) Give(turn);
  }
}

std::vector<JobTurns::Turn> JobTurns::NextTurns(bool& is_timed) {
  // The search of one job's attributes would disturb another thread's.
  const Descriptor copies = LockCopies(lock_file_);
  Search search{*this, {}, MaySuspectBegin()};
  // No printer is deleted while the file is locked.
  for (pappl_printer_t* printer : live_.All()) search.Look(printer);
  is_timed = search.is_timed;
  return search.found;
}

void JobTurns::Search::Look(pappl_printer_t* printer) {
  if (!turns.IsFree(printer)) return;
  if (const auto turn = NextOf(printer)) {
    may_be_suspect &= !turn->is_suspect;
    found.push_back(*turn);
  } else {
    EndKeptConnection(printer);
  }
}

// Nothing if no job may begin now.
std::optional<JobTurns::Turn> JobTurns::Search::NextOf(
    pappl_printer_t* printer) {
  if (papplPrinterGetState(printer) == IPP_PSTATE_STOPPED ||
      papplPrinterIsHoldingNewJobs(printer)) {
    return std::nullopt;
  }
  Counted counted{.may_be_suspect = may_be_suspect};
  const Oldest oldest = OldestOf(printer, counted);
  is_timed |= oldest.is_timed || oldest.has_suspect;
  if (!oldest.job) return std::nullopt;
  pappl_job_t* job = oldest.job;
  if (NeedsRoom(job) && !HasRoomForJob(papplGetTempDir())) {
    counted.has_room = false;
    pappl_job_t* other = OldestOf(printer, counted).job;
    counted.has_room = !other;
    if (other) job = other;
  }
  if (IsArriving(papplJobGetFilename(job))) {
    counted.is_whole = true;
    pappl_job_t* whole = OldestOf(printer, counted).job;
    if (whole) job = whole;
  }
  return Turn{printer, job, IsSuspect(papplJobGetFilename(job))};
}

std::optional<bool> JobTurns::HasWaiting(pappl_printer_t* printer,
                                         bool has_room) const {
  const Descriptor lock = TryLockJobs(lock_file_);
  if (!lock.open()) return std::nullopt;
  const Descriptor copies = LockCopies(lock_file_);
  return OldestOf(printer, {.is_whole = true, .has_room = has_room}).job !=
         nullptr;
}

bool JobTurns::IsFree(pappl_printer_t* printer) {
  const std::lock_guard lock(mutex_);
  const Place& place = places_[printer];
  return !place.is_taken && !place.is_closing && !has_ended_;
}

bool JobTurns::MaySuspectBegin() {
  const std::lock_guard lock(mutex_);
  return suspect_turn_.IsFree(SuspectTurn::Time::clock::now());
}

// Waits until the job has begun. Before that, PAPPL could begin it, or another
// job, a second time.
void JobTurns::Give(const Turn& turn) {
  const auto now = SuspectTurn::Time::clock::now();
  const auto end = now + kLongestStart;
  std::unique_lock lock(mutex_);
  Place& place = places_[turn.printer];
  const uint64_t begun = place.begun;
  place.is_taken = true;
  if (turn.is_suspect) suspect_turn_.Begin(turn.printer, now);
  lock.unlock();
  {
    const Descriptor holds = LockToChangeHolds(lock_file_);
    papplJobRelease(turn.job, nullptr);
  }
  lock.lock();
  const auto has_begun = [&] { return place.begun != begun; };
  while (!changed_.wait_for(lock, kLookForStart, has_begun)) {
    lock.unlock();
    bool is_over = papplJobGetState(turn.job) >= IPP_JSTATE_CANCELED;
    if (!is_over && std::chrono::steady_clock::now() > end) {
      const Descriptor holds = LockToChangeHolds(lock_file_);
      is_over = papplJobHold(turn.job, nullptr, kHoldForTurn, 0);
    }
    lock.lock();
    if (is_over && !has_begun()) {
      place.is_taken = false;
      suspect_turn_.End(turn.printer);
      return;
    }
  }
}

}  // namespace halftoned
