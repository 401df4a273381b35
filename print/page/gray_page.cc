// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/page/gray_page.h"

#include <utility>

#include "halftone/look/edges/crisp_session.h"
#include "halftone/look/edges/edge_snapper.h"
#include "halftone/look/halftone_type.h"

namespace halftoned {

GrayPage::GrayPage(std::unique_ptr<Session> session, size_t width, Put put)
    : session_(std::move(session)),
      rows_(*session_, width),
      put_(std::move(put)),
      light_(width),
      ink_((width + 7) / 8) {}

Result<std::unique_ptr<GrayPage>> GrayPage::Open(JobEngines& engines,
                                                 const PrintLook& look,
                                                 int width,
                                                 const DotsPerInch& resolution,
                                                 bool is_black_solid, Put put) {
  const TextEdges edges = look.look.text_edges;
  HALFTONED_TRY_ASSIGN(
      const Recipe::Parts parts,
      PartsOf(look.look, 2, look.look.has_crisp_edges(), resolution));
  HALFTONED_TRY_ASSIGN(
      const Recipe recipe,
      RecipeOfPrint(look, parts, resolution.mean(), is_black_solid));
  HALFTONED_TRY_ASSIGN(const Page page, Page::Make(width, 8));
  HALFTONED_TRY_ASSIGN(const Engine* engine, engines.For(recipe));
  // The band has room for the rows that are lent, and for those held back.
  const int32_t held = edges == TextEdges::kOff ? 0 : MostUnfinished(edges);
  HALFTONED_TRY_ASSIGN(
      auto session,
      engine->Open({page, recipe, {}, SuitableRowsPerBand(page) + held}));
  if (edges != TextEdges::kOff) {
    session =
        std::make_unique<CrispSession>(std::move(session), page, recipe, edges);
  }
  return std::unique_ptr<GrayPage>(new GrayPage(
      std::move(session), static_cast<size_t>(width), std::move(put)));
}

Result<void> GrayPage::Write(const uint8_t* samples, bool are_ink) {
  if (are_ink) {
    for (size_t i = 0; i < light_.size(); ++i) {
      light_[i] = static_cast<uint8_t>(255 - samples[i]);
    }
    samples = light_.data();
  }
  HALFTONED_TRY(rows_.Put(samples));
  return PutFinished();
}

Result<void> GrayPage::Finish() {
  HALFTONED_TRY(rows_.End());
  return PutFinished();
}

Result<void> GrayPage::PutFinished() {
  while (true) {
    HALFTONED_TRY_ASSIGN(const std::byte* row, rows_.Get());
    if (!row) return {};
    for (size_t i = 0; i < ink_.size(); ++i) {
      ink_[i] = static_cast<uint8_t>(~std::to_integer<unsigned>(row[i]));
    }
    if (const size_t rest = light_.size() % 8) {
      ink_.back() &= static_cast<uint8_t>(0xff00 >> rest);
    }
    put_(ink_);
  }
}

}  // namespace halftoned
