// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/tiff/tiff_layout.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "halftone/look/gray/luminance.h"

namespace halftoned {
namespace {

constexpr int kMaxSamples = 16;

// Fields of the directory, or their defaults.
struct Fields {
  uint32_t width = 0;
  uint32_t rows = 0;
  uint16_t bits = 1;
  uint16_t samples = 1;
  uint16_t sample_format = SAMPLEFORMAT_UINT;
  uint16_t planar = PLANARCONFIG_CONTIG;
  uint16_t compression = COMPRESSION_NONE;
  uint16_t fill_order = FILLORDER_MSB2LSB;
  uint16_t orientation = ORIENTATION_TOPLEFT;
  uint16_t photometric = PHOTOMETRIC_MINISBLACK;
};

uint16_t GuessPhotometric(const Fields& fields) {
  const bool is_fax = fields.compression == COMPRESSION_CCITTRLE ||
                      fields.compression == COMPRESSION_CCITTFAX3 ||
                      fields.compression == COMPRESSION_CCITTFAX4;
  if (is_fax) return PHOTOMETRIC_MINISWHITE;
  return fields.samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
}

Fields ReadFields(TIFF* tiff) {
  Fields fields;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &fields.width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &fields.rows);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &fields.bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &fields.samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &fields.sample_format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &fields.planar);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &fields.compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_FILLORDER, &fields.fill_order);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &fields.orientation);
  if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &fields.photometric)) {
    fields.photometric = GuessPhotometric(fields);
  }
  return fields;
}

// Makes codecs with several output forms use one that is supported here.
void ChooseDecodedForm(TIFF* tiff, const Fields& fields) {
  if (fields.photometric == PHOTOMETRIC_YCBCR &&
      fields.compression == COMPRESSION_JPEG &&
      fields.planar == PLANARCONFIG_CONTIG) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
  if (fields.photometric == PHOTOMETRIC_LOGL ||
      fields.photometric == PHOTOMETRIC_LOGLUV) {
    TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_8BIT);
  }
}

std::string Count(uint32_t number, const char* what) {
  return std::to_string(number) + ' ' + what;
}

// The meaning of the samples; nothing if only libtiff's conversion knows it.
Result<std::optional<Colors>> ColorsOf(TIFF* tiff, const Fields& fields) {
  using Known = std::optional<Colors>;
  switch (fields.photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_LOGL:
      return Known(Colors::kGray);
    case PHOTOMETRIC_RGB:
    case PHOTOMETRIC_LOGLUV:
      return Known(Colors::kRgb);
    case PHOTOMETRIC_PALETTE:
      return Known(Colors::kPalette);
    case PHOTOMETRIC_SEPARATED: {
      uint16_t ink_set = INKSET_CMYK;
      TIFFGetFieldDefaulted(tiff, TIFFTAG_INKSET, &ink_set);
      if (ink_set != INKSET_CMYK) return BadInput("its inks are not CMYK");
      return Known(Colors::kCmyk);
    }
    case PHOTOMETRIC_YCBCR:
      if (fields.compression == COMPRESSION_JPEG &&
          fields.planar == PLANARCONFIG_CONTIG) {
        return Known(Colors::kRgb);
      }
      return Known();
    case PHOTOMETRIC_CIELAB:
      return Known();
  }
  return BadInput("photometric interpretation " +
                  std::to_string(fields.photometric) + " is not supported");
}

std::string_view NameOf(Colors colors) {
  switch (colors) {
    case Colors::kGray:
      return "gray";
    case Colors::kRgb:
      return "RGB";
    case Colors::kCmyk:
      return "CMYK";
    case Colors::kPalette:
      return "a palette";
  }
  return "";
}

