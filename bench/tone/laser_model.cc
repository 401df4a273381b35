// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/laser_model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "bench/tone/flat_page.h"

namespace halftoned::bench {
namespace {

constexpr double kBlackDensity = 1.5;
constexpr int kPartsOfInch = 4800;  // of which the simulation computes each
constexpr double kPart = 25400.0 / kPartsOfInch;  // micrometers
constexpr int kSettled = 48;                      // rows until dots are even
constexpr int kLooked = 48;                       // pixels that are looked at
constexpr int kMargin = 8;                        // pixels around them
// Micrometers: the deviation of a blur that halves 8 cycles a degree at 30 cm.
constexpr double kEye = 123;
constexpr int kPixels = kLooked + 2 * kMargin;

// A square of parts.
struct Field {
  explicit Field(int the_side)
      : side(the_side), at(static_cast<size_t>(side) * side) {}
  int side;
  std::vector<float> at;
};

std::vector<float> GaussianOf(double deviation) {
  const int reach = static_cast<int>(std::ceil(3 * deviation));
  std::vector<float> weights;
  float sum = 0;
  for (int i = -reach; i <= reach; ++i) {
    weights.push_back(
        static_cast<float>(std::exp(-i * i / (2 * deviation * deviation))));
    sum += weights.back();
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

// Blurs rows, and transposes the field. What is outside is like its rim.
Field BlurredAcross(const Field& field, const std::vector<float>& weights) {
  const int reach = static_cast<int>(weights.size() / 2);
  const int side = field.side;
  Field blurred(side);
  std::vector<float> row(static_cast<size_t>(side + 2 * reach));
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side + 2 * reach; ++j) {
      row[j] = field.at[static_cast<size_t>(i) * side +
                        std::clamp(j - reach, 0, side - 1)];
    }
    for (int j = 0; j < side; ++j) {
      float sum = 0;
      for (size_t k = 0; k < weights.size(); ++k)
        sum += weights[k] * row[j + k];
      blurred.at[static_cast<size_t>(j) * side + i] = sum;
    }
  }
  return blurred;
}

// deviation, part: micrometers.
Field Blurred(const Field& field, double deviation, double part = kPart) {
  const std::vector<float> weights = GaussianOf(deviation / part);
  return BlurredAcross(BlurredAcross(field, weights), weights);
}

// The mean of each pixel.
Field PixelsOf(const Field& field, int parts) {
  Field pixels(field.side / parts);
  for (int i = 0; i < field.side; ++i) {
    for (int j = 0; j < field.side; ++j) {
      pixels.at[static_cast<size_t>(i / parts) * pixels.side + j / parts] +=
          field.at[static_cast<size_t>(i) * field.side + j] /
          static_cast<float>(parts * parts);
    }
  }
  return pixels;
}

Field InkOf(const Recipe& recipe, uint8_t sample, int parts) {
  const int page = kSettled + kPixels;
  const std::vector<bool> black = BlackPixels(recipe, sample, page);
  Field ink(kPixels * parts);
  for (int i = 0; i < ink.side; ++i) {
    for (int j = 0; j < ink.side; ++j) {
      const int at = (kSettled + i / parts) * page + kSettled + j / parts;
      ink.at[static_cast<size_t>(i) * ink.side + j] = black[at] ? 1 : 0;
    }
  }
  return ink;
}

Field Scattered(const Field& light, const Laser& laser) {
  const std::vector<double> deviations = ScatteringOf(laser).deviations;
  Field sum(light.side);
  for (const double deviation : deviations) {
    const Field blurred = Blurred(light, deviation);
    for (size_t i = 0; i < sum.at.size(); ++i) {
      sum.at[i] += blurred.at[i] / static_cast<float>(deviations.size());
    }
  }
  return sum;
}

// Without a rim of `margin` parts.
double MeanOf(const Field& field, int margin) {
  double sum = 0;
  for (int i = margin; i < field.side - margin; ++i) {
    for (int j = margin; j < field.side - margin; ++j) {
      sum += field.at[static_cast<size_t>(i) * field.side + j];
    }
  }
  const double side = field.side - 2 * margin;
  return sum / (side * side);
}

}  // namespace

Scattering ScatteringOf(const Laser& laser) {
  if (laser.scatter == 0) return {{laser.spread}};
  // exp(-distance / scatter) is a mixture of Gaussians, whose variances are in
  // a gamma distribution; these are the means of its eighths.
  Scattering scattering;
  for (const double deviation :
       {0.632, 0.977, 1.217, 1.433, 1.65, 1.892, 2.199, 2.825}) {
    scattering.deviations.push_back(deviation * laser.scatter);
  }
  return scattering;
}

double Developed(const Laser& laser, double exposure) {
  const auto sigmoid = [&](double at) {
    return 1 / (1 + std::exp(-laser.steepness * (at - laser.threshold)));
  };
  return (sigmoid(exposure) - sigmoid(0)) / (sigmoid(1) - sigmoid(0));
}

LaserPrint PrintOfLaser(const Recipe& recipe, uint8_t sample,
                        const Laser& laser, int dots_per_inch) {
  const int parts = kPartsOfInch / dots_per_inch;
  constexpr double kDeviationsOfWidth = 2.3548;
  Field light =
      Blurred(InkOf(recipe, sample, parts), laser.spot / kDeviationsOfWidth);
  for (float& at : light.at) {
    const double density = kBlackDensity * Developed(laser, at);
    at = static_cast<float>(std::pow(10, -density / 2));
  }
  const Field scattered = Scattered(light, laser);
  for (size_t i = 0; i < light.at.size(); ++i) light.at[i] *= scattered.at[i];
  const double mean = MeanOf(light, kMargin * parts);
  Field seen = Blurred(PixelsOf(light, parts), kEye, kPart * parts);
  const double seen_mean = MeanOf(seen, kMargin);
  for (float& at : seen.at) {
    at = static_cast<float>((at - seen_mean) * (at - seen_mean));
  }
  return {mean, std::sqrt(MeanOf(seen, kMargin))};
}

double LightOfLaser(const Recipe& recipe, uint8_t sample, const Laser& laser,
                    int dots_per_inch) {
  return PrintOfLaser(recipe, sample, laser, dots_per_inch).light;
}

double BlackOfLaser() { return std::pow(10, -kBlackDensity); }

}  // namespace halftoned::bench
