// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are being written, and must be deleted if the process ends early:
// names in folders that are kept open while a file in them is pending.
// Thread-safe.

#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

using Folder = std::shared_ptr<const Descriptor>;

class PendingFiles {
 public:
  // may_replace: whether complete files may replace existing ones.
  explicit PendingFiles(bool may_replace = true) : may_replace_(may_replace) {}
  // Deletes the files that are still pending.
  ~PendingFiles();
  PendingFiles(const PendingFiles&) = delete;
  PendingFiles& operator=(const PendingFiles&) = delete;

  // Creates a new file called `name` in `folder`, with `mode` minus the umask;
  // kUnavailable if it exists already.
  Result<Descriptor> Create(const Folder& folder, const std::string& name,
                            mode_t mode);

  bool may_replace() const { return may_replace_; }

  // Renames the pending file `name` to `target`; it is no longer pending.
  Result<void> Keep(const Folder& folder, const std::string& name,
                    const std::string& target);

  // Deletes the pending file `name`.
  void Delete(const Folder& folder, const std::string& name);

  // A folder that is deleted, with its files, when the pending files are
  // deleted, unless it has been forgotten.
  void AddFolder(const std::string& path);
  void ForgetFolder(const std::string& path);

  // Deletes all pending files. Threads that call any function afterwards block
  // until the process has ended.
  void DeleteAllForGood();

 private:
  void Unlink();

  const bool may_replace_;
  std::mutex mutex_;
  std::set<std::pair<Folder, std::string>> files_;
  std::set<std::string> folders_;
};

}  // namespace halftoned
