// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/places.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>

#include "base/libexec.h"
#include "base/text.h"
#include "base/text_file.h"
#include "config/config.h"

namespace halftoned {
namespace {

std::string Environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

bool HasApt() { return ::access("/usr/bin/apt", X_OK) == 0; }

}  // namespace

std::string Places::cupsd() const {
  for (const char* path : {"/usr/sbin/cupsd", "/usr/local/sbin/cupsd"}) {
    if (Exists(path)) return path;
  }
  return "";
}

bool Places::AreOfServer() {
  return !std::getenv("CUPS_SERVER") || std::getenv("CUPS_SERVERROOT") ||
         std::getenv("CUPS_SERVERBIN");
}

void TakeCupsFiles(const std::string& text, Places& places) {
  const std::pair<const char*, std::string*> known[] = {
      {"serverbin", &places.server_bin},
      {"datadir", &places.data_dir},
      {"requestroot", &places.spool},
      {"tempdir", &places.temporary},
      {"user", &places.user},
      {"group", &places.group}};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key, value;
    if (!(words >> key >> value)) continue;
    for (const auto& [name, member] : known) {
      if (LowerCase(key) == name) *member = value;
    }
  }
}

Places Places::Find() {
  Places places;
  places.server_root = Environment("CUPS_SERVERROOT", "/etc/cups");
  places.server_bin = HALFTONED_CUPS_SERVERBIN;
  places.data_dir = HALFTONED_CUPS_DATADIR;
  const std::string files = places.server_root + "/cups-files.conf";
  const Result<std::string> text = ReadTextFile(files);
  if (text.ok()) {
    TakeCupsFiles(*text, places);
  } else {
    places.is_cups_conf_readable = !Exists(files);
  }
  places.server_bin = Environment("CUPS_SERVERBIN", places.server_bin.c_str());
  places.data_dir = Environment("CUPS_DATADIR", places.data_dir.c_str());
  places.configuration = ConfPath();
  places.daemon = HALFTONED_DAEMON_PATH;
  places.programs = ProgramFolder(HALFTONED_BIN_PATH, HALFTONED_LIBEXEC_PATH);
  places.libexec = LibexecFolder(HALFTONED_LIBEXEC_PATH);
  return places;
}

bool Exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0 || errno == EACCES;
}

bool IsRootsAlone(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && status.st_uid == 0 &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// No matter how cupsd was started, it reads its MIME types again on SIGHUP.
std::string HowToRestartCups() {
  return Exists("/run/systemd/system") ? "sudo systemctl restart cups"
                                       : "sudo kill -HUP $(pidof cupsd)";
}

std::string HowToInstall(const std::string& package) {
  if (HasApt()) return "type: sudo apt install " + package;
  return "install the package " + package;
}

std::string HowToInstallOurs(const std::string& package,
                             const std::string& build_tree) {
  const std::string from_tree = "in the source tree: " + build_tree;
  if (!HasApt()) return "type, " + from_tree;
  return "type: sudo apt install --reinstall ./debs/" + package +
         "_*.deb, which packaging/build-debs makes; or, " + from_tree;
}

}  // namespace halftoned
