// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/driver_ppd.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "halftone/look/settings.h"
#include "printer_app/matching/device_id.h"

// CUPS has deprecated PPD files, but its drivers have nothing else.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {
namespace {

std::vector<const char*> NamesOf(const PpdOption& option) {
  std::vector<const char*> names;
  names.reserve(option.choices.size());
  for (const PpdChoice& each : option.choices) {
    names.push_back(each.name.c_str());
  }
  return names;
}

// The program behind the raster that rastertohalftone makes. It must be one of
// the system's drivers: a PPD file can come from anywhere, and could otherwise
// name any program.
Result<std::string> ProgramOf(ppd_file_t* ppd) {
  std::string found;
  for (ppd_attr_t* line = ppdFindAttr(ppd, "cupsFilter2", nullptr); line;
       line = ppdFindNextAttr(ppd, "cupsFilter2", nullptr)) {
    std::istringstream words(line->value ? line->value : "");
    std::string from, to, cost, program;
    words >> from >> to >> cost >> program;
    if (from == "application/x-halftoned-raster") found = program;
  }
  if (found.empty()) return BadInput("names no raster driver");
  const char* folder = std::getenv("CUPS_SERVERBIN");
  const std::string drivers =
      std::string(folder ? folder : HALFTONED_CUPS_SERVERBIN) + "/filter/";
  std::string name = found;
  if (name.starts_with(drivers)) name.erase(0, drivers.size());
  if (name.empty() || name[0] == '.' || name.find('/') != name.npos) {
    return BadInput(found + " is not a driver in " + drivers);
  }
  // It runs commands that are in the PPD file.
  if (name == "foomatic-rip")
    return BadInput("foomatic-rip is no raster driver");
  return drivers + name;
}

// Whether only root and this user can change the file, which runs as the
// server's user.
bool IsOnlyOurs(const std::string& path) {
  std::error_code error;
  std::filesystem::path file = std::filesystem::canonical(path, error);
  while (!error) {
    struct stat status;
    if (::stat(file.c_str(), &status) != 0) return false;
    // Nobody replaces what belongs to others in a directory like /tmp.
    const bool is_shared = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 &&
                           (status.st_mode & S_ISVTX) == 0;
    const bool is_ours = status.st_uid == 0 || status.st_uid == ::geteuid();
    if (is_shared || !is_ours) return false;
    if (file == file.parent_path()) return true;
    file = file.parent_path();
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<DriverPpd>> DriverPpd::Read(const std::string& path,
                                                   const std::string& name) {
  HALFTONED_TRY_ASSIGN(const PpdHandle ppd, OpenPpd(path));
  std::unique_ptr<DriverPpd> driver(new DriverPpd);
  driver->path_ = path;
  driver->name_ = name;
  HALFTONED_TRY(driver->ReadAdoption(ppd.get()));
  driver->papers_ = PpdPapers::Read(ppd.get());
  if (driver->papers_.all.empty()) return BadInput(path + ": no paper");
  driver->resolutions_ = PpdResolutions::Read(ppd.get());
  if (driver->resolutions_.dpis.empty()) {
    return BadInput(path + ": no resolution that is equal in both directions");
  }
  driver->trays_ = ReadTrays(ppd.get());
  driver->types_ = ReadPaperTypes(ppd.get());
  driver->bins_ = ReadOutputBins(ppd.get());
  driver->options_ = ReadOtherOptions(ppd.get());
  driver->ReadDuplex(ppd.get());
  driver->FillDriver();
  return driver;
}

Result<void> DriverPpd::ReadAdoption(ppd_file_t* ppd) {
  const std::string output = PpdAttribute(ppd, "halftonedOutput");
  if (output.empty()) {
    return BadInput(path_ +
                    ": not adopted: use what `halftone adopt --ppd` writes");
  }
  takes_black_ = output == "cups-raster-black";
  if (!takes_black_ && output != "cups-raster") {
    return BadInput(path_ + ": the driver takes " + output +
                    ", not CUPS raster");
  }
  auto program = ProgramOf(ppd);
  if (!program.ok()) return BadInput(path_ + ": " + program.error().message);
  program_ = *std::move(program);
  if (::access(program_.c_str(), X_OK) != 0) {
    return BadInput(path_ + ": " + program_ + " cannot be run");
  }
  if (!IsOnlyOurs(program_)) {
    return BadInput(path_ + ": other users can change " + program_);
  }
  constexpr std::string_view kTechnology = SettingNamed("technology").keyword;
  is_thermal_ =
      PpdAttribute(ppd, std::string(kTechnology).c_str()) == "thermal";
  device_id_ = PpdAttribute(ppd, "1284DeviceID");
  description_ = ppd->nickname ? ppd->nickname : name_;
  return {};
}

void DriverPpd::ReadDuplex(ppd_file_t* ppd) {
  // PAPPL is not told: it is the encoder that turns backs.
  const auto back = SheetBackOf(PpdAttribute(ppd, "cupsBackSide"));
  if (!back) return;
  back_ = *back;
  for (const char* name : {"Duplex", "JCLDuplex"}) {
    ppd_option_t* option = ppdFindOption(ppd, name);
    if (option && ppdFindChoice(option, "DuplexNoTumble") &&
        ppdFindChoice(option, "DuplexTumble") && duplex_.empty()) {
      duplex_ = name;
    }
  }
}

void DriverPpd::FillDriver() {
  for (const PpdPaper& each : papers_.all) media_.push_back(each.name.c_str());
  source_names_ = NamesOf(trays_);
  if (trays_.empty()) source_names_ = {is_thermal_ ? "main-roll" : "main"};
  type_names_ = NamesOf(types_);
  if (types_.empty()) type_names_ = {is_thermal_ ? "labels" : "stationery"};
  bin_names_ = NamesOf(bins_);
  driver_.name = name_.c_str();
  driver_.description = description_.c_str();
  if (is_thermal_) driver_.technology = Technology::kThermal;
  driver_.resolutions = resolutions_.dpis;
  driver_.default_resolution = resolutions_.usual;
  driver_.media = media_;
  driver_.default_media = papers_.usual.c_str();
  driver_.left_right = papers_.left_right;
  driver_.bottom_top = papers_.bottom_top;
  driver_.is_for_labels = is_thermal_;
  driver_.has_duplex = !duplex_.empty();
  driver_.sources = source_names_;
  driver_.types = type_names_;
  driver_.bins = bin_names_;
  driver_.ppd = this;
}

bool DriverPpd::IsFor(const DeviceId& device) const {
  if (!device.names_model()) return false;
  const DeviceId own = DeviceId::Parse(device_id_.c_str());
  return device.Key() ==
         (own.names_model() ? own.Key() : DeviceId::KeyOf(description_));
}

}  // namespace halftoned
