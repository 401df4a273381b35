// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/transform/joined_pdf.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <utility>
#include <vector>

#include "base/text.h"
#include "printer_app/documents/renderers.h"
#include "printer_app/documents/to_pdf.h"
#include "printer_app/sheets/pdf_sheets.h"
#include "printer_app/transform/picture_pdf.h"

namespace halftoned {
namespace {

// A path: of itself, or of what becomes of it.
Result<std::string> AsPdf(const TransformOrder::Document& document,
                          const PageForm& form, const std::string& folder,
                          size_t number, Renderers& renderers) {
  if (document.kind == DocumentKind::kPdf) return document.path;
  std::string pdf = folder + "/document-" + std::to_string(number) + ".pdf";
  switch (document.kind) {
    case DocumentKind::kText: {
      if (FindTextToPdf().empty()) {
        return Unavailable(
            "text needs the filter texttopdf, which is not installed; on "
            "Debian: apt install cups-filters");
      }
      HALFTONED_TRY(TextToPdf(document.path, pdf, form.paper, folder,
                              renderers.cancelled()));
      // Each text needs a file of this name.
      ::unlink((folder + "/text.ppd").c_str());
      break;
    }
    case DocumentKind::kPostScript:
      HALFTONED_TRY(PostScriptToPdf(document.path, pdf, form.paper, renderers));
      break;
    default:
      HALFTONED_TRY(PictureToPdf(
          document.path, pdf,
          form.fit != PageFit::kAuto && form.fit != PageFit::kAutoFit));
  }
  return pdf;
}

bool IsIn(unsigned number, const std::vector<PageRange>& ranges) {
  return ranges.empty() ||
         std::ranges::any_of(ranges, [=](const PageRange& range) {
           return number >= range.first && number <= range.last;
         });
}

// libqpdf says what is wrong by throwing.
Result<void> Join(const std::vector<std::string>& paths,
                  const std::vector<PageRange>& ranges,
                  const std::string& path) {
  try {
    std::vector<std::unique_ptr<QPDF>> sources;
    QPDF joined;
    joined.emptyPDF();
    QPDFPageDocumentHelper pages(joined);
    unsigned number = 0, taken = 0;
    for (const std::string& each : paths) {
      sources.push_back(std::make_unique<QPDF>());
      QPDF& source = *sources.back();
      source.setSuppressWarnings(true);
      source.processFile(each.c_str());
      QPDFPageDocumentHelper helper(source);
      helper.pushInheritedAttributesToPage();
      for (QPDFPageObjectHelper& page : helper.getAllPages()) {
        if (!IsIn(++number, ranges)) continue;
        pages.addPage(page, false);
        ++taken;
      }
    }
    if (taken == 0) {
      return BadInput("the document has no page of the page-ranges");
    }
    QPDFWriter writer(joined, path.c_str());
    writer.setStreamDataMode(qpdf_s_preserve);
    writer.write();
    return {};
  } catch (const QPDFExc& error) {
    if (error.getErrorCode() == qpdf_e_password) {
      return BadInput("the document needs a password");
    }
    return BadInput("the PDF document is damaged: " +
                    Printable(error.getMessageDetail()));
  } catch (const std::exception& error) {
    return BadInput("the PDF document is damaged: " + Printable(error.what()));
  }
}

}  // namespace

Result<JoinedPdf> JoinDocuments(const TransformOrder& order,
                                const PageForm& form,
                                const std::string& folder) {
  HALFTONED_TRY_ASSIGN(const auto renderers, Renderers::Make(nullptr));
  std::vector<std::string> paths;
  for (const TransformOrder::Document& document : order.documents) {
    HALFTONED_TRY_ASSIGN(
        auto path, AsPdf(document, form, folder, paths.size() + 1, *renderers));
    paths.push_back(std::move(path));
  }
  if (paths.size() > 1 || !form.ranges.empty()) {
    const std::string joined = folder + "/joined.pdf";
    HALFTONED_TRY(Join(paths, form.ranges, joined));
    paths = {joined};
  }
  HALFTONED_TRY_ASSIGN(const auto sheets, PdfSheets::Open(paths.front()));
  const JoinedPdf made{folder + "/sheets.pdf", sheets->pages()};
  HALFTONED_TRY(sheets->Write({1, made.pages, form.paper, form.fit, form.turns},
                              made.path));
  return made;
}

}  // namespace halftoned
