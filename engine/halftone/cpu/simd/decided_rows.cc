// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the curve begins with black and never falls, a pixel takes one comparison
// per level, of its sample with a limit that repeats with the screen. With two
// levels, each target has code for that; the rest is left to compilers. With
// any other curve, a pixel takes a table lookup and a division.

#include "halftone/cpu/simd/decided_rows.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "halftone/cpu/simd/bits/decided_bits.h"
#include "halftone/page/screen.h"

namespace halftoned::simd {
namespace {

constexpr int32_t kRun = 512;  // columns

// The first sample whose value is at least v, for each v; the number of samples
// if there is none. The curve never falls.
template <typename Sample>
std::vector<uint32_t> FirstSamples(const ToneCurve& curve) {
  std::vector<uint32_t> firsts;
  for (uint32_t a = 0; a < 1u << 8 * sizeof(Sample); ++a) {
    const int value = sizeof(Sample) == 1
                          ? curve.At8(static_cast<uint8_t>(a))
                          : curve.At16(static_cast<uint16_t>(a));
    const auto reached = static_cast<size_t>(value) + 1;
    if (firsts.size() < reached) firsts.resize(reached, a);
  }
  firsts.resize(kWhite + 1, 1u << 8 * sizeof(Sample));
  return firsts;
}

// Numbers for each row of a screen, repeated so that a run may begin at any
// column; `planes` of them.
template <typename Number>
class RepeatedRows {
 public:
  template <typename Entry>
  RepeatedRows(const Screen& screen, int planes, const Entry& entry)
      : planes_(static_cast<size_t>(planes)),
        pitch_(static_cast<size_t>(screen.columns() + kRun)) {
    numbers_.reserve(static_cast<size_t>(screen.rows()) * planes_ * pitch_);
    for (int32_t i = 0; i < screen.rows(); ++i) {
      const auto offsets = screen.row(i);
      for (int k = 0; k < planes; ++k) {
        const size_t first = numbers_.size();
        for (const int offset : offsets) numbers_.push_back(entry(k, offset));
        for (size_t j = 0; j < kRun; ++j) {
          numbers_.push_back(numbers_[first + j]);
        }
      }
    }
  }

  const Number* At(int32_t row, size_t plane, int32_t column) const {
    return numbers_.data() +
           (static_cast<size_t>(row) * planes_ + plane) * pitch_ +
           static_cast<size_t>(column);
  }

 private:
  size_t planes_;
  size_t pitch_;
  std::vector<Number> numbers_;
};

// From samples to packed samples by comparisons.
template <typename Sample>
class Comparisons {
 public:
  static bool Suits(const ToneCurve& curve) {
    return curve.table().front() == 0 && std::ranges::is_sorted(curve.table());
  }

  Comparisons(const Recipe& recipe, const Target& target)
      : levels_(recipe.levels()),
        limits_(LimitsOf(recipe)),
        decide_bits_(DecideBitsOf<Sample>(target)) {}

  // Decides and packs as many of the columns as is fastest, a multiple of 8;
  // returns how many.
  int32_t DecideAndPack(const Sample* samples, int32_t columns,
                        Screen::Place place, std::byte* bits) const {
    if (levels_.count > 2) return 0;
    return static_cast<int32_t>(
        decide_bits_({samples, static_cast<size_t>(columns)},
                     limits_.At(place.row, 0, place.column), bits));
  }

  void Decide(const Sample* samples, int32_t columns, Screen::Place place,
              uint8_t* decided) const {
    const Sample* limits = limits_.At(place.row, 0, place.column);
    const uint8_t first = levels_.sample[1];
    for (int32_t j = 0; j < columns; ++j) {
      decided[j] = samples[j] > limits[j] ? first : uint8_t{0};
    }
    for (size_t k = 1; k + 1 < static_cast<size_t>(levels_.count); ++k) {
      limits = limits_.At(place.row, k, place.column);
      const auto step =
          static_cast<uint8_t>(levels_.sample[k + 1] - levels_.sample[k]);
      for (int32_t j = 0; j < columns; ++j) {
        decided[j] += samples[j] > limits[j] ? step : uint8_t{0};
      }
    }
  }

 private:
  // The last sample that does not reach level k + 1.
  static RepeatedRows<Sample> LimitsOf(const Recipe& recipe) {
    const std::vector<uint32_t> firsts = FirstSamples<Sample>(recipe.curve());
    const int steps = recipe.levels().count - 1;
    return {
        recipe.screen(), steps, [&](int k, int offset) {
          const int least = ((k + 1) * kWhite - offset + steps - 1) / steps;
          return static_cast<Sample>(firsts[static_cast<size_t>(least)] - 1);
        }};
  }

  const Levels levels_;
  const RepeatedRows<Sample> limits_;
  const DecideBits<Sample> decide_bits_;
};

// The same for any curve.
template <typename Sample>
class Divisions {
 public:
  Divisions(const Recipe& recipe, const Target&)
      : levels_(recipe.levels()),
        offsets_(recipe.screen(), 1,
                 [](int, int offset) { return static_cast<uint16_t>(offset); }),
        scaled_(size_t{1} << 8 * sizeof(Sample)) {
    for (size_t a = 0; a < scaled_.size(); ++a) {
      const int value = sizeof(Sample) == 1
                            ? recipe.curve().At8(static_cast<uint8_t>(a))
                            : recipe.curve().At16(static_cast<uint16_t>(a));
      scaled_[a] = static_cast<uint16_t>((levels_.count - 1) * value);
    }
  }

