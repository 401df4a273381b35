// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/scale/light_table.h"

#include <cmath>

namespace halftoned {
namespace {

// IEC 61966-2-1.
double LightOf(double code) {
  return code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
}

double CodeOfLight(double light) {
  return light <= 0.0031308 ? light * 12.92
                            : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

}  // namespace

LightTable::LightTable(Depth depth) {
  const int white = depth == Depth::k8 ? 255 : 65535;
  for (int code = 0; code <= white; ++code) {
    light_.push_back(static_cast<float>(LightOf(double(code) / white)));
  }
  for (int step = 0; step <= kSteps; ++step) {
    codes_.push_back(
        static_cast<float>(CodeOfLight(double(step) / kSteps) * white));
  }
  codes_.push_back(codes_.back());
}

}  // namespace halftoned
