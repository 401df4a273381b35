// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both ends of connections to printers.

#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "base/descriptor.h"
#include "printer_app/devices/device_stream.h"

namespace halftoned {

inline bool Never() { return false; }

struct Ends {
  Descriptor ours, printer;

  Ends() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    ours = Descriptor(ends[0]);
    printer = Descriptor(ends[1]);
  }
};

inline std::string ReadAll(int file) {
  std::string all;
  char bytes[1 << 16];
  for (ssize_t size; (size = read(file, bytes, sizeof(bytes))) > 0;) {
    all.append(bytes, static_cast<size_t>(size));
  }
  return all;
}

// Over TCP: what is on its way is lost where an end is closed with bytes
// unread.
class Printer {
 public:
  Printer() {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* name = reinterpret_cast<const sockaddr*>(&address);
    EXPECT_EQ(bind(listener_.get(), name, sizeof(address)), 0);
    EXPECT_EQ(listen(listener_.get(), 1), 0);
  }

  Ends Connect() const {
    sockaddr_in address = {};
    socklen_t size = sizeof(address);
    auto* name = reinterpret_cast<sockaddr*>(&address);
    Ends ends;
    ends.ours = Descriptor(socket(AF_INET, SOCK_STREAM, 0));
    EXPECT_EQ(getsockname(listener_.get(), name, &size), 0);
    EXPECT_EQ(connect(ends.ours.get(), name, size), 0);
    ends.printer = Descriptor(accept(listener_.get(), nullptr, nullptr));
    return ends;
  }

  // The printer's end of a connection after a job. The printer has spoken and
  // does not close it.
  Descriptor TakeJob(const char* user = "") const {
    Ends ends = Connect();
    EXPECT_EQ(write(ends.printer.get(), "ready", 5), 5);
    DeviceStream stream(std::move(ends.ours));
    stream.BeginJobOf({user});
    EXPECT_TRUE(stream.Send("page", Never));
    EXPECT_TRUE(stream.Drain(Never));
    return std::move(ends.printer);
  }

 private:
  Descriptor listener_{socket(AF_INET, SOCK_STREAM, 0)};
};

inline Ends ConnectedEnds() { return Printer().Connect(); }

}  // namespace halftoned
