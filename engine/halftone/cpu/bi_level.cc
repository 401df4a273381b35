// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `bi-level` for every engine except the definition. If the curve stays white
// above its first white, a pixel is one comparison, which compilers vectorise.
// A multiplication packs eight decisions, in the top bits of eight bytes, into
// one.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "halftone/cpu/scalar.h"

namespace halftoned {
namespace {

constexpr int32_t kRun = 512;  // columns
constexpr uint8_t kTop = 0x80;

bool IsWhite(int value) { return value > kWhite / 2; }

template <typename Sample>
int ValueOf(const ToneCurve& curve, Sample a) {
  if constexpr (sizeof(Sample) == 1) {
    return curve.At8(a);
  } else {
    return curve.At16(a);
  }
}

// The lightest black sample, if all darker ones are black too; none if no
// sample is black.
template <typename Sample>
std::optional<Sample> LastBlack(const ToneCurve& curve) {
  const auto first = std::ranges::find_if(curve.table(), IsWhite);
  if (!std::all_of(first, curve.table().end(), IsWhite)) return std::nullopt;
  // The number of black samples, by bisection.
  unsigned blacks = 0;
  for (unsigned end = 1u << 8 * sizeof(Sample); blacks < end;) {
    const unsigned middle = blacks + (end - blacks) / 2;
    if (IsWhite(ValueOf(curve, static_cast<Sample>(middle)))) {
      end = middle;
    } else {
      blacks = middle + 1;
    }
  }
  if (blacks == 0) return std::nullopt;
  return static_cast<Sample>(blacks - 1);
}

// The top bits of `tops`, in order.
uint8_t Pack(const uint8_t* tops) {
  uint64_t eight;
  std::memcpy(&eight, tops, sizeof(eight));
  if constexpr (std::endian::native == std::endian::big) {
    return static_cast<uint8_t>((eight >> 7) * 0x0102040810204080u >> 56);
  }
  return static_cast<uint8_t>((eight >> 7) * 0x8040201008040201u >> 56);
}

template <typename Sample>
class Row {
 public:
  explicit Row(const ToneCurve& curve)
      : curve_(curve), last_black_(LastBlack<Sample>(curve)) {}

  void Halftone(const std::byte* gray, std::byte* bits, int32_t width) const {
    const auto* samples = reinterpret_cast<const Sample*>(gray);
    uint8_t tops[kRun];
    for (int32_t first = 0; first < width; first += kRun) {
      const int32_t columns = std::min(kRun, width - first);
      Decide(samples + first, columns, tops);
      std::fill_n(tops + columns, -columns & 7, uint8_t{0});
      for (int32_t j = 0; j < columns; j += 8) {
        bits[(first + j) / 8] = static_cast<std::byte>(Pack(tops + j));
      }
    }
  }

 private:
  void Decide(const Sample* samples, int32_t columns, uint8_t* tops) const {
    if (last_black_) {
      // The samples' own type, so that vectors need no wider lanes.
      const Sample last_black = *last_black_;
      for (int32_t j = 0; j < columns; ++j) {
        tops[j] = samples[j] > last_black ? kTop : 0;
      }
    } else {
      for (int32_t j = 0; j < columns; ++j) {
        tops[j] = IsWhite(ValueOf(curve_, samples[j])) ? kTop : 0;
      }
    }
  }

  const ToneCurve& curve_;
  const std::optional<Sample> last_black_;
};

template <typename Sample>
void HalftoneRows(const KernelJob& job) {
  const Row<Sample> row(job.recipe.curve());
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    row.Halftone(job.gray.row(i), job.bits.row(i), job.page.width());
  }
}

}  // namespace

void HalftoneBiLevel(const KernelJob& job) {
  if (job.page.depth() == Depth::k8) {
    HalftoneRows<uint8_t>(job);
  } else {
    HalftoneRows<uint16_t>(job);
  }
}

}  // namespace halftoned
