// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a client is not served: a message for the client and a name for counters.

#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace halftoned::daemon {

enum class Refusal {
  kConnections,
  kConnectionsOfUser,
  kHellos,
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
  // True if the client has identified itself. Other refusals are counted, but
  // logged only at level debug, since they could fill a disk.
  bool after_hello = false;
};

inline constexpr std::array<RefusalWords, 9> kRefusals = {{
    {"connections", "the daemon has reached its limit of connections"},
    {"connections_of_user", "this user has reached the limit of connections"},
    {"hellos", "too many connections have not identified themselves"},
    {"banned_job", "workers died while working for this job", true},
    {"silent", "the handshake did not arrive in time"},
    {"malformed", "the handshake is malformed"},
    {"version", "the daemon uses another protocol version"},
    {"no_worker", "no worker can accept this connection", true},
    {"stopping", "the daemon is stopping", true},
}};

inline constexpr const RefusalWords& WordsOf(Refusal refusal) {
  return kRefusals[static_cast<size_t>(refusal)];
}

}  // namespace halftoned::daemon
