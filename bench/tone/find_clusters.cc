// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   find_clusters SIZE TRIES
//
// Improves the table of `clustered` for clusters of SIZE dots: starts from its
// rows at some tones, and makes TRIES random changes, each of which is kept if
// flat pages become better; between those tones rows are interpolated. Prints
// the table in the form of clustered_table.h, and the scores before and after
// to standard error. The random numbers are the same in every run.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <vector>

#include "bench/tone/flat_dots.h"
#include "halftone/cpu/definition/methods.h"
#include "halftone/page/clustered_table.h"

namespace halftoned::bench {
namespace {

constexpr int kTones[] = {2,  4,  7,  12, 16,  20,  28, 36,
                          48, 64, 80, 96, 112, 120, 126};
constexpr int kSide = FlatDots::kSide;
constexpr int kRowsToSettle = 112;

// A dark page of one tone, halftoned a row at a time by one row of a table.
class FlatPage {
 public:
  FlatPage(const FineRow& row, int size, int tone)
      : recipe_(RecipeOf(size)),
        page_(*Page::Make(kSide, 8)),
        carry_(Carry::AtStart(recipe_, page_)),
        gray_(kSide, static_cast<std::byte>(tone)) {
    table_.fill(row);
  }

  void Next() {
    DefineClusteredBy(table_, {.page = page_,
                               .recipe = recipe_,
                               .gray = {gray_.data(), kSide, 1},
                               .bits = {bits_.data(), bits_.size(), 1},
                               .carry = carry_});
  }

  bool IsWhite(int column) const {
    return (std::to_integer<int>(bits_[static_cast<size_t>(column / 8)]) >>
                (7 - column % 8) &
            1) != 0;
  }
  // The errors that the next row has received.
  std::span<const int16_t> sums() { return carry_.plane(0); }

 private:
  static Recipe RecipeOf(int size) {
    Recipe::Parts parts = Recipe::PartsOf(Algorithm::kClustered);
    parts.parameters[Recipe::kClusterSize] = size;
    return *Recipe::Make(parts);
  }

  Recipe recipe_;
  Page page_;
  Carry carry_;
  ToneTable table_;
  std::vector<std::byte> gray_;
  std::array<std::byte, kSide / 8> bits_;
};

// 0 would be perfect.
double BadnessAt(const FineRow& row, int size, int tone) {
  FlatPage page(row, size, tone);
  for (int i = 0; i < kRowsToSettle; ++i) page.Next();
  FlatDots dots;
  for (int i = 0; i < kSide; ++i) {
    page.Next();
    for (int j = 0; j < kSide; ++j) dots.Set(i, j, page.IsWhite(j));
  }
  // Clusters cannot be closer than this when they fill half of the page.
  const double principal = std::min(std::sqrt(tone / 255.0 / size), 0.36);
  const Spectrum spectrum = SpectrumOf(dots, principal);
  const Clusters clusters = ClustersOf(dots);
  const ClusterShape shape = ClusterShapeOf(size);
  const double edges =
      dots.EdgesOfDot() * size / (2 * (shape.columns + shape.rows));
  const double extent = std::log(1 + clusters.largest_extent / shape.columns);
  const double tone_error = std::abs(255 * dots.Share() - tone);
  double badness = 4 * std::sqrt(spectrum.low_share) + spectrum.anisotropy +
                   (edges > 1 ? 1.5 * (edges - 1) : 0.8 * (1 - edges)) +
                   0.5 * std::max(0.0, tone_error - 0.15);
  // In the middle clusters must touch.
  if (tone < 64) badness += 0.6 * extent + clusters.size_deviation / size;
  if (tone >= 64 && tone < 100) badness += 0.3 * extent;
  return badness;
}

double Badness(const FineRow& row, int size, int tone) {
  return (BadnessAt(row, size, tone) + BadnessAt(row, size, tone + 1)) / 2;
}

class Search {
 public:
  Search(int size, int tone)
      : size_(size), tone_(tone), random_(static_cast<unsigned>(tone)) {}

