// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command lines of `halftone add`, `adopt`, `release`, `list`, `models` and
// `test-page`.

#pragma once

#include <string>
#include <vector>

#include "adopt/printer/add_options.h"

// A forward declaration, because the header compiles slowly.
namespace CLI {
class App;
}  // namespace CLI

namespace halftoned {

// Exactly one of `queues`, `ppd`, `all` and `again` is set.
struct AdoptOptions {
  bool releases = false;
  std::vector<std::string> queues;
  std::vector<std::string> ppd;  // empty, or a file to read and one to write
  bool all = false;              // queues that can be adopted or released
  bool again = false;            // queues that have drifted
  bool dry_run = false;
  bool json = false;
  bool no_clobber = false;  // for `ppd`
};

// Options of `list` and `models`.
struct ListOptions {
  std::string model;  // models whose names contain this, instead of queues
  bool json = false;
};

struct TestPageOptions {
  std::string queue;
  bool json = false;
};

// Adds both commands to `app`, which parses them into `options` and throws
// errors.
void AddAdoptCommands(CLI::App& app, AdoptOptions& options);

// The same for `add`. Returns the command.
const CLI::App* AddAddCommand(CLI::App& app, AddOptions& options);

void AddListCommands(CLI::App& app, ListOptions& options);
CLI::App* AddTestPageCommand(CLI::App& app, TestPageOptions& options);

}  // namespace halftoned
