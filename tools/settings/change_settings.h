// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes halftoned.conf for `halftone set` and `halftone unset`. Does not use
// CUPS.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "config/queue_table.h"
#include "settings/settings_arguments.h"

namespace halftoned {

// Parses KEY=VALUE and KEY; kBadInput names the wrong word.
Result<std::vector<SettingChange>> ChangesOf(const SettingsOptions& options,
                                             bool is_set);

// The configuration after the changes for each of the queues; writes nothing.
// An empty name stands for [filter]. Refuses what ChangeSettings refuses.
Result<Config> TryChanges(const std::string& path,
                          const std::vector<std::string>& queues,
                          const std::vector<SettingChange>& changes);

// Changes the file at `path` atomically. The file keeps its owner and mode.
// Refuses changes that leave any mistake in the file, including unreadable
// curves.
Result<void> ChangeSettings(const std::string& path,
                            const std::vector<std::string>& queues,
                            const std::vector<SettingChange>& changes);

}  // namespace halftoned
