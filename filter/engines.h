// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engines of a job: those of this process, and halftoned where it is used.
// With "auto" a page begins at the daemon, if it is there, and goes on here if
// it is not, or not any more; an engine that was named does all of it, or none.

#ifndef HALFTONED_FILTER_ENGINES_H_
#define HALFTONED_FILTER_ENGINES_H_

#include <memory>
#include <string>

#include "base/result.h"
#include "filter/messages.h"
#include "filter/settings.h"
#include "filter/stop.h"
#include "halftone/engine.h"
#include "halftone/failover.h"
#include "halftone/pool.h"
#include "wire/protocol.h"

namespace halftoned {

class Engines {
 public:
  // All that is passed in outlives it. `slots_file` is where the filters of a
  // machine share their threads; empty: they do not.
  Engines(const Settings& settings, const wire::Hello& hello,
          const std::string& slots_file, const Stop& stop, Messages& messages);

  // The job's engine, or, with a warning if that does not exist, does not run
  // here or does not know the job's recipe, the configured one. A job that
  // names a daemon that is not there fails.
  Result<const Engine*> Choose();
  // What works in this process, for a person. After Choose.
  const std::string& description() const { return description_; }
  // How often pages had to go elsewhere; empty if none had to.
  std::string Moves() const;

 private:
  Result<const Engine*> ChooseNamed(const std::string& name);
  void Say(const Move& move);

  const Settings& settings_;
  Messages& messages_;
  Pool pool_;
  EngineList engines_;
  const Engine* remote_ = nullptr;
  std::unique_ptr<FailoverEngine> failover_;
  std::string description_;
  int64_t moves_ = 0;       // in mid-page
  int64_t begun_here_ = 0;  // pages that the daemon did not begin
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_ENGINES_H_
