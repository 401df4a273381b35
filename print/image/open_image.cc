// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/open_image.h"

#include <string>

#include "base/text.h"
#include "print/image/formats.h"

namespace halftoned {
namespace {

using namespace std::string_view_literals;

constexpr Compression kOfTiff[] = {Compression::kNone, Compression::kPackBits,
                                   Compression::kDeflate, Compression::kLzw,
                                   Compression::kG4};
constexpr Compression kOfPng[] = {Compression::kNone, Compression::kDeflate};

constexpr OutputFormat kFormats[] = {
    {"tiff", {"tif", "tiff"}, 2, 16, true, true, kOfTiff, MakeTiffWriter},
    {"png", {"png"}, 2, 16, false, true, kOfPng, MakePngWriter},
    {"bmp", {"bmp"}, 2, 2, false, false, {}, MakeBmpWriter},
    {"pbm", {"pbm"}, 2, 2, true, false, {}, MakePnmWriter},
    {"pgm", {"pgm"}, 4, 16, true, false, {}, MakePnmWriter},
    {"pnm", {"pnm"}, 2, 16, true, false, {}, MakePnmWriter},
};

// The first bytes of a file; an error if it has none.
Result<std::string> StartOf(InputFile& file) {
  HALFTONED_TRY_ASSIGN(const auto bytes, file.Peek(8));
  if (bytes.empty()) return BadInput("is empty");
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

bool IsPnm(std::string_view start) {
  return start.starts_with('P') && start.substr(1).find_first_of("123456") == 0;
}

bool IsPng(std::string_view start) { return start == "\x89PNG\r\n\x1a\n"sv; }

}  // namespace

std::span<const OutputFormat> OutputFormats() { return kFormats; }

const OutputFormat* FormatCalled(std::string_view name) {
  if (name.empty()) return nullptr;
  const std::string lower = LowerCase(name);
  for (const OutputFormat& format : kFormats) {
    if (format.name == lower ||
        std::ranges::count(format.extensions, lower) > 0) {
      return &format;
    }
  }
  return nullptr;
}

std::string_view ExtensionOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash != path.npos) path.remove_prefix(slash + 1);
  const size_t dot = path.rfind('.');
  return dot == path.npos ? std::string_view() : path.substr(dot + 1);
}

Result<std::unique_ptr<ImageReader>> OpenImage(InputFile& file,
                                               const ImageTrust& trust) {
  HALFTONED_TRY_ASSIGN(const std::string start, StartOf(file));
  if (IsPnm(start)) return OpenPnm(file, Pixels::kGray);
  HALFTONED_TRY_ASSIGN(const bool is_jpeg, IsJpeg(file));
  if (is_jpeg) return OpenJpeg(file, trust);
  if (IsPng(start)) return OpenPng(file, trust, Pixels::kGray);
  if (start.starts_with("II*"sv) || start.starts_with("MM\0*"sv) ||
      start.starts_with("II+"sv) || start.starts_with("MM\0+"sv)) {
    return OpenTiff(file, trust);
  }
  return BadInput(std::string(kUnknownFormat));
}

Result<std::unique_ptr<ImageReader>> OpenColorImage(InputFile& file,
                                                    const ImageTrust& trust) {
  HALFTONED_TRY_ASSIGN(const std::string start, StartOf(file));
  if (IsPnm(start)) return OpenPnm(file, Pixels::kRgb);
  if (IsPng(start)) return OpenPng(file, trust, Pixels::kRgb);
  HALFTONED_TRY_ASSIGN(const bool is_jpeg, IsJpeg(file));
  if (is_jpeg) return OpenJpeg(file, trust, Pixels::kRgb);
  return BadInput("is not PNG, JPEG or PNM; --palette reads only these");
}

}  // namespace halftoned
