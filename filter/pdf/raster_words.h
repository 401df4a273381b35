// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments for a queue and a job that gstoraster, a filter of CUPS, passes
// to Ghostscript, so that our pages are the same as its pages. As there,
// libcups makes the page header from the PPD file, and libcupsfilters takes PWG
// raster's properties from IPP and finds the printer's color profile.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "print/ppd/queue.h"
#include "print/raster/raster_header.h"

namespace halftoned {

class RasterWords {
 public:
  // `options`: the job's, as cupsd gives them. An error if there is no PPD
  // file.
  static Result<RasterWords> Make(const Queue& queue,
                                  const std::string& options);

  const std::vector<std::string>& words() const { return words_; }

  // The program to run before a document that begins with `start`, where
  // pdftopdf writes the number of copies.
  std::string ProgramFor(std::string_view start) const;

  // The program that asks for one bit per pixel instead of gray; empty if the
  // pages are not 8-bit gray.
  std::string ForBlack() const;

 private:
  explicit RasterWords(const PageHeader& header) : header_(header) {}
  void AddHeader();
  void AddPrograms(const Queue& queue);

  PageHeader header_;
  std::vector<std::string> words_;
};

}  // namespace halftoned
