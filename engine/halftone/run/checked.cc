// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/checked.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>

#include "halftone/run/best_start.h"
#include "halftone/run/checked_desk.h"

namespace halftoned {

class CheckedEngine::Checked : public Session {
 public:
  Checked(const PageOrder& order, Desk& desk) : order_(order), desk_(desk) {}
  ~Checked() override {
    reference_.reset();
    session_.reset();
    for (Check& check : checks_) desk_.GiveBack(std::move(check.copy), false);
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
  bool Ready() override;

 private:
  // The steps that a check finishes, with a recipe that looks ahead, unless the
  // page ends with them; MostRows: the rows that they need. In a check that
  // begins below the answer's first row, the first step settles.
  static constexpr int32_t kStepsOfCheck = 2;
  int32_t MostRows() const {
    return order_.recipe.lag().rows + kStepsOfCheck * order_.recipe.lag().step;
  }

  // A band whose answer is checked. Checks are kept in the order of band
  // numbers.
  struct Check {
    uint64_t number;
    bool has_lead;  // the band before it
    std::unique_ptr<Desk::Copy> copy;
    BandMemory shared = {};  // the caller's memory, if it is shared
    GrayRoom room = {};      // as lent to the caller
    GrayRoom lead = {};
    int32_t lead_rows = 0;
    int64_t first_row = 0;
    int32_t rows = 0;
    bool last = false;
    // To make just the answer's rows, or some of them.
    std::optional<PageOrder> alone = {};
    std::optional<BestStart> start = {};  // if they are not the first
    std::byte* gray = nullptr;            // of all these rows
    int32_t moved = 0;                    // rows of it that are left out
    int32_t given = 0;                    // rows
    int32_t answered = 0;                 // rows of the whole answer
    bool is_whole = false;
  };

  size_t gray_row() const { return order_.page.gray_bytes_per_row(); }
  size_t bits_row() const {
    return order_.recipe.bit_bytes_per_row(order_.page.width());
  }
  Check* CheckOf(uint64_t number);
  // The check whose lead is the band of this number.
  Check* CheckAfter(uint64_t number) {
    Check* check = CheckOf(number + 1);
    return check && check->has_lead ? check : nullptr;
  }
  BandMemory NextMemory();
  // Decides whether to check the band being lent, or to make it a lead. rows:
  // the maximum number of its rows.
  void MayCheck(int32_t rows);
  // Keeps the gray of a band that is being submitted.
  void KeepGray(int32_t rows, bool last);
  // Starts the check of the band that is taken next, once it is submitted.
  Result<void> BeginCheck();
  // Decides which part of that band's answer is made on its own; false: none.
  bool CutOut(Check& check) const;
  // The row of such an answer at which its check begins; 0: the first.
  int32_t MovedRows(int64_t first_row, int32_t answered) const;
  // Starts the reference's work on `order`, with the gray from that row on.
  Result<void> BeginReference(PageOrder order, const Check& check, int32_t row,
                              bool last);
  // Continues a moved check after the reference's first pass above it.
  Result<void> GoOnBelow(Check& check);
  // Whether checks of other sessions keep the reference busy for long.
  bool MustWait() const {
    const int mine = work_ && !work_->has_ended() ? 1 : 0;
    return order_.recipe.looks_ahead() && desk_.long_works() > mine;
  }
  // Moves `finished` to the caller's memory if it is right.
  Result<void> EndCheck(Finished& finished);
  // What is wrong with an answer; empty if nothing is.
  std::string Difference(const Finished& made, const Finished& right,
                         const Check& check) const;
  // Whether a second attempt of the checked engine gets the first check right.
  bool IsRightAgain(const Finished& right) const;

  const PageOrder order_;
  Desk& desk_;
  BandMemory shared_;  // the caller's memory of the band lent last
  uint64_t lent_ = 0;
  uint64_t submitted_ = 0;
  int64_t submitted_rows_ = 0;
  uint64_t taken_ = 0;
  const Carry* above_ = nullptr;  // above the band that is taken next
  std::deque<Check> checks_;      // of bands that have not been taken
  std::unique_ptr<Session> session_;
  std::optional<Desk::LongWork> work_;  // of the reference
  std::unique_ptr<Session> reference_;  // of the band that is taken next
  bool is_in_first_pass_ = false;       // reference_, above its check
  std::optional<Error> error_;          // of a check that cannot be made
};

CheckedEngine::Checked::Check* CheckedEngine::Checked::CheckOf(
    uint64_t number) {
  const auto check = std::ranges::find(checks_, number, &Check::number);
  return check == checks_.end() ? nullptr : &*check;
}

// The caller's memory for the next band. A band to be checked gets private
// memory; the engine reads a copy of a lead.
BandMemory CheckedEngine::Checked::NextMemory() {
  shared_ = order_.memory();
  MayCheck(order_.rows_per_band);
  BandMemory memory = shared_;
  if (Check* check = CheckAfter(lent_)) memory.gray = check->copy->lead();
  if (Check* check = CheckOf(lent_)) {
    check->shared = shared_;
    memory = {check->copy->gray(), check->copy->made()};
  }
  return memory;
}

// An answer of a recipe that looks ahead begins with rows of earlier bands.
// These rows lie in one band if the band is tall enough.
void CheckedEngine::Checked::MayCheck(int32_t rows) {
  const Recipe& recipe = order_.recipe;
  const bool has_lead = recipe.looks_ahead() && lent_ > 0;
  const bool can_check =
      !MustWait() &&
      (!has_lead || (rows >= recipe.most_waiting_rows() && !CheckOf(lent_)));
  const size_t gray = gray_row() * static_cast<size_t>(rows);
  auto copy = desk_.Take(
      {.lead = has_lead ? gray : 0,
       .gray = gray,
       .bits =
           bits_row() * static_cast<size_t>(rows + recipe.most_waiting_rows())},
      order_.memory != nullptr, can_check);
  if (!copy.ok()) error_ = copy.error();
  if (!copy.ok() || !*copy) return;
  Check& check = checks_.emplace_back();
  check.number = has_lead ? lent_ + 1 : lent_;
  check.has_lead = has_lead;
  check.copy = std::move(*copy);
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
  if (Check* check = CheckAfter(lent_)) check->lead = room;
  ++lent_;
  return room;
}

Result<void> CheckedEngine::Checked::Submit(int32_t rows, bool last) {
  if (submitted_ < lent_) KeepGray(rows, last);
  HALFTONED_TRY(session_->Submit(rows, last));
  ++submitted_;
  submitted_rows_ += rows;
  return BeginCheck();
}

void CheckedEngine::Checked::KeepGray(int32_t rows, bool last) {
  const auto keep = [&](std::byte* copy, const GrayRoom& room) {
    if (rows <= 0 || rows > room.rows) return;  // Submit refuses these
    std::memcpy(copy, room.bytes, gray_row() * static_cast<size_t>(rows));
  };
  if (Check* check = CheckAfter(submitted_)) {
    check->lead_rows = rows;
    keep(check->copy->lead(), check->lead);
  }
  Check* check = CheckOf(submitted_);
  if (!check) return;
  check->first_row = order_.page.first_row() + submitted_rows_;
  check->rows = rows;
  check->last = last;
  check->gray = check->room.bytes;
  if (!order_.memory && !check->has_lead) return;
  check->gray = check->copy->gray();
  keep(check->copy->gray(), check->room);
}

bool CheckedEngine::Checked::CutOut(Check& check) const {
  const Recipe& recipe = order_.recipe;
  std::optional<Carry> above = order_.carry;
  if (above_) above = *above_;
  const Page page =
      above ? order_.page.StartingAt(above->next_row()) : order_.page;
  // The lead's last rows lie before the band's own if it is full.
  const int64_t before = check.first_row - page.first_row();
  if (before > 0 && (!check.has_lead || check.lead_rows < check.lead.rows ||
                     before > check.lead_rows)) {
    return false;
  }
  const auto all = static_cast<int32_t>(before + check.rows);
  const int64_t first = page.first_row();
  check.answered = static_cast<int32_t>(
      recipe.FirstUnanswered(first, first + all, check.last) - first);
  check.gray -= gray_row() * static_cast<size_t>(before);
  check.moved = recipe.looks_ahead() ? MovedRows(first, check.answered) : 0;
  const int32_t left = all - check.moved;
  check.given = recipe.looks_ahead() ? std::min(left, MostRows()) : left;
  if (check.given == 0) return false;
  check.is_whole =
      check.moved == 0 && (check.given == all ||
                           recipe.FirstUnanswered(first, first + check.given) ==
                               first + check.answered);
  check.last = check.last && check.given == left;
  if (check.moved > 0) check.start.emplace(page, recipe, above, check.moved);
  check.alone = {.page = page.StartingAt(first + check.moved),
                 .recipe = recipe,
                 .carry = above,
                 .rows_per_band = check.given,
                 .job = order_.job};
  return true;
}

// A check finds errors only in its own rows, so every row of an answer must
// have its turn, and not in step with the bands of a page.
int32_t CheckedEngine::Checked::MovedRows(int64_t first_row,
                                          int32_t answered) const {
  const int32_t step = order_.recipe.lag().step;
  const int32_t steps = (answered + step - 1) / step;
  if (first_row % step != 0 || steps <= kStepsOfCheck) return 0;
  const auto places = static_cast<uint32_t>(steps - kStepsOfCheck + 1);
  return step * static_cast<int32_t>(desk_.Choose(places));
}

Result<void> CheckedEngine::Checked::BeginCheck() {
  if (reference_ || taken_ == submitted_) return {};
  Check* check = CheckOf(taken_);
  if (!check || check->alone || !CutOut(*check)) return {};
  if (order_.recipe.looks_ahead()) work_.emplace(desk_);
  is_in_first_pass_ = check->start.has_value();
  if (!is_in_first_pass_) {
    return BeginReference(*check->alone, *check, 0, check->last);
  }
  PageOrder order = check->start->FirstPass();
  order.job = order_.job;
  return BeginReference(order, *check, check->start->rows_left_out(), false);
}

Result<void> CheckedEngine::Checked::BeginReference(PageOrder order,
                                                    const Check& check,
                                                    int32_t row, bool last) {
  order.on_ready = [this, is_end = !is_in_first_pass_] {
    if (work_ && is_end) work_->End();
    if (order_.on_ready) order_.on_ready();
  };
  const BandMemory memory{check.gray + gray_row() * static_cast<size_t>(row),
                          check.copy->right.data()};
  order.memory = [memory] { return memory; };
  HALFTONED_TRY_ASSIGN(reference_, desk_.reference().Open(order));
  HALFTONED_TRY_ASSIGN(const GrayRoom room, reference_->Lend());
  if (room.rows == 0) return Bug("a fresh session lends no room");
  return reference_->Submit(order.rows_per_band, last);
}

Result<void> CheckedEngine::Checked::GoOnBelow(Check& check) {
  HALFTONED_TRY_ASSIGN(const Finished made, reference_->Take());
  check.alone->carry = check.start->StateFrom(
      {check.gray, gray_row(), check.moved + kBestRowsBelow}, made);
  reference_.reset();
  is_in_first_pass_ = false;
  return BeginReference(*check.alone, check, check.moved, check.last);
}

bool CheckedEngine::Checked::Ready() {
  if (!error_ && is_in_first_pass_ && reference_->Ready()) {
    const Result<void> gone_on = GoOnBelow(checks_.front());
    if (!gone_on.ok()) error_ = gone_on.error();
  }
  return error_ || (session_->Ready() && !is_in_first_pass_ &&
                    (!reference_ || reference_->Ready()));
}

Result<Finished> CheckedEngine::Checked::Take() {
  if (error_) return *error_;
  if (is_in_first_pass_) HALFTONED_TRY(GoOnBelow(checks_.front()));
  HALFTONED_TRY_ASSIGN(Finished finished, session_->Take());
  if (CheckOf(taken_)) HALFTONED_TRY(EndCheck(finished));
  ++taken_;
  above_ = finished.carry;
  HALFTONED_TRY(BeginCheck());
  return finished;
}

Result<void> CheckedEngine::Checked::EndCheck(Finished& finished) {
  const bool was_checked = reference_ != nullptr;
  if (was_checked) {
    HALFTONED_TRY_ASSIGN(const Finished right, reference_->Take());
    const std::string wrong = Difference(finished, right, checks_.front());
    if (!wrong.empty()) {
      return IsRightAgain(right) ? desk_.WrongOnce(wrong) : desk_.Wrong(wrong);
    }
    desk_.Right();
  }
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
  reference_.reset();
  work_.reset();
  desk_.GiveBack(std::move(checks_.front().copy), was_checked);
  checks_.pop_front();
  return {};
}

std::string CheckedEngine::Checked::Difference(const Finished& made,
                                               const Finished& right,
                                               const Check& check) const {
  if (made.bits.rows != check.answered) {
    return "the number of finished rows is wrong";
  }
  const int32_t settling = check.start ? BestStart::kSettlingRows : 0;
  for (int32_t row = settling; row < right.bits.rows; ++row) {
    if (std::memcmp(made.bits.row(check.moved + row), right.bits.row(row),
                    bits_row()) != 0) {
      return "a bit is wrong in row " +
             std::to_string(right.bits.first_row + row);
    }
  }
  if (check.is_whole && *made.carry != *right.carry) {
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
  if (!room.ok() || room->rows < check.given) return false;
  for (int32_t row = 0; row < check.given; ++row) {
    std::memcpy(
        room->row(row),
        check.gray + static_cast<size_t>(check.moved + row) * gray_row(),
        gray_row());
  }
  if (!(*session)->Submit(check.given, check.last).ok()) return false;
  const auto again = (*session)->Take();
  // From the same state, so that all rows are the same.
  Check alone{.number = check.number, .has_lead = false, .copy = nullptr};
  alone.answered = right.bits.rows;
  alone.is_whole = true;
  return again.ok() && Difference(*again, right, alone).empty();
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
