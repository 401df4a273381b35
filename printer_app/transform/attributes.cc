// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/transform/attributes.h"

#include <cups/cups.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/text.h"

namespace halftoned {
namespace {

std::map<std::string, std::string> Parsed(const std::string& pairs) {
  std::map<std::string, std::string> parsed;
  cups_option_t* options = nullptr;
  const int count = cupsParseOptions(pairs.c_str(), 0, &options);
  for (int i = 0; i < count; ++i) parsed[options[i].name] = options[i].value;
  cupsFreeOptions(count, options);
  return parsed;
}

Error Wrong(std::string_view name, const std::string& value,
            const std::string& allowed) {
  return BadInput(std::string(name) + ": '" + Printable(value, 100) +
                  "' is not " + allowed);
}

std::optional<int> WholeNumber(std::string_view text) {
  int number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

std::string VariableFor(std::string_view attribute) {
  std::string variable = "IPP_";
  for (const char c : attribute) {
    const bool is_small = c >= 'a' && c <= 'z';
    variable += c == '-' ? '_' : is_small ? static_cast<char>(c - 32) : c;
  }
  return variable;
}

std::optional<std::string> ValueOf(const std::string& variable) {
  std::string value = Variable(variable);
  if (value.empty() || value == "no-value") return std::nullopt;
  return value;
}

}  // namespace

std::string Variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? value : "";
}

void Attributes::Add(const std::string& pairs) {
  for (auto& [name, value] : Parsed(pairs)) options_[name] = value;
}

std::optional<std::string> Attributes::OfJob(std::string_view name) const {
  if (const auto found = options_.find(name); found != options_.end()) {
    return found->second;
  }
  return ValueOf(VariableFor(name));
}

std::optional<std::string> Attributes::Get(std::string_view name) const {
  if (auto value = OfJob(name)) return value;
  return ValueOf(VariableFor(name) + "_DEFAULT");
}

Result<int> Attributes::Number(std::string_view name, int least, int most,
                               int otherwise) const {
  const std::optional<std::string> value = Get(name);
  if (!value) return otherwise;
  const std::optional<int> number = WholeNumber(*value);
  if (number && *number >= least && *number <= most) return *number;
  return Wrong(name, *value,
               "a whole number in " + std::to_string(least) + " … " +
                   std::to_string(most));
}

Result<int> Attributes::Enum(const char* name) const {
  const std::optional<std::string> value = Get(name);
  if (!value) return 0;
  if (const auto number = WholeNumber(*value)) return *number;
  const int number = ippEnumValue(name, value->c_str());
  if (number > 0) return number;
  return Wrong(name, *value, "a value of this attribute");
}

Result<size_t> Attributes::Keyword(
    std::string_view name, const std::vector<std::string_view>& allowed) const {
  const std::optional<std::string> value = Get(name);
  if (!value) return size_t{0};
  const auto found = std::ranges::find(allowed, *value);
  if (found != allowed.end()) return size_t(found - allowed.begin());
  std::string names;
  for (const std::string_view each : allowed) {
    names += (names.empty() ? "" : ", ") + std::string(each);
  }
  return Wrong(name, *value, "one of " + names);
}

Collection::Collection(std::string_view text) {
  if (text.starts_with('{')) text.remove_prefix(1);
  if (text.ends_with('}')) text.remove_suffix(1);
  members_ = Parsed(std::string(text));
}

std::optional<std::string> Collection::Get(const std::string& name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> PartsOfList(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    std::string_view part = list.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

}  // namespace halftoned
