// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/printers/printer_data.h"

#include <strings.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "printer_app/application.h"
#include "printer_app/devices/device_schemes.h"
#include "printer_app/devices/host_connection.h"
#include "printer_app/devices/own_server.h"
#include "printer_app/documents/document_filters.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/print_options.h"
#include "printer_app/jobs/raster_job.h"
#include "printer_app/jobs/test_sheet.h"
#include "printer_app/matching/auto_driver.h"
#include "printer_app/server/inner_pages.h"
#include "printer_app/system_driver/ppd/ppd_job_options.h"

namespace halftoned {
namespace {

// Adds what clients and web pages need, independent of the driver: a test page
// and attributes of IPP Everywhere.
void SetForClients(pappl_pr_driver_data_t& data, ipp_t* attributes) {
  data.testpage_cb = MakeTestSheet;
  // IPP Everywhere wants these.
  constexpr const char* kIntents[] = {"print-rendering-intent-default",
                                      "print-rendering-intent-supported"};
  for (const char* name : kIntents) {
    ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, name, nullptr,
                 "auto");
  }
  ippAddBoolean(attributes, IPP_TAG_PRINTER, "preferred-attributes-supported",
                false);
}

// Clients take the first word for the maker. Descriptions begin with the
// language, except those from PPD files.
void SetName(const Driver& driver, pappl_pr_driver_data_t& data) {
  const std::string name =
      (driver.ppd ? "" : "Generic ") + std::string(driver.description);
  papplCopyString(data.make_and_model, name.c_str(),
                  sizeof(data.make_and_model));
}

void SetMedia(const Driver& driver, pappl_pr_driver_data_t& data) {
  data.num_media = static_cast<int>(driver.media.size());
  std::ranges::copy(driver.media, data.media);
  data.left_right = driver.left_right;
  data.bottom_top = driver.bottom_top;
  data.num_source = static_cast<int>(driver.sources.size());
  std::ranges::copy(driver.sources, data.source);
  data.num_type = static_cast<int>(driver.types.size());
  std::ranges::copy(driver.types, data.type);
  data.num_bin = static_cast<int>(driver.bins.size());
  std::ranges::copy(driver.bins, data.bin);
  const pappl_media_col_t media = data.media_default = UsualPaper(driver);
  for (int i = 0; i < data.num_source; ++i) {
    data.media_ready[i] = media;
    papplCopyString(data.media_ready[i].source, data.source[i],
                    sizeof(media.source));
  }
}

void SetKind(const Driver& driver, pappl_pr_driver_data_t& data) {
  data.kind = driver.is_for_labels     ? PAPPL_KIND_LABEL | PAPPL_KIND_ROLL
              : driver.is_for_receipts ? PAPPL_KIND_RECEIPT | PAPPL_KIND_ROLL
                                       : PAPPL_KIND_DOCUMENT;
  if (driver.has_cutter) data.finishings = PAPPL_FINISHINGS_TRIM;
  data.sides_supported = data.sides_default = PAPPL_SIDES_ONE_SIDED;
  if (driver.has_duplex) {
    data.duplex = PAPPL_DUPLEX_NORMAL;
    data.sides_supported |=
        PAPPL_SIDES_TWO_SIDED_LONG_EDGE | PAPPL_SIDES_TWO_SIDED_SHORT_EDGE;
  }
  if (driver.is_for_labels && !driver.ppd) {
    data.darkness_configured = 50;
    data.darkness_supported = 31;  // 50 % is one of the steps
    data.speed_supported[0] = 2540;
    data.speed_supported[1] = 12 * 2540;
  }
}

// Always 8-bit gray, so that PAPPL never halftones.
void SetRaster(const Driver& driver, pappl_pr_driver_data_t& data) {
  data.raster_types =
      PAPPL_PWG_RASTER_TYPE_SGRAY_8 | PAPPL_PWG_RASTER_TYPE_BLACK_8;
  data.force_raster_type = PAPPL_PWG_RASTER_TYPE_SGRAY_8;
  data.color_supported = PAPPL_COLOR_MODE_AUTO | PAPPL_COLOR_MODE_MONOCHROME;
  data.color_default = PAPPL_COLOR_MODE_MONOCHROME;
  data.num_resolution = static_cast<int>(driver.resolutions.size());
  std::ranges::copy(driver.resolutions, data.x_resolution);
  std::ranges::copy(driver.resolutions, data.y_resolution);
  data.x_default = data.y_default = driver.default_resolution
                                        ? driver.default_resolution
                                        : driver.resolutions.back();
  data.quality_default = IPP_QUALITY_NORMAL;
}

// Refuses a document that would be a request to the server at the address of
// the printer, with the rights of this server's user.
bool IsForPrinters(pappl_job_t* job, const std::string& document) {
  const Result<Descriptor> file = OpenSpooled(document);
  std::byte bytes[1 << 16];
  if (!file.ok()) return false;
  const Result<size_t> size = ReadFully(file->get(), bytes);
  if (!size.ok()) return false;
  return !IsHttpRequest({reinterpret_cast<const char*>(bytes), *size}) ||
         FailJob(job, "the document is a request to a server");
}

// Sends `last` and then a file in the printer's own language unchanged, except
// its last bytes, which become `last`.
bool SendFile(pappl_job_t* job, const char* path, pappl_device_t* device,
              std::string& last) {
  const Result<Descriptor> file = OpenSpooled(path);
  if (!file.ok()) return false;
  std::byte bytes[1 << 16];
  while (!papplJobIsCanceled(job)) {
    const Result<size_t> size = ReadFully(file->get(), bytes);
    if (!size.ok()) return false;
    if (*size == 0) break;
    if (!SendToDevice(job, device, last)) {
      return FailJob(job, "the printer accepts no more data");
    }
    last.assign(reinterpret_cast<const char*>(bytes), *size);
    if (*size < sizeof(bytes)) break;
  }
  return true;
}

bool PrintRaw(pappl_job_t* job, pappl_pr_options_t* options,
              pappl_device_t* device) {
  const char* file = papplJobGetFilename(job);
  if (!file) return false;
  const Result<std::string> document = DocumentOf(file);
  if (!document.ok()) {
    return FailJob(job, ("the document: " + document.error().message).c_str());
  }
  if (!IsForPrinters(job, *document)) return false;
  const int copies = std::clamp(options->copies, 1, 999);
  int sent = 0;
  std::string last;
  BeginOnDevice(job, device);
  while (sent < copies && SendFile(job, document->c_str(), device, last)) {
    ++sent;
  }
  const bool is_printed = sent == copies && IsPrinted(job, device, last);
  EndOnDevice(job, device, false);
  return is_printed;
}

// A file other than /dev/null, to write to.
bool IsOtherFile(const char* uri) {
  return uri && !strncasecmp(uri, "file:", 5) &&
         std::strcmp(uri, "file:///dev/null") != 0;
}

bool RefuseRaw(pappl_job_t* job, pappl_pr_options_t* /*options*/,
               pappl_device_t* /*device*/) {
  return FailJob(job, "the printer does not accept files of this format");
}

}  // namespace

