// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of the filters, programs that cupsd starts for a job. It sets
// up the job from arguments, environment and configuration, and ends with one
// error line if the job fails.

#pragma once

#include <functional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "filter/filter_arguments.h"
#include "filter/messages.h"
#include "filter/page_printer.h"
#include "halftone/run/engine.h"
#include "print/ppd/queue.h"
#include "print/process/stop.h"
#include "print/settings/job_settings.h"

namespace halftoned {

// A job, ready to be printed.
struct FilterJob {
  const Arguments& arguments;
  const Queue& queue;
  const Settings& settings;
  const Engine& engine;
  PagePrinter& printer;
  Messages& messages;
  const Stop& stop;
};

struct FilterProgram {
  const char* name;
  const char* version;  // as --version prints it, a line
  std::function<Result<void>(const FilterJob& job)> print;
};

// The main function of a filter.
int RunFilter(const FilterProgram& program, int argc, char* argv[]);

// An environment variable.
std::string Environment(const char* name, const char* otherwise = "");

// A print file must be a regular file: a FIFO could block forever.
Result<Descriptor> OpenPrintFile(const std::string& path);

}  // namespace halftoned
