// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adopts and releases queues of a print server, and shows their state.
// adoption.h changes the PPD files.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "adopt/queue/outcome.h"
#include "adopt/queue/print_server.h"
#include "base/result.h"

namespace halftoned {

// Advice about larger data, and the queue for which it was given first. Queues
// that are adopted later refer to that queue.
using GivenAdvice = std::map<std::string, std::string>;

// Both functions return the outcome, or the reason why nothing was done.
// dry_run: change nothing, and return what the outcome would be.
Result<QueueOutcome> AdoptQueue(PrintServer& server, const std::string& name,
                                bool dry_run, GivenAdvice& given);
Result<QueueOutcome> ReleaseQueue(PrintServer& server, const std::string& name,
                                  bool dry_run);

struct QueueState {
  std::string name;
  // "adopted"; "added" (with a driver of ours); "out of date"; "can be adopted"
  // or "no".
  std::string state;
  std::string reason;  // for people; may be empty
};

// models: the names of the models that can be installed.
QueueState StateOf(PrintServer& server, const PrintQueue& queue,
                   const std::vector<std::string>& models);
Result<std::vector<QueueState>> ListQueues(PrintServer& server);

// True if adopting the outdated queue again is enough.
bool IsMendedByAdoption(const QueueState& state);

// Whether queues of the models whose names contain `word` could be adopted:
// "can be adopted" or "no".
Result<std::vector<QueueState>> ListModels(PrintServer& server,
                                           const std::string& word);

}  // namespace halftoned
