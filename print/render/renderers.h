// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes of Ghostscript that work for a job, so that one call ends all
// of them. One may start before its document is there, and do the first work.

#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "print/process/stop.h"
#include "print/render/ghostscript.h"

namespace halftoned {

class Renderers {
 public:
  // `stop` outlives it. user: the job's.
  explicit Renderers(const Stop& stop, std::string user = "")
      : stop_(stop), user_(std::move(user)) {}
  Renderers(const Renderers&) = delete;
  Renderers& operator=(const Renderers&) = delete;

  // A running process. Destroy it before the Renderers.
  class Running {
   public:
    Running(Renderers& all, std::unique_ptr<Ghostscript> process)
        : all_(&all), process_(std::move(process)) {}
    Running(Running&& other) noexcept = default;
    ~Running();
    Ghostscript& operator*() { return *process_; }
    Ghostscript* operator->() { return process_.get(); }

   private:
    Renderers* all_;
    std::unique_ptr<Ghostscript> process_;
  };

  // Starts a process in advance, for the first Start with the same words. The
  // calling thread must live as long as that process. A failure here has no
  // consequences.
  void StartAhead(const GhostscriptOrder& order);

  Result<Running> Start(const GhostscriptOrder& order);

  // Ends the running processes; no other one starts until Resume.
  void End();
  void Resume();

  const Stop& stop() const { return stop_; }
  const std::string& user() const { return user_; }

 private:
  std::unique_ptr<Ghostscript> TakeAhead(const GhostscriptOrder& order);

  const Stop& stop_;
  const std::string user_;
  std::mutex mutex_;
  bool has_ended_ = false;
  std::vector<std::string> words_ahead_;
  std::unique_ptr<Ghostscript> ahead_;
  std::set<Ghostscript*> running_;
};

}  // namespace halftoned
