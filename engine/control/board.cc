// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/board.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace halftoned::daemon {
namespace {

constexpr size_t kBytes = Board::kPlaces * sizeof(uint64_t);

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

uint64_t& Board::place(uint64_t connection) const {
  return reinterpret_cast<uint64_t*>(places_.data())[connection % kPlaces];
}

void Board::Note(uint64_t connection, bool is_at_work) {
  const std::atomic_ref at(place(connection));
  if (is_at_work) {
    at.store(connection, std::memory_order_relaxed);
  } else {
    uint64_t noted = connection;
    at.compare_exchange_strong(noted, 0, std::memory_order_relaxed);
  }
}

bool Board::Has(uint64_t connection) const {
  return std::atomic_ref(place(connection)).load(std::memory_order_relaxed) ==
         connection;
}

}  // namespace halftoned::daemon
