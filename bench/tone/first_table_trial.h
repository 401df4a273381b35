// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On what find_first_table tries tables for the first pass of `best`, and how
// good they are there: pages after both passes, and the ink of lines and tints.

#ifndef HALFTONED_BENCH_TONE_FIRST_TABLE_TRIAL_H_
#define HALFTONED_BENCH_TONE_FIRST_TABLE_TRIAL_H_

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include "bench/tone/table_trial.h"

namespace halftoned::bench {

// A row that is changed, and how far its neighbours follow: none at 1.
struct Place {
  int row;
  int width;

  double Follows(int other) const {
    return std::max(0.0,
                    1 - std::abs(other - row) / static_cast<double>(width));
  }
};

// Whose ink is measured.
struct Inks {
  std::vector<std::pair<int, bool>> lines;  // the tone, and whether it lies
  std::vector<int> tints;
};

// What changes around a place are tried on.
struct Trial {
  std::vector<const GrayPage*> crops;
  std::vector<GrayPage> made;
  Inks inks;
};

class Trials {
 public:
  // Works on so many threads.
  Trials(std::vector<GrayPage> crops, int threads);

  // Crops chosen at random of those that have most of the tones of a place.
  // Their pages outlive the trial with this.
  Trial Make(const Place& place, std::mt19937& random) const;
  // Larger is better.
  double Value(const Trial& trial, const ToneTable& table) const;
  // The mean of what the inks are off, beyond what is free.
  double WrongInk(const Inks& inks, const ToneTable& table) const;

 private:
  std::vector<GrayPage> crops_;
  std::vector<std::array<double, kFineRows>> shares_;
  int threads_;
};

// The pages of a file of tuning_crops.py; none if it is something else.
std::vector<GrayPage> ReadCrops(const char* path);

}  // namespace halftoned::bench

#endif  // HALFTONED_BENCH_TONE_FIRST_TABLE_TRIAL_H_
