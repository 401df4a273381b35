// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/ghostscript/dots_output.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace halftoned {
namespace {

// An entry with a header's text as a PostScript string; empty if the text is.
std::string Entry(const char* key, const char (&text)[64]) {
  if (text[0] == '\0') return "";
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string entry = std::string("/") + key + " <";
  for (const char c : std::string_view(text, ::strnlen(text, sizeof(text)))) {
    entry += kDigits[static_cast<unsigned char>(c) >> 4];
    entry += kDigits[c & 15];
  }
  return entry + "> ";
}

std::string Entry(const char* key, uint32_t number) {
  if (number == 0) return "";
  return std::string("/") + key + " " + std::to_string(number) + " ";
}

std::string Flag(const char* key, uint32_t number) {
  return std::string("/") + key + (number != 0 ? " true " : " false ");
}

}  // namespace

Result<void> DotsOutput::BeginPage(const PageHeader& header) {
  if (header.cupsBitsPerPixel != 1) {
    return BadInput(
        "its printer accepts 1 bit per dot, but halftone-levels requests more "
        "than 2 levels");
  }
  HALFTONED_TRY(EndPage());
  const std::string request = RequestOf(header);
  if (request != request_) {
    HALFTONED_TRY(Say((request_.empty() ? "%!PS\n<< " : "<< ") + request +
                      ">> setpagedevice\n"));
    request_ = request;
  }
  messages_.Page(++pages_, std::max(1U, header.NumCopies));
  is_in_page_ = true;
  bytes_left_ = size_t{header.cupsBytesPerLine} * header.cupsHeight;
  // Moves to the sheet's upper left corner, rounded to a dot: devices may have
  // moved the page by their printer's margins.
  const std::string top = std::to_string(header.cupsPageSize[1]);
  return Say(
      "0 setgray 0 " + top +
      " transform round exch round exch [1 0 0 1 7 -2 roll] setmatrix\n" +
      std::to_string(header.cupsWidth) + " " +
      std::to_string(header.cupsHeight) +
      " true [1 0 0 1 0 0] currentfile imagemask\n");
}

Result<void> DotsOutput::WriteRows(std::span<const std::byte> rows) {
  if (rows.size() > bytes_left_) {
    return Bug("a page is longer than its header says");
  }
  bytes_left_ -= rows.size();
  return output_.Write(rows);
}

Result<void> DotsOutput::Finish() { return EndPage(); }

Result<void> DotsOutput::EndPage() {
  if (!is_in_page_) return {};
  is_in_page_ = false;
  if (bytes_left_ != 0) return Bug("a page is shorter than its header says");
  return Say("\nshowpage\n");
}

// The document's requests for the page, for the printer's own device.
std::string DotsOutput::RequestOf(const PageHeader& header) const {
  char size[128];
  std::snprintf(size, sizeof(size), "/PageSize [%.9g %.9g] ",
                double{header.cupsPageSize[0]}, double{header.cupsPageSize[1]});
  std::string request = size;
  request += "/HWResolution [" + std::to_string(header.HWResolution[0]) + " " +
             std::to_string(header.HWResolution[1]) + "] ";
  if (NumberIn(header.Duplex) != 0) {
    request += Flag("Duplex", 1) + Flag("Tumble", NumberIn(header.Tumble));
  }
  if (!device_.ignores_trays) {
    if (NumberIn(header.ManualFeed) != 0) request += Flag("ManualFeed", 1);
    request += Entry("MediaPosition", header.MediaPosition);
  }
  request += Entry("MediaWeight", header.MediaWeight);
  request += Entry("MediaType", header.MediaType);
  request += Entry("MediaColor", header.MediaColor);
  if (header.NumCopies > 1) request += Entry("NumCopies", header.NumCopies);
  return request;
}

Result<void> DotsOutput::Say(const std::string& text) {
  return output_.Write(std::as_bytes(std::span(text)));
}

}  // namespace halftoned
