// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A raster driver of the system, as its adopted PPD file describes it.

#ifndef HALFTONED_PRINTER_APP_SYSTEM_DRIVER_DRIVER_PPD_H_
#define HALFTONED_PRINTER_APP_SYSTEM_DRIVER_DRIVER_PPD_H_

#include <cups/raster.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "printer_app/drivers.h"

struct ppd_file_s;

namespace halftoned {

struct PpdPaper {
  std::string name;  // PWG's
  std::string choice;
  double width, length;  // points
};

class DriverPpd {
 public:
  // name: the driver's. The file is one that `halftone adopt --ppd` wrote.
  static Result<std::unique_ptr<DriverPpd>> Read(const std::string& path,
                                                 const std::string& name);
  DriverPpd(const DriverPpd&) = delete;
  DriverPpd& operator=(const DriverPpd&) = delete;

  // Lives as long as this.
  const Driver& driver() const { return driver_; }
  const std::string& path() const { return path_; }
  const std::string& program() const { return program_; }
  bool takes_black() const { return takes_black_; }

  // What the page chooses: NAME=CHOICE of the file's options.
  using Choices = std::vector<std::pair<std::string, std::string>>;
  Choices ChoicesOf(const InkPage& page) const;

  // The header of the driver's page, K of 1 bit.
  Result<cups_page_header2_t> HeaderOf(const InkPage& page) const;

 private:
  DriverPpd() = default;
  Result<void> ReadAdoption(ppd_file_s* ppd);
  void ReadPapers(ppd_file_s* ppd);
  Result<void> ReadResolutions(ppd_file_s* ppd);
  void ReadOptions(ppd_file_s* ppd);
  void FillDriver();

  std::string path_;
  std::string name_;
  std::string description_;
  std::string program_;
  bool takes_black_ = false;
  bool is_thermal_ = false;
  std::string duplex_;  // the option; empty: one side only
  std::vector<PpdPaper> papers_;
  std::string default_paper_;
  int left_right_ = 0;
  int bottom_top_ = 0;
  std::vector<int> resolutions_;
  std::vector<std::string> resolution_choices_;
  int default_resolution_ = 0;
  std::vector<std::string> trays_;  // as IPP names them
  std::vector<std::string> tray_choices_;
  std::vector<const char*> media_;
  std::vector<const char*> sources_;
  Driver driver_ = {};
};

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_SYSTEM_DRIVER_DRIVER_PPD_H_
