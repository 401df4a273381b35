// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/sheet_maker.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>

#include "base/libexec.h"
#include "base/text.h"
#include "print/limits/render_guard.h"
#include "print/limits/render_pool.h"

namespace halftoned {
namespace {

constexpr size_t kLongestAnswer = size_t{1} << 16;

std::string Program() {
  return LibexecFolder(HALFTONED_LIBEXEC_PATH) + "/halftone-sheets";
}

}  // namespace

bool SheetMaker::IsThere() { return ::access(Program().c_str(), X_OK) == 0; }

Result<std::unique_ptr<SheetMaker>> SheetMaker::Start(
    const std::string& document, const Stop& cancelled, const std::string& user,
    const std::string& folder) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot make a socket");
  }
  Descriptor ours(ends[0]), theirs(ends[1]);
  HALFTONED_TRY_ASSIGN(Child program,
                       Child::Start({.name = "halftone-sheets",
                                     .words = {Program(), document},
                                     .environment = EnvironmentWithout({}),
                                     .input = theirs.get(),
                                     .output = theirs.get(),
                                     .confinement = Confinement{}}));
  theirs = Descriptor();  // so that this process notices when the program ends
  std::unique_ptr<SheetMaker> maker(new SheetMaker(
      std::move(program), std::move(ours), cancelled, user, folder));
  HALFTONED_TRY_ASSIGN(const std::string count, maker->Answer(kPagesWord));
  maker->pages_ = ParseNumber<unsigned>(count).value_or(0);
  if (maker->pages_ == 0) return BadInput("the document has no page");
  return maker;
}

Result<std::vector<PageWork>> SheetMaker::Make(const SheetOrder& order,
                                               const std::string& path) {
  const std::string line = TextOf(order, path) + '\n';
  // If that fails, its end tells why.
  if (!WriteFully(connection_.get(), std::as_bytes(std::span(line))).ok()) {
    ::shutdown(connection_.get(), SHUT_WR);
  }
  std::vector<PageWork> pages(order.last_page - order.first_page + 1);
  for (PageWork& page : pages) {
    HALFTONED_TRY_ASSIGN(const std::string work, Answer(kSheetWord));
    HALFTONED_TRY_ASSIGN(page, ReadWork(work));
  }
  HALFTONED_TRY(Answer(kEndWord));
  return pages;
}

Result<std::string> SheetMaker::Answer(std::string_view word) {
  HALFTONED_TRY_ASSIGN(const std::string line, Line());
  Result<std::string> answer = ReadAnswer(line, word);
  if (!answer.ok() && answer.error().code == ErrorCode::kIo) {
    RenderPool::NoteShortage();
  }
  return answer;
}

Result<std::string> SheetMaker::Line() {
  size_t end;
  while ((end = read_.find('\n')) == read_.npos) {
    pollfd waits[] = {{connection_.get(), POLLIN, 0},
                      {cancelled_.fd(), POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) {
      return ErrnoError(ErrorCode::kIo, "cannot wait for the document");
    }
    if (cancelled_.requested()) return IoError("the job was canceled");
    if (waits[0].revents == 0) continue;
    std::array<char, 4096> bytes;
    const ssize_t got = ::read(connection_.get(), bytes.data(), bytes.size());
    if (got > 0) read_.append(bytes.data(), static_cast<size_t>(got));
    if (read_.size() > kLongestAnswer) return Bug("a reply has no end");
    if (got == 0 || (got < 0 && errno != EINTR)) {
      HALFTONED_TRY(share_.Verdict());
      const Result<void> finished = program_.Finish(cancelled_);
      if (program_.WasKilledBy(SIGXFSZ)) {
        return BadInput(TooMuchDisk(ReadRenderLimits()));
      }
      if (program_.WasKilledBy(SIGXCPU)) {
        return BadInput(
            TooMuchTime(ReadRenderLimits().time, "before its first page"));
      }
      // By the kernel, when memory is short: no fault of the document.
      if (program_.WasKilledBy(SIGKILL)) {
        return Unavailable(finished.error().message);
      }
      HALFTONED_TRY(finished);
      return IoError("halftone-sheets ended early");
    }
  }
  std::string line = read_.substr(0, end);
  read_.erase(0, end + 1);
  return line;
}

}  // namespace halftoned
