// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process of PAPPL, a child of the front end. It ends with the front end,
// and is started again if it ends on its own.

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
  // The number of `kept` in the process.
  static constexpr int kKept = 3;

  // words: the command line of this program. socket: where it listens once it
  // has started. kept: a descriptor that it also holds while it lives.
  // most_memory: bytes of data and stacks; 0: no limit.
  PapplProcess(std::vector<std::string> words, std::string socket, int kept,
               uint64_t most_memory)
      : words_(std::move(words)),
        socket_(std::move(socket)),
        kept_(kept),
        most_memory_(most_memory) {}

  // more: extra words for this start only. Call it from a thread that lives as
  // long as the process.
  Result<void> Start(const std::vector<std::string>& more = {});
  // True once it listens; false if it has ended before.
  bool WaitUntilItListens();
  void Stop() const;
  // Ends it at once, whatever it is doing.
  void Kill() const;
  // Whether it has so little memory left that it might stop working.
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
