// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process of the system's renderer, which reads a document and writes raster
// to a pipe. It is a CUPS filter, started as cupsd would start it, in a process
// group of its own, because it starts others.

#ifndef HALFTONED_FILTER_PDF_RENDERER_H_
#define HALFTONED_FILTER_PDF_RENDERER_H_

#include <sys/types.h>

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "filter/stop.h"

namespace halftoned {

// What all renderers of a job share.
struct RendererOrder {
  std::string program;           // a path
  bool takes_lists;              // may take a list of pages
  std::span<char* const> words;  // the job's arguments, as cupsd gives them
  std::string document;          // a path
  std::string cmyk_profile;      // a path
  std::string folder;            // for temporary files
};

class Renderer {
 public:
  // `pages`: the list of pages to make, as Ghostscript reads it; empty: all.
  // The thread that starts a renderer lives as long as it, or it is killed.
  static Result<Renderer> Start(const RendererOrder& order,
                                const std::string& pages);
  Renderer(Renderer&& other) noexcept;
  Renderer& operator=(Renderer&&) = delete;
  // Ends it with all processes that it has started, if it has not ended.
  ~Renderer();

  // The pipe; at its end the raster is complete, or the renderer has died.
  int raster() const { return raster_.get(); }

  // Whether a signal has ended it; what it has started may still write.
  bool WasKilled();

  // Waits for its end. An error says how it failed.
  Result<void> Finish(const Stop& stop);

  // Any thread may call it: makes it end soon.
  void Terminate();

 private:
  Renderer(pid_t process, Descriptor raster)
      : group_(process), process_(process), raster_(std::move(raster)) {}
  // Whether it has ended; then its status is known.
  bool HasEnded();

  const pid_t group_;
  std::mutex mutex_;
  pid_t process_;  // 0: it has ended
  int status_ = 0;
  Descriptor raster_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_RENDERER_H_
