// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/halftone/look/drawn_code.h"

#include <algorithm>
#include <cmath>

namespace halftoned {
namespace {

constexpr int kQuietZone = 5;  // modules

}  // namespace

Modules Turned(Modules modules, int quarters) {
  for (; quarters > 0; --quarters) {
    Modules other(modules[0].size(), std::string(modules.size(), '.'));
    for (size_t i = 0; i < modules.size(); ++i) {
      for (size_t j = 0; j < modules[0].size(); ++j) {
        other[modules[0].size() - 1 - j][i] = modules[i][j];
      }
    }
    modules = other;
  }
  return modules;
}

DrawnCode::DrawnCode(const Modules& modules, const Print& print)
    : modules_(Turned(modules, print.quarters)),
      print_(print),
      wide_(static_cast<double>(modules_[0].size())),
      high_(static_cast<double>(modules_.size())),
      side_(static_cast<int>((std::max(wide_, high_) + 2 * kQuietZone) *
                             print.module * 1.1)),
      cosine_(std::cos(print.degrees * std::acos(-1) / 180)),
      sine_(std::sin(print.degrees * std::acos(-1) / 180)) {}

std::pair<double, double> DrawnCode::Module(double x, double y) const {
  x -= side_ / 2.0, y -= side_ / 2.0;
  return {(x * cosine_ + y * sine_) / print_.module + wide_ / 2,
          (y * cosine_ - x * sine_) / print_.module + high_ / 2};
}

double DrawnCode::Away(int i, int j) const {
  const auto [right, down] = Module(j + 0.5, i + 0.5);
  return std::max({-right, -down, right - wide_, down - high_});
}

double DrawnCode::Cover(int i, int j) const {
  constexpr int kParts = 4;
  int dark = 0;
  for (int n = 0; n < kParts * kParts; ++n) {
    const auto [right, down] = Module(j + (n % kParts + 0.5) / kParts,
                                      i + (n / kParts + 0.5) / kParts);
    const bool is_within =
        right >= 0 && down >= 0 && right < wide_ && down < high_;
    dark +=
        is_within &&
        modules_[static_cast<size_t>(down)][static_cast<size_t>(right)] == '#';
  }
  return double(dark) / (kParts * kParts);
}

SamplePage DrawnCode::Page() const {
  SamplePage page{side_, side_, print_.depth, {}};
  const int scale = print_.depth == Depth::k8 ? 1 : 257;
  for (int i = 0; i < side_; ++i) {
    for (int j = 0; j < side_; ++j) {
      page.samples.push_back(static_cast<uint16_t>(
          scale * std::lround(print_.white -
                              Cover(i, j) * (print_.white - print_.black))));
    }
  }
  return page;
}

}  // namespace halftoned
