// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process of the system's renderer, which reads a document and writes raster
// to a pipe. It is a CUPS filter, started as cupsd would start it.

#ifndef HALFTONED_FILTER_PDF_RENDERER_H_
#define HALFTONED_FILTER_PDF_RENDERER_H_

#include <span>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/process/child.h"
#include "print/render/page_shares.h"

namespace halftoned {

// What all renderers of a job share.
struct RendererOrder {
  std::string program;           // a path
  bool takes_lists;              // may take a list of pages
  std::span<char* const> words;  // the job's arguments, as cupsd gives them
  std::string document;          // a path
  std::string cmyk_profile;      // a path
  std::string black_ppd;         // a path, or empty: black_ppd.h
  std::string folder;            // for temporary files
};

class Renderer {
 public:
  // `pages`: the list of pages to make, as Ghostscript reads it; empty: all.
  // `ink`: kBlack, for which there must be a black_ppd, gives raster of one
  // bit. The thread that starts a renderer lives as long as it, or it is
  // killed.
  static Result<Renderer> Start(const RendererOrder& order,
                                const std::string& pages, PageInk ink);

  // The pipe; at its end the raster is complete, or the renderer has died.
  int raster() const { return raster_.get(); }

  Child& process() { return process_; }

 private:
  Renderer(Child process, Descriptor raster)
      : process_(std::move(process)), raster_(std::move(raster)) {}

  Child process_;
  Descriptor raster_;  // closed first, so that the process ends
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_RENDERER_H_
