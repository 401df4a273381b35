// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/equality/pages.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

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

// Small lengths as often as large ones; at the end as often as anywhere.
int32_t Length(int32_t of, Random& random) {
  return std::min(of, 1 << Uniform(random, 0, std::bit_width(unsigned(of))));
}

template <typename Light>
void PutRectangle(GrayPage& gray, Random& random, const Light& light) {
  const int32_t columns = Length(gray.page.width(), random);
  const int32_t rows = Length(gray.rows, random);
  const int32_t left = Uniform(random, 0, gray.page.width() - columns);
  const int32_t top = Uniform(random, 0, gray.rows - rows);
  for (int32_t i = top; i < top + rows; ++i) {
    for (int32_t j = left; j < left + columns; ++j) Put(gray, i, j, light());
  }
}

void PutIslands(GrayPage& gray, Random& random) {
  for (int i = Uniform(random, 0, 8); i > 0; --i) {
    const int light = i % 2 == 0 ? 65535 : 0;
    PutRectangle(gray, random, [light] { return light; });
  }
  for (int i = Uniform(random, 0, 8); i > 0; --i) {
    PutRectangle(gray, random,
                 [&] { return static_cast<int>(random() & 0xffff); });
  }
}

int Ramp(int64_t at, int64_t of) {
  return of <= 1 ? 32768 : static_cast<int>(at * 65535 / (of - 1));
}

// Parameters 1 and on that are worth a try besides the ends of their ranges.
std::vector<Method::Values> InsideOf(const Method& method) {
  switch (method.id.algorithm) {
    case Algorithm::kFine:
      return {{0, 0, 1}, {0, 0, 100}, {0, 0, 256}};
    case Algorithm::kBest:
      return {{0, 0, 1}, {0, 0, 100}};
    case Algorithm::kClustered:
      return {{0, 3}, {0, 6}};
    case Algorithm::kScreen:
      return {{0, 46, 46, 46, 46, 13}, {0, 12, 31, 7, 50, 4}};
    case Algorithm::kJarvis:
    case Algorithm::kAtkinson:
      return {{0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 2}};
    default:
      return {};
  }
}

void AddKinds(const Method& method, int pure,
              std::vector<Recipe::Parts>& kinds) {
  std::vector<Method::Values> all = InsideOf(method);
  Method::Values least{}, most{};
  for (size_t i = 1; i < Method::kParameters; ++i) {
    least[i] = method.parameters[i].min;
    most[i] = method.parameters[i].max;
  }
  all.push_back(least);
  // The largest supercell takes longer to make than a band.
  const bool is_dear = method.id.algorithm == Algorithm::kScreen;
  if (most != least && !is_dear) all.push_back(most);
  // The first pass of `best` without print feedback.
  if (method.id.algorithm == Algorithm::kFine) all.push_back({0, 1});
  for (Method::Values& parameters : all) {
    for (int levels : {2, 4, 8, 16}) {
      if (levels > 2 && !method.has_levels) break;
      parameters[Recipe::kPure] = pure;
      Recipe::Parts parts;
      parts.algorithm = method.id.algorithm;
      parts.version = method.id.version;
      parts.levels = levels;
      parts.parameters = parameters;
      if (Recipe::Make(parts).ok()) kinds.push_back(parts);
    }
  }
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
                                         "flat",  "extremes",    "islands"};
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
        case Content::kIslands:
          light = 65535;
          break;
      }
      Put(gray, i, j, light);
    }
  }
  if (content == Content::kIslands) PutIslands(gray, random);
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
    for (const Method& method : Methods()) {
      for (int pure : {0, 1}) AddKinds(method, pure, all);
    }
    return all;
  }());
  return *kinds;
}

const std::vector<Recipe::Parts>& EveryOnePassKind() {
  static const auto* kinds = new std::vector<Recipe::Parts>([] {
    std::vector<Recipe::Parts> served = EveryKind();
    std::erase_if(served, [](const Recipe::Parts& kind) {
      return Recipe::Make(kind)->looks_ahead();
    });
    return served;
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
  // Elsewhere a recipe that looks ahead only begins.
  if (recipe.looks_ahead() &&
      (page.first_row() == 0 || page.first_row() % recipe.lag().step != 0)) {
    return carry;
  }
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
