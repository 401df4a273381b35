// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/queue/outcome.h"

#include <cstdio>

#include "base/json.h"
#include "base/text.h"

namespace halftoned {
namespace {

void PrintLine(const std::string& queue, const QueueOutcome& outcome) {
  std::string line = queue + ": " + outcome.result;
  if (!outcome.job.empty()) line += ", job " + outcome.job;
  if (!outcome.note.empty()) line += "; " + outcome.note;
  std::puts(Printable(line).c_str());
}

}  // namespace

void PrintOutcome(const std::string& queue, const QueueOutcome& outcome,
                  bool as_json) {
  if (!as_json) return PrintLine(queue, outcome);
  Json json = {
      {"queue", queue}, {"result", outcome.result}, {"note", outcome.note}};
  if (!outcome.job.empty()) json["job"] = outcome.job;
  std::fputs(JsonLine(json).c_str(), stdout);
}

}  // namespace halftoned
