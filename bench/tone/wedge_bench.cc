// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of tone in a simulated print (print_model.h): those of a wedge of 33
// steps, in gray levels of 255, mean and largest, without a curve and with that
// of a dot gain that suits the dots; and how they change with the size of the
// dots and the softness of their edges. All of it is computed: there is no
// printer, and nothing is timed.

#include <cmath>
#include <cstdio>
#include <string>

#include "bench/tone/print_model.h"
#include "halftone/look/halftone_type.h"
#include "halftone/look/tones/tone.h"

namespace halftoned::bench {
namespace {

struct Error {
  double mean;
  double largest;
};

Error WedgeError(const Recipe& recipe, const Dots& dots) {
  constexpr int kSteps = 33;
  Error error{};
  for (int step = 0; step < kSteps; ++step) {
    const auto sample = static_cast<uint8_t>(255 * step / (kSteps - 1));
    const double off =
        std::abs(255 * PrintedLight(recipe, sample, dots) - sample);
    error.mean += off / kSteps;
    error.largest = std::max(error.largest, off);
  }
  return error;
}

Recipe WithDotGain(Recipe::Parts parts, double dot_gain) {
  parts.curve = *CurveOf({.dot_gain = dot_gain});
  return *Recipe::Make(parts);
}

struct Printer {
  double dots_per_inch;
  double diameter;  // of its dots, in pitches
  double edge;      // in pitches
  double dot_gain;  // percent, of the curve
};

// A dot must be half wider than its pitch for solid black without holes; small
// dots gain more.
constexpr Printer kPrinters[] = {
    {300, 1.22, 0.15, 12}, {600, 1.30, 0.25, 20}, {1200, 1.40, 0.40, 30}};

constexpr Algorithm kAlgorithms[] = {Algorithm::kFloydSteinberg,
                                     Algorithm::kFine, Algorithm::kClustered};

// How a printer differs from the assumption.
struct Change {
  const char* name;
  double diameter;
  double edge;
};

constexpr Change kChanges[] = {{"as assumed", 1, 1},
                               {"10 % smaller", 0.9, 1},
                               {"10 % larger", 1.1, 1},
                               {"half the edge", 1, 0.5},
                               {"twice the edge", 1, 2}};

void PrintRows(const Printer& printer, Algorithm algorithm) {
  HalftoneType type;
  type.algorithm = algorithm;
  const Recipe::Parts parts = *PartsOf(type, 2);
  const double gain = printer.dot_gain * ShareOfDotGain(parts);
  const Recipe plain = WithDotGain(parts, 0);
  const Recipe curved = WithDotGain(parts, gain);
  const double pitch = 25400 / printer.dots_per_inch;
  for (const Change& change : kChanges) {
    const Dots dots{pitch, change.diameter * printer.diameter * pitch,
                    change.edge * printer.edge * pitch};
    const Error without = WedgeError(plain, dots);
    const Error with = WedgeError(curved, dots);
    std::printf("%4.0f  %-16s  %2.0f %%  %-14s  %5.1f  %5.1f  %5.1f  %5.1f\n",
                printer.dots_per_inch, std::string(plain.name()).c_str(), gain,
                change.name, without.mean, without.largest, with.mean,
                with.largest);
  }
}

}  // namespace
}  // namespace halftoned::bench

int main() {
  using namespace halftoned::bench;
  std::printf(
      "error of a wedge of 33 steps, of 255: without a curve mean, largest; "
      "with the curve of the dot gain mean, largest\n"
      " dpi  type              gain  dots\n");
  for (const Printer& printer : kPrinters) {
    for (const auto algorithm : kAlgorithms) PrintRows(printer, algorithm);
  }
}
