// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/lingering.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace halftoned {
namespace {

using Clock = std::chrono::steady_clock;

// The address and port of the other end.
std::string PrinterOf(int connection) {
  sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  if (getpeername(connection, reinterpret_cast<sockaddr*>(&address), &size)) {
    return "";
  }
  return {reinterpret_cast<const char*>(&address),
          std::min<size_t>(size, sizeof(address))};
}

// Bytes that the printer has not acknowledged, its end of the job among them.
bool HasUnacknowledged(int connection) {
  int left = 0;
  return ioctl(connection, SIOCOUTQ, &left) == 0 && left > 0;
}

struct LingeringConnection {
  Descriptor file;
  std::string printer;
  UserShares::User user;
  uint64_t heard;
  Clock::time_point begin;

  // Reads what has come. One that has acknowledged all and says nothing need
  // not be waited for: no words of its can end the connection before it has
  // read the job.
  bool HasEnded() {
    constexpr std::chrono::seconds kMostSeconds{90};
    constexpr std::chrono::seconds kMostOfSilence{5};
    char words[4096];
    const ssize_t size = recv(file.get(), words, sizeof(words), MSG_DONTWAIT);
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
      return true;
    }
    heard += static_cast<uint64_t>(std::max<ssize_t>(size, 0));
    const bool is_silent = heard == 0 && !HasUnacknowledged(file.get());
    return heard >= kMostWords ||
           Clock::now() - begin > (is_silent ? kMostOfSilence : kMostSeconds);
  }
};

// One thread, which runs while there are connections, waits for all of them.
class LingeringConnections {
 public:
  void Add(LingeringConnection added) {
    const std::lock_guard lock(mutex_);
    MakeRoomFor(added.printer);
    connections_.push_back(std::move(added));
    if (is_watched_) return;
    try {
      std::thread([this] { Watch(); }).detach();
      is_watched_ = true;
    } catch (const std::system_error&) {  // there is no thread for it
      connections_.clear();
    }
  }

 private:
  void MakeRoomFor(const std::string& printer) {
    std::map<std::string, size_t> counts;
    for (const LingeringConnection& each : connections_) ++counts[each.printer];
    std::string loser = printer;
    if (counts[printer] < kMostLingeringOfPrinter) {
      if (connections_.size() < kMostLingering) return;
      loser = std::ranges::max_element(counts, {}, [](const auto& count) {
                return count.second;
              })->first;
    }
    std::map<UserShares::User, size_t> users;
    size_t most = 0;
    for (const LingeringConnection& each : connections_) {
      if (each.printer == loser) most = std::max(most, ++users[each.user]);
    }
    // The oldest is first.
    connections_.erase(
        std::ranges::find_if(connections_, [&](const auto& each) {
          return each.printer == loser && users[each.user] == most;
        }));
  }

  void Watch() {
    constexpr int kPauseMilliseconds = 200;  // for those that were added
    std::array<pollfd, kMostLingering> waits;
    std::unique_lock lock(mutex_);
    while (!connections_.empty()) {
      std::ranges::transform(connections_, waits.begin(),
                             [](const LingeringConnection& each) {
                               return pollfd{each.file.get(), POLLIN, 0};
                             });
      const size_t count = connections_.size();
      lock.unlock();
      // Meanwhile some may be closed, and their numbers used again: only a
      // reason to look at all of them.
      poll(waits.data(), count, kPauseMilliseconds);
      lock.lock();
      std::erase_if(connections_,
                    [](LingeringConnection& each) { return each.HasEnded(); });
    }
    is_watched_ = false;
  }

  std::mutex mutex_;
  std::vector<LingeringConnection> connections_;
  bool is_watched_ = false;
};

}  // namespace

void Linger(Descriptor printer, uint64_t heard, UserShares::User user) {
  // Its thread uses it until the process ends.
  static auto& lingering = *new LingeringConnections;
  shutdown(printer.get(), SHUT_WR);
  std::string of = PrinterOf(printer.get());
  lingering.Add({std::move(printer), std::move(of), std::move(user), heard,
                 Clock::now()});
}

}  // namespace halftoned
