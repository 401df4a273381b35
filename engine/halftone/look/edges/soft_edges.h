// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edges of text that are gray for several pixels, as in pictures of text that
// were enlarged, scanned or saved as JPEG: text-edges=soft and barcode. In
// addition to what crisp does (edge_snapper.h), with values after the tone
// curve:
//
// - The page is divided into cells of 8 × 8 pixels from its first row and
//   column on; those at its right and lower edge may be cut off. A cell is
//   paper if it is one of three cells in a row whose values are all at least
//   3840. A cell is dark if one of its values is at most 128. A cell is near
//   paper if there is paper among the cells that are at most 4 columns, 4 rows
//   above and 1 row below away from it, and near dark if there is a dark cell
//   at most 2 columns and 1 row away. Only pixels of cells near both change:
//   pictures, their highlights, hair, printed screens and gray lines have
//   hardly any such cells.
// - A pixel that is not pure, and has both a value up to 1000 and one of at
//   least 3600 at most 3 rows and 3 columns away, is an edge: it becomes white
//   if its value is above 2040, else black.
// - A pixel of a value of at least 3200 that is neither pure nor an edge
//   becomes white if there is a value of 4080 at most 2 rows and 2 columns away
//   from it, so that letters have no fringe of single dots.
//
// For lasers, thin strokes of gray text get a dark line (gray_strokes.h).
//
// In bar codes that are found by their structure (found_codes.h), pixels that
// are not pure become white if they are light, and otherwise black, regardless
// of the rules above. With barcode, this also applies to cells that belong to a
// code or to its quiet zone (code_cells.h).

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "halftone/cpu/simd/bits/edge_bits.h"
#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/look/codes/code_cells.h"
#include "halftone/look/codes/found_codes.h"
#include "halftone/look/edges/edge_snapper.h"
#include "halftone/look/edges/gray_strokes.h"
#include "halftone/look/edges/row_bits.h"
#include "halftone/page/page.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

class SoftEdges : public EdgeSnapper {
 public:
  // limits: of the curve. darkens_strokes: of gray text.
  SoftEdges(const Page& page, const ToneCurve& curve,
            const simd::PureLimits& limits, bool finds_codes,
            bool darkens_strokes, const simd::PureKernels& kernels);
  SoftEdges(const SoftEdges&) = delete;
  SoftEdges& operator=(const SoftEdges&) = delete;

  static constexpr int32_t MostUnfinished() {
    return simd::kCellSide * (kAhead + 1) - 1;
  }

  void Add(std::byte* row) override;
  void AddEnd() override;
  int32_t unfinished() const override {
    return static_cast<int32_t>(rows_added_ - rows_finished_);
  }
  void Move(int32_t nth, std::byte* row) override {
    RowAt(rows_finished_ + nth).bytes = row;
    known_rows_.Move(rows_finished_ + nth, row);
  }

 private:
  static constexpr int64_t kPaperAbove = 4;
  // How many rows of cells below a row determine it.
  static constexpr int64_t kAhead = FoundCodes::kRowsAhead;
  static_assert(kAhead == CodeCells::kRowsAhead);
  static_assert(simd::kCellSide * (kAhead + 2) <= KnownRows::kMost);

  struct Row {
    explicit Row(const Page& page) : pure(page), edge(page), light(page) {}
    std::byte* bytes = nullptr;
    RowBits pure;
    // The bits between which edges lie; the bits of `pure` if no pixel is gray.
    RowBits edge;
    RowBits light;  // the white pixels of gray_strokes.h
    bool has_gray = false, has_edge = false, has_light = false;

    simd::PureRow edge_row() { return has_edge ? edge.row() : pure.row(); }
    simd::PureRow light_row() { return has_light ? light.row() : pure.row(); }
  };
  // A row of cells: which are dark, and which have paper within reach in this
  // row of cells, as bytes of bits.
  struct Cells {
    std::vector<uint64_t> dark, paper;
    bool has_dark = false, has_paper = false, has_gray = false;
    bool is_measured = false;
  };

  Row& RowAt(int64_t row);  // an empty one beyond the page
  Cells& CellsAt(int64_t cells) {
    return cells_[static_cast<size_t>(cells) % cells_.size()];
  }
  // The rows of a row of cells.
  std::vector<const std::byte*> BytesOf(int64_t cells);

  void CompleteCells(int64_t at);
  bool HasGray(int64_t at);
  void MeasureCells(int64_t at);
  void FindInMeasured(Cells& cells);
  void FindInPure(Cells& cells, int64_t at);
  void KeepRunsOfPaper();
  void FindEdges(int64_t first, int64_t end);
  void FindLight(int64_t first, int64_t end);
  bool MayHaveZone(int64_t at);
  bool JoinCells(int64_t from, int64_t to, bool Cells::*has,
                 std::vector<uint64_t> Cells::*bits,
                 std::vector<uint64_t>& into);
  bool FindPaper(int64_t at);
  bool FindZone(int64_t at);
  void Snap(int64_t row);
  void Soften(int64_t row);
  void DarkenStrokes(int64_t row);
  void Decide(Row& row);
  void FinishCells(int64_t at);
  void ChangeCells(int64_t at, int64_t end);

  const size_t columns_;
  const size_t words_;
  const simd::PureKernels pure_kernels_;
  const simd::EdgeKernels kernels_;
  const simd::PureLimits pure_limits_;
  uint16_t dark_end_, paper_begin_;  // of turned samples
  simd::PureLimits edge_limits_, light_limits_;
  simd::SoftLevels levels_;
  KnownRows known_rows_;
  FoundCodes found_codes_;
  std::optional<CodeCells> codes_;
  std::optional<GrayStrokes> strokes_;

  int64_t rows_added_ = 0;
  int64_t rows_finished_ = 0;
  std::vector<Row> rows_;  // the last rows, and an empty one
  std::vector<Cells> cells_;
  std::vector<uint64_t> paper_, zone_, union_;  // as rows of bits
  std::vector<uint16_t> least_, most_;          // of cells
  std::vector<std::byte> room_;
};

}  // namespace halftoned
