// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rendering of a job, resolved from the settings of each source.

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "print/settings/rendering.h"

namespace halftoned {

using Values = Queue::Values;
using Texts = std::vector<std::string>;

inline constexpr char kCurveText[] = "0 0\n128 64\n255 255\n";

struct Resolved {
  Result<Rendering> rendering;
  Texts warnings;
  Texts problems;
  Texts notes = {};

  bool ok() const { return rendering.ok(); }
  const Rendering* operator->() const { return &*rendering; }
  Recipe At(double dots_per_inch, bool is_black_solid = false) const {
    return *rendering->RecipeAt({dots_per_inch, dots_per_inch}, is_black_solid);
  }
  std::string error() const {
    return rendering.ok() ? "" : rendering.error().message;
  }
};

inline Resolved Resolve(Values ppd, Values job = {}, const Config& config = {},
                        bool is_pwg = false) {
  const Queue queue =
      Queue::FromValues(std::move(ppd), std::move(job), "q.ppd");
  SettingSources sources(queue, "q", config);
  const ReadText read_text =
      [](const std::string& path) -> Result<std::string> {
    if (path == "/the/curve") return std::string(kCurveText);
    if (path == "/dim") return std::string("0 0\n255 250\n");
    return BadInput(path + ": no such file");
  };
  auto rendering = ResolveRendering(sources, is_pwg, read_text);
  return {std::move(rendering), sources.warnings(), sources.problems(),
          sources.notes()};
}

// Sets an option as halftoned.conf does.
inline void Say(LookConfig& config, std::string_view name,
                std::string_view value, std::string where = "h.conf, line 9") {
  ASSERT_TRUE(config.Set(*FindSetting(name), value, std::move(where))) << name;
}

inline const Values kSilent = {{"halftonedOutput", "cups-raster last"}};

inline Values Ppd(const char* keyword, const char* value) {
  Values ppd = kSilent;
  ppd[keyword] = value;
  return ppd;
}

}  // namespace halftoned
