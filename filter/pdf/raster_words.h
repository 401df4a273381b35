// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gstoraster, the filter of CUPS, tells Ghostscript of a queue and a job,
// so that our pages are its pages. The printer's header comes from the PPD file
// by libcups, what IPP says of PWG raster and the printer's color profile by
// libcupsfilters, as there.

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

  // The program that has to come before the document, which begins so: pdftopdf
  // writes into it how often it is to be printed.
  std::string ProgramFor(std::string_view start) const;

  // The program that asks for one bit per pixel in place of gray; empty if the
  // pages are not gray of eight bits.
  std::string ForBlack() const;

 private:
  explicit RasterWords(const PageHeader& header) : header_(header) {}
  void AddHeader();
  void AddPrograms(const Queue& queue);

  PageHeader header_;
  std::vector<std::string> words_;
};

}  // namespace halftoned
