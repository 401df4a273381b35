// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page of a PDF or PostScript file in gray, rendered by a process of
// Ghostscript. In CMYK full black is black, as for the filter
// (cmyk_profile.h).

#ifndef HALFTONED_TOOLS_PREVIEW_GHOSTSCRIPT_PAGE_H_
#define HALFTONED_TOOLS_PREVIEW_GHOSTSCRIPT_PAGE_H_

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// Whether a file that begins so is for Ghostscript.
bool IsForGhostscript(std::span<const std::byte> beginning);

struct GhostscriptOrder {
  std::string file;
  int page;  // counted from 1
  double dots_per_inch_across;
  double dots_per_inch_down;
};

class GhostscriptPage {
 public:
  static Result<GhostscriptPage> Start(const GhostscriptOrder& order);
  GhostscriptPage(GhostscriptPage&& other) noexcept
      : process_(std::exchange(other.process_, 0)),
        pixels_(std::move(other.pixels_)),
        messages_(std::move(other.messages_)) {}
  GhostscriptPage& operator=(GhostscriptPage&&) = delete;
  // Ends the process, if it has not ended.
  ~GhostscriptPage();

  // A PGM file, or nothing if there is no such page. Call it once.
  Descriptor TakePixels() { return std::move(pixels_); }

  // Waits for the end; the first line of what Ghostscript has said. Call it
  // when all pixels are read, or none will be.
  std::string Finish();

 private:
  GhostscriptPage(pid_t process, Descriptor pixels, Descriptor messages)
      : process_(process),
        pixels_(std::move(pixels)),
        messages_(std::move(messages)) {}

  pid_t process_;  // 0: it has ended
  Descriptor pixels_;
  Descriptor messages_;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_PREVIEW_GHOSTSCRIPT_PAGE_H_
