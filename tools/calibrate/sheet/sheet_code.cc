// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/sheet/sheet_code.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace halftoned {
namespace {

using Sheet = CalibrationSheet;

constexpr size_t kCodeBytes = Sheet::kCodeColumns * Sheet::kCodeRows / 8;
constexpr size_t kChecksumBytes = 4;
constexpr size_t kMostText = kCodeBytes - 1 - kChecksumBytes;
static_assert(kMostText < 256);
constexpr char kFiller = 0x55;
constexpr size_t kLines = 6;
constexpr std::string_view kVersion = "2";

std::string ChecksumOf(std::string_view text) {
  uint32_t sum = 2166136261;
  for (const char c : text) {
    sum = (sum ^ static_cast<unsigned char>(c)) * 16777619;
  }
  std::string bytes;
  for (size_t i = 0; i < kChecksumBytes; ++i) {
    bytes.push_back(static_cast<char>(sum >> (8 * i)));
  }
  return bytes;
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

constexpr double kPartsOfScale = 1000;
constexpr double kPartsOfUnit = 10;

std::string TextOf(const SheetSize& size) {
  const auto whole = [](double number) {
    return std::to_string(std::lround(number));
  };
  return whole(kPartsOfScale * size.scale) + " " +
         whole(kPartsOfUnit * size.unit_across) + " " +
         whole(kPartsOfUnit * size.unit_down);
}

std::optional<SheetSize> SizeOf(std::string_view text) {
  std::array<double, 3> numbers{};
  for (double& number : numbers) {
    const auto whole = TakeNumber<int>(text);
    if (!(whole >= 1 && whole <= 9999)) return std::nullopt;
    number = *whole;
    if (text.starts_with(' ')) text.remove_prefix(1);
  }
  if (!text.empty()) return std::nullopt;
  return SheetSize{numbers[0] / kPartsOfScale, numbers[1] / kPartsOfUnit,
                   numbers[2] / kPartsOfUnit};
}

// The name becomes a part of a path.
bool IsQueueName(std::string_view name) {
  return !name.starts_with('.') && std::ranges::all_of(name, [](char c) {
    return c != '/' && static_cast<unsigned char>(c) >= ' ' && c != 0x7F;
  });
}

}  // namespace

Result<std::vector<bool>> CodeOf(const SheetInfo& info) {
  const std::string text = std::string(kVersion) + "\n" + info.queue + "\n" +
                           info.type + "\n" + info.resolution + "\n" +
                           (info.has_curve ? "1" : "0") + "\n" +
                           TextOf(info.size);
  if (text.size() > kMostText || LinesOf(text).size() != kLines) {
    return BadInput(
        "the queue's name is too long for the code of a calibration chart");
  }
  std::string bytes = static_cast<char>(text.size()) + text;
  bytes += ChecksumOf(bytes);
  bytes.resize(kCodeBytes, kFiller);
  std::vector<bool> code;
  for (const char byte : bytes) {
    for (int bit = 7; bit >= 0; --bit) code.push_back((byte >> bit & 1) != 0);
  }
  return code;
}

Result<SheetInfo> InfoOf(const std::vector<bool>& code) {
  std::string bytes(kCodeBytes, '\0');
  for (size_t i = 0; i < std::min(code.size(), 8 * kCodeBytes); ++i) {
    if (code[i]) bytes[i / 8] = static_cast<char>(bytes[i / 8] | 128 >> i % 8);
  }
  const size_t length = static_cast<unsigned char>(bytes[0]);
  const auto wrong = [] {
    return BadInput(
        "the code of the calibration chart is not readable: use a clean "
        "chart, and scan all of it");
  };
  if (length > kMostText || bytes.substr(length + 1, kChecksumBytes) !=
                                ChecksumOf(bytes.substr(0, length + 1))) {
    return wrong();
  }
  const auto lines = LinesOf(bytes.substr(1, length));
  if (lines.front() != kVersion) {
    return SheetInfo{"", "", "", false, {}, false};
  }
  if (lines.size() != kLines || !IsQueueName(lines[1])) return wrong();
  const auto size = SizeOf(lines[5]);
  if (!size) return wrong();
  return SheetInfo{lines[1], lines[2], lines[3], lines[4] == "1", *size};
}

std::vector<std::string> WordsOf(const SheetInfo& info) {
  return {info.has_curve ? "halftone calibrate: second print, with the curve"
                         : "halftone calibrate: first print, without a curve",
          "queue: " + (info.queue.empty() ? "none" : info.queue),
          "type: " + info.type + ", dpi: " + info.resolution,
          info.has_curve ? "scan in gray, then: halftone calibrate verify scan"
                         : "scan in gray, then: halftone calibrate read scan"};
}

}  // namespace halftoned
