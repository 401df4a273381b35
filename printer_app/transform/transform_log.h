// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages on standard error, as ipptransform writes them. A server, which sets
// SERVER_LOGLEVEL, gets "ERROR: ..."; a person, "halftone-transform: ...".

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_TRANSFORM_LOG_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_TRANSFORM_LOG_H_

#include <string>
#include <string_view>

namespace halftoned {

class TransformLog {
 public:
  // By SERVER_LOGLEVEL.
  explicit TransformLog(std::string name);

  void AddVerbosity() { ++verbosity_; }

  void Error(std::string_view message) const;
  void Warn(std::string_view message) const;
  void Info(std::string_view message) const;
  void Debug(std::string_view message) const;
  // A job attribute's new value.
  void Attribute(std::string_view name, unsigned value) const;

 private:
  const std::string name_;
  bool is_server_ = false;
  int verbosity_ = 0;  // 1: Info too; 2: Debug too
};

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_TRANSFORM_LOG_H_
