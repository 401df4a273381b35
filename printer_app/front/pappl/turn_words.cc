// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/turn_words.h"

#include <algorithm>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "printer_app/handover/hold.h"

namespace halftoned {
namespace {

constexpr const char* kHold = "job-hold-until";
constexpr const char* kHoldTime = "job-hold-until-time";
constexpr const char* kMessage = "job-state-message";
constexpr const char* kReasons = "job-state-reasons";
constexpr const char* kHeldReason = "job-hold-until-specified";
constexpr std::string_view kOurs = "halftone-";
constexpr std::string_view kAt = "halftone-at-";
constexpr std::string_view kPeriods[] = {
    "day-time", "evening", "night", "second-shift", "third-shift", "weekend"};

struct Format {
  std::string_view of_clients, of_pappl;
};
constexpr Format kFormats[] = {{"image/pwg-raster", "image/x-pwg-raster"},
                               {"image/urf", "image/x-urf"}};

std::string_view Name(ipp_attribute_t* attribute) {
  const char* name = ippGetName(attribute);
  return name ? name : "";
}

std::string TextIn(ipp_attribute_t* attribute) {
  const char* text = ippGetString(attribute, 0, nullptr);
  return text ? text : "";
}

// The word that replaces those of a client.
std::string WordFor(std::string_view said, std::optional<time_t> time) {
  if (time) return std::string(kAt) + std::to_string(*time);
  if (said.empty() || said == "no-hold") return kHoldForTurn;
  if (std::ranges::find(kPeriods, said) != std::end(kPeriods)) {
    return std::string(kOurs).append(said);
  }
  return "indefinite";
}

std::string WordIn(ipp_t* request) {
  ipp_attribute_t* time = ippFindAttribute(request, kHoldTime, IPP_TAG_DATE);
  const std::string said =
      TextIn(ippFindAttribute(request, kHold, IPP_TAG_ZERO));
  if (ippGetOperation(request) == IPP_OP_RELEASE_JOB) return kHoldForTurn;
  if (ippGetOperation(request) == IPP_OP_HOLD_JOB && said.empty() && !time) {
    return "indefinite";
  }
  return WordFor(said, time ? std::optional(ippDateToTime(ippGetDate(time, 0)))
                            : std::nullopt);
}

// With this hold at the end of the group, in place of all others.
Ipp WithHold(ipp_t* request, ipp_tag_t group, const std::string& word) {
  for (const char* name : {kHold, kHoldTime}) {
    while (ipp_attribute_t* hold =
               ippFindAttribute(request, name, IPP_TAG_ZERO)) {
      ippDeleteAttribute(request, hold);
    }
  }
  return WithString(request, group, IPP_TAG_KEYWORD, kHold, word);
}

void SetFormat(ipp_t* message, ipp_attribute_t* attribute,
               std::string_view Format::*from, std::string_view Format::*to) {
  const std::string said = TextIn(attribute);
  for (const Format& format : kFormats) {
    if (said == format.*from) {
      ippSetString(message, &attribute, 0, (format.*to).data());
    }
  }
}

void SetFormatForPappl(ipp_t* request) {
  SetFormat(request,
            ippFindAttribute(request, "document-format", IPP_TAG_MIMETYPE),
            &Format::of_clients, &Format::of_pappl);
}

bool IsForPappl(std::string_view format) {
  return std::ranges::find(kFormats, format, &Format::of_pappl) !=
         std::end(kFormats);
}

// Writes answers anew, group by group.
class Rewriter {
 public:
  Rewriter(ipp_t* answer, bool keeps_holds, std::string_view hold)
      : answer_(answer),
        keeps_holds_(keeps_holds),
        unsaid_(hold),
        written_(EmptyCopy(answer)) {}

  Ipp Rewrite();

 private:
  void WriteGroup();
  void Write(ipp_attribute_t* attribute, bool waits);
  void WriteHold(std::string_view word);
  void WriteFormats(ipp_attribute_t* attribute);

