// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the supervisor and a worker say to each other, over a socketpair that
// keeps messages apart (SOCK_SEQPACKET). A worker is started with its end as
// kControlFd, and ends when that closes.
//
//   supervisor = { Adopt, with the connection's descriptor | Drain | Ask }
//   worker     = [ Ready { Adopted | Closed | Report } ] [ Dying ]
//
// Both are of one build: Ready names it, and the supervisor ends a worker of
// another.

#ifndef HALFTONED_DAEMON_CONTROL_H_
#define HALFTONED_DAEMON_CONTROL_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "base/unix_socket.h"
#include "wire/protocol.h"

namespace halftoned::daemon {

inline constexpr int kControlFd = 3;

// Serve this client: the hello has been read from the connection, nothing more.
struct Adopt {
  uint64_t connection = 0;  // its number, from 1 on
  PeerCredentials credentials;
  wire::Hello hello;
};

// Finish the pages that are open, take no others, and end.
struct Drain {};

// Send a Report.
struct Ask {};

// What a worker, or one of its connections, has done.
struct Counters {
  uint64_t pages = 0;  // that came to their end
  uint64_t rows = 0;   // that were answered
  uint64_t bands = 0;
  uint64_t pixels = 0;
  uint64_t failed_pages = 0;     // refused or ended by an error
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

// What a worker has done for clients in the last minute.
struct Pace {
  uint64_t pages = 0;  // that came to their end
  uint64_t gray_bytes = 0;

  Pace& operator+=(const Pace& more) {
    pages += more.pages;
    gray_bytes += more.gray_bytes;
    return *this;
  }
};

struct Ready {
  static constexpr uint32_t kBuild = 3;  // of the messages of this file

  uint32_t build = kBuild;
  std::string engine;
  int32_t threads = 0;
  uint32_t recipe_kinds = ~0u;  // that it serves, a bit each
  // Of a worker with a device of its own.
  std::string device;          // its name and what tells it from others
  uint64_t device_memory = 0;  // bytes
  uint32_t pages = 0;          // that it has room for at a time; 0: many

  // Of a hello; 0 is any.
  bool Serves(uint32_t recipe_kind) const {
    return recipe_kind == 0 ||
           (recipe_kind < 32 && (recipe_kinds >> recipe_kind & 1) != 0);
  }
};

// The worker ends now, by itself.
struct Dying {
  enum class Cause : uint8_t {
    kFault,      // another process may do better at once
    kAbsent,     // there is no device, or no driver for it, now
    kWrongBits,  // it computes what is not so
  };

  Cause cause = Cause::kFault;
  std::string reason;  // a line for a person
};

// The worker has the connection: what befalls it from now on may be this
// client's doing.
struct Adopted {
  uint64_t connection = 0;
};

// A connection has ended, for this reason, a line for a person.
struct Closed {
  uint64_t connection = 0;
  Counters counters;   // of this connection
  std::string reason;  // empty: its client had nothing more to ask
};

struct Report {
  struct Connection {
    uint64_t connection = 0;
    Counters counters;
    uint32_t page = 0;     // that is open; 0: none
    int64_t next_row = 0;  // of that page, the first without an answer
    int32_t width = 0;
    uint64_t idle_ms = 0;  // since its client was last heard or answered
  };
  // As many as a message has room for; others are left out.
  static constexpr size_t kMaxConnections = 2000;

  Counters counters;          // of all its life
  Pace last_minute;           // checks of health are not in it
  uint64_t page_bytes = 0;    // memory of the pages that are open
  uint64_t device_bytes = 0;  // of the device's memory, in use by the worker
  std::vector<Connection> connections;
};

using FromSupervisor = std::variant<Adopt, Drain, Ask>;
using FromWorker = std::variant<Ready, Adopted, Closed, Report, Dying>;

// One end of the channel. Neither end ever blocks. To the supervisor a full
// channel is an error of this worker; what a worker's does not take now is kept
// and sent by Flush.
class Control {
 public:
  struct Ends;
  static Result<Ends> MakePair();  // close-on-exec, both non-blocking

  explicit Control(Descriptor socket) : socket_(std::move(socket)) {}

  int fd() const { return socket_.get(); }

  Result<void> Send(const FromSupervisor& message, int fd_to_pass = -1);
  Result<void> Send(const FromWorker& message);
  // From any thread of a worker whose end of the channel is `fd`, whatever else
  // it has not sent.
  static Result<void> SendLast(int fd, const Dying& dying);
  // To be called once fd() is writable, while has_backlog().
  Result<void> Flush();
  bool has_backlog() const { return !backlog_.empty(); }

  // The next message, if there is one; an error once the channel has ended, or
  // the other end says what nobody says.
  // `passed` takes the descriptor of an Adopt; it is closed where this process
  // may have no more descriptors.
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

#endif  // HALFTONED_DAEMON_CONTROL_H_
