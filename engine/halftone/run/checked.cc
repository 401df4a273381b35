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
  // Private memory of a band: a copy of the gray and the bits that each engine
  // makes of it. The first two are used only if the caller's memory is shared.
  struct Copy {
    std::byte* gray() { return memory.data(); }
    std::byte* made() { return memory.data() + made_at; }

    std::vector<std::byte> memory;
    std::shared_ptr<void> held;  // for the engine that is checked
    size_t made_at = 0;
    std::vector<std::byte> right;  // the bits of the reference
  };

  Desk(const Engine& checked, const Engine& reference, Options options)
      : checked_(checked),
        reference_(reference),
        options_(std::move(options)) {}

  // Counts a band. If it is to be checked, and can be, returns room for it.
  // is_shared: whether others can reach the caller's memory.
  std::unique_ptr<Copy> Take(size_t gray_bytes, size_t bits_bytes,
                             bool is_shared, bool can_check) {
    auto copy = std::make_unique<Copy>();
    {
      const std::lock_guard lock(mutex_);
      if (options_.one_in == 0) return nullptr;
      ++bands_;
      if (bands_ < options_.one_in || !can_check) return nullptr;
      bands_ = 0;
      if (!spare_.empty()) {
        copy = std::move(spare_.back());
        spare_.pop_back();
      }
    }
    if (!Provide(*copy, gray_bytes, bits_bytes, is_shared)) return nullptr;
    return copy;
  }
  void GiveBack(std::unique_ptr<Copy> copy) {
    const std::lock_guard lock(mutex_);
    if (spare_.size() < kSpare) spare_.push_back(std::move(copy));
  }

  const Engine& checked() const { return checked_; }
  const Engine& reference() const { return reference_; }
  void Right() { ++checks_; }
  Error Wrong(const std::string& what) {
    if (options_.on_wrong) options_.on_wrong(what);
    return Unavailable(what);
  }
  // Something was wrong, but not in the second attempt.
  Error WrongOnce(const std::string& what) {
    const std::string text = what + ", but right in a second attempt";
    if (++accidents_ < kMostAccidents) return Unavailable(text);
    return Wrong(text + ", for the third time");
  }
  uint64_t checks() const { return checks_; }

 private:
  // False if memory is short: then the band goes unchecked.
  bool Provide(Copy& copy, size_t gray_bytes, size_t bits_bytes,
               bool is_shared) {
    constexpr size_t kAlignment = 64;
    copy.made_at = (gray_bytes + kAlignment - 1) / kAlignment * kAlignment;
    const size_t bytes = is_shared ? copy.made_at + bits_bytes : 0;
    try {
      copy.right.resize(std::max(copy.right.size(), bits_bytes));
      if (copy.memory.size() >= bytes) return true;
      copy.held.reset();
      copy.memory.resize(bytes);
    } catch (const std::bad_alloc&) {
      return false;
    }
    auto held = checked_.Hold(copy.memory, true);
    if (held.ok()) copy.held = std::move(*held);
    if (!held.ok()) copy.memory.clear();
    return held.ok();
  }

  static constexpr size_t kSpare = 4;
  static constexpr int kMostAccidents = 3;

  const Engine& checked_;
  const Engine& reference_;
  const Options options_;
  std::atomic<uint64_t> checks_ = 0;
  std::atomic<int> accidents_ = 0;
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
    BandMemory shared = {};  // the caller's memory, if it is shared
    GrayRoom room = {};      // as lent to the caller
    int32_t rows = 0;
    bool last = false;
    std::optional<PageOrder> alone;  // to make just these rows
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
  // Has `finished` moved to the caller's memory if it is right.
  Result<void> EndCheck(Finished& finished);
  void DropCheck();

  // Of the band that is taken next.
  PageOrder OrderOf(const Check& check) const;
  std::byte* GrayOf(const Check& check) const {
    return order_.memory ? check.copy->gray() : check.room.bytes;
  }
  // What is wrong; empty if nothing is.
  std::string Difference(const Finished& made, const Finished& right) const;
  // Has the checked engine make the band of the first check once more.
  bool IsRightAgain(const Finished& right) const;

  const PageOrder order_;
  Desk& desk_;
  BandMemory shared_;  // the caller's memory of the band lent last
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

// The caller's memory for the next band. A band to be checked gets memory of
// its own.
BandMemory CheckedEngine::Checked::NextMemory() {
  shared_ = order_.memory();
  MayCheck(order_.rows_per_band);
  Check* check = CheckOf(lent_);
  if (!check) return shared_;
  check->shared = shared_;
  return {check->copy->gray(), check->copy->made()};
}

