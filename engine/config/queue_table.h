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

// `text` as a TOML value, if the setting allows it. File names become absolute.
// An error says what the value must be.
Result<std::string> TomlValueOf(const PrintSetting& setting,
                                const std::string& text);

// The text of the halftoned.conf at `path`, with these changes to the table of
// `queue`, or to [filter] if `queue` is empty. A missing table is added; a
// table that loses its last setting is removed.
// An error, with the line, if the result has a mistake anywhere.
Result<std::string> WithChanges(std::string_view text, const std::string& path,
                                std::string_view queue,
                                std::span<const SettingChange> changes);

}  // namespace halftoned
