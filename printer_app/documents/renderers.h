// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes of Ghostscript that work for a job, so that one call ends all
// of them, and a thread that makes it soon after the job is cancelled.

#ifndef HALFTONED_PRINTER_APP_DOCUMENTS_RENDERERS_H_
#define HALFTONED_PRINTER_APP_DOCUMENTS_RENDERERS_H_

#include <pappl/pappl.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "base/result.h"
#include "print/process/stop.h"
#include "print/render/ghostscript.h"

namespace halftoned {

class Renderers {
 public:
  // Throws std::system_error if the system cannot start a thread.
  static Result<std::unique_ptr<Renderers>> Make(pappl_job_t* job);
  ~Renderers();
  Renderers(const Renderers&) = delete;
  Renderers& operator=(const Renderers&) = delete;

  // One that runs. Destroy it before the Renderers.
  class Running {
   public:
    Running(Renderers& all, std::unique_ptr<Ghostscript> process)
        : all_(all), process_(std::move(process)) {}
    Running(Running&& other) noexcept = default;
    ~Running();
    Ghostscript& operator*() { return *process_; }
    Ghostscript* operator->() { return process_.get(); }

   private:
    Renderers& all_;
    std::unique_ptr<Ghostscript> process_;
  };
  Result<Running> Start(const DrawingOrder& order);

  // Ends those that run; no other starts until Resume.
  void End();
  // Does nothing once the job is cancelled.
  void Resume();

  // Requested when the job is cancelled.
  const Stop& cancelled() const { return cancelled_; }

 private:
  Renderers(pappl_job_t* job, Stop cancelled);
  void Watch();

  pappl_job_t* const job_;
  Stop cancelled_;
  PendingFiles pending_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_ended_ = false;
  bool is_watched_ = true;
  std::set<Ghostscript*> running_;
  std::thread watch_;
};

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_DOCUMENTS_RENDERERS_H_
