// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// expect_raster GRAY OUT [NAME=VALUE ...]
//
// Checks that the raster file OUT is the expected output for the raster file
// GRAY: the same pages, each halftoned by the definition, with only the
// necessary changes of the header. It shares no code with the filter: it
// inverts rows, makes their edges crisp and places them one sample at a time.
// NAME is levels, halftone-type, technology, text-edges, back-side or a number
// of tone.h; the defaults are those of an unconfigured laser. Prints the number
// of pages; if the files differ, says where, and exits with 1.

#include <cups/raster.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "halftone/cpu/scalar.h"
#include "halftone/look/edges/edge_snapper.h"
#include "halftone/look/gray/luminance.h"
#include "halftone/look/halftone_type.h"
#include "halftone/look/tones/tone.h"
#include "halftone/page/recipe.h"
#include "tests/halftone/look/edges_definition.h"

namespace {

using halftoned::Carry;
using halftoned::Luma;
using halftoned::LumaOfInks;
using halftoned::Page;
using halftoned::Recipe;
using halftoned::TextEdges;
using halftoned::ToneCurve;
using Header = cups_page_header2_t;

[[noreturn]] void Fail(const std::string& what) {
  std::printf("%s\n", what.c_str());
  std::exit(1);
}

struct RasterPage {
  Header header;
  std::vector<unsigned char> rows;
};

class Reader {
 public:
  explicit Reader(const char* path)
      : fd_(::open(path, O_RDONLY | O_CLOEXEC)),
        raster_(cupsRasterOpen(fd_, CUPS_RASTER_READ)) {
    if (!raster_) Fail(std::string(path) + " is no raster");
  }
  ~Reader() {
    cupsRasterClose(raster_);
    ::close(fd_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  bool Next(RasterPage& page) {
    if (!cupsRasterReadHeader2(raster_, &page.header)) return false;
    const size_t line = page.header.cupsBytesPerLine;
    page.rows.assign(line * page.header.cupsHeight, 0xa5);
    for (unsigned i = 0; i < page.header.cupsHeight; ++i) {
      if (cupsRasterReadPixels(raster_, page.rows.data() + i * line,
                               static_cast<unsigned>(line)) != line) {
        Fail("a page breaks off at row " + std::to_string(i));
      }
    }
    return true;
  }

 private:
  int fd_;
  cups_raster_t* raster_;
};

// The sample of a color, 8 or 16 bits.
uint32_t SampleAt(const RasterPage& page, size_t row, size_t index) {
  const unsigned char* line =
      page.rows.data() + row * page.header.cupsBytesPerLine;
  if (page.header.cupsBitsPerColor == 8) return line[index];
  uint16_t sample;
  std::memcpy(&sample, line + 2 * index, sizeof(sample));
  return sample;
}

uint32_t LightAt(const RasterPage& page, size_t row, size_t column) {
  const uint32_t white = page.header.cupsBitsPerColor == 8 ? 255 : 65535;
  const size_t n = page.header.cupsNumColors;
  const auto at = [&](size_t i) { return SampleAt(page, row, column * n + i); };
  switch (page.header.cupsColorSpace) {
    case CUPS_CSPACE_W:
    case CUPS_CSPACE_SW:
      return at(0);
    case CUPS_CSPACE_K:
      return white - at(0);
    case CUPS_CSPACE_RGB:
    case CUPS_CSPACE_SRGB:
      return Luma(at(0), at(1), at(2));
    case CUPS_CSPACE_CMYK:
      return LumaOfInks(at(0), at(1), at(2), at(3), white);
    default:
      Fail("a colour space that this test does not know");
  }
}

// How the pages must look.
struct Expected {
  halftoned::Look look = halftoned::DefaultLookOfPrints();
  bool has_dot_gain = false;
  std::string back_side = "Normal";

  void Take(const std::string& word) {
    const size_t equals = word.find('=');
    if (equals == word.npos) Fail("not NAME=VALUE: " + word);
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (name == "back-side") {
      back_side = value;
      return;
    }
    const auto* setting = halftoned::FindSetting(name);
    if (!setting || !setting->Set(value, look)) Fail("what is " + word + "?");
    if (name == "dot-gain") has_dot_gain = true;
  }

  Recipe RecipeOf(const Header& header) const {
    const halftoned::DotsPerInch resolution{double(header.HWResolution[0]),
                                            double(header.HWResolution[1])};
    auto parts = halftoned::PartsOf(look, look.levels, look.has_crisp_edges(),
                                    resolution);
    if (!parts.ok()) Fail(parts.error().message);
    std::optional<halftoned::ToneCurve> correction;
    if (!has_dot_gain) {
      correction = *halftoned::TypicalCurveFor(*parts, look.technology,
                                               resolution.mean());
    }
    parts->curve = *halftoned::CurveFor(*parts, look, correction);
    const auto recipe = Recipe::Make(*parts);
    if (!recipe.ok()) Fail(recipe.error().message);
    return *recipe;
  }
};

// The light of a page, one sample per pixel.
struct Light {
  size_t width;
  size_t height;
  uint32_t white;
  std::vector<uint32_t> samples;

  uint32_t At(size_t row, size_t column) const {
    return samples[row * width + column];
  }
  int ValueAt(size_t row, size_t column, const ToneCurve& curve) const {
    const uint32_t a = At(row, column);
    return white == 255 ? curve.At8(static_cast<uint8_t>(a))
                        : curve.At16(static_cast<uint16_t>(a));
  }
};

Light LightOf(const RasterPage& page) {
  const Header& header = page.header;
  Light light{header.cupsWidth,
              header.cupsHeight,
              header.cupsBitsPerColor == 8 ? 255u : 65535u,
              {}};
  for (size_t i = 0; i < light.height; ++i) {
    for (size_t j = 0; j < light.width; ++j) {
      light.samples.push_back(LightAt(page, i, j));
    }
  }
  return light;
}

// The edges of text by their definition.
Light WithEdges(const Light& light, const Recipe& recipe, TextEdges edges) {
  halftoned::SamplePage page{
      static_cast<int>(light.width),
      static_cast<int>(light.height),
      light.white == 255 ? halftoned::Depth::k8 : halftoned::Depth::k16,
      {light.samples.begin(), light.samples.end()}};
  page = halftoned::EdgesByDefinition(page, recipe.curve(), edges,
                                      DarkensStrokes(recipe));
  return {light.width,
          light.height,
          light.white,
          {page.samples.begin(), page.samples.end()}};
}

// The page by the definition: packed light, each row from a whole byte on.
std::vector<std::byte> HalftoneByDefinition(const RasterPage& page,
                                            const Recipe& recipe,
                                            TextEdges edges) {
  const Header& header = page.header;
  const auto made =
      Page::Make(header.cupsWidth, static_cast<int>(header.cupsBitsPerColor));
  if (!made.ok()) Fail(made.error().message);
  Light light = LightOf(page);
  light = WithEdges(light, recipe, edges);
  const size_t sample_bytes = header.cupsBitsPerColor / 8;
  const size_t gray_line = header.cupsWidth * sample_bytes;
  std::vector<std::byte> gray(gray_line * header.cupsHeight);
  for (size_t n = 0; n < light.samples.size(); ++n) {
    const auto light8 = static_cast<uint8_t>(light.samples[n]);
    const auto light16 = static_cast<uint16_t>(light.samples[n]);
    if (sample_bytes == 1) {
      std::memcpy(gray.data() + n, &light8, 1);
    } else {
      std::memcpy(gray.data() + 2 * n, &light16, 2);
    }
  }
  const size_t bit_line = recipe.bit_bytes_per_row(made->width());
  const auto rows = static_cast<int32_t>(header.cupsHeight);
  std::vector<std::byte> bits(bit_line * header.cupsHeight);
  Carry carry = Carry::AtStart(recipe, *made);
  halftoned::HalftoneByDefinition({.page = *made,
                                   .recipe = recipe,
                                   .gray = {gray.data(), gray_line, rows},
                                   .bits = {bits.data(), bit_line, rows},
                                   .carry = carry});
  return bits;
}

unsigned PackedSample(const unsigned char* line, size_t column, unsigned bits) {
  const size_t at = column * bits;
  return line[at / 8] >> (8 - bits - at % 8) & ((1u << bits) - 1);
}

// Where the first column and row of the gray page lie on the page OUT.
struct Origin {
  int64_t left = 0;
  int64_t top = 0;
};

Origin OriginOn(const RasterPage& gray, const RasterPage& out,
                const std::string& back_side, bool on_back) {
  const Header& from = gray.header;
  if (std::strcmp(out.header.MediaClass, "PwgRaster") != 0) return {};
  Origin origin;
  if (from.cupsImagingBBox[2] > 0) {
    origin.left = static_cast<int64_t>(
        from.cupsImagingBBox[0] * from.HWResolution[0] / 72.0 + 0.5);
    origin.top =
        static_cast<int64_t>((from.cupsPageSize[1] - from.cupsImagingBBox[3]) *
                                 from.HWResolution[1] / 72.0 +
                             0.5);
  }
  if (!from.Duplex || !on_back) return origin;
  const bool tumble = from.Tumble;
  const bool turned = (back_side == "Rotated" && !tumble) ||
                      (back_side == "ManualTumble" && tumble);
  const bool flipped = back_side == "Flipped";
  if (turned || (flipped && tumble)) {
    origin.left = int64_t{out.header.cupsWidth} - from.cupsWidth - origin.left;
  }
  if (turned || (flipped && !tumble)) {
    origin.top = int64_t{out.header.cupsHeight} - from.cupsHeight - origin.top;
  }
  return origin;
}

void ComparePixels(const RasterPage& gray, const RasterPage& out,
                   const Recipe& recipe, TextEdges edges,
                   const Origin& origin) {
  const std::vector<std::byte> light =
      HalftoneByDefinition(gray, recipe, edges);
  const size_t light_line =
      recipe.bit_bytes_per_row(static_cast<int32_t>(gray.header.cupsWidth));
  const auto bits = static_cast<unsigned>(recipe.levels().bits_per_sample);
  const unsigned top = (1u << bits) - 1;
  const size_t line = out.header.cupsBytesPerLine;
  const int64_t columns = static_cast<int64_t>(line) * 8 / bits;
  int64_t covered = 0;
  for (int64_t i = 0; i < out.header.cupsHeight; ++i) {
    const int64_t row = i - origin.top;
    for (int64_t j = 0; j < columns; ++j) {
      const int64_t column = j - origin.left;
      const bool is_covered = row >= 0 && row < gray.header.cupsHeight &&
                              column >= 0 && column < gray.header.cupsWidth &&
                              j < out.header.cupsWidth;
      covered += is_covered;
      const unsigned expected =
          is_covered
              ? top - PackedSample(
                          reinterpret_cast<const unsigned char*>(light.data()) +
                              static_cast<size_t>(row) * light_line,
                          static_cast<size_t>(column), bits)
              : 0;
      const unsigned found =
          PackedSample(out.rows.data() + static_cast<size_t>(i) * line,
                       static_cast<size_t>(j), bits);
      if (found != expected) {
        Fail("row " + std::to_string(i) + ", column " + std::to_string(j) +
             ": " + std::to_string(found) + ", not " +
             std::to_string(expected));
      }
    }
  }
  if (covered == 0) Fail("nothing of the page is on the page");
}

void CompareHeaders(const Header& gray, const Header& out, unsigned bits) {
  if (out.cupsColorSpace != CUPS_CSPACE_K || out.cupsNumColors != 1 ||
      out.cupsBitsPerColor != bits || out.cupsBitsPerPixel != bits ||
      out.cupsBytesPerLine != (out.cupsWidth * bits + 7) / 8) {
    Fail("the samples are not " + std::to_string(bits) + "-bit K");
  }
  if (std::strcmp(out.MediaClass, "PwgRaster") == 0) {
    if (out.Duplex != gray.Duplex || out.Tumble != gray.Tumble ||
        out.NumCopies != gray.NumCopies ||
        std::strcmp(out.MediaType, gray.MediaType) != 0 ||
        out.HWResolution[0] != gray.HWResolution[0] ||
        out.HWResolution[1] != gray.HWResolution[1]) {
      Fail("a header field did not survive");
    }
    return;
  }
  Header expected = gray;
  expected.cupsColorSpace = out.cupsColorSpace;
  expected.cupsNumColors = out.cupsNumColors;
  expected.cupsBitsPerColor = out.cupsBitsPerColor;
  expected.cupsBitsPerPixel = out.cupsBitsPerPixel;
  expected.cupsBytesPerLine = out.cupsBytesPerLine;
  if (std::memcmp(&expected, &out, sizeof(out)) != 0) {
    Fail("a header field changed that must not");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) Fail("usage: expect_raster GRAY OUT [NAME=VALUE ...]");
  Expected expected;
  for (int i = 3; i < argc; ++i) expected.Take(argv[i]);

  Reader grays(argv[1]);
  Reader outs(argv[2]);
  RasterPage gray;
  RasterPage out;
  int pages = 0;
  while (grays.Next(gray)) {
    ++pages;
    std::printf("page %d: ", pages);
    if (!outs.Next(out)) Fail("is missing");
    const Recipe recipe = expected.RecipeOf(gray.header);
    CompareHeaders(gray.header, out.header,
                   static_cast<unsigned>(recipe.levels().bits_per_sample));
    ComparePixels(gray, out, recipe, expected.look.text_edges,
                  OriginOn(gray, out, expected.back_side, pages % 2 == 0));
    std::printf("%u x %u, equal\n", out.header.cupsWidth,
                out.header.cupsHeight);
  }
  if (outs.Next(out)) Fail("one page too many");
  if (pages == 0) Fail("there are no pages");
  std::printf("%d pages\n", pages);
  return 0;
}
