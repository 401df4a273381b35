// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/document.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/temporary_folder.h"
#include "print/file/temporary_file.h"
#include "print/image/formats.h"
#include "print/process/stop.h"
#include "print/render/document_kind.h"
#include "print/render/drawing.h"
#include "print/render/ghostscript.h"

namespace halftoned {
namespace {

constexpr double kPointsPerInch = 72;

Result<std::string_view> StartOf(InputFile& file) {
  HALFTONED_TRY_ASSIGN(auto bytes, file.Peek(1));
  // A picture from a pipe is drawn as it comes.
  if (!bytes.empty() && MayStartDocument(static_cast<char>(bytes[0]))) {
    HALFTONED_TRY_ASSIGN(bytes, file.Peek(kStartOfDocument));
  }
  return std::string_view(reinterpret_cast<const char*>(bytes.data()),
                          bytes.size());
}

// Whether the document's first line says so.
bool IsEps(std::string_view start) {
  start.remove_prefix(std::min(start.find("%!"), start.size()));
  return start.substr(0, start.find_first_of("\r\n")).find("EPSF") !=
         start.npos;
}

// A folder for Ghostscript's temporary files, and nothing else.
class OwnFolder {
 public:
  static Result<std::unique_ptr<OwnFolder>> Make(PendingFiles& pending) {
    const char* named = std::getenv("TMPDIR");
    HALFTONED_TRY_ASSIGN(TemporaryFolder made,
                         TemporaryFolder::Make(named && *named ? named : "/tmp",
                                               "halftone-gs-"));
    return std::make_unique<OwnFolder>(std::move(made), pending);
  }
  OwnFolder(TemporaryFolder folder, PendingFiles& pending)
      : path_(folder.path()), folder_(std::move(folder)), pending_(pending) {
    pending_.AddFolder(path_);
  }
  ~OwnFolder() {
    folder_.reset();
    pending_.ForgetFolder(path_);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
  std::optional<TemporaryFolder> folder_;
  PendingFiles& pending_;
};

class DocumentPage : public PageReader {
 public:
  DocumentPage(std::unique_ptr<PageReader> page, PageInfo info,
               Ghostscript& ghostscript, const InputFile& pages)
      : PageReader(std::move(info)),
        page_(std::move(page)),
        ghostscript_(ghostscript),
        pages_(pages) {}

  void Cancel() override { ghostscript_.Kill(); }

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    GrayRoom left = room;
    while (left.rows > 0) {
      const auto filled = page_->Read(left);
      if (!filled.ok()) {
        // How Ghostscript ended says more than that there are no more rows.
        HALFTONED_TRY(ghostscript_.EndOf(pages_.fd()));
        return filled.error();
      }
      left.bytes = left.row(filled->rows);
      left.rows -= filled->rows;
    }
    return {};
  }

 private:
  std::unique_ptr<PageReader> page_;
  Ghostscript& ghostscript_;
  const InputFile& pages_;
};

class Document : public ImageReader {
 public:
  // What the process works with.
  struct Room {
    Descriptor copy;  // of a document from a pipe
    std::unique_ptr<OwnFolder> folder;
    std::unique_ptr<const Stop> never;
  };

  Document(Room room, const Resolution& dpi,
           std::unique_ptr<Ghostscript> ghostscript, InputFile pages)
      : room_(std::move(room)),
        dpi_(dpi),
        ghostscript_(std::move(ghostscript)),
        pages_(std::move(pages)),
        image_(OpenPnm(pages_)) {}

  Result<std::unique_ptr<PageReader>> Next() override {
    auto page = image_->Next();
    if (!page.ok() || !*page) {
      // Ghostscript's own error says more than that a page's head is truncated.
      HALFTONED_TRY(ghostscript_->EndOf(pages_.fd()));
      return page;
    }
    PageInfo info = (*page)->info();
    info.metadata.resolution = dpi_;
    return std::unique_ptr<PageReader>(std::make_unique<DocumentPage>(
        std::move(*page), std::move(info), *ghostscript_, pages_));
  }

 private:
  const Room room_;
  const Resolution dpi_;
  std::unique_ptr<Ghostscript> ghostscript_;
  InputFile pages_;
  std::unique_ptr<ImageReader> image_;
};

}  // namespace

Result<bool> IsDocument(InputFile& file) {
  HALFTONED_TRY_ASSIGN(const std::string_view start, StartOf(file));
  return KindOfDocument(start) != DocumentKind::kNone;
}

Result<std::unique_ptr<ImageReader>> OpenDocument(InputFile& file,
                                                  const DocumentOrder& order,
                                                  PendingFiles& pending) {
  HALFTONED_TRY_ASSIGN(const std::string_view start, StartOf(file));
  Drawing drawing{.device = "pgmraw",
                  .dots_across = order.dpi.x,
                  .dots_down = order.dpi.y,
                  .first_page = order.first_page,
                  .last_page = order.last_page};
  drawing.is_eps = IsEps(start);
  if (order.size) {
    drawing.fit = {order.size->first * kPointsPerInch,
                   order.size->second * kPointsPerInch};
  }
  Document::Room room;
  if (!file.is_seekable()) {
    HALFTONED_TRY_ASSIGN(room.copy, CopyToTemporaryFile(file));
  }
  HALFTONED_TRY_ASSIGN(room.folder, OwnFolder::Make(pending));
  HALFTONED_TRY_ASSIGN(Stop never, Stop::Make());
  room.never = std::make_unique<const Stop>(std::move(never));
  HALFTONED_TRY_ASSIGN(
      auto ghostscript,
      Ghostscript::Start(
          {.document = room.copy.open() ? room.copy.get() : file.fd(),
           .folder = room.folder->path(),
           .words = WordsFor(drawing),
           .is_strict = true},
          *room.never));
  HALFTONED_TRY(ghostscript->Draw("", 0));
  HALFTONED_TRY_ASSIGN(InputFile pages,
                       InputFile::FromDescriptor(ghostscript->TakePages()));
  return std::unique_ptr<ImageReader>(std::make_unique<Document>(
      std::move(room), order.dpi, std::move(ghostscript), std::move(pages)));
}

}  // namespace halftoned
