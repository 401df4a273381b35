// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/equality/run_engine.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

namespace halftoned::testing {
namespace {

std::vector<int32_t> EqualBands(int32_t rows, int32_t rows_per_band) {
  std::vector<int32_t> bands(static_cast<size_t>(rows / rows_per_band),
                             rows_per_band);
  if (rows % rows_per_band != 0) bands.push_back(rows % rows_per_band);
  return bands;
}

std::vector<int32_t> RandomBands(int32_t rows, Random& random) {
  std::vector<int32_t> bands;
  while (rows > 0) {
    const int32_t most = std::min(rows, random() % 2 ? 5 : 150);
    bands.push_back(std::uniform_int_distribution<int32_t>(1, most)(random));
    rows -= bands.back();
  }
  return bands;
}

// The part of a page that one session processes.
class Stretch {
 public:
  Stretch(CarriesBelow& carries, const Carry& above, bool poisons_answers,
          BitPage& whole)
      : gray_(carries.gray()),
        recipe_(carries.recipe()),
        carries_(carries),
        above_(above),
        poisons_answers_(poisons_answers),
        whole_(whole),
        next_row_in_(above.next_row()) {}

  Result<Carry> Run(const Engine& engine, std::span<const int32_t> bands,
                    const Plan& plan, bool is_last);

 private:
  Result<void> Submit(Session& session, int32_t rows, bool last);
  Result<void> Take(Session& session);
  int64_t FirstRow() const { return gray_.page.first_row(); }

