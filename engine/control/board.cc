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
constexpr uint64_t kAtWork = 1;
constexpr uint64_t kKeepsPlace = 2;

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

Board::Place& Board::At(const Seat& seat) const {
  static_assert(sizeof(Place) == kPlaceBytes);
  return reinterpret_cast<Place*>(places_.data())[seat.place % kPlaces];
}

void Board::Note(const Seat& seat, const State& state) {
  Place& at = At(seat);
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
      state.worked.time_since_epoch());
  std::atomic_ref(at.connection)
      .store(seat.connection, std::memory_order_relaxed);
  std::atomic_ref(at.state).store(static_cast<uint64_t>(ns.count()) << 2 |
                                      (state.is_at_work ? kAtWork : 0) |
                                      (state.keeps_place ? kKeepsPlace : 0),
                                  std::memory_order_relaxed);
}

std::optional<Board::State> Board::StateOf(const Seat& seat) const {
  Place& at = At(seat);
  if (std::atomic_ref(at.connection).load(std::memory_order_relaxed) !=
      seat.connection) {
    return std::nullopt;
  }
  const uint64_t state =
      std::atomic_ref(at.state).load(std::memory_order_relaxed);
  return State{.is_at_work = (state & kAtWork) != 0,
               .keeps_place = (state & kKeepsPlace) != 0,
               .worked = Clock::time_point(
                   std::chrono::nanoseconds(static_cast<int64_t>(state >> 2)))};
}

}  // namespace halftoned::daemon
