// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of `halftone check`.

#pragma once

// A forward declaration, because the header compiles slowly.
namespace CLI {
class App;
}  // namespace CLI

namespace halftoned {

struct CheckOptions {
  bool verbose = false;
  bool json = false;  // all findings, verbose or not
  int timeout = 30;   // seconds, for each answer
};

// Adds the command to `app`, which parses it into `options`.
CLI::App* AddCheckCommand(CLI::App& app, CheckOptions& options);

}  // namespace halftoned
