// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers status requests of any user of this machine: a client sends a line,
// "text", "json" or "metrics", gets the status, and the connection is closed.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "daemon/clock.h"
#include "daemon/supervisor/clients/socket_closer.h"
#include "daemon/supervisor/poll_set.h"
#include "daemon/supervisor/status/snapshot.h"

namespace halftoned::daemon {

class StatusDesk {
 public:
  // From the accept until the question has come and the answer has been read.
  static constexpr Duration kPatience = std::chrono::seconds(5);
  // Root is not counted.
  static constexpr size_t kMaxViewers = 64;
  static constexpr size_t kMaxViewersOfUser = 32;
  static constexpr size_t kMaxQuestionBytes = 64;

  // listener: if closed, there are no requests. closer: outlives this.
  StatusDesk(Descriptor listener, SocketCloser& closer)
      : listener_(std::move(listener)), closer_(closer) {}

  void Prepare(PollSet& set) const;
  void Serve(const PollSet& set, Instant now);

  // Whether a client waits for an answer.
  bool IsAsked() const;
  void Answer(const Snapshot& snapshot);

 private:
  enum class State { kAsks, kWaits, kFetches, kGone };

  struct Viewer {
    Descriptor socket;
    uid_t uid;
    Instant deadline;
    State state = State::kAsks;
    std::string text = {};  // the question, then what is left of the answer
  };

  void Accept(Instant now);
  // True if there is room. If all places are taken, the user with the most may
  // lose one.
  bool MakeRoomFor(uid_t uid);
  void Read(Viewer& viewer);
  void Write(Viewer& viewer);
  void EraseGone();

  Descriptor listener_;
  SocketCloser& closer_;
  std::vector<Viewer> viewers_;
};

}  // namespace halftoned::daemon
