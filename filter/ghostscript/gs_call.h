// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command line of Ghostscript that prints a document, split into two that
// print the same document with our dots: one renders it to gray raster, and one
// converts pages of dots to the printer's language.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "print/render/devices.h"

namespace halftoned {

class GsCall {
 public:
  // `words`: without the program's name. Refuses words that versions of
  // Ghostscript read differently.
  static Result<GsCall> Parse(std::span<char* const> words);

  // Empty: none is named, and nothing is printed.
  const std::string& device() const { return device_; }

  // The only file that it prints, whole and once; empty if it prints anything
  // else.
  std::string only_file() const;

  // The words that print that file as it is, if nothing on it is gray.
  std::vector<std::string> ForBlack(const std::string& cmyk_profile) const;

  // The words that render the document as gray raster to `output`, a path.
  std::vector<std::string> ForGray(const std::string& output,
                                   const std::string& cmyk_profile) const;

  // The words that print PostScript from stdin.
  std::vector<std::string> ForDots() const;

 private:
  // The words that every call needs to print: options, output and device.
  std::vector<std::string> Printing() const;

  std::string device_;
  std::vector<std::string> options_;  // all but the device and the output
  std::vector<std::string> output_;
  std::vector<std::string> document_;  // from the first file or program on
};

}  // namespace halftoned
