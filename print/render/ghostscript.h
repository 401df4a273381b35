// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ghostscript as a process that draws a document: pages come out of a pipe, in
// the format of one of its devices. It may read no other file of the user
// (-dSAFER), gains no rights, ends with this process, and obeys the limits of
// halftoned.conf (render_guard.h). In CMYK, full black is black
// (cmyk_profile.h). It can start before its document is there, since its start
// takes as long as two pages of text. Knows neither page formats nor our
// options.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/limits/guarded_child.h"
#include "print/process/message_reader.h"
#include "print/process/stop.h"

namespace halftoned {

struct GhostscriptOrder {
  int document;                    // a file, complete when it is drawn
  std::string folder;              // of a job's own, where each has another
  std::vector<std::string> words;  // the device and its options
  // CUPS' error log, if the job is for CUPS. As in CUPS, Ghostscript's own
  // environment variables then take effect.
  MessageLog cups_log = {};
  // Gets a line if pages may lack something although there is no error.
  MessageLog warn = {};
  // Whether errors in PDF, which would only be a warning, fail the document.
  bool is_strict = false;
};

// Whether there is a Ghostscript to start.
bool HasGhostscript();

class Ghostscript {
 public:
  // kUnavailable if it is not installed. `stop` outlives it. user: whose job
  // it is (render_pool.h).
  static Result<std::unique_ptr<Ghostscript>> Start(
      const GhostscriptOrder& order, const Stop& stop,
      const std::string& user = "");

  Ghostscript(const Ghostscript&) = delete;
  Ghostscript& operator=(const Ghostscript&) = delete;

  // Makes it run this PostScript program, shorter than 64 KiB, and then draw
  // the document. times: of render-time, at most (RenderGuard::LimitTime). Call
  // this once.
  Result<void> Draw(std::string_view program, int64_t times);

  // The end of the pipe from which the pages come; take it once.
  Descriptor TakePages() { return std::move(pages_); }

  // Why there is nothing more to read from `pages`, its pipe. If the pipe has
  // not ended, this ends Ghostscript, which waits for its reader, and returns
  // no error.
  Result<void> EndOf(int pages);

  // Waits for its end, after its last page. An error if it was ended, or could
  // not draw everything.
  Result<void> Finish();

  // Precondition: EndOf or Finish has returned.
  bool HasCrashed() { return process_->child().HasCrashed(); }

  std::optional<std::chrono::nanoseconds> CpuTime() const {
    return process_->child().CpuTime();
  }

  // Ends it. Any thread may call this.
  void Kill() { process_->child().Terminate(); }

 private:
  // What the messages say.
  struct Heard {
    bool loss = false;
    bool error = false;
    bool doubt = false;
  };

  Ghostscript(const GhostscriptOrder& order, const Stop& stop,
              std::unique_ptr<MessageReader> messages,
              std::unique_ptr<GuardedChild> process)
      : document_(order.document),
        stop_(stop),
        warn_(order.warn),
        is_strict_(order.is_strict),
        messages_(std::move(messages)),
        process_(std::move(process)) {}

  const int document_;
  const Stop& stop_;
  Descriptor program_;
  Descriptor pages_;
  const MessageLog warn_;
  const bool is_strict_;
  std::shared_ptr<const Heard> heard_;  // complete when messages_ has ended
  const std::unique_ptr<MessageReader> messages_;
  const std::unique_ptr<GuardedChild> process_;
};

// The line of Ghostscript's messages that says what is wrong; empty if none
// does.
std::string FaultIn(std::string_view messages);

}  // namespace halftoned
