// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths on this machine: CUPS' folders, found as CUPS' own programs find them,
// and ours. Tests may change every member.

#pragma once

#include <string>

namespace halftoned {

struct Places {
  // CUPS' folders. $CUPS_SERVERROOT, $CUPS_SERVERBIN and $CUPS_DATADIR override
  // the usual ones, and cups-files.conf may move some of them.
  std::string server_root;
  std::string server_bin;  // has the folder filter
  std::string data_dir;    // has the folders drv and mime
  std::string spool = "/var/spool/cups";
  std::string temporary = "/var/spool/cups/tmp";
  std::string user = "lp";   // of filters
  std::string group = "lp";  // of filters
  bool is_cups_conf_readable = true;

  std::string configuration;  // halftoned.conf
  std::string daemon;         // the program
  std::string programs;       // the folder of user programs
  std::string libexec;        // the folder of workers and halftone-adopt

  std::string filter() const { return server_bin + "/filter/rastertohalftone"; }
  // From the same package. It runs the PDF renderers.
  std::string rip_filter() const { return server_bin + "/filter/halftone-rip"; }

  std::string pdf_filter() const {
    return server_bin + "/filter/pdftohalftone";
  }
  std::string printer_app() const { return programs + "/halftone-printer-app"; }
  // From the same package.
  std::string sheets() const { return libexec + "/halftone-sheets"; }
  std::string helper() const { return libexec + "/halftone-adopt"; }
  std::string cupsd() const;
  // Whether these are the folders of the cupsd that clients use. Only
  // $CUPS_SERVER can name another cupsd.
  static bool AreOfServer();

  // The places according to this machine and this process' environment.
  static Places Find();
};

// Applies `text`, the contents of cups-files.conf.
void TakeCupsFiles(const std::string& text, Places& places);

bool Exists(const std::string& path);
// Whether only root can change the file, so that root can safely run it.
bool IsRootsAlone(const std::string& path);

// The command that makes cupsd read its MIME types again.
std::string HowToRestartCups();
// How to install a package of the distribution: "type: sudo apt install
// PACKAGE" if the machine has apt.
std::string HowToInstall(const std::string& package);
// How to install one of our packages, which are in no repository. build_tree:
// the command for users who have built the programs instead.
std::string HowToInstallOurs(
    const std::string& package,
    const std::string& build_tree = "sudo cmake --install build/product");

}  // namespace halftoned
