// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/table_trial.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "bench/tone/fourier.h"
#include "halftone/cpu/definition/methods.h"
#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/swap/swap_targets.h"
#include "halftone/cpu/two_pass/two_pass_rows.h"

namespace halftoned::bench {
namespace {

constexpr int kSide = kFourierSide;

SwapKernel FastestSwaps() {
  for (const simd::Target& target : simd::Targets()) {
    const SwapKernel swaps = simd::SwapsOf(target.name);
    if (swaps && (!target.runs_here || target.runs_here())) return swaps;
  }
  return SwapByDefinition;
}

Recipe FineOf(bool is_pure) {
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kFine);
  parts.parameters[Recipe::kPure] = is_pure ? 1 : 0;
  return *Recipe::Make(parts);
}

void Unpack(const std::byte* bits, int32_t columns, uint8_t* whites) {
  for (int32_t j = 0; j < columns; ++j) whites[j] = BitAt(bits, j) ? 1 : 0;
}

// Of one of the two sweeps, over rows whose first pass is done.
void Sweep(TwoPassRows& rows, int32_t end, int sweep) {
  static const SwapKernel kSwaps = FastestSwaps();
  const int64_t first = sweep == 0 ? kBestShift - kBestStep : 0;
  for (const int64_t begin : {first, first + kBestBlock}) {
    for (int64_t row = begin; row < end; row += kBestStep) {
      if (row + kBestBlock > 0) kSwaps(rows.BlocksAt(row, sweep));
    }
  }
}

// The share of power that is seen, by frequency.
struct Filter {
  std::vector<double> gauss;
  std::vector<double> eye;
};

// quality.py says what they are.
double EyeAt(double cycles_a_pixel) {
  const auto curve = [](double at) {
    return (0.0192 + at) * std::exp(-std::pow(at, 1.1));
  };
  constexpr double kPeak = 0.897;
  const double pixels_a_degree =
      300 * std::tan(std::numbers::pi / 180) / 25.4 * 600;
  const double at = 0.114 * cycles_a_pixel * pixels_a_degree;
  return at < kPeak ? 1 : curve(at) / curve(kPeak);
}

Filter MakeFilter() {
  Filter filter;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      const double f = std::hypot(FrequencyAt(i), FrequencyAt(j));
      const double turn = 2 * std::numbers::pi * f;  // a deviation of 2 pixels
      filter.gauss.push_back(std::exp(-4 * turn * turn));
      filter.eye.push_back(EyeAt(f) * EyeAt(f));
    }
  }
  return filter;
}

double Ink(const Whites& whites, double right) {
  const auto light = std::accumulate(whites.begin(), whites.end(), 0);
  return 255.0 * (static_cast<double>(whites.size()) - light) / right;
}

}  // namespace

Whites FineBy(const ToneTable& table, const GrayPage& gray, bool is_pure) {
  const Page page = *Page::Make(gray.width, 8);
  const Recipe recipe = FineOf(is_pure);
  Carry carry = Carry::AtStart(recipe, page);
  const size_t pitch = recipe.bit_bytes_per_row(gray.width);
  std::vector<std::byte> bits(pitch * static_cast<size_t>(gray.rows));
  const auto width = static_cast<size_t>(gray.width);
  DefineFineBy(table, {page,
                       recipe,
                       {gray.tones.data(), width, gray.rows},
                       {bits.data(), pitch, gray.rows},
                       carry});
  Whites whites(gray.tones.size());
  for (int32_t i = 0; i < gray.rows; ++i) {
    const auto row = static_cast<size_t>(i);
    Unpack(&bits[row * pitch], gray.width, &whites[row * width]);
  }
  return whites;
}

Whites BestBy(const ToneTable& table, const GrayPage& gray) {
  const Page page = *Page::Make(gray.width, 8);
  const Recipe fine = FineOf(false);
  const Recipe best = *Recipe::Make(Recipe::PartsOf(Algorithm::kBest));
  const auto rows = std::move(*TwoPassRows::Make(page, best, gray.rows));
  rows->Begin(Carry::AtStart(best, page), true);
  rows->End(gray.rows);
  Carry carry = Carry::AtStart(fine, page);
  const auto width = static_cast<size_t>(gray.width);
  for (int32_t i = 0; i < gray.rows; ++i) {
    const std::byte* const samples =
        &gray.tones[static_cast<size_t>(i) * width];
    rows->Read(i, samples);
    rows->BeginFirstPass(i);
    DefineFineBy(table, {page,
                         fine,
                         {samples, width, 1},
                         {rows->FirstBits(i), rows->bit_pitch(), 1},
                         carry});
    rows->EndFirstPass(i);
  }
  Sweep(*rows, gray.rows, 0);
  for (int32_t i = 0; i < gray.rows; ++i) rows->EndFirstSweep(i);
  Sweep(*rows, gray.rows, 1);
  Whites whites(gray.tones.size());
  for (int32_t i = 0; i < gray.rows; ++i) {
    Unpack(rows->Bits(i), gray.width, &whites[static_cast<size_t>(i) * width]);
  }
  return whites;
}

Seen SeenOf(const GrayPage& gray, const Whites& whites) {
  static const Filter kFilter = MakeFilter();
  std::vector<Complex> field(kSide * kSide);
  for (size_t i = 0; i < field.size(); ++i) {
    field[i] = static_cast<float>(255 * whites[i] -
                                  std::to_integer<int>(gray.tones[i]));
  }
  Transform(field);
  double gauss = 0;
  double eye = 0;
  for (size_t i = 0; i < field.size(); ++i) {
    gauss += std::norm(field[i]) * kFilter.gauss[i];
    eye += std::norm(field[i]) * kFilter.eye[i];
  }
  const double one = 255.0 * 255 * kSide * kSide * kSide * kSide;
  return {10 * std::log10(one / gauss), 10 * std::log10(one / eye)};
}

double InkOfLine(const ToneTable& table, int tone, bool is_lying) {
  constexpr int kAround = 12;
  constexpr int kLength = 500;
  const int32_t width = is_lying ? kLength : 2 * kAround;
  const int32_t rows = is_lying ? 2 * kAround : kLength;
  GrayPage gray(width, rows, 255);
  for (int32_t i = 0; i < kLength; ++i) {
    (is_lying ? gray.At(kAround, i) : gray.At(i, kAround)) =
        static_cast<std::byte>(tone);
  }
  return Ink(FineBy(table, gray, false), kLength * (255.0 - tone));
}

double InkOfTone(const ToneTable& table, int tone) {
  const GrayPage gray(512, 512, tone);
  const double pixels = 512.0 * 512;
  const double ink = Ink(FineBy(table, gray, false), pixels * (255.0 - tone));
  return tone >= 128 ? ink : 1 + (255.0 - tone) / tone * (1 - ink);
}

}  // namespace halftoned::bench
