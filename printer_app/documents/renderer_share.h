// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of renderers that a job may have at once. Printers print
// concurrently and their jobs share the CPU cores. Each job has at least one
// renderer, because a printer without paper keeps those that it has, and more
// while cores are free.

#pragma once

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
