// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calibration sheets: drawn, and read from simulated scans (scanner_model.h).
// calibration_bench reads many more, of more printers.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "bench/tone/scanner_model.h"
#include "calibrate/sheet/sheet_curve.h"
#include "calibrate/sheet/sheet_drawing.h"
#include "calibrate/sheet/sheet_finder.h"
#include "calibrate/sheet/sheet_reader.h"
#include "halftone/look/tones/typical_laser.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {
namespace {

using bench::Scanner;
using bench::ScanOf;
using Sheet = CalibrationSheet;

const SheetInfo kInfo = {"Office_Laser", "clustered 4", "600x300", true};

double LightAt600(int tone) { return LightOfTypicalLaser(tone / 255.0, 600); }

const bench::SheetPrint kPrint = {LightAt600, bench::kTypicalLaser, kInfo};

void ExpectRead(const bench::SheetPrint& print, const Scanner& scanner,
                const std::string& what) {
  const auto reading = ReadSheet(ScanOf(print, scanner));
  ASSERT_TRUE(reading.ok()) << what << ": " << reading.error().message;
  EXPECT_EQ(reading->info, kInfo) << what;
  ASSERT_EQ(reading->tones.size(), size_t{Sheet::kTones}) << what;
  double mean = 0;
  for (const ToneReading& tone : reading->tones) {
    const double off = 255 * std::abs(tone.light - LightAt600(tone.tone));
    EXPECT_LE(off, 5) << what << ", tone " << tone.tone;
    mean += off / Sheet::kTones;
  }
  EXPECT_LE(mean, 2) << what;
}

std::string ErrorOf(const GrayPicture& scan) {
  const auto reading = ReadSheet(scan);
  return reading.ok() ? "" : reading.error().message;
}

// A scan of few pixels, for what does not depend on them.
Scanner Small(Scanner scanner) {
  scanner.dots_per_inch = 150;
  return scanner;
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
    EXPECT_GT(std::abs(places[1].column - places[0].column) +
                  std::abs(places[1].row - places[0].row),
              2)
        << tone;
  }
}

TEST(CalibrationSheet, IsReadAsDrawnOnAnyPaperAtAnyResolution) {
  struct {
    SheetPaper paper;
    double across;
    double down;
  } const kCases[] = {
      {{210, 297}, 300, 300}, {{102, 152}, 203, 203}, {{216, 279}, 360, 180}};
  for (const auto& [paper, across, down] : kCases) {
    const auto drawing = SheetDrawing::Make(
        Sheet::Marks(*CodeOf(kInfo), WordsOf(kInfo)), paper, across, down);
    ASSERT_TRUE(drawing.ok()) << drawing.error().message;
    GrayPicture scan = drawing->Picture();
    for (uint8_t& gray : scan.at) gray = uint8_t(20 + gray * 4 / 5);
    const auto found = FindSheet(scan);
    ASSERT_TRUE(found.ok()) << found.error().message;
    const auto info = InfoOf(ReadCode(scan, *found, {0, 0}));
    ASSERT_TRUE(info.ok()) << info.error().message;
    EXPECT_EQ(*info, kInfo);
  }
  EXPECT_FALSE(SheetDrawing::Make({}, {80, 130}, 300, 300).ok());
  EXPECT_FALSE(SheetDrawing::Make({}, {}, 100, 300).ok());
}

// The code of a chart whose text says this.
std::vector<bool> CodeWith(const std::string& text) {
  std::string bytes = static_cast<char>(text.size()) + text;
  uint32_t sum = 2166136261;
  for (const char c : bytes) {
    sum = (sum ^ static_cast<unsigned char>(c)) * 16777619;
  }
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(sum >> (8 * i));
  bytes.resize(Sheet::kCodeColumns * Sheet::kCodeRows / 8);
  std::vector<bool> code;
  for (const char byte : bytes) {
    for (int bit = 7; bit >= 0; --bit) code.push_back((byte >> bit & 1) != 0);
  }
  return code;
}

