// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adopt/adopt_commands.h"
#include "adopt/print/page_words.h"
#include "adopt/queue/application_printer.h"
#include "adopt/queue/named_queue.h"
#include "base/json.h"
#include "base/text.h"
#include "check/places.h"
#include "settings/change_settings.h"

namespace halftoned {
namespace {

int Fail(const std::string& message) {
  std::fprintf(stderr, "halftone: %s\n", Printable(message).c_str());
  return 1;
}

void Note(const std::string& message) {
  std::fprintf(stderr, "halftone: note: %s\n", Printable(message).c_str());
}

void Print(const std::string& line) { std::puts(Printable(line).c_str()); }

std::string LineOf(const PrintSetting& setting, const LookConfig& table) {
  return std::string(setting.name) + " = " + setting.TextOf(table.look()) +
         "  (" + *table.Where(setting) + ")";
}

// queue: empty for all queues.
void PrintJson(const std::string& queue, const PrintSetting& setting,
               const std::string& value, const std::string& source) {
  const Json json = {{"queue", queue},
                     {"setting", setting.name},
                     {"value", value},
                     {"source", source}};
  std::fputs(JsonLine(json).c_str(), stdout);
}

// name: of the queue; empty for [filter].
int PrintTable(const std::string& name, const LookConfig& table,
               bool as_json = false) {
  int lines = 0;
  for (const PrintSetting& setting : kPrintSettings) {
    const auto where = table.Where(setting);
    if (!where) continue;
    if (as_json) {
      PrintJson(name, setting, setting.TextOf(table.look()), *where);
    } else {
      Print((name.empty() ? "[filter]" : name) + ": " + LineOf(setting, table));
    }
    ++lines;
  }
  return lines;
}

int PrintAllTables(const Config& config, const std::string& path,
                   bool as_json) {
  int lines = PrintTable("", config.look, as_json);
  for (const auto& [name, table] : config.queues) {
    lines += PrintTable(name, table, as_json);
  }
  if (lines == 0 && !as_json) {
    Print(path + " contains no settings: all queues use the defaults");
  }
  return 0;
}

Result<std::vector<EffectiveSetting>> SettingsOf(
    const Result<NamedQueue>& queue, const Config& config) {
  if (!queue.ok()) return queue.error();
  return EffectiveSettings(*queue, config);
}

// Says which of the changes the type of the dots has no use for.
void NoteWhatIsOfOtherTypes(const std::string& queue,
                            const std::vector<EffectiveSetting>& settings,
                            const std::vector<SettingChange>& changes) {
  const auto find = [&settings](std::string_view name) {
    return std::ranges::find_if(settings, [name](const EffectiveSetting& each) {
      return each.setting->name == name;
    });
  };
  const auto type = find("halftone-type");
  for (const SettingChange& change : changes) {
    const std::string name(change.setting->name);
    // A measured curve is in place of the gain, whatever the type.
    const bool is_of_tones = name == "dot-gain" || name == "tone-curve";
    if (is_of_tones || change.value.empty() || type == settings.end() ||
        find(name) != settings.end()) {
      continue;
    }
    Note(queue + ": " + name + " has no effect while halftone-type is " +
         type->value);
  }
}

// Says which of the changes jobs will not see, and why.
void NoteWhatWins(const std::string& queue,
                  const Result<std::vector<EffectiveSetting>>& settings,
                  const std::vector<SettingChange>& changes) {
  if (!settings.ok()) {
    return Note(queue + ": " + settings.error().message);
  }
  NoteWhatIsOfOtherTypes(queue, *settings, changes);
  for (const EffectiveSetting& effective : *settings) {
    const bool is_overruled =
        std::ranges::any_of(changes, [&](const SettingChange& change) {
          return change.setting == effective.setting && !effective.is_of_conf &&
                 !change.value.empty() && change.value != "\"auto\"";
        });
    if (!is_overruled) continue;
    Note(queue + ": jobs still print with " +
         std::string(effective.setting->name) + " " + effective.value +
         ", from " + effective.source);
  }
}

// Whether there can be no such queue and no such printer. A server of the
// application that is not asked, such as another user's, may have it.
bool IsNowhere(const Result<NamedQueue>& queue) {
  return !queue.ok() && queue.error().code == ErrorCode::kUnavailable &&
         !HasApplication();
}

// The configuration with the changes, which a dry run does not write.
Result<Config> Changed(const std::string& path, const SettingsOptions& options,
                       const std::vector<SettingChange>& changes) {
  if (options.dry_run) return TryChanges(path, options.queue, changes);
  HALFTONED_TRY(ChangeSettings(path, options.queue, changes));
  return ReadConfig(path);
}

}  // namespace

int RunChange(const SettingsOptions& options, bool is_set) {
  const std::string path = Places::Find().configuration;
  const auto changes = ChangesOf(options, is_set);
  if (!changes.ok()) {
    return Fail(options.queue + ": " + changes.error().message);
  }
  std::optional<Result<NamedQueue>> queue;
  if (is_set) queue = FindNamedQueue(options.queue);
  if (queue && IsNowhere(*queue)) {
    return Fail(options.queue + ": " + queue->error().message +
                "; nothing was changed");
  }
  const auto config = Changed(path, options, *changes);
  if (!config.ok()) {
    const bool may = config.error().code != ErrorCode::kIo || ::geteuid() == 0;
    return Fail(config.error().message + "; nothing was changed" +
                (may ? "" : "; run the command with sudo"));
  }
  const auto table = config->queues.find(options.queue);
  if (table == config->queues.end() ||
      PrintTable(options.queue, table->second) == 0) {
    Print(options.queue + ": has no settings of its own in " + path);
  }
  if (options.dry_run) Print(options.queue + ": nothing was changed");
  std::fflush(stdout);
  if (queue) {
    NoteWhatWins(options.queue, SettingsOf(*queue, *config), *changes);
  }
  return 0;
}

int RunShow(const SettingsOptions& options) {
  const std::string path = Places::Find().configuration;
  const CheckedConfig checked = ReadWhatIsRight(path);
  for (const std::string& problem : checked.problems) Note(problem);
  const Config& config = checked.config;
  if (options.queue.empty()) return PrintAllTables(config, path, options.json);
  const auto settings = SettingsOf(FindNamedQueue(options.queue), config);
  if (!settings.ok()) {
    const auto table = config.queues.find(options.queue);
    if (table != config.queues.end()) {
      PrintTable(options.queue, table->second, options.json);
    }
    std::fflush(stdout);
    return Fail(options.queue + ": " + settings.error().message);
  }
  for (const EffectiveSetting& effective : *settings) {
    if (options.json) {
      PrintJson(options.queue, *effective.setting, effective.value,
                effective.source);
      continue;
    }
    Print(std::string(effective.setting->name) + " = " + effective.value +
          "  (" + effective.source + ")");
  }
  return 0;
}

}  // namespace halftoned
