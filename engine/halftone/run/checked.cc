// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/checked.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace halftoned {

// Shared by all sessions: the count of bands, and memory. Thread-safe.
class CheckedEngine::Desk {
 public:
  // A private copy of the gray, and the bits that the reference makes of it.
  struct Copy {
    std::vector<std::byte> gray;
    std::shared_ptr<void> held;  // for the engine that is checked
    std::vector<std::byte> bits;
  };

  Desk(const Engine& checked, const Engine& reference, Options options)
      : checked_(checked),
        reference_(reference),
        options_(std::move(options)) {}

  // Counts a band. If it is to be checked, returns room for it. copies: whether
  // its gray will be copied.
  std::unique_ptr<Copy> Take(size_t gray_bytes, size_t bits_bytes,
                             bool copies) {
    auto copy = std::make_unique<Copy>();
    {
      const std::lock_guard lock(mutex_);
      if (options_.one_in == 0 || ++bands_ < options_.one_in) return nullptr;
      bands_ = 0;
      if (!spare_.empty()) {
        copy = std::move(spare_.back());
        spare_.pop_back();
      }
    }
    if (!Provide(*copy, copies ? gray_bytes : 0, bits_bytes)) return nullptr;
    return copy;
  }
  void GiveBack(std::unique_ptr<Copy> copy) {
    const std::lock_guard lock(mutex_);
    if (spare_.size() < kSpare) spare_.push_back(std::move(copy));
  }

  const Engine& reference() const { return reference_; }
  void Right() { ++checks_; }
  Error Wrong(const std::string& what) {
    if (options_.on_wrong) options_.on_wrong(what);
    return Unavailable(what);
  }
  uint64_t checks() const { return checks_; }

 private:
  // False if memory is short: then the band goes unchecked.
  bool Provide(Copy& copy, size_t gray_bytes, size_t bits_bytes) {
    try {
      copy.bits.resize(std::max(copy.bits.size(), bits_bytes));
      if (copy.gray.size() >= gray_bytes) return true;
      copy.held.reset();
      copy.gray.resize(gray_bytes);
    } catch (const std::bad_alloc&) {
      return false;
    }
    auto held = checked_.Hold(copy.gray, false);
    if (held.ok()) copy.held = std::move(*held);
    if (!held.ok()) copy.gray.clear();
    return held.ok();
  }

  static constexpr size_t kSpare = 4;

  const Engine& checked_;
  const Engine& reference_;
  const Options options_;
  std::atomic<uint64_t> checks_ = 0;
  std::mutex mutex_;
  uint32_t bands_ = 0;  // since the last one checked
  std::vector<std::unique_ptr<Copy>> spare_;
};

class CheckedEngine::Checked : public Session {
 public:
  Checked(const PageOrder& order, Desk& desk) : order_(order), desk_(desk) {}
  ~Checked() override {
    reference_.reset();
    session_.reset();
    for (Check& check : checks_) desk_.GiveBack(std::move(check.copy));
  }

  Result<void> Begin(const Engine& engine) {
    PageOrder order = order_;
    if (order.memory) order.memory = [this] { return NextMemory(); };
    HALFTONED_TRY_ASSIGN(session_, engine.Open(order));
    return {};
  }

  Result<GrayRoom> Lend() override;
  Result<void> Submit(int32_t rows, bool last) override;
  Result<Finished> Take() override;
  bool Ready() override {
    return session_->Ready() && (!reference_ || reference_->Ready());
  }

 private:
  // A band that is checked. Checks are kept in the order of band numbers.
  struct Check {
    uint64_t number;
    std::unique_ptr<Desk::Copy> copy;
    GrayRoom room = {};  // as lent to the caller
    int32_t rows = 0;
  };

  size_t gray_row() const { return order_.page.gray_bytes_per_row(); }
  size_t bits_row() const {
    return order_.recipe.bit_bytes_per_row(order_.page.width());
  }
  Check* CheckOf(uint64_t number);
  BandMemory NextMemory();
  // Decides whether to check the band being lent, which has at most `rows`
  // rows.
  void MayCheck(int32_t rows);
  // Starts the check of the band that is taken next, once it is submitted.
  Result<void> BeginCheck();
  Result<void> EndCheck(const Finished& finished);
  void DropCheck();

  const PageOrder order_;
  Desk& desk_;
  std::byte* filled_ = nullptr;  // the caller's gray of the band lent last
  uint64_t lent_ = 0;
  uint64_t submitted_ = 0;
  uint64_t taken_ = 0;
  const Carry* above_ = nullptr;  // above the band that is taken next
  std::deque<Check> checks_;      // of bands that have not been taken
  std::unique_ptr<Session> session_;
  std::unique_ptr<Session> reference_;  // of the band that is taken next
};

