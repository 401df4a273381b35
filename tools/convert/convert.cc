// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/convert.h"

#include <memory>
#include <sstream>
#include <utility>

#include "convert/laid_page.h"
#include "halftone/look/edges/crisp_edges.h"
#include "print/file/digest.h"
#include "print/file/input_file.h"
#include "print/file/shared_reads.h"
#include "print/render/document.h"

namespace halftoned {
namespace {

void AddRecipe(const Recipe::Parts& parts, std::ostringstream& text) {
  text << "version " << parts.version << " levels " << parts.levels;
  text << " parameters";
  for (const int32_t parameter : parts.parameters) text << ' ' << parameter;
  text << " curve";
  for (const uint16_t step : parts.curve.table()) text << ' ' << step;
}

// The size of the halftoned page, if the input leaves a choice.
void AddPixels(const ConvertJob& job, const ConvertSettings& settings,
               std::ostringstream& text) {
  text << " edges " << static_cast<int>(settings.text_edges);
  if (settings.dpi) {
    text << " dpi " << settings.dpi->x << ' ' << settings.dpi->y;
  }
  if (settings.size) {
    text << " size " << settings.size->width.value_or(0) << ' '
         << settings.size->height.value_or(0) << ' '
         << settings.size->is_in_pixels;
  }
  if (settings.scaling) {
    text << " scaling " << static_cast<int>(*settings.scaling);
  }
  text << " rotate " << settings.rotate << " pages " << job.pages.text();
}

std::string SettingsText(const ConvertJob& job,
                         const ConvertSettings& settings) {
  std::ostringstream text;
  text.precision(17);
  AddRecipe(settings.recipe.parts(), text);
  AddPixels(job, settings, text);
  text << " format " << job.format->name << " bigtiff " << job.options.big_tiff;
  if (job.options.compression) {
    text << " compression " << static_cast<int>(*job.options.compression);
  }
  return text.str();
}

// A line of ASCII, readable and comparable, that identifies the bytes of the
// input and all settings that affect the output. The same program writes the
// same output for the same line. Reads all of `input`, which must be a regular
// file.
Result<std::string> MadeFrom(const ConvertJob& job,
                             const ConvertSettings& settings,
                             const InputFile& input) {
  if (!input.is_seekable()) {
    return BadInput("--resume is only for regular files");
  }
  HALFTONED_TRY_ASSIGN(const FileDigest digest, DigestOf(input.fd()));
  return "halftone-type=" + std::string(settings.recipe.name()) +
         "; settings=" + DigestOf(SettingsText(job, settings)) +
         "; input=" + digest.digits;
}

// A small document can claim any number of pages.
constexpr int64_t kMostPages = 2000;

// Tells the listener about every band that is written.
class WatchedSink : public Sink {
 public:
  WatchedSink(Sink& sink, const std::string& input, int64_t page,
              const PageInfo& info, ProgressListener& progress)
      : sink_(sink),
        input_(input),
        page_(page),
        info_(info),
        progress_(progress) {}

  Result<void> Write(const BitBand& bits) override {
    HALFTONED_TRY(sink_.Write(bits));
    rows_ += bits.rows;
    progress_.Advance(input_, page_, int64_t{bits.rows} * info_.page.width(),
                      double(rows_) / double(info_.rows));
    return {};
  }

 private:
  Sink& sink_;
  const std::string& input_;
  const int64_t page_;
  const PageInfo& info_;
  ProgressListener& progress_;
  int64_t rows_ = 0;
};

// The conversion of one file: the stages that its pages pass through in turn.
class Conversion {
 public:
  Conversion(const ConvertJob& job, const ConvertSettings& settings, Flow& flow,
             ProgressListener& progress)
      : job_(job),
        settings_(settings),
        flow_(flow),
        progress_(progress),
        reads_(*settings.pool),
        reading_{job.input == "-" ? "standard input" : job.input},
        halftoning_{reading_.file},
        writing_{job.output == "-" ? "standard output" : job.output} {}

  Result<Report> Run(PendingFiles& pending);

