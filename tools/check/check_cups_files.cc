// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "check/checks.h"

namespace halftoned {
namespace {

std::string ReInstall() { return HowToInstallOurs("cups-filter-halftone"); }

// cupsd runs only programs that nobody but root can change, and checks their
// directory, too.
Findings CheckForCupsd(const std::string& path, const char* mode) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == EACCES) return {Unseen(path)};
    return {Wrong(path + " is missing", ReInstall())};
  }
  if (status.st_uid != 0) {
    return {Wrong(path + " does not belong to root, so CUPS does not run it",
                  "type: sudo chown root: " + path)};
  }
  const bool is_open = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  const bool is_shut = (status.st_mode & (S_IROTH | S_IXOTH)) == 0;
  if (is_open || is_shut) {
    return {
        Wrong(path + (is_open ? " is writable by users other than root, so "
                                "CUPS does not run it"
                              : " is not executable by users other than root"),
              "type: sudo chmod " + std::string(mode) + " " + path)};
  }
  return {Good(path + " has the owner and the mode that CUPS needs")};
}

Findings CheckData(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == EACCES) return {Unseen(path)};
    return {Wrong(path + " is missing",
                  ReInstall() + "; then: " + HowToRestartCups())};
  }
  if ((status.st_mode & S_IROTH) == 0) {
    return {Wrong(path + " is not readable by all users",
                  "type: sudo chmod 644 " + path)};
  }
  return {Good(path + " exists")};
}

void Append(Findings findings, Findings& all) {
  for (Finding& finding : findings) all.push_back(std::move(finding));
}

}  // namespace

Findings CheckCupsFiles(const CheckContext& context) {
  const Places& places = context.places;
  const bool is_installed = Exists(places.filter()) || Exists(places.helper());
  const bool has_cups =
      !places.cupsd().empty() || Exists(places.server_bin + "/filter");
  if (!is_installed) {
    if (!has_cups)
      return {Good("CUPS is not installed; files can be converted")};
    const std::string what =
        "rastertohalftone is not installed, so no queue can print through it";
    // Without cupsd there are no queues, and the printer application does not
    // need cupsd.
    if (places.cupsd().empty() || Exists(places.printer_app())) {
      return {Advice(what, ReInstall())};
    }
    return {Wrong(what, ReInstall())};
  }
  Findings findings;
  if (!places.is_cups_conf_readable) {
    findings.push_back(Unseen(places.server_root + "/cups-files.conf"));
  }
  Append(CheckForCupsd(places.server_bin + "/filter", "755"), findings);
  Append(CheckForCupsd(places.filter(), "755"), findings);
  Append(CheckForCupsd(places.pdf_filter(), "755"), findings);
  Append(CheckForCupsd(places.rip_filter(), "755"), findings);
  for (const char* file : {"/drv/halftoned.drv", "/mime/halftoned.types",
                           "/mime/halftoned.convs"}) {
    Append(CheckData(places.data_dir + file), findings);
  }
  if (!Exists(places.helper())) {
    findings.push_back(
        Wrong(places.helper() + " is missing, so queues cannot be checked",
              ReInstall()));
  }
  return findings;
}

}  // namespace halftoned
