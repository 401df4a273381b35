// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/system_drivers.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/text.h"
#include "printer_app/matching/device_id.h"

namespace halftoned {
namespace {

bool IsName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

}  // namespace

SystemDrivers::SystemDrivers(const std::string& folder) : folder_(folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end;
       !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".ppd") paths.push_back(at->path());
  }
  std::ranges::sort(paths);
  for (const std::filesystem::path& path : paths) {
    const std::string stem = path.stem().string();
    if (!IsName(stem)) {
      std::fprintf(stderr,
                   "halftone-printer-app: %s: a name consists of letters, "
                   "digits, -, _ and .\n",
                   path.c_str());
      continue;
    }
    auto driver = DriverPpd::Read(path.string(), "ppd-" + stem);
    if (driver.ok()) {
      all_.push_back(std::move(*driver));
    } else {
      std::fprintf(stderr, "halftone-printer-app: %s\n",
                   driver.error().message.c_str());
    }
  }
}

std::vector<const Driver*> SystemDrivers::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Driver*> drivers;
  drivers.reserve(all_.size());
  for (const auto& each : all_) drivers.push_back(&each->driver());
  return drivers;
}

const Driver* SystemDrivers::Find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(
      all_, name, [](const auto& each) { return each->driver().name; });
  return found == all_.end() ? FindDriver(name) : &(*found)->driver();
}

const Driver* SystemDrivers::FindFor(const DeviceId& device) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(
      all_, [&](const auto& each) { return each->IsFor(device); });
  return found == all_.end() ? nullptr : &(*found)->driver();
}

std::string SystemDrivers::NoneIsCalled(std::string_view name) const {
  std::vector<std::string_view> names{"auto"};
  for (const Driver& driver : Drivers()) names.emplace_back(driver.name);
  for (const Driver* driver : all()) names.emplace_back(driver->name);
  const std::string_view nearest = NearestOf(name, names);
  const std::string hint =
      nearest.empty() ? "choose "
                      : "did you mean " + std::string(nearest) + "? Choose ";
  return "there is no driver " + Printable(name, 64) + "; " + hint +
         Listed(names);
}

const Driver* SystemDrivers::Add(const std::string& path,
                                 const std::string& stem,
                                 const DeviceId& device) {
  const std::lock_guard lock(mutex_);
  // A file of the user's that could not be used keeps its name.
  std::string name = stem;
  const auto in_folder = [&] {
    return std::filesystem::path(folder_) / (name + ".ppd");
  };
  std::error_code error;
  for (int i = 2; std::filesystem::exists(in_folder(), error); ++i) {
    name = stem + "-" + std::to_string(i);
  }
  const auto probe = DriverPpd::Read(path, "ppd-" + name);
  if (!probe.ok() || !(*probe)->IsFor(device)) return nullptr;
  const auto next = in_folder().concat(".next");
  std::filesystem::copy_file(
      path, next, std::filesystem::copy_options::overwrite_existing, error);
  if (!error) std::filesystem::rename(next, in_folder(), error);
  if (error) return nullptr;
  auto driver = DriverPpd::Read(in_folder().string(), "ppd-" + name);
  if (!driver.ok()) return nullptr;
  all_.push_back(std::move(*driver));
  return &all_.back()->driver();
}

}  // namespace halftoned
