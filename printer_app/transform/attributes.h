// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of a job as its caller gives them: options of the command
// line, else variables such as IPP_SIDES, else IPP_SIDES_DEFAULT.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_ATTRIBUTES_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_ATTRIBUTES_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace halftoned {

// Empty if it is not set.
std::string Variable(const std::string& name);

class Attributes {
 public:
  // Pairs in the form of the option -o: NAME=VALUE, divided by blanks. Later
  // ones replace earlier ones.
  void Add(const std::string& pairs);

  // Nothing if it is not given.
  std::optional<std::string> Get(std::string_view name) const;
  // The same, without the printer's default.
  std::optional<std::string> OfJob(std::string_view name) const;

  // A whole number in this range.
  Result<int> Number(std::string_view name, int least, int most,
                     int otherwise) const;
  // An enum of IPP, by its number or its keyword; 0 if it is not given or has
  // no value.
  Result<int> Enum(const char* name) const;
  // One of `allowed`, the first of which is the default.
  Result<size_t> Keyword(std::string_view name,
                         const std::vector<std::string_view>& allowed) const;

 private:
  std::map<std::string, std::string, std::less<>> options_;
};

// The members of a collection such as {media-size={...} media-type=labels}.
class Collection {
 public:
  explicit Collection(std::string_view text);
  // Nothing if there is none of this name.
  std::optional<std::string> Get(const std::string& name) const;

 private:
  std::map<std::string, std::string> members_;
};

// Its parts, which commas divide, without blanks around them.
std::vector<std::string> PartsOfList(std::string_view list);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_ATTRIBUTES_H_
