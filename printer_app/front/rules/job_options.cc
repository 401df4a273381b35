// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/job_options.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "halftone/look/foreign_type.h"
#include "halftone/look/settings.h"
#include "printer_app/front/rules/request_values.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kType = SettingNamed("halftone-type");
constexpr std::string_view kDefault = "-default";
constexpr size_t kMostBytes = 16 << 10;
constexpr int kMostValues = 128;

bool SetsDefaults(ipp_t* request) {
  return ippGetOperation(request) == IPP_OP_SET_PRINTER_ATTRIBUTES;
}

bool IsOfJob(ipp_op_t operation) {
  return operation == IPP_OP_PRINT_JOB || operation == IPP_OP_CREATE_JOB ||
         operation == IPP_OP_VALIDATE_JOB;
}

struct Option {
  ipp_attribute_t* attribute;
  std::string name;  // without -default

  const PrintSetting* setting() const {
    const auto* found = std::ranges::find(
        kPrintSettings, std::string_view(name), &PrintSetting::job_option);
    return found == std::end(kPrintSettings) ? nullptr : found;
  }
};

std::vector<Option> OptionsIn(ipp_t* request) {
  const bool is_default = SetsDefaults(request);
  if (!is_default && !IsOfJob(ippGetOperation(request))) return {};
  const ipp_tag_t group = is_default ? IPP_TAG_PRINTER : IPP_TAG_JOB;
  std::vector<Option> options;
  for (ipp_attribute_t* attribute = ippFirstAttribute(request); attribute;
       attribute = ippNextAttribute(request)) {
    const char* word = ippGetName(attribute);
    if (!word || ippGetGroupTag(attribute) != group || IsStandard(word)) {
      continue;
    }
    std::string name = word;
    if (is_default) {
      if (!name.ends_with(kDefault)) continue;
      name.resize(name.size() - kDefault.size());
    }
    options.push_back({attribute, std::move(name)});
  }
  return options;
}

bool IsValue(std::string_view text, const PrintSetting& setting,
             bool is_default) {
  Look look;
  if (text == "auto" || setting.SetFromCups(text, look)) return true;
  // Printers keep only types that web forms can show.
  if (&setting != &kType || is_default) return false;
  const auto foreign = ParseForeignType(text);
  return foreign && foreign->ok();
}

bool HasValue(const Option& option, bool is_default, ipp_t* printer) {
  // PAPPL would keep them with the job.
  if (ippGetValueTag(option.attribute) == IPP_TAG_BEGIN_COLLECTION) {
    return false;
  }
  char value[1024];
  ippAttributeString(option.attribute, value, sizeof(value));
  if (const PrintSetting* setting = option.setting()) {
    return IsValue(value, *setting, is_default);
  }
  ipp_attribute_t* supported = ippFindAttribute(
      printer, (option.name + "-supported").c_str(), IPP_TAG_ZERO);
  return !supported || ippContainsString(supported, value);
}

void CopyGroups(ipp_t* from, ipp_t* to, bool is_head) {
  for (ipp_attribute_t* attribute = ippFirstAttribute(from); attribute;
       attribute = ippNextAttribute(from)) {
    const bool is_of_head =
        ippGetName(attribute) && ippGetGroupTag(attribute) == IPP_TAG_OPERATION;
    if (is_of_head != is_head) continue;
    if (ippGetName(attribute)) {
      ippCopyAttribute(to, attribute, 0);
    } else {
      ippAddSeparator(to);
    }
  }
}

int CountValues(ipp_t* message) {
  int count = 0;
  for (ipp_attribute_t* attribute = ippFirstAttribute(message); attribute;
       attribute = ippNextAttribute(message)) {
    const int values = ippGetCount(attribute);
    count += std::max(values, 1);
    if (ippGetValueTag(attribute) != IPP_TAG_BEGIN_COLLECTION) continue;
    for (int i = 0; i < values; ++i) {
      count += CountValues(ippGetCollection(attribute, i));
    }
  }
  return count;
}

}  // namespace

bool HasTooManyOptions(ipp_t* request) {
  return ippLength(request) > kMostBytes || CountValues(request) > kMostValues;
}

std::vector<std::string> OptionsOfDrivers(ipp_t* request) {
  std::vector<std::string> names;
  for (const Option& option : OptionsIn(request)) {
    if (!option.setting()) names.push_back(option.name);
  }
  return names;
}

Ipp TakeUnknown(ipp_t* request, ipp_t* printer) {
  Ipp taken;
  for (const Option& option : OptionsIn(request)) {
    if (HasValue(option, SetsDefaults(request), printer)) continue;
    if (!taken) taken.reset(ippNew());
    ipp_attribute_t* copy = ippCopyAttribute(taken.get(), option.attribute, 0);
    ippSetGroupTag(taken.get(), &copy, IPP_TAG_UNSUPPORTED_GROUP);
    ippDeleteAttribute(request, option.attribute);
  }
  return taken;
}

bool IsExact(ipp_t* request) {
  return SetsDefaults(request) ||
         ippGetBoolean(ippFindAttribute(request, "ipp-attribute-fidelity",
                                        IPP_TAG_BOOLEAN),
                       0);
}

void AnswerUnknown(ipp_t* taken, bool is_refused, Ipp& answer) {
  Ipp whole(ippNew());
  int minor = 0;
  const int major = ippGetVersion(answer.get(), &minor);
  ippSetVersion(whole.get(), major, minor);
  ippSetRequestId(whole.get(), ippGetRequestId(answer.get()));
  ippSetStatusCode(whole.get(), ippGetStatusCode(answer.get()));
  CopyGroups(answer.get(), whole.get(), true);
  if (is_refused) {
    ippSetStatusCode(whole.get(), IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES);
  } else if (ippGetStatusCode(whole.get()) == IPP_STATUS_OK) {
    ippSetStatusCode(whole.get(), IPP_STATUS_OK_IGNORED_OR_SUBSTITUTED);
  }
  if (!ippFindAttribute(whole.get(), "status-message", IPP_TAG_TEXT)) {
    ippAddStringf(whole.get(), IPP_TAG_OPERATION, IPP_TAG_TEXT,
                  "status-message", nullptr,
                  "The printer does not support this value of %s.",
                  ippGetName(ippFirstAttribute(taken)));
  }
  ippCopyAttributes(whole.get(), taken, 0, nullptr, nullptr);
  CopyGroups(answer.get(), whole.get(), false);
  answer = std::move(whole);
}

}  // namespace halftoned
