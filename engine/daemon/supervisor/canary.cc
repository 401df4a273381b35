// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/canary.h"

#include <sys/eventfd.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "halftone/scalar.h"
#include "wire/remote_engine.h"

namespace halftoned::daemon {
namespace {

constexpr int32_t kColumns = 256;
constexpr int32_t kRows = 96;

// All tones: the upper half is a ramp, the lower one noise.
std::vector<std::byte> MakeGray() {
  std::vector<std::byte> gray;
  uint32_t noise = 1;
  for (int32_t row = 0; row < kRows; ++row) {
    for (int32_t column = 0; column < kColumns; ++column) {
      noise = noise * 1664525u + 1013904223u;
      gray.push_back(row < kRows / 2 ? std::byte(column)
                                     : std::byte(noise >> 24));
    }
  }
  return gray;
}

std::vector<std::byte> MakeBits(const std::vector<std::byte>& gray,
                                const PageOrder& order, size_t bytes_per_row) {
  std::vector<std::byte> bits(bytes_per_row * kRows);
  Carry carry = Carry::AtStart(order.recipe, order.page);
  HalftoneByDefinition({order.page, order.recipe,
                        GrayBand{gray.data(), kColumns, kRows},
                        BitRoom{bits.data(), bytes_per_row, kRows}, carry});
  return bits;
}

Result<Descriptor> MakeEvent() {
  Descriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (event.open()) return event;
  return ErrnoError(ErrorCode::kUnavailable, "cannot make an event");
}

void Signal(const Descriptor& event) { ::eventfd_write(event.get(), 1); }

}  // namespace

PageOrder HealthOrder() {
  return {*Page::Make(kColumns, 8), Recipe::FloydSteinberg(), std::nullopt,
          kRows};
}

Result<void> CheckBits(Session& session) {
  const PageOrder order = HealthOrder();
  const size_t bytes_per_row = order.recipe.bit_bytes_per_row(kColumns);
  const std::vector<std::byte> gray = MakeGray();
  const std::vector<std::byte> bits = MakeBits(gray, order, bytes_per_row);
  HALFTONED_TRY_ASSIGN(const GrayRoom room, session.Lend());
  for (int32_t row = 0; row < kRows; ++row) {
    std::memcpy(room.row(row), gray.data() + row * kColumns, kColumns);
  }
  HALFTONED_TRY(session.Submit(kRows, true));
  HALFTONED_TRY_ASSIGN(const Finished finished, session.Take());
  if (finished.bits.rows != kRows) return Bug("rows are missing");
  for (int32_t row = 0; row < kRows; ++row) {
    const std::byte* right = bits.data() + row * bytes_per_row;
    if (std::memcmp(finished.bits.row(row), right, bytes_per_row) != 0) {
      return Bug("row " + std::to_string(row) + " is wrong");
    }
  }
  return {};
}

Result<void> CheckWorker(const wire::RemoteOptions& options) {
  const wire::RemoteEngine engine(options);
  HALFTONED_TRY_ASSIGN(const auto session, engine.Open(HealthOrder()));
  return CheckBits(*session);
}

Result<std::unique_ptr<Canary>> Canary::Make() {
  HALFTONED_TRY_ASSIGN(Descriptor done, MakeEvent());
  HALFTONED_TRY_ASSIGN(Descriptor stop, MakeEvent());
  return std::unique_ptr<Canary>(new Canary(std::move(done), std::move(stop)));
}

Canary::Canary(Descriptor done, Descriptor stop)
    : done_(std::move(done)),
      stop_(std::move(stop)),
      thread_(&Canary::Run, this) {}

Canary::~Canary() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  asked_.notify_one();
  Signal(stop_);
  thread_.join();
}

void Canary::Check(wire::RemoteOptions options) {
  options.stop_fd = stop_.get();
  {
    const std::lock_guard lock(mutex_);
    order_ = std::move(options);
  }
  asked_.notify_one();
}

std::optional<Result<void>> Canary::TakeResult() {
  eventfd_t count;
  ::eventfd_read(done_.get(), &count);
  const std::lock_guard lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

void Canary::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [this] { return is_ending_ || order_.has_value(); });
    if (is_ending_) return;
    const wire::RemoteOptions options = *std::exchange(order_, std::nullopt);
    lock.unlock();
    Result<void> result = CheckWorker(options);
    lock.lock();
    result_ = std::move(result);
    Signal(done_);
  }
}

}  // namespace halftoned::daemon
