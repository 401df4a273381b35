// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/simd/simd_strips.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "halftone/cpu/simd/curve_tables.h"
#include "halftone/cpu/simd/decided_rows.h"
#include "halftone/cpu/simd/islands.h"
#include "halftone/cpu/simd/line.h"
#include "halftone/cpu/simd/wave.h"

namespace halftoned::simd {
namespace {

// Consecutive strips that are computed together, and their only island.
struct Stretch {
  int32_t first_row;
  int32_t rows;
  Island island;
};

class SimdStrips : public Strips {
 public:
  SimdStrips(const Page& page, const Recipe& recipe, const Target& target,
             const CoreEntry& entry)
      : page_(page),
        target_(target),
        recipe_(recipe),
        island_limits_(IslandLimits(recipe, page.depth())),
        core_(entry.core(
            {page.depth(), !recipe.curve().is_identity(), &recipe_})),
        line_(recipe.has_feedback() ? kFineOnPaperLine : *entry.line,
              page.width()) {
    if (!recipe.curve().is_identity()) {
      curve_ = std::make_unique<CurveTables>(recipe.curve());
    }
    if (HasToneRecords(recipe, page.depth())) {
      records_ = std::make_unique<ToneRecords>(recipe, page.depth());
    }
    for (const LinePlane& plane : line_.planes()) {
      lead_ = std::max(lead_, plane.lead);
    }
  }

  int32_t rows_per_strip() const override {
    return target_.vectors * target_.lanes;
  }
  bool can_overlap() const override { return true; }

  void Restart(const Carry& carry) override { line_.Set(carry); }

  void Run(const StripJob& job) override {
    if (!island_limits_) {
      return RunIsland(job, {0, job.gray.rows, {0, page_.width()}});
    }
    IslandFinder finder(page_, *island_limits_);
    std::vector<Island> islands;
    std::optional<Stretch> stretch;
    for (int32_t row = 0; row < job.gray.rows; row += rows_per_strip()) {
      const int32_t rows = std::min(rows_per_strip(), job.gray.rows - row);
      finder.Find(Rows(job.gray, row, rows), Rows(job.bits, row, rows),
                  islands);
      if (stretch && islands.size() == 1 && Joins(*stretch, islands[0])) {
        stretch->rows += rows;
        stretch->island = Union(stretch->island, islands[0]);
        continue;
      }
      if (stretch) RunStretch(job, *stretch);
      stretch.reset();
      if (islands.size() == 1) {
        stretch = Stretch{row, rows, islands[0]};
      } else {
        RunIslands(job, row, rows, islands);
      }
    }
    if (stretch) RunStretch(job, *stretch);
  }

  int32_t RunPure(const StripJob& job) override {
    if (!island_limits_) return 0;
    IslandFinder finder(page_, *island_limits_);
    int32_t end_row = 0;
    while (end_row < job.gray.rows) {
      const int32_t rows = std::min(rows_per_strip(), job.gray.rows - end_row);
      if (!finder.IsPure(Rows(job.gray, end_row, rows),
                         Rows(job.bits, end_row, rows))) {
        break;
      }
      end_row += rows;
    }
    if (end_row > 0) SkipPure(job, end_row, 0, page_.width());
    return end_row;
  }

 private:
  template <typename Band>
  static Band Rows(const Band& band, int32_t first, int32_t rows) {
    Band part = band;
    part.bytes = band.bytes + static_cast<size_t>(first) * band.bytes_per_row;
    part.rows = rows;
    return part;
  }
  static Island Union(Island a, Island b) {
    return {std::min(a.first, b.first), std::max(a.end, b.end)};
  }
  // Whether computing both in the columns of both costs less than ending one
  // island and beginning the other.
  static bool Joins(const Stretch& stretch, Island island) {
    const auto width = [](Island of) { return int64_t{of.end} - of.first; };
    const Island both = Union(stretch.island, island);
    const int64_t strips = stretch.rows / 32 + 1;
    return width(both) * (strips + 1) <=
           width(stretch.island) * strips + width(island) + kCostOfIsland;
  }

  void RunStretch(const StripJob& job, const Stretch& stretch) {
    RunIslands(job, stretch.first_row, stretch.rows, {&stretch.island, 1});
  }

  void RunIslands(const StripJob& job, int32_t first_row, int32_t rows,
                  std::span<const Island> islands) {
    int32_t column = 0;
    for (const Island& island : islands) {
      SkipPure(job, first_row + rows, column, island.first);
      RunIsland(job, {first_row, rows, island});
      column = island.end;
    }
    SkipPure(job, first_row + rows, column, page_.width());
  }

  // Columns without a gray pixel in the rows above `end_row`: only the row
  // below needs to be told.
  void SkipPure(const StripJob& job, int32_t end_row, int32_t first,
                int32_t end) {
    if (first >= end) return;
    if (job.above) job.above->WaitFor(end + lead_);
    line_.SetPure(first, end);
    if (job.below && end_row == job.gray.rows) SetPure(*job.below, first, end);
    if (job.own) job.own->Publish(end);
  }

  void SetPure(Carry& below, int32_t first, int32_t end) const {
    for (size_t i = 0; i < line_.planes().size(); ++i) {
      const auto states = below.plane(i);
      std::fill(states.begin() + first, states.begin() + end,
                recipe_.carry_planes()[i].start);
    }
  }

  void RunIsland(const StripJob& job, const Stretch& at) {
    const auto columns = [&](auto band, size_t first_byte) {
      band.bytes += first_byte;
      return band;
    };
    const int32_t end_row = at.first_row + at.rows;
    const bool is_last = end_row == job.gray.rows;
    const auto first = static_cast<size_t>(at.island.first);
    const size_t first_byte = first * BytesPerSample(page_.depth());
    const GrayBand next =
        is_last ? job.next
                : Rows(job.gray, end_row,
                       std::min(rows_per_strip(), job.gray.rows - end_row));
    Wave({.target = &target_,
          .core = &core_,
          .page = page_,
          .first_column = at.island.first,
          .columns = at.island.end - at.island.first,
          .first_row = job.first_row + at.first_row,
          .recipe = &recipe_,
          .curve = curve_.get(),
          .records = records_.get(),
          .gray = columns(Rows(job.gray, at.first_row, at.rows), first_byte),
          .bits = columns(Rows(job.bits, at.first_row, at.rows), first / 8),
          .next = columns(next, first_byte),
          .line = &line_,
          .below = is_last ? job.below : nullptr,
          .above = job.above,
          .own = job.own,
          .is_cancelled = job.is_cancelled})
        .Run();
  }

  const Page page_;
  const Target& target_;
  const Recipe recipe_;
  const std::optional<PureLimits>
      island_limits_;  // none: one island, all of it
  const Core core_;
  std::unique_ptr<CurveTables> curve_;
  std::unique_ptr<ToneRecords> records_;
  Line line_;
  int lead_ = 0;  // the greatest of the line's planes
};

}  // namespace

bool Serves(const Recipe& recipe, const Target& target) {
  return target.Find(recipe.method()) || IsDecided(recipe.method());
}

std::unique_ptr<Strips> OpenStrips(const Page& page, const Recipe& recipe,
                                   const Target& target) {
  if (const CoreEntry* entry = target.Find(recipe.method())) {
    return std::make_unique<SimdStrips>(page, recipe, target, *entry);
  }
  return OpenDecided(page, recipe, target);
}

}  // namespace halftoned::simd
