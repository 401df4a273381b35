// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a file is to be written: a folder, which is held open, and a name in
// it. The path is resolved once, link by link. All later work happens in that
// folder, even if the path has changed meanwhile.
//
// In any folder, links are followed only if they belong to us or to root:
// another user's link would choose which of our files is replaced. Linux's
// protected_symlinks prevents that only in sticky folders that all users may
// write to, such as /tmp.

#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/file/pending_files.h"

namespace halftoned {

struct OutputPlace {
  Folder folder;
  std::string name;
  std::optional<struct stat>
      there;  // what has the name; never a link to follow
  // The name is one in /proc for something without a name, such as a pipe.
  bool is_nameless = false;

  // Follows links, even to files that do not exist yet.
  static Result<OutputPlace> Find(const std::string& path);
};

// Whether it is the same file.
bool IsSame(const struct stat& one, const struct stat& other);

// Whether another user has put `thing` into a world-writable folder.
Result<bool> IsForeign(const Descriptor& folder, const struct stat& thing);

}  // namespace halftoned
