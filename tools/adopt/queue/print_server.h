// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and their PPD files, over IPP, on the server that CUPS_SERVER or
// client.conf names. Does not interpret PPD files. Only this file, queue_ipp.h,
// print_job.h and ipp_printer.h use IPP.

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "adopt/print/print_job.h"
#include "base/result.h"

namespace halftoned {

struct PrintQueue {
  std::string name;
  bool is_class = false;
  bool is_remote = false;     // on another server
  bool is_temporary = false;  // created by CUPS temporarily
  bool is_browsed = false;    // created by cups-browsed
  bool is_printing = false;
  bool is_stopped = false;
  bool is_accepting = true;
  std::string state_message;      // for people; may be empty
  std::set<std::string> reasons;  // IPP's printer-state-reasons
  std::string device_uri;
  // States that rastertohalftone reports:
  bool has_wrong_ppd = false;     // jobs fail
  bool is_misconfigured = false;  // settings are left out
  // Whether it was ever adopted, even if its PPD file was replaced after
  // adoption: an option of the queue, which no filter uses.
  bool is_marked = false;
  std::set<std::string> formats;  // MIME types that it accepts
};

struct PrinterModel {
  std::string model;  // for lpadmin -m
  std::string name;   // for people
};

class PrintServer {
 public:
  static Result<PrintServer> Connect();

  // The server's address.
  static std::string Name();
  // "CUPS does not reply at NAME".
  static std::string NoAnswer();
  static bool IsHere();

  Result<std::vector<PrintQueue>> Queues();
  Result<PrintQueue> Queue(const std::string& name);
  // The queue's uncompleted jobs, the oldest first.
  Result<std::vector<PrintJob>> Jobs(const std::string& name);

  // Whether cupsd knows a MIME type. (cupsd reads its MIME types when it
  // starts.) Asks whether a job could be printed, without printing. True if
  // cupsd does not reply.
  bool HasType(const std::string& type);

  // The queue's PPD file; kUnavailable if it has none.
  Result<std::string> Ppd(const std::string& name);
  // Replaces the queue's PPD file, unless `ppd` is empty, and sets or removes
  // the mark.
  Result<void> Change(const std::string& name, const std::string& ppd,
                      bool is_marked);

  // Creates a queue that accepts jobs, or changes a queue's address and PPD
  // file.
  Result<void> Add(const std::string& name, const std::string& uri,
                   const std::string& ppd, bool is_marked);
  Result<void> Delete(const std::string& name);

  // The options of this user's jobs, by name.
  using Options = std::map<std::string, std::string>;
  Result<Options> OptionsOf(const std::string& name);
  // Prints a document of that MIME type; returns the number of the job.
  Result<int> Print(const std::string& name, const std::string& title,
                    const Options& options, const std::string& document,
                    const std::string& type);

  // The models whose names contain `word`, ignoring case; and the PPD file of a
  // model.
  Result<std::vector<PrinterModel>> Models(const std::string& word);
  Result<std::string> ModelPpd(const std::string& model);

  // The names of the models that can be installed.
  Result<std::vector<std::string>> ModelNames();

 private:
  struct Closer {
    void operator()(void* connection) const;
  };

  explicit PrintServer(void* connection) : connection_(connection) {}

  std::unique_ptr<void, Closer> connection_;  // http_t of cups/http.h
};

}  // namespace halftoned
