// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A raster driver of the system, described by its adopted PPD file.

#pragma once

#include <cups/raster.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "printer_app/printers/drivers.h"
#include "printer_app/system_driver/ppd/ppd_choices.h"
#include "printer_app/system_driver/ppd/ppd_option.h"
#include "printer_app/system_driver/sheet_back.h"

namespace halftoned {

class DriverPpd {
 public:
  // name: the driver's. The file was written by `halftone adopt --ppd`.
  static Result<std::unique_ptr<DriverPpd>> Read(const std::string& path,
                                                 const std::string& name);
  DriverPpd(const DriverPpd&) = delete;
  DriverPpd& operator=(const DriverPpd&) = delete;

  // Valid as long as this object.
  const Driver& driver() const { return driver_; }
  const std::string& path() const { return path_; }
  const std::string& program() const { return program_; }
  bool takes_black() const { return takes_black_; }
  // For two-sided pages.
  SheetBack back() const { return back_; }
  const PpdOption& trays() const { return trays_; }
  const PpdOption& paper_types() const { return types_; }
  const PpdOption& output_bins() const { return bins_; }
  // Options that IPP does not have.
  const std::vector<PpdOption>& options() const { return options_; }
  // Whether the driver is for this printer.
  bool IsFor(const DeviceId& device) const;

  // The page's choices, overridden by those in `of_job`.
  PpdChoices ChoicesOf(const InkPage& page, const PpdChoices& of_job) const;

  // The header of the driver's page, as 1-bit black (K).
  Result<cups_page_header2_t> HeaderOf(const InkPage& page,
                                       const PpdChoices& of_job) const;

 private:
  DriverPpd() = default;
  Result<void> ReadAdoption(ppd_file_t* ppd);
  void ReadDuplex(ppd_file_t* ppd);
  void FillDriver();

  std::string path_;
  std::string name_;
  std::string description_;
  std::string device_id_;
  std::string program_;
  bool takes_black_ = false;
  bool is_thermal_ = false;
  std::string duplex_;  // the duplex option; empty: one side only
  SheetBack back_ = SheetBack::kNormal;
  PpdPapers papers_;
  PpdResolutions resolutions_;
  PpdOption trays_;
  PpdOption types_;
  PpdOption bins_;
  std::vector<PpdOption> options_;
  std::vector<const char*> media_;
  std::vector<const char*> source_names_;
  std::vector<const char*> type_names_;
  std::vector<const char*> bin_names_;
  Driver driver_ = {};
};

}  // namespace halftoned
