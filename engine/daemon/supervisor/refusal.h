// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a client is not served, in words for him and as a name for counters.

#ifndef HALFTONED_DAEMON_SUPERVISOR_REFUSAL_H_
#define HALFTONED_DAEMON_SUPERVISOR_REFUSAL_H_

#include <array>
#include <cstddef>
#include <string_view>

namespace halftoned::daemon {

enum class Refusal {
  kConnections,
  kConnectionsOfUser,
  kHellos,
  kBannedUser,
  kBannedJob,
  kSilent,
  kMalformed,
  kVersion,
  kNoWorker,
  kStopping,
};

struct RefusalWords {
  std::string_view name;     // of a counter
  std::string_view message;  // to the client
  // Of a client who has said who he is. What others are refused for is counted,
  // and said only where everything is: they could fill a disk with it.
  bool after_hello = false;
};

inline constexpr std::array<RefusalWords, 10> kRefusals = {{
    {"connections", "the daemon has as many connections as it may have"},
    {"connections_of_user", "this user has as many connections as he may have"},
    {"hellos", "too many connections have not said who they are"},
    {"banned_user", "workers have died of this user's jobs"},
    {"banned_job", "workers have died of this job", true},
    {"silent", "the hello did not come in time"},
    {"malformed", "the hello is malformed"},
    {"version", "the daemon speaks another version"},
    {"no_worker", "no worker can take this connection", true},
    {"stopping", "the daemon is stopping", true},
}};

inline constexpr const RefusalWords& WordsOf(Refusal refusal) {
  return kRefusals[static_cast<size_t>(refusal)];
}

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_REFUSAL_H_
