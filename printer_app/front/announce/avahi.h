// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A connection to Avahi over D-Bus. Any user can send signals to any program,
// as if Avahi or D-Bus had sent them. libavahi-client believes them, and would
// withdraw the announcements. This class checks the sender of each signal, and
// discards messages of others.

#pragma once

#include <systemd/sd-bus.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace halftoned {

class Avahi {
 public:
  struct Change {
    enum Kind {
      kGone,      // Avahi has ended, and forgotten all groups
      kPaused,    // groups must be reset: the machine gets another name
      kConflict,  // another machine has a name of the group
    } kind;
    std::string group;
  };

  // Connects to D-Bus anew. Groups of the last connection are withdrawn.
  void Connect();
  // Whether services can be announced.
  bool is_running() const { return !owner_.empty() && state_ == kRunning; }
  // Waits for a message or until `wakeup` is readable, but at most this long;
  // negative: without an end.
  std::vector<Change> Wait(int wakeup, int milliseconds);

  // The name of this machine in the network, with its domain; empty: unknown.
  std::string HostName();
  // A group of services, which are announced together. Empty: Avahi does not
  // answer.
  std::string NewGroup();
  // False: another service of this machine has the name.
  Result<bool> AddService(const std::string& group, const std::string& name,
                          const std::string& type, int port,
                          const std::vector<std::string>& texts);
  Result<bool> AddSubtype(const std::string& group, const std::string& name,
                          const std::string& type, const std::string& subtype);
  Result<bool> Commit(const std::string& group);
  void Reset(const std::string& group);
  void Free(const std::string& group);

 private:
  struct CloseBus {
    void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
  };
  struct FreeMessage {
    void operator()(sd_bus_message* message) const {
      sd_bus_message_unref(message);
    }
  };
  using Message = std::unique_ptr<sd_bus_message, FreeMessage>;
  static constexpr int kRunning = 2;  // a state of Avahi's server

  bool Matches(const std::string& rule);
  void Find();
  // Null if there is no connection.
  Message NewCall(const std::string& to, const char* path,
                  const char* interface, const char* method);
  Result<Message> Send(const Message& call);
  Result<bool> SendToAdd(const Message& call);
  void CallGroup(const std::string& group, const char* method);
  std::string Ask(const std::string& to, const char* path,
                  const char* interface, const char* method,
                  const char* about = nullptr);
  static int OnAnswer(sd_bus_message* message, void* data, sd_bus_error*);
  static int OnMessage(sd_bus_message* message, void* data, sd_bus_error*);
  void TakeSignal(sd_bus_message* message);

  std::unique_ptr<sd_bus, CloseBus> bus_;
  std::string owner_;  // Avahi's own name on the bus; empty: there is no Avahi
  int state_ = 0;
  std::vector<Change> changes_;
};

}  // namespace halftoned
