// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many renderers a job may have at once. Printers print side by side, and
// their jobs share the processors: each has one renderer, whatever the others
// have, for a printer without paper keeps what it has; and more as long as
// there are processors.

#ifndef HALFTONED_PRINTER_APP_DOCUMENTS_RENDERER_SHARE_H_
#define HALFTONED_PRINTER_APP_DOCUMENTS_RENDERER_SHARE_H_

namespace halftoned {

class RendererShare {
 public:
  // Takes up to so many, until it is destroyed.
  explicit RendererShare(int wanted);
  ~RendererShare();
  RendererShare(const RendererShare&) = delete;
  RendererShare& operator=(const RendererShare&) = delete;

  int count() const { return count_; }

 private:
  int count_;
};

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_DOCUMENTS_RENDERER_SHARE_H_
