// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/run_palette.h"

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/text_file.h"
#include "command/console.h"
#include "convert/jobs.h"
#include "convert/laid_page.h"
#include "convert/output_folder.h"
#include "convert/output_pages.h"
#include "convert/stages.h"
#include "halftone/palette/palette_page.h"
#include "print/file/input_file.h"
#include "print/file/last_words.h"
#include "print/file/signal_watch.h"
#include "print/image/open_image.h"

namespace halftoned {
namespace {

// The number of lanes of the fastest engines.
constexpr int32_t kRowsAtOnce = 32;

Result<Palette> PaletteOf(const std::string& text) {
  if (Palette::Begins(text)) return Palette::Parse(text);
  const Result<std::string> file = ReadTextFile(text);
  if (!file.ok()) {
    std::vector<std::string_view> names;
    for (const NamedPalette& named : NamedPalettes()) {
      names.push_back(named.name);
    }
    return BadInput("--palette: " + file.error().message + "; give a file, " +
                    "colors such as '#000000,#ffffff', " + Listed(names));
  }
  Result<Palette> palette = Palette::Parse(*file);
  if (!palette.ok()) return InFile(text, palette.error());
  return palette;
}

// Packs indices, the first in the highest bits.
class IndexPacker {
 public:
  IndexPacker(int32_t width, size_t colors)
      : width_(static_cast<size_t>(width)),
        bits_(colors <= 2   ? 1
              : colors <= 4 ? 2
                            : 4),
        bytes_per_row_((width_ * static_cast<size_t>(bits_) + 7) / 8),
        bytes_(bytes_per_row_ * kRowsAtOnce) {}

  int bits() const { return bits_; }

  BitBand Pack(const std::vector<uint8_t>& indices, int32_t rows) {
    const size_t per_byte = 8 / static_cast<size_t>(bits_);
    for (size_t i = 0; i < static_cast<size_t>(rows); ++i) {
      std::byte* to = &bytes_[i * bytes_per_row_];
      for (size_t j = 0; j < width_; j += per_byte) {
        unsigned byte = 0;
        for (size_t k = 0; k < per_byte; ++k) {
          byte <<= bits_;
          if (j + k < width_) byte |= indices[i * width_ + j + k];
        }
        *to++ = static_cast<std::byte>(byte);
      }
    }
    return {bytes_.data(), bytes_per_row_, rows};
  }

 private:
  const size_t width_;
  const int bits_;
  const size_t bytes_per_row_;
  std::vector<std::byte> bytes_;
};

class PaletteConversion {
 public:
  PaletteConversion(std::shared_ptr<const PaletteModel> model,
                    const PaletteEngine& engine, const ConvertOptions& options,
                    const ImageTrust& trust, PendingFiles& pending)
      : model_(std::move(model)),
        engine_(engine),
        options_(options),
        trust_(trust),
        pending_(pending) {}

  Result<void> Run(const ConvertJob& job) {
    Stage reading{job.input == "-" ? "standard input" : job.input};
    Stage writing{job.output == "-" ? "standard output" : job.output};
    HALFTONED_TRY_ASSIGN(InputFile input, reading.Do([&] {
      return InputFile::Open(job.input);
    }));
    HALFTONED_TRY_ASSIGN(const auto image, reading.Do([&] {
      return OpenColorImage(input, trust_);
    }));
    OutputPages output(job.output, *job.format, {job.options, false, false},
                       pending_);
    HALFTONED_TRY(writing.Do([&] { return output.Open(); }));
    for (int64_t number = 1;; ++number) {
      HALFTONED_TRY_ASSIGN(auto page,
                           reading.Do([&] { return image->Next(); }));
      if (!page) break;
      if (number > 1) {
        HALFTONED_TRY(writing.Do([&] { return output.ExpectSeveral(); }));
      }
      HALFTONED_TRY_ASSIGN(const LaidPage laid,
                           reading.Do([&] { return Lay(std::move(page)); }));
      HALFTONED_TRY(ConvertPage(laid, number, output, reading, writing));
    }
    return writing.Do([&] { return output.Finish(); });
  }

