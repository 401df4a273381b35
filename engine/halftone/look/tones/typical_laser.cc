// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/tones/typical_laser.h"

#include <cmath>
#include <cstddef>
#include <iterator>

namespace halftoned {
namespace {

constexpr int kSteps = 16;

// Thousandths of light by sixteenths of white, of `fine`; aim_bench --response
// computes them. Without dots that could grow there is no gain.
struct Response {
  double dots_per_inch;
  double light[kSteps + 1];
};

constexpr Response kResponses[] = {
    {0,
     {0, 62.5, 125, 187.5, 250, 312.5, 375, 437.5, 500, 562.5, 625, 687.5, 750,
      812.5, 875, 937.5, 1000}},
    {300,
     {0, 18.5, 38.6, 58.1, 81.2, 118, 157.1, 211.1, 223, 346.3, 425.7, 514.7,
      614.3, 710.2, 807.3, 903.6, 1000}},
    {600,
     {0, 2.1, 4.5, 7.3, 12.8, 27.6, 48.6, 82.5, 112.6, 223.7, 337.3, 468.4,
      613.1, 732.8, 829.4, 915.9, 1000}},
    {1200,
     {0, 0.7, 1.8, 3.9, 7.7, 14.9, 28.3, 53.9, 102.2, 188.5, 319.8, 483.1,
      649.4, 788.8, 889.2, 954.8, 1000}},
};

// The same of `fine` with all the print feedback that suits the resolution.
constexpr Response kResponsesWithFeedback[] = {
    kResponses[0],
    {300,
     {0, 18.5, 38.5, 56.6, 82.8, 123.1, 162.3, 216.3, 280.3, 358.1, 433, 517.6,
      607.2, 703.6, 807.3, 903.5, 1000}},
    {600,
     {0, 2.1, 4.5, 6.7, 13.2, 30.7, 53, 90.4, 163.9, 243.9, 350.9, 465.9, 590.3,
      717.6, 828.9, 916.3, 1000}},
    kResponses[3],
};

double LightAt(const Response& response, double white) {
  const double step = white * kSteps;
  const auto a = static_cast<size_t>(std::fmin(step, kSteps - 1));
  return std::lerp(response.light[a], response.light[a + 1],
                   step - static_cast<double>(a)) /
         1000;
}

}  // namespace

double LightOfTypicalLaser(double white, double dots_per_inch,
                           bool has_feedback) {
  const auto& responses = has_feedback ? kResponsesWithFeedback : kResponses;
  const Response* const last = std::end(responses) - 1;
  if (dots_per_inch >= last->dots_per_inch) return LightAt(*last, white);
  const Response* b = responses + 1;
  while (b->dots_per_inch < dots_per_inch) ++b;
  const Response* a = b - 1;
  const double part = (dots_per_inch - a->dots_per_inch) /
                      (b->dots_per_inch - a->dots_per_inch);
  return std::lerp(LightAt(*a, white), LightAt(*b, white), part);
}

}  // namespace halftoned
