// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that are being written and have no right to stay if the process
// ends now. Used by several threads.

#ifndef HALFTONED_TOOLS_FILE_PENDING_FILES_H_
#define HALFTONED_TOOLS_FILE_PENDING_FILES_H_

#include <sys/types.h>

#include <mutex>
#include <set>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

class PendingFiles {
 public:
  PendingFiles() = default;
  // Deletes what is still pending.
  ~PendingFiles();
  PendingFiles(const PendingFiles&) = delete;
  PendingFiles& operator=(const PendingFiles&) = delete;

  // Creates a new file called `path`, with `mode` less the umask; kUnavailable
  // if there is one already.
  Result<Descriptor> Create(const std::string& path, mode_t mode);

  // Renames the pending file `path` to `target`; it is pending no more.
  Result<void> Keep(const std::string& path, const std::string& target);

  // Deletes the pending file `path`.
  void Delete(const std::string& path);

  // Deletes all of them, and lets nobody create, keep or delete any more:
  // threads that try wait until the process has ended.
  void DeleteAllForGood();

 private:
  std::mutex mutex_;
  std::set<std::string> paths_;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_FILE_PENDING_FILES_H_