  int32_t DecideAndPack(const Sample*, int32_t, Screen::Place,
                        std::byte*) const {
    return 0;
  }

  void Decide(const Sample* samples, int32_t columns, Screen::Place place,
              uint8_t* decided) const {
    const uint16_t* offsets = offsets_.At(place.row, 0, place.column);
    uint16_t sums[kRun];
    for (int32_t j = 0; j < columns; ++j) sums[j] = scaled_[samples[j]];
    for (int32_t j = 0; j < columns; ++j) {
      sums[j] = static_cast<uint16_t>(
          static_cast<uint16_t>(sums[j] + offsets[j]) / uint16_t{kWhite});
    }
    for (int32_t j = 0; j < columns; ++j) {
      decided[j] = levels_.sample[sums[j]];
    }
  }

 private:
  const Levels levels_;
  const RepeatedRows<uint16_t> offsets_;
  std::vector<uint16_t> scaled_;
};

// The lowest bits of eight bytes, in order.
std::byte PackBits(const uint8_t* decided) {
  uint64_t eight;
  std::memcpy(&eight, decided, sizeof(eight));
  constexpr uint64_t kGather = std::endian::native == std::endian::big
                                   ? 0x0102040810204080u
                                   : 0x8040201008040201u;
  return static_cast<std::byte>(eight * kGather >> 56);
}

// Packs `columns` samples of `bits` bits each; there is room for seven more.
void Pack(uint8_t* decided, int32_t columns, int bits, std::byte* out) {
  std::fill_n(decided + columns, -columns & 7, uint8_t{0});
  if (bits == 1) {
    for (int32_t j = 0; j < columns; j += 8) *out++ = PackBits(decided + j);
  } else if (bits == 2) {
    for (int32_t j = 0; j < columns; j += 4) {
      *out++ = static_cast<std::byte>(decided[j] << 6 | decided[j + 1] << 4 |
                                      decided[j + 2] << 2 | decided[j + 3]);
    }
  } else {
    for (int32_t j = 0; j < columns; j += 2) {
      *out++ = static_cast<std::byte>(decided[j] << 4 | decided[j + 1]);
    }
  }
}

template <typename Sample, typename Decisions>
class DecidedStrips : public Strips {
 public:
  DecidedStrips(const Page& page, const Recipe& recipe, const Target& target)
      : width_(page.width()),
        recipe_(recipe),
        decisions_(recipe, target),
        next_row_(page.first_row()) {}

  int32_t rows_per_strip() const override { return 1; }
  bool can_overlap() const override { return false; }

  void Restart(const Carry& carry) override { next_row_ = carry.next_row(); }

  void Run(const StripJob& job) override {
    for (int32_t i = 0; i < job.gray.rows; ++i) {
      RunRow(reinterpret_cast<const Sample*>(job.gray.row(i)), next_row_ + i,
             job.bits.row(i));
    }
    next_row_ += job.gray.rows;
  }

 private:
  void RunRow(const Sample* samples, int64_t row, std::byte* bits) const {
    const int32_t columns_of_brick = recipe_.screen().columns();
    Screen::Place place = recipe_.screen().PlaceOf(row);
    for (int32_t first = 0; first < width_; first += kRun) {
      const int32_t columns = std::min(kRun, width_ - first);
      RunColumns(samples + first, columns, place,
                 bits + int64_t{first} * recipe_.levels().bits_per_sample / 8);
      place.column = (place.column + kRun) % columns_of_brick;
    }
  }

  void RunColumns(const Sample* samples, int32_t columns, Screen::Place place,
                  std::byte* bits) const {
    const int32_t packed =
        decisions_.DecideAndPack(samples, columns, place, bits);
    if (packed == columns) return;
    uint8_t decided[kRun];
    place.column += packed;
    decisions_.Decide(samples + packed, columns - packed, place, decided);
    Pack(decided, columns - packed, recipe_.levels().bits_per_sample,
         bits + packed / 8);
  }

  const int32_t width_;
  const Recipe recipe_;
  const Decisions decisions_;
  int64_t next_row_;
};

template <typename Sample>
std::unique_ptr<Strips> Open(const Page& page, const Recipe& recipe,
                             const Target& target) {
  using Compared = DecidedStrips<Sample, Comparisons<Sample>>;
  using Divided = DecidedStrips<Sample, Divisions<Sample>>;
  if (Comparisons<Sample>::Suits(recipe.curve())) {
    return std::make_unique<Compared>(page, recipe, target);
  }
  return std::make_unique<Divided>(page, recipe, target);
}

}  // namespace

bool IsDecided(MethodId method) {
  return method == MethodId{Algorithm::kBiLevel, 1} ||
         method == MethodId{Algorithm::kScreen, 1} ||
         method == MethodId{Algorithm::kBlueNoise, 1};
}

std::unique_ptr<Strips> OpenDecided(const Page& page, const Recipe& recipe,
                                    const Target& target) {
  return page.depth() == Depth::k8 ? Open<uint8_t>(page, recipe, target)
                                   : Open<uint16_t>(page, recipe, target);
}

}  // namespace halftoned::simd
