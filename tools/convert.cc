// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert.h"

#include <memory>
#include <string>
#include <utility>

#include "file/input_file.h"
#include "file/output_file.h"
#include "file/shared_reads.h"
#include "halftone/look/crisp_edges.h"

namespace halftoned {
namespace {

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
  Result<void> ConvertPages(ImageReader& image, ImageWriter& writer);
  Result<void> ConvertPage(PageReader& page, ImageWriter& writer);

  const ConvertJob& job_;
  const ConvertSettings& settings_;
  Flow& flow_;
  ProgressListener& progress_;
  SharedReads reads_;
  Stage reading_;
  Stage halftoning_;
  Stage writing_;
  Report report_;
};

Result<void> Conversion::ConvertPage(PageReader& page, ImageWriter& writer) {
  const PageInfo& info = page.info();
  const BitPage bits{info.page.width(), info.rows,
                     settings_.recipe.levels().bits_per_sample, info.metadata};
  HALFTONED_TRY(writing_.Do([&] { return writer.Begin(bits); }));
  HALFTONED_TRY_ASSIGN(
      const std::unique_ptr<Session> session, halftoning_.Do([&] {
        return settings_.engine->Open(
            {info.page, settings_.recipe, {}, settings_.rows_per_band});
      }));
  ++report_.pages;
  StagedSource source(page, reading_);
  StagedSession staged_session(*session, halftoning_);
  WatchedSink watched(writer, job_.input, report_.pages, info, progress_);
  StagedSink sink(watched, writing_);
  CrispEdges crisp(source, info.page, settings_.recipe.curve(),
                   settings_.text_edges);
  HALFTONED_TRY(flow_.Run(crisp, staged_session, sink));
  report_.pixels += info.rows * info.page.width();
  return {};
}

Result<void> Conversion::ConvertPages(ImageReader& image, ImageWriter& writer) {
  for (int64_t number = 1;; ++number) {
    HALFTONED_TRY_ASSIGN(const auto page,
                         reading_.Do([&] { return image.Next(); }));
    if (!page) break;
    if (job_.page != 0 && number != job_.page) continue;
    if (report_.pages > 0 && !job_.format->has_pages) {
      return InFile(writing_.file,
                    BadInput("a " + std::string(job_.format->name) +
                             " file holds one page; choose one with --page"));
    }
    HALFTONED_TRY(ConvertPage(*page, writer));
    if (number == job_.page) break;
  }
  if (report_.pages == 0) {
    return InFile(reading_.file,
                  BadInput("has no page " + std::to_string(job_.page)));
  }
  return {};
}

Result<Report> Conversion::Run(PendingFiles& pending) {
  HALFTONED_TRY_ASSIGN(InputFile input, reading_.Do([&] {
    return InputFile::Open(job_.input);
  }));
  input.ShareReads(&reads_);
  HALFTONED_TRY_ASSIGN(const auto image, reading_.Do([&] {
    return OpenImage(input, settings_.trust);
  }));
  HALFTONED_TRY_ASSIGN(const auto output, writing_.Do([&] {
    return OutputFile::Create(job_.output, pending);
  }));
  const auto writer = job_.format->make_writer(*output, job_.tiff);
  HALFTONED_TRY(ConvertPages(*image, *writer));
  HALFTONED_TRY(writing_.Do([&] { return writer->Finish(); }));
  HALFTONED_TRY(writing_.Do([&] { return output->Commit(); }));
  report_.reading = reading_.seconds;
  report_.halftoning = halftoning_.seconds;
  report_.writing = writing_.seconds;
  return report_;
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