Result<void> CheckSamples(const Fields& fields) {
  const int bits = fields.bits;
  if (fields.sample_format == SAMPLEFORMAT_IEEEFP) {
    if (bits == 16 || bits == 32 || bits == 64) return {};
    return BadInput(Count(fields.bits,
                          "bits per floating-point sample are not "
                          "supported"));
  }
  if (fields.sample_format != SAMPLEFORMAT_UINT &&
      fields.sample_format != SAMPLEFORMAT_VOID) {
    return BadInput(
        "samples that are neither unsigned nor floating-point "
        "are not supported");
  }
  if ((bits >= 1 && bits <= 16) || bits == 32) return {};
  return BadInput(Count(fields.bits, "bits per sample are not supported"));
}

// Finds the first extra sample that is alpha.
void FindAlpha(TIFF* tiff, const Fields& fields, PixelFormat& format) {
  uint16_t count = 0;
  uint16_t* kinds = nullptr;
  if (!TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds)) {
    return;
  }
  const int first_extra = fields.samples - count;
  for (int i = 0; i < count; ++i) {
    if (kinds[i] != EXTRASAMPLE_ASSOCALPHA &&
        kinds[i] != EXTRASAMPLE_UNASSALPHA) {
      continue;
    }
    if (first_extra + i < ColorSamples(format.colors)) continue;
    format.alpha = kinds[i] == EXTRASAMPLE_ASSOCALPHA ? Alpha::kPremultiplied
                                                      : Alpha::kStraight;
    format.alpha_sample = first_extra + i;
    return;
  }
}

Result<std::vector<uint8_t>> ReadPalette(TIFF* tiff, int bits) {
  uint16_t* red = nullptr;
  uint16_t* green = nullptr;
  uint16_t* blue = nullptr;
  if (!TIFFGetField(tiff, TIFFTAG_COLORMAP, &red, &green, &blue)) {
    return BadInput("its palette is missing");
  }
  const size_t size = size_t{1} << bits;
  // Old writers stored 8-bit entries.
  const auto is_small = [&](const uint16_t* entries) {
    return std::all_of(entries, entries + size,
                       [](uint16_t entry) { return entry < 256; });
  };
  const int shift = is_small(red) && is_small(green) && is_small(blue) ? 0 : 8;
  std::vector<uint8_t> palette(size);
  for (size_t i = 0; i < size; ++i) {
    palette[i] = static_cast<uint8_t>(
        Luma(red[i] >> shift, green[i] >> shift, blue[i] >> shift));
  }
  return palette;
}

Result<PixelFormat> ReadFormat(TIFF* tiff, const Fields& fields,
                               Colors colors) {
  HALFTONED_TRY(CheckSamples(fields));
  PixelFormat format;
  format.colors = colors;
  format.high_is_dark = fields.photometric == PHOTOMETRIC_MINISWHITE;
  format.bits_per_sample = fields.bits;
  format.is_float = fields.sample_format == SAMPLEFORMAT_IEEEFP;
  format.max_value = fields.bits >= 32 ? 0xffffffff : (1u << fields.bits) - 1;
  format.samples_per_pixel = fields.samples;
  format.planar = fields.planar == PLANARCONFIG_SEPARATE && fields.samples > 1;
  const int needed = ColorSamples(colors);
  if (fields.samples < needed) {
    return BadInput(std::string(NameOf(colors)) + " needs " +
                    std::to_string(needed) + " samples per pixel, not " +
                    std::to_string(fields.samples));
  }
  if (fields.samples > kMaxSamples) {
    return BadInput(
        Count(fields.samples, "samples per pixel are not supported"));
  }
  FindAlpha(tiff, fields, format);
  if (colors == Colors::kPalette) {
    if (format.alpha != Alpha::kNone) {
      return BadInput("a palette with alpha is not supported");
    }
    if (format.is_float || fields.bits > 8) {
      return BadInput(Count(fields.bits,
                            "bits per palette index are not "
                            "supported"));
    }
    HALFTONED_TRY_ASSIGN(format.palette, ReadPalette(tiff, fields.bits));
  }
  return format;
}

