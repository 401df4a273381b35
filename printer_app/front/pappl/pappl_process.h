// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process of PAPPL, a child of the front end. It ends with it, and is
// started again if it ends by itself.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace halftoned {

// Whether a thread of the process waits for a disk or another device. Until
// then, the process cannot end.
bool WaitsForDisk(pid_t process);

class PapplProcess {
 public:
  // The descriptor by which the process has `kept`.
  static constexpr int kKept = 3;

  // words: the command line of this program. socket: where it listens once it
  // has started. kept: what it holds as long as it lives, too. most_memory:
  // bytes of data and stacks; 0: no limit.
  PapplProcess(std::vector<std::string> words, std::string socket, int kept,
               uint64_t most_memory)
      : words_(std::move(words)),
        socket_(std::move(socket)),
        kept_(kept),
        most_memory_(most_memory) {}

  // more: words that only this start has. Call from the thread that lives as
  // long as the process.
  Result<void> Start(const std::vector<std::string>& more = {});
  // True once it listens; false if it has ended before.
  bool WaitUntilItListens();
  void Stop() const;
  // At once, whatever it does.
  void Kill() const;
  // Whether so little memory is left to it that it might do nothing any more.
  bool IsFull() const;
  bool WaitsForDisk() const { return halftoned::WaitsForDisk(process_); }
  // Whether it has ended; `status` is as wait(2) has it.
  bool HasEnded(int& status);

 private:
  const std::vector<std::string> words_;
  const std::string socket_;
  const int kept_;
  const uint64_t most_memory_;
  pid_t process_ = -1;
};

}  // namespace halftoned
