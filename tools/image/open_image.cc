// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/open_image.h"

#include <algorithm>
#include <span>

#include "image/png_reader.h"
#include "image/png_writer.h"
#include "image/pnm_reader.h"
#include "image/pnm_writer.h"
#include "image/tiff_reader.h"

namespace halftoned {
namespace {

using namespace std::string_view_literals;

struct Name {
  std::string_view name;
  ImageFormat format;
};

constexpr Name kNames[] = {
    {"pbm", ImageFormat::kPnm},  {"pgm", ImageFormat::kPnm},
    {"pnm", ImageFormat::kPnm},  {"png", ImageFormat::kPng},
    {"tif", ImageFormat::kTiff}, {"tiff", ImageFormat::kTiff},
};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

}  // namespace

std::optional<ImageFormat> FormatCalled(std::string_view name) {
  for (const Name& known : kNames) {
    if (std::ranges::equal(known.name, name, {}, {}, Lower)) {
      return known.format;
    }
  }
  return std::nullopt;
}

std::string_view ExtensionOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash != path.npos) path.remove_prefix(slash + 1);
  const size_t dot = path.rfind('.');
  return dot == path.npos ? std::string_view() : path.substr(dot + 1);
}

Result<std::unique_ptr<ImageReader>> OpenImage(InputFile& file,
                                               const ImageTrust& trust) {
  HALFTONED_TRY_ASSIGN(const auto bytes, file.Peek(8));
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               bytes.size());
  if (start.empty()) return BadInput("is empty");
  if (start.size() > 1 && start[0] == 'P' && start[1] >= '1' &&
      start[1] <= '6') {
    return OpenPnm(file);
  }
  if (start == "\x89PNG\r\n\x1a\n"sv) return OpenPng(file, trust);
  if (start.starts_with("II*"sv) || start.starts_with("MM\0*"sv) ||
      start.starts_with("II+"sv) || start.starts_with("MM\0+"sv)) {
    return OpenTiff(file, trust);
  }
  return BadInput("is not TIFF, PNG or PNM");
}

Result<std::unique_ptr<ImageWriter>> MakeWriter(OutputFile& file,
                                                const WriterOptions& options) {
  switch (options.format) {
    case ImageFormat::kPnm:
      return MakePnmWriter(file);
    case ImageFormat::kPng:
      return MakePngWriter(file);
    case ImageFormat::kTiff:
      return MakeTiffWriter(file, options.tiff);
  }
  return Bug("an unknown image format");
}

}  // namespace halftoned
