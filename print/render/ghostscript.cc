// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/ghostscript.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <span>

#include "base/text.h"
#include "print/process/pipe.h"
#include "print/render/document_kind.h"
#include "print/render/gs_program.h"

namespace halftoned {
namespace {

// In lines that say what is wrong.
constexpr std::string_view kFaults[] = {
    kNoFile,     "Error: ",     "Unrecoverable error", "requires a password",
    "Unable to", "not located", "Can't find"};
// In lines that say that a picture is missing because jbig2dec does not support
// it.
constexpr std::string_view kLosses[] = {
    "jbig2dec FATAL ERROR", "failed to decode; treating as end of file"};
// If only the data of a picture ends too early, other readers draw it in the
// same way.
constexpr std::string_view kDoubt = "recoverable image error";
// In lines about errors in PDF. Ghostscript draws the rest of the page, as
// other readers do. With -dPDFSTOPONERROR, it would omit the rest, and not
// always say so.
constexpr std::string_view kErrors[] = {
    "**** Error: Couldn't", "**** Error: page not found",
    "**** Error: Page drawing error", "\terror executing PDF token",
    "\terror in pattern"};
constexpr const char* kCannotDraw = "Ghostscript cannot render it: ";
constexpr const char* kLoss = "it does not support a picture";
constexpr const char* kHasErrors =
    "the document has errors, so a part of it may be missing";
constexpr const char* kMayMiss =
    "a picture is damaged, and may be missing or incomplete";

// A name for a file that a child has open.
std::string PathOf(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

std::vector<std::string> WordsOf(const GhostscriptOrder& order,
                                 const std::string& program, int profile) {
  std::vector<std::string> words = {
      program, "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dNOPROMPT",
      // Its messages must not mix with the pages.
      "-sstdout=%stderr", "-sOutputFile=%stdout",
      "--permit-file-read=" + PathOf(profile),
      "--permit-file-read=" + PathOf(order.document),
      "-sDefaultCMYKProfile=" + PathOf(profile)};
  words.insert(words.end(), order.words.begin(), order.words.end());
  words.emplace_back("-");
  return words;
}

// Ghostscript's own variables could undo -dSAFER; and -dSAFER lets documents
// use all files of the folder for temporary files.
std::vector<std::string> VariablesFor(const GhostscriptOrder& order,
                                      const std::string& folder) {
  std::vector<std::string> variables =
      order.cups_log
          ? EnvironmentWithout({"TMPDIR", "TEMP"})
          : EnvironmentWithout({"GS_OPTIONS", "GS_DEVICE", "TMPDIR", "TEMP"});
  variables.push_back("TMPDIR=" + folder);
  return variables;
}

bool HasAny(std::span<const std::string_view> all, std::string_view line) {
  return std::ranges::any_of(all, [line](std::string_view words) {
    return line.find(words) != line.npos;
  });
}

// Whether Ghostscript reads this file as PDF.
bool IsPdf(int document) {
  std::array<char, kStartOfDocument> start;
  const ssize_t size = ::pread(document, start.data(), start.size(), 0);
  return size > 0 &&
         KindOfDocument({start.data(), static_cast<size_t>(size)}) ==
             DocumentKind::kPdf;
}

// Not a pipe: writing to a closed pipe can raise a signal.
Result<Pipe> MakeSocket() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot make a socket");
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

bool HasGhostscript() { return !FindGhostscript().empty(); }

std::string FaultIn(std::string_view messages) {
  while (!messages.empty()) {
    const size_t end = std::min(messages.find('\n'), messages.size());
    const std::string_view line = messages.substr(0, end);
    messages.remove_prefix(std::min(end + 1, messages.size()));
    for (const std::string_view word : kFaults) {
      const size_t at = line.find(word);
      if (at == line.npos) continue;
      if (word == kNoFile) return "it tries to write a file";
      const size_t start =
          word == "Error: " ? at + word.size() : line.find_first_not_of(" *");
      return OneLine(line.substr(start));
    }
  }
  return "";
}

Result<std::unique_ptr<Ghostscript>> Ghostscript::Start(
    const GhostscriptOrder& order, const Stop& stop, const std::string& user) {
  const std::string found = FindGhostscript();
  if (found.empty()) {
    return Unavailable(
        "PDF and PostScript need Ghostscript (gs), which is not installed; on "
        "Debian: apt install ghostscript");
  }
  HALFTONED_TRY_ASSIGN(RenderGuard guard, RenderGuard::Make(order.folder));
  HALFTONED_TRY_ASSIGN(Pipe program, MakeSocket());
  HALFTONED_TRY_ASSIGN(Pipe pages, Pipe::Make());
  const auto heard = std::make_shared<Heard>();
  HALFTONED_TRY_ASSIGN(
      auto messages,
      MessageReader::Start([heard, log = order.cups_log](auto line) {
        heard->loss = heard->loss || HasAny(kLosses, line);
        heard->error = heard->error || HasAny(kErrors, line);
        heard->doubt = heard->doubt || line.find(kDoubt) != line.npos;
        if (log) log(line);
      }));
  HALFTONED_TRY_ASSIGN(const Descriptor profile, CmykProfileFile());
  GuardedOrder guarded{
      .program = {.name = "Ghostscript",
                  .words = WordsOf(order, found, profile.get()),
                  .environment = VariablesFor(order, guard.folder()),
                  .input = program.writing.get(),
                  .output = pages.writing.get(),
                  .messages = messages->writing().get()},
      .given = {profile.get(), order.document},
      .run = {.output = pages.reading.get()},
      .user = user,
      .folder = order.folder};
  HALFTONED_TRY_ASSIGN(
      auto process, GuardedChild::Start(std::move(guard), std::move(guarded)));
  messages->writing().Close();
  std::unique_ptr<Ghostscript> started(
      new Ghostscript(order, stop, std::move(messages), std::move(process)));
  started->program_ = std::move(program.reading);
  started->pages_ = std::move(pages.reading);
  started->heard_ = heard;
  return started;
}

Result<void> Ghostscript::Draw(std::string_view program, int64_t times) {
  process_->LimitTime(times);
  std::string text(program);
  // -q hides which errors in pictures and patterns were ignored. In PostScript,
  // such errors are not ignored, and the other messages that -q hides could
  // seem to be one.
  if (IsPdf(document_)) text += " /QUIET false def";
  text += " (" + PathOf(document_) + ") run\n";
  const ssize_t sent =
      ::send(program_.get(), text.data(), text.size(), MSG_NOSIGNAL);
  // If Ghostscript has already ended, there are no pages, and Finish says why.
  const bool is_over = sent < 0 && errno == EPIPE;
  program_.Close();
  if (is_over || sent == static_cast<ssize_t>(text.size())) return {};
  return IoError("Ghostscript ended before its document arrived");
}

Result<void> Ghostscript::EndOf(int pages) {
  pollfd pipe{pages, POLLIN, 0};
  const bool has_no_more =
      ::poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLIN) == 0;
  if (has_no_more) return Finish();
  Kill();
  return {};
}

Result<void> Ghostscript::Finish() {
  const Result<void> finished = process_->child().Finish(stop_);
  if (stop_.requested()) return finished;
  if (finished.ok()) {
    messages_->End();
    if (heard_->loss) return BadInput(std::string(kCannotDraw) + kLoss);
    if (heard_->error && is_strict_) {
      const std::string fault = FaultIn(messages_->Text());
      return BadInput(kCannotDraw +
                      (fault.empty() ? kHasErrors : Printable(fault)));
    }
    if (heard_->error && warn_) warn_(kHasErrors);
    if (heard_->doubt && warn_) warn_(kMayMiss);
    return finished;
  }
  const std::string& messages = messages_->Text();
  const Result<void> verdict = process_->Verdict(messages);
  if (!verdict.ok() && verdict.error().code == ErrorCode::kBadInput) {
    return BadInput(kCannotDraw + verdict.error().message);
  }
  HALFTONED_TRY(verdict);
  const std::string fault = FaultIn(messages);
  if (fault.empty() || process_->child().WasKilled()) {
    return IoError(finished.error().message);
  }
  return BadInput(kCannotDraw + Printable(fault));
}

}  // namespace halftoned
