// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/ruling_light.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "calibrate/sheet/normal.h"

namespace halftoned {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kFlare = 2.5;   // of the blur
constexpr double kSoftness = 8;  // micrometers: the deviation of an edge of ink

// Samples of half a period, from the middle of a gap.
constexpr size_t kSamples = 64;
constexpr size_t kWaves = 32;
using Samples = std::array<double, kSamples>;
using Waves = std::array<double, kWaves>;  // with zero, one, two … periods

const std::array<Samples, kWaves>& Cosines() {
  static const auto cosines = [] {
    std::array<Samples, kWaves> all;
    for (size_t k = 0; k < kWaves; ++k) {
      for (size_t i = 0; i < kSamples; ++i) {
        const double at = (static_cast<double>(i) + 0.5) / kSamples;
        all[k][i] = std::cos(kPi * static_cast<double>(k) * at);
      }
    }
    return all;
  }();
  return cosines;
}

Waves WavesOf(const Samples& samples) {
  Waves waves{};
  for (size_t k = 0; k < kWaves; ++k) {
    for (size_t i = 0; i < kSamples; ++i) {
      waves[k] += samples[i] * Cosines()[k][i] / kSamples;
    }
  }
  return waves;
}

Samples SamplesOf(const Waves& waves) {
  Samples samples{};
  for (size_t k = 0; k < kWaves; ++k) {
    const double twice = k == 0 ? waves[k] : 2 * waves[k];
    for (size_t i = 0; i < kSamples; ++i) samples[i] += twice * Cosines()[k][i];
  }
  return samples;
}

// The share of light that passes through the ink once.
Samples PassingOf(const Ruling& ruling, const PrintedLines& lines) {
  const double half = lines.unit * ruling.period() / 2;
  const double gap =
      std::clamp(lines.unit * (ruling.white - lines.wider) / 2, 0.0, half);
  const double black = std::sqrt(lines.black);
  Samples passing;
  for (size_t i = 0; i < kSamples; ++i) {
    const double at = half * (static_cast<double>(i) + 0.5) / kSamples;
    passing[i] = black + (1 - black) * NormalBelow((gap - at) / kSoftness);
  }
  return passing;
}

// The fraction of a wave's amplitude that remains, for waves per micrometer.
double Scattered(double waves, double scatter) {
  const double x = 2 * kPi * waves * scatter;
  return 1 / ((1 + x * x) * std::sqrt(1 + x * x));
}

double Seen(double waves, const ScannerOptics& optics) {
  const double x = 2 * kPi * waves * optics.blur;
  const double y = kPi * waves * optics.pixel;
  const double wide = kFlare * x;
  const double blurred =
      std::lerp(std::exp(-x * x / 2), std::exp(-wide * wide / 2), optics.flare);
  return blurred * (y > 0 ? std::sin(y) / y : 1);
}

}  // namespace

RulingLight LightOfRuling(const Ruling& ruling, const PrintedLines& lines,
                          const ScannerOptics& optics) {
  const Samples passing = PassingOf(ruling, lines);
  const double period = lines.unit * ruling.period();
  Waves scattered = WavesOf(passing);
  for (size_t k = 1; k < kWaves; ++k) {
    scattered[k] *= Scattered(static_cast<double>(k) / period, lines.scatter);
  }
  Samples light = SamplesOf(scattered);
  for (size_t i = 0; i < kSamples; ++i) light[i] *= passing[i];
  const Waves waves = WavesOf(light);
  double square = 0;
  for (size_t k = 1; k < kWaves; ++k) {
    const double seen =
        waves[k] * Seen(static_cast<double>(k) / period, optics);
    square += 2 * seen * seen;
  }
  return {(waves[0] - lines.black) / (1 - lines.black),
          std::sqrt(square) / (1 - lines.black)};
}

}  // namespace halftoned
