// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/job_options.h"

#include <cups/pwg.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "halftone/look/foreign_type.h"
#include "halftone/look/settings.h"
#include "printer_app/front/rules/request_values.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kType = SettingNamed("halftone-type");
// Ends of the names of what a printer keeps.
constexpr std::string_view kEnds[] = {"-default", "-configured", "-ready"};
constexpr std::string_view kMedia = "media-col";
// Lists for its members.
constexpr const char* kOfMedia[] = {
    "media",
    "media-bottom-margin",
    "media-left-margin",
    "media-left-offset",
    "media-right-margin",
    "media-source",
    "media-top-margin",
    "media-top-offset",
    "media-tracking",
    "media-type",
};
// Standard options of jobs that PAPPL does not check, or takes out itself if
// the printer does not have the value, even if the client wants all or nothing.
constexpr std::string_view kOfJobs[] = {
    "finishings",
    "job-hold-until",
    "job-sheets",
    "multiple-document-handling",
    "orientation-requested",
    "output-bin",
    "print-color-mode",
    "print-content-optimize",
    "print-darkness",
    "print-speed",
    "printer-resolution",
    "sides",
};
constexpr int kMostPercent = 100;
constexpr size_t kMostBytes = 16 << 10;
constexpr int kMostValues = 128;

bool SetsDefaults(ipp_t* request) {
  return ippGetOperation(request) == IPP_OP_SET_PRINTER_ATTRIBUTES;
}

bool IsPaper(std::string_view name) {
  return name == "media" || name == kMedia;
}

bool IsOfJob(ipp_op_t operation) {
  return operation == IPP_OP_PRINT_JOB || operation == IPP_OP_CREATE_JOB ||
         operation == IPP_OP_VALIDATE_JOB;
}