TEST(CalibrationSheet, OfAnotherVersionIsRefused) {
  for (const char* text : {"1\nlaser\nfine\n600\n0", "3\nwho knows"}) {
    const auto drawing =
        SheetDrawing::Make(Sheet::Marks(CodeWith(text), {}), {}, 300, 300);
    ASSERT_TRUE(drawing.ok()) << drawing.error().message;
    // Its patches would say that it is clipped.
    EXPECT_NE(ErrorOf(drawing->Picture()).find("another version"),
              std::string::npos)
        << text;
  }
}

TEST(CalibrationSheet, StatesItsSizeOnPaper) {
  const auto place = SheetPlace::On({102, 152});
  ASSERT_TRUE(place.ok());
  SheetInfo info = kInfo;
  info.size = place->Size(203, 600);
  EXPECT_LT(info.size.scale, 0.8);
  EXPECT_NEAR(info.size.unit_across, 25400 / 203.0, 0.01);
  EXPECT_NEAR(info.size.unit_down, 25400 / 300.0, 0.01);
  const SheetInfo read = *InfoOf(*CodeOf(info));
  EXPECT_NEAR(read.size.scale, info.size.scale, 0.001);
  EXPECT_NEAR(read.size.unit_across, info.size.unit_across, 0.1);
  EXPECT_NEAR(read.size.unit_down, info.size.unit_down, 0.1);
  for (const char* size : {"", "1000 847", "0 847 847", "1000 847 847 847",
                           "1000 847 99999", "1000 847 x"}) {
    EXPECT_FALSE(
        InfoOf(CodeWith("2\nlaser\nfine\n600\n0\n" + std::string(size))).ok())
        << size;
  }
}

TEST(SheetCode, RefusesLongNamesAndInvalidCodes) {
  EXPECT_FALSE(CodeOf({std::string(127, 'q'), "fine", "600", false}).ok());
  EXPECT_TRUE(CodeOf({std::string(100, 'q'), "fine", "600", false}).ok());
  const SheetInfo of_application{"Label printer #2", "fine", "203", false};
  EXPECT_EQ(*InfoOf(*CodeOf(of_application)), of_application);
  std::vector<bool> code = *CodeOf(kInfo);
  code[100] = !code[100];
  EXPECT_FALSE(InfoOf(code).ok());
  EXPECT_FALSE(InfoOf(std::vector<bool>(code.size())).ok());
  EXPECT_FALSE(InfoOf(std::vector<bool>(code.size(), true)).ok());
  EXPECT_FALSE(InfoOf(*CodeOf({"../../etc/x", "fine", "600", false})).ok());
}

TEST(SheetReader, ReadsTonesWithAnyScanner) {
  for (const double gamma : {1.0, 1.8, 2.4}) {
    ExpectRead(kPrint, Small({.gamma = gamma}),
               "gamma " + std::to_string(gamma));
  }
  ExpectRead(kPrint, Small({.is_srgb = true, .jpeg_quality = 85}), "sRGB");
  ExpectRead(kPrint, Small({.s = 0.2}), "S");
  ExpectRead({LightAt600, bench::kLasers[0], kInfo},
             Small({.degrees = -8, .noise = 0.03, .vignetting = 0.15}),
             "sharp laser");
  ExpectRead({LightAt600, bench::kLasers[2], kInfo, 0.75},
             Small({.degrees = 8, .quarters = 1}), "heavy laser, small sheet");
  ExpectRead(kPrint, {.quarters = 2, .perspective = 0.01, .gamma = 2},
             "300, perspective");
  // Noise takes some of the paper beyond the lightest code.
  ExpectRead(kPrint, Small({.noise = 0.03, .vignetting = 0, .paper = 0.93}),
             "paper clipped by noise");
}

TEST(SheetReader, DistinguishesPaperScatterFromTheScanner) {
  for (const double scatter : {20, 60}) {
    const bench::SheetPrint print = {
        LightAt600, {"of this paper", 42, 0.44, 13, 0, scatter}, kInfo};
    for (const double gamma : {1.0, 2.2}) {
      const Scanner scanner = Small({.noise = 0.005, .gamma = gamma});
      const std::string what = "scatter " + std::to_string(scatter) +
                               ", gamma " + std::to_string(gamma);
      ExpectRead(print, scanner, what);
      const auto reading = ReadSheet(ScanOf(print, scanner));
      ASSERT_TRUE(reading.ok()) << what;
      EXPECT_NEAR(reading->scatter, scatter, scatter / 5) << what;
      EXPECT_NEAR(reading->scanner.power, gamma, 0.1) << what;
    }
  }
}