  ipp_t* const answer_;
  const bool keeps_holds_;
  const std::string unsaid_;
  Ipp written_;
  std::vector<ipp_attribute_t*> group_;
};

Ipp Rewriter::Rewrite() {
  for (ipp_attribute_t* each = ippFirstAttribute(answer_); each;
       each = ippNextAttribute(answer_)) {
    if (Name(each).empty()) {
      WriteGroup();
      ippAddSeparator(written_.get());
      continue;
    }
    if (!group_.empty() &&
        ippGetGroupTag(group_.front()) != ippGetGroupTag(each)) {
      WriteGroup();
    }
    group_.push_back(each);
  }
  WriteGroup();
  return std::move(written_);
}

void Rewriter::WriteGroup() {
  std::string hold = unsaid_;
  bool is_held = false;
  bool has_reasons = false;
  for (ipp_attribute_t* each : group_) {
    if (Name(each) == kHold) hold = TextIn(each);
    if (Name(each) == "job-state") {
      is_held = ippGetInteger(each, 0) == IPP_JSTATE_HELD;
    }
    has_reasons |= Name(each) == kReasons;
    // One that has begun, or was never to wait.
    if (Name(each) == kReasons && !ippContainsString(each, kHeldReason)) {
      hold.clear();
    }
  }
  const bool waits = hold == kHoldForTurn;
  const bool is_waiting = waits && is_held;
  for (ipp_attribute_t* each : group_) {
    if (Name(each) == kHold) {
      if (keeps_holds_ && !waits) WriteHold(hold);
    } else {
      Write(each, is_waiting);
    }
    // PAPPL 1.3 leaves them out in answers about jobs that are held.
    if (Name(each) == kMessage && !has_reasons) {
      ippAddString(written_.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, kReasons,
                   nullptr, is_held && !waits ? kHeldReason : "none");
    }
  }
  group_.clear();
}

void Rewriter::Write(ipp_attribute_t* attribute, bool waits) {
  const std::string_view name = Name(attribute);
  if (name == "document-format-supported") return WriteFormats(attribute);
  ipp_attribute_t* copy = ippCopyAttribute(written_.get(), attribute, 0);
  if (waits && name == "job-state") {
    ippSetInteger(written_.get(), &copy, 0, IPP_JSTATE_PENDING);
  } else if (waits && name == kMessage) {
    ippSetString(written_.get(), &copy, 0, "Job pending.");
  } else if (waits && name == kReasons) {
    const int more = ippGetCount(copy) - 1;
    if (more > 0) ippDeleteValues(written_.get(), &copy, 1, more);
    ippSetString(written_.get(), &copy, 0, "none");
  } else if (name == "document-format-supplied" ||
             name == "document-format-detected") {
    SetFormat(written_.get(), copy, &Format::of_pappl, &Format::of_clients);
  }
}

void Rewriter::WriteHold(std::string_view word) {
  if (word.starts_with(kAt)) {
    word.remove_prefix(kAt.size());
    ippAddDate(written_.get(), IPP_TAG_JOB, kHoldTime,
               ippTimeToDate(TakeNumber<time_t>(word).value_or(0)));
    return;
  }
  if (word.starts_with(kOurs)) word.remove_prefix(kOurs.size());
  ippAddString(written_.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD, kHold, nullptr,
               std::string(word).c_str());
}

void Rewriter::WriteFormats(ipp_attribute_t* attribute) {
  std::vector<const char*> formats;
  for (int i = 0; i < ippGetCount(attribute); ++i) {
    const char* format = ippGetString(attribute, i, nullptr);
    if (format && !IsForPappl(format)) formats.push_back(format);
  }
  ippAddStrings(written_.get(), ippGetGroupTag(attribute), IPP_TAG_MIMETYPE,
                ippGetName(attribute), static_cast<int>(formats.size()),
                nullptr, formats.data());
}

}  // namespace

Ipp ForTurns(Ipp request) {
  switch (ippGetOperation(request.get())) {
    case IPP_OP_PRINT_JOB:
      SetFormatForPappl(request.get());
      [[fallthrough]];
    case IPP_OP_CREATE_JOB:
      return WithHold(request.get(), IPP_TAG_JOB, WordIn(request.get()));
    case IPP_OP_SEND_DOCUMENT:
      SetFormatForPappl(request.get());
      return request;
    case IPP_OP_HOLD_JOB:
    case IPP_OP_RELEASE_JOB: {
      const std::string word = WordIn(request.get());
      ippSetOperation(request.get(), IPP_OP_HOLD_JOB);
      return WithHold(request.get(), IPP_TAG_OPERATION, word);
    }
    default:
      return request;
  }
}

bool IsHeldBy(ipp_t* request) { return WordIn(request) != kHoldForTurn; }

std::string HoldOf(ipp_t* request) {
  const std::string hold =
      TextIn(ippFindAttribute(request, kHold, IPP_TAG_KEYWORD));
  return hold.empty() ? kHoldForTurn : hold;
}

bool AskForHolds(ipp_t* request) {
  ipp_attribute_t* wanted =
      ippFindAttribute(request, "requested-attributes", IPP_TAG_KEYWORD);
  // By default a list of jobs has their numbers alone.
  if (!wanted) return true;
  for (const char* name : {"all", "job-template", kHold}) {
    if (ippContainsString(wanted, name)) return true;
  }
  ippSetString(request, &wanted, ippGetCount(wanted), kHold);
  return false;
}

Ipp ForClients(Ipp answer, bool keeps_holds, std::string_view hold) {
  if (!answer) return answer;
  return Rewriter(answer.get(), keeps_holds, hold).Rewrite();
}

}  // namespace halftoned
