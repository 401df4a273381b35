// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The light of the square modules of a matrix code, and how a grid is fitted to
// them. Modules count from a place in the code, to the right (or to the left)
// and down. It knows no symbology.

#pragma once

#include <cstdint>
#include <functional>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/code_area.h"

namespace halftoned {

class ModuleLight {
 public:
  // Codes are skewed by up to 5 degrees.
  static constexpr int64_t kSteepest = ModuleGrid::kOne * 7 / 80;
  // More than any count.
  static constexpr int64_t kUnknown = 1 << 20;

  // Modules from, to, each inclusive.
  struct Box {
    int64_t left, right, top, bottom;
  };
  // How clearly the modules of a grid are dark or light; -1 if some are not
  // known.
  using ClearnessOf = std::function<int64_t(const ModuleGrid&)>;

  ModuleLight(const LightRows& rows, const ModuleGrid& grid)
      : rows_(rows), grid_(grid) {}

  // The light in the center of a module, or of the place `away` parts to the
  // right of it and below it. -1 if it is not known.
  int Light(int64_t right, int64_t down, int64_t away = 0) const {
    const Place place = grid_.At(ModuleGrid::kParts * right + away,
                                 ModuleGrid::kParts * down + away);
    return rows_.AtPlace(place.x, place.y);
  }
  // These count modules; kUnknown if a module is not known.
  int64_t CountDark(const Box& box) const;
  int64_t CountVague(const Box& box) const;
  // How clear a module is at two places at this distance from its middle: 0 if
  // one of them is dark and the other light.
  int Clear(int64_t right, int64_t down, int64_t away) const;

  // Sets the levels from sums of the light of some modules. False if they
  // differ by less than 3/16 of the range.
  bool SetLevels(int64_t dark, int64_t dark_count, int64_t light,
                 int64_t light_count);

  // Finds the skew and the module size for which modules are clearest: by
  // trying many, up to 5 degrees and 8 percent; and, for a code this many
  // modules wide, by small steps as long as they help.
  void FitCoarsely(const ClearnessOf& clearness_of);
  void Fit(int64_t width, const ClearnessOf& clearness_of);

 protected:
  // Calls `add` with the light of each module; false if one is not known.
  template <typename AddLight>
  bool ForEach(const Box& box, const AddLight& add) const {
    for (int64_t down = box.top; down <= box.bottom; ++down) {
      for (int64_t right = box.left; right <= box.right; ++right) {
        const int light = Light(right, down);
        if (light < 0) return false;
        add(light);
      }
    }
    return true;
  }

  const LightRows& rows_;
  ModuleGrid grid_;
  int dark_ = 0, light_ = 0, light_from_ = 0;
};

}  // namespace halftoned