struct Option {
  ipp_attribute_t* attribute;
  std::string name;  // without its end
  bool is_standard;

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
  const bool is_exact = IsExact(request);
  std::vector<Option> options;
  for (ipp_attribute_t* attribute = ippFirstAttribute(request); attribute;
       attribute = ippNextAttribute(request)) {
    const char* word = ippGetName(attribute);
    if (!word || ippGetGroupTag(attribute) != group) continue;
    const bool is_standard = IsStandard(word);
    std::string name = word;
    if (is_standard && !is_default && !(IsPaper(name) && is_exact) &&
        std::ranges::count(kOfJobs, name) == 0) {
      continue;
    }
    if (is_default) {
      const auto* const end = std::ranges::find_if(
          kEnds, [&](std::string_view each) { return name.ends_with(each); });
      if (end == std::end(kEnds)) continue;
      name.resize(name.size() - end->size());
    }
    options.push_back({attribute, std::move(name), is_standard});
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

ipp_attribute_t* ListOf(ipp_t* printer, const std::string& name) {
  return ippFindAttribute(printer, (name + "-supported").c_str(), IPP_TAG_ZERO);
}

// papers: names, and names of the least and the largest if sizes between them
// are possible.
bool HasPaper(ipp_attribute_t* papers, int width, int length) {
  bool is_most = false;
  bool is_least = false;
  for (int i = 0; i < ippGetCount(papers); ++i) {
    const char* name = ippGetString(papers, i, nullptr);
    const pwg_media_t* paper = pwgMediaForPWG(name);
    if (!paper) continue;
    if (std::strstr(name, "_max_")) {
      is_most |= width <= paper->width && length <= paper->length;
    } else if (std::strstr(name, "_min_")) {
      is_least |= width >= paper->width && length >= paper->length;
    } else if (width == paper->width && length == paper->length) {
      return true;
    }
  }
  return is_least && is_most;
}

bool HasPaper(ipp_attribute_t* papers, const char* name) {
  const pwg_media_t* paper = pwgMediaForPWG(name);
  return paper && HasPaper(papers, paper->width, paper->length);
}

bool HasResolution(ipp_attribute_t* list, ipp_attribute_t* attribute) {
  int down = 0;
  ipp_res_t unit;
  const int across = ippGetResolution(attribute, 0, &down, &unit);
  for (int i = 0; i < ippGetCount(list); ++i) {
    int its_down = 0;
    ipp_res_t its_unit;
    if (ippGetResolution(list, i, &its_down, &its_unit) == across &&
        its_down == down && its_unit == unit) {
      return true;
    }
  }
  return false;
}

int LeastOf(ipp_attribute_t* list) {
  int least = INT_MAX;
  for (int i = 0; i < ippGetCount(list); ++i) {
    least = std::min(least, ippGetInteger(list, i));
  }
  return least;
}

// attribute: no collection.
bool IsListed(ipp_attribute_t* attribute, const std::string& name,
              ipp_attribute_t* list) {
  for (int i = 0; i < ippGetCount(attribute); ++i) {
    bool is_listed = true;
    switch (ippGetValueTag(attribute)) {
      case IPP_TAG_INTEGER:
      case IPP_TAG_ENUM: {
        const int value = ippGetInteger(attribute, i);
        // Their lists are only numbers of steps.
        const bool is_percent =
            name == "print-darkness" || name == "printer-darkness";
        const int least = name == "print-darkness" ? -kMostPercent : 0;
        if (is_percent) {
          is_listed = value >= least && value <= kMostPercent;
        } else if (name.ends_with("-margin")) {
          is_listed = value >= LeastOf(list);
        } else {
          // The printer chooses its speed.
          is_listed = ippContainsInteger(list, value) != 0 ||
                      (name == "print-speed" && value == 0);
        }
        break;
      }
      case IPP_TAG_KEYWORD:
      case IPP_TAG_NAME:
      case IPP_TAG_NAMELANG: {
        const char* value = ippGetString(attribute, i, nullptr);
        if (name == "media") {
          // Nothing: the tray keeps its paper.
          is_listed = (!*value && IsByTray(attribute)) || HasPaper(list, value);
        } else {
          is_listed = ippContainsString(list, value) != 0;
        }
        break;
      }
      case IPP_TAG_RESOLUTION:
        is_listed = HasResolution(list, attribute);
        break;
      default:
        break;
    }
    if (!is_listed) return false;
  }
  return true;
}

bool HasMedia(ipp_t* media, ipp_t* printer) {
  ipp_attribute_t* papers = ListOf(printer, "media");
  for (ipp_attribute_t* member = ippFirstAttribute(media); member;
       member = ippNextAttribute(media)) {
    const char* word = ippGetName(member);
    const std::string name = word ? word : "";
    if (name == "media-size") {
      ipp_t* size = ippGetCollection(member, 0);
      const auto length = [&](const char* side) {
        return ippGetInteger(ippFindAttribute(size, side, IPP_TAG_INTEGER), 0);
      };
      if (!HasPaper(papers, length("x-dimension"), length("y-dimension"))) {
        return false;
      }
      continue;
    }
    if (name == "media-size-name" &&
        !HasPaper(papers, ippGetString(member, 0, nullptr))) {
      return false;
    }
    ipp_attribute_t* list = ListOf(printer, name);
    if (list && !IsListed(member, name, list)) return false;
  }
  return true;
}

bool IsSupported(const Option& option, ipp_t* printer) {
  if (!printer) return true;  // PAPPL answers for a printer that is not there
  ipp_attribute_t* attribute = option.attribute;
  if (ippGetValueTag(attribute) != IPP_TAG_BEGIN_COLLECTION) {
    ipp_attribute_t* list = ListOf(printer, option.name);
    return list && IsListed(attribute, option.name, list);
  }
  for (int i = 0; i < ippGetCount(attribute); ++i) {
    if (!HasMedia(ippGetCollection(attribute, i), printer)) return false;
  }
  return true;
}

bool HasValue(const Option& option, bool is_default, ipp_t* printer) {
  if (option.is_standard) return IsSupported(option, printer);
  // PAPPL would keep them with the job.
  if (ippGetValueTag(option.attribute) == IPP_TAG_BEGIN_COLLECTION) {
    return false;
  }
  char value[1024];
  ippAttributeString(option.attribute, value, sizeof(value));
  if (const PrintSetting* setting = option.setting()) {
    return IsValue(value, *setting, is_default);
  }
  ipp_attribute_t* supported = ListOf(printer, option.name);
  // PAPPL would keep an unknown option with the job, too.
  return !printer || (supported && ippContainsString(supported, value));
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

std::vector<std::string> OptionsOfPrinters(ipp_t* request) {
  std::vector<std::string> names;
  for (const Option& option : OptionsIn(request)) {
    if (option.name == kMedia) {
      names.insert(names.end(), std::begin(kOfMedia), std::end(kOfMedia));
    } else if (!option.setting()) {
      names.push_back(option.name);
    }
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

bool WouldPrint(ipp_t* answer) {
  if (ippGetStatusCode(answer) != IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES) {
    return false;
  }
  for (ipp_attribute_t* each = ippFirstAttribute(answer); each;
       each = ippNextAttribute(answer)) {
    if (ippGetGroupTag(each) != IPP_TAG_UNSUPPORTED_GROUP) continue;
    const std::string_view name = ippGetName(each) ? ippGetName(each) : "";
    const bool is_left_out =
        IsPaper(name) || std::ranges::count(kOfJobs, name) > 0;
    if (!is_left_out || ippGetCount(each) != 1) return false;
  }
  return true;
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
