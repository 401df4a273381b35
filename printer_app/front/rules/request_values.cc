// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/request_values.h"

#include <cups/pwg.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

namespace halftoned {
namespace {

enum class Kind : uint8_t {
  kKeyword,
  kWord,   // a keyword or a name
  kPaper,  // the same, of a paper that there is
  kName,
  kText,
  kUri,
  kMime,
  kCharset,
  kDate,
  kInteger,
  kNumber,  // an integer that is not repeated
  kLength,  // of paper, in 1/100 mm
  kEnum,
  kBoolean,
  kRange,
  kResolution,
  kCollection,
};

struct Known {
  std::string_view name;  // without what follows: -default, -ready
  Kind kind;
  int most = 1;  // values
};

constexpr int kMany = 1000;
constexpr int kSome = 100;
constexpr int kFew = 16;
constexpr int kMostSubscriptions = 100;  // PAPPL's limit in total
constexpr size_t kLongestUri = 1023;
constexpr int kLongestPaper = 10'000'000;  // 100 m
constexpr int kMostPapers = 16;            // for which PAPPL has room

// The standard attributes that PAPPL reads, sorted by name.
constexpr Known kKnown[] = {
    {"attributes-charset", Kind::kCharset},
    {"compression", Kind::kKeyword},
    {"contact-name", Kind::kName},
    {"contact-uri", Kind::kUri},
    {"contact-vcard", Kind::kText, kFew},
    {"copies", Kind::kInteger},
    {"document-format", Kind::kMime},
    {"document-name", Kind::kName},
    {"finishing-template", Kind::kWord},
    {"finishings", Kind::kEnum, kFew},
    {"finishings-col", Kind::kCollection, kFew},
    {"first-index", Kind::kInteger},
    {"identify-actions", Kind::kKeyword, kFew},
    {"ipp-attribute-fidelity", Kind::kBoolean},
    {"job-hold-until", Kind::kWord},
    {"job-hold-until-time", Kind::kDate},
    {"job-id", Kind::kInteger},
    {"job-ids", Kind::kInteger, kMany},
    {"job-impressions", Kind::kInteger},
    {"job-name", Kind::kName},
    {"job-priority", Kind::kInteger},
    {"job-sheets", Kind::kWord},
    {"job-uri", Kind::kUri},
    {"label-mode-configured", Kind::kKeyword},
    {"label-tear-offset-configured", Kind::kInteger},
    {"last-document", Kind::kBoolean},
    {"limit", Kind::kInteger},
    {"media", Kind::kWord, kMostPapers},
    {"media-bottom-margin", Kind::kInteger},
    {"media-col", Kind::kCollection, kMostPapers},
    {"media-left-margin", Kind::kInteger},
    {"media-left-offset", Kind::kInteger},
    {"media-right-margin", Kind::kInteger},
    {"media-size", Kind::kCollection},
    {"media-size-name", Kind::kPaper},
    {"media-source", Kind::kWord},
    {"media-top-margin", Kind::kInteger},
    {"media-top-offset", Kind::kInteger},
    {"media-tracking", Kind::kKeyword},
    {"media-type", Kind::kWord},
    {"message", Kind::kText},
    {"multiple-document-handling", Kind::kKeyword},
    {"my-jobs", Kind::kBoolean},
    {"notify-charset", Kind::kCharset},
    {"notify-events", Kind::kKeyword, kSome},
    {"notify-job-id", Kind::kInteger},
    {"notify-lease-duration", Kind::kInteger},
    {"notify-pull-method", Kind::kKeyword},
    {"notify-sequence-numbers", Kind::kInteger, kMostSubscriptions},
    {"notify-subscription-id", Kind::kInteger},
    {"notify-subscription-ids", Kind::kNumber, kMostSubscriptions},
    {"notify-time-interval", Kind::kInteger},
    {"notify-wait", Kind::kBoolean},
    {"orientation-requested", Kind::kEnum},
    {"output-bin", Kind::kWord},
    {"page-ranges", Kind::kRange, kSome},
    {"print-color-mode", Kind::kKeyword},
    {"print-content-optimize", Kind::kKeyword},
    {"print-darkness", Kind::kInteger},
    {"print-quality", Kind::kEnum},
    {"print-scaling", Kind::kKeyword},
    {"print-speed", Kind::kInteger},
    {"printer-contact-col", Kind::kCollection},
    {"printer-darkness-configured", Kind::kInteger},
    {"printer-device-id", Kind::kText},
    {"printer-geo-location", Kind::kUri},
    {"printer-id", Kind::kInteger},
    {"printer-location", Kind::kText},
    {"printer-name", Kind::kName},
    {"printer-organization", Kind::kText},
    {"printer-organizational-unit", Kind::kText},
    {"printer-resolution", Kind::kResolution},
    {"printer-service-type", Kind::kKeyword, kFew},
    {"printer-uri", Kind::kUri},
    {"requested-attributes", Kind::kKeyword, kMany},
    {"requesting-user-name", Kind::kName},
    {"sides", Kind::kKeyword},
    {"smi55357-device-uri", Kind::kUri},
    {"smi55357-driver", Kind::kKeyword},
    {"system-uri", Kind::kUri},
    {"which-jobs", Kind::kKeyword},
    {"which-printers", Kind::kKeyword},
    {"x-dimension", Kind::kLength},
    {"y-dimension", Kind::kLength},
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

bool IsName(ipp_tag_t tag) {
  return tag == IPP_TAG_NAME || tag == IPP_TAG_NAMELANG;
}

bool HasTag(Kind kind, ipp_tag_t tag) {
  switch (kind) {
    case Kind::kKeyword:
      return tag == IPP_TAG_KEYWORD;
    case Kind::kWord:
    case Kind::kPaper:
      return tag == IPP_TAG_KEYWORD || IsName(tag);
    case Kind::kName:
      return IsName(tag);
    case Kind::kText:
      return tag == IPP_TAG_TEXT || tag == IPP_TAG_TEXTLANG;
    case Kind::kUri:
      return tag == IPP_TAG_URI;
    case Kind::kMime:
      return tag == IPP_TAG_MIMETYPE;
    case Kind::kDate:
      return tag == IPP_TAG_DATE;
    case Kind::kCharset:
      return tag == IPP_TAG_CHARSET;
    case Kind::kInteger:
    case Kind::kNumber:
    case Kind::kLength:
      return tag == IPP_TAG_INTEGER;
    case Kind::kEnum:
      return tag == IPP_TAG_ENUM;
    case Kind::kBoolean:
      return tag == IPP_TAG_BOOLEAN;
    case Kind::kRange:
      return tag == IPP_TAG_RANGE;
    case Kind::kResolution:
      return tag == IPP_TAG_RESOLUTION;
    case Kind::kCollection:
      return tag == IPP_TAG_BEGIN_COLLECTION;
  }
  return false;
}

bool IsTooLong(ipp_attribute_t* uri) {
  for (int i = 0; i < ippGetCount(uri); ++i) {
    const char* text = ippGetString(uri, i, nullptr);
    if (text && std::string_view(text).size() > kLongestUri) return true;
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

std::string WrongMember(ipp_t* collection);

// Why the attribute is wrong; empty if it is not.
std::string WhatIsWrong(ipp_attribute_t* attribute) {
  const char* name = ippGetName(attribute);
  const ipp_tag_t tag = ippGetValueTag(attribute);
  if (!name) return "";
  if (const Known* known = FindKnown(name)) {
    if (!HasTag(known->kind, tag)) {
      return std::string(name) + " has the wrong type: " + ippTagString(tag);
    }
    if (ippGetCount(attribute) < 1 || ippGetCount(attribute) > known->most) {
      return std::string(name) + " has too many values, or none";
    }
    if (known->kind == Kind::kLength &&
        (ippGetInteger(attribute, 0) < 1 ||
         ippGetInteger(attribute, 0) > kLongestPaper)) {
      return std::string(name) + " is no length of a paper";
    }
    if (known->kind == Kind::kNumber && HasRepeatedNumber(attribute)) {
      return std::string(name) + " repeats a number";
    }
    if (known->kind == Kind::kUri && IsTooLong(attribute)) {
      return std::string(name) + " is too long";
    }
    if (known->kind == Kind::kPaper &&
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
  std::vector<std::string> lines;
  std::vector<ipp_attribute_t*> wrong;
  for (ipp_attribute_t* attribute = ippFirstAttribute(request); attribute;
       attribute = ippNextAttribute(request)) {
    std::string why = WhatIsWrong(attribute);
    if (!why.empty()) {
      lines.push_back(std::move(why));
      wrong.push_back(attribute);
    } else if (ippGetValueTag(attribute) == IPP_TAG_KEYWORD) {
      LeaveOutRepetitions(request, attribute);
    }
  }
  for (ipp_attribute_t* attribute : wrong) {
    ippDeleteAttribute(request, attribute);
  }
  return lines;
}

bool IsStandard(std::string_view name) { return FindKnown(name) != nullptr; }

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
