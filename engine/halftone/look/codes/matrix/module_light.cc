// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/matrix/module_light.h"

#include <algorithm>
#include <cstdlib>

namespace halftoned {
namespace {

// 0, -1, 1, -2, 2 …
int64_t NthFromMiddle(int64_t nth) {
  return nth % 2 == 0 ? nth / 2 : -(nth + 1) / 2;
}

// The clearest grid so far.
struct Best {
  const ModuleLight::ClearnessOf& clearness_of;
  ModuleGrid grid;
  int64_t clearness;

  bool Try(const ModuleGrid& other) {
    const int64_t here = clearness_of(other);
    if (here <= clearness) return false;
    clearness = here;
    grid = other;
    return true;
  }
};

}  // namespace

int64_t ModuleLight::CountDark(const Box& box) const {
  int64_t count = 0;
  return ForEach(box, [&](int light) { count += light < light_from_; })
             ? count
             : kUnknown;
}

int64_t ModuleLight::CountVague(const Box& box) const {
  int64_t count = 0;
  const auto add = [&](int light) {
    count += 5 * std::abs(light - light_from_) < light_ - dark_;
  };
  return ForEach(box, add) ? count : kUnknown;
}

int ModuleLight::Clear(int64_t right, int64_t down, int64_t away) const {
  const int one = Light(right, down, -away) - light_from_;
  const int other = Light(right, down, away) - light_from_;
  if ((one < 0) != (other < 0)) return 0;
  return std::min(std::abs(one), std::abs(other));
}

bool ModuleLight::SetLevels(int64_t dark, int64_t dark_count, int64_t light,
                            int64_t light_count) {
  dark_ = static_cast<int>(dark / dark_count);
  light_ = static_cast<int>(light / light_count);
  light_from_ = (dark_ + light_) / 2 + 1;
  return 16 * (light_ - dark_) >= 3 * rows_.highest();
}

void ModuleLight::FitCoarsely(const ClearnessOf& clearness_of) {
  Best best{clearness_of, grid_, -1};
  for (int64_t turn = 0; turn <= 16; ++turn) {
    for (int64_t wider = 0; wider <= 16; ++wider) {
      ModuleGrid grid = grid_;
      grid.slope = NthFromMiddle(turn) * kSteepest / 8;
      grid.module += grid.module * NthFromMiddle(wider) / 100;
      best.Try(grid);
    }
  }
  grid_ = best.grid;
}

void ModuleLight::Fit(int64_t width, const ClearnessOf& clearness_of) {
  Best best{clearness_of, grid_, clearness_of(grid_)};
  for (int64_t part = 4; part <= 16; part *= 2) {
    const int64_t turn = ModuleGrid::kOne / (part * width);
    const int64_t wider = grid_.module / (part * width);
    for (bool is_better = true; is_better;) {
      is_better = false;
      const ModuleGrid from = best.grid;
      for (int64_t i = 0; i < 9; ++i) {
        ModuleGrid grid = from;
        grid.slope += (i / 3 - 1) * turn;
        grid.module += (i % 3 - 1) * wider;
        is_better |= best.Try(grid);
      }
    }
  }
  grid_ = best.grid;
}

}  // namespace halftoned
