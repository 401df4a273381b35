// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/tone_report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "convert/stages.h"
#include "print/file/last_words.h"
#include "print/file/output_file.h"
#include "print/image/formats.h"

namespace halftoned {
namespace {

constexpr int kLines = 16;  // between black and white
constexpr int kScale = 2;   // pixels per tone
constexpr int kSide = 256 * kScale;

// 2-bit levels: 0 is black.
enum Level : uint8_t { kBlack = 0, kDarkGray = 1, kLightGray = 2, kPaper = 3 };

class Diagram {
 public:
  Diagram() : levels_(size_t{kSide} * kSide, kPaper) {
    for (int i = 0; i < kSide; ++i) {
      for (int line = 0; line <= 4; ++line) {
        const int at = std::min(line * kSide / 4, kSide - 1);
        Put(i, at, kLightGray);
        Put(at, i, kLightGray);
      }
      if (i / kScale % 4 < 2) Put(i, i, kLightGray);
    }
  }

  void Draw(const std::vector<double>& printed, Level level) {
    int last = 0;
    for (int x = 0; x < kSide; ++x) {
      const double light = printed[static_cast<size_t>(x / kScale)];
      const int y = static_cast<int>(std::lround(light * (kSide - 1)));
      for (int i = std::min(last, y); i <= std::max(last, y); ++i) {
        Put(x, i, level);
        if (x > 0) Put(x - 1, i, level);
      }
      last = y;
    }
  }

  std::vector<std::byte> Packed() const {
    std::vector<std::byte> packed(levels_.size() / 4);
    for (size_t i = 0; i < levels_.size(); ++i) {
      packed[i / 4] |= static_cast<std::byte>(levels_[i] << (6 - i % 4 * 2));
    }
    return packed;
  }

 private:
  // The y axis points upward.
  void Put(int x, int y, Level level) {
    levels_[static_cast<size_t>(kSide - 1 - y) * kSide + x] = level;
  }

  std::vector<uint8_t> levels_;
};

Result<void> Write(const Diagram& diagram, OutputFile& file) {
  const auto writer = MakePngWriter(file);
  HALFTONED_TRY(writer->Begin({kSide, kSide, 2, {}}));
  const std::vector<std::byte> packed = diagram.Packed();
  HALFTONED_TRY(writer->Write({packed.data(), kSide / 4, kSide, 0}));
  HALFTONED_TRY(writer->Finish());
  return file.Commit();
}

}  // namespace

std::vector<double> WithCurve(const std::vector<double>& printed,
                              const ToneCurve& curve) {
  std::vector<double> after;
  for (int tone = 0; tone < 256; ++tone) {
    const double asked = curve.At8(static_cast<uint8_t>(tone)) / 16.0;
    const auto below = static_cast<size_t>(asked);
    const size_t above = std::min<size_t>(below + 1, 255);
    after.push_back(std::lerp(printed[below], printed[above],
                              asked - static_cast<double>(below)));
  }
  return after;
}

std::string BeforeAndAfter(const std::vector<double>& before,
                           const std::vector<double>& after) {
  std::string text = "input  printed  with the curve\n";
  for (int line = 1; line < kLines; ++line) {
    const auto tone = static_cast<size_t>(255 * line / kLines);
    char numbers[64];
    std::snprintf(numbers, sizeof(numbers), "%5zu  %7.1f  %14.1f\n", tone,
                  255 * before[tone], 255 * after[tone]);
    text += numbers;
  }
  return text;
}

std::string AskedAndPrinted(const SheetReading& reading) {
  std::string text = "input  printed\n";
  for (size_t i = 1; i < reading.tones.size(); i += 3) {
    char numbers[64];
    std::snprintf(numbers, sizeof(numbers), "%5d  %7.1f\n",
                  reading.tones[i].tone, 255 * reading.tones[i].light);
    text += numbers;
  }
  return text;
}

std::string WordsOf(const Residual& residual) {
  char text[64];
  std::snprintf(text, sizeof(text), "mean %.1f, worst %.1f of 255",
                residual.mean, residual.worst);
  return text;
}

std::string ExpectedWordsOf(const Residual& residual) {
  char text[96];
  std::snprintf(text, sizeof(text),
                "mean %.1f (at most %.1f in 95 %% of scans), worst %.1f of 255",
                residual.mean, residual.mean_limit, residual.worst);
  return text;
}

Result<void> DrawTones(const std::string& path,
                       const std::vector<double>& before,
                       const std::vector<double>& after, bool may_replace) {
  Diagram diagram;
  diagram.Draw(before, kDarkGray);
  diagram.Draw(after, kBlack);
  PendingFiles pending(may_replace);
  const LastWordsFiles last_words(pending);
  const auto file = OutputFile::Create(path, pending);
  if (!file.ok()) return InFile(path, file.error());
  const Result<void> written = Write(diagram, **file);
  return written.ok() ? written : InFile(path, written.error());
}

}  // namespace halftoned
