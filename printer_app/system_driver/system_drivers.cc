// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/system_drivers.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/text.h"

namespace halftoned {
namespace {

bool IsName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

}  // namespace

SystemDrivers::SystemDrivers(const std::string& folder) {
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
                   "halftone-printer-app: %s: a name has letters, digits, -, "
                   "_ and . alone\n",
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

const Driver* SystemDrivers::Find(std::string_view name) const {
  const auto found = std::ranges::find(
      all_, name, [](const auto& each) { return each->driver().name; });
  return found == all_.end() ? FindDriver(name) : &(*found)->driver();
}

std::string SystemDrivers::NoneIsCalled(std::string_view name) const {
  std::vector<std::string_view> names{"auto"};
  for (const Driver& driver : Drivers()) names.emplace_back(driver.name);
  for (const auto& ppd : all_) names.emplace_back(ppd->driver().name);
  const std::string_view nearest = NearestOf(name, names);
  const std::string hint =
      nearest.empty() ? "choose "
                      : "did you mean " + std::string(nearest) + "? Choose ";
  return "there is no driver " + Printable(name, 64) + "; " + hint +
         Listed(names);
}

}  // namespace halftoned
