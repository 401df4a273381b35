// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/sheets/pdf_file.h"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <map>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjGen.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <set>

#include "base/descriptor.h"
#include "printer_app/sheets/form_fields.h"

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

std::string_view From(std::string_view text, size_t at) {
  return text.substr(std::min(at, text.size()));
}

// "xref", or the head of the object that is the table: "7 0 obj".
bool IsTable(std::string_view text) {
  text = From(text, text.find_first_not_of(kSpaces));
  if (text.starts_with("xref")) return true;
  for (int numbers = 0; numbers < 2; ++numbers) {
    const size_t end = text.find_first_not_of("0123456789");
    if (end == 0) return false;
    text = From(text, end);
    text = From(text, text.find_first_not_of(kSpaces));
  }
  return text.starts_with("obj");
}

// Whether these bytes are a whole document: its last line says where in it the
// table of objects is. A document that a program has added to an older version
// of it says where the table is in the file.
bool IsWhole(std::string_view document) {
  document = From(document, document.find(kStart));
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
  return IsTable(document.substr(table));
}

// Whether a part of the tree of pages has any. Drops parts without pages: some
// programs write one of them and name it often, which libqpdf takes for a loop.
class PageTree {
 public:
  bool HasPages(QPDFObjectHandle node, int depth = 0) {
    if (!node.isDictionary()) return false;
    QPDFObjectHandle kids = node.getKey("/Kids");
    if (!kids.isArray() || depth > kMostDepth) return true;
    const auto [known, is_new] = known_.emplace(node.getObjGen(), true);
    if (node.isIndirect() && !is_new) return known->second;
    std::vector<QPDFObjectHandle> kept = kids.getArrayAsVector();
    if (std::erase_if(kept, [&](const QPDFObjectHandle& kid) {
          return !HasPages(kid, depth + 1);
        }) > 0) {
      node.replaceKey("/Kids", QPDFObjectHandle::newArray(kept));
    }
    return known->second = !kept.empty();
  }

 private:
  static constexpr int kMostDepth = 100;

  std::map<QPDFObjGen, bool> known_;
};

// Layers of another document that it hides are hidden here, too.
void AddLayers(QPDF& from, QPDF& into) {
  QPDFObjectHandle theirs = from.getRoot().getKey("/OCProperties");
  if (!theirs.isDictionary() || !theirs.getKey("/OCGs").isArray()) return;
  if (!into.getRoot().getKey("/OCProperties").isDictionary()) {
    into.getRoot().replaceKey("/OCProperties",
                              QPDFObjectHandle::parse("<</OCGs[]/D<<>>>>"));
  }
  QPDFObjectHandle ours = into.getRoot().getKey("/OCProperties");
  if (!ours.getKey("/D").isDictionary()) {
    ours.replaceKey("/D", QPDFObjectHandle::newDictionary());
  }
  const auto starts_hidden = [](QPDFObjectHandle layers) {
    return layers.getKeyIfDict("/D")
        .getKeyIfDict("/BaseState")
        .isNameAndEquals("/OFF");
  };
  const bool they_hide = starts_hidden(theirs), we_hide = starts_hidden(ours);
  QPDFObjectHandle exceptions =
      theirs.getKeyIfDict("/D").getKeyIfDict(they_hide ? "/ON" : "/OFF");
  std::set<QPDFObjGen> excepted;
  if (exceptions.isArray()) {
    for (const auto& each : exceptions.getArrayAsVector()) {
      excepted.insert(each.getObjGen());
    }
  }
  const auto add = [](QPDFObjectHandle to, const char* key,
                      const QPDFObjectHandle& layer) {
    if (!to.isDictionary()) return;
    if (!to.getKey(key).isArray()) {
      to.replaceKey(key, QPDFObjectHandle::newArray());
    }
    to.getKey(key).appendItem(layer);
  };
  for (const auto& each : theirs.getKey("/OCGs").getArrayAsVector()) {
    if (!each.isIndirect()) continue;
    const bool is_hidden = they_hide != (excepted.count(each.getObjGen()) > 0);
    const QPDFObjectHandle layer = into.copyForeignObject(each);
    add(ours, "/OCGs", layer);
    if (is_hidden != we_hide) {
      add(ours.getKey("/D"), is_hidden ? "/OFF" : "/ON", layer);
    }
  }
}

void AddPages(QPDF& from, QPDF& into) {
  QPDFPageDocumentHelper pages(into);
  for (const auto& each : QPDFPageDocumentHelper(from).getAllPages()) {
    pages.addPage(each, false);
  }
  AddLayers(from, into);
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
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) documents_.push_back(std::make_unique<QPDF>());
    QPDF& document = *documents_.back();
    document.setSuppressWarnings(true);
    document.processMemoryFile("document", texts[i].data(), texts[i].size());
    PageTree().HasPages(document.getRoot().getKey("/Pages"));
    ShowFieldValues(document);
    if (i > 0) AddPages(document, pages());
  }
  return {};
}

}  // namespace halftoned