void CheckedEngine::Checked::MayCheck(int32_t rows) {
  const auto count = static_cast<size_t>(rows);
  const Recipe& recipe = order_.recipe;
  // The rows that wait above any other band lie in memory that may be shared.
  const bool can_check = !recipe.looks_ahead() || lent_ == 0;
  auto copy = desk_.Take(
      gray_row() * count,
      bits_row() * (count + static_cast<size_t>(recipe.most_waiting_rows())),
      order_.memory != nullptr, can_check);
  if (copy) checks_.push_back({lent_, std::move(copy)});
}

Result<GrayRoom> CheckedEngine::Checked::Lend() {
  HALFTONED_TRY_ASSIGN(GrayRoom room, session_->Lend());
  if (room.rows == 0) return room;
  if (order_.memory) {
    room.bytes = shared_.gray;
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
    check->last = last;
    if (order_.memory && rows > 0) {
      std::memcpy(check->copy->gray(), check->room.bytes,
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

PageOrder CheckedEngine::Checked::OrderOf(const Check& check) const {
  std::optional<Carry> above = order_.carry;
  if (above_) above = *above_;
  const Page page =
      above ? order_.page.StartingAt(above->next_row()) : order_.page;
  return {.page = page,
          .recipe = order_.recipe,
          .carry = above,
          .rows_per_band = check.room.rows,
          .job = order_.job};
}

Result<void> CheckedEngine::Checked::BeginCheck() {
  if (reference_ || taken_ == submitted_ || !CheckOf(taken_)) return {};
  Check& check = checks_.front();
  if (check.rows == 0) {
    DropCheck();
    return {};
  }
  check.alone = OrderOf(check);
  PageOrder order = *check.alone;
  order.on_ready = order_.on_ready;
  const BandMemory memory{GrayOf(check), check.copy->right.data()};
  order.memory = [memory] { return memory; };
  HALFTONED_TRY_ASSIGN(reference_, desk_.reference().Open(order));
  HALFTONED_TRY_ASSIGN(const GrayRoom room, reference_->Lend());
  if (room.rows == 0) return Bug("a fresh session lends no room");
  return reference_->Submit(check.rows, check.last);
}

Result<Finished> CheckedEngine::Checked::Take() {
  HALFTONED_TRY_ASSIGN(Finished finished, session_->Take());
  if (reference_) HALFTONED_TRY(EndCheck(finished));
  ++taken_;
  above_ = finished.carry;
  HALFTONED_TRY(BeginCheck());
  return finished;
}

Result<void> CheckedEngine::Checked::EndCheck(Finished& finished) {
  HALFTONED_TRY_ASSIGN(const Finished right, reference_->Take());
  const std::string wrong = Difference(finished, right);
  if (!wrong.empty()) {
    return IsRightAgain(right) ? desk_.WrongOnce(wrong) : desk_.Wrong(wrong);
  }
  desk_.Right();
  if (order_.memory) {
    BitBand& bits = finished.bits;
    std::byte* shared = checks_.front().shared.bits;
    for (int32_t row = 0; row < bits.rows; ++row) {
      std::memcpy(shared + static_cast<size_t>(row) * bits_row(), bits.row(row),
                  bits_row());
    }
    bits.bytes = shared;
    bits.bytes_per_row = bits_row();
  }
  DropCheck();
  return {};
}

std::string CheckedEngine::Checked::Difference(const Finished& made,
                                               const Finished& right) const {
  if (made.bits.rows != right.bits.rows) {
    return "the number of finished rows is wrong";
  }
  for (int32_t row = 0; row < right.bits.rows; ++row) {
    if (std::memcmp(made.bits.row(row), right.bits.row(row), bits_row()) != 0) {
      return "a bit is wrong in row " +
             std::to_string(made.bits.first_row + row);
    }
  }
  if (*made.carry != *right.carry) {
    return "the carry below row " +
           std::to_string(right.carry->next_row() - 1) + " is wrong";
  }
  return "";
}

bool CheckedEngine::Checked::IsRightAgain(const Finished& right) const {
  const Check& check = checks_.front();
  // In the engine's own memory.
  const auto session = desk_.checked().Open(*check.alone);
  if (!session.ok()) return false;
  const auto room = (*session)->Lend();
  if (!room.ok() || room->rows < check.rows) return false;
  for (int32_t row = 0; row < check.rows; ++row) {
    std::memcpy(room->row(row),
                GrayOf(check) + static_cast<size_t>(row) * gray_row(),
                gray_row());
  }
  if (!(*session)->Submit(check.rows, check.last).ok()) return false;
  const auto again = (*session)->Take();
  return again.ok() && Difference(*again, right).empty();
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
