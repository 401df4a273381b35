// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile of version 2 (ICC.1:2001-04): a header of 128 bytes, the number of
// tags, a row for each, and their data, all big-endian:
//
//   desc, cprt, wtpt   what each profile must have
//   A2B0               inks → CIELAB, a table of 9 steps of each ink
//   B2A0               CIELAB → inks, black alone; pages with transparency are
//                      mixed in CMYK
//
// Grays between paper and the solids of four inks follow from the measured
// ramps of single inks. For a gray g, let y = (g + 20)^2.4. An ink covers the
// share of the sheet by which its ramp has gone from the y of paper to the y of
// its solid. The inks cover the sheet independently of each other.

#include "halftone/look/gray/cmyk_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "halftone/look/tones/tone.h"

namespace halftoned {
namespace {

constexpr size_t kInks = 4;  // cyan, magenta, yellow, black
constexpr size_t kStepsOfInk = 9;
constexpr size_t kEntries =
    kStepsOfInk * kStepsOfInk * kStepsOfInk * kStepsOfInk;

// The grays of Ghostscript 10.0 for 0/8 … 8/8 of single inks, and for all
// combinations of solids: cyan counts 8, magenta 4, yellow 2, black 1.
constexpr double kRamps[kInks][kStepsOfInk] = {
    {255, 237, 222, 207, 194, 182, 170, 160, 151},
    {255, 234, 216, 198, 181, 167, 152, 138, 124},
    {255, 252, 250, 248, 246, 244, 243, 241, 240},
    {255, 226, 200, 174, 149, 125, 100, 71, 32}};
constexpr double kGraysOfSolids[1 << kInks] = {
    255, 32, 240, 24, 124, 0, 123, 0, 151, 2, 138, 2, 60, 0, 54, 0};

constexpr double kGhostscriptsBlack = 32;

double Mixing(double gray) { return std::pow(gray + 20, 2.4); }
double GrayOf(double mixing) { return std::pow(mixing, 1 / 2.4) - 20; }

using Coverages = std::array<double, kInks>;

double Coverage(size_t ink, size_t step) {
  const double paper = Mixing(kRamps[ink][0]);
  return (paper - Mixing(kRamps[ink][step])) /
         (paper - Mixing(kRamps[ink][kStepsOfInk - 1]));
}

// A profile is made for each job, so what many of its entries share is computed
// only once.
class InkMixer {
 public:
  InkMixer() {
    for (size_t solid = 0; solid < std::size(kGraysOfSolids); ++solid) {
      solids_[solid] = Mixing(kGraysOfSolids[solid]);
    }
    for (size_t ink = 0; ink < kInks; ++ink) {
      for (size_t step = 0; step < kStepsOfInk; ++step) {
        coverages_[ink][step] = Coverage(ink, step);
      }
    }
  }

  // `entry`: of a table whose last ink changes fastest.
  double GrayAt(size_t entry) const {
    Coverages coverages;
    for (size_t ink = kInks, rest = entry; ink-- > 0; rest /= kStepsOfInk) {
      coverages[ink] = coverages_[ink][rest % kStepsOfInk];
    }
    double mixing = 0;
    for (size_t solid = 0; solid < std::size(kGraysOfSolids); ++solid) {
      double part = 1;
      for (size_t ink = 0; ink < kInks; ++ink) {
        const bool is_inked = (solid >> (kInks - 1 - ink)) & 1;
        part *= is_inked ? coverages[ink] : 1 - coverages[ink];
      }
      mixing += part * solids_[solid];
    }
    return std::clamp(GrayOf(mixing), 0.0, 255.0);
  }

 private:
  std::array<double, size_t{1} << kInks> solids_;
  std::array<std::array<double, kStepsOfInk>, kInks> coverages_;
};

class ProfileBytes {
 public:
  ProfileBytes& Text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  ProfileBytes& Zeros(size_t count) {
    bytes_.append(count, '\0');
    return *this;
  }
  ProfileBytes& Number16(double number) {
    const auto value = static_cast<uint16_t>(std::lround(number));
    bytes_ += static_cast<char>(value >> 8);
    bytes_ += static_cast<char>(value & 255);
    return *this;
  }
  ProfileBytes& Number32(size_t number) {
    return Number16(static_cast<double>(number >> 16))
        .Number16(static_cast<double>(number & 0xffff));
  }
  // 16 bits before the point, 16 behind it.
  ProfileBytes& Fixed(double number) {
    return Number32(static_cast<size_t>(std::lround(number * 65536)));
  }
  ProfileBytes& Align() { return Zeros((4 - bytes_.size() % 4) % 4); }
  const std::string& get() const { return bytes_; }

