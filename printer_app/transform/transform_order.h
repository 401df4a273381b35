// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What halftone-transform is to do: its command line, and the variables that
// stand for what is missing there.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_TRANSFORM_ORDER_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_TRANSFORM_ORDER_H_

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "printer_app/transform/attributes.h"

namespace halftoned {

enum class DocumentKind { kPdf, kPostScript, kText, kPicture, kRaster };
enum class OutputKind { kPwg, kUrf, kPcl, kPdf, kPostScript, kPclm };

struct TransformOrder {
  struct Document {
    std::string path;
    DocumentKind kind;
  };

  bool wants_help = false;
  bool wants_version = false;
  int verbosity = 0;
  std::vector<Document> documents;
  OutputKind output = OutputKind::kPwg;
  std::string output_format;  // the media type, in lower case
  std::string output_path;    // empty: standard output
  std::string device_uri;     // empty: none
  std::string resolutions;    // lists; empty if nothing says them
  std::string types;
  std::string sheet_back;
  Attributes attributes;
};

// `words`: without the program's name.
Result<TransformOrder> ReadOrder(std::span<char* const> words);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_TRANSFORM_ORDER_H_
