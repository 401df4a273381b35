// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page printed with a recipe, as it looks at reading distance.

#pragma once

#include "base/result.h"
#include "calibrate/sheet/gray_picture.h"
#include "halftone/look/settings.h"
#include "halftone/page/recipe.h"
#include "halftone/run/flow.h"
#include "halftone/run/pool.h"
#include "preview/preview_page.h"

namespace halftoned {

struct PrintGeometry {
  double dots_per_inch_across;
  double dots_per_inch_down;
};

// Passes the bits of the page to `sink`.
Result<void> HalftonePreview(const PreviewPage& page, const Recipe& recipe,
                             TextEdges edges, Pool& pool, Sink& sink);

// tones: the printer's (shown_types.h).
Result<GrayPicture> ViewOf(const PreviewPage& page, const Recipe& recipe,
                           TextEdges edges, const PrintGeometry& geometry,
                           const ToneCurve& tones, Pool& pool);

}  // namespace halftoned
