// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ghostscript as a process that draws a PDF or PostScript file: pages come out
// of a pipe, in the form of one of its devices. It may read no other file of
// the user (-dSAFER), gains no rights, ends with this process, and its messages
// become one line. In CMYK full black is black, as for the filter
// (cmyk_profile.h). Knows neither page formats nor options of ours.

#ifndef HALFTONED_PRINT_RENDER_GHOSTSCRIPT_H_
#define HALFTONED_PRINT_RENDER_GHOSTSCRIPT_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "base/temporary_folder.h"
#include "print/file/pending_files.h"

namespace halftoned {

// What is to be drawn, and how.
struct DrawingOrder {
  int document;        // a regular file, which is read from its start
  const char* device;  // such as pgmraw
  double dots_across;  // an inch
  double dots_down;
  int64_t first_page = 1;
  std::optional<int64_t> last_page;
  // In place of both: a list such as "1,3,7".
  std::string pages = {};
  bool is_eps = false;  // the page is as large as the picture
  // Width and height that pages are fitted into, in points; else they keep
  // their own.
  std::optional<std::pair<double, double>> fit = {};
  // Width and height of each page in pixels, whatever it says of its size.
  std::optional<std::pair<int64_t, int64_t>> pixels = {};
  // The size of pages that do not say theirs, in points.
  std::optional<std::pair<double, double>> usual_size = {};
  std::span<const char* const> device_options = {};
};

// Whether there is a Ghostscript to start.
bool HasGhostscript();

class Ghostscript {
 public:
  // kUnavailable if it is not installed. `pending`, which outlives it, deletes
  // its temporary files if a signal ends this process.
  static Result<std::unique_ptr<Ghostscript>> Start(const DrawingOrder& order,
                                                    PendingFiles& pending);

  // Ends it if it still runs.
  ~Ghostscript();
  Ghostscript(const Ghostscript&) = delete;
  Ghostscript& operator=(const Ghostscript&) = delete;

  // The end of the pipe that the pages come out of; to be taken once.
  Descriptor TakePages() { return std::move(pages_); }

  // Why there is nothing more to read from `pages`, its pipe. If it is not its
  // end, Ghostscript, which waits for its reader, is ended, and the result is
  // no error.
  Result<void> EndOf(int pages);

  // Waits for its end, once no more pages come. An error if it was ended, or
  // could not draw everything.
  Result<void> Finish();

  // Ends it. Any thread may call this.
  void Kill();

 private:
  // Where it puts its temporary files, and nothing else is.
  class Folder {
   public:
    Folder(TemporaryFolder folder, PendingFiles& pending)
        : path_(folder.path()), folder_(std::move(folder)), pending_(pending) {
      pending_.AddFolder(path_);
    }
    ~Folder() {
      folder_.reset();
      pending_.ForgetFolder(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::string& path() const { return path_; }

   private:
    const std::string path_;
    std::optional<TemporaryFolder> folder_;
    PendingFiles& pending_;
  };

  Ghostscript(pid_t process, std::unique_ptr<Folder> folder, Descriptor pages,
              Descriptor messages);
  void ReadMessages();

  const std::unique_ptr<Folder> folder_;
  Descriptor pages_;
  Descriptor messages_;
  std::mutex mutex_;
  pid_t process_;  // 0: it has ended, and was waited for
  std::string text_;
  std::thread reader_;  // of the messages
};

// The line of Ghostscript's messages that says what is wrong; empty if none
// does.
std::string FaultIn(std::string_view messages);

}  // namespace halftoned

#endif  // HALFTONED_PRINT_RENDER_GHOSTSCRIPT_H_
