// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert.h"

#include <memory>
#include <utility>

#include "file/input_file.h"
#include "file/output_file.h"

namespace halftoned {
namespace {

// The stages of one file, which its pages pass one after another.
struct Stages {
  explicit Stages(const ConvertJob& job)
      : reading{job.input}, halftoning{job.input}, writing{job.output} {}

  Stage reading;
  Stage halftoning;
  Stage writing;
};

Result<void> ConvertPage(PageReader& page, const Manner& manner, Flow& flow,
                         ImageWriter& writer, Stages& stages) {
  const PageInfo& info = page.info();
  const BitPage bits{info.page.width(), info.rows,
                     manner.recipe.levels().bits_per_sample, info.metadata};
  HALFTONED_TRY(stages.writing.Do([&] { return writer.Begin(bits); }));
  HALFTONED_TRY_ASSIGN(
      const std::unique_ptr<Session> session, stages.halftoning.Do([&] {
        return manner.engine->Open(
            {info.page, manner.recipe, {}, manner.rows_per_band});
      }));
  StagedSource source(page, stages.reading);
  StagedSession staged_session(*session, stages.halftoning);
  StagedSink sink(writer, stages.writing);
  return flow.Run(source, staged_session, sink);
}

}  // namespace

Result<Report> Convert(const ConvertJob& job, const Manner& manner, Flow& flow,
                       PendingFiles& pending) {
  Report report;
  Stages stages(job);
  {
    const Stopwatch watch(report.total);
    HALFTONED_TRY_ASSIGN(InputFile input, stages.reading.Do([&] {
      return InputFile::Open(job.input);
    }));
    HALFTONED_TRY_ASSIGN(const auto image,
                         stages.reading.Do([&] { return OpenImage(input); }));
    HALFTONED_TRY_ASSIGN(const auto output, stages.writing.Do([&] {
      return OutputFile::Create(job.output, pending);
    }));
    HALFTONED_TRY_ASSIGN(const auto writer, stages.writing.Do([&] {
      return MakeWriter(*output, job.writer);
    }));
    for (;;) {
      HALFTONED_TRY_ASSIGN(const auto page,
                           stages.reading.Do([&] { return image->Next(); }));
      if (!page) break;
      HALFTONED_TRY(ConvertPage(*page, manner, flow, *writer, stages));
      ++report.pages;
      report.pixels += page->info().rows * page->info().page.width();
    }
    HALFTONED_TRY(stages.writing.Do([&] { return writer->Finish(); }));
    HALFTONED_TRY(stages.writing.Do([&] { return output->Commit(); }));
  }
  report.reading = stages.reading.seconds;
  report.halftoning = stages.halftoning.seconds;
  report.writing = stages.writing.seconds;
  return report;
}

}  // namespace halftoned
