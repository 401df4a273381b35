// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   find_first_table CROPS ROUNDS THREADS [SEED]
//
// Improves the table of the first pass of `best`, best_first_table.h: makes
// random changes to its rows around one tone after another, each of which is
// kept if crops become better on which that tone is common, and flat tones and
// ramps. How good they are is measured after both passes, as a Gaussian of
// 2 pixels and as an eye see them; thin lines and light and dark tints count
// too, if they have too little or too much ink. A change must also do good on
// other crops than those that it was found on. CROPS is a file of
// tuning_crops.py.
//
// After each round over all tones the table is printed, in the form of
// best_first_table.h, and the changes to standard error. The random numbers
// depend on SEED alone, so the table does not depend on THREADS. That of
// version 3 was found in four rounds, SEED 1, from that of version 2, compiled
// for AVX2 with FMA; where floats are rounded otherwise, another one may be
// found.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "bench/tone/first_table_trial.h"
#include "bench/tone/table_trial.h"
#include "halftone/page/best_first_table.h"

namespace halftoned::bench {
namespace {

constexpr int kTries = 24;  // changes around a row in a round
constexpr int kDraws = 8;   // random changes of which the one with the best
                            // ink is tried
constexpr int kWidths = 3;  // rows above or below a row that follow it, at most
using Numbers = std::array<double, 7>;
using FloatTable = std::array<Numbers, kFineRows>;

constexpr Numbers kStep = {7, 7, 7, 4, 12, 2.5, 50};
constexpr Numbers kLeast = {0, 0, 0, 0, 1, 0, 0};
// With which contract_test holds.
constexpr Numbers kMost = {106, 56, 93, 17, 255, 60, 1156};
constexpr double kMostWeight = 235;

FloatTable FloatsOf(const ToneTable& table) {
  FloatTable floats;
  for (size_t i = 0; i < floats.size(); ++i) {
    const FineRow& r = table[i];
    floats[i] = {
        static_cast<double>(r.right),     static_cast<double>(r.down_right),
        static_cast<double>(r.down_left), static_cast<double>(r.down_left_left),
        static_cast<double>(r.gain),      static_cast<double>(r.onset),
        static_cast<double>(r.lift)};
  }
  return floats;
}

ToneTable Rounded(const FloatTable& floats) {
  ToneTable table;
  for (size_t i = 0; i < table.size(); ++i) {
    std::array<int16_t, 7> r;
    std::ranges::transform(floats[i], r.begin(), [](double number) {
      return static_cast<int16_t>(std::lround(number));
    });
    table[i] = {r[0], r[1], r[2], r[3], r[4], r[5], r[6]};
  }
  return table;
}

class Search {
 public:
  Search(Trials trials, unsigned seed)
      : trials_(std::move(trials)),
        random_(seed),
        floats_(FloatsOf(kBestFirstTable)) {}

  void Round() {
    std::array<int, kFineRows - 1> rows;
    std::iota(rows.begin(), rows.end(), 1);
    std::ranges::shuffle(rows, random_);
    for (const int row : rows) {
      Improve({row, 1 + static_cast<int>(random_() % kWidths)});
    }
    scale_ = std::max(0.4, scale_ * 0.8);
  }

  ToneTable table() const { return Rounded(floats_); }

 private:
  void Improve(const Place& place) {
    const Trial one = trials_.Make(place, random_);
    const Trial other = trials_.Make(place, random_);
    double best = trials_.Value(one, table());
    double best_other = trials_.Value(other, table());
    const double before = best;
    const double before_other = best_other;
    for (int i = 0; i < kTries; ++i) {
      constexpr std::array kScales = {2.0, 1.0, 0.5, 0.25};
      const std::optional<FloatTable> changed =
          Drawn(place, one.inks, scale_ * kScales[i % kScales.size()]);
      if (!changed) continue;
      const double value = trials_.Value(one, Rounded(*changed));
      if (value < best + 0.002) continue;
      const double value_other = trials_.Value(other, Rounded(*changed));
      if (value_other < best_other + 0.0005) continue;
      best = value;
      best_other = value_other;
      floats_ = *changed;
    }
    std::fprintf(stderr, "row %2d: %+.3f, elsewhere %+.3f\n", place.row,
                 best - before, best_other - before_other);
  }

  std::optional<FloatTable> Drawn(const Place& place, const Inks& inks,
                                  double scale) {
    std::optional<FloatTable> best;
    double least = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::optional<FloatTable> drawn = Changed(place, scale);
      if (!drawn) continue;
      const double wrong = trials_.WrongInk(inks, Rounded(*drawn));
      if (best && wrong >= least) continue;
      best = drawn;
      least = wrong;
    }
    return best;
  }

  std::optional<FloatTable> Changed(const Place& place, double scale) {
    Numbers by{};
    const size_t sure = random_() % by.size();
    for (size_t k = 0; k < by.size(); ++k) {
      const bool changes = random_() % 10 < 3 || k == sure;
      const double step =
          std::normal_distribution<double>(0, kStep[k] * scale)(random_);
      if (changes) by[k] = step;
    }
    FloatTable floats = floats_;
    for (int row = 1; row < kFineRows; ++row) {
      const double follows = place.Follows(row);
      if (follows == 0) continue;
      Numbers& numbers = floats[row];
      for (size_t k = 0; k < by.size(); ++k) {
        numbers[k] = std::clamp(numbers[k] + follows * by[k], kLeast[k],
                                std::max(kMost[k], numbers[k]));
      }
      if (numbers[0] + numbers[1] + numbers[2] + numbers[3] > kMostWeight) {
        return std::nullopt;
      }
    }
    return floats;
  }

  Trials trials_;
  std::mt19937 random_;
  FloatTable floats_;
  double scale_ = 1;
};

// Thin lines with more than a tenth of their ink too much or too little.
int WrongLines(const ToneTable& table) {
  int wrong = 0;
  for (int tone = 16; tone <= 240; ++tone) {
    for (const bool lies : {false, true}) {
      wrong += std::abs(InkOfLine(table, tone, lies) - 1) > 0.1;
    }
  }
  return wrong;
}

void Print(const ToneTable& table) {
  for (const FineRow& r : table) {
    std::printf("    {%d, %d, %d, %d, %d, %d, %d},\n", r.right, r.down_right,
                r.down_left, r.down_left_left, r.gain, r.onset, r.lift);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  using namespace halftoned::bench;
  const int rounds = argc >= 4 ? std::atoi(argv[2]) : 0;
  const int threads = argc >= 4 ? std::atoi(argv[3]) : 0;
  const int seed = argc == 5 ? std::atoi(argv[4]) : 1;
  if (argc > 5 || rounds < 1 || threads < 1) {
    std::fprintf(stderr,
                 "usage: find_first_table CROPS ROUNDS THREADS [SEED]\n");
    return 2;
  }
  std::vector<GrayPage> crops = ReadCrops(argv[1]);
  if (crops.empty()) {
    std::fprintf(stderr, "find_first_table: %s has no gray PGMs of 256 x 256\n",
                 argv[1]);
    return 1;
  }
  Search search(Trials(std::move(crops), threads), static_cast<unsigned>(seed));
  std::fprintf(stderr, "%d of 450 lines have the wrong ink\n",
               WrongLines(search.table()));
  for (int i = 0; i < rounds; ++i) {
    search.Round();
    Print(search.table());
    std::fprintf(stderr, "round %d: %d of 450 lines have the wrong ink\n",
                 i + 1, WrongLines(search.table()));
  }
}
