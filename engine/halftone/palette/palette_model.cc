// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/palette/palette_model.h"

#include <algorithm>
#include <span>
#include <utility>

#include "halftone/palette/gamut.h"

namespace halftoned {
namespace {

// Squared distances between lights, in 4096ths: (ΔY)² + (1.5 Δ(R - Y))² +
// (0.75 Δ(B - Y))².
constexpr std::array<Light, 3> kMetric = {{{6003, -4217, -916},  //
                                           {-4217, 7988, -841},
                                           {-916, -841, 2053}}};

GamutNode NodeOf(const Light& wanted, const Light& given) {
  GamutNode node = 0;
  for (size_t c = 3; c-- > 0;) {
    const int half = (given[c] - wanted[c]) >> 1;
    node = node << 16 | static_cast<uint64_t>(kNoCorrection + half);
  }
  return node;
}

}  // namespace

PaletteModel::PaletteModel(Palette palette) : palette_(std::move(palette)) {
  MeasureColors();
  MapTones();
  MapGamut();
  FindFlats();
}

void PaletteModel::MeasureColors() {
  for (size_t k = 0; k < count(); ++k) {
    const Light& light = lights_[k] = LightOf(palette_.colors()[k].measured);
    int32_t length = 0;
    for (size_t c = 0; c < 3; ++c) {
      int32_t sum = 2048;
      for (size_t d = 0; d < 3; ++d) sum += kMetric[c][d] * light[d];
      slopes_[k][c] = sum >> 12;
      length += slopes_[k][c] * light[c];
    }
    biases_[k] = length >> 1;
  }
}

void PaletteModel::MapTones() {
  const std::span<const Light> all(lights_.data(), count());
  const auto luma = [](const Light& light) { return LumaOf(light); };
  // If several are equal, the first one.
  const auto black = std::ranges::min_element(all, {}, luma);
  const auto white = std::ranges::max_element(all, {}, luma);
  const int32_t lightest = std::max((luma(*white) + 5000) / 10000, 1);
  const int scaled = palette_.tone_compression();
  const int kept = Palette::kFullCompression - scaled;
  for (size_t c = 0; c < 3; ++c) {
    for (size_t a = 0; a < 256; ++a) {
      const int light = kLightOfSrgb[a];
      const int range = (*white)[c] - (*black)[c];
      // Rounded down, also where white has less of a color than black.
      const int above =
          (range * light + kWhite / 2 + kWhite * kWhite) / kWhite - kWhite;
      const int as_light = ((*white)[c] * light + lightest / 2) / lightest;
      const int mixed = scaled * ((*black)[c] + above) + kept * as_light + 50;
      toned_[c][a] = static_cast<int16_t>(
          std::min(mixed / Palette::kFullCompression, kWhite));
    }
  }
}

void PaletteModel::MapGamut() {
  const std::span<const Light> all(lights_.data(), count());
  const auto toned_at = [&](size_t channel, int node) {
    const int sample = std::min(node * 256 / kCells, 255);
    return toned(channel, static_cast<uint8_t>(sample));
  };
  nodes_.reserve(static_cast<size_t>(kNodes * kNodes * kNodes));
  for (int r = 0; r < kNodes; ++r) {
    for (int g = 0; g < kNodes; ++g) {
      for (int b = 0; b < kNodes; ++b) {
        const Light wanted = {toned_at(0, r), toned_at(1, g), toned_at(2, b)};
        nodes_.push_back(NodeOf(wanted, InGamut(wanted, all)));
      }
    }
  }
}

void PaletteModel::FindFlats() {
  std::vector<std::pair<uint32_t, int>> entries;
  for (const PaletteColor& color : palette_.colors()) {
    for (const Rgb& rgb : {color.sent, color.measured}) {
      entries.emplace_back(FlatTable::KeyOf(rgb.data()), FlatIndexOf(rgb));
    }
  }
  flats_ = FlatTable(entries);
}

int PaletteModel::FlatIndexOf(const Rgb& rgb) const {
  const auto find = [&](Rgb PaletteColor::*member) {
    const auto found = std::ranges::find(palette_.colors(), rgb, member);
    return found == palette_.colors().end()
               ? -1
               : static_cast<int>(found - palette_.colors().begin());
  };
  const int sent = find(&PaletteColor::sent);
  return sent >= 0 ? sent : find(&PaletteColor::measured);
}

}  // namespace halftoned
