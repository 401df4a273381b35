// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/limits/child_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <system_error>

namespace halftoned {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPause{100};
constexpr uint64_t kBlockBytes = 512;  // of st_blocks

enum Source : uint32_t { kEnd, kOutput };

struct Close {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// Calls `each` with the folder's descriptor and each name in it, until readdir
// fails.
template <typename Each>
void ForEachIn(const std::string& path, const Each& each) {
  const std::unique_ptr<DIR, Close> folder(::opendir(path.c_str()));
  if (!folder) return;
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") each(::dirfd(folder.get()), entry->d_name);
  }
}

uint64_t BytesOf(const struct stat& file) {
  return static_cast<uint64_t>(file.st_blocks) * kBlockBytes;
}

}  // namespace

Result<std::unique_ptr<ChildWatch>> ChildWatch::Start(Child& child,
                                                      WatchOrder order) {
  Descriptor events(::epoll_create1(EPOLL_CLOEXEC));
  Descriptor end(::eventfd(0, EFD_CLOEXEC));
  if (!events.open() || !end.open()) {
    return ErrnoError(ErrorCode::kIo, "cannot watch a process");
  }
  try {
    return std::unique_ptr<ChildWatch>(new ChildWatch(
        child, std::move(order), std::move(events), std::move(end)));
  } catch (const std::system_error&) {
    return Unavailable("the system has no thread left");
  }
}

ChildWatch::ChildWatch(Child& child, WatchOrder order, Descriptor events,
                       Descriptor end)
    : child_(child),
      order_(std::move(order)),
      events_(std::move(events)),
      end_(std::move(end)) {
  for (const int file : order_.given) {
    struct stat status;
    if (::fstat(file, &status) != 0) continue;
    given_.emplace_back(status.st_dev, status.st_ino);
  }
  epoll_event event{EPOLLIN, {.u32 = kEnd}};
  ::epoll_ctl(events_.get(), EPOLL_CTL_ADD, end_.get(), &event);
  if (order_.output >= 0) AwaitOutput(EPOLL_CTL_ADD);
  thread_ = std::thread(&ChildWatch::Work, this);
}

ChildWatch::~ChildWatch() {
  ::eventfd_write(end_.get(), 1);
  thread_.join();
}

void ChildWatch::Work() {
  while (Wait()) {
    const Excess excess = Look();
    if (excess == Excess::kNone) continue;
    excess_ = excess;
    child_.Terminate();
    return;
  }
}

// Armed once, and not for each write: there are thousands per page.
void ChildWatch::AwaitOutput(int operation) const {
  epoll_event event{EPOLLIN | EPOLLONESHOT, {.u32 = kOutput}};
  ::epoll_ctl(events_.get(), operation, order_.output, &event);
}

bool ChildWatch::Wait() {
  const auto end = Clock::now() + kPause;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    epoll_event event;
    const int got =
        ::epoll_wait(events_.get(), &event, 1,
                     static_cast<int>(std::max<int64_t>(left.count(), 0)));
    if (got == 0) return true;
    if (got < 0) continue;
    if (event.data.u32 == kEnd) return false;
    has_output_ = true;
  }
}

ChildWatch::Excess ChildWatch::Look() {
  Use use;
  AddFolder(use);
  AddDeleted(use);
  if (order_.disk_use) *order_.disk_use = use.disk_bytes;
  if (use.disk_bytes > order_.disk_bytes) return Excess::kDisk;
  if (use.files > order_.files) return Excess::kFiles;
  return LookAtTime();
}

ChildWatch::Excess ChildWatch::LookAtTime() {
  const auto found = child_.CpuTime();
  if (!found) return Excess::kNone;  // it has ended
  const auto used = *found;
  if (has_output_) {
    at_output_ = used;
    has_output_ = false;
    if (order_.output >= 0) AwaitOutput(EPOLL_CTL_MOD);
  }
  if (used > total_time()) return Excess::kTotalTime;
  return used - at_output_ > order_.time ? Excess::kTime : Excess::kNone;
}

void ChildWatch::AddFolder(Use& use) const {
  ForEachIn(order_.folder, [&](int folder, const char* name) {
    struct stat file;
    if (::fstatat(folder, name, &file, AT_SYMLINK_NOFOLLOW) != 0) return;
    use.disk_bytes += BytesOf(file);
    ++use.files;
  });
}

// Adds files without a name that the child writes.
void ChildWatch::AddDeleted(Use& use) const {
  const std::string open = "/proc/" + std::to_string(child_.process()) + "/fd";
  ForEachIn(open, [&](int folder, const char* name) {
    struct stat link;
    struct stat file;
    if (::fstatat(folder, name, &link, AT_SYMLINK_NOFOLLOW) != 0 ||
        (link.st_mode & S_IWUSR) == 0 ||
        ::fstatat(folder, name, &file, 0) != 0 || !S_ISREG(file.st_mode) ||
        file.st_nlink > 0) {
      return;
    }
    const FileId id(file.st_dev, file.st_ino);
    if (std::ranges::find(given_, id) != given_.end()) return;
    use.disk_bytes += BytesOf(file);
    ++use.files;
  });
}

}  // namespace halftoned