 private:
  Result<LaidPage> Lay(std::unique_ptr<PageReader> page) {
    HALFTONED_TRY_ASSIGN(page, Turned(std::move(page), options_.rotate));
    return LayPicture(std::move(page), options_.dpi, options_.size,
                      options_.scaling.value_or(Scaling::kStretch), pool_);
  }

  Result<void> ConvertPage(const LaidPage& laid, int64_t number,
                           OutputPages& output, Stage& reading,
                           Stage& writing) {
    PageReader& page = *laid.page;
    const PageInfo& info = page.info();
    const int32_t width = info.page.width();
    HALFTONED_TRY_ASSIGN(PalettePage colors,
                         PalettePage::Open(model_, engine_, width));
    IndexPacker packer(width, model_->count());
    HALFTONED_TRY(writing.Do([&] {
      return output.Begin(OutputPageOf(laid, packer.bits()), number);
    }));
    const size_t pitch = 3 * static_cast<size_t>(width);
    std::vector<std::byte> rgb(pitch * kRowsAtOnce);
    std::vector<uint8_t> indices(rgb.size() / 3);
    for (bool is_last = false; !is_last;) {
      HALFTONED_TRY_ASSIGN(const Filled filled, reading.Do([&] {
        return page.Read({rgb.data(), pitch, kRowsAtOnce});
      }));
      is_last = filled.last;
      colors.Halftone(
          {reinterpret_cast<const uint8_t*>(rgb.data()), pitch, filled.rows},
          {indices.data(), static_cast<size_t>(width)});
      HALFTONED_TRY(writing.Do(
          [&] { return output.Write(packer.Pack(indices, filled.rows)); }));
    }
    return {};
  }

  BitPage OutputPageOf(const LaidPage& laid, int bits) const {
    const PageInfo& info = laid.page->info();
    BitPage page{info.page.width(), info.rows, bits, info.metadata};
    page.metadata.resolution = laid.resolution;
    for (const PaletteColor& color : model_->palette().colors()) {
      page.palette.push_back(color.sent);
    }
    return page;
  }

  const std::shared_ptr<const PaletteModel> model_;
  const PaletteEngine engine_;
  const ConvertOptions& options_;
  const ImageTrust trust_;
  Pool pool_{0};
  PendingFiles& pending_;
};

// Jobs with PNG outputs, even if the output is a directory.
Result<std::vector<ConvertJob>> PngJobsOf(ConvertOptions& options) {
  const std::string format = std::exchange(options.format, "png");
  HALFTONED_TRY_ASSIGN(std::vector<ConvertJob> jobs, JobsOf(options));
  for (const ConvertJob& job : jobs) {
    std::string name = format;
    if (name.empty() && job.output != "-") name = ExtensionOf(job.output);
    if (name.empty() || LowerCase(name) == "png") continue;
    return BadInput(job.output + ": --palette writes only PNG; use .png");
  }
  return jobs;
}

}  // namespace

int RunPalette(ConvertOptions options) {
  const auto jobs = PngJobsOf(options);
  Console console(!options.quiet, jobs.ok() ? jobs->size() : 0);
  const auto fail = [&](const Error& error, int status) {
    console.ShowError(error);
    return status;
  };
  if (!jobs.ok()) return fail(jobs.error(), kUsageStatus);
  auto palette = PaletteOf(options.palette);
  if (!palette.ok()) return fail(palette.error(), kUsageStatus);
  const auto engine = ChoosePaletteEngine(options.engine);
  if (!engine.ok()) return fail(engine.error(), kUsageStatus);
  PendingFiles pending(!options.no_clobber);
  const LastWordsFiles last_words(pending);
  const SignalWatch signals(pending);
  OutputFolder folder(FolderToMake(options), false);
  const Result<void> made = folder.Make();
  if (!made.ok()) return fail(made.error(), 1);
  ImageTrust trust;
  trust.remedy = "--any-size accepts it";
  if (options.any_size) trust.free_pixels = ImageTrust::kAnySize;
  PaletteConversion conversion(
      std::make_shared<const PaletteModel>(std::move(*palette)), *engine,
      options, trust, pending);
  int status = 0;
  for (const ConvertJob& job : *jobs) {
    const Result<void> converted = conversion.Run(job);
    if (!converted.ok()) status = fail(converted.error(), 1);
  }
  return status;
}

}  // namespace halftoned
