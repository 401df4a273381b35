// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/request_values.h"

#include <cups/pwg.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <set>

#include "base/text.h"

namespace halftoned {
namespace {

enum class ValueRule : uint8_t { kNone, kPaper, kDistinct, kLength, kShort };

struct Kind {
  std::array<ipp_tag_t, 3> tags;  // of its values
  ValueRule rule = ValueRule::kNone;
};
constexpr Kind kKeyword{{IPP_TAG_KEYWORD}};
constexpr Kind kWord{{IPP_TAG_KEYWORD, IPP_TAG_NAME, IPP_TAG_NAMELANG}};
constexpr Kind kPaper{kWord.tags, ValueRule::kPaper};  // one that there is
constexpr Kind kName{{IPP_TAG_NAME, IPP_TAG_NAMELANG}};
constexpr Kind kText{{IPP_TAG_TEXT, IPP_TAG_TEXTLANG}};
constexpr Kind kUri{{IPP_TAG_URI}, ValueRule::kShort};
constexpr Kind kMime{{IPP_TAG_MIMETYPE}};
constexpr Kind kCharset{{IPP_TAG_CHARSET}};
constexpr Kind kDate{{IPP_TAG_DATE}};
constexpr Kind kInteger{{IPP_TAG_INTEGER}};
constexpr Kind kNumber{{IPP_TAG_INTEGER}, ValueRule::kDistinct};
constexpr Kind kLength{{IPP_TAG_INTEGER}, ValueRule::kLength};  // in 1/100 mm
constexpr Kind kEnum{{IPP_TAG_ENUM}};
constexpr Kind kBoolean{{IPP_TAG_BOOLEAN}};
constexpr Kind kRange{{IPP_TAG_RANGE}};
constexpr Kind kResolution{{IPP_TAG_RESOLUTION}};
constexpr Kind kCollection{{IPP_TAG_BEGIN_COLLECTION}};

struct Known {
  std::string_view name;  // without what follows: -default, -ready
  Kind kind;
  int most = 1;  // values
};

constexpr int kMany = 1000;
constexpr int kSome = 100;
constexpr int kFew = 16;
// As many as a user can have (UserSubscriptions). Each costs a request to
// PAPPL.
constexpr int kMostSubscriptions = 10;
constexpr size_t kLongestUri = 1023;
constexpr int kLongestPaper = 10'000'000;  // 100 m
constexpr int kMostPapers = 16;            // for which PAPPL has room

// The standard attributes that PAPPL reads, sorted by name.
constexpr Known kKnown[] = {
    {"attributes-charset", kCharset},
    {"compression", kKeyword},
    {"contact-name", kName},
    {"contact-uri", kUri},
    {"contact-vcard", kText, kFew},
    {"copies", kInteger},
    {"document-format", kMime},
    {"document-name", kName},
    {"finishing-template", kWord},
    {"finishings", kEnum, kFew},
    {"finishings-col", kCollection, kFew},
    {"first-index", kInteger},
    {"identify-actions", kKeyword, kFew},
    {"ipp-attribute-fidelity", kBoolean},
    {"job-hold-until", kWord},
    {"job-hold-until-time", kDate},
    {"job-id", kInteger},
    {"job-ids", kInteger, kMany},
    {"job-impressions", kInteger},
    {"job-name", kName},
    {"job-priority", kInteger},
    {"job-sheets", kWord},
    {"job-uri", kUri},
    {"label-mode-configured", kKeyword},
    {"label-tear-offset-configured", kInteger},
    {"last-document", kBoolean},
    {"limit", kInteger},
    {"media", kWord, kMostPapers},
    {"media-bottom-margin", kInteger},
    {"media-col", kCollection, kMostPapers},
    {"media-left-margin", kInteger},
    {"media-left-offset", kInteger},
    {"media-right-margin", kInteger},
    {"media-size", kCollection},
    {"media-size-name", kPaper},
    {"media-source", kWord},
    {"media-top-margin", kInteger},
    {"media-top-offset", kInteger},
    {"media-tracking", kKeyword},
    {"media-type", kWord},
    {"message", kText},
    {"multiple-document-handling", kKeyword},
    {"my-jobs", kBoolean},
    {"notify-charset", kCharset},
    {"notify-events", kKeyword, kSome},
    {"notify-job-id", kInteger},
    {"notify-lease-duration", kInteger},
    {"notify-pull-method", kKeyword},
    {"notify-sequence-numbers", kInteger, kMostSubscriptions},
    {"notify-subscription-id", kInteger},
    {"notify-subscription-ids", kNumber, kMostSubscriptions},
    {"notify-time-interval", kInteger},
    {"notify-wait", kBoolean},
    {"orientation-requested", kEnum},
    {"output-bin", kWord},
    {"page-ranges", kRange, kSome},
    {"print-color-mode", kKeyword},
    {"print-content-optimize", kKeyword},
    {"print-darkness", kInteger},
    {"print-quality", kEnum},
    {"print-scaling", kKeyword},
    {"print-speed", kInteger},
    {"printer-contact-col", kCollection},
    {"printer-darkness-configured", kInteger},
    {"printer-device-id", kText},
    {"printer-geo-location", kUri},
    {"printer-id", kInteger},
    {"printer-location", kText},
    {"printer-name", kName},
    {"printer-organization", kText},
    {"printer-organizational-unit", kText},
    {"printer-resolution", kResolution},
    {"printer-service-type", kKeyword, kFew},
    {"printer-uri", kUri},
    {"requested-attributes", kKeyword, kMany},
    {"requesting-user-name", kName},
    {"sides", kKeyword},
    {"smi55357-device-uri", kUri},
    {"smi55357-driver", kKeyword},
    {"system-uri", kUri},
    {"which-jobs", kKeyword},
    {"which-printers", kKeyword},
    {"x-dimension", kLength},
    {"y-dimension", kLength},
};
static_assert(std::ranges::is_sorted(kKnown, {}, &Known::name));

const Known* FindKnown(std::string_view name) {
  const auto find = [](std::string_view wanted) -> const Known* {
    const auto* const found =
        std::ranges::lower_bound(kKnown, wanted, {}, &Known::name);
    return found != std::end(kKnown) && found->name == wanted ? found : nullptr;
  };
  if (const Known* known = find(name)) return known;
  for (const std::string_view end : {"-default", "-ready"}) {
    if (name.ends_with(end)) {
      return find(name.substr(0, name.size() - end.size()));
    }
  }
  return nullptr;
}

// libcups ignores the case of names, and so do clients.
void LowerKnownNames(ipp_t* attributes) {
  for (ipp_attribute_t* each = ippFirstAttribute(attributes); each;
       each = ippNextAttribute(attributes)) {
    const std::string given = ippGetName(each) ? ippGetName(each) : "";
    const std::string name = LowerCase(given);
    if (name != given && FindKnown(name)) {
      ippSetName(attributes, &each, name.c_str());
    }
    if (ippGetValueTag(each) != IPP_TAG_BEGIN_COLLECTION) continue;
    for (int i = 0; i < ippGetCount(each); ++i) {
      LowerKnownNames(ippGetCollection(each, i));
    }
  }
}

bool IsTooLong(ipp_attribute_t* uri) {
  for (int i = 0; i < ippGetCount(uri); ++i) {
    const char* text = ippGetString(uri, i, nullptr);
    if (text && IsTooLongUri(text)) return true;
  }
  return false;
}

bool HasRepeatedNumber(ipp_attribute_t* numbers) {
  std::set<int> found;
  for (int i = 0; i < ippGetCount(numbers); ++i) {
    if (!found.insert(ippGetInteger(numbers, i)).second) return true;
  }
  return false;
}

// Beginnings of the names of what the server says of a job.
constexpr std::string_view kOfServer[] = {
    "attributes-",      "compression-",
    "date-time-at-",    "document-format-",
    "job-detailed-",    "job-document-",
    "job-id",           "job-impressions-",
    "job-k-octets",     "job-media-sheets",
    "job-more-info",    "job-name",
    "job-originating-", "job-printer-",
    "job-processing-",  "job-state",
    "job-uri",          "job-uuid",
    "number-of-",       "original-requesting-",
    "output-device-",   "requesting-user-",
    "time-at-",
};

// Clients ignore the case of names.
bool IsOfServer(ipp_attribute_t* attribute) {
  const char* given = ippGetName(attribute);
  if (!given || ippGetGroupTag(attribute) != IPP_TAG_JOB) return false;
  const std::string name = LowerCase(given);
  return std::ranges::any_of(kOfServer, [&](std::string_view begin) {
    return name.starts_with(begin);
  });
}

std::string WrongMember(ipp_t* collection);

// Why the attribute is wrong; empty if it is not.
std::string WhatIsWrong(ipp_attribute_t* attribute) {
  const char* name = ippGetName(attribute);
  const ipp_tag_t tag = ippGetValueTag(attribute);
  if (!name) return "";
  if (const Known* known = FindKnown(name)) {
    const ValueRule rule = known->kind.rule;
    if (tag == IPP_TAG_ZERO || std::ranges::count(known->kind.tags, tag) == 0) {
      return std::string(name) + " has the wrong type: " + ippTagString(tag);
    }
    if (ippGetCount(attribute) < 1 || ippGetCount(attribute) > known->most) {
      return std::string(name) + " has too many values, or none";
    }
    if (rule == ValueRule::kLength &&
        (ippGetInteger(attribute, 0) < 1 ||
         ippGetInteger(attribute, 0) > kLongestPaper)) {
      return std::string(name) + " is not a valid paper length";
    }
    if (rule == ValueRule::kDistinct && HasRepeatedNumber(attribute)) {
      return std::string(name) + " repeats a number";
    }
    if (rule == ValueRule::kShort && IsTooLong(attribute)) {
      return std::string(name) + " is too long";
    }
    if (rule == ValueRule::kPaper &&
        !pwgMediaForPWG(ippGetString(attribute, 0, nullptr))) {
      return std::string(name) + " names an unknown paper";
    }
  }
  for (int i = 0; tag == IPP_TAG_BEGIN_COLLECTION && i < ippGetCount(attribute);
       ++i) {
    const std::string wrong = WrongMember(ippGetCollection(attribute, i));
    if (!wrong.empty()) return std::string(name) + ": " + wrong;
  }
  return "";
}

std::string WrongMember(ipp_t* collection) {
  std::string wrong;
  for (ipp_attribute_t* member = ippFirstAttribute(collection);
       member && wrong.empty(); member = ippNextAttribute(collection)) {
    wrong = WhatIsWrong(member);
  }
  return wrong;
}

// PAPPL does not read unknown members of a collection, but would keep them with
// a job. attribute: of any type.
void LeaveOutUnknownMembers(ipp_attribute_t* attribute) {
  if (ippGetValueTag(attribute) != IPP_TAG_BEGIN_COLLECTION) return;
  for (int i = 0; i < ippGetCount(attribute); ++i) {
    ipp_t* collection = ippGetCollection(attribute, i);
    std::vector<ipp_attribute_t*> unknown;
    for (ipp_attribute_t* member = ippFirstAttribute(collection); member;
         member = ippNextAttribute(collection)) {
      if (!FindKnown(ippGetName(member))) unknown.push_back(member);
      LeaveOutUnknownMembers(member);
    }
    for (ipp_attribute_t* member : unknown) {
      ippDeleteAttribute(collection, member);
    }
  }
}

void LeaveOutRepetitions(ipp_t* request, ipp_attribute_t* keywords) {
  std::set<std::string> found;
  // libcups 2.4 does not delete the last value.
  for (int i = ippGetCount(keywords) - 1; i >= 0; --i) {
    if (!found.insert(ippGetString(keywords, i, nullptr)).second) {
      ippDeleteValues(request, &keywords, i, 1);
    }
  }
}

}  // namespace

std::vector<std::string> LeaveOutWrongValues(ipp_t* request) {
  LowerKnownNames(request);
  std::vector<std::string> lines;
  std::set<std::string> names;
  std::vector<ipp_attribute_t*> wrong;
  for (ipp_attribute_t* attribute = ippFirstAttribute(request); attribute;
       attribute = ippNextAttribute(request)) {
    LeaveOutUnknownMembers(attribute);
    std::string why = WhatIsWrong(attribute);
    if (why.empty() && IsOfServer(attribute)) {
      why =
          std::string(ippGetName(attribute)) + " can be set only by the server";
    }
    // PAPPL checks the first, but can keep the second.
    if (const char* name = ippGetName(attribute);
        name && why.empty() && !names.insert(LowerCase(name)).second) {
      why = std::string(name) + " is repeated";
    }
    if (!why.empty()) {
      lines.push_back(std::move(why));
      wrong.push_back(attribute);
    } else if (ippGetValueTag(attribute) == IPP_TAG_KEYWORD &&
               !IsByTray(attribute)) {
      LeaveOutRepetitions(request, attribute);
    }
  }
  for (ipp_attribute_t* attribute : wrong) {
    ippDeleteAttribute(request, attribute);
  }
  return lines;
}

bool IsTooLongUri(std::string_view uri) {
  const auto escaped =
      std::ranges::count(uri, '"') + std::ranges::count(uri, '\\');
  return uri.size() + static_cast<size_t>(escaped) > kLongestUri;
}

bool IsStandard(std::string_view name) { return FindKnown(name) != nullptr; }

bool IsByTray(ipp_attribute_t* attribute) {
  const char* name = ippGetName(attribute);
  return name && std::string_view(name) == "media-ready";
}

bool HasSeveralSubscriptions(ipp_t* request) {
  bool has_one = false;
  bool is_in_one = false;
  for (ipp_attribute_t* attribute = ippFirstAttribute(request); attribute;
       attribute = ippNextAttribute(request)) {
    const bool was_in_one = is_in_one;
    is_in_one = ippGetGroupTag(attribute) == IPP_TAG_SUBSCRIPTION;
    if (is_in_one && !was_in_one && has_one) return true;
    has_one = has_one || is_in_one;
  }
  return false;
}

}  // namespace halftoned