pappl_media_col_t UsualPaper(const Driver& driver) {
  pappl_media_col_t media = {};
  papplCopyString(media.size_name, driver.default_media,
                  sizeof(media.size_name));
  const pwg_media_t* size = pwgMediaForPWG(driver.default_media);
  media.size_width = size->width;
  media.size_length = size->length;
  media.left_margin = media.right_margin = driver.left_right;
  media.top_margin = media.bottom_margin = driver.bottom_top;
  papplCopyString(media.source, driver.sources.front(), sizeof(media.source));
  papplCopyString(media.type, driver.types.front(), sizeof(media.type));
  return media;
}

bool SetUpDriver(pappl_system_t* /*system*/, const char* name,
                 const char* device_uri, const char* /*device_id*/,
                 pappl_pr_driver_data_t* data, ipp_t** attributes,
                 void* application_data) {
  auto& application = *static_cast<Application*>(application_data);
  if (!application.has_file_devices && IsOtherFile(device_uri)) {
    RefuseDriver(
        "a printer can be a file only if the server has the option "
        "file-devices=true");
    return false;
  }
  if (device_uri && !NamesHost(device_uri)) {
    RefuseDriver("the address of the printer lacks a host");
    return false;
  }
  const SystemDrivers& drivers = application.system_drivers;
  const Driver* driver = drivers.Find(name ? name : "");
  if (!driver) {
    RefuseDriver(drivers.NoneIsCalled(name ? name : ""));
    return false;
  }
  SetName(*driver, *data);
  data->ppm = 20;
  data->extension = const_cast<PrinterDriver*>(&application.With(*driver));
  data->format = driver->raw_format ? driver->raw_format : kNoFormat;
  data->printfile_cb = driver->raw_format ? PrintRaw : RefuseRaw;
  data->orient_default = IPP_ORIENT_NONE;
  SetMedia(*driver, *data);
  SetKind(*driver, *data);
  SetRaster(*driver, *data);
  SetRasterCallbacks(*data);
  *attributes = ippNew();
  AddDialogOptions(*data, *attributes);
  if (driver->ppd) AddPpdOptions(*driver->ppd, *data, *attributes);
  AddOtherOptions(*data, *attributes);
  AddTechnology(*driver, *attributes);
  if (driver->has_cutter) {
    ippAddInteger(*attributes, IPP_TAG_PRINTER, IPP_TAG_ENUM,
                  "finishings-default", IPP_FINISHINGS_TRIM);
  }
  SetForClients(*data, *attributes);
  return true;
}

const char* AutoAdd(const char* /*info*/, const char* device_uri,
                    const char* device_id, void* application) {
  SystemDrivers& drivers =
      static_cast<Application*>(application)->system_drivers;
  // `drivers` asks without a device. It changes nothing.
  if (!device_uri) {
    const Driver* known = KnownDriver(device_id, drivers);
    return known ? known->name : nullptr;
  }
  const Result<const Driver*> driver = AutoDriver(device_id, drivers);
  if (driver.ok()) return (*driver)->name;
  RefuseDriver(driver.error().message);
  return nullptr;
}

}  // namespace halftoned
