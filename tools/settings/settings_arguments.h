// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command lines of `halftone set`, `halftone unset` and `halftone show`.

#pragma once

#include <string>
#include <vector>

// A forward declaration, because the header compiles slowly.
namespace CLI {
class App;
}  // namespace CLI

namespace halftoned {

struct SettingsOptions {
  // For show: one queue, or empty for all queues that have a table. For set and
  // unset, an empty name stands for all queues: [filter].
  std::vector<std::string> queues;
  std::vector<std::string> words;  // KEY=VALUE for set, KEY for unset
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
