// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/tone/first_table_trial.h"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <thread>

#include "bench/tone/fourier.h"

namespace halftoned::bench {
namespace {

constexpr int kSide = kFourierSide;
constexpr int kCrops = 20;  // on which they are tried

// Decibels over `fine` that count as much as one another.
constexpr Seen kUnit = {1.6, 0.5};
constexpr double kShareOfCrops = 0.85;  // the rest: flat tones and ramps
constexpr double kFreeInk = 0.07;       // error of a line that costs nothing
constexpr double kPriceOfInk = 3;       // of the mean of the rest

// Of the darker half.
std::vector<int> TonesOf(const Place& place) {
  std::vector<int> tones;
  for (int tone = 1; tone < 128; ++tone) {
    if (place.Follows(FineRowOf(tone)) > 0) tones.push_back(tone);
  }
  return tones;
}

// Calls work(0) … work(count − 1).
void InThreads(int threads, size_t count,
               const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  std::vector<std::jthread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&] {
      for (size_t at; (at = next++) < count;) work(at);
    });
  }
}

Inks InksOf(const Place& place) {
  Inks inks;
  for (const int tone : TonesOf(place)) {
    for (const int at : {tone, 255 - tone}) {
      if (tone <= 5) inks.tints.push_back(at);
      if (tone < 16) continue;
      for (const bool lies : {false, true}) inks.lines.emplace_back(at, lies);
    }
  }
  return inks;
}

GrayPage Ramp(int first, int last, bool goes_down) {
  GrayPage ramp(kSide, kSide, 0);
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      ramp.At(i, j) = static_cast<std::byte>(std::lround(
          std::lerp(first, last, (goes_down ? i : j) / (kSide - 1.0))));
    }
  }
  return ramp;
}

}  // namespace

Trials::Trials(std::vector<GrayPage> crops, int threads)
    : crops_(std::move(crops)), threads_(threads) {
  for (const GrayPage& crop : crops_) {
    std::array<double, kFineRows>& shares = shares_.emplace_back();
    for (const std::byte tone : crop.tones) {
      shares[FineRowOf(std::to_integer<int>(tone))] += 1;
    }
  }
}

Trial Trials::Make(const Place& place, std::mt19937& random) const {
  Trial trial;
  std::vector<std::pair<double, const GrayPage*>> ranked;
  for (size_t i = 0; i < crops_.size(); ++i) {
    double share = 0;
    for (int row = 0; row < kFineRows; ++row) {
      share += place.Follows(row) * shares_[i][row];
    }
    ranked.emplace_back(-share, &crops_[i]);
  }
  std::ranges::sort(ranked);
  ranked.resize(std::min<size_t>(ranked.size(), 5 * kCrops));
  std::ranges::shuffle(ranked, random);
  ranked.resize(std::min<size_t>(ranked.size(), kCrops));
  for (const auto& [share, crop] : ranked) trial.crops.push_back(crop);
  std::vector<int> tones = TonesOf(place);
  const int low = tones.front();
  const int high = tones.back();
  trial.made = {Ramp(low, high, true), Ramp(255 - low, 255 - high, false)};
  trial.inks = InksOf(place);
  std::ranges::shuffle(tones, random);
  tones.resize(std::min<size_t>(tones.size(), 2));
  for (const int tone : tones) trial.made.emplace_back(kSide, kSide, tone);
  return trial;
}

double Trials::Value(const Trial& trial, const ToneTable& table) const {
  const size_t crops = trial.crops.size();
  std::vector<double> value(crops + trial.made.size());
  InThreads(threads_, value.size(), [&](size_t i) {
    const GrayPage& gray = i < crops ? *trial.crops[i] : trial.made[i - crops];
    const Seen seen = SeenOf(gray, BestBy(table, gray));
    value[i] = (seen.gauss / kUnit.gauss + seen.eye / kUnit.eye) / 2;
  });
  const auto mean = [&value](size_t first, size_t end) {
    return std::accumulate(&value[first], &value[first] + (end - first), 0.0) /
           static_cast<double>(end - first);
  };
  return kShareOfCrops * mean(0, crops) +
         (1 - kShareOfCrops) * mean(crops, value.size()) -
         kPriceOfInk * WrongInk(trial.inks, table);
}

double Trials::WrongInk(const Inks& inks, const ToneTable& table) const {
  const size_t lines = inks.lines.size();
  std::vector<double> wrong(lines + inks.tints.size());
  if (wrong.empty()) return 0;
  InThreads(threads_, wrong.size(), [&](size_t i) {
    const double ink =
        i < lines ? InkOfLine(table, inks.lines[i].first, inks.lines[i].second)
                  : InkOfTone(table, inks.tints[i - lines]);
    wrong[i] = std::max(0.0, std::abs(ink - 1) - kFreeInk);
  });
  return std::accumulate(wrong.begin(), wrong.end(), 0.0) /
         static_cast<double>(wrong.size());
}

std::vector<GrayPage> ReadCrops(const char* path) {
  std::vector<GrayPage> crops;
  std::ifstream file(path, std::ios::binary);
  std::string kind;
  int width = 0;
  int rows = 0;
  int most = 0;
  while (file >> kind >> width >> rows >> most) {
    if (kind != "P5" || width != kSide || rows != kSide || most != 255) {
      return {};
    }
    file.get();
    GrayPage& crop = crops.emplace_back(kSide, kSide, 0);
    if (!file.read(reinterpret_cast<char*>(crop.tones.data()),
                   static_cast<std::streamsize>(crop.tones.size()))) {
      return {};
    }
  }
  return crops;
}

}  // namespace halftoned::bench
