// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/pages_reader.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "print/limits/render_guard.h"
#include "print/process/pipe.h"
#include "print/process/polled_io.h"

namespace halftoned {
namespace {

// What the process reads; the document's path follows.
struct Request {
  PaperSize paper;
  bool has_paper;
  bool may_be_black;
};

// What it writes: this, the works of the pages, and a text, which is
// `why_whole` or an error.
struct Start {
  uint64_t pages;
  bool is_error;
};

Result<void> Write(const Result<PdfPages>& read) {
  const std::span<const PageWork> pages =
      read.ok() ? std::span<const PageWork>(read->pages)
                : std::span<const PageWork>();
  const std::string& text = read.ok() ? read->why_whole : read.error().message;
  const Start start{pages.size(), !read.ok()};
  constexpr int kPipe = STDOUT_FILENO;
  HALFTONED_TRY(WriteFully(kPipe, std::as_bytes(std::span(&start, 1))));
  HALFTONED_TRY(WriteFully(kPipe, std::as_bytes(pages)));
  return WriteFully(kPipe, std::as_bytes(std::span(text)));
}

Result<std::string> ReadAll(int pipe, const Stop& stop) {
  HALFTONED_TRY_ASSIGN(PolledInput input, PolledInput::Make(pipe, stop));
  std::string all;
  std::vector<std::byte> room(size_t{64} << 10);
  for (;;) {
    HALFTONED_TRY_ASSIGN(const size_t bytes, input.Read(room));
    if (bytes == 0) return all;
    all.append(reinterpret_cast<const char*>(room.data()), bytes);
  }
}

// The other process. Without a request, this one has ended, or needs nothing.
Result<void> ServeRequest() {
  HALFTONED_TRY_ASSIGN(const Stop never, Stop::Make());
  HALFTONED_TRY_ASSIGN(const std::string all, ReadAll(STDIN_FILENO, never));
  Request request;
  if (all.size() < sizeof(request)) return {};
  std::memcpy(&request, all.data(), sizeof(request));
  LimitToRender();
  return Write(
      PagesOf(all.substr(sizeof(request)),
              request.has_paper ? std::optional(request.paper) : std::nullopt,
              request.may_be_black));
}

// Keeps only these as stdin and stdout, and none of the job's files.
void KeepOnly(const Descriptor& input, const Descriptor& output) {
  const int nothing = ::open("/dev/null", O_WRONLY);
  ::dup2(input.get(), STDIN_FILENO);
  ::dup2(output.get(), STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
#ifdef SYS_close_range
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
#endif
}

Result<PdfPages> Parse(std::string_view all) {
  Start start;
  if (all.size() < sizeof(start)) return IoError("its pages are unknown");
  std::memcpy(&start, all.data(), sizeof(start));
  all.remove_prefix(sizeof(start));
  if (start.pages > all.size() / sizeof(PageWork)) {
    return IoError("its pages are unknown");
  }
  const size_t bytes = start.pages * sizeof(PageWork);
  const std::string text(all.substr(bytes));
  if (start.is_error) return BadInput(text);
  PdfPages read{std::vector<PageWork>(start.pages), text};
  if (bytes > 0) std::memcpy(read.pages.data(), all.data(), bytes);
  return read;
}

}  // namespace

PagesReader::PagesReader(Descriptor request, Descriptor answer, Child process)
    : request_(std::move(request)),
      answer_(std::move(answer)),
      process_(std::move(process)) {}

Result<PagesReader> PagesReader::Start() try {
  HALFTONED_TRY_ASSIGN(Pipe request, Pipe::Make());
  HALFTONED_TRY_ASSIGN(Pipe answer, Pipe::Make());
  HALFTONED_TRY_ASSIGN(Child process,
                       Child::Fork("the process that counts the pages", [&] {
                         KeepOnly(request.reading, answer.writing);
                         (void)ServeRequest().ok();
                       }));
  return PagesReader(std::move(request.writing), std::move(answer.reading),
                     std::move(process));
} catch (const std::bad_alloc&) {
  return Unavailable("not enough memory");
}

Result<PdfPages> PagesReader::Read(const std::string& path,
                                   const std::optional<PaperSize>& paper,
                                   bool may_be_black, const Stop& stop) {
  const Request request{paper.value_or(PaperSize{}), paper.has_value(),
                        may_be_black};
  HALFTONED_TRY(
      WriteFully(request_.get(), std::as_bytes(std::span(&request, 1))));
  HALFTONED_TRY(WriteFully(request_.get(), std::as_bytes(std::span(path))));
  request_.Close();
  HALFTONED_TRY_ASSIGN(const std::string all, ReadAll(answer_.get(), stop));
  HALFTONED_TRY(process_.Finish(stop));
  return Parse(all);
}

}  // namespace halftoned
