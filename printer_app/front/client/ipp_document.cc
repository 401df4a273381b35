// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests with a document.

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "printer_app/front/client/ipp_request.h"
#include "printer_app/front/pappl/kept_shares.h"
#include "printer_app/front/rules/document_format.h"
#include "printer_app/front/rules/message.h"
#include "printer_app/handover/spooled_document.h"

namespace halftoned {
namespace {

bool IsRaster(std::string_view format) {
  return format == "image/pwg-raster" || format == "image/urf";
}

}  // namespace

Ipp IppRequest::AnswerWithDocument(UserShares::Coming& share) {
  client_.WaitForMore();
  DocumentReader reader(client_, compression_);
  Result<PagedDocument> document = PagedDocument::Begin(
      front_.settings.spool,
      IsRaster(TextIn(request_.get(), "document-format", IPP_TAG_MIMETYPE)));
  if (!document.ok()) return SayNotKept(document.error());
  Result<Ipp> answer = TakeDocument(reader, *document, share);
  if (!answer.ok()) return SayNotKept(answer.error());
  return std::move(*answer);
}

Result<Ipp> IppRequest::TakeDocument(DocumentReader& reader,
                                     PagedDocument& document,
                                     UserShares::Coming& share) {
  Result<Ipp> answer = Ipp();
  const std::string reference =
      document.Reference(OwnerLine(KeyOf(target_.printer), share.user()));
  std::vector<char> piece(64 << 10);
  while (true) {
    const Result<size_t> size = reader.Read(piece);
    if (!size.ok() && client_.is_interrupted()) return SayDeleted();
    if (!size.ok() && size.error().code == ErrorCode::kBadInput) {
      return Say(IPP_STATUS_ERROR_COMPRESSION_ERROR, size.error().message);
    }
    if (!size.ok()) {
      front_.log.Write(FrontLog::kInfo, size.error().message + '.',
                       client_.caller);
      return Ipp();
    }
    if (*size == 0) break;
    client_.WaitForSilence();
    if (!TakeShare(share, {0, *size})) return SayTooMuch(share);
    HALFTONED_TRY_ASSIGN(const bool may_begin,
                         document.Append({piece.data(), *size}));
    if (!may_begin) continue;
    answer = AskPappl(reference);
    if (!IsDone(answer->get())) return answer;
    client_.WaitForMore();
  }
  if (!client_.StartWork()) return Ipp();
  const bool has_begun = document.has_begun();
  if (document.empty()) {
    if (ippGetOperation(request_.get()) == IPP_OP_SEND_DOCUMENT) {
      return AnswerWithoutDocument();
    }
    answer = AskPappl();
    GiveShare(share, answer->get());
    return answer;
  }
  HALFTONED_TRY(document.Finish());
  if (Ipp refusal = RefuseUnknown(*NumberIn(reference))) return refusal;
  if (!has_begun) answer = AskPappl(reference);
  GiveShare(share, answer->get());
  const bool needs_it =
      has_begun ? TellJobState(answer->get()) : IsDone(answer->get());
  if (needs_it) document.Keep();
  return answer;
}

// PAPPL would accept the document, and abort its job, which clients such as
// CUPS can take for printed.
Ipp IppRequest::RefuseUnknown(const std::string& number) {
  if (!FormatNamedIn(request_.get()).empty()) return nullptr;
  const auto page = front_.behind.AskPage("/halftone-inner/format?" + number);
  const Ipp printer = AskPrinter({kSupportedFormats});
  if (!page.ok() || !printer) return nullptr;
  std::string format = page->substr(0, page->find('\n'));
  if (format.empty() &&
      ippGetOperation(request_.get()) == IPP_OP_SEND_DOCUMENT) {
    const auto job = Jobs().Find(target_.job);
    if (!job) return nullptr;
    // PAPPL takes the format that Create-Job names. If neither request names
    // any, it takes the document for one in the printer's language.
    format = job->format;
    const bool is_named =
        !format.empty() ||
        ippFindAttribute(request_.get(), "document-format", IPP_TAG_ZERO);
    if (!is_named && HasLanguage(printer.get())) return nullptr;
  }
  if (format.empty() || format == kAnyFormat) {
    return Say(IPP_STATUS_ERROR_DOCUMENT_FORMAT_NOT_SUPPORTED,
               "The format of the document is unknown.");
  }
  return TakesFormat(printer.get(), format) ? nullptr : SayNotTaken(format);
}

// PAPPL would accept the request, and never end the job, or abort it after its
// end. A client can close a job this way, but not before its document.
Ipp IppRequest::AnswerWithoutDocument() {
  const bool is_last = ippGetBoolean(
      ippFindAttribute(request_.get(), "last-document", IPP_TAG_BOOLEAN), 0);
  if (!is_last || front_.open_jobs.Has({KeyOf(target_.printer), target_.job})) {
    return Say(IPP_STATUS_ERROR_BAD_REQUEST, "No file in request.");
  }
  constexpr const char* kAnswered[] = {"job-id", "job-uri", "job-state",
                                       "job-state-reasons",
                                       "job-state-message"};
  Ipp question = Jobs().Request(IPP_OP_GET_JOB_ATTRIBUTES);
  ippSetRequestId(question.get(), ippGetRequestId(request_.get()));
  ippAddInteger(question.get(), IPP_TAG_OPERATION, IPP_TAG_INTEGER, "job-id",
                target_.job);
  ippAddStrings(question.get(), IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                "requested-attributes", std::size(kAnswered), nullptr,
                kAnswered);
  request_ = std::move(question);
  return std::move(*AskPappl());
}

// Updates the answer, which has the state from when the job began.
bool IppRequest::TellJobState(ipp_t* answer) {
  ipp_attribute_t* id = ippFindAttribute(answer, "job-id", IPP_TAG_INTEGER);
  ipp_attribute_t* state = ippFindAttribute(answer, "job-state", IPP_TAG_ENUM);
  const auto job = Jobs().Find(ippGetInteger(id, 0));
  if (!job) return true;
  if (state && job->state >= IPP_JSTATE_PROCESSING) {
    ippSetInteger(answer, &state, 0, job->state);
  }
  return job->state < IPP_JSTATE_CANCELED;
}

Ipp IppRequest::SayNotTaken(const std::string& format) {
  Ipp refusal = Say(IPP_STATUS_OK, "");
  RefuseFormat(format, refusal.get());
  return refusal;
}

Ipp IppRequest::SayNotKept(const Error& error) {
  front_.log.Write(FrontLog::kError, error.message + '.', client_.caller);
  const std::string what = "The document cannot be kept: ";
  if (error.code == ErrorCode::kBadInput) {
    return Say(IPP_STATUS_ERROR_DOCUMENT_FORMAT_ERROR, what + error.message);
  }
  // Only the log shows the file's name.
  const size_t colon = error.message.rfind(": ");
  return Say(
      IPP_STATUS_ERROR_INTERNAL,
      what + error.message.substr(colon == std::string::npos ? 0 : colon + 2));
}

}  // namespace halftoned
