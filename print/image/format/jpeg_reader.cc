// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JPEG images in gray, colors or inks, sequential or progressive, turned
// upright as the camera says. A truncated or damaged image is refused.

// jpeglib.h needs this order.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
// clang-format on

#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/text.h"
#include "print/image/exif.h"
#include "print/image/formats.h"
#include "print/image/orientation.h"
#include "print/image/pixel_row.h"

namespace halftoned {
namespace {

// A progressive image is in memory as a whole, and takes time for each scan.
constexpr long kMostMemory = 1L << 30;  // NOLINT: libjpeg's type
constexpr int kMostScans = 200;

constexpr int kExifMarker = JPEG_APP0 + 1;

J_COLOR_SPACE ColorSpaceFor(J_COLOR_SPACE stored) {
  if (stored == JCS_GRAYSCALE) return JCS_GRAYSCALE;
  return stored == JCS_CMYK || stored == JCS_YCCK ? JCS_CMYK : JCS_RGB;
}

class JpegFile {
 public:
  explicit JpegFile(InputFile& file) : file_(file) {
    jpeg_.err = jpeg_std_error(&errors_);
    errors_.error_exit = OnError;
    errors_.emit_message = OnMessage;
    source_.init_source = [](j_decompress_ptr) {};
    source_.term_source = [](j_decompress_ptr) {};
    source_.fill_input_buffer = Fill;
    source_.skip_input_data = Skip;
    source_.resync_to_restart = jpeg_resync_to_restart;
    progress_.progress_monitor = OnProgress;
    jpeg_.client_data = this;
  }
  ~JpegFile() { jpeg_destroy_decompress(&jpeg_); }
  JpegFile(const JpegFile&) = delete;
  JpegFile& operator=(const JpegFile&) = delete;

  // Reads up to the pixels, or all scans of an image with several.
  Result<void> Open(const ImageTrust& trust) {
    HALFTONED_TRY(ReadHeader());
    if (trust.take_memory && jpeg_has_multiple_scans(&jpeg_)) {
      HALFTONED_TRY_ASSIGN(memory_, trust.take_memory(BytesOfScans()));
    }
    return Guard([this] { jpeg_start_decompress(&jpeg_); });
  }

  Result<void> ReadRow(std::span<std::byte> row) {
    return Guard([&] {
      auto* bytes = reinterpret_cast<JSAMPROW>(row.data());
      jpeg_read_scanlines(&jpeg_, &bytes, 1);
    });
  }

  const jpeg_decompress_struct& jpeg() const { return jpeg_; }

  // The orientation in the first marker.
  int orientation() const {
    const auto* marker = jpeg_.marker_list;
    if (!marker) return 1;
    return OrientationInExif(
        std::as_bytes(std::span(marker->data, size_t{marker->data_length})));
  }

 private:
  Result<void> ReadHeader() {
    return Guard([this] {
      jpeg_create_decompress(&jpeg_);
      jpeg_.client_data = this;
      jpeg_.mem->max_memory_to_use = kMostMemory;
      jpeg_.src = &source_;
      jpeg_.progress = &progress_;
      jpeg_save_markers(&jpeg_, kExifMarker, 0xFFFF);
      jpeg_read_header(&jpeg_, TRUE);
      jpeg_.out_color_space = ColorSpaceFor(jpeg_.jpeg_color_space);
    });
  }

  // libjpeg keeps all blocks, in rows and columns of whole units.
  int64_t BytesOfScans() const {
    const auto whole = [](JDIMENSION blocks, int unit) {
      return (int64_t{blocks} + unit - 1) / unit * unit;
    };
    int64_t bytes = 0;
    for (int i = 0; i < jpeg_.num_components; ++i) {
      const jpeg_component_info& component = jpeg_.comp_info[i];
      const int64_t columns =
          whole(component.width_in_blocks, component.h_samp_factor);
      const int64_t rows =
          whole(component.height_in_blocks, component.v_samp_factor);
      bytes += rows *
               (columns * int64_t{sizeof(JBLOCK)} + int64_t{sizeof(JBLOCKROW)});
    }
    return bytes;
  }

  static JpegFile* Self(j_common_ptr jpeg) {
    return static_cast<JpegFile*>(jpeg->client_data);
  }

  // Runs `work`, which calls libjpeg, and must have no objects with
  // destructors: libjpeg jumps out of it.
  template <typename Work>
  Result<void> Guard(Work work) {
    if (setjmp(jump_) != 0) return *std::exchange(error_, std::nullopt);
    work();
    return {};
  }

  static void OnError(j_common_ptr jpeg) {
    Self(jpeg)->TakeMessage(jpeg);
    std::longjmp(Self(jpeg)->jump_, 1);
  }
  // A warning means that pixels are wrong.
  static void OnMessage(j_common_ptr jpeg, int level) {
    if (level < 0) OnError(jpeg);
    const auto* image = reinterpret_cast<j_decompress_ptr>(jpeg);
    if (image->input_scan_number > kMostScans) Self(jpeg)->TooManyScans();
    Self(jpeg)->KeepOneMarker();
  }
  // libjpeg has a message for each marker that it has read. A file can have any
  // number of them.
  void KeepOneMarker() {
    if (jpeg_.marker_list) jpeg_save_markers(&jpeg_, kExifMarker, 0);
  }
  // Called for each row of blocks, even before the first row of a progressive
  // image, which is decoded as a whole.
  static void OnProgress(j_common_ptr jpeg) {
    if (Self(jpeg)->IsCanceled()) std::longjmp(Self(jpeg)->jump_, 1);
  }
  // Not part of OnProgress, which jumps.
  bool IsCanceled() {
    const auto checked = file_.CheckCanceled();
    if (!checked.ok()) error_ = checked.error();
    return !checked.ok();
  }
  [[noreturn]] void TooManyScans() {
    if (!error_) error_ = BadInput("has too many scans");
    std::longjmp(jump_, 1);
  }
  void TakeMessage(j_common_ptr jpeg) {
    std::array<char, JMSG_LENGTH_MAX> message{};
    jpeg->err->format_message(jpeg, message.data());
    if (!error_) error_ = BadInput(Printable(OneLine(message.data())));
  }

