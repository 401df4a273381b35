// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/printers/printed_file.h"

#include <cups/cups.h>

#include <charconv>
#include <cstdio>

#include "base/text.h"
#include "printer_app/printers/found_printer.h"

namespace halftoned {
namespace {

Result<int> WholeNumber(const std::string& name, const std::string& value) {
  int number = 0;
  const char* end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) {
    return BadInput(name + ": must be a whole number, not " + value);
  }
  return number;
}

// supported: the values that the printer offers; null if any text.
Result<void> AddOption(ipp_t* request, const std::string& name,
                       const std::string& value, ipp_attribute_t* supported) {
  switch (supported ? ippGetValueTag(supported) : IPP_TAG_TEXT) {
    case IPP_TAG_BOOLEAN:
      ippAddBoolean(request, IPP_TAG_JOB, name.c_str(), value == "true");
      return {};
    case IPP_TAG_INTEGER:
    case IPP_TAG_RANGE: {
      HALFTONED_TRY_ASSIGN(const int number, WholeNumber(name, value));
      ippAddInteger(request, IPP_TAG_JOB, IPP_TAG_INTEGER, name.c_str(),
                    number);
      return {};
    }
    case IPP_TAG_KEYWORD:
    case IPP_TAG_TEXT:
      ippAddString(request, IPP_TAG_JOB,
                   supported ? IPP_TAG_KEYWORD : IPP_TAG_TEXT, name.c_str(),
                   nullptr, value.c_str());
      return {};
    default:
      return Unavailable(name + ": its values are of an unknown type");
  }
}

Result<void> AddJobOptions(ipp_t* request, const PrintedFile& file,
                           const FoundPrinter& printer) {
  ipp_attribute_t* offered = printer.Find("job-creation-attributes-supported");
  for (const auto& [name, value] : file.options) {
    if (!offered || !ippContainsString(offered, name.c_str())) continue;
    HALFTONED_TRY(
        AddOption(request, name, value, printer.Find(name + "-supported")));
  }
  return {};
}

// The path in the printer's URI. A server without a port states port 0, which
// no parser of URIs accepts.
std::string ResourceOf(const FoundPrinter& printer) {
  const char* text =
      ippGetString(printer.Find("printer-uri-supported"), 0, nullptr);
  const std::string uri = text ? text : "";
  const size_t host = uri.find("://");
  const size_t path = host == uri.npos ? host : uri.find('/', host + 3);
  return path == uri.npos ? "/" : uri.substr(path);
}

}  // namespace

Result<void> PrintFile(const PrintedFile& file) {
  HALFTONED_TRY_ASSIGN(const FoundPrinter printer, FindPrinter(file.printer));
  const std::string resource = ResourceOf(printer);
  const std::string uri = "ipp://localhost" + resource;
  Answer request(ippNewRequest(IPP_OP_PRINT_JOB));
  const auto add = [&](ipp_tag_t tag, const char* name, const char* value) {
    ippAddString(request.get(), IPP_TAG_OPERATION, tag, name, nullptr, value);
  };
  add(IPP_TAG_URI, "printer-uri", uri.c_str());
  add(IPP_TAG_NAME, "requesting-user-name", cupsUser());
  add(IPP_TAG_NAME, "job-name", file.title.c_str());
  add(IPP_TAG_MIMETYPE, "document-format", "application/pdf");
  HALFTONED_TRY(AddJobOptions(request.get(), file, printer));
  const Answer answer(cupsDoFileRequest(printer.http.get(), request.release(),
                                        resource.c_str(), file.path.c_str()));
  ipp_attribute_t* job =
      ippFindAttribute(answer.get(), "job-id", IPP_TAG_INTEGER);
  if (!job || cupsLastError() >= IPP_STATUS_ERROR_BAD_REQUEST) {
    return Unavailable("the server does not print the job: " +
                       OneLine(cupsLastErrorString()));
  }
  std::printf("%d\n", ippGetInteger(job, 0));
  return {};
}

}  // namespace halftoned
