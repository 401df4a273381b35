// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds bar codes by their structure, each as a whole, and makes them solid.
// Each kind has its own finder: linear_codes.h, ladder_codes.h, and in matrix/
// data_matrix_codes.h, square_codes.h and aztec_codes.h. It knows neither curve
// nor dots.
//
// Rows of cells of 8 × 8 pixels come in order. Each is searched immediately for
// linear codes with vertical bars. Once 2 rows of cells below it are known, two
// of its rows of pixels are searched for possible finders of QR and Aztec
// codes. QR codes are decided once 8 rows below are known, and Aztec codes as
// soon as enough rows are known. Horizontal bars are searched for several
// times, with 8 to 15 rows below, and DataMatrix codes with 13.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/cpu/simd/bits/edge_bits.h"
#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/kept_cells.h"
#include "halftone/look/codes/ladder_codes.h"
#include "halftone/look/codes/linear_codes.h"
#include "halftone/look/codes/matrix/aztec_codes.h"
#include "halftone/look/codes/matrix/data_matrix_codes.h"
#include "halftone/look/codes/matrix/ring_marks.h"
#include "halftone/look/codes/matrix/square_codes.h"
#include "halftone/page/page.h"

namespace halftoned {

class FoundCodes {
 public:
  // How many rows of cells below a row are known before it is decided.
  static constexpr int64_t kRowsAhead = 15;

  // rows: outlives this.
  FoundCodes(const Page& page, uint16_t flip, const simd::PureKernels& kernels,
             const KnownRows& rows);

  // Adds the next row of cells: the least and the most light of each cell;
  // empty spans if none of its pixels is gray.
  void Add(std::span<const uint16_t> least, std::span<const uint16_t> most);
  void AddEnd();

  // Makes the pixels of codes in a row black or white, unless they are pure.
  // Rows come in order.
  void Decide(int64_t row, const simd::PureRow& pure,
              const simd::EdgeKernels& kernels, std::byte* bytes);

 private:
  static constexpr int64_t kFindersBehind = 2, kQrBehind = 8;  // rows of cells

  void SearchLinear(int64_t at);
  void SearchFinders(int64_t at);

  const LightRows rows_;
  const size_t words_;
  KeptCells cells_;
  BarEdges edges_;
  RingMarks marks_;
  LinearCodes linear_;
  LadderCodes ladders_;
  DataMatrixCodes data_matrices_;
  SquareCodes squares_;
  AztecCodes aztecs_;
  std::vector<CodeStretch> found_;  // in the row being decided
  std::vector<uint64_t> mask_;
  std::vector<std::byte> light_from_;
};

}  // namespace halftoned
