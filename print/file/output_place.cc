// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/file/output_place.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace halftoned {
namespace {

constexpr int kMaxLinks = 40;  // as many as the system follows

Error CannotCreate() { return ErrnoError(ErrorCode::kIo, "cannot create"); }

// Opens the folder for reading first, since that mounts folders that are
// mounted on demand. A folder that must not be read can still be held open.
Result<Descriptor> OpenFolder(int at, const char* name) {
  constexpr int kFlags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Descriptor folder(::openat(at, name, O_RDONLY | kFlags));
  if (!folder.open() && errno == EACCES) {
    folder = Descriptor(::openat(at, name, O_PATH | kFlags));
  }
  if (!folder.open()) return CannotCreate();
  return folder;
}

Result<struct stat> StatusOf(const Descriptor& fd) {
  struct stat status;
  if (::fstat(fd.get(), &status) != 0) return CannotCreate();
  return status;
}

class Walk {
 public:
  Result<OutputPlace> Run(const std::string& path);

 private:
  Result<void> Push(std::string_view path);
  Result<void> Step(const std::string& name);
  Result<void> Enter(const std::string& name);
  Result<void> Follow(const std::string& name);
  Result<void> FollowInProc(const std::string& name, std::string_view text);
  void End(const std::string& name, std::optional<struct stat> there,
           bool is_nameless = false) {
    end_ = OutputPlace{std::make_shared<const Descriptor>(std::move(folder_)),
                       name, there, is_nameless};
  }

  Descriptor folder_;
  std::vector<std::string> left_;  // names still to go, the next one last
  int links_ = 0;
  std::optional<struct stat> expected_;  // what a link of /proc leads to
  std::optional<OutputPlace> end_;
};

Result<OutputPlace> Walk::Run(const std::string& path) {
  if (path.empty()) {
    errno = ENOENT;
    return CannotCreate();
  }
  if (!path.starts_with('/')) {
    HALFTONED_TRY_ASSIGN(folder_, OpenFolder(AT_FDCWD, "."));
  }
  HALFTONED_TRY(Push(path));
  while (!end_) {
    const std::string name = std::move(left_.back());
    left_.pop_back();
    HALFTONED_TRY(Step(name));
  }
  if (expected_ && !(end_->there && IsSame(*end_->there, *expected_))) {
    return IoError("leads to a file without a name");
  }
  return std::move(*end_);
}

// The walk goes on with these names. A slash at the end requires a folder.
Result<void> Walk::Push(std::string_view path) {
  if (path.starts_with('/')) {
    HALFTONED_TRY_ASSIGN(folder_, OpenFolder(AT_FDCWD, "/"));
  }
  if (path.ends_with('/')) left_.push_back(".");
  while (!path.empty()) {
    const size_t slash = path.rfind('/');
    const std::string_view name =
        slash == path.npos ? path : path.substr(slash + 1);
    if (!name.empty()) left_.emplace_back(name);
    path = path.substr(0, slash == path.npos ? 0 : slash);
  }
  return {};
}

Result<void> Walk::Step(const std::string& name) {
  const bool is_last = left_.empty();
  struct stat status;
  if (::fstatat(folder_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) !=
      0) {
    if (!is_last || errno != ENOENT) return CannotCreate();
    End(name, std::nullopt);
    return {};
  }
  if (S_ISLNK(status.st_mode)) return Follow(name);
  if (!is_last) return Enter(name);
  End(name, status);
  return {};
}

Result<void> Walk::Enter(const std::string& name) {
  HALFTONED_TRY_ASSIGN(folder_, OpenFolder(folder_.get(), name.c_str()));
  return {};
}

// The owner of a link chooses the file that we replace. Only root and this user
// may choose it.
bool MayBeFollowed(const struct stat& link) {
  return link.st_uid == ::geteuid() || link.st_uid == 0;
}

// The link is held open, so that owner and text belong to the same link.
Result<void> Walk::Follow(const std::string& name) {
  if (++links_ > kMaxLinks) return IoError("leads through too many links");
  const Descriptor link(
      ::openat(folder_.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!link.open()) return CannotCreate();
  HALFTONED_TRY_ASSIGN(const struct stat status, StatusOf(link));
  if (!MayBeFollowed(status)) {
    return IoError("leads through another user's link");
  }
  char text[PATH_MAX];
  const ssize_t length = ::readlinkat(link.get(), "", text, sizeof(text));
  if (length < 0) return CannotCreate();
  const std::string_view target(text, static_cast<size_t>(length));
  struct statfs system;
  if (::fstatfs(link.get(), &system) != 0) return CannotCreate();
  if (system.f_type == PROC_SUPER_MAGIC) return FollowInProc(name, target);
  return Push(target);
}

// Such a link may lead elsewhere than its text says, even to a file without a
// path.
Result<void> Walk::FollowInProc(const std::string& name,
                                std::string_view text) {
  Descriptor thing(::openat(folder_.get(), name.c_str(), O_PATH | O_CLOEXEC));
  if (!thing.open()) return CannotCreate();
  HALFTONED_TRY_ASSIGN(const struct stat status, StatusOf(thing));
  if (S_ISDIR(status.st_mode)) {
    folder_ = std::move(thing);
    if (left_.empty()) left_.push_back(".");
    return {};
  }
  if (S_ISREG(status.st_mode)) {
    expected_ = status;
    return Push(text);
  }
  End(name, status, true);
  return {};
}

}  // namespace

Result<OutputPlace> OutputPlace::Find(const std::string& path) {
  return Walk().Run(path);
}

bool IsSame(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

Result<bool> IsForeign(const Descriptor& folder, const struct stat& thing) {
  constexpr mode_t kStickyForAll = S_ISVTX | S_IWOTH;
  HALFTONED_TRY_ASSIGN(const struct stat status, StatusOf(folder));
  return (status.st_mode & kStickyForAll) == kStickyForAll &&
         thing.st_uid != ::geteuid() && thing.st_uid != status.st_uid;
}

}  // namespace halftoned
