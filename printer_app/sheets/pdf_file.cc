// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/sheets/pdf_file.h"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>

#include "base/descriptor.h"

namespace halftoned {
namespace {

constexpr std::string_view kStart = "%PDF-";
constexpr std::string_view kEnd = "%%EOF";
constexpr std::string_view kPlaceOfTable = "startxref";
constexpr std::string_view kSpaces{" \t\r\n\f\0", 6};
// Each needs memory, even without a page.
constexpr size_t kMostDocuments = 1000;
// More than the length of the last lines of a document.
constexpr size_t kMostOfEnd = 64;

std::string_view WithoutSpaces(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

// Whether these bytes are a whole document: its last line says where in it the
// table of objects is. A document that a program has added to an older version
// of it says where the table is in the file.
bool IsWhole(std::string_view document) {
  std::string_view end = WithoutSpaces(document);
  if (!end.ends_with(kEnd)) return false;
  end.remove_suffix(kEnd.size());
  end =
      WithoutSpaces(end.substr(end.size() - std::min(kMostOfEnd, end.size())));
  const size_t place = end.rfind(kPlaceOfTable);
  if (place == end.npos) return false;
  end.remove_prefix(place + kPlaceOfTable.size());
  end.remove_prefix(std::min(end.find_first_not_of(kSpaces), end.size()));
  size_t table = 0;
  const auto read = std::from_chars(end.begin(), end.end(), table);
  if (read.ec != std::errc() || table >= document.size()) return false;
  // A table, or the number of the object that is one.
  const std::string_view found = document.substr(table);
  return found.starts_with("xref") ||
         (found.front() >= '0' && found.front() <= '9');
}

}  // namespace

std::vector<std::string_view> DocumentsIn(std::string_view file) {
  std::vector<std::string_view> documents;
  size_t begin = 0;
  for (size_t at = file.find(kStart, 1); at != file.npos;
       at = file.find(kStart, at + 1)) {
    if (!IsWhole(file.substr(begin, at - begin))) continue;
    documents.push_back(file.substr(begin, at - begin));
    begin = at;
  }
  documents.push_back(file.substr(begin));
  if (documents.size() > 1 && !IsWhole(documents.back())) return {file};
  return documents;
}

PdfFile::PdfFile() { documents_.push_back(std::make_unique<QPDF>()); }
PdfFile::~PdfFile() = default;

Result<void> PdfFile::Read(const std::string& path) {
  HALFTONED_TRY_ASSIGN(const Descriptor file, Descriptor::Open(path, O_RDONLY));
  const auto size = std::filesystem::file_size(path);
  if (size == 0) return BadInput("the document is empty");
  HALFTONED_TRY_ASSIGN(file_, Mapping::OfFile(file.get(), size, false));
  const auto texts =
      DocumentsIn({reinterpret_cast<const char*>(file_.data()), file_.size()});
  if (texts.size() > kMostDocuments) {
    return BadInput("the file consists of more than " +
                    std::to_string(kMostDocuments) + " documents");
  }
  QPDFPageDocumentHelper all(pages());
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) documents_.push_back(std::make_unique<QPDF>());
    QPDF& document = *documents_.back();
    document.setSuppressWarnings(true);
    document.processMemoryFile("document", texts[i].data(), texts[i].size());
    if (i == 0) continue;
    for (const auto& page : QPDFPageDocumentHelper(document).getAllPages()) {
      all.addPage(page, false);
    }
  }
  return {};
}

}  // namespace halftoned
