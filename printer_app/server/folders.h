// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directories of printers and jobs: in /var for a service, in the home
// directory for a user.

#pragma once

#include <functional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

struct Folders {
  std::string state;  // holds the state file, and PAPPL's certificates
  std::string spool;

  std::string PpdFolder() const { return state + "/ppd"; }
  std::string StateFile() const { return state + "/printers.state"; }
  // For temporary files, and for OwnSocket.
  std::string TemporaryFolder() const { return state + "/tmp"; }
  // Where a server listens for its own user's sub-commands, if not root's.
  std::string OwnSocket() const;
  // The log, unless the option log-file names another file.
  std::string LogFile() const { return state + "/log"; }
  // Holds only records of jobs (job_records.h).
  std::string JobFolder() const { return state + "/jobs"; }
  // A copy of the state file, made when the last server that had printers
  // started.
  std::string LastGoodFile() const { return StateFile() + ".last-good"; }
  // Only the front end and PAPPL can enter it.
  std::string InnerFolder() const { return state + "/inner"; }
  std::string InnerSocket() const { return InnerFolder() + "/pappl.sock"; }
  // The lock file for the turns of jobs (job_turns.h).
  std::string TurnFile() const { return InnerFolder() + "/turn"; }
  // To which PAPPL writes its log (pappl_log.h).
  std::string LogPipe() const { return InnerFolder() + "/log"; }
  // The numbers of the paused printers.
  std::string PausedFile() const { return state + "/printers.paused"; }
};

// PAPPL's sub-commands expect this name.
std::string OwnSocketName();

// variable: returns the value of an environment variable, or null. systemd sets
// STATE_DIRECTORY; a snap sets SNAP_COMMON. Without a home directory both are
// empty.
Folders FoldersOf(const std::function<const char*(const char*)>& variable,
                  bool is_root);

// The directory for a server's temporary files: $TMPDIR (`named`) if this user
// owns it and no other user can write to it. Otherwise one next to the state.
std::string TemporaryFolderOf(const char* named, const Folders& folders);

// Creates the directory if it is missing. True if this user owns it and no
// other user can write to it.
bool MakeOwnFolder(const std::string& folder);

// The same for all directories. The error says what to do.
Result<void> MakeFolders(const Folders& folders);

// For paths in /proc/self/fd. Not open if there is no such directory, or
// another user can write to it: anybody could put a socket there.
Descriptor OpenOwnFolder(const std::string& folder);

}  // namespace halftoned