 private:
  Result<std::unique_ptr<ImageReader>> OpenInput(InputFile& input,
                                                 PendingFiles& pending);
  Result<std::optional<std::pair<double, double>>> DocumentSize() const;
  Result<LaidPage> Lay(std::unique_ptr<PageReader> page);
  Result<OutputPages::Options> OutputOptionsFor(const InputFile& input) const;
  Result<bool> IsToBeMade(int64_t number, OutputPages& output);
  Result<void> ConvertPages(ImageReader& image, OutputPages& output);
  Result<void> ConvertPage(LaidPage page, int64_t number, OutputPages& output);

  const ConvertJob& job_;
  const ConvertSettings& settings_;
  Flow& flow_;
  ProgressListener& progress_;
  SharedReads reads_;
  Stage reading_;
  Stage halftoning_;
  Stage writing_;
  Report report_;
  bool is_document_ = false;
  int64_t first_page_ = 1;    // the first page of the image
  int64_t chosen_pages_ = 0;  // so far, in all shards
};

// Documents are drawn in the requested size.
Result<LaidPage> Conversion::Lay(std::unique_ptr<PageReader> page) {
  HALFTONED_TRY_ASSIGN(page, Turned(std::move(page), settings_.rotate));
  if (is_document_) return LaidPage{std::move(page), settings_.dpi};
  return LayPicture(std::move(page), settings_.dpi, settings_.size,
                    settings_.scaling.value_or(Scaling::kStretch),
                    *settings_.pool);
}

Result<void> Conversion::ConvertPage(LaidPage laid, int64_t number,
                                     OutputPages& output) {
  PageReader& page = *laid.page;
  const PageInfo& info = page.info();
  BitPage bits{info.page.width(), info.rows,
               settings_.recipe.levels().bits_per_sample, info.metadata};
  bits.metadata.resolution = laid.resolution;
  HALFTONED_TRY(writing_.Do([&] { return output.Begin(bits, number); }));
  HALFTONED_TRY_ASSIGN(
      const std::unique_ptr<Session> session, halftoning_.Do([&] {
        return settings_.engine->Open(
            {info.page, settings_.recipe, {}, settings_.rows_per_band});
      }));
  ++report_.pages;
  StagedSource source(page, reading_);
  StagedSession staged_session(*session, halftoning_);
  WatchedSink watched(output, job_.input, number, info, progress_);
  StagedSink sink(watched, writing_);
  CrispEdges crisp(source, info.page, settings_.recipe, settings_.text_edges);
  HALFTONED_TRY(flow_.Run(crisp, staged_session, sink));
  report_.pixels += info.rows * info.page.width();
  return {};
}

// Decides about the next page that --pages selects.
Result<bool> Conversion::IsToBeMade(int64_t number, OutputPages& output) {
  const int64_t index = chosen_pages_++;
  if (index > 0) HALFTONED_TRY(output.ExpectSeveral());
  if (!job_.shard.Has(index)) return false;
  HALFTONED_TRY_ASSIGN(const bool is_kept, output.Keeps(number));
  return !is_kept;
}

Result<void> Conversion::ConvertPages(ImageReader& image, OutputPages& output) {
  int64_t number = first_page_;
  for (; number <= job_.pages.last(); ++number) {
    HALFTONED_TRY_ASSIGN(auto page, reading_.Do([&] { return image.Next(); }));
    if (!page) break;
    if (!job_.pages.Has(number)) continue;
    if (is_document_ && job_.pages.are_all() && chosen_pages_ == kMostPages) {
      return InFile(reading_.file, BadInput("has more than 2000 pages; choose "
                                            "some with --pages"));
    }
    HALFTONED_TRY_ASSIGN(const bool is_to_be_made, writing_.Do([&] {
      return IsToBeMade(number, output);
    }));
    if (!is_to_be_made) continue;
    HALFTONED_TRY_ASSIGN(LaidPage laid,
                         reading_.Do([&] { return Lay(std::move(page)); }));
    HALFTONED_TRY(ConvertPage(std::move(laid), number, output));
  }
  const int64_t missing = job_.pages.NextNeeded(number);
  if (missing == 0 && chosen_pages_ > 0) return {};
  return InFile(
      reading_.file,
      BadInput(missing == 0 ? "has no pages"
                            : "has no page " + std::to_string(missing)));
}

Result<std::unique_ptr<ImageReader>> Conversion::OpenInput(
    InputFile& input, PendingFiles& pending) {
  HALFTONED_TRY_ASSIGN(is_document_, IsDocument(input));
  if (!is_document_) return OpenImage(input, settings_.trust);
  if (!settings_.dpi) {
    return BadInput(
        "is a document, which has no pixels; give the resolution of the "
        "device, such as --dpi 600");
  }
  first_page_ = job_.pages.first();
  DocumentOrder order{.dpi = *settings_.dpi, .first_page = first_page_};
  if (job_.pages.last() != PageRanges::kEnd) {
    order.last_page = job_.pages.last();
  }
  HALFTONED_TRY_ASSIGN(order.size, DocumentSize());
  // Before rotation.
  if (settings_.rotate % 180 != 0) {
    std::swap(order.dpi.x, order.dpi.y);
    if (order.size) std::swap(order.size->first, order.size->second);
  }
  return OpenDocument(input, order, pending);
}

// In inches.
Result<std::optional<std::pair<double, double>>> Conversion::DocumentSize()
    const {
  if (!settings_.size) return std::optional<std::pair<double, double>>();
  const SizeWish& size = *settings_.size;
  if (!size.width || !size.height) {
    return BadInput(
        "is a document, whose pages have their own size; give both sides of "
        "--size to fit them into it, or omit it");
  }
  if (settings_.scaling && *settings_.scaling != Scaling::kFit) {
    return BadInput(
        "is a document, whose pages can only be fitted into --size; omit "
        "--scaling");
  }
  if (!size.is_in_pixels) {
    return std::optional(std::pair(*size.width, *size.height));
  }
  return std::optional(std::pair(*size.width / settings_.dpi->x,
                                 *size.height / settings_.dpi->y));
}

// A shard does not know the pages of other shards, so no file can hold all
// pages.
Result<OutputPages::Options> Conversion::OutputOptionsFor(
    const InputFile& input) const {
  OutputPages::Options options{job_.options,
                               job_.format->has_pages && job_.shard.is_whole(),
                               settings_.wants_digests};
  if (settings_.resumes) {
    HALFTONED_TRY_ASSIGN(options.made_from, MadeFrom(job_, settings_, input));
  }
  return options;
}

Result<Report> Conversion::Run(PendingFiles& pending) {
  HALFTONED_TRY_ASSIGN(InputFile input, reading_.Do([&] {
    return InputFile::Open(job_.input);
  }));
  HALFTONED_TRY_ASSIGN(OutputPages::Options options,
                       reading_.Do([&] { return OutputOptionsFor(input); }));
  OutputPages output(job_.output, *job_.format, std::move(options), pending);
  HALFTONED_TRY_ASSIGN(const bool is_kept,
                       writing_.Do([&] { return output.KeepsAll(); }));
  if (is_kept) {
    report_.outputs = output.TakeRecords();
    return std::move(report_);
  }
  input.ShareReads(&reads_);
  HALFTONED_TRY_ASSIGN(const auto image,
                       reading_.Do([&] { return OpenInput(input, pending); }));
  HALFTONED_TRY(writing_.Do([&] { return output.Open(); }));
  HALFTONED_TRY(ConvertPages(*image, output));
  HALFTONED_TRY(writing_.Do([&] { return output.Finish(); }));
  report_.outputs = output.TakeRecords();
  report_.reading = reading_.seconds;
  report_.halftoning = halftoning_.seconds;
  report_.writing = writing_.seconds;
  return std::move(report_);
}

}  // namespace

Result<Report> Convert(const ConvertJob& job, const ConvertSettings& settings,
                       Flow& flow, PendingFiles& pending,
                       ProgressListener& progress) {
  Seconds total{};
  Result<Report> report = [&] {
    const Stopwatch watch(total);
    return Conversion(job, settings, flow, progress).Run(pending);
  }();
  if (report.ok()) report->total = total;
  return report;
}

}  // namespace halftoned