CheckedEngine::Checked::Check* CheckedEngine::Checked::CheckOf(
    uint64_t number) {
  const auto check = std::ranges::find(checks_, number, &Check::number);
  return check == checks_.end() ? nullptr : &*check;
}

// The caller's memory for the next band. A band to be checked gets gray of its
// own.
BandMemory CheckedEngine::Checked::NextMemory() {
  BandMemory memory = order_.memory();
  filled_ = memory.gray;
  MayCheck(order_.rows_per_band);
  if (Check* check = CheckOf(lent_)) memory.gray = check->copy->gray.data();
  return memory;
}

void CheckedEngine::Checked::MayCheck(int32_t rows) {
  const auto count = static_cast<size_t>(rows);
  auto copy = desk_.Take(gray_row() * count, bits_row() * count,
                         order_.memory != nullptr);
  if (copy) checks_.push_back({lent_, std::move(copy)});
}

Result<GrayRoom> CheckedEngine::Checked::Lend() {
  HALFTONED_TRY_ASSIGN(GrayRoom room, session_->Lend());
  if (room.rows == 0) return room;
  if (order_.memory) {
    room.bytes = filled_;
  } else {
    MayCheck(room.rows);
  }
  if (Check* check = CheckOf(lent_)) check->room = room;
  ++lent_;
  return room;
}

Result<void> CheckedEngine::Checked::Submit(int32_t rows, bool last) {
  Check* check = submitted_ < lent_ ? CheckOf(submitted_) : nullptr;
  if (check && rows <= check->room.rows) {
    check->rows = rows;
    if (order_.memory && rows > 0) {
      std::memcpy(check->copy->gray.data(), check->room.bytes,
                  gray_row() * static_cast<size_t>(rows));
    }
  }
  HALFTONED_TRY(session_->Submit(rows, last));
  ++submitted_;
  return BeginCheck();
}

void CheckedEngine::Checked::DropCheck() {
  reference_.reset();
  desk_.GiveBack(std::move(checks_.front().copy));
  checks_.pop_front();
}

Result<void> CheckedEngine::Checked::BeginCheck() {
  if (reference_ || taken_ == submitted_ || !CheckOf(taken_)) return {};
  const Check& check = checks_.front();
  if (check.rows == 0) {
    DropCheck();
    return {};
  }
  std::optional<Carry> above = order_.carry;
  if (above_) above = *above_;
  const Page page =
      above ? order_.page.StartingAt(above->next_row()) : order_.page;
  PageOrder order{page, order_.recipe, above, check.room.rows};
  order.on_ready = order_.on_ready;
  const BandMemory memory{
      order_.memory ? check.copy->gray.data() : check.room.bytes,
      check.copy->bits.data()};
  order.memory = [memory] { return memory; };
  HALFTONED_TRY_ASSIGN(reference_, desk_.reference().Open(order));
  HALFTONED_TRY_ASSIGN(const GrayRoom room, reference_->Lend());
  if (room.rows == 0) return Bug("a fresh session lends no room");
  return reference_->Submit(check.rows, true);
}

Result<Finished> CheckedEngine::Checked::Take() {
  HALFTONED_TRY_ASSIGN(const Finished finished, session_->Take());
  if (reference_) HALFTONED_TRY(EndCheck(finished));
  ++taken_;
  above_ = finished.carry;
  HALFTONED_TRY(BeginCheck());
  return finished;
}

Result<void> CheckedEngine::Checked::EndCheck(const Finished& finished) {
  HALFTONED_TRY_ASSIGN(const Finished right, reference_->Take());
  if (finished.bits.rows != right.bits.rows) {
    return desk_.Wrong("the number of finished rows is wrong");
  }
  for (int32_t row = 0; row < right.bits.rows; ++row) {
    if (std::memcmp(finished.bits.row(row), right.bits.row(row), bits_row()) !=
        0) {
      return desk_.Wrong("a bit is wrong in row " +
                         std::to_string(finished.bits.first_row + row));
    }
  }
  if (*finished.carry != *right.carry) {
    return desk_.Wrong("the carry below row " +
                       std::to_string(right.carry->next_row() - 1) +
                       " is wrong");
  }
  desk_.Right();
  DropCheck();
  return {};
}

CheckedEngine::CheckedEngine(const Engine& checked, const Engine& reference,
                             Options options)
    : checked_(checked),
      desk_(std::make_unique<Desk>(checked, reference, std::move(options))) {}
CheckedEngine::~CheckedEngine() = default;

Result<std::unique_ptr<Session>> CheckedEngine::Open(
    const PageOrder& order) const {
  auto session = std::make_unique<Checked>(order, *desk_);
  HALFTONED_TRY(session->Begin(checked_));
  return std::unique_ptr<Session>(std::move(session));
}

uint64_t CheckedEngine::checks() const { return desk_->checks(); }

}  // namespace halftoned
