// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/transform/transform_job.h"

#include <fcntl.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/temporary_folder.h"
#include "base/text.h"
#include "document/ghostscript.h"
#include "file/input_file.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/run/pool.h"
#include "printer_app/job_engines.h"
#include "printer_app/transform/joined_pdf.h"
#include "printer_app/transform/page_form.h"
#include "printer_app/transform/page_loop.h"
#include "printer_app/transform/print_sink.h"
#include "printer_app/transform/printer_output.h"
#include "printer_app/transform/sample_pages.h"

namespace halftoned {
namespace {

PrintLook LookOf(const Attributes& attributes, const TransformLog& log) {
  PrintLook print;
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.MayBeSetBy(kJobOption)) continue;
    auto value = attributes.Get(setting.job_option);
    if (!value && setting.name == "halftone-type" && IsBiLevel(attributes)) {
      value = "bi-level";
    }
    if (!value || *value == "auto") continue;
    if (!setting.SetFromCups(*value, print.look)) {
      log.Warn(std::string(setting.job_option) + " is ignored: '" +
               Printable(*value, 100) + "' is not " + setting.Values());
      continue;
    }
    if (setting.name == "dot-gain") print.has_dot_gain = true;
    if (setting.name == "black-point") print.has_black_point = true;
  }
  return print;
}

// What ipptransform can do and we do not.
void WarnOfWhatIsMissing(const Attributes& attributes,
                         const TransformLog& log) {
  constexpr std::pair<std::string_view, std::string_view> kMissing[] = {
      {"number-up", "1"},
      {"imposition-template", "none"},
      {"page-delivery", "same-order"},
      {"overrides", ""},
      {"job-sheets", "none"},
      {"job-sheets-col", ""},
      {"separator-sheets", ""},
      {"force-front-side", ""},
      {"job-pages-per-set", "1"},
      {"image-orientation", "3"},
      {"x-image-position", "none"},
      {"y-image-position", "none"},
      {"x-image-shift", "0"},
      {"y-image-shift", "0"},
      {"x-side1-image-shift", "0"},
      {"y-side1-image-shift", "0"},
      {"x-side2-image-shift", "0"},
      {"y-side2-image-shift", "0"},
  };
  for (const auto& [name, harmless] : kMissing) {
    const auto value = attributes.OfJob(name);
    const bool is_harmless =
        !value ||
        (!harmless.empty() && value->starts_with(harmless) &&
         (value->size() == harmless.size() || name == "page-delivery"));
    if (!is_harmless) log.Warn(std::string(name) + " is ignored");
  }
}

Result<void> CopyAll(InputFile& from, PrinterOutput& output) {
  std::vector<std::byte> room(size_t{1} << 16);
  for (;;) {
    HALFTONED_TRY_ASSIGN(const size_t got, from.ReadSome(room));
    if (got == 0) return {};
    HALFTONED_TRY(
        output.Write({reinterpret_cast<const char*>(room.data()), got}));
  }
}

// What Ghostscript writes by itself.
Result<void> WriteByDevice(const std::string& document, const PageForm& form,
                           const char* device, PrinterOutput& output,
                           PendingFiles& pending) {
  HALFTONED_TRY_ASSIGN(const Descriptor file,
                       Descriptor::Open(document, O_RDONLY));
  const cups_page_header2_t& header = form.front;
  HALFTONED_TRY_ASSIGN(
      const auto ghostscript,
      Ghostscript::Start({.document = file.get(),
                          .device = device,
                          .dots_across = double(header.HWResolution[0]),
                          .dots_down = double(header.HWResolution[1])},
                         pending));
  HALFTONED_TRY_ASSIGN(InputFile pages,
                       InputFile::FromDescriptor(ghostscript->TakePages()));
  const Result<void> copied = CopyAll(pages, output);
  HALFTONED_TRY(ghostscript->EndOf(pages.fd()));
  return copied;
}

class TransformJob {
 public:
  TransformJob(const TransformOrder& order, PendingFiles& pending,
               const TransformLog& log)
      : order_(order), pending_(pending), log_(log) {}

  Result<void> Run() {
    const bool is_raster = std::ranges::any_of(
        order_.documents, [](const TransformOrder::Document& document) {
          return document.kind == DocumentKind::kRaster;
        });
    return is_raster ? RunRaster() : RunDocuments();
  }

 private:
  bool TakesRaster() const {
    return order_.output == OutputKind::kPwg ||
           order_.output == OutputKind::kUrf ||
           order_.output == OutputKind::kPcl;
  }

