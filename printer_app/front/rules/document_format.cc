// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/document_format.h"

#include <string_view>

namespace halftoned {

std::string FormatNamedIn(ipp_t* request) {
  switch (ippGetOperation(request)) {
    case IPP_OP_PRINT_JOB:
    case IPP_OP_VALIDATE_JOB:
    case IPP_OP_CREATE_JOB:
    case IPP_OP_SEND_DOCUMENT:
      break;
    default:
      return "";
  }
  const char* format = ippGetString(
      ippFindAttribute(request, "document-format", IPP_TAG_MIMETYPE), 0,
      nullptr);
  const std::string named = format ? format : "";
  return named == kAnyFormat ? "" : named;
}

bool HasKnownCompression(ipp_t* request) {
  int count = 0;
  for (ipp_attribute_t* attribute = ippFirstAttribute(request); attribute;
       attribute = ippNextAttribute(request)) {
    const char* name = ippGetName(attribute);
    if (!name || std::string_view(name) != "compression") continue;
    const char* text = ippGetString(attribute, 0, nullptr);
    const std::string_view value = text ? text : "";
    if (++count > 1 || ippGetCount(attribute) != 1 ||
        ippGetValueTag(attribute) != IPP_TAG_KEYWORD ||
        (value != "none" && value != "gzip" && value != "deflate")) {
      return false;
    }
  }
  return true;
}

bool TakesFormat(ipp_t* printer, const std::string& format) {
  ipp_attribute_t* formats =
      ippFindAttribute(printer, kSupportedFormats, IPP_TAG_MIMETYPE);
  return format.empty() || !formats ||
         ippContainsString(formats, format.c_str());
}

bool HasLanguage(ipp_t* printer) {
  ipp_attribute_t* formats =
      ippFindAttribute(printer, kSupportedFormats, IPP_TAG_MIMETYPE);
  for (int i = 0; i < ippGetCount(formats); ++i) {
    const std::string_view format = ippGetString(formats, i, nullptr);
    if (format.starts_with("application/vnd.")) return true;
  }
  return false;
}

void RefuseFormat(const std::string& format, ipp_t* answer) {
  ippSetStatusCode(answer, IPP_STATUS_ERROR_DOCUMENT_FORMAT_NOT_SUPPORTED);
  ippAddString(
      answer, IPP_TAG_OPERATION, IPP_TAG_TEXT, "status-message", nullptr,
      ("The printer does not accept documents of the format " + format + '.')
          .c_str());
  ippAddString(answer, IPP_TAG_UNSUPPORTED_GROUP, IPP_TAG_MIMETYPE,
               "document-format", nullptr, format.c_str());
}

}  // namespace halftoned
