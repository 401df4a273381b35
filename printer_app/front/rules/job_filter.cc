// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/job_filter.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace halftoned {
namespace {

constexpr const char* kOwner = "job-originating-user-name";
constexpr const char* kReasonsOfState = "job-state-reasons";
constexpr const char* kMessageOfState = "job-state-message";

// Sorted.
constexpr std::string_view kPublic[] = {"date-time-at-completed",
                                        "date-time-at-creation",
                                        "date-time-at-processing",
                                        "job-id",
                                        "job-impressions",
                                        "job-impressions-completed",
                                        "job-k-octets",
                                        "job-printer-up-time",
                                        "job-printer-uri",
                                        "job-state",
                                        "job-state-message",
                                        "job-state-reasons",
                                        "job-uri",
                                        "job-uuid",
                                        "time-at-completed",
                                        "time-at-creation",
                                        "time-at-processing"};
static_assert(std::ranges::is_sorted(kPublic));

bool IsPublic(std::string_view name) {
  return std::ranges::binary_search(kPublic, name);
}

std::string_view NameOf(ipp_attribute_t* attribute) {
  const char* name = ippGetName(attribute);
  return name ? name : "";
}

// The attributes of one job, or of one event; the next one's come behind a
// separator.
using Job = std::vector<ipp_attribute_t*>;

// Finds out, for each job, which attributes stay.
using Stays = std::function<bool(std::string_view name)>;
using StaysOf = std::function<Stays(const Job& job)>;

std::string OwnerOf(const Job& job) {
  for (ipp_attribute_t* attribute : job) {
    if (NameOf(attribute) != kOwner) continue;
    const char* owner = ippGetString(attribute, 0, nullptr);
    return owner ? owner : "";
  }
  return "";
}

// Writes the answer anew: libcups searches for each attribute that it deletes.
Ipp Rewrite(ipp_t* answer, ipp_tag_t tag, const StaysOf& stays_of) {
  Ipp written = EmptyCopy(answer);
  Job job;
  const auto write_job = [&] {
    const Stays stays = stays_of(job);
    for (ipp_attribute_t* each : job) {
      if (stays(NameOf(each))) ippCopyAttribute(written.get(), each, 0);
    }
    job.clear();
  };
  for (ipp_attribute_t* each = ippFirstAttribute(answer); each;
       each = ippNextAttribute(answer)) {
    const bool is_named = !NameOf(each).empty();
    if (is_named && ippGetGroupTag(each) == tag) {
      job.push_back(each);
      continue;
    }
    write_job();
    if (is_named) {
      ippCopyAttribute(written.get(), each, 0);
    } else {
      ippAddSeparator(written.get());
    }
  }
  write_job();
  return written;
}

}  // namespace

AddedNames AskForMore(ipp_t* request) {
  ipp_attribute_t* wanted =
      ippFindAttribute(request, "requested-attributes", IPP_TAG_KEYWORD);
  // PAPPL answers with everything if nothing is asked for.
  if (!wanted || ippContainsString(wanted, "all") ||
      ippContainsString(wanted, "job-description")) {
    return {};
  }
  AddedNames added;
  const auto add = [&](const char* name) {
    if (ippContainsString(wanted, name)) return;
    ippSetString(request, &wanted, ippGetCount(wanted), name);
    added.emplace_back(name);
  };
  add(kOwner);
  for (const auto& [one, other] :
       {std::pair(kReasonsOfState, kMessageOfState),
        std::pair(kMessageOfState, kReasonsOfState)}) {
    if (ippContainsString(wanted, one)) add(other);
  }
  return added;
}

void LimitJobs(Ipp& request, int most) {
  ipp_attribute_t* limit =
      ippFindAttribute(request.get(), "limit", IPP_TAG_INTEGER);
  const int wanted = ippGetInteger(limit, 0);
  if (!limit) {
    request = WithInteger(request.get(), IPP_TAG_OPERATION, "limit", most);
  } else if (wanted < 1 || wanted > most) {
    ippSetInteger(request.get(), &limit, 0, most);
  }
}

Ipp WithholdJobs(ipp_t* answer, const Caller& caller, std::string_view user,
                 const AddedNames& added) {
  return Rewrite(answer, IPP_TAG_JOB, [&](const Job& job) -> Stays {
    const bool is_own = MayTouch(caller, user, OwnerOf(job));
    return [&added, is_own](std::string_view name) {
      return (is_own || IsPublic(name)) && std::ranges::count(added, name) == 0;
    };
  });
}

Ipp WithholdEvents(ipp_t* answer, const Caller& caller, std::string_view user) {
  return Rewrite(
      answer, IPP_TAG_EVENT_NOTIFICATION, [&](const Job& event) -> Stays {
        const bool is_own = MayTouch(caller, user, OwnerOf(event));
        return [is_own](std::string_view name) {
          return is_own || (name != "notify-text" &&
                            (!name.starts_with("job-") || IsPublic(name)));
        };
      });
}

}  // namespace halftoned
