// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directories of printers and jobs: in /var for a service, in the home
// directory for a user.

#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace halftoned {

struct Folders {
  std::string state;  // holds the state file, and PAPPL's certificates
  std::string spool;

  std::string PpdFolder() const { return state + "/ppd"; }
  std::string StateFile() const { return state + "/printers.state"; }
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
  // The numbers of the paused printers.
  std::string PausedFile() const { return state + "/printers.paused"; }
};

// variable: returns the value of an environment variable, or null. systemd sets
// STATE_DIRECTORY; a snap sets SNAP_COMMON. Without a home directory both are
// empty.
Folders FoldersOf(const std::function<const char*(const char*)>& variable,
                  bool is_root);

// The directory for temporary files and for the socket between sub-commands and
// their server: $TMPDIR (`named`) if this user owns it and no other user can
// write to it, since anybody could put a socket into a shared directory.
// Otherwise one next to the state, or in $XDG_RUNTIME_DIR (`runtime`) if the
// socket's path would be too long there. Empty if there is none.
std::string TemporaryFolderOf(const char* named, const char* runtime,
                              const Folders& folders);

// Creates the directory if it is missing. True if this user owns it and no
// other user can write to it.
bool MakeOwnFolder(const std::string& folder);

// The same for all directories. The error says what to do.
Result<void> MakeFolders(const Folders& folders);

}  // namespace halftoned
