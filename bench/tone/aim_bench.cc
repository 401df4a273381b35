// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   aim_bench [--response]
//
// How far the lightness of simulated lasers' prints (laser_model.h) is from
// that of the screen, scaled between the print's black and paper: the mean of a
// wedge, in L*, by resolution, type and tones. All of it is computed: there is
// no printer, and nothing is timed. With --response, the table of
// typical_laser.cc instead.

#include <cstdio>
#include <cstring>
#include <string>

#include "bench/tone/aim_error.h"

namespace halftoned::bench {
namespace {

struct Case {
  int dots_per_inch;
  Algorithm algorithm;
  double cluster_size;
};

constexpr Case kCases[] = {
    {300, Algorithm::kFine, 4},       {300, Algorithm::kFloydSteinberg, 4},
    {600, Algorithm::kFine, 4},       {600, Algorithm::kFloydSteinberg, 4},
    {600, Algorithm::kClustered, 4},  {1200, Algorithm::kFine, 4},
    {1200, Algorithm::kClustered, 4}, {1200, Algorithm::kClustered, 9}};

void PrintRow(const Case& which, const char* tones, const ToneCurve& curve) {
  const HalftoneType type{which.algorithm, which.cluster_size};
  std::string name(FindMethod(which.algorithm)->name);
  if (which.algorithm == Algorithm::kClustered) {
    name += which.cluster_size == 4 ? " 4" : " 9";
  }
  std::printf("%4d  %-16s  %-22s", which.dots_per_inch, name.c_str(), tones);
  double sum = 0;
  for (const Laser& laser : kLasers) {
    const double error =
        AimError(type, curve, laser, which.dots_per_inch, 33).mean;
    sum += error;
    std::printf("  %5.1f", error);
  }
  std::printf("  %5.1f\n", sum / std::size(kLasers));
  std::fflush(stdout);
}

void PrintErrors() {
  std::printf(
      "mean error of lightness of a wedge of 33 steps, in L*\n"
      " dpi  type              tones                   sharp  typical  heavy  "
      "mean\n");
  for (const Case& which : kCases) {
    const HalftoneType type{which.algorithm, which.cluster_size};
    const double dpi = which.dots_per_inch;
    PrintRow(which, "no curve", ToneCurve());
    PrintRow(which, "tone-aim linear",
             DefaultTones(type, ToneAim::kLinear, dpi));
    PrintRow(which, "tone-aim screen",
             DefaultTones(type, ToneAim::kScreen, dpi));
  }
}

// Its middle locks into a pattern, and neighbouring tones do not: their mean.
void PrintResponse() {
  const Recipe fine = *Recipe::Make(*PartsOf({}, 2));
  for (const int dots_per_inch : {300, 600, 1200}) {
    std::printf("    {%d, {0", dots_per_inch);
    for (int i = 1; i < 16; ++i) {
      double sum = 0;
      for (const int off : {-3, 0, 3}) {
        const auto tone = static_cast<uint8_t>(i * 255 / 16 + off);
        sum += LightOfLaser(fine, tone, kTypicalLaser, dots_per_inch) / 3;
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
    halftoned::bench::PrintResponse();
  } else if (argc == 1) {
    halftoned::bench::PrintErrors();
  } else {
    std::fprintf(stderr, "usage: aim_bench [--response]\n");
    return 2;
  }
}
