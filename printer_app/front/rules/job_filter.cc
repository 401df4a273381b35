// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/job_filter.h"

#include <algorithm>
#include <string>
#include <vector>

namespace halftoned {
namespace {

constexpr const char* kOwner = "job-originating-user-name";

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

std::string_view NameOf(ipp_attribute_t* attribute) {
  const char* name = ippGetName(attribute);
  return name ? name : "";
}

// The attributes of one job, or of one event; the next one's come behind a
// separator.
using Job = std::vector<ipp_attribute_t*>;

std::vector<Job> GroupsOf(ipp_t* answer, ipp_tag_t tag) {
  std::vector<Job> jobs;
  bool is_within = false;
  for (ipp_attribute_t* attribute = ippFirstAttribute(answer); attribute;
       attribute = ippNextAttribute(answer)) {
    const bool is_of_job =
        ippGetGroupTag(attribute) == tag && !NameOf(attribute).empty();
    if (is_of_job && !is_within) jobs.emplace_back();
    if (is_of_job) jobs.back().push_back(attribute);
    is_within = is_of_job;
  }
  return jobs;
}

std::string OwnerOf(const Job& job) {
  for (ipp_attribute_t* attribute : job) {
    if (NameOf(attribute) != kOwner) continue;
    const char* owner = ippGetString(attribute, 0, nullptr);
    return owner ? owner : "";
  }
  return "";
}

}  // namespace

bool AskForOwners(ipp_t* request) {
  ipp_attribute_t* wanted =
      ippFindAttribute(request, "requested-attributes", IPP_TAG_KEYWORD);
  // PAPPL answers with everything if nothing is asked for.
  if (!wanted || ippContainsString(wanted, "all") ||
      ippContainsString(wanted, "job-description")) {
    return true;
  }
  if (ippContainsString(wanted, kOwner)) return true;
  ippSetString(request, &wanted, ippGetCount(wanted), kOwner);
  return false;
}

void WithholdJobs(ipp_t* answer, const Caller& caller, std::string_view user,
                  bool keeps_owners) {
  for (const Job& job : GroupsOf(answer, IPP_TAG_JOB)) {
    const bool is_own = MayTouch(caller, user, OwnerOf(job));
    for (ipp_attribute_t* attribute : job) {
      const std::string_view name = NameOf(attribute);
      const bool stays = is_own ? keeps_owners || name != kOwner
                                : std::ranges::binary_search(kPublic, name);
      if (!stays) ippDeleteAttribute(answer, attribute);
    }
  }
}

void WithholdEvents(ipp_t* answer, const Caller& caller,
                    std::string_view user) {
  for (const Job& event : GroupsOf(answer, IPP_TAG_EVENT_NOTIFICATION)) {
    if (MayTouch(caller, user, OwnerOf(event))) continue;
    for (ipp_attribute_t* attribute : event) {
      const std::string_view name = NameOf(attribute);
      const bool tells_much =
          name == "notify-text" || (name.starts_with("job-") &&
                                    !std::ranges::binary_search(kPublic, name));
      if (tells_much) ippDeleteAttribute(answer, attribute);
    }
  }
}

}  // namespace halftoned
