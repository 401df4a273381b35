// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads values of halftoned.conf, by type. An error begins with the path and
// the line.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "base/result.h"
#include "base/text.h"
#include "config/config.h"

namespace halftoned {

std::optional<std::string> StringIn(const toml::node& value);
std::string NameOf(const toml::key& key);
// In quotes.
std::string Quoted(const toml::key& key);

class TomlValues {
 public:
  // path: of the file; it outlives this object.
  explicit TomlValues(const std::string& path) : path_(path) {}

  std::string Where(const toml::source_region& region) const {
    return path_ + ", line " + std::to_string(region.begin.line);
  }
  Error At(const toml::source_region& region,
           const std::string& message) const {
    return BadInput(Where(region) + ": " + Printable(message));
  }
  Error MustBe(const toml::key& key, const toml::node& value,
               std::string_view what) const {
    return At(value.source(), Quoted(key) + " must be " + std::string(what));
  }

  Result<Setting<int>> IntegerOf(const toml::key& key, const toml::node& value,
                                 int least, int most) const;
  Result<Setting<double>> NumberOf(const toml::key& key,
                                   const toml::node& value, double least,
                                   double most, std::string_view what) const;
  Result<Setting<std::string>> TextOf(const toml::key& key,
                                      const toml::node& value) const;
  Result<int> ParallelPagesOf(const toml::key& key,
                              const toml::node& value) const;
  Result<bool> BoolOf(const toml::key& key, const toml::node& value) const;
  Result<std::string> SocketOf(const toml::key& key,
                               const toml::node& value) const;
  Result<LogLevel> LogLevelOf(const toml::key& key,
                              const toml::node& value) const;
  Result<GpuChoice> GpusOf(const toml::key& key, const toml::node& value) const;

 private:
  const std::string& path_;
};

}  // namespace halftoned
