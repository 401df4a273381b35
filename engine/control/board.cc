// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/board.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace halftoned::daemon {
namespace {

constexpr size_t kPlaceBytes = 2 * sizeof(uint64_t);
constexpr size_t kBytes = Board::kPlaces * kPlaceBytes;

}  // namespace

Result<Board> Board::Make() {
  Descriptor file(
      ::memfd_create("halftoned-board", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.open() || ::ftruncate(file.get(), kBytes) != 0 ||
      ::fcntl(file.get(), F_ADD_SEALS,
              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot make shared memory");
  }
  return Open(std::move(file));
}

Result<Board> Board::Open(Descriptor file) {
  HALFTONED_TRY_ASSIGN(Mapping places,
                       Mapping::OfFile(file.get(), kBytes, true));
  return Board(std::move(file), std::move(places));
}

Board::Place& Board::place(uint64_t connection) const {
  static_assert(sizeof(Place) == kPlaceBytes);
  return reinterpret_cast<Place*>(places_.data())[connection % kPlaces];
}

void Board::Note(uint64_t connection, bool is_at_work, Clock::time_point now) {
  Place& at = place(connection);
  const std::atomic_ref whose(at.connection);
  if (!is_at_work && whose.load(std::memory_order_relaxed) > connection) return;
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
      now.time_since_epoch());
  whose.store(connection, std::memory_order_relaxed);
  std::atomic_ref(at.state).store(
      static_cast<uint64_t>(ns.count()) << 1 | (is_at_work ? 1 : 0),
      std::memory_order_relaxed);
}

std::optional<uint64_t> Board::StateOf(uint64_t connection) const {
  Place& at = place(connection);
  if (std::atomic_ref(at.connection).load(std::memory_order_relaxed) !=
      connection) {
    return std::nullopt;
  }
  return std::atomic_ref(at.state).load(std::memory_order_relaxed);
}

bool Board::Has(uint64_t connection) const {
  return (StateOf(connection).value_or(0) & 1) != 0;
}

std::optional<Board::Clock::time_point> Board::NotedAt(
    uint64_t connection) const {
  const auto state = StateOf(connection);
  if (!state) return std::nullopt;
  return Clock::time_point(
      std::chrono::nanoseconds(static_cast<int64_t>(*state >> 1)));
}

}  // namespace halftoned::daemon
