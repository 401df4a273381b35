// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/interposed/options.h"

#include <cups/ipp.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "halftone/look/settings.h"

namespace halftoned {
namespace {

bool IsOfJob(ipp_op_t operation) {
  return operation == IPP_OP_PRINT_JOB || operation == IPP_OP_CREATE_JOB ||
         operation == IPP_OP_VALIDATE_JOB;
}

// attributes: of the printer's driver.
bool HasValue(ipp_t* attributes, const std::string& name,
              ipp_attribute_t* option) {
  char value[1024];
  ippAttributeString(option, value, sizeof(value));
  const auto* setting = std::ranges::find(
      kPrintSettings, std::string_view(name), &PrintSetting::job_option);
  if (setting != std::end(kPrintSettings)) {
    Look look;
    return std::string_view(value) == "auto" ||
           setting->SetFromCups(value, look);
  }
  return ippContainsString(
      ippFindAttribute(attributes, (name + "-supported").c_str(), IPP_TAG_ZERO),
      value);
}

// Of the options in a group of the request, by their names with this ending.
std::vector<ipp_attribute_t*> UnknownValues(pappl_printer_t* printer,
                                            ipp_t* request, ipp_tag_t group,
                                            const char* ending) {
  pappl_pr_driver_data_t driver;
  papplPrinterGetDriverData(printer, &driver);
  ipp_t* attributes = papplPrinterGetDriverAttributes(printer);
  std::vector<ipp_attribute_t*> unknown;
  for (int i = 0; i < driver.num_vendor; ++i) {
    ipp_attribute_t* option = ippFindAttribute(
        request, (std::string(driver.vendor[i]) + ending).c_str(),
        IPP_TAG_ZERO);
    if (option && ippGetGroupTag(option) == group &&
        !HasValue(attributes, driver.vendor[i], option)) {
      unknown.push_back(option);
    }
  }
  ippDelete(attributes);
  return unknown;
}

// A printer's defaults: all of them or none.
bool CheckDefaults(pappl_client_t* client, pappl_printer_t* printer,
                   ipp_t* request) {
  const auto unknown =
      UnknownValues(printer, request, IPP_TAG_PRINTER, "-default");
  for (ipp_attribute_t* option : unknown) {
    papplClientRespondIPPUnsupported(client, option);
  }
  return unknown.empty();
}

}  // namespace

bool CheckOptions(pappl_client_t* client) {
  ipp_t* request = papplClientGetRequest(client);
  pappl_printer_t* printer = papplClientGetPrinter(client);
  if (!printer) return true;
  if (ippGetOperation(request) == IPP_OP_SET_PRINTER_ATTRIBUTES) {
    return CheckDefaults(client, printer, request);
  }
  if (!IsOfJob(ippGetOperation(request))) return true;
  const bool is_exact = ippGetBoolean(
      ippFindAttribute(request, "ipp-attribute-fidelity", IPP_TAG_BOOLEAN), 0);
  const auto unknown = UnknownValues(printer, request, IPP_TAG_JOB, "");
  for (ipp_attribute_t* option : unknown) {
    if (is_exact) {
      papplClientRespondIPPUnsupported(client, option);
    } else {
      ipp_t* answer = papplClientRespondIPP(
          client, IPP_STATUS_OK_IGNORED_OR_SUBSTITUTED,
          "The printer does not have this value of %s.", ippGetName(option));
      ipp_attribute_t* copy = ippCopyAttribute(answer, option, 0);
      ippSetGroupTag(answer, &copy, IPP_TAG_UNSUPPORTED_GROUP);
      ippDeleteAttribute(request, option);
    }
  }
  return unknown.empty() || !is_exact;
}

}  // namespace halftoned
