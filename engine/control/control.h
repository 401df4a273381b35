// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages between the supervisor and a worker, over a socketpair that
// preserves message boundaries (SOCK_SEQPACKET). `halftone`, which can start a
// worker for itself, plays the supervisor. A worker finds its end at
// kControlFd, and exits when that closes.
//
//   supervisor = [ Show ] { Adopt | Drain | Ask | Dismiss }
//   worker     = [ Ready { Adopted | Closed | Report } ] [ Dying ]
//
// Show passes the descriptor of a board, and Adopt that of a connection.
//
// Both must be from one build: Ready names it, and the supervisor ends a worker
// from another build.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "base/unix_socket.h"
#include "control/work.h"
#include "wire/protocol.h"

namespace halftoned::daemon {

inline constexpr int kControlFd = 3;

// Serve this client: only the hello has been read from the connection.
struct Adopt {
  uint64_t connection = 0;  // its number, from 1 on
  PeerCredentials credentials;
  wire::Hello hello;
  uint32_t place = 0;  // on the board
};

// The board on which the worker notes the connections that it works for
// (board.h).
struct Show {};

// Finish the open pages, accept no others, and exit.
struct Drain {};

// Send a Report.
struct Ask {};

// End this connection as soon as it has no band in flight: another one needs
// its place.
struct Dismiss {
  uint64_t connection = 0;
};

// Work done by a worker, or for one of its connections.
struct Counters {
  uint64_t pages = 0;  // completed
  uint64_t rows = 0;   // answered
  uint64_t bands = 0;
  uint64_t pixels = 0;
  uint64_t failed_pages = 0;     // refused, or ended by an error
  uint64_t cancelled_pages = 0;  // by their clients
  uint64_t evicted_pages = 0;
  uint64_t protocol_errors = 0;  // of clients

  Counters& operator+=(const Counters& more) {
    pages += more.pages;
    rows += more.rows;
    bands += more.bands;
    pixels += more.pixels;
    failed_pages += more.failed_pages;
    cancelled_pages += more.cancelled_pages;
    evicted_pages += more.evicted_pages;
    protocol_errors += more.protocol_errors;
    return *this;
  }
};

// Work that a worker did for clients in the last minute.
struct Pace {
  uint64_t pages = 0;  // completed
  uint64_t gray_bytes = 0;

  Pace& operator+=(const Pace& more) {
    pages += more.pages;
    gray_bytes += more.gray_bytes;
    return *this;
  }
};

struct Ready {
  static constexpr uint32_t kBuild = 7;  // version of the messages in this file

  uint32_t build = kBuild;
  std::string engine;
  int32_t threads = 0;
  uint64_t recipe_kinds = 0;  // a bit for each kind that it serves
  // For a worker with a device of its own:
  std::string device;          // name and unique ID
  uint64_t device_memory = 0;  // bytes
  uint32_t pages = 0;          // pages that fit at a time; 0: no such limit

  // recipe_kind: of a hello; 0 means any.
  bool Serves(uint32_t recipe_kind) const {
    return recipe_kind == 0 ||
           (recipe_kind < 64 && (recipe_kinds >> recipe_kind & 1) != 0);
  }
};

// The worker is about to exit by itself.
struct Dying {
  enum class Cause : uint8_t {
    kFault,      // a new process may work immediately
    kAbsent,     // there is currently no device, or no driver for it
    kWrongBits,  // the device computes wrong bits
    kLate,       // set by the supervisor: no answer in time
  };

  Cause cause = Cause::kFault;
  std::string reason;  // a line for the log
};

// The worker has received the connection: if the worker fails from now on, this
// client may be the cause.
struct Adopted {
  uint64_t connection = 0;
};

// A connection has ended.
struct Closed {
  uint64_t connection = 0;
  Counters counters;   // of this connection
  std::string reason;  // a line for the log; empty: the client was finished
};

struct Report {
  struct Connection {
    uint64_t connection = 0;
    Counters counters;
    uint32_t page = 0;     // the open page; 0: none
    int64_t next_row = 0;  // its first row without an answer
    int32_t width = 0;
    uint64_t idle_ms = 0;  // since the last message from or to its client
  };
  // The most that max-connections allows; a message has room for all.
  static constexpr size_t kMaxConnections = 2000;

  Counters counters;          // since the worker started
  Pace last_minute;           // without health checks
  uint64_t page_bytes = 0;    // memory that clients hold
  uint64_t device_bytes = 0;  // device memory that the worker uses
  uint64_t bands_in_flight = 0;
  Work work;  // since the worker started, without health checks
  std::vector<Connection> connections;
};

using FromSupervisor = std::variant<Adopt, Drain, Ask, Show, Dismiss>;
using FromWorker = std::variant<Ready, Closed, Report, Dying, Adopted>;

// One end of the channel. Neither end ever blocks. For the supervisor, a full
// channel is an error of that worker; a worker keeps what does not fit now, and
// Flush sends it.
class Control {
 public:
  struct Ends;
  static Result<Ends> MakePair();  // close-on-exec, both non-blocking

  explicit Control(Descriptor socket) : socket_(std::move(socket)) {}

  int fd() const { return socket_.get(); }

  Result<void> Send(const FromSupervisor& message, int fd_to_pass = -1);
  Result<void> Send(const FromWorker& message);
  // Sends a last message past the backlog. fd: the worker's end of the channel.
  // Any thread may call it.
  static Result<void> SendLast(int fd, const Dying& dying);
  // Call when fd() is writable, while has_backlog().
  Result<void> Flush();
  bool has_backlog() const { return !backlog_.empty(); }

  // The next message, if there is one; an error if the channel has closed or
  // the message is malformed. `passed` receives the descriptor of an Adopt or a
  // Show; it stays closed if this process has reached its limit of descriptors.
  Result<std::optional<FromSupervisor>> ReceiveAsWorker(Descriptor& passed);
  Result<std::optional<FromWorker>> ReceiveAsSupervisor();

 private:
  struct Message {
    std::vector<std::byte> bytes;
    std::vector<Descriptor> fds;
  };

  Result<std::optional<Message>> Receive();

  Descriptor socket_;
  std::deque<std::vector<std::byte>> backlog_;
};

struct Control::Ends {
  Control supervisor;
  Control worker;
};

}  // namespace halftoned::daemon
