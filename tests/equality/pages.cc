// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/equality/pages.h"

#include <cstdlib>
#include <cstring>

#include "halftone/dot_model.h"

namespace halftoned::testing {
namespace {

int Uniform(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

// `light` is 0 … 65535.
void Put(GrayPage& gray, int32_t row, int32_t column, int light) {
  std::byte* at =
      gray.samples.data() + static_cast<size_t>(row) * gray.bytes_per_row() +
      static_cast<size_t>(column) * BytesPerSample(gray.page.depth());
  if (gray.page.depth() == Depth::k8) {
    *at = static_cast<std::byte>(light >> 8);
  } else {
    const auto sample = static_cast<uint16_t>(light);
    std::memcpy(at, &sample, sizeof(sample));
  }
}

int Ramp(int64_t at, int64_t of) {
  return of <= 1 ? 32768 : static_cast<int>(at * 65535 / (of - 1));
}

}  // namespace

uint64_t FreshSeed() {
  // One thread reads the environment, before any other is started.
  if (const char* named = std::getenv("HALFTONED_SEED")) {  // NOLINT
    return std::strtoull(named, nullptr, 0);
  }
  return std::random_device()();
}

int RandomPages(int otherwise) {
  const char* count = std::getenv("HALFTONED_RANDOM_PAGES");  // NOLINT
  return count ? std::atoi(count) : otherwise;
}

std::string_view NameOf(Content content) {
  constexpr std::string_view kNames[] = {"noise", "ramp across", "ramp down",
                                         "flat", "extremes"};
  return kNames[static_cast<size_t>(content)];
}

GrayPage MakePage(const Page& page, int32_t rows, Content content,
                  Random& random) {
  GrayPage gray{page, rows, {}};
  gray.samples.resize(gray.bytes_per_row() * static_cast<size_t>(rows));
  const int flat = Uniform(random, 0, 65535);
  for (int32_t i = 0; i < rows; ++i) {
    for (int32_t j = 0; j < page.width(); ++j) {
      int light = flat;
      switch (content) {
        case Content::kNoise:
          light = static_cast<int>(random() & 0xffff);
          break;
        case Content::kRampAcross:
          light = Ramp(j, page.width());
          break;
        case Content::kRampDown:
          light = Ramp(i, rows);
          break;
        case Content::kFlat:
          break;
        case Content::kExtremes:
          light = random() % 2 ? 65535 : 0;
          break;
      }
      Put(gray, i, j, light);
    }
  }
  return gray;
}

std::string_view NameOf(CurveKind kind) {
  constexpr std::string_view kNames[] = {"identity", "gamma", "steps",
                                         "anything"};
  return kNames[static_cast<size_t>(kind)];
}

ToneCurve MakeCurve(CurveKind kind, Random& random) {
  if (kind == CurveKind::kIdentity) return ToneCurve();
  if (kind == CurveKind::kGamma) return *ToneCurve::FromGamma(1.7);
  ToneCurve::Table table;
  for (int i = 0; i <= kWhite; ++i) {
    const int step =
        kind == CurveKind::kSteps ? i / 700 * 816 : Uniform(random, 0, kWhite);
    table[static_cast<size_t>(i)] =
        static_cast<uint16_t>(step > kWhite ? kWhite : step);
  }
  return *ToneCurve::FromTable(table);
}

const std::vector<Recipe::Parts>& EveryKind() {
  static const auto* kinds = new std::vector<Recipe::Parts>([] {
    std::vector<Recipe::Parts> all;
    for (int pure : {0, 1}) {
      const auto add = [&](Algorithm algorithm, int levels, int first = 0,
                           int second = 0) {
        Recipe::Parts parts;
        parts.algorithm = algorithm;
        parts.levels = levels;
        parts.parameters = {pure, first, second};
        all.push_back(parts);
      };
      for (int levels : {2, 4, 8, 16}) {
        add(Algorithm::kFloydSteinberg, levels);
      }
      add(Algorithm::kFine, 2);
      for (int size : {2, 3, 6, 9}) {
        add(Algorithm::kClustered, 2, size);
      }
      for (int diameter : {125, 160}) {
        const DotModel dot = *DotModel::OfDiameter(diameter);
        add(Algorithm::kPrinterModel, 2, dot.ink, dot.overlap);
      }
      add(Algorithm::kPrinterModel, 2, 2040, 0);
      add(Algorithm::kPrinterModel, 2, 8320, 0);
      add(Algorithm::kPrinterModel, 2, 6360, 2160);
      add(Algorithm::kBiLevel, 2);
    }
    return all;
  }());
  return *kinds;
}

std::string Describe(const Recipe& recipe) {
  std::string text(recipe.name());
  text += ", " + std::to_string(recipe.levels().count) + " levels, parameters";
  for (int32_t parameter : recipe.parts().parameters) {
    text += " ";
    text += std::to_string(parameter);
  }
  return text;
}

Carry MakeCarry(const Recipe& recipe, const Page& page, Random& random) {
  Carry carry = Carry::AtStart(recipe, page);
  const auto planes = recipe.carry_planes();
  for (size_t i = 0; i < planes.size(); ++i) {
    for (int16_t& value : carry.plane(i)) {
      switch (random() % 4) {
        case 0:
          value = planes[i].min;
          break;
        case 1:
          value = planes[i].max;
          break;
        default:
          value = static_cast<int16_t>(
              Uniform(random, planes[i].min, planes[i].max));
      }
    }
  }
  return carry;
}

}  // namespace halftoned::testing
