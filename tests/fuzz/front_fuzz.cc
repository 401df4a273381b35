// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests as the front of the printer application takes them. A message that
// it hands to PAPPL is one that it would take itself, with one target and
// without a member of a wrong kind; forms and hosts mean the same when read
// again.

#include <cups/http.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/hosts.h"
#include "printer_app/front/pappl/turn_words.h"
#include "printer_app/front/rules/chunk_scan.h"
#include "printer_app/front/rules/groups.h"
#include "printer_app/front/rules/http_head.h"
#include "printer_app/front/rules/ipp_scan.h"
#include "printer_app/front/rules/job_filter.h"
#include "printer_app/front/rules/job_options.h"
#include "printer_app/front/rules/message.h"
#include "printer_app/front/rules/request_values.h"
#include "printer_app/front/rules/target.h"
#include "printer_app/front/rules/texts.h"
#include "printer_app/front/web/forms.h"
#include "printer_app/front/web/job_page.h"
#include "printer_app/front/web/offered.h"
#include "printer_app/front/web/web_pages.h"
#include "tests/printer_app/front/ipp_length.h"

namespace {

using namespace halftoned;  // NOLINT

void Expect(bool is_so) {
  if (!is_so) std::abort();
}

void TryRequest(std::string_view data) {
  const size_t length = LengthOf(data);
  if (length == 0) return;
  Ipp request = ParseIpp(data.substr(0, length));
  if (!request) return;
  const bool is_in_order = SettleGroups(request);
  CleanTexts(request.get());
  LeaveOutWrongValues(request.get());
  Expect(LeaveOutWrongValues(request.get()).empty());
  const auto target = SettleTarget(request.get());
  if (!target) return;
  const auto again = SettleTarget(request.get());
  Expect(again && again->printer == target->printer &&
         again->job == target->job && again->is_system == target->is_system);
  if (!is_in_order) return;
  LimitJobs(request, 500);
  AskForMore(request.get());
  const Ipp taken = TakeUnknown(request.get(), nullptr);
  request = ForTurns(std::move(request));
  const std::string message = WriteIpp(request.get());
  Expect(LengthOf(message) == message.size() && ParseIpp(message));
  Ipp answer(ippNewResponse(request.get()));
  if (taken) AnswerUnknown(taken.get(), false, answer);
}

// The same bytes as PAPPL's answer.
void TryAnswer(std::string_view data) {
  Ipp answer = ParseIpp(data);
  if (!answer) return;
  answer = ForClients(std::move(answer), true, "halftone-turn");
  const Caller somebody;
  answer = WithholdJobs(answer.get(), somebody, "alice", {});
  Expect(!ippFindAttribute(answer.get(), "job-originating-user-name",
                           IPP_TAG_NAME) ||
         ippGetGroupTag(ippFindAttribute(
             answer.get(), "job-originating-user-name", IPP_TAG_NAME)) !=
             IPP_TAG_JOB);
}

// The same bytes as a chunked body: the data that it has do not depend on how
// many of them come at once.
void TryChunks(std::string_view data) {
  ChunkScan whole, split;
  size_t at = 0;
  while (at < data.size() && !whole.is_over()) {
    Expect(whole.data() == split.data());
    if (const size_t next =
            std::min<uint64_t>(whole.data(), data.size() - at)) {
      whole.Pass(next);
      for (size_t i = 0; i < next; ++i) split.Pass(1);
      at += next;
      continue;
    }
    const bool is_right = whole.Take(data[at]);
    Expect(split.Take(data[at]) == is_right);
    if (!is_right) return;
    ++at;
  }
}

// A clear head has as many lines for libcups, which ends them at LF, as it has
// CR LF.
void TryHead(std::string_view data) {
  const std::string_view head = data.substr(0, SizeOfHead(data));
  if (!IsClearHead(head)) return;
  size_t lines = 0;
  for (size_t at = head.find("\r\n"); at != head.npos;
       at = head.find("\r\n", at + 2)) {
    ++lines;
  }
  Expect(lines == static_cast<size_t>(std::ranges::count(head, '\n')));
}

void TryText(std::string_view data) {
  const WebForm form = ParseForm(data);
  Expect(ParseForm(WriteForm(form)) == form);
  (void)WhatIsNotOffered(form, data);
  for (const auto& [name, value] : form) {
    Expect(value.find_first_of("\r\n") == value.npos);
  }
  const size_t half = data.size() / 2;
  IsFromHost(data.substr(0, half), data.substr(half), half % 2 == 0);
  if (IsOurHost(data, NamesOfMachine("desk.example.org"))) {
    Expect(data.find_first_of("/ \r\n\t") == data.npos);
  }
  PageAt(data, {"office"});
  WithTokensFor(Caller{.place = "uid 1"}, std::string(data), "key");
  JobPage(std::string(data), {{1, 3, "alice", std::string(data)}},
          Caller{.is_local = true, .name = "alice"}, "", "token");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  TryRequest(bytes);
  if (size < 16384) TryAnswer(bytes);
  TryChunks(bytes);
  TryHead(bytes);
  if (size < 4096) TryText(bytes);
  return 0;
}