// The output of TIFFReadRGBA…: bytes R, G, B, A, premultiplied.
PixelFormat RgbaFormat() {
  PixelFormat format;
  format.colors = Colors::kRgb;
  format.alpha = Alpha::kPremultiplied;
  format.alpha_sample = 3;
  format.samples_per_pixel = 4;
  return format;
}

TiffStorage StorageOf(TIFF* tiff, const Fields& fields,
                      const PixelFormat& format) {
  if (TIFFIsTiled(tiff)) return TiffStorage::kTiles;
  if (fields.compression == COMPRESSION_NONE) return TiffStorage::kRawStrips;
  // These codecs decode only whole strips.
  const bool is_whole = fields.compression == COMPRESSION_JBIG ||
                        fields.compression == COMPRESSION_OJPEG;
  return format.planar || is_whole ? TiffStorage::kStrips
                                   : TiffStorage::kScanlines;
}

std::string ReadText(TIFF* tiff, uint32_t tag) {
  char* text = nullptr;
  return TIFFGetField(tiff, tag, &text) && text ? Utf8FromAny(text) : "";
}

std::optional<Resolution> ReadResolution(TIFF* tiff) {
  float x = 0;
  float y = 0;
  uint16_t unit = RESUNIT_INCH;
  if (!TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x)) return std::nullopt;
  if (!TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y)) y = x;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  const double per_inch = unit == RESUNIT_CENTIMETER ? 2.54 : 1;
  return Plausible({x * per_inch, y * per_inch, unit != RESUNIT_NONE});
}

Metadata ReadMetadata(TIFF* tiff) {
  Metadata metadata;
  metadata.resolution = ReadResolution(tiff);
  metadata.title = ReadText(tiff, TIFFTAG_DOCUMENTNAME);
  metadata.description = ReadText(tiff, TIFFTAG_IMAGEDESCRIPTION);
  metadata.author = ReadText(tiff, TIFFTAG_ARTIST);
  metadata.copyright = ReadText(tiff, TIFFTAG_COPYRIGHT);
  metadata.date = ReadText(tiff, TIFFTAG_DATETIME);
  return metadata;
}

Result<void> CheckSize(TIFF* tiff, const TiffLayout& layout) {
  if (layout.width < 1) return BadInput("has no columns");
  if (layout.rows < 1) return BadInput("has no rows");
  if (TIFFIsTiled(tiff) &&
      (layout.tile_width < 1 || layout.rows_per_strip < 1)) {
    return BadInput("its tiles have no size");
  }
  return {};
}

}  // namespace

Result<TiffLayout> ReadTiffLayout(TiffFile& file) {
  TIFF* tiff = file.get();
  ChooseDecodedForm(tiff, ReadFields(tiff));
  const Fields fields = ReadFields(tiff);
  HALFTONED_TRY(CheckWidth(fields.width));
  TiffLayout layout{};
  layout.width = static_cast<int32_t>(fields.width);
  layout.rows = fields.rows;
  if (TIFFIsTiled(tiff)) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &layout.tile_width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &layout.rows_per_strip);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &layout.rows_per_strip);
    layout.rows_per_strip =
        std::max(1u, std::min<uint32_t>(layout.rows_per_strip, fields.rows));
  }
  HALFTONED_TRY(CheckSize(tiff, layout));
  HALFTONED_TRY_ASSIGN(layout.orientation, OrientationOf(fields.orientation));
  HALFTONED_TRY_ASSIGN(const auto colors, ColorsOf(tiff, fields));
  if (colors) {
    HALFTONED_TRY_ASSIGN(layout.format, ReadFormat(tiff, fields, *colors));
    layout.storage = StorageOf(tiff, fields, layout.format);
  } else {
    char why[1024] = "";
    if (!TIFFRGBAImageOK(tiff, why)) return BadInput(why);
    layout.format = RgbaFormat();
    layout.storage =
        TIFFIsTiled(tiff) ? TiffStorage::kRgbaTiles : TiffStorage::kRgbaStrips;
  }
  layout.metadata = ReadMetadata(tiff);
  return layout;
}

}  // namespace halftoned
