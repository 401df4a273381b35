// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that is started for a job, in its own process group, because it may
// start other processes. It ends with this process.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "print/process/stop.h"

namespace halftoned {

// For a program that reads untrusted data: it gains no rights, and writes no
// core dump.
struct Confinement {
  std::vector<int> descriptors;  // all, beyond stdin, stdout and stderr
};

// What the child, and each process that it starts, may use. A limit above that
// of this process has no effect. If the system runs out of memory, these
// processes are the first to end.
struct ChildLimits {
  uint64_t memory;      // bytes of addresses
  uint64_t file_bytes;  // per file that it writes; then SIGXFSZ ends it
  uint64_t files;       // open at a time
};

// Limits this process, and any program that it executes.
void Limit(const ChildLimits& limits);

struct ChildOrder {
  std::string name;                      // for errors, such as "the renderer"
  std::vector<std::string> words;        // the first is the program's path
  std::vector<std::string> environment;  // NAME=VALUE
  int input;                             // becomes its stdin
  int output;                            // becomes its stdout
  int messages = 2;                      // becomes its stderr
  std::optional<Confinement> confinement = {};
  std::optional<ChildLimits> limits = {};
  bool ends_with_thread = true;
};

// The environment of this process without these variables.
std::vector<std::string> EnvironmentWithout(
    std::initializer_list<std::string_view> names);

class Child {
 public:
  // If ends_with_thread, the process gets SIGTERM when the calling thread ends.
  // If it is not confined, it inherits descriptors that are not closed on exec.
  static Result<Child> Start(ChildOrder order);
  // Runs `work` in a copy of this process, which ends with the calling thread.
  // Call it before this process has threads.
  static Result<Child> Fork(std::string name,
                            const std::function<void()>& work);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child() { End(); }

  // Whether a signal has ended the child; what it has started may still run.
  bool WasKilled();
  // Whether this signal has ended it.
  bool WasKilledBy(int signal);
  // Whether it has ended by a signal that it caused itself.
  bool HasCrashed();

  pid_t process() const { return group_; }
  // The CPU time that it has used. Nothing if it has ended.
  std::optional<std::chrono::nanoseconds> CpuTime() const;

  // Waits for the child's end, at most for that time if one is given. An error
  // says how it failed.
  Result<void> Finish(
      const Stop& stop,
      std::optional<std::chrono::milliseconds> most = std::nullopt);

  // Makes the child end soon. Any thread may call this.
  void Terminate();

  // Ends the child with all processes that it has started, if it still runs.
  void End();

 private:
  Child(std::string name, pid_t process)
      : name_(std::move(name)), group_(process), process_(process) {}
  // Whether it has ended; then its status is known.
  bool HasEnded();

  const std::string name_;
  const pid_t group_;
  std::mutex mutex_;
  pid_t process_;  // 0: it has ended
  int status_ = 0;
};

}  // namespace halftoned
