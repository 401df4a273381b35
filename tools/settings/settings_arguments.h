// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command lines of `halftone set`, `halftone unset` and `halftone show`.

#pragma once

#include <string>
#include <vector>

// Its header takes a compiler long.
namespace CLI {
class App;
}  // namespace CLI

namespace halftoned {

struct SettingsOptions {
  // One of show, or empty for all that have a table. An empty name of set
  // and unset stands for all queues: [filter].
  std::vector<std::string> queues;
  std::vector<std::string> words;  // KEY=VALUE of set, KEY of unset
  bool all_queues = false;         // of set and unset
  bool all_settings = false;       // of unset
  bool json = false;
  bool dry_run = false;  // of set and unset
};

struct SettingsCommands {
  CLI::App* set;
  CLI::App* unset;
  CLI::App* show;
};

// Adds the commands to `app`, which parses them into `options`, and throws its
// errors.
SettingsCommands AddSettingsCommands(CLI::App& app, SettingsOptions& options);

}  // namespace halftoned
