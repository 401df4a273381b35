// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/pages_apart.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "print/limits/render_guard.h"
#include "print/process/child.h"
#include "print/process/pipe.h"
#include "print/process/polled_io.h"

namespace halftoned {
namespace {

// What the process writes: this, the works of the pages, and a text, which is
// `why_whole` or an error.
struct Start {
  uint64_t pages;
  bool is_error;
};

Result<void> Write(const Result<PdfPages>& read, int pipe) {
  const std::span<const PageWork> pages =
      read.ok() ? std::span<const PageWork>(read->pages)
                : std::span<const PageWork>();
  const std::string& text = read.ok() ? read->why_whole : read.error().message;
  const Start start{pages.size(), !read.ok()};
  HALFTONED_TRY(WriteFully(pipe, std::as_bytes(std::span(&start, 1))));
  HALFTONED_TRY(WriteFully(pipe, std::as_bytes(pages)));
  return WriteFully(pipe, std::as_bytes(std::span(text)));
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

Result<PdfPages> Parse(std::string_view all) {
  Start start;
  if (all.size() < sizeof(start)) return IoError("its pages are unknown");
  std::memcpy(&start, all.data(), sizeof(start));
  all.remove_prefix(sizeof(start));
  if (start.pages > all.size() / sizeof(PageWork)) {
    return IoError("its pages are unknown");
  }
  PdfPages read{std::vector<PageWork>(start.pages), ""};
  const size_t bytes = start.pages * sizeof(PageWork);
  std::memcpy(read.pages.data(), all.data(), bytes);
  const std::string text(all.substr(bytes));
  if (start.is_error) return BadInput(text);
  read.why_whole = text;
  return read;
}

}  // namespace

Result<PdfPages> PagesApart(const std::string& path,
                            const std::optional<PaperSize>& paper,
                            bool may_be_black, const Stop& stop) {
  HALFTONED_TRY_ASSIGN(Pipe pipe, Pipe::Make());
  HALFTONED_TRY_ASSIGN(Child reader,
                       Child::Fork("the process that counts the pages", [&] {
                         LimitToRender();
                         const auto read = PagesOf(path, paper, may_be_black);
                         (void)Write(read, pipe.writing.get()).ok();
                       }));
  pipe.writing.Close();
  HALFTONED_TRY_ASSIGN(const std::string all,
                       ReadAll(pipe.reading.get(), stop));
  HALFTONED_TRY(reader.Finish(stop));
  return Parse(all);
}

}  // namespace halftoned
