// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver process of a job. One thread feeds it, takes its output and logs its
// messages, so neither side waits for the other forever.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/process/child.h"
#include "print/process/stop.h"

namespace halftoned {

// A job for a driver.
struct DriverJob {
  int id = 0;
  std::string printer;
  std::function<bool()> is_canceled;
  // Logs one line of the driver's messages, in the format of CUPS filters.
  std::function<void(std::string_view)> log;
  // Sends the driver's output, and empties the buffer. False: the printer takes
  // no more.
  std::function<bool(std::string&)> send;
};

class DriverProcess {
 public:
  // `job` outlives the process. words: the program and its arguments.
  static Result<std::unique_ptr<DriverProcess>> Start(
      const DriverJob& job, std::vector<std::string> words,
      std::vector<std::string> environment);

  // Writes raster to the driver, and appends the driver's output to `out`.
  // Fails if the driver fails or the job is canceled.
  Result<void> Write(std::span<const std::byte> bytes, std::string& out);

  // Call it at the end of the raster. Appends the rest of the output.
  Result<void> Finish(std::string& out);

  // Call it if the job ends early. Gives the driver a second to end its page.
  void End(std::string& out);

 private:
  DriverProcess(const DriverJob& job, Stop stop, Child child, Descriptor input,
                Descriptor output, Descriptor messages);
  // Waits for one of the three pipes, for at most this time.
  Result<void> Pump(std::span<const std::byte>& bytes, std::string& out,
                    int milliseconds);
  void ReadMessages();
  Result<void> Failure(const char* otherwise);

  const DriverJob& job_;
  Stop stop_;
  std::optional<Child> child_;
  Descriptor input_;
  Descriptor output_;
  Descriptor messages_;
  std::string line_;
};

}  // namespace halftoned
