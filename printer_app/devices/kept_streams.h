// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The streams of canceled jobs whose printers have not taken all bytes. These
// bytes end the last page, so they are sent until the printer's next job
// begins, which then waits for them.

#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "printer_app/devices/device_stream.h"

namespace halftoned {

class KeptStreams {
 public:
  // A pappl_printer_t.
  using Printer = const void*;

  ~KeptStreams();

  void Keep(Printer printer, std::unique_ptr<DeviceStream> stream);
  // Null if there is none, or all has been sent.
  std::unique_ptr<DeviceStream> Take(Printer printer);
  // No next job begins. Closes the printer's connection, which ends the page. A
  // device that has none gets the rest.
  void EndConnection(Printer printer);
  // The printer is deleted.
  void End(Printer printer);

 private:
  struct Kept {
    explicit Kept(std::unique_ptr<DeviceStream> given);
    // Waits until `sender` has ended.
    std::unique_ptr<DeviceStream> Take();

    std::unique_ptr<DeviceStream> stream;  // null: all has been sent
    const bool is_connection;
    std::atomic<bool> is_wanted = false;
    std::thread sender;
  };

  // Null if there is none.
  std::unique_ptr<Kept> Extract(Printer printer, bool only_connection);
  // Closing can take long (a serial port, a program that hangs), and the caller
  // holds locks.
  static void EndLater(std::unique_ptr<Kept> kept);

  std::mutex mutex_;
  std::map<Printer, std::unique_ptr<Kept>> streams_;
};

}  // namespace halftoned
