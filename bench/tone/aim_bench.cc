// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   aim_bench [--response]
//
// How far the lightness of simulated lasers' prints (laser_model.h) is from
// that of the screen, scaled between the print's black and paper: the mean of a
// wedge, in L*, by resolution, type and tones; how much lighter the first laser
// prints than the last (drift); and the noise that is seen. All of it is
// computed: there is no printer, and nothing is timed. With --response, the
// table of typical_laser.cc instead.

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bench/tone/aim_error.h"

namespace halftoned::bench {
namespace {

struct Case {
  int dots_per_inch;
  Algorithm algorithm;
  double cluster_size = 4;
  double screen_lpi = 0;

  HalftoneType type() const {
    return {.algorithm = algorithm,
            .cluster_size = cluster_size,
            .screen_lpi = screen_lpi,
            .print_feedback = 100};  // as prints have it
  }
  std::string name() const {
    std::string name(FindMethod(algorithm)->name);
    if (algorithm == Algorithm::kClustered) {
      name += cluster_size == 4 ? " 4" : " 9";
    } else if (algorithm == Algorithm::kScreen) {
      name += screen_lpi == 106 ? " 106" : "";
    }
    return name;
  }
};

constexpr Case kCases[] = {
    {300, Algorithm::kFine},           {300, Algorithm::kFloydSteinberg},
    {300, Algorithm::kScreen},         {600, Algorithm::kFine},
    {600, Algorithm::kFloydSteinberg}, {600, Algorithm::kClustered, 4},
    {600, Algorithm::kScreen},         {1200, Algorithm::kFine},
    {1200, Algorithm::kClustered, 4},  {1200, Algorithm::kClustered, 9},
    {1200, Algorithm::kScreen},        {1200, Algorithm::kScreen, 4, 106}};

void PrintRow(const Case& which, const char* tones, const ToneCurve& curve) {
  const HalftoneType type = which.type();
  const std::string name = which.name();
  std::printf("%4d  %-16s  %-22s", which.dots_per_inch, name.c_str(), tones);
  double sum = 0;
  double noise = 0;
  std::vector<AimErrors> all;
  for (const Laser& laser : kLasers) {
    all.push_back(AimError(type, curve, laser, which.dots_per_inch, 33));
    sum += all.back().mean;
    noise += all.back().noise;
    std::printf("  %5.1f", all.back().mean);
  }
  double drift = 0;
  for (size_t i = 0; i < all.front().lightness.size(); ++i) {
    drift += all.front().lightness[i] - all.back().lightness[i];
  }
  const auto lasers = static_cast<double>(std::size(kLasers));
  std::printf("  %5.1f  %5.1f  %5.1f\n", sum / lasers,
              drift / static_cast<double>(all.front().lightness.size()),
              noise / lasers);
  std::fflush(stdout);
}

void PrintErrors() {
  std::printf(
      "mean error of lightness of a wedge of 33 steps, in L*\n"
      " dpi  type              tones                   sharp  typical  heavy  "
      "mean  drift  noise\n");
  for (const Case& which : kCases) {
    const HalftoneType type = which.type();
    const double dpi = which.dots_per_inch;
    PrintRow(which, "no curve", ToneCurve());
    PrintRow(which, "tone-aim linear",
             DefaultTones(type, ToneAim::kLinear, dpi));
    PrintRow(which, "tone-aim display",
             DefaultTones(type, ToneAim::kDisplay, dpi));
  }
}

// Its middle locks into a pattern, and neighboring tones do not: their mean.
void PrintResponse(double print_feedback) {
  HalftoneType type;
  type.print_feedback = print_feedback;
  for (const double dots_per_inch : {300, 600, 1200}) {
    const Recipe fine =
        *Recipe::Make(*PartsOf(type, 2, false, {dots_per_inch, dots_per_inch}));
    std::printf("    {%.0f, {0", dots_per_inch);
    for (int i = 1; i < 16; ++i) {
      double sum = 0;
      for (const int off : {-3, 0, 3}) {
        const auto tone = static_cast<uint8_t>(i * 255 / 16 + off);
        sum += LightOfLaser(fine, tone, kTypicalLaser,
                            static_cast<int>(dots_per_inch)) /
               3;
      }
      std::printf(", %.1f",
                  1000 * (sum - BlackOfLaser()) / (1 - BlackOfLaser()));
    }
    std::printf(", 1000}},\n");
  }
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--response") == 0) {
    halftoned::bench::PrintResponse(0);
    halftoned::bench::PrintResponse(100);
  } else if (argc == 1) {
    halftoned::bench::PrintErrors();
  } else {
    std::fprintf(stderr, "usage: aim_bench [--response]\n");
    return 2;
  }
}
