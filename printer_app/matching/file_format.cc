// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/matching/file_format.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "print/render/document_kind.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/raster_document.h"
#include "printer_app/printers/drivers.h"

namespace halftoned {
namespace {

using namespace std::string_view_literals;

struct Start {
  std::string_view bytes;
  const char* format;
};

// The formats of documents that PAPPL gets by reference.
constexpr Start kStartsThatPapplKnows[] = {
    {"\xff\xd8\xff", "image/jpeg"},
    {"\x89PNG", "image/png"},
    {"RaS2PwgR", kSpooledPwg},
    {"UNIRAST", kSpooledUrf},
};

constexpr size_t kMostOfStart = 8192;

// The length of a UTF-8 character with this first byte; 0 if there is none.
size_t LengthOf(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

bool IsOfText(unsigned char byte) {
  return byte >= ' '
             ? byte != 0x7f
             : byte == '\t' || byte == '\n' || byte == '\r' || byte == '\f';
}

// The last character may be truncated.
bool IsText(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const size_t length = LengthOf(first);
    if (length == 0 || (length == 1 && !IsOfText(first))) return false;
    const auto rest = bytes.substr(at + 1, length - 1);
    if (std::ranges::any_of(rest, [](char c) { return (c & 0xc0) != 0x80; })) {
      return false;
    }
    at += length;
  }
  return !bytes.empty();
}

const char* FormatOfStart(std::string_view text) {
  // Files for label printers often begin with an empty line, and those of some
  // drivers with zeros.
  const std::string_view lines =
      text.substr(std::min(text.find_first_not_of("\r\n\0"sv), text.size()));
  for (const Driver& driver : Drivers()) {
    for (const std::string_view start : driver.raw_starts) {
      if (lines.starts_with(start)) return driver.raw_format;
    }
  }
  return IsText(text) ? "text/plain" : nullptr;
}

}  // namespace

const char* FormatOfDocument(const std::string& path) {
  const auto document = OpenSpooled(path);
  char start[kMostOfStart];
  if (!document.ok()) return nullptr;
  const Result<size_t> size =
      ReadFully(document->get(), std::as_writable_bytes(std::span(start)));
  if (!size.ok()) return nullptr;
  const std::string_view text(start, *size);
  switch (KindOfDocument(text)) {
    case DocumentKind::kPdf:
      return "application/pdf";
    case DocumentKind::kPostScript:
      return "application/postscript";
    case DocumentKind::kNone:
      break;
  }
  for (const Start& each : kStartsThatPapplKnows) {
    if (text.starts_with(each.bytes)) return each.format;
  }
  return FormatOfStart(text);
}

const char* FileFormat(const unsigned char* bytes, size_t size, void* spool) {
  // PAPPL does not check whether reading has failed.
  const std::string_view text(reinterpret_cast<const char*>(bytes),
                              std::min(size, kMostOfStart));
  const auto number = NumberIn(text.substr(0, text.find('\0')));
  if (!number) return FormatOfStart(text);
  return FormatOfDocument(*static_cast<const std::string*>(spool) + '/' +
                          DocumentName(*number));
}

}  // namespace halftoned
