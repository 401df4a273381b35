// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/limits/render_memory.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
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
constexpr std::chrono::seconds kMostOfWait{60};

// What would be free without the process: neither its program nor files that
// it reads. 0 if it has ended.
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

struct RenderMemory::State {
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t limit = UINT64_MAX;
  bool is_watched = false;
  std::set<Share*> shares;
};

// The thread uses it until the process ends.
RenderMemory::State& RenderMemory::All() {
  static State& all = *new State;
  return all;
}

void RenderMemory::SetLimit(uint64_t bytes) {
  State& all = All();
  const std::lock_guard lock(all.mutex);
  all.limit = bytes;
  if (all.is_watched) return;
  std::thread(Watch).detach();
  all.is_watched = true;
}

void RenderMemory::Watch() {
  State& all = All();
  std::unique_lock lock(all.mutex);
  while (true) {
    all.changed.wait(lock, [&] { return !all.shares.empty(); });
    Look(all);
    lock.unlock();
    std::this_thread::sleep_for(kBetweenLooks);
    lock.lock();
  }
}

uint64_t RenderMemory::Look(State& all) {
  std::vector<RenderUse> uses;
  std::vector<Share*> shares;
  uint64_t sum = 0;
  for (Share* share : all.shares) {
    if (share->was_ended_) continue;
    uses.push_back({share->user_, MemoryOf(share->child_.process())});
    shares.push_back(share);
    sum += uses.back().bytes;
  }
  if (const auto excess = FindExcess(uses, all.limit)) {
    shares[*excess]->was_ended_ = true;
    shares[*excess]->child_.Terminate();
  }
  return sum;
}

void RenderMemory::AwaitRoom(const Stop& stop) {
  State& all = All();
  const auto end = Clock::now() + kMostOfWait;
  while (Clock::now() < end) {
    {
      const std::lock_guard lock(all.mutex);
      if (Look(all) <= all.limit / 2) return;
    }
    pollfd wait{stop.fd(), POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(kBetweenLooks.count())) > 0) return;
  }
}

RenderMemory::Share::Share(Child& child, std::string user)
    : child_(child), user_(std::move(user)) {
  State& all = All();
  const std::lock_guard lock(all.mutex);
  all.shares.insert(this);
  all.changed.notify_one();
}

RenderMemory::Share::~Share() {
  State& all = All();
  const std::lock_guard lock(all.mutex);
  all.shares.erase(this);
}

std::string RenderMemory::Share::Why() {
  State& all = All();
  const std::lock_guard lock(all.mutex);
  return "the renderers of all jobs together need more than " +
         std::to_string(all.limit >> 20) +
         " MiB of memory (render-memory-total in halftoned.conf)";
}

}  // namespace halftoned
