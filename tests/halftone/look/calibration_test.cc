// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calibration sheets: drawn, and read from simulated scans (scanner_model.h).

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "halftone/look/sheet_finder.h"
#include "halftone/look/sheet_reader.h"
#include "halftone/look/typical_laser.h"
#include "halftone/page/tone_curve.h"
#include "tests/halftone/look/scanner_model.h"

namespace halftoned {
namespace {

using testing::Scanner;
using testing::ScanOf;
using Sheet = CalibrationSheet;

double LightAt600(int tone) { return LightOfTypicalLaser(tone / 255.0, 600); }

struct Error {
  double mean = 0;
  double worst = 0;
};

// Of the light that was read, in levels of 255.
Error ErrorOf(const SheetReading& reading,
              const std::function<double(int)>& light_of) {
  Error error;
  for (const ToneReading& tone : reading.tones) {
    const double off = 255 * std::abs(tone.light - light_of(tone.tone));
    error.mean += off / static_cast<double>(reading.tones.size());
    error.worst = std::max(error.worst, off);
  }
  return error;
}

void ExpectRead(const Scanner& scanner, const bench::Laser& laser,
                const std::string& what) {
  const auto reading = ReadSheet(ScanOf(LightAt600, laser, scanner));
  ASSERT_TRUE(reading.ok()) << what << reading.error().message;
  ASSERT_EQ(reading->tones.size(), size_t{Sheet::kTones}) << what;
  const Error error = ErrorOf(*reading, LightAt600);
  EXPECT_LE(error.mean, 2) << what << " gamma " << reading->gamma;
  EXPECT_LE(error.worst, 5) << what << " gamma " << reading->gamma;
}

std::string ErrorOfScan(const Scanner& scanner) {
  const auto reading =
      ReadSheet(ScanOf(LightAt600, bench::kTypicalLaser, scanner));
  return reading.ok() ? "" : reading.error().message;
}

TEST(CalibrationSheet, HasEveryToneInScatteredPlacesAndEachCellOnce) {
  std::set<std::pair<int, int>> cells;
  std::map<int, std::vector<SheetPatch>> tones;
  for (const SheetPatch& patch : Sheet::Patches()) {
    EXPECT_TRUE(cells.emplace(patch.column, patch.row).second);
    EXPECT_LT(patch.column, Sheet::kColumns);
    EXPECT_LT(patch.row, Sheet::kRows);
    if (patch.kind == SheetPatch::Kind::kTone) {
      tones[patch.tone].push_back(patch);
    }
  }
  EXPECT_EQ(cells.size(), size_t{Sheet::kColumns * Sheet::kRows});
  EXPECT_EQ(tones.size(), size_t{Sheet::kTones});
  for (const auto& [tone, places] : tones) {
    ASSERT_EQ(places.size(), size_t{Sheet::kPlaces});
    for (size_t i = 1; i < places.size(); ++i) {
      EXPECT_GT(std::abs(places[i].column - places[i - 1].column) +
                    std::abs(places[i].row - places[i - 1].row),
                2)
          << tone;
    }
  }
}

TEST(CalibrationSheet, IsReadAsItIsDrawn) {
  const GrayPicture drawn = *Sheet::Draw(300);
  GrayPicture scan = drawn;
  for (uint8_t& gray : scan.at) gray = static_cast<uint8_t>(20 + gray * 4 / 5);
  EXPECT_TRUE(FindSheet(scan).ok());
  EXPECT_FALSE(Sheet::Draw(250).ok());
}

TEST(SheetReader, ReadsTonesWhateverTheScanner) {
  for (const double gamma : {1.8, 2.2, 2.4}) {
    ExpectRead({.gamma = gamma}, bench::kTypicalLaser, "plain");
  }
  for (const bench::Laser& laser : bench::kLasers) {
    ExpectRead({.degrees = 3, .gamma = 2}, laser, laser.name);
  }
  ExpectRead({.dots_per_inch = 150, .degrees = -8}, bench::kTypicalLaser,
             "150");
  ExpectRead({.dots_per_inch = 600, .degrees = 1, .blur = 1.5},
             bench::kTypicalLaser, "600");
  ExpectRead({.degrees = 8, .quarters = 1}, bench::kTypicalLaser, "quarter");
  ExpectRead({.quarters = 2, .perspective = 0.01}, bench::kTypicalLaser,
             "perspective");
  ExpectRead({.quarters = 3, .noise = 0.03, .vignetting = 0.15},
             bench::kTypicalLaser, "noise and vignetting");
}

TEST(SheetReader, SaysWhatIsWrongWithAScan) {
  EXPECT_NE(ErrorOfScan({.is_mirrored = true}).find("mirrored"),
            std::string::npos);
  EXPECT_NE(ErrorOfScan({.paper = 1.2}).find("clipped"), std::string::npos);
  EXPECT_NE(ErrorOfScan({.paper = 0.02}).find("no black or no white"),
            std::string::npos);
  EXPECT_NE(ErrorOfScan({.dots_per_inch = 40}).find("no calibration sheet"),
            std::string::npos);
  EXPECT_FALSE(ReadSheet(GrayPicture(900, 900)).ok());
  GrayPicture other(900, 900);
  for (int i = 100; i < 800; ++i) {
    for (int j = 100; j < 800; ++j) other.At(i, j) = 10;
  }
  EXPECT_NE(ReadSheet(other).error().message.find("not that of"),
            std::string::npos);
}

// HALFTONED_RANDOM_SCANS says how many.
TEST(SheetReader, ReadsRandomScansRightOrRefusesThem) {
  const char* wanted = std::getenv("HALFTONED_RANDOM_SCANS");
  const int count = wanted ? std::atoi(wanted) : 6;
  int read = 0;
  Error worst;
  for (int i = 0; i < count; ++i) {
    std::mt19937 random(static_cast<unsigned>(i));
    const auto between = [&](double least, double most) {
      return std::uniform_real_distribution<double>(least, most)(random);
    };
    const Scanner scanner{.dots_per_inch = between(150, 320),
                          .degrees = between(-8, 8),
                          .quarters = static_cast<int>(random() % 4),
                          .perspective = between(-0.015, 0.015),
                          .blur = between(0.4, 2),
                          .noise = between(0, 0.04),
                          .gamma = between(1.6, 2.6),
                          .vignetting = between(0, 0.2),
                          .paper = between(0.4, 1.1),
                          .seed = static_cast<unsigned>(i)};
    const double dots_per_inch = between(150, 1200);
    const auto light_of = [&](int tone) {
      return LightOfTypicalLaser(tone / 255.0, dots_per_inch);
    };
    const auto reading =
        ReadSheet(ScanOf(light_of, bench::kLasers[i % 3], scanner));
    if (!reading.ok()) continue;
    ++read;
    const Error error = ErrorOf(*reading, light_of);
    EXPECT_LE(error.mean, 2)
        << "scan " << i << ": gamma " << scanner.gamma << ", read as "
        << reading->gamma << ", blur " << scanner.blur << ", noise "
        << scanner.noise << ", " << scanner.dots_per_inch << " dpi, paper "
        << scanner.paper;
    EXPECT_LE(error.worst, 5) << "scan " << i;
    worst.mean = std::max(worst.mean, error.mean);
    worst.worst = std::max(worst.worst, error.worst);
  }
  EXPECT_GE(read, count / 2);
  std::printf("%d of %d scans were read; errors of 255: %.1f, %.1f\n", read,
              count, worst.mean, worst.worst);
}

TEST(SheetReader, MakesACurveThatMakesUpForThePrinter) {
  const auto reading = ReadSheet(
      ScanOf(LightAt600, bench::kTypicalLaser, {.degrees = 2, .noise = 0.02}));
  ASSERT_TRUE(reading.ok()) << reading.error().message;
  const auto curve = ToneCurve::Parse(CurveTextOf(*reading));
  ASSERT_TRUE(curve.ok()) << curve.error().message;
  for (int wished = 16; wished < 255; wished += 16) {
    const double asked = curve->At8(static_cast<uint8_t>(wished)) / 16.0;
    EXPECT_NEAR(255 * LightOfTypicalLaser(asked / 255, 600), wished, 5);
  }
}

}  // namespace
}  // namespace halftoned
