// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/transform/transform_log.h"

#include <cstdio>
#include <utility>

#include "printer_app/transform/attributes.h"

namespace halftoned {
namespace {

// One write, so that the lines of several processes do not mix.
void WriteLine(std::string_view prefix, std::string_view message) {
  std::string line(prefix);
  line += ": ";
  line += message;
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

TransformLog::TransformLog(std::string name) : name_(std::move(name)) {
  const std::string level = Variable("SERVER_LOGLEVEL");
  is_server_ = !level.empty();
  if (level == "info") verbosity_ = 1;
  if (level == "debug") verbosity_ = 2;
}

void TransformLog::Error(std::string_view message) const {
  WriteLine(is_server_ ? "ERROR" : name_, message);
}

void TransformLog::Warn(std::string_view message) const {
  WriteLine(is_server_ ? "WARN" : name_, message);
}

void TransformLog::Info(std::string_view message) const {
  if (verbosity_ >= 1) WriteLine("INFO", message);
}

void TransformLog::Debug(std::string_view message) const {
  if (verbosity_ >= 2) WriteLine("DEBUG", message);
}

void TransformLog::Attribute(std::string_view name, unsigned value) const {
  WriteLine("ATTR", std::string(name) + "=" + std::to_string(value));
}

}  // namespace halftoned
