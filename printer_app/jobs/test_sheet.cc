// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/test_sheet.h"

#include <unistd.h>

#include <exception>
#include <vector>

#include "halftone/look/settings.h"
#include "print/page/test_page.h"
#include "printer_app/handover/hold.h"
#include "printer_app/jobs/print_options.h"

namespace halftoned {
namespace {

constexpr double kPoint = 2540.0 / 72;  // in 1/100 mm

std::string AttributeText(ipp_t* attributes, const std::string& name) {
  char text[1024] = "";
  ippAttributeString(ippFindAttribute(attributes, name.c_str(), IPP_TAG_ZERO),
                     text, sizeof(text));
  return text;
}

std::vector<std::string> WordsOf(pappl_printer_t* printer,
                                 const pappl_pr_driver_data_t& data) {
  const std::string dpi = std::to_string(data.x_default);
  std::vector<std::string> words = {
      "halftoned " HALFTONED_VERSION ", test page",
      "Printer: " + std::string(papplPrinterGetName(printer)),
      "Driver: " + std::string(data.make_and_model),
      "Paper: " + std::string(data.media_default.size_name),
      "Resolution: " + dpi + " dpi"};
  const Ipp attributes = DriverAttributesOf(printer);
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.is_in_dialogs) continue;
    const std::string name(setting.job_option);
    words.push_back(name + ": " +
                    AttributeText(attributes.get(), name + "-default"));
  }
  return words;
}

bool WriteText(int file, const std::string& text) {
  size_t at = 0;
  while (at < text.size()) {
    const ssize_t count = write(file, text.data() + at, text.size() - at);
    if (count <= 0) return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

bool WriteTestSheet(pappl_printer_t* printer, char* buffer, size_t size) {
  const std::string page = TestSheet(printer);
  const int file = papplCreateTempFile(buffer, size, "halftone-test", "pdf");
  if (file < 0) return false;
  const bool is_written = WriteText(file, page);
  close(file);
  if (!is_written) unlink(buffer);
  return is_written;
}

}  // namespace

std::string TestSheet(pappl_printer_t* printer) {
  pappl_pr_driver_data_t data;
  papplPrinterGetDriverData(printer, &data);
  return TestPage(WordsOf(printer, data),
                  {data.media_default.size_width / kPoint,
                   data.media_default.size_length / kPoint});
}

namespace {

// PAPPL alone would start the job immediately.
bool PrintInTurn(pappl_printer_t* printer, const char* file) {
  const bool was_holding = papplPrinterIsHoldingNewJobs(printer);
  papplPrinterHoldNewJobs(printer);
  pappl_job_t* job = papplJobCreateWithFile(printer, "guest", "application/pdf",
                                            "Test Page", 0, nullptr, file);
  if (job) papplJobHold(job, nullptr, kHoldForTurn, 0);
  // Other held jobs wait for their turn, or have no document yet.
  if (!was_holding) papplPrinterReleaseHeldNewJobs(printer, nullptr);
  return job != nullptr;
}

}  // namespace

const char* MakeTestSheet(pappl_printer_t* printer, char* buffer, size_t size) {
  bool is_written = false;
  try {
    is_written =
        WriteTestSheet(printer, buffer, size) && PrintInTurn(printer, buffer);
  } catch (const std::exception&) {
  }
  // For PAPPL, null means that the page is printed. It reports a file that it
  // cannot read.
  return is_written ? nullptr : "";
}

}  // namespace halftoned
