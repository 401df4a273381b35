// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/edges/soft_edges.h"

#include <algorithm>

namespace halftoned {
namespace {

constexpr int64_t kSide = simd::kCellSide;
constexpr int kNearBlack = 128;
constexpr int kNearWhite = 3840;
constexpr int kEdgeBlack = 1000;
constexpr int kEdgeWhite = 3600;
constexpr int kClean = 3200;
constexpr size_t kDarkColumns = 16;
constexpr size_t kPaperColumns = 32;

// The bytes of a word that are not zero, as all ones.
uint64_t AnyBytes(uint64_t word) {
  word |= word >> 1;
  word |= word >> 2;
  word |= word >> 4;
  return (word & 0x0101010101010101) * 0xff;
}

}  // namespace

SoftEdges::SoftEdges(const Page& page, const ToneCurve& curve,
                     const simd::PureLimits& limits, bool finds_codes,
                     bool darkens_strokes, const simd::PureKernels& kernels)
    : columns_(static_cast<size_t>(page.width())),
      words_((columns_ + 63) / 64),
      pure_kernels_(kernels),
      kernels_(simd::EdgeKernelsOf(kernels.target, page.depth())),
      pure_limits_(limits),
      found_codes_(page, limits.flip, kernels, known_rows_) {
  const auto first = [&](int value) {
    return static_cast<uint16_t>(
        simd::FirstSampleOf(value, page.depth(), curve, limits.flip));
  };
  dark_end_ = first(kNearBlack + 1);
  paper_begin_ = first(kNearWhite);
  edge_limits_ = {.flip = limits.flip,
                  .black_end = first(kEdgeBlack + 1),
                  .white_begin = first(kEdgeWhite)};
  light_limits_ = limits;
  light_limits_.white_begin = first(GrayStrokes::kLightValue);
  levels_ = {.flip = limits.flip,
             .white_from = first(kWhite / 2 + 1),
             .clean_from = first(kClean)};
  if (finds_codes) codes_.emplace(page, limits.flip, kernels_);
  if (darkens_strokes) strokes_.emplace(page, curve, limits);
  rows_.assign(static_cast<size_t>(kSide * (kAhead + 2) + 1), Row(page));
  cells_.resize(static_cast<size_t>(kAhead + kPaperAbove + 1));
  for (Cells& cells : cells_) {
    cells.dark.resize(words_ + 2);
    cells.paper.resize(words_ + 2);
  }
  const size_t cells = (columns_ + kSide - 1) / kSide;
  least_.resize(cells);
  most_.resize(cells);
  room_.resize(2 * page.gray_bytes_per_row());
  for (auto* each : {&paper_, &zone_, &union_}) each->resize(words_ + 2);
}

SoftEdges::Row& SoftEdges::RowAt(int64_t row) {
  if (row < 0 || row >= rows_added_) return rows_.back();
  return rows_[static_cast<size_t>(row) % (rows_.size() - 1)];
}

std::vector<const std::byte*> SoftEdges::BytesOf(int64_t cells) {
  std::vector<const std::byte*> bytes;
  const int64_t end = std::min(kSide * (cells + 1), rows_added_);
  for (int64_t row = kSide * cells; row < end; ++row) {
    bytes.push_back(RowAt(row).bytes);
  }
  return bytes;
}

void SoftEdges::Add(std::byte* bytes) {
  ++rows_added_;
  Row& row = RowAt(rows_added_ - 1);
  row.bytes = bytes;
  known_rows_.Add(bytes);
  row.pure.kinds =
      pure_kernels_.find(bytes, columns_, pure_limits_, row.pure.row());
  row.has_gray = row.pure.kinds.gray;
  row.has_edge = row.has_light = false;
  if (rows_added_ % kSide == 0) CompleteCells(rows_added_ / kSide - 1);
}

void SoftEdges::AddEnd() {
  const int64_t count = (rows_added_ + kSide - 1) / kSide;
  if (rows_added_ % kSide != 0) CompleteCells(count - 1);
  found_codes_.AddEnd();
  if (codes_) {
    for (int64_t at = std::max<int64_t>(count - 2, 0); at < count; ++at) {
      codes_->Count(BytesOf(at));
    }
  }
  // Nothing is left of the rows of cells below the page.
  for (int64_t at = rows_finished_ / kSide; at < count; ++at) FinishCells(at);
}

void SoftEdges::CompleteCells(int64_t at) {
  Cells& cells = CellsAt(at);
  cells.has_gray = HasGray(at);
  cells.is_measured = false;
  if (cells.has_gray || codes_) MeasureCells(at);
  if (cells.has_gray) {
    found_codes_.Add(least_, most_);
  } else {
    found_codes_.Add({}, {});
  }
  if (codes_) {
    codes_->Measure(least_, most_);
    if (at >= 2) codes_->Count(BytesOf(at - 2));
  }
  if (at >= kAhead) FinishCells(at - kAhead);
}

bool SoftEdges::HasGray(int64_t at) {
  const int64_t end = std::min(kSide * (at + 1), rows_added_);
  for (int64_t i = kSide * at; i < end; ++i) {
    if (RowAt(i).has_gray) return true;
  }
  return false;
}

// Finds which cells are dark and which are paper; without gray, from the bits
// of pure pixels.
void SoftEdges::MeasureCells(int64_t at) {
  Cells& cells = CellsAt(at);
  if (cells.is_measured) return;
  cells.is_measured = true;
  std::ranges::fill(cells.dark, 0);
  std::ranges::fill(union_, 0);
  if (cells.has_gray || codes_) {
    const std::vector<const std::byte*> rows = BytesOf(at);
    kernels_.extremes(rows.data(), rows.size(), columns_, pure_limits_.flip,
                      room_.data(), least_.data(), most_.data());
    FindInMeasured(cells);
  } else {
    FindInPure(cells, at);
  }
  KeepRunsOfPaper();
  const auto has = [](uint64_t word) { return word != 0; };
  cells.has_dark = std::ranges::any_of(cells.dark, has);
  cells.has_paper = std::ranges::any_of(union_, has);
  for (size_t word = 1; word <= words_ && cells.has_paper; ++word) {
    cells.paper[word] = Widened(&union_[word], kPaperColumns, 8);
  }
}

// Paper is in union_ then.
void SoftEdges::FindInMeasured(Cells& cells) {
  auto* const dark = reinterpret_cast<uint8_t*>(&cells.dark[1]);
  auto* const paper = reinterpret_cast<uint8_t*>(&union_[1]);
  // Bytes alias members, which would be read again for each cell.
  const uint16_t* const least = least_.data();
  const size_t count = least_.size();
  const uint16_t dark_end = dark_end_, paper_begin = paper_begin_;
  for (size_t cell = 0; cell < count; ++cell) {
    dark[cell] = least[cell] < dark_end ? 0xff : 0;
  }
  for (size_t cell = 0; cell < count; ++cell) {
    paper[cell] = least[cell] >= paper_begin ? 0xff : 0;
  }
}

void SoftEdges::FindInPure(Cells& cells, int64_t at) {
  const int64_t end = std::min(kSide * (at + 1), rows_added_);
  for (int64_t i = kSide * at; i < end; ++i) {
    const simd::PureRow pure = RowAt(i).pure.row();
    for (size_t word = 0; word < words_; ++word) {
      cells.dark[1 + word] |= pure.black[word];
    }
  }
  for (size_t word = 1; word <= words_; ++word) {
    cells.dark[word] = AnyBytes(cells.dark[word]);
    union_[word] = ~cells.dark[word];
  }
  if (const size_t cut = least_.size() % 8; cut != 0) {
    union_[words_] &= (uint64_t{1} << 8 * cut) - 1;
  }
}

// Keeps the cells of union_ that are in a row of three.
void SoftEdges::KeepRunsOfPaper() {
  constexpr int kCell = 8, kTwo = 16;  // bits
  uint64_t before = 0;
  for (size_t word = 1; word <= words_; ++word) {
    const uint64_t here = union_[word];
    // Each is the last of three.
    zone_[word] = here & (here << kCell | before >> (64 - kCell)) &
                  (here << kTwo | before >> (64 - kTwo));
    before = here;
  }
  zone_[words_ + 1] = 0;
  for (size_t word = 1; word <= words_; ++word) {
    const uint64_t here = zone_[word], next = zone_[word + 1];
    union_[word] = here | here >> kCell | next << (64 - kCell) | here >> kTwo |
                   next << (64 - kTwo);
  }
}

// As far as is known: rows of cells below it might not be complete.
bool SoftEdges::MayHaveZone(int64_t at) {
  if (at + 1 >= rows_added_ / kSide) return true;
  bool has_dark = false, has_paper = false;
  for (int64_t i = std::max<int64_t>(at - kPaperAbove, 0); i <= at + 1; ++i) {
    has_dark |= i >= at - 1 && CellsAt(i).has_dark;
    has_paper |= CellsAt(i).has_paper;
  }
  return has_dark && has_paper;
}

// Joins some bits of some rows of cells on the page. False if there are none.
bool SoftEdges::JoinCells(int64_t from, int64_t to, bool Cells::*has,
                          std::vector<uint64_t> Cells::*bits,
                          std::vector<uint64_t>& into) {
  const int64_t count = (rows_added_ + kSide - 1) / kSide;
  bool is_any = false;
  std::ranges::fill(into, 0);
  for (int64_t i = std::max<int64_t>(from, 0); i <= std::min(to, count - 1);
       ++i) {
    const Cells& cells = CellsAt(i);
    if (!(cells.*has)) continue;
    is_any = true;
    for (size_t word = 1; word <= words_; ++word) {
      into[word] |= (cells.*bits)[word];
    }
  }
  return is_any;
}

// Where pixels of a row of cells are near paper.
bool SoftEdges::FindPaper(int64_t at) {
  if (!JoinCells(at - kPaperAbove, at + 1, &Cells::has_paper, &Cells::paper,
                 paper_)) {
    return false;
  }
  if (columns_ % 64 != 0) {
    paper_[words_] &= (uint64_t{1} << columns_ % 64) - 1;
  }
  return true;
}

// Where these pixels are also near dark cells.
bool SoftEdges::FindZone(int64_t at) {
  if (!JoinCells(at - 1, at + 1, &Cells::has_dark, &Cells::dark, union_)) {
    return false;
  }
  uint64_t any = 0;
  for (size_t word = 1; word <= words_; ++word) {
    zone_[word] = paper_[word] & Widened(&union_[word], kDarkColumns, 8);
    any |= zone_[word];
  }
  return any != 0;
}

void SoftEdges::Snap(int64_t row) {
  Row& above = RowAt(row - 1);
  Row& here = RowAt(row);
  Row& below = RowAt(row + 1);
  if (!MaySnap(above.pure.kinds, here.pure.kinds, below.pure.kinds)) return;
  pure_kernels_.snap(above.pure.row(), here.pure.row(), below.pure.row(),
                     pure_limits_, levels_.white_from, here.bytes, columns_);
}

void SoftEdges::Soften(int64_t row) {
  simd::SoftRows rows{};
  for (size_t i = 0; i < std::size(rows.pure); ++i) {
    Row& near = RowAt(row + static_cast<int64_t>(i) -
                      static_cast<int64_t>(simd::kSoftReach));
    rows.pure[i] = near.pure.row();
    rows.near[i] = near.edge_row();
  }
  rows.zone = zone_.data() + 1;
  kernels_.soften(rows, levels_, RowAt(row).bytes, columns_);
}

void SoftEdges::DarkenStrokes(int64_t row) {
  GrayStrokes::Rows rows;
  for (size_t i = 0; i < rows.pure.size(); ++i) {
    const int64_t at = row + static_cast<int64_t>(i) - GrayStrokes::kReach;
    rows.pure[i] = RowAt(at).pure.row();
  }
  for (size_t i = 0; i < rows.light.size(); ++i) {
    rows.light[i] = RowAt(row + static_cast<int64_t>(i) - 1).light_row().white;
  }
  strokes_->Darken(rows, paper_.data() + 1, RowAt(row).bytes);
}

// Before anything around these rows is changed.
void SoftEdges::FindEdges(int64_t first, int64_t end) {
  for (int64_t i = first; i < end; ++i) {
    Row& row = RowAt(i);
    if (!row.has_gray || row.has_edge) continue;
    row.edge.kinds =
        pure_kernels_.find(row.bytes, columns_, edge_limits_, row.edge.row());
    row.has_edge = true;
  }
}

// The same.
void SoftEdges::FindLight(int64_t first, int64_t end) {
  for (int64_t i = first; i < end; ++i) {
    Row& row = RowAt(i);
    if (!row.has_gray || row.has_light) continue;
    row.light.kinds =
        pure_kernels_.find(row.bytes, columns_, light_limits_, row.light.row());
    row.has_light = true;
  }
}

void SoftEdges::Decide(Row& row) {
  const simd::PureRow pure = row.pure.row();
  for (size_t word = 0; word < words_; ++word) {
    union_[word] =
        codes_->mask()[word] & ~(pure.black[word] | pure.white[word]);
  }
  kernels_.decide(codes_->levels(), union_.data(), columns_, pure_limits_.flip,
                  row.bytes);
}

void SoftEdges::FinishCells(int64_t at) {
  const int64_t end = std::min(kSide * (at + 1), rows_added_);
  const int64_t count = (rows_added_ + kSide - 1) / kSide;
  // Rows of cells without gray are measured only near gray, as long as their
  // pixels are known: for gray below, whose cells look for paper, and for gray
  // above.
  for (int64_t i = at + 1; i < std::min(at + kPaperAbove + 1, count); ++i) {
    if (CellsAt(i).has_gray) MeasureCells(at);
  }
  if (CellsAt(at).has_gray) {
    for (int64_t i = at + 1; i < std::min(at + 3, count); ++i) MeasureCells(i);
    ChangeCells(at, end);
  }
  rows_finished_ = end;
  known_rows_.Finish(end);
}

void SoftEdges::ChangeCells(int64_t at, int64_t end) {
  const bool has_paper = FindPaper(at);
  const bool has_zone = has_paper && FindZone(at);
  const bool has_code = codes_ && codes_->Decide(at);
  constexpr auto kReach = static_cast<int64_t>(simd::kSoftReach);
  // The row of cells below may need the last rows.
  if (has_zone) {
    FindEdges(kSide * at, end);
  } else if (MayHaveZone(at + 1)) {
    FindEdges(end - kReach, end);
  }
  if (has_zone) FindEdges(end, std::min(end + kReach, rows_added_));
  if (strokes_) {
    // So may the row below.
    FindLight(has_paper ? kSide * at : end - 1, end);
    if (has_paper) FindLight(end, std::min(end + 1, rows_added_));
  }
  for (int64_t i = kSide * at; i < end; ++i) {
    Row& row = RowAt(i);
    if (!row.has_gray) continue;
    // Pixels that have been made black or white stay so.
    found_codes_.Decide(i, row.pure.row(), kernels_, row.bytes);
    if (has_code) Decide(row);
    Snap(i);
    if (has_zone) Soften(i);
    if (has_paper && strokes_) DarkenStrokes(i);
  }
}

}  // namespace halftoned
