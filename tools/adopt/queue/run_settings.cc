// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
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

// For people.
std::string NameOf(const std::string& queue) {
  return queue.empty() ? "[filter]" : queue;
}

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
      Print(NameOf(name) + ": " + LineOf(setting, table));
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

// Names the changes that the halftone type does not use.
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
    // A measured curve replaces the gain, with every type.
    const bool is_of_tones = name == "dot-gain" || name == "tone-curve";
    if (is_of_tones || change.value.empty() || type == settings.end() ||
        find(name) != settings.end()) {
      continue;
    }
    Note(queue + ": " + name + " has no effect while halftone-type is " +
         type->value);
  }
}

// Names the changes that have no effect on jobs, and why.
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

// Whether this queue or printer cannot exist. False if it may be on a server of
// the application that was not asked, such as another user's.
bool IsNowhere(const Result<NamedQueue>& queue) {
  return !queue.ok() && queue.error().code == ErrorCode::kUnavailable &&
         !HasApplication();
}

// Names the queues that have their own values of settings changed for all.
void NoteWhatQueuesHave(const Config& config,
                        const std::vector<SettingChange>& changes) {
  for (const auto& [name, table] : config.queues) {
    for (const SettingChange& change : changes) {
      if (table.Where(*change.setting) == nullptr) continue;
      Note(name + ": keeps its own " + LineOf(*change.setting, table));
    }
  }
}

// The configuration with the changes, which a dry run does not write.
Result<Config> Changed(const std::string& path, const SettingsOptions& options,
                       const std::vector<SettingChange>& changes) {
  if (options.dry_run) return TryChanges(path, options.queues, changes);
  HALFTONED_TRY(ChangeSettings(path, options.queues, changes));
  return ReadConfig(path);
}

// The settings of the queue, or of all, in the file.
void PrintOwn(const std::string& queue, const Config& config,
              const std::string& path, const SettingsOptions& options) {
  int lines = 0;
  if (queue.empty()) {
    lines = PrintTable(queue, config.look, options.json);
  } else if (const auto table = config.queues.find(queue);
             table != config.queues.end()) {
    lines = PrintTable(queue, table->second, options.json);
  }
  if (options.json) return;
  if (lines == 0) {
    Print(NameOf(queue) + ": has no settings" +
          (queue.empty() ? " in " : " of its own in ") + path);
  }
  if (options.dry_run) Print(NameOf(queue) + ": nothing was changed");
}

// If settings are removed from several queues, each must have some, so that a
// mistyped setting is not taken for a queue.
Result<void> CheckHaveTables(const std::string& path,
                             const std::vector<std::string>& queues) {
  if (queues.size() < 2) return {};
  const Config config = ReadWhatIsRight(path).config;
  for (const std::string& queue : queues) {
    if (config.queues.contains(queue)) continue;
    return BadInput(
        queue + ": is neither a setting nor a queue with settings in " + path);
  }
  return {};
}

using FoundQueues = std::vector<std::pair<std::string, Result<NamedQueue>>>;

// The queues to change, if they can exist.
Result<FoundQueues> FindQueues(const std::vector<std::string>& names) {
  FoundQueues found;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    found.emplace_back(name, FindNamedQueue(name));
    const Result<NamedQueue>& queue = found.back().second;
    if (IsNowhere(queue)) return BadInput(name + ": " + queue.error().message);
  }
  return found;
}

int FailUnchanged(const Error& error) {
  const bool may = error.code != ErrorCode::kIo || ::geteuid() == 0;
  return Fail(error.message + "; nothing was changed" +
              (may ? "" : "; run the command with sudo"));
}

}  // namespace

int RunChange(const SettingsOptions& options, bool is_set) {
  const std::string path = Places::Find().configuration;
  const auto changes = ChangesOf(options, is_set);
  if (!changes.ok()) {
    return Fail(NameOf(options.queues.front()) + ": " +
                changes.error().message);
  }
  auto found = is_set ? FindQueues(options.queues) : FoundQueues();
  if (!found.ok()) return FailUnchanged(found.error());
  if (!is_set) {
    const auto checked = CheckHaveTables(path, options.queues);
    if (!checked.ok()) return FailUnchanged(checked.error());
  }
  const auto config = Changed(path, options, *changes);
  if (!config.ok()) return FailUnchanged(config.error());
  for (const std::string& queue : options.queues) {
    PrintOwn(queue, *config, path, options);
  }
  std::fflush(stdout);
  for (const auto& [name, queue] : *found) {
    NoteWhatWins(name, SettingsOf(queue, *config), *changes);
  }
  if (is_set && options.all_queues) NoteWhatQueuesHave(*config, *changes);
  return 0;
}

int RunShow(const SettingsOptions& options) {
  const std::string path = Places::Find().configuration;
  const CheckedConfig checked = ReadWhatIsRight(path);
  for (const std::string& problem : checked.problems) Note(problem);
  const Config& config = checked.config;
  if (options.queues.empty()) return PrintAllTables(config, path, options.json);
  const std::string& queue = options.queues.front();
  const auto settings = SettingsOf(FindNamedQueue(queue), config);
  if (!settings.ok()) {
    const auto table = config.queues.find(queue);
    if (table != config.queues.end()) {
      PrintTable(queue, table->second, options.json);
    }
    std::fflush(stdout);
    return Fail(queue + ": " + settings.error().message);
  }
  for (const EffectiveSetting& effective : *settings) {
    if (options.json) {
      PrintJson(queue, *effective.setting, effective.value, effective.source);
      continue;
    }
    Print(std::string(effective.setting->name) + " = " + effective.value +
          "  (" + effective.source + ")");
  }
  return 0;
}

}  // namespace halftoned