  Result<void> RunRaster() {
    if (order_.documents.size() > 1) {
      return BadInput("raster cannot be joined with other documents");
    }
    if (!TakesRaster()) {
      return BadInput("raster cannot become " + order_.output_format);
    }
    const std::string& path = order_.documents.front().path;
    HALFTONED_TRY_ASSIGN(const cups_page_header2_t first, FirstHeader(path));
    HALFTONED_TRY_ASSIGN(const PageForm form, FormOfRaster(order_, first));
    if (!form.ranges.empty()) log_.Warn("page-ranges is ignored: of raster");
    return SendPages(form, false, [&] { return OpenRaster(path); });
  }

  Result<void> RunDocuments() {
    HALFTONED_TRY_ASSIGN(PageForm form, FormOfJob(order_));
    const std::string named = Variable("TMPDIR");
    HALFTONED_TRY_ASSIGN(const TemporaryFolder folder,
                         TemporaryFolder::Make(named.empty() ? "/tmp" : named,
                                               "halftone-transform-"));
    pending_.AddFolder(folder.path());
    const Result<void> done = SendDocuments(form, folder.path());
    pending_.ForgetFolder(folder.path());
    return done;
  }

  Result<void> SendDocuments(PageForm& form, const std::string& folder) {
    HALFTONED_TRY_ASSIGN(const JoinedPdf joined,
                         JoinDocuments(order_, form, folder));
    if (joined.pages == 1) MakeOneSided(form);
    Announce(form, joined.pages);
    if (!TakesRaster()) return WriteDocument(form, joined.path);
    return SendPages(form, true,
                     [&] { return DrawPages(joined.path, form, pending_); });
  }

  void Announce(PageForm& form, unsigned pages) {
    log_.Attribute("job-impressions", pages);
    log_.Attribute("job-pages", pages);
    log_.Attribute("job-media-sheets",
                   form.front.Duplex ? (pages + 1) / 2 : pages);
    const bool has_blank = form.copies > 1 && form.front.Duplex;
    const unsigned of_copy = has_blank ? (pages + 1) / 2 * 2 : pages;
    for (cups_page_header2_t* header : {&form.front, &form.back}) {
      header->cupsInteger[CUPS_RASTER_PWG_TotalPageCount] =
          of_copy * form.copies;
    }
  }

  Result<void> WriteDocument(const PageForm& form,
                             const std::string& document) {
    HALFTONED_TRY_ASSIGN(const auto output, OpenOutput(order_, pending_));
    if (order_.output == OutputKind::kPdf) {
      HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(document));
      HALFTONED_TRY(CopyAll(file, *output));
    } else {
      const char* device = order_.output == OutputKind::kPostScript ? "ps2write"
                           : form.type->is_gray                     ? "pclm8"
                                                                    : "pclm";
      HALFTONED_TRY(WriteByDevice(document, form, device, *output, pending_));
    }
    return output->Commit();
  }

  std::unique_ptr<PrintSink> SinkFor(const PageForm& form, bool is_drawn,
                                     JobEngines& engines,
                                     PrinterOutput& output) {
    if (!form.is_halftoned) {
      return MakeSampleSink(*form.type, order_.output == OutputKind::kUrf,
                            output);
    }
    return MakeInkSink(
        engines, {LookOf(order_.attributes, log_), is_drawn},
        order_.output == OutputKind::kPcl ? MakePclEncoder() : MakePwgEncoder(),
        output);
  }

  Result<void> SendPages(const PageForm& form, bool is_drawn,
                         const PageLoop::Open& open) {
    log_.Info(std::string("raster type ") + form.type->name + ", " +
              std::to_string(form.front.cupsWidth) + " × " +
              std::to_string(form.front.cupsHeight) + " dots");
    Pool pool;
    const EngineList local = LocalEngines(pool);
    const DaemonUse daemon = ReadDaemonUse();
    wire::Hello hello;
    hello.printer = Variable("PRINTER");
    JobEngines engines(local, daemon, std::move(hello));
    HALFTONED_TRY_ASSIGN(const auto output, OpenOutput(order_, pending_));
    const auto sink = SinkFor(form, is_drawn, engines, *output);
    const Result<void> sent = PageLoop(form, *sink, log_).Run(open);
    if (!sent.ok()) {
      sink->Abandon();
      return sent;
    }
    return output->Commit();
  }

  const TransformOrder& order_;
  PendingFiles& pending_;
  const TransformLog& log_;
};

}  // namespace

Result<void> RunTransform(const TransformOrder& order, PendingFiles& pending,
                          const TransformLog& log) {
  WarnOfWhatIsMissing(order.attributes, log);
  return TransformJob(order, pending, log).Run();
}

}  // namespace halftoned
