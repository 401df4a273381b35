// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/config.h"

#include <filesystem>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "halftone/levels.h"
#include "halftone/pool.h"

namespace halftoned {
namespace {

std::string Quoted(const toml::key& key) {
  return std::string("'").append(key.str()).append("'");
}

class Parser {
 public:
  explicit Parser(const std::string& path) : path_(path) {}

  Result<Config> Parse(std::string_view text) {
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
      return At(parsed.error().source(),
                std::string(parsed.error().description()));
    }
    for (const auto& [key, value] : parsed.table()) {
      const toml::table* table = value.as_table();
      if (key != "filter" && key != "queue") return Unknown(key);
      if (!table) return MustBe(key, value, "a table");
      HALFTONED_TRY(key == "filter" ? TakeFilter(*table) : TakeQueues(*table));
    }
    return config_;
  }

 private:
  std::string Where(const toml::source_region& region) const {
    return path_ + ", line " + std::to_string(region.begin.line);
  }

  Error At(const toml::source_region& region, const std::string& message) {
    return BadInput(Where(region) + ": " + message);
  }

  Error Unknown(const toml::key& key) {
    return At(key.source(), "unknown key " + Quoted(key));
  }

  Error MustBe(const toml::key& key, const toml::node& value,
               std::string_view what) {
    return At(value.source(), Quoted(key) + " must be " + std::string(what));
  }

  Result<Setting<int>> IntegerOf(const toml::key& key, const toml::node& value,
                                 int least, int most) {
    const auto number = value.value_exact<int64_t>();
    if (!number || *number < least || *number > most) {
      return MustBe(key, value,
                    "a whole number in " + std::to_string(least) + " … " +
                        std::to_string(most));
    }
    return Setting(static_cast<int>(*number), Where(value.source()));
  }

  Result<Setting<std::string>> TextOf(const toml::key& key,
                                      const toml::node& value) {
    const auto text = value.value_exact<std::string>();
    if (!text || text->empty()) return MustBe(key, value, "a text in quotes");
    return Setting(*text, Where(value.source()));
  }

  Result<Setting<int>> LevelsOf(const toml::key& key, const toml::node& value) {
    const auto levels = value.value_exact<int64_t>();
    if (!levels || *levels < 2 || *levels > 16 ||
        !Levels::IsServed(static_cast<int>(*levels))) {
      return MustBe(key, value, "2, 4, 8 or 16");
    }
    return Setting(static_cast<int>(*levels), Where(value.source()));
  }

  Result<Setting<double>> GammaOf(const toml::key& key,
                                  const toml::node& value) {
    const auto gamma = value.value<double>();
    if (!gamma || !(*gamma >= 0.1 && *gamma <= 10)) {
      return MustBe(key, value, "a number in 0.1 … 10");
    }
    return Setting(*gamma, Where(value.source()));
  }

  // Whether `key` is one of a ToneConfig; if so, takes it.
  Result<bool> TakeTone(const toml::key& key, const toml::node& value,
                        ToneConfig& tone) {
    if (key == "levels") {
      HALFTONED_TRY_ASSIGN(tone.levels, LevelsOf(key, value));
    } else if (key == "gamma") {
      HALFTONED_TRY_ASSIGN(tone.gamma, GammaOf(key, value));
    } else if (key == "tone-curve") {
      HALFTONED_TRY_ASSIGN(tone.tone_curve, TextOf(key, value));
      std::string& file = tone.tone_curve->value;
      file = std::filesystem::path(path_).parent_path() / file;
    } else {
      return false;
    }
    return true;
  }

  Result<void> TakeFilter(const toml::table& table) {
    for (const auto& [key, value] : table) {
      if (key == "engine") {
        HALFTONED_TRY_ASSIGN(config_.engine, TextOf(key, value));
      } else if (key == "threads") {
        HALFTONED_TRY_ASSIGN(config_.threads,
                             IntegerOf(key, value, 0, Pool::kMaxThreads));
      } else {
        HALFTONED_TRY_ASSIGN(const bool taken,
                             TakeTone(key, value, config_.tone));
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

  Result<void> TakeQueues(const toml::table& queues) {
    for (const auto& [name, value] : queues) {
      const toml::table* table = value.as_table();
      if (!table) return MustBe(name, value, "a table");
      const auto [queue, is_new] =
          config_.queues.try_emplace(std::string(name.str()));
      if (!is_new) {
        return At(name.source(), "there is another table for the queue " +
                                     Quoted(name) +
                                     ": case makes no difference");
      }
      HALFTONED_TRY(TakeQueue(*table, queue->second));
    }
    return {};
  }

  const std::string& path_;
  Config config_;
};

}  // namespace

Result<Config> ParseConfig(std::string_view text, const std::string& path) {
  return Parser(path).Parse(text);
}

}  // namespace halftoned
