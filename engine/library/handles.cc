// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "library/handles.h"

#include <utility>

#include "halftone/look/edges/crisp_session.h"

namespace halftoned {

Result<Page> PageOf(const ht_layout* layout) {
  if (!layout) return Bug("the layout is a null pointer");
  if (layout->reserved != 0) {
    return BadInput("a reserved member of the layout is not 0");
  }
  return Page::Make(layout->width,
                    layout->bits_per_sample ? layout->bits_per_sample : 8,
                    layout->first_row);
}

Result<OpenPage> Open(const ht_engine* engine, const PageRecipe& recipe,
                      PageOrder order) {
  OpenPage open;
  open.engines = engine ? engine->shared : std::make_shared<SharedEngines>(1);
  HALFTONED_TRY_ASSIGN(
      open.engine, ChooseEngine(open.engines->engines,
                                engine ? engine->name : "auto", order.recipe));
  if (!recipe.has_crisp_edges()) {
    HALFTONED_TRY_ASSIGN(open.session, open.engine->Open(order));
    return open;
  }
  // The band has room for the rows that are lent, and for those held back.
  if (order.rows_per_band == 0) {
    order.rows_per_band = SuitableRowsPerBand(order.page);
  }
  HALFTONED_TRY(CheckRowsPerBand(order.page, order.rows_per_band));
  order.rows_per_band += MostUnfinished(recipe.text_edges);
  HALFTONED_TRY_ASSIGN(auto session, open.engine->Open(order));
  open.session = std::make_unique<CrispSession>(
      std::move(session), order.page, order.recipe, recipe.text_edges);
  return open;
}

}  // namespace halftoned
