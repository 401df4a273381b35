// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/host/session/pixel_table.h"

#include <bit>

#include "halftone/gpu/common/pixel_term.h"
#include "halftone/gpu/common/screen_words.h"
#include "halftone/gpu/host/session/handed_rows.h"
#include "halftone/gpu/spread/pixel.h"
#include "halftone/page/feedback_table.h"
#include "halftone/page/fine_table.h"

namespace halftoned::cuda {
namespace {

static_assert(kTermsOf16 == kWhite + 1);

uint32_t FineRowOfConstants(int v, bool is_pure) {
  if (is_pure) return v == 0 ? spread::kFinePureBlack : spread::kFinePureWhite;
  const int tone = FineToneOf(v);
  return static_cast<uint32_t>(FineRowOf(tone)) +
         (tone < 128 ? 0 : spread::kFineLightRows);
}

uint32_t ClusteredFlags(int v) {
  const int tone = FineToneOf(v);
  return (tone != 0 && tone != 255 ? spread::kTintedPixel : 0) |
         static_cast<uint32_t>(FineRowOf(tone)) << spread::kClusterRowShift;
}

uint32_t FineWord(const Recipe& recipe, int v, bool is_pure) {
  const Interval at = IntervalOf(v, recipe.levels().count);
  return std::bit_cast<uint32_t>(static_cast<float>(at.value)) |
         FineRowOfConstants(at.value, is_pure) << spread::kFineRowShift |
         static_cast<uint32_t>(at.level);
}

uint32_t PaperWord(const Recipe& recipe, int v, bool is_pure) {
  const PrintFeedback feedback(recipe.parameter(Recipe::kFeedback));
  return static_cast<uint32_t>(v) | (is_pure ? spread::kPurePixel : 0) |
         static_cast<uint32_t>(FineRowOf(FineToneOf(v)))
             << spread::kPaperRowShift |
         static_cast<uint32_t>(feedback.bias(v) + spread::kPaperBias)
             << spread::kPaperBiasShift;
}

int ValueOfFineWord(const Recipe& recipe, int32_t word) {
  const int level = word & static_cast<int32_t>(spread::kFineLevelMask);
  const int scaled =
      level * kWhite + static_cast<int>(std::bit_cast<float>(word));
  return scaled / (recipe.levels().count - 1);
}

uint32_t SpreadWord(const Recipe& recipe, int v) {
  const bool is_pure = recipe.is_pure() && (v == 0 || v == kWhite);
  if (recipe.has_feedback()) return PaperWord(recipe, v, is_pure);
  if (recipe.algorithm() == Algorithm::kFine) {
    return FineWord(recipe, v, is_pure);
  }
  return static_cast<uint32_t>(v) | (is_pure ? spread::kPurePixel : 0) |
         (recipe.algorithm() == Algorithm::kClustered ? ClusteredFlags(v) : 0);
}

int32_t EntryFor(const Recipe& recipe, int v) {
  switch (KernelFor(recipe)) {
    case KernelKind::kCollecting:
      return TermOf(v);
    case KernelKind::kSpreading:
      return std::bit_cast<int32_t>(SpreadWord(recipe, v));
    case KernelKind::kDeciding:
      break;
  }
  return v;
}

void AddScreen(const Recipe& recipe, std::vector<int32_t>& table) {
  const Screen& screen = recipe.screen();
  table.insert(table.end(), {screen.rows(), screen.columns(), screen.shift(),
                             recipe.levels().count});
  for (int32_t i = 0; i < screen.rows(); ++i) {
    table.insert(table.end(), screen.row(i).begin(), screen.row(i).end());
  }
}

}  // namespace

size_t MostEntries(const Recipe& recipe) {
  if (KernelFor(recipe) != KernelKind::kDeciding) return kTermsOf16;
  const Screen& screen = recipe.screen();
  return size_t{kTermsOf16} + ScreenWords::kOffsets +
         static_cast<size_t>(screen.rows()) *
             static_cast<size_t>(screen.columns());
}

std::vector<int32_t> PixelTable(const Recipe& recipe, Depth depth) {
  std::vector<int32_t> table;
  if (KernelFor(recipe) == KernelKind::kCollecting &&
      recipe.curve().is_identity()) {
    return table;
  }
  if (depth == Depth::k8) {
    for (int a = 0; a < kTermsOf8; ++a) {
      table.push_back(
          EntryFor(recipe, recipe.curve().At8(static_cast<uint8_t>(a))));
    }
  } else {
    for (const uint16_t v : recipe.curve().table()) {
      table.push_back(EntryFor(recipe, v));
    }
  }
  if (KernelFor(recipe) == KernelKind::kDeciding) AddScreen(recipe, table);
  return table;
}

int PixelValue(const Recipe& recipe, int32_t entry) {
  switch (KernelFor(recipe)) {
    case KernelKind::kCollecting:
      return (7 - entry) / 16 - kTermBias;
    case KernelKind::kSpreading:
      return recipe.algorithm() == Algorithm::kFine && !recipe.has_feedback()
                 ? ValueOfFineWord(recipe, entry)
                 : entry & static_cast<int32_t>(kValueMask);
    case KernelKind::kDeciding:
      break;
  }
  return entry;
}

}  // namespace halftoned::cuda
