// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A printer's language: rows of ink in, the printer's bytes out. Encoders
// append to a buffer, and know neither PAPPL nor devices.

#pragma once

#include <cups/raster.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace halftoned {

// A page with one bit per dot.
struct InkPage {
  cups_page_header2_t header;  // of the gray page
  int copies = 1;              // that the printer makes
  std::string paper = {};      // as PWG names it
  bool is_two_sided = false;
  bool is_tumbled = false;     // bound at the short edge
  int darkness = 50;           // percent; label printers only
  int inches_per_second = 0;   // label printers only; 0: the printer's setting
  std::string source;          // a keyword of IPP's media-source; may be empty
  std::string paper_type;      // a keyword of media-type
  std::string output_bin;      // a keyword of output-bin
  bool is_continuous = false;  // paper without gaps, in label printers
  bool is_cut = false;         // at the page's end, in printers for rolls

  size_t bytes_per_row() const { return (header.cupsWidth + 7) / 8; }
};

class PageEncoder {
 public:
  virtual ~PageEncoder() = default;

  virtual void BeginJob(std::string& /*out*/) {}
  virtual void BeginPage(const InkPage& page, std::string& out) = 0;
  // ink: page.bytes_per_row() bytes; 1 is a dot, bits beyond the width are 0.
  virtual void WriteRow(std::span<const uint8_t> ink, std::string& out) = 0;
  // is_complete: all rows have been written. If not, the printer is left in a
  // state in which it can begin another page, and need not print this one.
  virtual void EndPage(bool is_complete, std::string& out) = 0;
  // Appends another copy of the page that has ended, for printers that make no
  // copies themselves. False if no copy is left to print.
  virtual bool RepeatPage(std::string& /*out*/) { return false; }
  virtual void EndJob(std::string& /*out*/) {}
};

std::unique_ptr<PageEncoder> MakeEplEncoder();
// head_dots: the dots of the printer's head, > 0.
std::unique_ptr<PageEncoder> MakeEscPosEncoder(int head_dots);
std::unique_ptr<PageEncoder> MakePclEncoder();
std::unique_ptr<PageEncoder> MakePwgEncoder();
std::unique_ptr<PageEncoder> MakeTsplEncoder();
std::unique_ptr<PageEncoder> MakeZplEncoder();

}  // namespace halftoned
