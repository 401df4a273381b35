// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calibrates simulated printers with simulated scans of their charts, of which
// the reader knows nothing, and prints how far the calibrated printers are from
// their aim, in L*, in how many scans the stated uncertainty holds, and what is
// refused. Lasers and scanners for judging differ from those for tuning.
// Spoiled scans are clipped, blurred, noisy, sharpened, stretched or nearly
// without grays. The seeds of the scans of each set are FIRST and those after
// it. Exits with 1 if a scan is read clearly wrong.
//
//   calibration_bench [SCANS [THREADS [FIRST]]]

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/tone/laser_model.h"
#include "bench/tone/scanner_model.h"
#include "calibrate/sheet/sheet_curve.h"
#include "calibrate/sheet/sheet_reader.h"
#include "halftone/look/halftone_type.h"
#include "halftone/look/tones/tone.h"

namespace halftoned::bench {
namespace {

constexpr double kClearlyWrong = 5;  // L*, the mean of a calibrated printer

// Those of bench/paper/lasers.py, one whose paper scatters more, and two whose
// paper scatters otherwise.
constexpr Laser kTuningLasers[] = {{"office", 40, 0.43, 16.7, 0, 38},
                                   {"keen", 33, 0.46, 20, 0, 27},
                                   {"worn", 59, 0.39, 10, 0, 65}};
constexpr Laser kJudgingLasers[] = {{"crisp", 30.6, 0.48, 22.2, 0, 22},
                                    {"broad", 47.1, 0.41, 14.3, 0, 50},
                                    {"porous", 42, 0.44, 13, 0, 60},
                                    {"sharp", 34, 0.44, 16, 12},
                                    {"heavy", 56, 0.39, 11, 38}};

std::span<const Laser> LasersFor(bool is_judged) {
  if (is_judged) return kJudgingLasers;
  return kTuningLasers;
}

struct Printer {
  std::string name;
  Laser laser;                    // of its rulings
  std::array<double, 256> light;  // of each tone, between black and paper
};

Printer PrinterOf(const Laser& laser, int dots_per_inch) {
  constexpr size_t kEvery = 17;  // the rest is between
  const Recipe recipe =
      *Recipe::Make(*PartsOf({.algorithm = Algorithm::kFine}, 2));
  const double black = BlackOfLaser();
  Printer printer{laser.name, laser, {}};
  printer.light[255] = 1;
  for (size_t tone = kEvery; tone < 255; tone += kEvery) {
    const double light =
        LightOfLaser(recipe, static_cast<uint8_t>(tone), laser, dots_per_inch);
    // Dots of fine fall a little where their texture changes.
    printer.light[tone] =
        std::max((light - black) / (1 - black), printer.light[tone - kEvery]);
  }
  for (size_t tone = 0; tone < 255; ++tone) {
    const size_t below = tone / kEvery * kEvery;
    printer.light[tone] =
        std::lerp(printer.light[below], printer.light[below + kEvery],
                  static_cast<double>(tone - below) / kEvery);
  }
  return printer;
}

std::vector<Printer> Printers(bool is_judged) {
  std::vector<Printer> printers;
  for (const Laser& laser : LasersFor(is_judged)) {
    printers.push_back(PrinterOf(laser, 600));
  }
  return printers;
}

Scanner OrdinaryScanner(unsigned seed, bool is_judged) {
  std::mt19937 random(seed);
  const auto between = [&](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  constexpr double kResolutions[] = {150, 150, 200, 300, 300, 400, 600};
  Scanner scanner{
      .dots_per_inch = is_judged
                           ? 150 * std::pow(4, std::pow(between(0, 1), 1.5))
                           : kResolutions[random() % 7],
      .degrees = between(-4, 4),
      .quarters = static_cast<int>(random() % 4),
      .perspective = is_judged ? between(-0.005, 0.005) : 0,
      .blur = between(0.5, 1.5),
      .noise = between(0.003, 0.02),
      .vignetting = between(0, 0.15),
      .paper = between(0.6, 0.9),
      .jpeg_quality = random() % 2 == 0 ? 85 : 0,
      .seed = seed};
  const unsigned tone = random() % 4;
  if (is_judged) {
    scanner.gamma = tone == 0 ? between(1.0, 1.6) : between(1.8, 2.4);
    if (tone == 1) scanner.s = between(-0.15, 0.15);
  } else {
    constexpr double kGammas[] = {1.0, 1.5, 2.2, 2.4};
    scanner.gamma = kGammas[tone];
  }
  scanner.is_srgb = tone == 2;
  scanner.blur_down = scanner.blur * between(0.85, 1.2);
  scanner.flare = between(0, 0.06);
  return scanner;
}

Scanner SpoiledScanner(unsigned seed) {
  Scanner scanner = OrdinaryScanner(seed, true);
  switch (seed % 7) {
    case 0:
      scanner.paper = 1.15;
      break;
    case 1:
      scanner.blur = 4 * scanner.dots_per_inch / 150;
      break;
    case 2:
      scanner.noise = 0.15;
      break;
    case 3:
      scanner.s = 2.5;  // nearly black and white
      break;
    case 4:
      scanner.flare = -0.4;
      break;
    case 5:
      scanner.least_code = 0.1;
      break;
    default:
      scanner.least_code = 0.25;  // above solid ink
  }
  return scanner;
}

double Lightness(double light) {
  light = BlackOfLaser() + (1 - BlackOfLaser()) * light;
  return light > 216.0 / 24389 ? 116 * std::cbrt(light) - 16
                               : light * 24389 / 27;
}

// The tone that prints as `light`.
double ToneFor(const std::vector<double>& printed, double light) {
  const auto above =
      std::upper_bound(printed.begin(), printed.end() - 1, light);
  const auto tone = static_cast<size_t>(above - printed.begin());
  if (tone == 0) return 0;
  const double from = printed[tone - 1];
  const double part = (light - from) / std::max(printed[tone] - from, 1e-9);
  return static_cast<double>(tone - 1) + std::clamp(part, 0.0, 1.0);
}

struct Outcome {
  std::string laser;
  double dots_per_inch = 0;
  std::string refusal;  // empty: read
  double mean = 0;      // of the calibrated printer, in L*
  double worst = 0;
  bool holds = true;  // the stated uncertainty, of light
};

void Judge(const Printer& printer, const SheetReading& reading,
           Outcome& outcome) {
  constexpr int kStep = 8;
  const std::vector<double> printed = PrintedLight(reading);
  int steps = 0;
  for (int code = kStep; code < 255; code += kStep) {
    const double aim = LightAimedAt(code / 255.0);
    const double tone = ToneFor(printed, aim);
    const auto below = static_cast<size_t>(std::min(tone, 254.0));
    const double light =
        std::lerp(printer.light[below], printer.light[below + 1],
                  tone - static_cast<double>(below));
    const double off = std::abs(Lightness(light) - Lightness(aim));
    outcome.mean += off;
    outcome.worst = std::max(outcome.worst, off);
    ++steps;
  }
  outcome.mean /= steps;
  double mean = 0;
  for (const ToneReading& tone : reading.tones) {
    const double off =
        tone.light - printer.light[static_cast<size_t>(tone.tone)];
    mean += 255 * std::abs(off) / static_cast<double>(reading.tones.size());
  }
  outcome.holds = mean <= ExpectedResidual(reading).mean_limit;
}

Outcome OutcomeOf(const Printer& printer, const Scanner& scanner) {
  const SheetInfo info = {"queue", "fine", "600", false};
  const auto light_of = [&](int tone) {
    return printer.light[static_cast<size_t>(tone)];
  };
  Outcome outcome{.laser = printer.name,
                  .dots_per_inch = scanner.dots_per_inch};
  const auto reading =
      ReadSheet(ScanOf({light_of, printer.laser, info}, scanner));
  if (!reading.ok()) {
    outcome.refusal = reading.error().message;
    return outcome;
  }
  Judge(printer, *reading, outcome);
  return outcome;
}

enum class Set { kTuning, kJudging, kSpoiled };

std::vector<Outcome> RunScans(Set set, int scans, int threads, unsigned first) {
  const std::vector<Printer> printers = Printers(set != Set::kTuning);
  std::vector<Outcome> outcomes(static_cast<size_t>(scans));
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < outcomes.size(); i = next++) {
      const unsigned seed = first + static_cast<unsigned>(i);
      const Scanner scanner = set == Set::kSpoiled
                                  ? SpoiledScanner(seed)
                                  : OrdinaryScanner(seed, set == Set::kJudging);
      outcomes[i] = OutcomeOf(printers[i % printers.size()], scanner);
    }
  };
  std::vector<std::thread> helpers;
  for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  return outcomes;
}

// is_meant: whether the line counts an outcome.
void PrintLine(const std::string& set, const std::string& which,
               const std::vector<Outcome>& outcomes, const auto& is_meant) {
  int scans = 0, read = 0, hold = 0;
  double mean = 0, largest = 0, worst = 0;
  for (const Outcome& outcome : outcomes) {
    if (!is_meant(outcome)) continue;
    ++scans;
    if (!outcome.refusal.empty()) continue;
    ++read;
    hold += outcome.holds ? 1 : 0;
    mean += outcome.mean;
    largest = std::max(largest, outcome.mean);
    worst = std::max(worst, outcome.worst);
  }
  if (read == 0) {
    std::printf("%s  %s  %d  %d  -  -  -  -\n", set.c_str(), which.c_str(),
                scans, scans);
    return;
  }
  std::printf("%s  %s  %d  %d  %.2f  %.1f  %.1f  %.0f %%\n", set.c_str(),
              which.c_str(), scans, scans - read, mean / read, largest, worst,
              100.0 * hold / read);
}

void PrintSet(const std::string& name, std::span<const Laser> lasers,
              const std::vector<Outcome>& outcomes) {
  for (const Laser& laser : lasers) {
    PrintLine(name, laser.name, outcomes, [&](const Outcome& outcome) {
      return outcome.laser == laser.name;
    });
  }
  for (const auto& [least, end] : {std::pair{150, 200}, std::pair{200, 300},
                                   std::pair{300, 400}, std::pair{400, 601}}) {
    const std::string band = std::to_string(least) + " … " +
                             std::to_string(std::min(end, 600)) + " dpi";
    PrintLine(name, band, outcomes, [&](const Outcome& outcome) {
      return outcome.dots_per_inch >= least && outcome.dots_per_inch < end;
    });
  }
  PrintLine(name, "all", outcomes, [](const Outcome&) { return true; });
}

int Main(int scans, int threads, unsigned first) {
  std::printf(
      "calibrated printers, in L*\n"
      "set  printer or scan  scans  refused  mean  largest mean  worst tone  "
      "within\n");
  std::map<std::pair<std::string, std::string>, int> refusals;
  bool is_wrong = false;
  for (const auto& [set, name] :
       {std::pair{Set::kTuning, "tuning"}, std::pair{Set::kJudging, "judging"},
        std::pair{Set::kSpoiled, "spoiled"}}) {
    const std::vector<Outcome> outcomes = RunScans(set, scans, threads, first);
    PrintSet(name, LasersFor(set != Set::kTuning), outcomes);
    for (const Outcome& outcome : outcomes) {
      is_wrong |= outcome.mean > kClearlyWrong;
      if (!outcome.refusal.empty()) ++refusals[{name, outcome.refusal}];
    }
  }
  for (const auto& [refusal, count] : refusals) {
    std::printf("refused  %s  %d  %s\n", refusal.first.c_str(), count,
                refusal.second.c_str());
  }
  return is_wrong ? 1 : 0;
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  const int scans = argc > 1 ? std::atoi(argv[1]) : 100;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  const unsigned long first = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 0;
  return halftoned::bench::Main(scans, threads, static_cast<unsigned>(first));
}
