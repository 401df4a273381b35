// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a queue of CUPS, or a printer of halftone-printer-app, by its name,
// with everything that decides how its jobs are printed.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "print/page/test_page.h"
#include "print/ppd/queue.h"

namespace halftoned {

struct NamedQueue {
  std::string name;
  std::string driver;  // for people
  // Options of this user's jobs, by name. For a printer of the application: all
  // of our settings that jobs may have, with the printer's defaults.
  std::map<std::string, std::string> options;
  Queue queue;  // the queue, with these options
  PageSize size{};
  bool prints_through_us = true;
  bool is_of_application = false;
};

// Makes a NamedQueue from a queue of CUPS that has this PPD file.
Result<NamedQueue> QueueOfPpd(
    const std::string& name, std::string_view ppd,
    const std::map<std::string, std::string>& options);

// Prefers a queue of CUPS to a printer of the application. kUnavailable if
// there is neither.
Result<NamedQueue> FindNamedQueue(const std::string& name);

// Prints a PDF document with these options; returns the number of the job.
Result<std::string> PrintDocument(
    const NamedQueue& queue, const std::string& title,
    const std::map<std::string, std::string>& options,
    const std::string& document);

}  // namespace halftoned