  const GrayPage& gray_;
  const Recipe& recipe_;
  CarriesBelow& carries_;
  Carry above_;
  const bool poisons_answers_;
  BitPage& whole_;
  int64_t next_row_in_;
  int in_flight_ = 0;
};

Result<Carry> Stretch::Run(const Engine& engine, std::span<const int32_t> bands,
                           const Plan& plan, bool is_last) {
  const int32_t most =
      bands.empty() ? 1 : *std::max_element(bands.begin(), bands.end());
  HALFTONED_TRY_ASSIGN(const std::unique_ptr<Session> session,
                       engine.Open({gray_.page.StartingAt(above_.next_row()),
                                    recipe_, above_, most}));
  const bool end_is_news = (is_last && plan.end_is_news) || bands.empty();
  // A page of a recipe that looks ahead is left without an end.
  const bool is_left = recipe_.looks_ahead() && !is_last;
  for (size_t i = 0; i < bands.size(); ++i) {
    const bool last = i + 1 == bands.size() && !end_is_news && !is_left;
    HALFTONED_TRY(Submit(*session, bands[i], last));
    if (in_flight_ > plan.answers_behind) HALFTONED_TRY(Take(*session));
  }
  if (end_is_news) HALFTONED_TRY(Submit(*session, 0, true));
  while (in_flight_ > 0) HALFTONED_TRY(Take(*session));
  return above_;
}

Result<void> Stretch::Submit(Session& session, int32_t rows, bool last) {
  HALFTONED_TRY_ASSIGN(GrayRoom room, session.Lend());
  while (room.rows == 0 && in_flight_ > 0) {
    HALFTONED_TRY(Take(session));
    HALFTONED_TRY_ASSIGN(room, session.Lend());
  }
  if (room.rows < std::max(rows, 1)) return Bug("the room is too small");
  for (int32_t i = 0; i < room.rows; ++i) {
    if (i < rows) {
      const auto row = static_cast<size_t>(next_row_in_ - FirstRow() + i);
      std::memcpy(room.row(i),
                  gray_.samples.data() + row * gray_.bytes_per_row(),
                  gray_.bytes_per_row());
    } else {
      std::memset(room.row(i), 0xa5, gray_.bytes_per_row());
    }
  }
  next_row_in_ += rows;
  HALFTONED_TRY(session.Submit(rows, last));
  ++in_flight_;
  return {};
}

Result<void> Stretch::Take(Session& session) {
  HALFTONED_TRY_ASSIGN(const Finished finished, session.Take());
  --in_flight_;
  const BitBand& bits = finished.bits;
  if (bits.first_row != above_.next_row() ||
      finished.carry->next_row() != bits.first_row + bits.rows) {
    return Bug("rows came out of order");
  }
  if (bits.first_row + bits.rows > FirstRow() + gray_.rows) {
    return Bug("more rows came out than went in");
  }
  for (int32_t i = 0; i < bits.rows; ++i) {
    const auto row = static_cast<size_t>(bits.first_row - FirstRow() + i);
    std::memcpy(whole_.bytes.data() + row * whole_.bytes_per_row, bits.row(i),
                whole_.bytes_per_row);
    if (!poisons_answers_) continue;
    // The memory itself is the session's and not constant.
    std::memset(const_cast<std::byte*>(bits.row(i)), 0xa5,  // NOLINT
                whole_.bytes_per_row);
  }
  // Another session may continue the page from any of these.
  above_ = carries_.Below(
      static_cast<int32_t>(finished.carry->next_row() - FirstRow()));
  if (*finished.carry != above_) {
    return Bug("the carry below row " + std::to_string(above_.next_row() - 1) +
               " is wrong");
  }
  return {};
}

}  // namespace

std::vector<Plan> PlansFor(int32_t rows, Random& random) {
  return {
      {"the whole page at once", {rows}},
      {"the whole page, its end being news", {rows}, 1, true},
      {"row by row", EqualBands(rows, 1)},
      {"row by row, far ahead", EqualBands(rows, 1), 3},
      {"bands of 63 rows", EqualBands(rows, 63)},
      {"bands of 64 rows", EqualBands(rows, 64), 2, true},
      {"bands of 65 rows", EqualBands(rows, 65), 0},
      {"bands of any height", RandomBands(rows, random), 2},
      {"a session for each band", RandomBands(rows, random), 1, false, 1},
      {"three bands a session", RandomBands(rows, random), 2, true, 3},
  };
}

Result<BitPage> RunEngine(const Engine& engine, const GrayPage& gray,
                          const Recipe& recipe, const Carry& above,
                          const Plan& plan) {
  CarriesBelow carries(gray, recipe, above);
  return RunEngine(engine, carries, plan);
}

Result<BitPage> RunEngine(const Engine& engine, CarriesBelow& carries,
                          const Plan& plan) {
  const GrayPage& gray = carries.gray();
  const Recipe& recipe = carries.recipe();
  const size_t bytes_per_row = recipe.bit_bytes_per_row(gray.page.width());
  BitPage whole{
      bytes_per_row,
      std::vector<std::byte>(bytes_per_row * static_cast<size_t>(gray.rows),
                             std::byte{0x5a}),
      carries.Below(0)};
  std::span<const int32_t> bands = plan.bands;
  std::vector<int32_t> again;
  const Engine* at = &engine;
  do {
    const size_t count =
        plan.bands_per_session == 0
            ? bands.size()
            : std::min(bands.size(),
                       static_cast<size_t>(plan.bands_per_session));
    // As if it were sent to another process.
    const std::vector<std::byte> blob = whole.below.Save();
    HALFTONED_TRY_ASSIGN(
        const Carry loaded,
        Carry::Load(blob, recipe,
                    gray.page.StartingAt(whole.below.next_row())));
    Stretch stretch(carries, loaded, plan.poisons_answers, whole);
    HALFTONED_TRY_ASSIGN(whole.below, stretch.Run(*at, bands.first(count), plan,
                                                  count == bands.size()));
    if (plan.moves_to) at = plan.moves_to;
    const bool is_end = count == bands.size();
    const int64_t submitted =
        std::accumulate(bands.begin(), bands.begin() + count, int64_t{0}) +
        loaded.next_row();
    bands = bands.subspan(count);
    // Rows without an answer are submitted again, with the next band.
    const int64_t unanswered = submitted - whole.below.next_row();
    if (is_end || unanswered == 0) continue;
    std::vector<int32_t> rest(bands.begin(), bands.end());
    rest.front() += static_cast<int32_t>(unanswered);
    again = std::move(rest);
    bands = again;
  } while (!bands.empty());
  if (whole.below.next_row() != gray.page.first_row() + gray.rows) {
    return Bug("rows are missing");
  }
  return whole;
}

}  // namespace halftoned::testing
