// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes the table of one queue, or [filter], in the text of halftoned.conf:
// all other lines stay unchanged, including comments and order. Text in, text
// out; knows no files.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "halftone/look/settings.h"

namespace halftoned {

struct SettingChange {
  const PrintSetting* setting;
  std::string value;  // as TOML writes it; empty: the setting is removed
};

// `text` as TOML writes it, if the setting may have that value. Files are
// named from the root. An error says what the value must be.
Result<std::string> TomlValueOf(const PrintSetting& setting,
                                const std::string& text);

// The text of the halftoned.conf at `path`, with these changes of the table of
// `queue`, or of [filter] if that is empty. The table is made if there is none,
// and goes with its last setting.
// Refuses, with the line, whatever would leave a mistake anywhere in the file.
Result<std::string> WithChanges(std::string_view text, const std::string& path,
                                std::string_view queue,
                                std::span<const SettingChange> changes);

}  // namespace halftoned
