// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/libexec.h"

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace halftoned {
namespace {

// Whether only root can change what is there. A missing path belongs to root if
// this holds for its parent.
bool IsRoots(const std::filesystem::path& path, bool is_parent) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT;
  if (status.st_uid != 0) return false;
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return true;
  // Others may put things there, but not replace root's.
  return is_parent && (status.st_mode & S_ISVTX) != 0;
}

bool IsForRoot(const std::string& folder) {
  std::error_code error;
  auto path = std::filesystem::weakly_canonical(
      std::filesystem::absolute(folder, error), error);
  if (error) return false;
  if (!path.has_filename()) path = path.parent_path();
  if (!IsRoots(path, false)) return false;
  while (path.has_relative_path()) {
    path = path.parent_path();
    if (!IsRoots(path, true)) return false;
  }
  return true;
}

}  // namespace

std::string LibexecFolder(const char* installed) {
  const char* named = std::getenv("HALFTONED_LIBEXEC");
  if (!named || ::getauxval(AT_SECURE) != 0) return installed;
  if (::geteuid() == 0 && !IsForRoot(named)) return installed;
  return named;
}

std::string ProgramFolder(const char* installed, const char* libexec) {
  const std::filesystem::path from = libexec;
  const auto found = LibexecFolder(libexec) /
                     std::filesystem::path(installed).lexically_relative(from);
  const std::string folder = found.lexically_normal().string();
  return ::geteuid() == 0 && !IsForRoot(folder) ? installed : folder;
}

}  // namespace halftoned
