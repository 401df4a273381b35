// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads simulated scans of calibration sheets, of simulated printers and of
// scanners of which the reader knows nothing, and says how far off it is. Exits
// with 1 if a scan is read wrong. The seeds of the scans are FIRST and those
// after it; scans have 150 … MOST dots an inch.
//
//   calibration_bench [SCANS [THREADS [FIRST [MOST]]]]

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench/tone/laser_model.h"
#include "bench/tone/print_model.h"
#include "bench/tone/scanner_model.h"
#include "calibrate/sheet/sheet_reader.h"
#include "halftone/look/halftone_type.h"

namespace halftoned::bench {
namespace {

using Sheet = CalibrationSheet;

constexpr double kMostMean = 2;  // levels of 255
constexpr double kMostWorst = 5;

struct Printer {
  std::string name;
  Laser laser;                    // of its rulings
  std::array<double, 256> light;  // of each tone
};

Printer PrinterOf(const std::string& name, const Laser& laser,
                  const auto& light_of) {
  constexpr size_t kEvery = 17;  // the rest is between
  Printer printer{name, laser, {}};
  printer.light[255] = 1;
  for (size_t tone = kEvery; tone < 255; tone += kEvery) {
    printer.light[tone] = light_of(static_cast<uint8_t>(tone));
  }
  for (size_t tone = 0; tone < 255; ++tone) {
    const size_t below = tone / kEvery * kEvery;
    printer.light[tone] =
        std::lerp(printer.light[below], printer.light[below + kEvery],
                  static_cast<double>(tone - below) / kEvery);
  }
  return printer;
}

Recipe RecipeOf(Algorithm algorithm) {
  return *Recipe::Make(*PartsOf({.algorithm = algorithm}, 2));
}

Printer LaserPrinter(const Laser& laser, Algorithm type, int dots_per_inch,
                     double size) {
  Laser sized = laser;
  sized.spot *= size;
  const Recipe recipe = RecipeOf(type);
  const double black = BlackOfLaser();
  return PrinterOf(
      std::string(laser.name) + " laser", sized, [&](uint8_t tone) {
        return (LightOfLaser(recipe, tone, sized, dots_per_inch) - black) /
               (1 - black);
      });
}

// The discs of wedge_bench; its rulings are a laser's, since the reader knows
// of no relation.
Printer DiscPrinter(int dots_per_inch, double size) {
  const double pitch = 25400.0 / dots_per_inch;
  const Dots dots{pitch, 1.3 * size * pitch, 0.25 * pitch};
  const Recipe recipe = RecipeOf(Algorithm::kFine);
  Laser laser = kTypicalLaser;
  laser.spot *= size;
  return PrinterOf("discs", laser, [&](uint8_t tone) {
    return PrintedLight(recipe, tone, dots);
  });
}

std::vector<Printer> Printers() {
  std::vector<Printer> printers;
  for (const Laser& laser : kLasers) {
    for (const int dots_per_inch : {300, 600, 1200}) {
      printers.push_back(
          LaserPrinter(laser, Algorithm::kFine, dots_per_inch, 1));
    }
    printers.push_back(LaserPrinter(laser, Algorithm::kClustered, 600, 1));
    printers.push_back(LaserPrinter(laser, Algorithm::kFine, 600, 0.9));
    printers.push_back(LaserPrinter(laser, Algorithm::kFine, 600, 1.1));
  }
  for (const double size : {0.9, 1.0, 1.1}) {
    printers.push_back(DiscPrinter(600, size));
  }
  return printers;
}

Scanner RandomScanner(unsigned seed, double most_dots_per_inch) {
  std::mt19937 random(seed);
  const auto between = [&](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  // Of up to 600, half below 215.
  const double finer = between(0, 1);
  Scanner scanner{
      .dots_per_inch = 150 * std::pow(most_dots_per_inch / 150, finer * finer),
      .degrees = between(-8, 8),
      .quarters = static_cast<int>(random() % 4),
      .perspective = between(-0.015, 0.015),
      .blur = between(0.4, 2),
      .noise = between(0, 0.04),
      .gamma = between(1.8, 2.4),
      .vignetting = between(0, 0.2),
      .paper = between(0.4, 1.05),
      .jpeg_quality = random() % 2 == 0 ? 85 : 0,
      .seed = seed};
  const unsigned tone = random() % 3;
  if (tone == 1) scanner.is_srgb = true;
  if (tone == 2) scanner.s = between(-0.25, 0.25);
  return scanner;
}

struct Outcome {
  double dots_per_inch;
  std::string refusal;  // empty: read
  double mean = 0;
  double worst = 0;
  bool is_wrong() const { return mean > kMostMean || worst > kMostWorst; }
};

Outcome OutcomeOf(const Printer& printer, const Scanner& scanner) {
  const SheetInfo info = {"queue", "fine", "600", false};
  const auto light_of = [&](int tone) {
    return printer.light[static_cast<size_t>(tone)];
  };
  Outcome outcome{scanner.dots_per_inch, ""};
  const auto reading =
      ReadSheet(ScanOf({light_of, printer.laser, info}, scanner));
  if (!reading.ok()) {
    outcome.refusal = reading.error().message;
    return outcome;
  }
  for (const ToneReading& tone : reading->tones) {
    const double off = 255 * std::abs(tone.light - light_of(tone.tone));
    outcome.mean += off / Sheet::kTones;
    outcome.worst = std::max(outcome.worst, off);
  }
  if (reading->info != info) outcome.worst = 255;
  if (outcome.is_wrong()) {
    std::printf(
        "WRONG: scan %u, %s: mean %.1f, worst %.1f; %.0f dpi, gamma "
        "%.2f, S %.2f, sRGB %d, blur %.1f, noise %.3f, paper %.2f\n",
        scanner.seed, printer.name.c_str(), outcome.mean, outcome.worst,
        scanner.dots_per_inch, scanner.gamma, scanner.s, scanner.is_srgb,
        scanner.blur, scanner.noise, scanner.paper);
  }
  return outcome;
}

std::vector<Outcome> RunScans(const std::vector<Printer>& printers, int scans,
                              int threads, unsigned first,
                              double most_dots_per_inch) {
  std::vector<Outcome> outcomes(static_cast<size_t>(scans));
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < outcomes.size(); i = next++) {
      outcomes[i] = OutcomeOf(
          printers[i % printers.size()],
          RandomScanner(first + static_cast<unsigned>(i), most_dots_per_inch));
    }
  };
  std::vector<std::thread> helpers;
  for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  return outcomes;
}

// Of scans in least … most dots an inch.
void PrintLine(const std::vector<Outcome>& outcomes, double least,
               double most) {
  int scans = 0, read = 0, wrong = 0;
  double mean = 0, largest_mean = 0, worst = 0;
  for (const Outcome& outcome : outcomes) {
    if (outcome.dots_per_inch < least || outcome.dots_per_inch >= most) {
      continue;
    }
    ++scans;
    if (!outcome.refusal.empty()) continue;
    ++read;
    if (outcome.is_wrong()) ++wrong;
    mean += outcome.mean;
    largest_mean = std::max(largest_mean, outcome.mean);
    worst = std::max(worst, outcome.worst);
  }
  std::printf("| %.0f … %.0f | %d | %d | %d | %.1f | %.1f | %.1f |\n", least,
              most, scans, read, wrong, read > 0 ? mean / read : 0,
              largest_mean, worst);
}

int Main(int scans, int threads, unsigned first, double most_dots_per_inch) {
  const std::vector<Outcome> outcomes =
      RunScans(Printers(), scans, threads, first, most_dots_per_inch);
  std::printf(
      "| dots an inch | scans | read | wrong | mean error | largest "
      "mean | worst tone |\n|---|---:|---:|---:|---:|---:|---:|\n");
  PrintLine(outcomes, 150, 200);
  PrintLine(outcomes, 200, 300);
  PrintLine(outcomes, 300, 400);
  PrintLine(outcomes, 400, 600);
  std::map<std::string, int> refusals;
  bool is_wrong = false;
  for (const Outcome& outcome : outcomes) {
    is_wrong |= outcome.is_wrong();
    if (!outcome.refusal.empty()) ++refusals[outcome.refusal];
  }
  for (const auto& [refusal, count] : refusals) {
    std::printf("\n%d refused: %s\n", count, refusal.c_str());
  }
  return is_wrong ? 1 : 0;
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  const int scans = argc > 1 ? std::atoi(argv[1]) : 600;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  const unsigned long first = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 0;
  const double most = argc > 4 ? std::atof(argv[4]) : 600;
  return halftoned::bench::Main(scans, threads, static_cast<unsigned>(first),
                                most);
}