  static boolean Fill(j_decompress_ptr jpeg) {
    JpegFile* self = Self(reinterpret_cast<j_common_ptr>(jpeg));
    if (!self->FillRoom()) std::longjmp(self->jump_, 1);
    return TRUE;
  }
  // Not part of Fill, which jumps and so must have no objects with destructors.
  bool FillRoom() {
    const auto read = file_.ReadSome(room_);
    if (!read.ok()) {
      error_ = read.error();
    } else if (*read == 0) {
      error_ = BadInput("its pixels end too early");
    } else {
      source_.next_input_byte = reinterpret_cast<JOCTET*>(room_.data());
      source_.bytes_in_buffer = *read;
    }
    return !error_;
  }
  static void Skip(j_decompress_ptr jpeg, long bytes) {  // NOLINT
    JpegFile* self = Self(reinterpret_cast<j_common_ptr>(jpeg));
    auto left = static_cast<size_t>(bytes > 0 ? bytes : 0);
    while (left > self->source_.bytes_in_buffer) {
      left -= self->source_.bytes_in_buffer;
      Fill(jpeg);
    }
    self->source_.next_input_byte += left;
    self->source_.bytes_in_buffer -= left;
  }

  InputFile& file_;
  std::shared_ptr<void> memory_;  // that libjpeg uses
  jpeg_decompress_struct jpeg_{};
  jpeg_error_mgr errors_{};
  jpeg_source_mgr source_{};
  jpeg_progress_mgr progress_{};
  std::jmp_buf jump_{};
  std::optional<Error> error_;
  std::vector<std::byte> room_{InputFile::kBufferBytes};
};

class JpegPage : public PageReader {
 public:
  // has_light: samples of inks say how much light the inks leave.
  JpegPage(JpegFile& file, PageInfo info, PixelRow pixel_row, bool has_light)
      : PageReader(std::move(info)),
        file_(file),
        has_light_(has_light),
        pixel_row_(std::move(pixel_row)),
        row_(pixel_row_.bytes_per_row()) {}

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    for (int32_t i = 0; i < room.rows; ++i) {
      HALFTONED_TRY(file_.ReadRow(row_));
      if (has_light_) {
        for (std::byte& sample : row_) sample = ~sample;
      }
      pixel_row_.Make(row_.data(), room.row(i));
    }
    return {};
  }

 private:
  JpegFile& file_;
  const bool has_light_;
  PixelRow pixel_row_;
  std::vector<std::byte> row_;
};

class JpegImage : public ImageReader {
 public:
  JpegImage(InputFile& file, Pixels pixels) : file_(file), pixels_(pixels) {}

  Result<void> Open(const ImageTrust& trust) {
    take_disk_ = trust.take_disk;
    return file_.Open(trust);
  }

  Result<std::unique_ptr<PageReader>> Next() override {
    if (std::exchange(is_given_, true)) return std::unique_ptr<PageReader>();
    const jpeg_decompress_struct& jpeg = file_.jpeg();
    HALFTONED_TRY_ASSIGN(const Page page, Page::Make(jpeg.output_width, 8));
    PixelFormat format;
    format.samples_per_pixel = jpeg.output_components;
    if (jpeg.output_components == 3) format.colors = Colors::kRgb;
    if (jpeg.output_components == 4) format.colors = Colors::kCmyk;
    if (format.colors == Colors::kCmyk && pixels_ == Pixels::kRgb) {
      return BadInput("is a CMYK image; --palette needs RGB or gray");
    }
    Metadata metadata;
    if (jpeg.saw_JFIF_marker && jpeg.density_unit != 0) {
      const double per_inch = jpeg.density_unit == 2 ? 2.54 : 1;
      metadata.resolution =
          Plausible({jpeg.X_density * per_inch, jpeg.Y_density * per_inch});
    }
    auto stored = std::make_unique<JpegPage>(
        file_, PageInfo{page, jpeg.output_height, std::move(metadata), pixels_},
        PixelRow(format, page.width(), pixels_),
        format.colors == Colors::kCmyk && jpeg.saw_Adobe_marker);
    HALFTONED_TRY_ASSIGN(const Orientation orientation,
                         OrientationOf(file_.orientation()));
    return Orient(std::move(stored), orientation, take_disk_);
  }

 private:
  JpegFile file_;
  const Pixels pixels_;
  TakeDisk take_disk_;
  bool is_given_ = false;
};

}  // namespace

Result<bool> IsJpeg(InputFile& file) {
  HALFTONED_TRY_ASSIGN(const auto bytes, file.Peek(2));
  return bytes.size() == 2 && bytes[0] == std::byte{0xFF} &&
         bytes[1] == std::byte{0xD8};
}

Result<std::unique_ptr<ImageReader>> OpenJpeg(InputFile& file,
                                              const ImageTrust& trust,
                                              Pixels pixels) {
  auto image = std::make_unique<JpegImage>(file, pixels);
  HALFTONED_TRY(image->Open(trust));
  return std::unique_ptr<ImageReader>(std::move(image));
}

}  // namespace halftoned
