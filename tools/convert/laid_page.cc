// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/laid_page.h"

#include <utility>

#include "print/image/orientation.h"
#include "print/image/scale/framed_page.h"
#include "print/image/scale/scaled_page.h"

namespace halftoned {

Result<std::unique_ptr<PageReader>> Turned(std::unique_ptr<PageReader> page,
                                           int degrees) {
  constexpr int kOrientations[] = {1, 6, 3, 8};  // by quarter turns
  HALFTONED_TRY_ASSIGN(const Orientation orientation,
                       OrientationOf(kOrientations[degrees / 90]));
  return Orient(std::move(page), orientation);
}

Result<LaidPage> LayPicture(std::unique_ptr<PageReader> page,
                            const std::optional<Resolution>& dpi,
                            const std::optional<SizeWish>& size,
                            Scaling scaling, Pool& pool) {
  HALFTONED_TRY_ASSIGN(const PictureSize made,
                       SizeOf(page->info(), dpi, size, scaling));
  auto scaled =
      Scale(std::move(page), made.picture.width, made.picture.rows, pool);
  if (!scaled.ok()) {
    return BadInput(scaled.error().message + "; check --size and --dpi");
  }
  HALFTONED_TRY_ASSIGN(
      page, Frame(std::move(*scaled), made.output.width, made.output.rows));
  return LaidPage{std::move(page), made.resolution};
}

}  // namespace halftoned
