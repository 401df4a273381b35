// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ghostscript's pages, as PGM, PPM, or PAM of CMYK.

#include <fcntl.h>

#include <charconv>
#include <utility>

#include "document/ghostscript.h"
#include "file/input_file.h"
#include "printer_app/transform/sample_pages.h"

namespace halftoned {
namespace {

constexpr size_t kMostLine = 200;

class DrawnPages : public SamplePages {
 public:
  DrawnPages(Descriptor document, std::unique_ptr<Ghostscript> ghostscript,
             InputFile pages, const RasterType& type)
      : document_(std::move(document)),
        ghostscript_(std::move(ghostscript)),
        pages_(std::move(pages)),
        type_(type) {}

  Result<std::optional<cups_page_header2_t>> Next(
      const cups_page_header2_t& header) override {
    const auto start = pages_.Peek(1);
    if (!start.ok()) return start.error();
    if (start->empty()) {
      HALFTONED_TRY(ghostscript_->Finish());
      return std::optional<cups_page_header2_t>();
    }
    HALFTONED_TRY(ReadHeader(header));
    return std::optional(header);
  }

  Result<void> Read(std::span<uint8_t> row) override {
    const Result<void> read = pages_.Read(std::as_writable_bytes(row));
    if (read.ok()) return {};
    // What ended it says more than that there are no more rows.
    HALFTONED_TRY(ghostscript_->EndOf(pages_.fd()));
    return read;
  }

 private:
  // A line, or nothing if it is a comment.
  Result<std::string> Line() {
    std::string line;
    for (;;) {
      HALFTONED_TRY_ASSIGN(const int byte, pages_.ReadByte());
      if (byte < 0) {
        HALFTONED_TRY(ghostscript_->Finish());
        return IoError("Ghostscript's page ends in its header");
      }
      if (byte == '\n') return line.starts_with('#') ? "" : line;
      if (line.size() == kMostLine) {
        return Bug("Ghostscript's page has no header");
      }
      line += static_cast<char>(byte);
    }
  }

  // "P5", "210 297", "255"; of PAM, lines of a name and a value until ENDHDR.
  Result<void> ReadHeader(const cups_page_header2_t& header) {
    std::string said;
    const bool is_pam = type_.samples == 4;
    const std::string size = std::to_string(header.cupsWidth) + " " +
                             std::to_string(header.cupsHeight) + " ";
    const std::string wanted =
        is_pam ? "P7 WIDTH " + std::to_string(header.cupsWidth) + " HEIGHT " +
                     std::to_string(header.cupsHeight) + " DEPTH 4 MAXVAL 255 "
               : (type_.samples == 1 ? "P5 " : "P6 ") + size + "255 ";
    const std::string_view last = is_pam ? "ENDHDR" : "255";
    for (;;) {
      HALFTONED_TRY_ASSIGN(const std::string line, Line());
      if (!line.empty() && !line.starts_with("TUPLTYPE") && line != "ENDHDR") {
        said += line + " ";
      }
      if (line == last) break;
    }
    if (said == wanted) return {};
    return Bug("Ghostscript made a page of another form: " + said);
  }

  const Descriptor document_;
  const std::unique_ptr<Ghostscript> ghostscript_;
  InputFile pages_;
  const RasterType& type_;
};

}  // namespace

Result<std::unique_ptr<SamplePages>> DrawPages(const std::string& document,
                                               const PageForm& form,
                                               PendingFiles& pending) {
  HALFTONED_TRY_ASSIGN(Descriptor file, Descriptor::Open(document, O_RDONLY));
  const cups_page_header2_t& header = form.front;
  HALFTONED_TRY_ASSIGN(
      auto ghostscript,
      Ghostscript::Start({.document = file.get(),
                          .device = form.type->device,
                          .dots_across = double(header.HWResolution[0]),
                          .dots_down = double(header.HWResolution[1]),
                          .pixels = {{header.cupsWidth, header.cupsHeight}}},
                         pending));
  HALFTONED_TRY_ASSIGN(InputFile pages,
                       InputFile::FromDescriptor(ghostscript->TakePages()));
  return std::unique_ptr<SamplePages>(std::make_unique<DrawnPages>(
      std::move(file), std::move(ghostscript), std::move(pages), *form.type));
}

}  // namespace halftoned
