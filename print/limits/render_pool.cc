// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/limits/render_pool.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace halftoned {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr std::chrono::milliseconds kWhileShort{20};
constexpr std::chrono::seconds kMostOfWait{60};
constexpr char kFullDisk[] =
    "there is no space left on the disk for temporary files";

// Memory that the end of the process would free, without its program and the
// files that it reads. 0 if it has ended.
uint64_t MemoryOf(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  uint64_t kib = 0;
  for (std::string name; status >> name;) {
    uint64_t value = 0;
    if (name == "RssAnon:" || name == "RssShmem:" || name == "VmSwap:") {
      if (status >> value) kib += value;
    }
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return kib << 10;
}

// Bytes of files in the directory, without its subdirectories.
uint64_t DiskOf(const std::string& folder) {
  uint64_t bytes = 0;
  std::error_code error;
  std::filesystem::directory_iterator files(folder, error);
  for (; !error && files != std::filesystem::end(files);
       files.increment(error)) {
    std::error_code none;
    const uint64_t size =
        files->is_regular_file(none) ? files->file_size(none) : 0;
    if (!none) bytes += size;
  }
  return bytes;
}

}  // namespace

std::optional<size_t> FindExcess(const std::vector<RenderUse>& uses,
                                 uint64_t limit) {
  uint64_t all = 0;
  std::map<std::string_view, uint64_t> users;
  for (const RenderUse& use : uses) {
    all += use.bytes;
    users[use.user] += use.bytes;
  }
  if (all <= limit) return std::nullopt;
  const auto is_less = [&](const RenderUse& a, const RenderUse& b) {
    return std::pair(users[a.user], a.bytes) <
           std::pair(users[b.user], b.bytes);
  };
  return std::ranges::max_element(uses, is_less) - uses.begin();
}

uint64_t DiskRoom(const std::string& folder) {
  constexpr uint64_t kMostLeft = uint64_t{64} << 20;
  constexpr uint64_t kPartLeft = 64;
  struct statvfs disk;
  if (::statvfs(folder.c_str(), &disk) != 0) return UINT64_MAX;
  // Some file systems do not count files.
  if (disk.f_files > 0 && disk.f_favail == 0) return 0;
  const uint64_t free = disk.f_frsize * disk.f_bavail;
  const uint64_t left =
      std::min(disk.f_frsize * disk.f_blocks / kPartLeft, kMostLeft);
  return free - std::min(free, left);
}

struct RenderPool::State {
  std::mutex mutex;
  std::condition_variable changed;
  RenderTotals totals;
  bool is_watched = false;
  std::set<Share*> shares;
  uint64_t shortages = 0;

  // What this process leaves for renderers.
  uint64_t left_memory() const {
    if (totals.with_this == UINT64_MAX) return UINT64_MAX;
    return totals.with_this - std::min(totals.with_this, MemoryOf(::getpid()));
  }
  uint64_t disk_room() const {
    return totals.folder.empty() ? UINT64_MAX : totals.free(totals.folder);
  }
  // Ends renderers until the others use no more than `most`; returns their sum.
  uint64_t Reduce(uint64_t most, Share::Excess excess,
                  const std::function<uint64_t(const Share&)>& use_of);
};

// The thread uses it until the process ends.
RenderPool::State& RenderPool::All() {
  static State& all = *new State;
  return all;
}

void RenderPool::Limit(RenderTotals totals) {
  State& all = All();
  const std::lock_guard lock(all.mutex);
  all.totals = std::move(totals);
  if (all.is_watched) return;
  std::thread(Watch).detach();
  all.is_watched = true;
}

void RenderPool::Watch() {
  State& all = All();
  std::unique_lock lock(all.mutex);
  while (true) {
    all.changed.wait(lock, [&] { return !all.shares.empty(); });
    const bool has_room = Look(all);
    lock.unlock();
    std::this_thread::sleep_for(has_room ? kBetweenLooks : kWhileShort);
    lock.lock();
  }
}

uint64_t RenderPool::State::Reduce(
    uint64_t most, Share::Excess excess,
    const std::function<uint64_t(const Share&)>& use_of) {
  std::vector<RenderUse> uses;
  std::vector<Share*> counted;
  for (Share* share : shares) {
    if (share->excess_ != Share::Excess::kNone) continue;
    uses.push_back({share->user_, use_of(*share)});
    counted.push_back(share);
  }
  while (const auto found = FindExcess(uses, most)) {
    counted[*found]->excess_ = excess;
    counted[*found]->child_.Terminate();
    uses[*found].bytes = 0;
  }
  uint64_t sum = 0;
  for (const RenderUse& use : uses) sum += use.bytes;
  return sum;
}

bool RenderPool::Look(State& all) {
  const uint64_t most = std::min(all.totals.memory, all.left_memory());
  const uint64_t memory = all.Reduce(
      most, Share::Excess::kMemory,
      [](const Share& share) { return MemoryOf(share.child_.process()); });
  const auto disk_of = [](const Share& share) {
    return share.disk_ + DiskOf(share.folder_);
  };
  uint64_t files = 0;
  for (const Share* share : all.shares) {
    if (share->excess_ == Share::Excess::kNone) files += disk_of(*share);
  }
  const uint64_t room = all.disk_room();
  if (room <= files) ++all.shortages;
  // One at a time: its end may free enough.
  if (room == 0 && files > kSmall) {
    all.Reduce(files - 1, Share::Excess::kDisk, disk_of);
  }
  return room > 0 && memory <= most / 2;
}

uint64_t RenderPool::Shortages() {
  State& all = All();
  const std::lock_guard lock(all.mutex);
  Look(all);
  return all.shortages;
}

bool RenderPool::Retries::Take() {
  const uint64_t seen = std::exchange(seen_, Shortages());
  return seen != seen_ && taken_++ < kMost;
}

Result<void> RenderPool::CheckDisk() {
  State& all = All();
  const std::lock_guard lock(all.mutex);
  if (all.disk_room() > 0) return {};
  ++all.shortages;
  return IoError(kFullDisk);
}

void RenderPool::NoteShortage() {
  State& all = All();
  const std::lock_guard lock(all.mutex);
  ++all.shortages;
}

void RenderPool::AwaitRoom(const Stop& stop) {
  State& all = All();
  const auto end = Clock::now() + kMostOfWait;
  while (Clock::now() < end) {
    {
      const std::lock_guard lock(all.mutex);
      if (Look(all)) return;
    }
    pollfd wait{stop.fd(), POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(kBetweenLooks.count())) > 0) return;
  }
}

RenderPool::Share::Share(Child& child, std::string user, std::string folder)
    : child_(child), user_(std::move(user)), folder_(std::move(folder)) {
  State& all = All();
  const std::lock_guard lock(all.mutex);
  all.shares.insert(this);
  all.changed.notify_one();
}

RenderPool::Share::~Share() {
  State& all = All();
  const std::lock_guard lock(all.mutex);
  all.shares.erase(this);
}

Result<void> RenderPool::Share::Verdict() const {
  if (excess_ == Excess::kNone) return {};
  if (excess_ == Excess::kDisk) return IoError(kFullDisk);
  State& all = All();
  const std::lock_guard lock(all.mutex);
  const uint64_t left = all.left_memory();
  return IoError("the renderers of all jobs together need more than " +
                 std::to_string(std::min(all.totals.memory, left) >> 20) +
                 " MiB of memory (" +
                 (left < all.totals.memory
                      ? "memory limit of the service or container"
                      : "render-memory-total in halftoned.conf") +
                 ")");
}

}  // namespace halftoned
