// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/config.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "halftone/levels.h"
#include "halftone/pool.h"

namespace halftoned {
namespace {

Error AtLine(const toml::source_region& where, const std::string& message) {
  return BadInput("line " + std::to_string(where.begin.line) + ": " + message);
}

std::string Quoted(const toml::key& key) {
  return std::string("'").append(key.str()).append("'");
}

Error Unknown(const toml::key& key) {
  return AtLine(key.source(), "unknown key " + Quoted(key));
}

Error MustBe(const toml::key& key, const toml::node& value,
             std::string_view what) {
  return AtLine(value.source(), Quoted(key) + " must be " + std::string(what));
}

Result<int> IntegerOf(const toml::key& key, const toml::node& value, int least,
                      int most) {
  const auto number = value.value_exact<int64_t>();
  if (!number || *number < least || *number > most) {
    return MustBe(key, value,
                  "a whole number in " + std::to_string(least) + " … " +
                      std::to_string(most));
  }
  return static_cast<int>(*number);
}

Result<std::string> TextOf(const toml::key& key, const toml::node& value) {
  const auto text = value.value_exact<std::string>();
  if (!text || text->empty()) return MustBe(key, value, "a text in quotes");
  return *text;
}

// Whether `key` is one of a ToneConfig; if so, takes it.
Result<bool> TakeTone(const toml::key& key, const toml::node& value,
                      ToneConfig& tone) {
  if (key == "levels") {
    const auto levels = value.value_exact<int64_t>();
    if (!levels || *levels < 2 || *levels > 16 ||
        !Levels::IsServed(static_cast<int>(*levels))) {
      return MustBe(key, value, "2, 4, 8 or 16");
    }
    tone.levels = static_cast<int>(*levels);
  } else if (key == "gamma") {
    const auto gamma = value.value<double>();
    if (!gamma || !(*gamma >= 0.1 && *gamma <= 10)) {
      return MustBe(key, value, "a number in 0.1 … 10");
    }
    tone.gamma = *gamma;
  } else if (key == "tone-curve") {
    HALFTONED_TRY_ASSIGN(tone.tone_curve, TextOf(key, value));
  } else {
    return false;
  }
  return true;
}

Result<void> TakeFilter(const toml::table& table, Config& config) {
  for (const auto& [key, value] : table) {
    if (key == "engine") {
      HALFTONED_TRY_ASSIGN(config.engine, TextOf(key, value));
    } else if (key == "threads") {
      HALFTONED_TRY_ASSIGN(config.threads,
                           IntegerOf(key, value, 0, Pool::kMaxThreads));
    } else {
      HALFTONED_TRY_ASSIGN(const bool taken, TakeTone(key, value, config.tone));
      if (!taken) return Unknown(key);
    }
  }
  return {};
}

Result<void> TakeQueue(const toml::table& table, ToneConfig& tone) {
  for (const auto& [key, value] : table) {
    HALFTONED_TRY_ASSIGN(const bool taken, TakeTone(key, value, tone));
    if (!taken) return Unknown(key);
  }
  return {};
}

Result<void> TakeQueues(const toml::table& queues, Config& config) {
  for (const auto& [name, value] : queues) {
    const toml::table* queue = value.as_table();
    if (!queue) return MustBe(name, value, "a table");
    HALFTONED_TRY(TakeQueue(*queue, config.queues[std::string(name.str())]));
  }
  return {};
}

}  // namespace

Result<Config> ParseConfig(std::string_view text) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return AtLine(parsed.error().source(),
                  std::string(parsed.error().description()));
  }
  Config config;
  for (const auto& [key, value] : parsed.table()) {
    const toml::table* table = value.as_table();
    if (key != "filter" && key != "queue") return Unknown(key);
    if (!table) return MustBe(key, value, "a table");
    HALFTONED_TRY(key == "filter" ? TakeFilter(*table, config)
                                  : TakeQueues(*table, config));
  }
  return config;
}

}  // namespace halftoned
