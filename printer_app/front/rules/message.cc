// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/message.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

namespace halftoned {
namespace {

using JobGroup = std::vector<ipp_attribute_t*>;

std::vector<JobGroup> JobGroupsIn(ipp_t* list) {
  std::vector<JobGroup> jobs;
  bool is_within = false;
  for (ipp_attribute_t* each = ippFirstAttribute(list); each;
       each = ippNextAttribute(list)) {
    const bool is_of_job =
        ippGetName(each) && ippGetGroupTag(each) == IPP_TAG_JOB;
    if (is_of_job && !is_within) jobs.emplace_back();
    if (is_of_job) jobs.back().push_back(each);
    is_within = is_of_job;
  }
  return jobs;
}

// Adds the job's number, if the client asked for it. False if the set has it
// already.
bool AddJobNumber(const JobGroup& job, std::set<int>& numbers) {
  const auto id = std::ranges::find_if(job, [](ipp_attribute_t* each) {
    return std::string_view(ippGetName(each)) == "job-id";
  });
  return id == job.end() || numbers.insert(ippGetInteger(*id, 0)).second;
}

// A copy of the message; `add` is called at the end of the group.
template <typename Add>
Ipp WithAdded(ipp_t* message, ipp_tag_t group, Add add) {
  Ipp copy = EmptyCopy(message);
  bool is_added = false;
  ipp_tag_t last = IPP_TAG_ZERO;
  for (ipp_attribute_t* each = ippFirstAttribute(message); each;
       each = ippNextAttribute(message)) {
    // A separator also ends a group; attributes after it begin a new one.
    const bool is_behind =
        ippGetName(each) ? ippGetGroupTag(each) > group : last == group;
    if (is_behind && !is_added) {
      add(copy.get());
      is_added = true;
    }
    last = ippGetGroupTag(each);
    if (ippGetName(each)) {
      ippCopyAttribute(copy.get(), each, 0);
    } else {
      ippAddSeparator(copy.get());
    }
  }
  if (!is_added) add(copy.get());
  return copy;
}

}  // namespace

Ipp ParseIpp(std::string_view message) {
  Ipp ipp(ippNew());
  const auto read = [](void* data, ipp_uchar_t* room, size_t size) -> ssize_t {
    auto& left = *static_cast<std::string_view*>(data);
    size = std::min(size, left.size());
    std::memcpy(room, left.data(), size);
    left.remove_prefix(size);
    return static_cast<ssize_t>(size);
  };
  if (ippReadIO(&message, read, 1, nullptr, ipp.get()) != IPP_STATE_DATA) {
    return nullptr;
  }
  return ipp;
}

std::string WriteIpp(ipp_t* ipp) {
  std::string message;
  ippSetState(ipp, IPP_STATE_IDLE);
  ippWriteIO(
      &message,
      [](void* data, ipp_uchar_t* bytes, size_t size) -> ssize_t {
        static_cast<std::string*>(data)->append(
            reinterpret_cast<const char*>(bytes), size);
        return static_cast<ssize_t>(size);
      },
      1, nullptr, ipp);
  return message;
}

const char* TextIn(ipp_t* ipp, const char* name, ipp_tag_t tag) {
  const char* text = ippGetString(ippFindAttribute(ipp, name, tag), 0, nullptr);
  return text ? text : "";
}

bool IsDone(ipp_t* answer) {
  return ippGetStatusCode(answer) < IPP_STATUS_ERROR_BAD_REQUEST;
}

bool NamesAJobTwice(ipp_t* list) {
  std::set<int> numbers;
  return !std::ranges::all_of(JobGroupsIn(list), [&](const JobGroup& job) {
    return AddJobNumber(job, numbers);
  });
}

void AddJobs(ipp_t* list, ipp_t* more, int most) {
  std::set<int> numbers;
  int count = 0;
  for (const JobGroup& job : JobGroupsIn(list)) {
    AddJobNumber(job, numbers);
    ++count;
  }
  for (const JobGroup& job : JobGroupsIn(more)) {
    if (most > 0 && count >= most) return;
    if (!AddJobNumber(job, numbers)) continue;
    if (count++ > 0) ippAddSeparator(list);
    for (ipp_attribute_t* each : job) ippCopyAttribute(list, each, 0);
  }
}

Ipp EmptyCopy(ipp_t* message) {
  Ipp copy(ippNew());
  int minor = 0;
  const int major = ippGetVersion(message, &minor);
  ippSetVersion(copy.get(), major, minor);
  ippSetOperation(copy.get(), ippGetOperation(message));
  ippSetRequestId(copy.get(), ippGetRequestId(message));
  return copy;
}

Ipp WithString(ipp_t* message, ipp_tag_t group, ipp_tag_t kind,
               const char* name, const std::string& value) {
  return WithAdded(message, group, [&](ipp_t* copy) {
    ippAddString(copy, group, kind, name, nullptr, value.c_str());
  });
}

Ipp WithInteger(ipp_t* message, ipp_tag_t group, const char* name, int value) {
  return WithAdded(message, group, [&](ipp_t* copy) {
    ippAddInteger(copy, group, IPP_TAG_INTEGER, name, value);
  });
}

}  // namespace halftoned