 private:
  std::string bytes_;
};

constexpr double kWhitePoint[] = {0.9642, 1, 0.8249};  // D50

ProfileBytes& AddWhite(ProfileBytes& bytes) {
  for (const double number : kWhitePoint) bytes.Fixed(number);
  return bytes;
}

std::string Description() {
  constexpr std::string_view kName = "CMYK, solid black (halftoned)";
  ProfileBytes bytes;
  bytes.Text("desc").Zeros(4).Number32(kName.size() + 1).Text(kName).Zeros(1);
  // Empty texts in Unicode and in Macintosh's code.
  return bytes.Zeros(4 + 4 + 2 + 1 + 67).Align().get();
}

std::string Copyright() {
  ProfileBytes bytes;
  bytes.Text("text").Zeros(4).Text(
      "The halftoned authors, Apache-2.0 WITH LLVM-exception");
  return bytes.Zeros(1).Align().get();
}

std::string WhitePoint() {
  ProfileBytes bytes;
  bytes.Text("XYZ ").Zeros(4);
  return AddWhite(bytes).get();
}

// For each entry of the table, from 0 to 100.
std::vector<double> Lightnesses() {
  const ToneCurve curve = *CurveOf({.black_point = kGhostscriptsBlack});
  const InkMixer mixer;
  std::vector<double> lightnesses;
  for (size_t entry = 0; entry < kEntries; ++entry) {
    const auto gray =
        static_cast<size_t>(std::lround(mixer.GrayAt(entry) * kWhite / 255));
    lightnesses.push_back(
        LightnessOfDisplay(double(curve.table()[gray]) / kWhite));
  }
  return lightnesses;
}

constexpr double kNumberOfWhite = 65280;  // lightness 100
constexpr double kLargest = 65535;

// A table of 16 bits, without the tables for each channel.
ProfileBytes TableHead(size_t from, size_t to, size_t steps) {
  ProfileBytes bytes;
  bytes.Text("mft2").Zeros(4).Text(std::string{static_cast<char>(from),
                                               static_cast<char>(to),
                                               static_cast<char>(steps), '\0'});
  for (int i = 0; i < 9; ++i) bytes.Fixed(i % 4 == 0 ? 1 : 0);
  return bytes;
}

ProfileBytes& AddUnchanged(ProfileBytes& bytes, size_t channels) {
  for (size_t channel = 0; channel < channels; ++channel) {
    bytes.Number16(0).Number16(kLargest);
  }
  return bytes;
}

// Lightness, then a and b, which are 0 where 32768 is.
std::string InksToLab(const std::vector<double>& lightnesses) {
  ProfileBytes bytes = TableHead(kInks, 3, kStepsOfInk);
  bytes.Number16(2).Number16(2);
  AddUnchanged(bytes, kInks);
  for (const double lightness : lightnesses) {
    bytes.Number16(lightness / 100 * kNumberOfWhite)
        .Number16(32768)
        .Number16(32768);
  }
  return AddUnchanged(bytes, 3).Align().get();
}

// The share of black ink, from 0 to 1, with this lightness.
double BlackOf(double lightness, const std::vector<double>& lightnesses) {
  size_t step = 1;  // black is the ink that changes fastest
  while (step < kStepsOfInk - 1 && lightnesses[step] > lightness) ++step;
  const double lighter = lightnesses[step - 1], darker = lightnesses[step];
  const double part = (lighter - lightness) / (lighter - darker);
  return std::clamp((double(step) - 1 + part) / (kStepsOfInk - 1), 0.0, 1.0);
}

std::string LabToInks(const std::vector<double>& lightnesses) {
  constexpr size_t kLevels = 256;
  constexpr double kNumberOfLevel = kLargest / (kLevels - 1);
  ProfileBytes bytes = TableHead(3, kInks, 2);
  bytes.Number16(kLevels).Number16(2);
  for (size_t level = 0; level < kLevels; ++level) {
    const double lightness =
        double(level) * kNumberOfLevel / kNumberOfWhite * 100;
    bytes.Number16(kLargest * BlackOf(lightness, lightnesses));
  }
  for (int channel = 1; channel < 3; ++channel) {
    for (size_t level = 0; level < kLevels; ++level) {
      bytes.Number16(double(level) * kNumberOfLevel);
    }
  }
  // The first channel, which changes slowest, is the share of black already.
  for (const double black : {0.0, kLargest}) {
    for (int entry = 0; entry < 4; ++entry) bytes.Zeros(3 * 2).Number16(black);
  }
  return AddUnchanged(bytes, kInks).Align().get();
}

struct Tag {
  std::string_view name;
  std::string data;
};

}  // namespace

std::string CmykProfile() {
  const std::vector<double> lightnesses = Lightnesses();
  const Tag tags[] = {{"desc", Description()},
                      {"cprt", Copyright()},
                      {"wtpt", WhitePoint()},
                      {"A2B0", InksToLab(lightnesses)},
                      {"B2A0", LabToInks(lightnesses)}};
  const size_t table_end = 128 + 4 + 12 * std::size(tags);
  size_t size = table_end;
  for (const Tag& tag : tags) size += tag.data.size();
  ProfileBytes bytes;
  bytes.Number32(size).Zeros(4).Number32(0x02400000);
  bytes.Text("spacCMYKLab ");
  for (const double number : {2026, 1, 1, 0, 0, 0}) bytes.Number16(number);
  bytes.Text("acsp").Zeros(68 - 40);
  AddWhite(bytes).Zeros(128 - 80).Number32(std::size(tags));
  size_t at = table_end;
  for (const Tag& tag : tags) {
    bytes.Text(tag.name).Number32(at).Number32(tag.data.size());
    at += tag.data.size();
  }
  for (const Tag& tag : tags) bytes.Text(tag.data);
  return bytes.get();
}

}  // namespace halftoned
