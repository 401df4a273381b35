// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/printed_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "calibrate/sheet/normal.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {
namespace {

constexpr double kBlackDensity = 1.5;
constexpr double kDeviationsOfWidth = 2.3548;
constexpr double kDotReach = 3.2;             // deviations
constexpr double kMicrometresOfInch = 25400;  // micrometers
constexpr size_t kExposureSteps = 4096;       // steps of exposure

int DotsWithin(double deviation, double pitch) {
  return static_cast<int>(std::ceil(kDotReach * deviation / pitch));
}

// The weights of surrounding dots at the center of each part of a dot.
std::vector<std::vector<float>> BeamWeights(double spot, double dots_per_inch,
                                            int parts) {
  const double deviation = spot / kDeviationsOfWidth;
  const double pitch = kMicrometresOfInch / dots_per_inch;
  const int reach = DotsWithin(deviation, pitch);
  std::vector<std::vector<float>> weights;
  for (int part = 0; part < parts; ++part) {
    const double middle = (part + 0.5) / parts;
    weights.emplace_back();
    for (int dot = -reach; dot <= reach; ++dot) {
      const double left = (dot - middle) * pitch / deviation;
      const double right = (dot + 1 - middle) * pitch / deviation;
      weights.back().push_back(
          static_cast<float>(NormalBelow(right) - NormalBelow(left)));
    }
  }
  return weights;
}

std::vector<float> SpreadWeights(double spread, double dots_per_inch,
                                 int parts) {
  const double pitch = kMicrometresOfInch / dots_per_inch / parts;
  const int reach = DotsWithin(spread, pitch);
  std::vector<float> weights;
  float sum = 0;
  for (int i = -reach; i <= reach; ++i) {
    const double x = i * pitch / spread;
    weights.push_back(static_cast<float>(std::exp(-x * x / 2)));
    sum += weights.back();
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

// The light that passes through the toner once, for each step of exposure.
std::vector<float> PassedLight(const LaserDots& dots) {
  const auto sigmoid = [&](double exposure) {
    return 1 / (1 + std::exp(-dots.steepness * (exposure - dots.threshold)));
  };
  std::vector<float> passed;
  for (size_t i = 0; i <= kExposureSteps; ++i) {
    const double exposure = static_cast<double>(i) / kExposureSteps;
    const double developed =
        (sigmoid(exposure) - sigmoid(0)) / (sigmoid(1) - sigmoid(0));
    passed.push_back(
        static_cast<float>(std::pow(10, -kBlackDensity * developed / 2)));
  }
  return passed;
}

int ReachOfWeights(const std::vector<float>& weights) {
  return static_cast<int>(weights.size() / 2);
}

// Adds `weight` times `from` to `to`.
void AddWeighted(const float* from, float weight, std::span<float> to) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += weight * from[i];
}

}  // namespace

double LightOfSolidBlack() { return std::pow(10, -kBlackDensity); }

RowWindow::RowWindow(int reach, std::vector<float> outside)
    : rows_(static_cast<size_t>(2 * reach + 1)),
      outside_(std::move(outside)),
      window_(static_cast<size_t>(reach), outside_) {}

void RowWindow::Push(std::vector<float> row, const Use& use) {
  window_.push_back(std::move(row));
  if (window_.size() < rows_) return;
  use(window_);
  window_.pop_front();
}

void RowWindow::Finish(const Use& use) {
  for (size_t i = 0; i < rows_ / 2; ++i) Push(outside_, use);
}

PrintedRows::PrintedRows(int32_t width, const DotGrid& grid,
                         const Levels& levels, Give give, const LaserDots& dots)
    : width_(static_cast<size_t>(width)),
      parts_(width_ * static_cast<size_t>(grid.parts_across)),
      give_(std::move(give)),
      bits_per_sample_(levels.bits_per_sample),
      ink_of_sample_(size_t{1} << bits_per_sample_),
      passed_(PassedLight(dots)),
      beam_across_(
          BeamWeights(dots.spot, grid.dots_per_inch_across, grid.parts_across)),
      beam_down_(
          BeamWeights(dots.spot, grid.dots_per_inch_down, grid.parts_down)),
      spread_across_(SpreadWeights(dots.spread, grid.dots_per_inch_across,
                                   grid.parts_across)),
      spread_down_(
          SpreadWeights(dots.spread, grid.dots_per_inch_down, grid.parts_down)),
      exposures_(ReachOfWeights(beam_down_[0]), std::vector<float>(parts_)),
      light_(ReachOfWeights(spread_down_), std::vector<float>(2 * parts_, 1)) {
  for (int level = 0; level < levels.count; ++level) {
    const auto at = static_cast<size_t>(level);
    ink_of_sample_[levels.sample[at]] =
        1 - static_cast<float>(levels.value[at]) / kWhite;
  }
}

std::vector<float> PrintedRows::InkOf(const std::byte* bits) const {
  // Adds paper on both sides.
  const size_t reach = beam_across_[0].size() / 2;
  std::vector<float> ink(width_ + 2 * reach);
  const auto bits_of_sample = static_cast<size_t>(bits_per_sample_);
  for (size_t x = 0; x < width_; ++x) {
    const size_t bit = x * bits_of_sample;
    const size_t shift = 8 - bits_of_sample - bit % 8;
    const size_t sample = std::to_integer<size_t>(bits[bit / 8]) >> shift &
                          (ink_of_sample_.size() - 1);
    ink[reach + x] = ink_of_sample_[sample];
  }
  return ink;
}

void PrintedRows::Add(const std::byte* bits) {
  const std::vector<float> ink = InkOf(bits);
  std::vector<float> exposed(parts_);
  std::vector<float> of_part(width_);
  const size_t parts = beam_across_.size();
  for (size_t part = 0; part < parts; ++part) {
    std::ranges::fill(of_part, 0.0F);
    for (size_t k = 0; k < beam_across_[part].size(); ++k) {
      AddWeighted(ink.data() + k, beam_across_[part][k], of_part);
    }
    for (size_t x = 0; x < width_; ++x) exposed[x * parts + part] = of_part[x];
  }
  exposures_.Push(std::move(exposed),
                  [this](const Rows& rows) { Expose(rows); });
}

void PrintedRows::Expose(const Rows& rows) {
  std::vector<float> exposure(parts_);
  const auto reach = static_cast<size_t>(ReachOfWeights(spread_across_));
  std::vector<float> passed(parts_ + 2 * reach, 1.0F);
  for (const std::vector<float>& weights : beam_down_) {
    std::ranges::fill(exposure, 0.0F);
    for (size_t k = 0; k < rows.size(); ++k) {
      AddWeighted(rows[k].data(), weights[k], exposure);
    }
    for (size_t i = 0; i < parts_; ++i) {
      const auto step =
          static_cast<size_t>(exposure[i] * kExposureSteps + 0.5F);
      passed[reach + i] = passed_[std::min(step, kExposureSteps)];
    }
    std::vector<float> row(2 * parts_);
    std::copy_n(passed.begin() + static_cast<ptrdiff_t>(reach), parts_,
                row.begin());
    const std::span<float> spread(row.data() + parts_, parts_);
    for (size_t k = 0; k < spread_across_.size(); ++k) {
      AddWeighted(passed.data() + k, spread_across_[k], spread);
    }
    light_.Push(std::move(row),
                [this](const Rows& spread_rows) { Scatter(spread_rows); });
  }
}

void PrintedRows::Scatter(const Rows& rows) {
  std::vector<float> light(parts_);
  for (size_t k = 0; k < rows.size(); ++k) {
    AddWeighted(rows[k].data() + parts_, spread_down_[k], light);
  }
  const std::vector<float>& passed = rows[rows.size() / 2];
  for (size_t i = 0; i < parts_; ++i) light[i] *= passed[i];
  give_(light);
}

void PrintedRows::Finish() {
  exposures_.Finish([this](const Rows& rows) { Expose(rows); });
  light_.Finish([this](const Rows& rows) { Scatter(rows); });
}

}  // namespace halftoned