// Whose scan has 150 dpi is not told to scan at 150 dpi.
TEST(SheetReader, GivesNoAdviceThatTheScanFollows) {
  for (const Scanner& spoiled :
       {Scanner{.blur = 4}, Scanner{.blur = 0.5, .noise = 0.2},
        Scanner{.flare = -0.5}, Scanner{.s = 2.5}}) {
    const std::string error = ErrorOf(ScanOf(kPrint, Small(spoiled)));
    EXPECT_NE(error, "");
    EXPECT_EQ(error.find("150 dpi"), std::string::npos) << error;
  }
  Scanner coarse = {.dots_per_inch = 110, .blur = 3};
  const std::string error = ErrorOf(ScanOf(kPrint, coarse));
  EXPECT_NE(error.find("150 dpi"), std::string::npos) << error;
}

TEST(SheetReader, ExplainsUnusableScans) {
  const auto expect = [](const Scanner& scanner, const std::string& what) {
    const std::string error = ErrorOf(ScanOf(kPrint, Small(scanner)));
    EXPECT_NE(error.find(what), std::string::npos) << what << ": " << error;
  };
  expect({.is_mirrored = true}, "mirrored");
  expect({.paper = 1.2}, "paper has the lightest");
  expect({.paper = 0.05}, "too dark");
  expect({.blur = 4}, "blurred");
  expect({.noise = 0.12, .paper = 0.5}, "too noisy");
  expect({.blur = 0.8, .flare = -0.5}, "sharpen");
  EXPECT_NE(ErrorOf(ScanOf(kPrint, {.dots_per_inch = 40}))
                .find("no calibration chart"),
            std::string::npos);
  EXPECT_NE(ErrorOf(ScanOf(kPrint, {.dots_per_inch = 400, .blur = 0.2}))
                .find("too sharp"),
            std::string::npos);
  GrayPicture lines = ScanOf(kPrint, Small({}));
  for (uint8_t& gray : lines.at) gray = gray < 128 ? 0 : 255;
  EXPECT_NE(ErrorOf(lines).find("black and white"), std::string::npos);
  EXPECT_NE(ErrorOf(GrayPicture(900, 900)).find("no black"), std::string::npos);
  GrayPicture other(900, 900);
  for (int i = 100; i < 800; ++i) {
    for (int j = 100; j < 800; ++j) other.At(i, j) = uint8_t(i < 150 ? 128 : 9);
  }
  EXPECT_NE(ErrorOf(other).find("does not show a calibration chart"),
            std::string::npos);
}

TEST(SheetCurve, CorrectsThePrinterAndReportsTheRest) {
  const auto first = ReadSheet(
      ScanOf(kPrint, Small({.degrees = 2, .noise = 0.02, .is_srgb = true})));
  ASSERT_TRUE(first.ok()) << first.error().message;
  const auto curve = ToneCurve::Parse(CurveTextOf(PrintedLight(*first)));
  ASSERT_TRUE(curve.ok()) << curve.error().message;
  const auto corrected = [&](int tone) {
    const double asked = curve->At8(static_cast<uint8_t>(tone)) / 4080.0;
    return LightOfTypicalLaser(asked, 600);
  };
  for (int tone = 16; tone < 255; tone += 16) {
    EXPECT_NEAR(255 * corrected(tone), tone, 5);
  }
  const auto second = ReadSheet(
      ScanOf({corrected, bench::kTypicalLaser, kInfo}, Small({.gamma = 1.8})));
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_LE(ResidualOf(*second).mean, 3);
  EXPECT_GE(ResidualOf(*first).mean, 20);
  EXPECT_LE(ExpectedResidual(*first).mean, 3);
}

}  // namespace
}  // namespace halftoned
