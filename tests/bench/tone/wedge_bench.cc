// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far tones are off in a simulated print (print_model.h): the error of a
// wedge of 33 steps, in gray levels of 255, mean and largest, without a curve
// and with those that printers get that nobody has measured; and how much it
// changes with the size of the dots. All of it is computed: no printer is
// asked, and nothing is timed.

#include <cmath>
#include <cstdio>
#include <string>

#include "halftone/halftone_type.h"
#include "halftone/tone.h"
#include "tests/bench/tone/print_model.h"

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

Recipe RecipeOf(Algorithm algorithm, double dot_gain) {
  HalftoneType type;
  type.algorithm = algorithm;
  Recipe::Parts parts = *PartsOf(type, 2);
  parts.curve = *CurveOf({.dot_gain = dot_gain});
  return *Recipe::Make(parts);
}

struct Printer {
  double dots_per_inch;
  double diameter;  // of its dots, in pitches
  double edge;      // in pitches
};

// A dot must be wider than its pitch by half for solid black without holes;
// where dots are small they gain more.
constexpr Printer kPrinters[] = {
    {300, 1.22, 0.15}, {600, 1.30, 0.25}, {1200, 1.40, 0.40}};

constexpr Algorithm kAlgorithms[] = {Algorithm::kFloydSteinberg,
                                     Algorithm::kFine, Algorithm::kClustered,
                                     Algorithm::kPrinterModel};

void PrintRow(const Printer& printer, Algorithm algorithm) {
  const double gain =
      DefaultDotGain(Technology::kLaser, printer.dots_per_inch) *
      ShareOfDotGain(algorithm);
  const Recipe plain = RecipeOf(algorithm, 0);
  const Recipe curved = RecipeOf(algorithm, gain);
  std::printf("%5.0f  %-16s %4.0f %%", printer.dots_per_inch,
              std::string(plain.name()).c_str(), gain);
  for (const double size : {0.9, 1.0, 1.1}) {
    const double pitch = 25400 / printer.dots_per_inch;
    const Dots dots{pitch, size * printer.diameter * pitch,
                    printer.edge * pitch};
    const Error without = WedgeError(plain, dots);
    const Error with = WedgeError(curved, dots);
    std::printf("  %5.1f %5.1f %5.1f %5.1f", without.mean, without.largest,
                with.mean, with.largest);
  }
  std::printf("\n");
}

}  // namespace
}  // namespace halftoned::bench

int main() {
  using namespace halftoned::bench;
  std::printf(
      "error of a wedge of 33 steps, of 255: without a curve mean, largest; "
      "with the default curve mean, largest\n"
      "                                dots 10 %% smaller         as assumed"
      "                10 %% larger\n"
      "  dpi  type             gain     without     with         without     "
      "with         without     with\n");
  for (const Printer& printer : kPrinters) {
    for (const auto algorithm : kAlgorithms) PrintRow(printer, algorithm);
  }
}
