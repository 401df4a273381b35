// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TIFF images of packed samples. Two levels are written with 0 as white
// (MinIsWhite), as faxes, imagesetters and their software expect; more levels
// with 0 as black.

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "print/file/temporary_file.h"
#include "print/image/formats.h"
#include "print/image/samples.h"
#include "print/image/software.h"
#include "print/image/tiff/tiff_file.h"

namespace halftoned {
namespace {

// The size of a strip. Readers decode a strip at a time: large enough to
// compress well, small enough for all readers. It does not depend on the bands,
// so neither does the file.
constexpr size_t kStripBytes = size_t{64} << 10;

// Higher levels gain little on halftones: on an A4 page of photographs (text)
// at 600 dpi, level 6 saved 0.1 % (5 %) over level 1 and took 2.4 times as
// long, level 9 saved 2 % (9 %) and took 7 times as long.
constexpr int kZipQuality = 1;

// A page of more bytes might not fit into a classic TIFF file.
constexpr int64_t kClassicBytes = int64_t{7} << 29;

uint16_t CompressionTag(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return COMPRESSION_NONE;
    case Compression::kPackBits:
      return COMPRESSION_PACKBITS;
    case Compression::kDeflate:
      return COMPRESSION_ADOBE_DEFLATE;
    case Compression::kLzw:
      return COMPRESSION_LZW;
    case Compression::kG4:
      return COMPRESSION_CCITTFAX4;
  }
  return COMPRESSION_NONE;
}

void SetText(TIFF* tiff, uint32_t tag, const std::string& text) {
  if (!text.empty()) TIFFSetField(tiff, tag, text.c_str());
}

void SetMetadata(TIFF* tiff, const Metadata& metadata,
                 const std::string& software) {
  if (metadata.resolution) {
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, metadata.resolution->x);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, metadata.resolution->y);
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT,
                 metadata.resolution->has_unit ? RESUNIT_INCH : RESUNIT_NONE);
  }
  SetText(tiff, TIFFTAG_DOCUMENTNAME, metadata.title);
  SetText(tiff, TIFFTAG_IMAGEDESCRIPTION, metadata.description);
  SetText(tiff, TIFFTAG_ARTIST, metadata.author);
  SetText(tiff, TIFFTAG_COPYRIGHT, metadata.copyright);
  if (metadata.date.size() == 19) {
    SetText(tiff, TIFFTAG_DATETIME, metadata.date);
  }
  SetText(tiff, TIFFTAG_SOFTWARE, software);
}

class TiffWriter : public ImageWriter {
 public:
  TiffWriter(OutputFile& file, const OutputOptions& options)
      : file_(file),
        options_(options),
        compression_(options.compression.value_or(Compression::kNone)) {}

  Result<void> Begin(const BitPage& page) override;
  Result<void> Write(const BitBand& bits) override;
  Result<void> Finish() override;

 private:
  Result<void> Open(const BitPage& first_page);
  Error WriteError() {
    const Error error = tiff_->TakeError("libtiff reports no reason");
    return error.code == ErrorCode::kIo
               ? error
               : IoError("cannot write: " + error.message);
  }
  void SetGeometry(const BitPage& page);
  Result<void> WriteStrip();

  OutputFile& file_;
  const OutputOptions options_;
  const Compression compression_;
  Descriptor spool_;  // for an output that is not a regular file
  std::unique_ptr<TiffFile> tiff_;
  size_t width_ = 0;
  size_t bytes_per_row_ = 0;
  bool is_bitmap_ = true;
  int64_t rows_left_ = 0;  // of the page
  int64_t strip_rows_ = 0;
  uint32_t next_strip_ = 0;
  std::vector<uint8_t> strip_;
  size_t strip_filled_ = 0;
  uint16_t pages_ = 0;
};

Result<void> TiffWriter::Open(const BitPage& first_page) {
  const int64_t bytes =
      first_page.rows * first_page.width / 8 * first_page.bits_per_sample;
  int fd = file_.fd();
  if (!file_.is_seekable()) {
    HALFTONED_TRY_ASSIGN(spool_, MakeTemporaryFile());
    fd = spool_.get();
  }
  HALFTONED_TRY_ASSIGN(
      tiff_,
      TiffFile::OpenToWrite(fd, options_.big_tiff || bytes > kClassicBytes));
  return {};
}

void TiffWriter::SetGeometry(const BitPage& page) {
  TIFF* tiff = tiff_->get();
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<uint32_t>(page.width));
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<uint32_t>(page.rows));
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, page.bits_per_sample);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, CompressionTag(compression_));
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
               is_bitmap_ ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, static_cast<uint32_t>(strip_rows_));
  if (compression_ == Compression::kDeflate) {
    TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, kZipQuality);
  }
}

Result<void> TiffWriter::Begin(const BitPage& page) {
  if (page.rows > 0xffffffff) {
    return BadInput("a TIFF page has at most 4294967295 rows");
  }
  if (compression_ == Compression::kG4 && page.bits_per_sample != 1) {
    return BadInput("G4 compression is for two levels only");
  }
  width_ = static_cast<size_t>(page.width);
  is_bitmap_ = page.bits_per_sample == 1;
  bytes_per_row_ = (width_ * size_t(page.bits_per_sample) + 7) / 8;
  strip_rows_ = std::clamp<int64_t>(
      static_cast<int64_t>(kStripBytes / bytes_per_row_), 1, page.rows);
  strip_.resize(static_cast<size_t>(strip_rows_) * bytes_per_row_);
  rows_left_ = page.rows;
  next_strip_ = 0;
  if (!tiff_) {
    HALFTONED_TRY(Open(page));
  } else if (!TIFFWriteDirectory(tiff_->get())) {
    return WriteError();
  }
  SetGeometry(page);
  SetMetadata(tiff_->get(), page.metadata, SoftwareText(options_));
  // The total, 0, means unknown: pages arrive one by one.
  TIFFSetField(tiff_->get(), TIFFTAG_PAGENUMBER, pages_++, 0);
  return {};
}

Result<void> TiffWriter::Write(const BitBand& bits) {
  for (int32_t i = 0; i < bits.rows; ++i) {
    uint8_t* room = strip_.data() + strip_filled_;
    if (is_bitmap_) {
      InvertBits(bits.row(i), width_, room);
    } else {
      std::memcpy(room, bits.row(i), bytes_per_row_);
    }
    strip_filled_ += bytes_per_row_;
    --rows_left_;
    if (strip_filled_ == strip_.size() || rows_left_ == 0) {
      HALFTONED_TRY(WriteStrip());
    }
  }
  return {};
}

// Codecs work best on a whole strip: libtiff then uses libdeflate for Deflate,
// and writes uncompressed data without a copy.
Result<void> TiffWriter::WriteStrip() {
  const auto bytes = static_cast<tmsize_t>(std::exchange(strip_filled_, 0));
  if (TIFFWriteEncodedStrip(tiff_->get(), next_strip_++, strip_.data(),
                            bytes) != bytes) {
    return WriteError();
  }
  return {};
}

Result<void> TiffWriter::Finish() {
  if (!tiff_->Close()) return WriteError();
  return spool_.open() ? file_.WriteCopyOf(spool_.get()) : Result<void>();
}

}  // namespace

std::unique_ptr<ImageWriter> MakeTiffWriter(OutputFile& file,
                                            const OutputOptions& options) {
  return std::make_unique<TiffWriter>(file, options);
}

}  // namespace halftoned
