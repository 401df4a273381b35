// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "base/text.h"

namespace halftoned {
namespace {

// The file that marks a directory as one of ours, whatever its name is.
constexpr char kMark[] = "/.halftoned";
constexpr char kNewMark[] = "/.halftoned-new";

bool Lock(const Descriptor& file) {
  return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

// The mark appears when it is locked. Some file systems have no locks.
Result<Descriptor> Mark(const std::string& path) {
  HALFTONED_TRY_ASSIGN(
      Descriptor mark,
      Descriptor::Open(path + kNewMark, O_WRONLY | O_CREAT | O_EXCL, 0600));
  Lock(mark);
  if (::rename((path + kNewMark).c_str(), (path + kMark).c_str()) != 0) {
    return ErrnoError(ErrorCode::kIo,
                      "cannot rename a file in " + Printable(path));
  }
  return mark;
}

bool IsOwn(const std::string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0 && status.st_uid == ::geteuid() &&
         S_ISDIR(status.st_mode);
}

void RemoveLeft(const std::string& parent, std::string_view prefix) {
  std::error_code error;
  std::filesystem::directory_iterator folders(parent, error);
  for (; !error && folders != std::filesystem::directory_iterator();
       folders.increment(error)) {
    const std::filesystem::path& path = folders->path();
    if (!path.filename().string().starts_with(prefix) || !IsOwn(path)) {
      continue;
    }
    const auto mark = Descriptor::Open(path.string() + kMark,
                                       O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
    std::error_code ignored;
    if (mark.ok() && Lock(*mark)) std::filesystem::remove_all(path, ignored);
  }
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::Make(const std::string& parent,
                                              std::string_view prefix) {
  RemoveLeft(parent, prefix);
  std::string path = parent + "/" + std::string(prefix) + "XXXXXX";
  if (!::mkdtemp(path.data())) {
    return ErrnoError(ErrorCode::kIo,
                      "cannot create a directory in " + Printable(parent));
  }
  TemporaryFolder folder(std::move(path));
  HALFTONED_TRY_ASSIGN(folder.mark_, Mark(folder.path_));
  return folder;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), mark_(std::move(other.mark_)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace halftoned