  FineRow From(const FineRow& row, int tries) {
    best_ = row;
    badness_ = Badness(row, size_, tone_);
    const double before = badness_;
    for (int i = 0; i < tries; ++i) {
      Try(Changed(std::max(0.12, 1 - static_cast<double>(i) / tries)));
    }
    std::fprintf(stderr, "tone %3d: %.3f, was %.3f\n", tone_, badness_, before);
    Lift();
    return best_;
  }

 private:
  void Try(const FineRow& row) {
    if (row.right + row.down_right + row.down_left + row.down_left_left > 250) {
      return;
    }
    const double badness = Badness(row, size_, tone_);
    if (badness >= badness_) return;
    badness_ = badness;
    best_ = row;
  }

  FineRow Changed(double scale) {
    FineRow row = best_;
    Change(row.right, 25 * scale, 0, 128);
    Change(row.down_right, 20 * scale, 0, 100);
    Change(row.down_left, 20 * scale, -40, 110);
    Change(row.down_left_left, 15 * scale, 0, 100);
    Change(row.gain, 50 * scale, 4, 255);
    Change(row.onset, 8 * scale, 0, 100);
    return row;
  }

  void Change(int16_t& number, double deviation, int least, int most) {
    if (std::uniform_real_distribution<double>()(random_) > 0.45) return;
    const double by = std::normal_distribution<double>(0, deviation)(random_);
    number = static_cast<int16_t>(
        std::clamp(number + static_cast<int>(std::lround(by)), least, most));
  }

  // The lift changes only the start of a page, where sums are 0: their mean
  // must be 0, or tints begin late.
  void Lift() {
    FlatPage page(best_, size_, tone_);
    double sum = 0;
    for (int i = 0; i < 5 * kSide; ++i) {
      page.Next();
      if (i < kSide) continue;
      for (const int16_t given : page.sums()) sum += given;
    }
    best_.lift = static_cast<int16_t>(best_.lift +
                                      std::lround(sum / (4 * kSide * kSide)));
  }

  int size_;
  int tone_;
  std::mt19937 random_;
  FineRow best_;
  double badness_;
};

// The darkest tone of a row of the table.
int ToneOf(int row) { return row <= 16 ? row : 4 * row - 48; }

FineRow Between(const FineRow& a, const FineRow& b, double t) {
  const auto mix = [t](int from, int to) {
    return static_cast<int16_t>(std::lround(std::lerp(from, to, t)));
  };
  return {mix(a.right, b.right),
          mix(a.down_right, b.down_right),
          mix(a.down_left, b.down_left),
          mix(a.down_left_left, b.down_left_left),
          mix(a.gain, b.gain),
          mix(a.onset, b.onset),
          mix(a.lift, b.lift)};
}

void Print(const std::vector<FineRow>& found) {
  std::printf("    {{\n        {153, 44, -64, 109, 0, 0, 0},\n");
  for (int row = 1; row < kFineRows; ++row) {
    const int tone =
        std::clamp(ToneOf(row), kTones[0], kTones[std::size(kTones) - 1]);
    size_t b = 1;
    while (kTones[b] < tone) ++b;
    const double t =
        static_cast<double>(tone - kTones[b - 1]) / (kTones[b] - kTones[b - 1]);
    const FineRow r = Between(found[b - 1], found[b], t);
    std::printf("        {%d, %d, %d, %d, %d, %d, %d},\n", r.right,
                r.down_right, r.down_left, r.down_left_left, r.gain, r.onset,
                r.lift);
  }
  std::printf("    }},\n");
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  using namespace halftoned;
  const int size = argc == 3 ? std::atoi(argv[1]) : 0;
  const int tries = argc == 3 ? std::atoi(argv[2]) : -1;
  if (size < kMinClusterSize || size > kMaxClusterSize || tries < 0) {
    std::fprintf(stderr, "usage: find_clusters SIZE TRIES\n");
    return 2;
  }
  std::vector<FineRow> found;
  for (const int tone : bench::kTones) {
    const auto row = static_cast<size_t>(FineRowOf(tone));
    found.push_back(
        bench::Search(size, tone)
            .From(kClusterTables[ClusterTableOf(size)][row], tries));
  }
  bench::Print(found);
}
