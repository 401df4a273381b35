// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engines of a job: those of this process, and halftoned if it is used.
// With "auto", a page begins here and moves to the daemon with its first gray
// pixel; if the daemon is missing or fails, this process halftones the rest of
// the page. A named engine does the whole job or fails.

#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "filter/messages.h"
#include "halftone/run/engine.h"
#include "halftone/run/failover.h"
#include "halftone/run/pool.h"
#include "print/engines/daemon_chain.h"
#include "print/process/stop.h"
#include "print/settings/job_settings.h"
#include "wire/protocol.h"
#include "wire/remote_connection.h"

namespace halftoned {

class Engines {
 public:
  // All arguments outlive it. `slots_file`: the file through which the filters
  // of a machine share their threads; empty: they do not share.
  Engines(const Settings& settings, const wire::Hello& hello,
          const std::string& slots_file, const Stop& stop, Messages& messages);

  // The job's engine if it exists, runs here and knows the job's recipe;
  // otherwise, with a warning, the configured one; if that cannot do the job
  // either, `auto`, and the reason is added to `problems`. A job or
  // configuration that names the daemon fails without it.
  Result<const Engine*> Choose(std::vector<std::string>& problems);
  // The engine of this process, as text for people. Precondition: Choose was
  // called.
  const std::string& description() const { return description_; }
  // How many pages had to change engines, as text; empty if none had to.
  std::string Moves() const;

 private:
  Result<const Engine*> ChooseNamed(const std::string& name);
  void Say(const Move& move);

  const Settings& settings_;
  Messages& messages_;
  Pool pool_;
  const wire::RemoteOptions remote_options_;
  EngineList engines_;
  const Engine* remote_ = nullptr;      // by its name: the daemon or nothing
  std::unique_ptr<DaemonChain> chain_;  // with an engine of this process
  std::unique_ptr<FailoverEngine> failover_;  // of the daemon alone
  std::string description_;
  // Pages of several threads may move at the same time.
  mutable std::mutex mutex_;
  int64_t row_of_daemon_ = 0;  // where the page's part for the daemon begins
  int64_t moves_ = 0;          // in the middle of that part
  int64_t begun_here_ = 0;     // pages that the daemon did not begin
};

}  // namespace halftoned
