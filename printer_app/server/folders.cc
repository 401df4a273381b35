// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/folders.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace halftoned {
namespace {

bool MakeFolder(const std::string& path) {
  for (size_t end = path.find('/', 1); end != std::string::npos;
       end = path.find('/', end + 1)) {
    if (mkdir(path.substr(0, end).c_str(), 0700) && errno != EEXIST) {
      return false;
    }
  }
  return !mkdir(path.c_str(), 0700) || errno == EEXIST;
}

// Nobody but this user, and root, can put files there.
bool IsOwn(const struct stat& status) {
  return S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool IsOwn(const std::string& folder) {
  struct stat status;
  return stat(folder.c_str(), &status) == 0 && IsOwn(status);
}

}  // namespace

std::string OwnSocketName() {
  return "halftone-printer-app" + std::to_string(getuid()) + ".sock";
}

std::string Folders::OwnSocket() const {
  return TemporaryFolder() + '/' + OwnSocketName();
}

Folders FoldersOf(const std::function<const char*(const char*)>& variable,
                  bool is_root) {
  const auto is_set = [&](const char* name) {
    const char* value = variable(name);
    return value && *value == '/';
  };
  std::string base;
  if (is_set("STATE_DIRECTORY")) {
    base = variable("STATE_DIRECTORY");
  } else if (is_set("SNAP_COMMON")) {
    base = variable("SNAP_COMMON");
  } else if (is_root) {
    return {"/var/lib/halftone-printer-app", "/var/spool/halftone-printer-app"};
  } else if (is_set("XDG_STATE_HOME")) {
    base = std::string(variable("XDG_STATE_HOME")) + "/halftone-printer-app";
  } else if (is_set("HOME")) {
    base = std::string(variable("HOME")) + "/.local/state/halftone-printer-app";
  } else {
    return {};
  }
  return {base, base + "/spool"};
}

std::string TemporaryFolderOf(const char* named, const Folders& folders) {
  return named && IsOwn(named) ? named : folders.TemporaryFolder();
}

bool MakeOwnFolder(const std::string& folder) {
  return MakeFolder(folder) && IsOwn(folder);
}

Descriptor OpenOwnFolder(const std::string& folder) {
  Result<Descriptor> opened = Descriptor::Open(folder, O_PATH | O_DIRECTORY);
  struct stat status;
  const bool is_own =
      opened.ok() && fstat(opened->get(), &status) == 0 && IsOwn(status);
  return is_own ? std::move(*opened) : Descriptor();
}

Result<void> MakeFolders(const Folders& folders) {
  for (const std::string& folder :
       {folders.state, folders.spool, folders.JobFolder(), folders.PpdFolder(),
        folders.InnerFolder(), folders.TemporaryFolder()}) {
    if (!MakeFolder(folder)) return ErrnoError(ErrorCode::kIo, folder);
    if (!IsOwn(folder)) {
      return BadInput(folder + ": others can write to it; type: chmod go-w " +
                      folder);
    }
  }
  return {};
}

}  // namespace halftoned
