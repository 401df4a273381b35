// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/toml_values.h"

#include <algorithm>

#include "config/toml_text.h"
#include "halftone/run/pool.h"

namespace halftoned {
namespace {

// As nvidia-smi -L shows it.
bool IsGpu(std::string_view uuid) {
  constexpr size_t kMaxBytes = 64;
  return (uuid.starts_with("GPU-") || uuid.starts_with("MIG-")) &&
         uuid.size() > 4 && uuid.size() <= kMaxBytes &&
         uuid.substr(4).find_first_not_of("0123456789abcdefABCDEF-") ==
             std::string_view::npos;
}

}  // namespace

std::optional<std::string> StringIn(const toml::node& value) {
  const auto lifted = value.value_exact<std::string>();
  if (!lifted) return std::nullopt;
  return LoweredToml(*lifted);
}

std::string NameOf(const toml::key& key) { return LoweredToml(key.str()); }

std::string Quoted(const toml::key& key) { return "'" + NameOf(key) + "'"; }

Result<Setting<int>> TomlValues::IntegerOf(const toml::key& key,
                                           const toml::node& value, int least,
                                           int most) const {
  const auto number = value.value_exact<int64_t>();
  if (!number || *number < least || *number > most) {
    return MustBe(key, value,
                  "a whole number from " + std::to_string(least) + " to " +
                      std::to_string(most));
  }
  return Setting(static_cast<int>(*number), Where(value.source()));
}

Result<Setting<double>> TomlValues::NumberOf(const toml::key& key,
                                             const toml::node& value,
                                             double least, double most,
                                             std::string_view what) const {
  const auto number = value.value<double>();
  if (!number || !(*number >= least && *number <= most)) {
    return MustBe(key, value, what);
  }
  return Setting(*number, Where(value.source()));
}

Result<Setting<std::string>> TomlValues::TextOf(const toml::key& key,
                                                const toml::node& value) const {
  const auto text = StringIn(value);
  if (!text) return MustBe(key, value, "a text in quotes");
  if (text->empty()) {
    return At(value.source(), Quoted(key) + " must not be empty");
  }
  return Setting(*text, Where(value.source()));
}

Result<bool> TomlValues::BoolOf(const toml::key& key,
                                const toml::node& value) const {
  const auto said = value.value_exact<bool>();
  if (!said) return MustBe(key, value, "true or false");
  return *said;
}

Result<std::string> TomlValues::SocketOf(const toml::key& key,
                                         const toml::node& value) const {
  constexpr size_t kMaxBytes = 107;  // that fit into an address
  const auto path = StringIn(value);
  if (!path || !path->starts_with('/') || path->size() > kMaxBytes ||
      path->find('\0') != std::string::npos) {
    return MustBe(key, value, "an absolute path of at most 107 bytes");
  }
  return *path;
}

Result<LogLevel> TomlValues::LogLevelOf(const toml::key& key,
                                        const toml::node& value) const {
  const auto name = StringIn(value);
  if (name == "error") return LogLevel::kError;
  if (name == "warning") return LogLevel::kWarning;
  if (name == "info") return LogLevel::kInfo;
  if (name == "debug") return LogLevel::kDebug;
  return MustBe(key, value, "\"error\", \"warning\", \"info\" or \"debug\"");
}

Result<GpuChoice> TomlValues::GpusOf(const toml::key& key,
                                     const toml::node& value) const {
  const auto name = StringIn(value);
  if (name == "auto") return GpuChoice{};
  if (name == "none") return GpuChoice{.all = false};
  const toml::array* list = value.as_array();
  GpuChoice choice{.all = false};
  bool is_wrong = !list;
  for (size_t i = 0; !is_wrong && i < list->size(); ++i) {
    const auto uuid = StringIn(*list->get(i));
    is_wrong =
        !uuid || !IsGpu(*uuid) || std::ranges::count(choice.uuids, *uuid) > 0;
    if (!is_wrong) choice.uuids.push_back(*uuid);
  }
  if (!is_wrong) return choice;
  return MustBe(key, value,
                "\"auto\", \"none\" or a list of different UUIDs, each "
                "\"GPU-…\" or \"MIG-…\"");
}

// 0: auto.
Result<int> TomlValues::ParallelPagesOf(const toml::key& key,
                                        const toml::node& value) const {
  const auto number = value.value_exact<int64_t>();
  if (number && *number >= 1 && *number <= Pool::kMaxThreads) {
    return static_cast<int>(*number);
  }
  if (StringIn(value) == "auto") return 0;
  return MustBe(key, value,
                "\"auto\" or a whole number from 1 to " +
                    std::to_string(Pool::kMaxThreads));
}

}  // namespace halftoned
