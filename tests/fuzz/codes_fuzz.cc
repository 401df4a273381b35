// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text edges on pages of bars and squares that the fuzzer draws: in one band
// and in narrow ones they are the same. The first bytes choose, the rest are
// rows: how often each is repeated, and the widths of its elements.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "halftone/look/edges/crisp_edges.h"

namespace halftoned {
namespace {

constexpr size_t kChoices = 7;
constexpr uint8_t kEnd = 0xff;
constexpr size_t kElements = 64;  // bytes of a row

struct Gray {
  Page page;
  int32_t rows;
  std::vector<std::byte> samples;
};

// Elements are widths of up to nine modules, from dark to light and back, until
// one ends them.
std::vector<std::byte> RowOf(const Page& page, std::span<const uint8_t> choice,
                             std::span<const uint8_t> elements) {
  const auto width = static_cast<size_t>(page.width());
  std::vector<std::byte> row(width, std::byte{choice[1]});
  const size_t module = 1 + choice[3] % 8;
  size_t at = choice[4];
  for (size_t i = 0; i < elements.size() && elements[i] != kEnd; ++i) {
    const size_t end = at + module * (1 + elements[i] % 9);
    for (; at < std::min(end, width); ++at) {
      if (i % 2 == 0) row[at] = std::byte{choice[2]};
    }
    at = end;
  }
  // A pixel between two is between them in light.
  for (size_t i = 1; choice[5] % 2 != 0 && i < width; ++i) {
    const int sum =
        std::to_integer<int>(row[i - 1]) + std::to_integer<int>(row[i]);
    row[i - 1] = static_cast<std::byte>(sum / 2);
  }
  return row;
}

Gray GrayOf(std::span<const uint8_t> choice, std::span<const uint8_t> bytes) {
  Gray gray{*Page::Make(1 + 4 * choice[0], 8), 0, {}};
  while (!bytes.empty() && gray.rows < 600) {
    const size_t count = std::min(bytes.size() - 1, kElements);
    const auto row = RowOf(gray.page, choice, bytes.subspan(1, count));
    for (int i = 0; i <= bytes[0] % 64; ++i, ++gray.rows) {
      gray.samples.insert(gray.samples.end(), row.begin(), row.end());
    }
    bytes = bytes.subspan(1 + count);
  }
  return gray;
}

// Swaps rows and columns, so that bars are horizontal.
Gray Turned(const Gray& gray) {
  const auto width = static_cast<size_t>(gray.page.width());
  Gray turned{*Page::Make(gray.rows, 8), gray.page.width(), {}};
  for (size_t i = 0; i < width; ++i) {
    for (size_t j = 0; j < static_cast<size_t>(gray.rows); ++j) {
      turned.samples.push_back(gray.samples[j * width + i]);
    }
  }
  return turned;
}

class Rows : public Source {
 public:
  explicit Rows(const Gray& gray) : gray_(gray) {}
  Result<Filled> Read(GrayRoom room) override {
    const int32_t rows = std::min(room.rows, gray_.rows - row_);
    const size_t bytes = gray_.page.gray_bytes_per_row();
    for (int32_t i = 0; i < rows; ++i, ++row_) {
      std::memcpy(room.row(i),
                  gray_.samples.data() + bytes * static_cast<size_t>(row_),
                  bytes);
    }
    return Filled{rows, row_ == gray_.rows};
  }

 private:
  const Gray& gray_;
  int32_t row_ = 0;
};

std::vector<std::byte> Through(const Gray& gray, TextEdges edges,
                               int32_t band) {
  Rows source(gray);
  CrispEdges crisp(source, gray.page, Recipe::Fine(), edges);
  const size_t bytes = gray.page.gray_bytes_per_row();
  std::vector<std::byte> out, room(bytes * static_cast<size_t>(band));
  for (bool last = false; !last;) {
    const Filled filled = *crisp.Read({room.data(), bytes, band});
    last = filled.last;
    const size_t count = bytes * static_cast<size_t>(filled.rows);
    out.insert(out.end(), room.data(), room.data() + count);
  }
  return out;
}

void Check(std::span<const uint8_t> choice, std::span<const uint8_t> bytes) {
  Gray gray = GrayOf(choice, bytes);
  if (gray.rows == 0) return;
  if (choice[5] & 4) gray = Turned(gray);
  const TextEdges edges =
      choice[5] & 2 ? TextEdges::kBarcode : TextEdges::kSoft;
  const int32_t band = 1 + choice[6] % 70;
  if (Through(gray, edges, gray.rows) == Through(gray, edges, band)) return;
  std::fprintf(stderr, "bands of %d rows differ\n", band);
  std::abort();
}

}  // namespace
}  // namespace halftoned

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> bytes(data, size);
  if (size < halftoned::kChoices) return 0;
  halftoned::Check(bytes.first(halftoned::kChoices),
                   bytes.subspan(halftoned::kChoices));
  return 0;
}
